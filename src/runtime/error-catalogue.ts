/**
 * Every error a user can meet, in one place: its code, what it means, what to do about it, and the HTTP status it maps
 * to. `docs/errors.md` is generated from this table and a test keeps the two equal.
 */
export const errorCatalogue = {
  FLY_INTERNAL: {
    meaning: "Something failed that Flycatcher has no better name for.",
    remedy: "Report it with the log around it; it is a bug.",
    httpStatus: 500,
  },
  FLY_GRAPH: {
    meaning: "The graph of nodes cannot run: an edge joins ports that do not fit, or leads back within a tick.",
    remedy: "Compare the edges with the nodes' ports: `flycatcher graph` prints both.",
    httpStatus: 500,
  },
  FLY_FILE_UNREADABLE: {
    meaning: "A file that was asked for cannot be read.",
    remedy: "Check the path and its permissions.",
    httpStatus: 404,
  },
  FLY_FILE_UNWRITABLE: {
    meaning: "A file that was asked for cannot be written.",
    remedy: "Check the folder and its permissions.",
    httpStatus: 500,
  },
  FLY_JSON_MALFORMED: {
    meaning: "A file or request body that should be JSON is not.",
    remedy: "Mend the JSON at the position given.",
    httpStatus: 400,
  },
  FLY_FILE_TOO_LARGE: {
    meaning: "A file is far larger than its kind ever is.",
    remedy: "Check that it is the file you meant.",
    httpStatus: 413,
  },
  FLY_URDF_MALFORMED: {
    meaning: "A URDF is not well-formed XML.",
    remedy: "Mend the XML at the line and column given.",
    httpStatus: 422,
  },
  FLY_URDF_DOCTYPE: {
    meaning: "A URDF has a document type declaration, which Flycatcher does not process.",
    remedy: "Remove the <!DOCTYPE …> and write entities out.",
    httpStatus: 422,
  },
  FLY_URDF_TOO_LARGE: {
    meaning: "A URDF is too long, too deeply nested or has too many links.",
    remedy: "Check that it is the file you meant; leave meshes in files of their own.",
    httpStatus: 413,
  },
  FLY_URDF_NOT_A_ROBOT: {
    meaning: "The outermost element of a URDF is not <robot>.",
    remedy: "Give the expanded URDF; xacro files must be expanded and SDF files converted first.",
    httpStatus: 422,
  },
  FLY_URDF_MISSING: {
    meaning: "An element or attribute that URDF requires is missing.",
    remedy: "Add it to the element named.",
    httpStatus: 422,
  },
  FLY_URDF_DUPLICATE: {
    meaning: "Two links or two joints of a URDF have the same name, or an element that may stand once stands twice.",
    remedy: "Rename or remove one of them.",
    httpStatus: 422,
  },
  FLY_URDF_NUMBER: {
    meaning: "A number in a URDF is not a finite decimal number, or not one of the size its place asks for.",
    remedy: "Correct the attribute named.",
    httpStatus: 422,
  },
  FLY_URDF_JOINT_TYPE: {
    meaning: "A joint of a URDF has an unknown type.",
    remedy: "Use revolute, continuous, prismatic, fixed, planar or floating.",
    httpStatus: 422,
  },
  FLY_URDF_GEOMETRY: {
    meaning: "A visual or collision element of a URDF has no shape that Flycatcher knows.",
    remedy: "Use box, cylinder, sphere, capsule or mesh.",
    httpStatus: 422,
  },
  FLY_URDF_INERTIA: {
    meaning: "A link of a URDF has a mass or an inertia that no body can have.",
    remedy: "Give a mass that is not negative and an inertia matrix without negative eigenvalues.",
    httpStatus: 422,
  },
  FLY_URDF_AXIS: {
    meaning: "The axis of a joint of a URDF is zero.",
    remedy: "Give the axis a direction.",
    httpStatus: 422,
  },
  FLY_URDF_LIMIT: {
    meaning: "The limits of a joint of a URDF contradict one another.",
    remedy: "Make lower at most upper, and speed and effort not negative.",
    httpStatus: 422,
  },
  FLY_URDF_LINK_UNKNOWN: {
    meaning: "A joint of a URDF names a parent or child link that does not exist.",
    remedy: "Correct the name or add the link.",
    httpStatus: 422,
  },
  FLY_URDF_NO_LINK: {
    meaning: "A URDF has no link.",
    remedy: "Add at least one <link>.",
    httpStatus: 422,
  },
  FLY_URDF_TWO_PARENTS: {
    meaning: "A link of a URDF is the child of two joints.",
    remedy: "Make the robot a tree: each link hangs on one joint.",
    httpStatus: 422,
  },
  FLY_URDF_TWO_ROOTS: {
    meaning: "A URDF has more than one link that hangs on no joint.",
    remedy: "Join all links into one tree.",
    httpStatus: 422,
  },
  FLY_URDF_LOOP: {
    meaning: "Links of a URDF hang on one another in a circle.",
    remedy: "Cut the loop; a coupling in the sidecar can stand for it.",
    httpStatus: 422,
  },
  FLY_URDF_MIMIC: {
    meaning: "A joint of a URDF mimics a joint that it cannot follow.",
    remedy: "Let it mimic a movable single-axis joint that does not depend on it.",
    httpStatus: 422,
  },
  FLY_ROBOT_UNKNOWN: {
    meaning: "No robot of that name is shipped, and no file of that name exists.",
    remedy: "`flycatcher robot list` shows the robots; a path to robot.json or a .urdf file works too.",
    httpStatus: 404,
  },
  FLY_SIDECAR_INVALID: {
    meaning: "A robot's sidecar (robot.json) does not follow its schema.",
    remedy: "Correct the field at the path given; docs/robots.md lists them all.",
    httpStatus: 422,
  },
  FLY_SIDECAR_REFERENCE: {
    meaning: "A robot's sidecar names a link, joint, group or other part that does not exist.",
    remedy: "Correct the name at the path given; `flycatcher robot show` prints those there are.",
    httpStatus: 422,
  },
  FLY_SIDECAR_INCONSISTENT: {
    meaning: "Values in a robot's sidecar contradict one another or the URDF.",
    remedy: "Correct the field at the path given.",
    httpStatus: 422,
  },
  FLY_SIDECAR_COUPLING: {
    meaning: "A coupling in a robot's sidecar is circular, of a fixed joint, or of a joint that is dependent already.",
    remedy: "Let each dependent joint follow movable joints that do not depend on it, once.",
    httpStatus: 422,
  },
  FLY_OVERLAY_INVALID: {
    meaning: "A calibration or truth overlay does not follow its schema.",
    remedy: "Correct the field at the path given, or calibrate anew.",
    httpStatus: 422,
  },
  FLY_OVERLAY_REFERENCE: {
    meaning: "A calibration or truth overlay names a joint, link, camera or marker the robot does not have.",
    remedy: "Use an overlay made for this robot, or calibrate anew.",
    httpStatus: 422,
  },
  FLY_CHAIN_INVALID: {
    meaning: "A kinematic chain names a link or dof that the robot does not have, a dof twice, or unfit positions.",
    remedy: "Take links and dofs from the robot's model, each dof once, and give one held position for every dof.",
    httpStatus: 500,
  },
  FLY_CHAIN_LOOSE_DOF: {
    meaning: "Between a chain's base and tip lies a dof that is neither one of the chain's own nor held.",
    remedy: "Add the dof to the chain, or give the positions at which the other dofs are held.",
    httpStatus: 500,
  },
  FLY_CLEARANCE_UNSUPPORTED: {
    meaning: "A collision body moves with an arm in a way that the arm's chain of joints does not show.",
    remedy: "Fix the body named to a link of the arm, or leave it out of the sidecar's pairs.",
    httpStatus: 422,
  },
  FLY_OBSTACLE_INVALID: {
    meaning: "A static obstacle has a wrong shape, a name used twice, or names a body that the robot does not have.",
    remedy: "Correct the obstacle named; docs/safety.md describes the shapes.",
    httpStatus: 422,
  },
  FLY_MONITOR_INVALID: {
    meaning: "The self-collision monitor cannot guard this robot, or not with these settings.",
    remedy: "Give the robot collision hulls in its sidecar, and the monitor settings in the ranges named.",
    httpStatus: 422,
  },
  FLY_CONFIG_INVALID: {
    meaning: "The configuration has a key that does not exist or a value out of its range.",
    remedy: "Correct the keys named; docs/configuration.md lists every key with its range.",
    httpStatus: 500,
  },
  FLY_CONFIG_OVERRIDE_MALFORMED: {
    meaning: "A setting on the command line is not of the form section.key=value.",
    remedy: "Write it as in --set service.port=8080.",
    httpStatus: 500,
  },
  FLY_PROFILE_UNKNOWN: {
    meaning: "There is no profile of that name.",
    remedy: "See `flycatcher config profiles`, or give the path of your own profile file.",
    httpStatus: 500,
  },
  FLY_PROFILE_CYCLE: {
    meaning: "Profiles extend one another in a circle.",
    remedy: "Remove one `extends` from the circle that is named.",
    httpStatus: 500,
  },
  FLY_CLOCK_BACKWARDS: {
    meaning: "The lock-step clock was asked to go backwards or to a time that is no whole number of nanoseconds.",
    remedy: "Advance it to a later time only.",
    httpStatus: 500,
  },
  FLY_WORKER_NOT_BUILT: {
    meaning: "A worker's compiled file is missing: workers run from dist/.",
    remedy: "Run `npm run build`.",
    httpStatus: 500,
  },
  FLY_WORKER_LOAD_FAILED: {
    meaning: "A worker's file could not be loaded, or threw before the worker was ready.",
    remedy: "Read the cause that is given with it; after a change of the sources run `npm run build`.",
    httpStatus: 500,
  },
  FLY_WORKER_EXITED_EARLY: {
    meaning: "A worker ended before it was ready, without an error.",
    remedy: "Report it with the log around it; the worker must call workerReady().",
    httpStatus: 500,
  },
  FLY_WORKER_START_TIMEOUT: {
    meaning: "A worker was not ready in time.",
    remedy: "See whether the machine is overloaded; otherwise report it with the log around it.",
    httpStatus: 500,
  },
  FLY_WORKER_CRASHED: {
    meaning: "A worker died of an error after it had been ready.",
    remedy: "Read the cause that is given with it and report it; it is a bug, or the memory was not enough.",
    httpStatus: 500,
  },
  FLY_CHANNEL_PACKET_DESCRIPTION: {
    meaning: "A packet type is described in a way that cannot be laid out in memory.",
    remedy: "Correct the field named.",
    httpStatus: 500,
  },
  FLY_MESSAGE_JSON: {
    meaning: "JSON that should be a message does not follow the message's schema.",
    remedy: "Correct the field named.",
    httpStatus: 422,
  },
  FLY_CHANNEL_OPTIONS: {
    meaning: "A channel or sync table was asked for with sizes it cannot have.",
    remedy: "Correct the option named.",
    httpStatus: 500,
  },
  FLY_CHANNEL_PACKET_MISMATCH: {
    meaning: "A channel carries another packet, or another version of it, than the program expects.",
    remedy: "Rebuild, so that all threads run the same version; attach with the channel's own packet type.",
    httpStatus: 500,
  },
  FLY_CHANNEL_PORTS_EXHAUSTED: {
    meaning: "All ports of a channel are taken.",
    remedy: "Create the channel with more ports, close unused ones, or reclaim those of threads that died.",
    httpStatus: 500,
  },
  FLY_CHANNEL_BORROW_LIMIT: {
    meaning: "A get-port was asked for a packet while it holds as many as it may.",
    remedy: "Release a packet before receiving the next, or create the channel with more borrows.",
    httpStatus: 500,
  },
  FLY_CHANNEL_PORT_MISUSE: {
    meaning: "A port was used in a way that its state does not allow.",
    remedy: "Reserve before publishing, release only packets that are held, and leave closed ports alone.",
    httpStatus: 500,
  },
  FLY_CHANNEL_SYNC_GROUP: {
    meaning: "A sync group cannot be made of these ports.",
    remedy:
      "Create all their channels with the same sync table, give it enough groups, and add a port to one group only.",
    httpStatus: 500,
  },
  FLY_SOLVER_OPTION_INVALID: {
    meaning: "An option of the nonlinear solver is outside its range.",
    remedy: "Give a positive, finite number for the option named.",
    httpStatus: 500,
  },
  FLY_SOLVER_SHAPE_MISMATCH: {
    meaning: "A solver was given a problem or a warm start of another shape than it was made for.",
    remedy: "Make one solver for each number of unknowns and constraints.",
    httpStatus: 500,
  },
  FLY_SOLVER_EXHAUSTED: {
    meaning: "The NLopt back end has used up the memory of its WebAssembly instance.",
    remedy: "Recycle the worker before the back end says it is exhausted.",
    httpStatus: 500,
  },
  FLY_SERVICE_TOKEN_REQUIRED: {
    meaning: "The service was asked to listen on a network address without a token.",
    remedy: "Set service.token (--token), or listen on 127.0.0.1.",
    httpStatus: 500,
  },
  FLY_SERVICE_ADDRESS_UNAVAILABLE: {
    meaning: "The service cannot listen on the address it was asked to.",
    remedy: "Choose another host or port, or end the program that holds it.",
    httpStatus: 500,
  },
  FLY_ROBOT_BROKEN: {
    meaning: "A robot that the service offers has files that cannot be used.",
    remedy: "Run `flycatcher robot check` on it.",
    httpStatus: 500,
  },
  FLY_ROBOT_ADDRESS_UNAVAILABLE: {
    meaning: "The simulated robot cannot listen on the UDP address it was given.",
    remedy: "Choose another port; 0 lets the system choose.",
    httpStatus: 500,
  },
  FLY_ROBOT_UNREACHABLE: {
    meaning: "No robot answers at the UDP address given, or another one than the one configured.",
    remedy: "Start the robot, or `flycatcher robot-sim`, and name its address and robot.",
    httpStatus: 503,
  },
  FLY_SERVICE_NOT_READY: {
    meaning: "The service lives but cannot do its work yet.",
    remedy: "Wait and ask again; the detail says which component is missing.",
    httpStatus: 503,
  },
  FLY_SERVICE_CLOSING: {
    meaning: "The service is shutting down and takes no new requests.",
    remedy: "Ask again when it is back.",
    httpStatus: 503,
  },
  FLY_HTTP_ROUTE_UNKNOWN: {
    meaning: "There is nothing at the address that was asked for.",
    remedy: "See /docs for what there is.",
    httpStatus: 404,
  },
  FLY_HTTP_METHOD_NOT_ALLOWED: {
    meaning: "The address exists but does not answer this method.",
    remedy: "Use a method of the Allow header.",
    httpStatus: 405,
  },
  FLY_HTTP_REQUEST_INVALID: {
    meaning: "The request does not follow the schema of its route.",
    remedy: "Correct the fields in `errors`; /docs shows the schema.",
    httpStatus: 400,
  },
  FLY_HTTP_BODY_TOO_LARGE: {
    meaning: "The request body is longer than the service accepts.",
    remedy: "Send less at once, or raise service.bodyLimitBytes.",
    httpStatus: 413,
  },
  FLY_HTTP_BODY_TOO_DEEP: {
    meaning: "The objects and lists of the request body nest too deeply.",
    remedy: "Send flatter JSON, or raise service.jsonDepthLimit.",
    httpStatus: 400,
  },
  FLY_HTTP_MEDIA_TYPE: {
    meaning: "The request body is of a type the service does not read.",
    remedy: "Send JSON with content-type: application/json.",
    httpStatus: 415,
  },
  FLY_HTTP_TOKEN_WRONG: {
    meaning: "The request carries no token, or a wrong one.",
    remedy: "Send the header Authorization: Bearer followed by the token.",
    httpStatus: 401,
  },
  FLY_HTTP_ORIGIN_REFUSED: {
    meaning: "A page of another origin may not change anything here, nor listen to a stream.",
    remedy: "Open Flycatcher's own page, or send the request from a program instead of a foreign page.",
    httpStatus: 403,
  },
  FLY_HTTP_HOST_REFUSED: {
    meaning: "A service without a token was addressed by a name that is not this machine.",
    remedy: "Use localhost or 127.0.0.1 in the address, or run the service with a token.",
    httpStatus: 421,
  },
  FLY_HTTP_MALFORMED: {
    meaning: "The request is not valid HTTP.",
    remedy: "Correct the client.",
    httpStatus: 400,
  },
  FLY_HTTP_HEADERS_TOO_LARGE: {
    meaning: "The headers of the request are too long.",
    remedy: "Send shorter headers.",
    httpStatus: 431,
  },
  FLY_HTTP_REQUEST_TIMEOUT: {
    meaning: "The client took too long to send the request.",
    remedy: "Send it faster, or raise service.requestTimeoutMs.",
    httpStatus: 408,
  },
  FLY_PLAN_GROUP_UNKNOWN: {
    meaning: "The robot has no catching arm of that name.",
    remedy: "Use `any` or one of the groups that `GET /v1/robots/:name` lists with a hand.",
    httpStatus: 400,
  },
  FLY_PLAN_LIMITS_MISSING: {
    meaning: "A joint of the arm has no limit of speed or acceleration, so no motion can be planned for it.",
    remedy: "Give the limits in the URDF and in the sidecar; `flycatcher robot check` lists what is missing.",
    httpStatus: 400,
  },
  FLY_PLAN_REQUEST_INVALID: {
    meaning: "A planning request does not follow its schema.",
    remedy: "Correct the fields named; `flycatcher plan --example` prints a request that is right.",
    httpStatus: 400,
  },
  FLY_PLAN_BALL_AMBIGUOUS: {
    meaning: "A planning request gives the ball both as a state and as samples, or as neither.",
    remedy: "Give exactly one of ball.state and ball.samples.",
    httpStatus: 400,
  },
  FLY_PLAN_BALL_UNDER_FLOOR: {
    meaning: "The ball is said to be under the floor, which lies at z = 0 of the world.",
    remedy: "Check the ball's frame and position.",
    httpStatus: 400,
  },
  FLY_PLAN_BALL_UNFLYABLE: {
    meaning: "No ball flies like that: it would be faster than the air lets it be.",
    remedy: "Check the ball's velocity [m/s] and drag [1/m].",
    httpStatus: 400,
  },
  FLY_PLAN_COVARIANCE: {
    meaning: "The ball's covariance is not symmetric and positive definite.",
    remedy: "Give the 6 × 6 covariance of position and velocity, in m and m/s, with every variance above zero.",
    httpStatus: 400,
  },
  FLY_PLAN_SAMPLES: {
    meaning: "No flight can be fitted to the ball's samples.",
    remedy: "Give three samples or more, in ascending order of time, over a tenth of a second or so.",
    httpStatus: 400,
  },
  FLY_PLAN_FRAME_UNKNOWN: {
    meaning: "The robot has no link that plays the role of the frame asked for.",
    remedy: "Use `world` or `group`, or name the link in `frames` of the robot's sidecar.",
    httpStatus: 400,
  },
  FLY_PLAN_POSTURE_UNKNOWN: {
    meaning: "The robot has no posture of that name.",
    remedy: "Use one of the postures that `GET /v1/robots/:name` lists.",
    httpStatus: 400,
  },
  FLY_PLAN_JOINT_UNKNOWN: {
    meaning: "The robot has no independent joint of that name.",
    remedy: "Use the joint names that `GET /v1/robots/:name` lists; coupled joints follow by themselves.",
    httpStatus: 400,
  },
  FLY_PLAN_JOINT_COUNT: {
    meaning: "A list of joint values has neither the length of the group nor that of the whole robot.",
    remedy: "Give one value per joint of the group or of the robot, or values by joint name.",
    httpStatus: 400,
  },
  FLY_PLAN_START_OUTSIDE_LIMITS: {
    meaning: "A joint is said to start outside its limits.",
    remedy: "Check the start position; `flycatcher robot show` prints the limits.",
    httpStatus: 400,
  },
  FLY_PLAN_BASE_MOVES: {
    meaning: "A joint below the arm's base is said to move at the start, but the arm is planned on a base that stands.",
    remedy: "Plan from where torso and base stand still or, if the robot has a body rule, with `body` set to `rule`.",
    httpStatus: 400,
  },
  FLY_PLAN_TIMES: {
    meaning: "The earliest catch is later than the latest.",
    remedy: "Make catchTime.earliest at most catchTime.latest.",
    httpStatus: 400,
  },
  FLY_PLAN_KEEP_OUT: {
    meaning: "A keep-out shape of a planning request is of no size or stands in a frame that the robot does not have.",
    remedy: "Correct the shape at the path given; docs/api.md shows one of each kind.",
    httpStatus: 400,
  },
  FLY_LIMITER_LIMITS: {
    meaning: "A joint that is to follow targets has no sound limits of position, speed or acceleration.",
    remedy: "Give the joint's limits in the URDF and in the sidecar; `flycatcher robot check` lists what is missing.",
    httpStatus: 500,
  },
  FLY_NECK_UNSUPPORTED: {
    meaning:
      "The robot has no neck that can point its cameras: two revolute joints between chest and head, and a camera.",
    remedy: "Name the group of kind `neck` and the cameras in the sidecar, or do without a neck.",
    httpStatus: 500,
  },
  FLY_PLAN_SOLVER_NOT_LOADED: {
    meaning: "A planner was asked to plan with NLopt before it had made itself ready for the request.",
    remedy: "Call `await planner.prepare(request)` first.",
    httpStatus: 500,
  },
  FLY_PLAN_OVERLOADED: {
    meaning: "As many planning requests wait as may.",
    remedy: "Ask again after the time of the Retry-After header, or raise service.maxQueue.",
    httpStatus: 503,
  },
  FLY_PLAN_CANCELLED: {
    meaning: "The client went away before its plan was made.",
    remedy: "Ask again.",
    httpStatus: 499,
  },
  FLY_POOL_ARM_UNKNOWN: {
    meaning: "A job for a planner names an arm that the planner was not given.",
    remedy: "Name one of the planner's `arms` by its index.",
    httpStatus: 500,
  },
  FLY_POOL_OPTION_INVALID: {
    meaning: "A planner pool cannot be made with this option.",
    remedy: "Give the option a value of the kind that was expected.",
    httpStatus: 500,
  },
  FLY_POOL_CLOSED: {
    meaning: "A planner was asked after it had been closed.",
    remedy: "Close a planner after its last question.",
    httpStatus: 503,
  },
  FLY_POOL_JOB_FAILED: {
    meaning: "Several planner workers died or got stuck over one job, or none could be started.",
    remedy: "Report it with the log around it and the request; it is a bug.",
    httpStatus: 500,
  },
  FLY_TRACKER_OPTIONS: {
    meaning: "An option or size of the ball tracker is outside its range.",
    remedy: "Choose the value within the range given.",
    httpStatus: 400,
  },
  FLY_THROW_IMPOSSIBLE: {
    meaning: "No throw brings a ball from its release to its aim in the time asked for.",
    remedy: "Give a shorter distance, a longer flight time or less drag.",
    httpStatus: 400,
  },
  FLY_CAMERA_INTRINSICS: {
    meaning:
      "A camera's size, focal length, principal point or distortion is not a number of the kind its place asks for.",
    remedy: "Correct the number named, or calibrate the camera anew.",
    httpStatus: 422,
  },
  FLY_CAMERA_BALL_RADIUS: {
    meaning: "The outline of a ball without a positive radius was asked for.",
    remedy: "Give the ball's radius in metres.",
    httpStatus: 422,
  },
  FLY_WORLD_MODEL: {
    meaning: "MuJoCo cannot make a world of this robot.",
    remedy: "Check masses and inertias in the robot's URDF with `flycatcher robot check`.",
    httpStatus: 422,
  },
  FLY_WORLD_REQUEST: {
    meaning: "The simulated world was asked for something it does not have.",
    remedy: "Ask for a ball or a link the world was made with.",
    httpStatus: 400,
  },
  FLY_WORLD_DIVERGED: {
    meaning: "The simulated world came to a state that is not a number.",
    remedy:
      "Report it with the robot and the seed; it is a bug, or the robot's servos are too stiff for the time step.",
    httpStatus: 500,
  },
  FLY_SENSOR_MISSING: {
    meaning: "The robot lacks a sensor or a frame that this part of the pipeline needs.",
    remedy: "Add it to the robot's sidecar, or leave the part out.",
    httpStatus: 422,
  },
  FLY_LIVE_OPTION: {
    meaning: "An option of the live demo has a value it does not know.",
    remedy: "See `flycatcher live --help`.",
    httpStatus: 400,
  },
  FLY_LIVE_NONE: {
    meaning: "The service runs without a live demo, so there is nothing to watch or to steer.",
    remedy: "Start it with `npm start` or `flycatcher live`.",
    httpStatus: 404,
  },
  FLY_LIVE_STARTING: {
    meaning: "The live run is being started: the robot's process comes up, and all parts practise.",
    remedy: "Ask again in a few seconds.",
    httpStatus: 503,
  },
  FLY_LIVE_CONTROL: {
    meaning: "The live run cannot do this now, or not in this kind of run.",
    remedy: "`controls` in the run's facts says what can be done; pausing and stepping need `--lockstep`.",
    httpStatus: 409,
  },
  FLY_LIVE_THROW: {
    meaning: "The ball asked for cannot be thrown.",
    remedy: "Ask for fewer balls, a preset of the run's facts, or a launch within the room.",
    httpStatus: 400,
  },
  FLY_LIVE_UNAVAILABLE: {
    meaning: "The live demo cannot run this way in real time.",
    remedy: "Choose `--perception images` or `truth`, or add `--lockstep`.",
    httpStatus: 400,
  },
  FLY_LIVE_POSTURE_MISSING: {
    meaning: "The robot has no posture `ready` to catch from.",
    remedy: "Add the posture `ready` to the robot's sidecar.",
    httpStatus: 422,
  },
  FLY_CALIBRATION_PARAMETER: {
    meaning: "A calibration was asked to free, fix or weigh a parameter that there is not, or not in this way.",
    remedy: "Name a parameter or a family of them from the list; a prior is a standard deviation above zero.",
    httpStatus: 400,
  },
  FLY_CALIBRATION_DATA_MISSING: {
    meaning: "A recording for calibration lacks a sensor, or has far too little of it.",
    remedy: "Check that the sensor named was on and the marker in its view, and record again.",
    httpStatus: 422,
  },
  FLY_CALIBRATION_DATA_INVALID: {
    meaning:
      "A recording for calibration contains what no sensor measures: NaN, stamps that run backwards, a long gap.",
    remedy: "Check the driver of the sensor named, and record again.",
    httpStatus: 422,
  },
  FLY_CALIBRATION_CAMERAS_SWAPPED: {
    meaning: "The left and the right camera's data fit the robot only when they are exchanged.",
    remedy: "Exchange the cameras' cables or names, and record again.",
    httpStatus: 422,
  },
  FLY_CALIBRATION_UNOBSERVABLE: {
    meaning: "The data does not determine some of the parameters asked for; the message names them.",
    remedy: "Record more arm configurations and sweep the head further, or hold one of the parameters named.",
    httpStatus: 422,
  },
  FLY_CALIBRATION_UNTRUSTED: {
    meaning: "A calibration was computed but is not to be trusted, so nothing was written.",
    remedy: "Look at the report: residuals, rejected detections and changes say what the robot did not do as modelled.",
    httpStatus: 422,
  },
  FLY_CALIBRATION_CONFIGURATIONS: {
    meaning: "Too few arm configurations were found that the head can see and the arm can reach without contact.",
    remedy: "Check joint limits, marker positions and collision bodies in the robot's sidecar.",
    httpStatus: 422,
  },
  FLY_CALIBRATION_BUSY: {
    meaning: "A calibration is running, and there is one at a time.",
    remedy: "Wait until it is done.",
    httpStatus: 409,
  },
  FLY_CALIBRATION_UNKNOWN: {
    meaning: "There is no calibration of this name, or it has no report.",
    remedy: "Start one, and ask where the answer says; only the last ones are remembered.",
    httpStatus: 404,
  },
  FLY_KERNELS_MISSING: {
    meaning: "WebAssembly kernels, of the circle detector or the renderer, are not in dist/.",
    remedy: "Run `npm run build`, which compiles them.",
    httpStatus: 500,
  },
  FLY_CIRCLES_OPTION_INVALID: {
    meaning: "A circle detector cannot be made with this option.",
    remedy: "Give the option a value of the kind that was expected.",
    httpStatus: 500,
  },
  FLY_RECORDING_EMPTY: {
    meaning: "A recording is a file without a single byte.",
    remedy: "Check that it is the file you meant; a recorder that was killed at once leaves one.",
    httpStatus: 422,
  },
  FLY_RECORDING_NOT_MCAP: {
    meaning: "A file that should be a recording is not MCAP.",
    remedy: "Give a file that `flycatcher record` or `flycatcher import` wrote.",
    httpStatus: 422,
  },
  FLY_RECORDING_FOREIGN: {
    meaning: "A file is MCAP but was not recorded by Flycatcher.",
    remedy: "Export its trajectories to CSV or JSON and use `flycatcher import`.",
    httpStatus: 422,
  },
  FLY_RECORDING_TRUNCATED: {
    meaning: "A recording breaks off before the first thing that could be read.",
    remedy: "Get the whole file; there is nothing in this one.",
    httpStatus: 422,
  },
  FLY_RECORDING_DAMAGED: {
    meaning: "A recording is damaged where it says what was recorded.",
    remedy: "Get an undamaged copy; without its beginning it cannot be replayed.",
    httpStatus: 422,
  },
  FLY_RECORDING_VERSION: {
    meaning: "A recording is of a newer format than this Flycatcher knows.",
    remedy: "Use the version of Flycatcher that the message names, or a later one.",
    httpStatus: 422,
  },
  FLY_RECORDING_ITEM: {
    meaning: "Something was to be recorded that has no place in a recording.",
    remedy: "Give what the schema of the topic allows, with a time that is not negative.",
    httpStatus: 500,
  },
  FLY_RECORDING_UNWRITABLE: {
    meaning: "A recording cannot be written on, for lack of room or because it is closed.",
    remedy: "Make room; what was written before can be read up to its last complete chunk.",
    httpStatus: 507,
  },
  FLY_IMPORT_OPTION: {
    meaning: "An option of an import is not one of those it can have.",
    remedy: "Give one of those listed.",
    httpStatus: 400,
  },
  FLY_IMPORT_COLUMN: {
    meaning: "A file to be imported has no column of the name asked for.",
    remedy: "Name the columns of time and position with the options for it.",
    httpStatus: 422,
  },
  FLY_IMPORT_LINE: {
    meaning: "A line of a file to be imported cannot be understood.",
    remedy: "Mend the line and column given; missing samples are empty fields or NaN.",
    httpStatus: 422,
  },
  FLY_IMPORT_TIME: {
    meaning: "The times in a file to be imported do not increase, or are not of this unit.",
    remedy: "Sort the file by time, and give the unit of its times.",
    httpStatus: 422,
  },
  FLY_IMPORT_NOTHING: {
    meaning: "A file to be imported has no samples.",
    remedy: "Check that it is the file you meant, and which rows and markers were asked for.",
    httpStatus: 422,
  },
  FLY_REPLAY_ROBOT: {
    meaning: "A recording of balls alone does not say which robot is to catch them.",
    remedy: "Name a robot.",
    httpStatus: 400,
  },
  FLY_REPLAY_INPUT: {
    meaning: "A recording does not hold what a replay was to see by.",
    remedy: "Leave the input to the recording, or give one that it holds.",
    httpStatus: 400,
  },
  FLY_REPLAY_TRUTH: {
    meaning: "The true flight of a ball in a recording is none that a ball can fly.",
    remedy: "Record it again; the tracker's own results need no truth.",
    httpStatus: 422,
  },
  FLY_REPLAY_OPTION: {
    meaning: "An option of a replay is not one of those it can have.",
    remedy: "Give one of those listed.",
    httpStatus: 400,
  },
  FLY_REPLAY_NOTHING: {
    meaning: "There is nothing to replay: no recording was found, or none of them could be read.",
    remedy: "Give the paths of recordings, or of a folder that holds some.",
    httpStatus: 400,
  },
  FLY_REPLAY_FAILED: {
    meaning: "A replay broke off.",
    remedy: "See the cause given; if it names none, report it with the recording.",
    httpStatus: 500,
  },
  FLY_COMPARE_INPUT: {
    meaning: "What is to be compared is neither a replay's JSON nor a recording, or has no throw in common.",
    remedy: "Make both with `flycatcher replay --json` on the same recordings.",
    httpStatus: 400,
  },
  FLY_UPLOAD_TOO_LARGE: {
    meaning: "A recording is larger than this service takes.",
    remedy: "Record detections instead of images, or raise `service.uploadLimitBytes`.",
    httpStatus: 413,
  },
  FLY_UPLOADS_FULL: {
    meaning: "The service keeps as many uploaded recordings as it is allowed to.",
    remedy: "Delete one, or raise `service.maxUploads`.",
    httpStatus: 507,
  },
  FLY_UPLOAD_UNKNOWN: {
    meaning: "There is no recording of this identity.",
    remedy: "List the recordings to see which there are.",
    httpStatus: 404,
  },
  FLY_REPLAY_UNKNOWN: {
    meaning: "There is no replay of this identity, or it was forgotten.",
    remedy: "Start it again.",
    httpStatus: 404,
  },
  FLY_REPLAY_UNFINISHED: {
    meaning: "The report of a replay was asked for before the replay was done.",
    remedy: "Follow its events and ask again when it is done.",
    httpStatus: 409,
  },
  FLY_REPLAYS_BUSY: {
    meaning: "As many replays are running as this service allows.",
    remedy: "Wait for one to end.",
    httpStatus: 429,
  },
} as const satisfies Record<string, ErrorEntry>;

export interface ErrorEntry {
  /** One sentence: what happened. */
  readonly meaning: string;
  /** One sentence: what the user can do. */
  readonly remedy: string;
  readonly httpStatus: number;
}

export type ErrorCode = keyof typeof errorCatalogue;
