/** What a code means, what to do about it, and the HTTP status it maps to. */
export interface ErrorEntry {
  /** One sentence: what happened. */
  readonly meaning: string;
  /** One sentence: what the user can do. */
  readonly remedy: string;
  readonly httpStatus: number;
}

/** The errors of one HTTP status, each given by its meaning and its remedy. */
function withStatus<Code extends string>(
  httpStatus: number,
  errors: Readonly<Record<Code, readonly [meaning: string, remedy: string]>>,
): Readonly<Record<Code, ErrorEntry>> {
  const entries = Object.entries<readonly [string, string]>(errors);
  return Object.fromEntries(
    entries.map(([code, [meaning, remedy]]) => [code, { meaning, remedy, httpStatus }]),
  ) as Record<Code, ErrorEntry>;
}

/**
 * Every error a user can meet, in one place, by the HTTP status it maps to. `docs/errors.md` is generated from this
 * table and a test keeps the two equal.
 */
export const errorCatalogue = {
  ...withStatus(400, {
    FLY_JSON_MALFORMED: [
      "A file or request body that should be JSON is not.",
      "Correct the JSON at the position given.",
    ],
    FLY_HTTP_REQUEST_INVALID: [
      "The request does not follow the schema of its route.",
      "Correct the fields in `errors`; /docs shows the schema.",
    ],
    FLY_HTTP_BODY_TOO_DEEP: [
      "The objects and lists of the request body nest too deeply.",
      "Send flatter JSON, or raise service.jsonDepthLimit.",
    ],
    FLY_HTTP_MALFORMED: ["The request is not valid HTTP.", "Correct the client."],
    FLY_LINK_UNKNOWN: ["The robot has no link of that name.", "`flycatcher robot show` prints the tree of links."],
    FLY_POSTURE_GOAL: [
      "It is not clear where the tip of an arm is to be or to point.",
      "Give a position, and a direction or an orientation, each with all its numbers.",
    ],
    FLY_POSTURE_UNREACHABLE: [
      "No posture of the arm has its tip there, facing that way and clear of the robot.",
      "Choose a place nearer to the arm or another direction, or try more seeds.",
    ],
    FLY_PLAN_GROUP_UNKNOWN: [
      "The robot has no catching arm of that name.",
      "Use `any` or one of the groups that `GET /v1/robots/:name` lists with a hand.",
    ],
    FLY_PLAN_LIMITS_MISSING: [
      "A joint of the arm has no limit of speed or acceleration, so no motion can be planned for it.",
      "Give the limits in the URDF and in the sidecar; `flycatcher robot check` lists what is missing.",
    ],
    FLY_PLAN_REQUEST_INVALID: [
      "A planning request does not follow its schema.",
      "Correct the fields named; `flycatcher plan --example` prints a valid request.",
    ],
    FLY_PLAN_BALL_AMBIGUOUS: [
      "A planning request gives the ball both as a state and as samples, or as neither.",
      "Give exactly one of ball.state and ball.samples.",
    ],
    FLY_PLAN_BALL_UNDER_FLOOR: [
      "The ball is below the floor, which is at z = 0 of the world.",
      "Check the ball's frame and position.",
    ],
    FLY_PLAN_BALL_UNFLYABLE: [
      "The ball's flight is impossible: drag would stop it at once.",
      "Check the ball's velocity [m/s] and drag [1/m].",
    ],
    FLY_PLAN_COVARIANCE: [
      "The ball's covariance is not symmetric and positive definite.",
      "Give the 6 × 6 covariance of position and velocity, in m and m/s, with every variance above zero.",
    ],
    FLY_PLAN_SAMPLES: [
      "No flight can be fitted to the ball's samples.",
      "Give three samples or more, in ascending order of time, over about a tenth of a second.",
    ],
    FLY_PLAN_FRAME_UNKNOWN: [
      "The robot has no link for the requested frame.",
      "Use `world` or `group`, or name the link in `frames` of the robot's sidecar.",
    ],
    FLY_PLAN_POSTURE_UNKNOWN: [
      "The robot has no posture of that name.",
      "Use one of the postures that `GET /v1/robots/:name` lists.",
    ],
    FLY_PLAN_JOINT_UNKNOWN: [
      "The robot has no independent joint of that name.",
      "Use the joint names that `GET /v1/robots/:name` lists; coupled joints follow by themselves.",
    ],
    FLY_PLAN_JOINT_COUNT: [
      "A list of joint values has neither the length of the group nor that of the whole robot.",
      "Give one value per joint of the group or of the robot, or values by joint name.",
    ],
    FLY_MOTION_INVALID: [
      "A motion in closed form is not one.",
      "Give each joint pieces in ascending order of time, with up to six finite coefficients each.",
    ],
    FLY_PLAN_JERK: [
      "The jerk of a catch cannot be limited as asked.",
      "Give a number [rad/s³], or limits of jerk in URDF or sidecar; leave `body` at `none`.",
    ],
    FLY_PLAN_START_OUTSIDE_LIMITS: [
      "A joint starts outside its limits.",
      "Check the start position; `flycatcher robot show` prints the limits.",
    ],
    FLY_PLAN_BASE_MOVES: [
      "A joint below the arm's base moves at the start, but the arm is planned on a standing base.",
      "Plan from where torso and base stand still or, if the robot has a body rule, with `body` set to `rule`.",
    ],
    FLY_PLAN_TIMES: [
      "The times of a request contradict one another, as an earliest catch later than the latest does.",
      "Make the earliest at most the latest; give a motion either `at` or a window.",
    ],
    FLY_MOTION_GROUP_UNKNOWN: [
      "The robot has no group of joints of that name.",
      "Use the groups that `GET /v1/robots/:name` lists.",
    ],
    FLY_MOTION_GOAL_INVALID: [
      "The goal of a motion says too little, too much, or what cannot be.",
      "Give joints, posture, position or course, and an orientation with what of it is free; docs/motions.md shows each.",
    ],
    FLY_MOTION_GOAL_OUTSIDE_LIMITS: [
      "A joint would be outside its limits at the goal.",
      "Correct the goal's joints; `flycatcher robot show` prints the limits.",
    ],
    FLY_MOTION_GOAL_COLLIDES: [
      "At the goal of a motion two bodies touch: the robot itself, or the robot and an obstacle.",
      "Move the goal or the obstacle, or list the body under the obstacle's `ignore`.",
    ],
    FLY_MOTION_START_COLLIDES: [
      "At the start of a motion two bodies touch: the robot itself, or the robot and an obstacle.",
      "Correct the start or the obstacle, or list the body under the obstacle's `ignore`.",
    ],
    FLY_MOTION_TIME_PAST: [
      "A motion would have to arrive before it begins.",
      "Count `when` from the start of the motion, which is 0.",
    ],
    FLY_MOTION_RUNNING: [
      "The running motion of a request cannot be read, or is over at the instant given.",
      "Send the `motion` of the earlier answer as it came, and an instant within its duration.",
    ],
    FLY_PLAN_KEEP_OUT: [
      "A keep-out shape of a planning request is of no size or stands in a frame that the robot does not have.",
      "Correct the shape at the path given; docs/api.md shows one of each kind.",
    ],
    FLY_DRIVER_ADDRESS: [
      "The address of a robot cannot be read.",
      "Write host:port?world=port for the UDP protocol, or ur://host?rtde=port&world=port; docs/drivers.md has all keys.",
    ],
    FLY_DRIVER_JOINTS: [
      "The drivers of a run do not drive each joint of the robot once.",
      "Give each group of joints that move one driver with as many joints; other joints must be fixed in the URDF.",
    ],
    FLY_DRIVER_MODULE: [
      "A driver's module does not export the function createDriver.",
      "Export it as docs/drivers.md shows, and name the module by its path.",
    ],
    FLY_DRIVER_UNSUITABLE: [
      "A device cannot do what the run needs of it.",
      "Use another mode of the device, or another device; docs/drivers.md lists what is needed.",
    ],
    FLY_ROBOT_MISMATCH: [
      "The robot that answers is not the one configured: its joints stand where that one's cannot.",
      "Check `--robot`, the order and zero of the joints, and the limits in the URDF.",
    ],
    FLY_BRINGUP_ROBOT: [
      "A robot cannot be brought up: it has no driver, or its folder cannot keep what is found.",
      "Name the driver by `--robot-address` or in the profile, and use a robot in a folder of your own.",
    ],
    FLY_BRINGUP_UNATTENDED: [
      "A bring-up without a person was requested for a robot that is not known to be simulated.",
      "Leave out `--yes`; it is for robots with their simulated world, as `flycatcher robot-sim` prints it.",
    ],
    FLY_BRINGUP_MOTION: [
      "Control did not take a small motion of a bring-up.",
      "Look at the events of the run: the robot may be stopped, or the machine too busy.",
    ],
    FLY_TRACKER_OPTIONS: [
      "An option or size of the ball tracker is outside its range.",
      "Choose the value within the range given.",
    ],
    FLY_THROW_IMPOSSIBLE: [
      "No throw brings a ball from its release to its aim in the requested time.",
      "Give a shorter distance, a longer flight time or less drag.",
    ],
    FLY_WORLD_REQUEST: [
      "The simulated world does not have the requested object.",
      "Use a ball or a link that the world was created with.",
    ],
    FLY_LIVE_THROW: [
      "The requested ball cannot be thrown.",
      "Ask for fewer balls, a preset of the run's facts, or a launch within the room.",
    ],
    FLY_LIVE_UNAVAILABLE: [
      "The live demo cannot run this way in real time.",
      "Choose `--perception images` or `truth`, or add `--lockstep`.",
    ],
    FLY_CALIBRATION_PARAMETER: [
      "A calibration cannot free, fix or weigh a parameter of this name, or not in this way.",
      "Name a parameter or a family of them from the list; a prior is a standard deviation above zero.",
    ],
    FLY_BALL_UNKNOWN: ["There is no ball of this name.", "Give one of those listed, or diameter and mass."],
    FLY_BALL_OPTION: ["A number that describes the ball is invalid.", "Give diameter, mass and drag above 0."],
    FLY_FLIGHT_OVERLAY: ["A file is no overlay of a flight.", "Write one with `flycatcher identify --output`."],
    FLY_IDENTIFY_FEW: [
      "There are too few flights to learn from.",
      "Record more throws, to different sides; check that `flycatcher track` confirms them.",
    ],
    FLY_IMAGE_FOLDER: [
      "A folder of images cannot be read.",
      "See docs/track.md for the files that a folder needs: rig.json, left/ and right/.",
    ],
    FLY_CONTROLLER_JOINTS: [
      "A controller's protocol drives another number of joints.",
      "Choose another protocol, or a robot that such a controller drives; docs/drivers.md lists them.",
    ],
    FLY_CAMERA: [
      "A camera's program does not send frames, or no such camera can be used in this run.",
      "See docs/cameras.md for what such a program writes.",
    ],
    FLY_VIDEO: [
      "A video cannot be read, or does not fit its cameras.",
      "See docs/track.md for videos and the file that describes their cameras.",
    ],
    FLY_VIDEO_DECODER: [
      "A video needs a decoder that is not installed.",
      "Install ffmpeg or GStreamer, or convert the video elsewhere: `ffmpeg -i x.mp4 x.y4m`.",
    ],
    FLY_IMPORT_OPTION: ["An option of an import has an invalid value.", "Give one of those listed."],
    FLY_REPLAY_ROBOT: ["A recording of balls only does not contain a robot.", "Name a robot."],
    FLY_REPLAY_INPUT: [
      "A recording does not contain the requested input of the replay.",
      "Leave the input to the recording, or choose one that it contains.",
    ],
    FLY_REPLAY_OPTION: ["An option of a replay has an invalid value.", "Give one of those listed."],
    FLY_REPLAY_NOTHING: [
      "There is nothing to replay: no recording was found, or none of them could be read.",
      "Give the paths of recordings, or of a folder that contains some.",
    ],
    FLY_COMPARE_INPUT: [
      "An input of the comparison is neither a replay's JSON nor a recording, or the two have no throw in common.",
      "Make both with `flycatcher replay --json` on the same recordings.",
    ],
  }),
  ...withStatus(401, {
    FLY_HTTP_TOKEN_WRONG: [
      "The request carries no token, or a wrong one.",
      "Send the header Authorization: Bearer followed by the token.",
    ],
  }),
  ...withStatus(403, {
    FLY_HTTP_ORIGIN_REFUSED: [
      "A page of another origin may not change anything, nor subscribe to a stream.",
      "Open Flycatcher's own page, or send the request from a program instead of a foreign page.",
    ],
  }),
  ...withStatus(404, {
    FLY_FILE_UNREADABLE: ["A requested file cannot be read.", "Check the path and its permissions."],
    FLY_ROBOT_UNKNOWN: [
      "No robot of that name is known, and no file of that name exists.",
      "`flycatcher robot list` shows the robots. `--robots <folder>` adds yours, and commands also take a path to robot.json or a .urdf file.",
    ],
    FLY_ROBOT_FOLDER: [
      "A folder of robots does not exist.",
      "Check `--robots`, the setting `robots` and the variable FLYCATCHER_ROBOTS.",
    ],
    FLY_SETUP_NO_ARM: [
      "A URDF has no arm that could carry a catcher.",
      "`flycatcher robot show my-robot.urdf` prints the tree; name the link at the arm's end with `--tip`.",
    ],
    FLY_SETUP_CATCHER: [
      "A catcher cannot be used with this robot or this ball.",
      "Choose another `--catcher`, another size, or a smaller `--ball`.",
    ],
    FLY_SETUP_EXISTS: [
      "`flycatcher robot init` would overwrite a file.",
      "Name another folder with `--out`, or give `--force` to replace the file.",
    ],
    FLY_ROBOT_NOT_UPLOADED: [
      "Only robots that were uploaded can be deleted over HTTP.",
      "Name a robot that `POST /v1/robots` has added.",
    ],
    FLY_HTTP_ROUTE_UNKNOWN: ["There is nothing at the requested address.", "See /docs for all routes."],
    FLY_LIVE_NONE: ["The service runs without a live demo.", "Start it with `npm start` or `flycatcher live`."],
    FLY_NODE_UNKNOWN: [
      "The graph of the live run has no node of this name.",
      "`flycatcher graph` and `GET /v1/live` list the nodes.",
    ],
    FLY_FIELD_UNKNOWN: [
      "A field to be plotted is no number of a message of the graph.",
      "Name it as `node.port.field`, as in `tracker.predictions.balls[0].lastSeen`; the message `graph` lists them.",
    ],
    FLY_CALIBRATION_UNKNOWN: [
      "There is no calibration of this name, or it has no report.",
      "Start one, and query the address in the answer; only the last ones are kept.",
    ],
    FLY_UPLOAD_UNKNOWN: ["There is no recording of this identity.", "List the recordings to see which there are."],
    FLY_REPLAY_UNKNOWN: ["There is no replay of this identity, or it was deleted.", "Start it again."],
  }),
  ...withStatus(405, {
    FLY_HTTP_METHOD_NOT_ALLOWED: [
      "The address exists but does not answer this method.",
      "Use a method of the Allow header.",
    ],
  }),
  ...withStatus(408, {
    FLY_HTTP_REQUEST_TIMEOUT: [
      "The client took too long to send the request.",
      "Send it faster, or raise service.requestTimeoutMs.",
    ],
  }),
  ...withStatus(409, {
    FLY_ROBOT_EXISTS: [
      "There is a robot of that name already.",
      "Choose another name; a robot that was uploaded can be deleted first.",
    ],
    FLY_SPEED_OF_REAL_ROBOT: [
      "A run with a real robot was asked for at another speed than 1.",
      "Leave out `--speed`, or give 1. Only simulated robots can be slowed down.",
    ],
    FLY_LIVE_CONTROL: [
      "The live run cannot do this now, or not in this kind of run.",
      "`controls` in the run's facts says what can be done; pausing and stepping need `--lockstep`.",
    ],
    FLY_NODE_CONTROL: [
      "A node cannot be stopped or started by hand now.",
      "Control, the robot's link and the world are never stopped; catching only while the robot waits for balls.",
    ],
    FLY_TRACE_BUSY: ["A trace is being taken, and there is one at a time.", "Ask again when it is done."],
    FLY_CALIBRATION_BUSY: ["A calibration is running, and only one can run at a time.", "Wait until it is done."],
    FLY_REPLAY_UNFINISHED: [
      "The report of a replay is not available before the replay is done.",
      "Follow its events and ask again when it is done.",
    ],
  }),
  ...withStatus(413, {
    FLY_FILE_TOO_LARGE: [
      "A file is far larger than a file of its kind can be.",
      "Check that it is the file you meant.",
    ],
    FLY_URDF_TOO_LARGE: [
      "A URDF is too long, too deeply nested or has too many links.",
      "Check that it is the file you meant; leave meshes in files of their own.",
    ],
    FLY_HTTP_BODY_TOO_LARGE: [
      "The request body is longer than the service accepts.",
      "Send less at once, or raise service.bodyLimitBytes.",
    ],
    FLY_UPLOAD_TOO_LARGE: [
      "A recording is larger than this service accepts.",
      "Record detections instead of images, or raise `service.uploadLimitBytes`.",
    ],
  }),
  ...withStatus(415, {
    FLY_HTTP_MEDIA_TYPE: [
      "The request body is of a type the service does not read.",
      "Send JSON with content-type: application/json.",
    ],
  }),
  ...withStatus(421, {
    FLY_HTTP_HOST_REFUSED: [
      "A service without a token was addressed by a name that is not this machine.",
      "Use localhost or 127.0.0.1 in the address, or run the service with a token.",
    ],
  }),
  ...withStatus(422, {
    FLY_COLOUR_UNCLEAR: [
      "Marked images do not tell the ball from its background by colour.",
      "Mark the middle of the ball, in one or more images in which it stands before the background.",
    ],
    FLY_URDF_MALFORMED: ["A URDF is not well-formed XML.", "Correct the XML at the line and column given."],
    FLY_URDF_DOCTYPE: [
      "A URDF has a document type declaration, which Flycatcher does not process.",
      "Remove the <!DOCTYPE …> and write entities out.",
    ],
    FLY_URDF_NOT_A_ROBOT: [
      "The outermost element of a URDF is not <robot>.",
      "Give the expanded URDF; xacro files must be expanded and SDF files converted first.",
    ],
    FLY_URDF_MISSING: ["An element or attribute that URDF requires is missing.", "Add it to the element named."],
    FLY_URDF_DUPLICATE: ["Two links or two joints of a URDF have the same name.", "Rename or remove one of them."],
    FLY_URDF_NUMBER: [
      "A number in a URDF is not a finite decimal number, or out of range.",
      "Correct the attribute named.",
    ],
    FLY_URDF_ATTRIBUTE: [
      "An attribute of a URDF says where something is or how it moves, in a way that Flycatcher does not understand.",
      "Use xyz with rpy or quat_xyzw in <origin>, xyz in <axis>, joint, multiplier and offset in <mimic>, and version 1.0, 1.1 or 1.2.",
    ],
    FLY_URDF_JOINT_TYPE: [
      "A joint of a URDF has an unknown type.",
      "Use revolute, continuous, prismatic, fixed, planar, floating or spherical.",
    ],
    FLY_URDF_AXIS: ["The axis of a joint of a URDF is zero.", "Give the axis a direction."],
    FLY_URDF_LINK_UNKNOWN: [
      "A joint of a URDF names a parent or child link that does not exist.",
      "Correct the name or add the link.",
    ],
    FLY_URDF_NO_LINK: ["A URDF has no link.", "Add at least one <link>."],
    FLY_URDF_TWO_PARENTS: [
      "A link of a URDF is the child of two joints.",
      "Make the robot a tree: each link hangs on one joint.",
    ],
    FLY_URDF_TWO_ROOTS: ["A URDF has more than one link that hangs on no joint.", "Join all links into one tree."],
    FLY_URDF_LOOP: ["Links of a URDF form a cycle.", "Cut the loop; a coupling in the sidecar can replace it."],
    FLY_URDF_MIMIC: [
      "A joint of a URDF mimics a joint that it cannot follow.",
      "Let it mimic a movable single-axis joint that does not depend on it.",
    ],
    FLY_XACRO_INVALID: [
      "A xacro file cannot be expanded: an expression, a macro, an argument or an include is not what xacro allows.",
      "Correct the element named; Python expressions beyond arithmetic, texts, lists and dictionaries are not evaluated.",
    ],
    FLY_XACRO_TOO_LARGE: [
      "A xacro file expands to more elements than a robot can have, or without end.",
      "Check the conditions of macros that call themselves.",
    ],
    FLY_ROBOT_FILE_MISSING: [
      "A mesh, include or YAML file that a robot names is not there, or is no plain file.",
      "Correct the reference, or give the folder of its ROS package with --packages.",
    ],
    FLY_ROBOT_FILE_OUTSIDE: [
      "A robot names a file outside its own folder and outside the package folders given.",
      "Copy the file into the robot's folder, or give its folder with --packages.",
    ],
    FLY_MESH_INVALID: [
      "A mesh file is damaged, empty, or of a kind that is not read.",
      "Use STL, OBJ, DAE or GLB with plain triangles; export it again without compression.",
    ],
    FLY_MJCF_INVALID: [
      "MuJoCo cannot compile an MJCF file, or the model has no counterpart in URDF.",
      "Correct what the message names.",
    ],
    FLY_SIDECAR_INVALID: [
      "A robot's sidecar (robot.json) does not follow its schema.",
      "Correct the field at the path given; docs/robots.md lists them all.",
    ],
    FLY_SIDECAR_REFERENCE: [
      "A robot's sidecar names a link, joint, group or other part that does not exist.",
      "Correct the name at the path given; `flycatcher robot show` prints those there are.",
    ],
    FLY_SIDECAR_INCONSISTENT: [
      "Values in a robot's sidecar contradict one another or the URDF.",
      "Correct the field at the path given.",
    ],
    FLY_SIDECAR_COUPLING: [
      "A coupling in a robot's sidecar is circular, of a fixed joint, or of a joint that is dependent already.",
      "Let each dependent joint follow movable joints that do not depend on it, once.",
    ],
    FLY_OVERLAY_INVALID: [
      "A calibration or truth overlay does not follow its schema.",
      "Correct the field at the path given, or calibrate again.",
    ],
    FLY_OVERLAY_REFERENCE: [
      "A calibration or truth overlay names a joint, link, camera or marker the robot does not have.",
      "Use an overlay made for this robot, or calibrate again.",
    ],
    FLY_CLEARANCE_UNSUPPORTED: [
      "A collision body moves with an arm in a way that the arm's chain of joints does not show.",
      "Fix the body named to a link of the arm, or leave it out of the sidecar's pairs.",
    ],
    FLY_OBSTACLE_INVALID: [
      "A static obstacle has a wrong shape, a name used twice, or names a body that the robot does not have.",
      "Correct the obstacle named; docs/safety.md describes the shapes.",
    ],
    FLY_MONITOR_INVALID: [
      "The self-collision monitor cannot guard this robot, or not with these settings.",
      "Give the robot collision hulls in its sidecar, and the monitor settings in the ranges named.",
    ],
    FLY_MESSAGE_JSON: [
      "JSON that should be a message does not follow the message's schema.",
      "Correct the field named.",
    ],
    FLY_CAMERA_INTRINSICS: [
      "A camera's size, focal length, principal point or distortion is not a valid number.",
      "Correct the number named, or calibrate the camera again.",
    ],
    FLY_CAMERA_BALL_RADIUS: ["The outline of a ball needs a positive radius.", "Give the ball's radius in metres."],
    FLY_WORLD_MODEL: [
      "MuJoCo cannot make a world of this robot.",
      "Check masses and inertias in the robot's URDF with `flycatcher robot check`.",
    ],
    FLY_SENSOR_MISSING: [
      "The robot lacks a sensor or a frame that this part of the pipeline needs.",
      "Add it to the robot's sidecar, or disable the part.",
    ],
    FLY_LIVE_POSTURE_MISSING: [
      "The robot has no posture `ready` to catch from.",
      "Add the posture `ready` to the robot's sidecar.",
    ],
    FLY_CALIBRATION_DATA_MISSING: [
      "A recording for calibration lacks a sensor, or has far too little of its data.",
      "Check that the sensor named was on and saw the marker, and record again.",
    ],
    FLY_CALIBRATION_DATA_INVALID: [
      "A recording for calibration contains what no sensor measures: NaN, stamps that run backwards, a long gap.",
      "Check the driver of the sensor named, and record again.",
    ],
    FLY_CALIBRATION_CAMERAS_SWAPPED: [
      "The left and the right camera's data fit the robot only when they are exchanged.",
      "Exchange the cameras' cables or names, and record again.",
    ],
    FLY_CALIBRATION_UNOBSERVABLE: [
      "The data does not determine some of the parameters asked for; the message names them.",
      "Record more arm configurations and sweep the head further, or hold one of the parameters named.",
    ],
    FLY_CALIBRATION_UNTRUSTED: [
      "A calibration was computed but is not trustworthy, so nothing was written.",
      "Look at the report: residuals, rejected detections and changes show where the robot differs from its model.",
    ],
    FLY_CALIBRATION_TARGET: [
      "The printed board was not seen often or well enough to calibrate cameras by it.",
      "Show all of it in ten to thirty images, near and far, tilted up to 45°, and in every corner of the image.",
    ],
    FLY_CALIBRATION_CONFIGURATIONS: [
      "Too few arm configurations were found that the head can see and the arm can reach without contact.",
      "Check joint limits, marker positions and collision bodies in the robot's sidecar.",
    ],
    FLY_RECORDING_EMPTY: [
      "A recording is a file without a single byte.",
      "Check that it is the file you meant; a recorder that was killed at once leaves one.",
    ],
    FLY_RECORDING_NOT_MCAP: [
      "A file that should be a recording is not MCAP.",
      "Give a file that `flycatcher record` or `flycatcher import` wrote.",
    ],
    FLY_RECORDING_FOREIGN: [
      "A file is MCAP but was not recorded by Flycatcher.",
      "Export its trajectories to CSV or JSON and use `flycatcher import`.",
    ],
    FLY_RECORDING_TRUNCATED: [
      "A recording ends before its first readable item.",
      "Get the whole file; there is nothing in this one.",
    ],
    FLY_RECORDING_DAMAGED: [
      "A recording is damaged in its header.",
      "Get an undamaged copy; without its beginning it cannot be replayed.",
    ],
    FLY_RECORDING_VERSION: [
      "A recording is of a newer format than this Flycatcher knows.",
      "Use the version of Flycatcher that the message names, or a later one.",
    ],
    FLY_RECORDING_BUDGET: [
      "A recording takes more work to read than is allowed: too many channels, chunks or bytes, or too much time.",
      "Get an undamaged copy; a recording of Flycatcher stays far below these limits.",
    ],
    FLY_ROBOT_BUDGET: [
      "An uploaded robot takes more time or memory to load than is allowed.",
      "Leave out or simplify its largest meshes, or raise `service.uploadReadTimeoutMs`.",
    ],
    FLY_RECORDING_TIME: [
      "A recording has a message too long after the one before it, or it is too long in all.",
      "Replay a part of it with `--from` and `--to`, or import its throws one by one.",
    ],
    FLY_IMPORT_COLUMN: [
      "A file to be imported has no column of the requested name.",
      "Name the columns of time and position with the options for it.",
    ],
    FLY_IMPORT_LINE: [
      "A line of a file to be imported cannot be understood.",
      "Correct the line and column given; missing samples are empty fields or NaN.",
    ],
    FLY_IMPORT_TIME: [
      "The times in a file to be imported do not increase, or are not of this unit.",
      "Sort the file by time, and give the unit of its times.",
    ],
    FLY_IMPORT_NOTHING: [
      "A file to be imported has no samples.",
      "Check the file, and the requested rows and markers.",
    ],
    FLY_REPLAY_TRUTH: [
      "The true flight of a ball in a recording is not possible.",
      "Record it again; the tracker's own results need no truth.",
    ],
  }),
  ...withStatus(417, {
    FLY_HTTP_EXPECTATION: [
      "The Expect header of the request asks for something that the service does not do.",
      "Leave the header out, or expect `100-continue`.",
    ],
  }),
  ...withStatus(429, {
    FLY_REPLAYS_BUSY: ["As many replays are running as this service allows.", "Wait for one to end."],
  }),
  ...withStatus(431, {
    FLY_HTTP_HEADERS_TOO_LARGE: ["The headers of the request are too long.", "Send shorter headers."],
  }),
  ...withStatus(499, {
    FLY_UPLOAD_CANCELLED: ["The client disconnected before its upload was read.", "Upload it again."],
    FLY_PLAN_CANCELLED: ["The client disconnected before its plan was made.", "Ask again."],
  }),
  ...withStatus(500, {
    FLY_INTERNAL: ["An internal error.", "This is a bug: report it with the surrounding log."],
    FLY_GRAPH: [
      "The graph of nodes cannot run: an edge joins ports that do not fit, or leads back within a tick.",
      "Compare the edges with the nodes' ports: `flycatcher graph` prints both.",
    ],
    FLY_FILE_UNWRITABLE: ["A file cannot be written.", "Check the folder and its permissions."],
    FLY_CHAIN_INVALID: [
      "A kinematic chain names a link or dof that the robot does not have, a dof twice, or unfit positions.",
      "Take links and dofs from the robot's model, each dof once, and give one held position for every dof.",
    ],
    FLY_CHAIN_LOOSE_DOF: [
      "Between a chain's base and tip lies a dof that is neither one of the chain's own nor held.",
      "Add the dof to the chain, or give the positions at which the other dofs are held.",
    ],
    FLY_CONFIG_INVALID: [
      "The configuration has a key that does not exist or a value out of its range.",
      "Correct the keys named; docs/configuration.md lists every key with its range.",
    ],
    FLY_CONFIG_OVERRIDE_MALFORMED: [
      "A setting on the command line is not of the form section.key=value.",
      "Write it as in --set service.port=8080.",
    ],
    FLY_PROFILE_UNKNOWN: [
      "There is no profile of that name.",
      "See `flycatcher config profiles`, or give the path of your own profile file.",
    ],
    FLY_PROFILE_CYCLE: ["Profiles extend one another in a cycle.", "Remove one `extends` from the cycle."],
    FLY_CLOCK_BACKWARDS: [
      "The lock-step clock cannot go backwards, or to a time that is not a whole number of nanoseconds.",
      "Advance it to a later time only.",
    ],
    FLY_WORKER_NOT_BUILT: ["A worker's compiled file is missing: workers run from dist/.", "Run `npm run build`."],
    FLY_WORKER_LOAD_FAILED: [
      "A worker's file could not be loaded, or threw before the worker was ready.",
      "Read the cause; after a change of the sources run `npm run build`.",
    ],
    FLY_WORKER_EXITED_EARLY: [
      "A worker ended before it was ready, without an error.",
      "Report it with the surrounding log; the worker must call workerReady().",
    ],
    FLY_WORKER_START_TIMEOUT: [
      "A worker was not ready in time.",
      "Check whether the machine is overloaded; otherwise report it with the surrounding log.",
    ],
    FLY_WORKER_CRASHED: [
      "A worker crashed after it had been ready.",
      "Read the cause and report it: it is a bug, or the memory was not sufficient.",
    ],
    FLY_CHANNEL_PACKET_DESCRIPTION: [
      "A packet type is described in a way that cannot be laid out in memory.",
      "Correct the field named.",
    ],
    FLY_CHANNEL_OPTIONS: ["A channel or sync table cannot have these sizes.", "Correct the option named."],
    FLY_CHANNEL_PACKET_MISMATCH: [
      "A channel carries another packet, or another version of it, than the program expects.",
      "Rebuild, so that all threads run the same version; attach with the channel's own packet type.",
    ],
    FLY_CHANNEL_PORTS_EXHAUSTED: [
      "All ports of a channel are taken.",
      "Create the channel with more ports, close unused ones, or reclaim those of threads that died.",
    ],
    FLY_CHANNEL_BORROW_LIMIT: [
      "A get-port holds as many packets as it may.",
      "Release a packet before receiving the next, or create the channel with more borrows.",
    ],
    FLY_CHANNEL_PORT_MISUSE: [
      "A port was used in a way that its state does not allow.",
      "Reserve before publishing, release only packets that are held, and do not use closed ports.",
    ],
    FLY_CHANNEL_SYNC_GROUP: [
      "A sync group cannot be made of these ports.",
      "Create all their channels with the same sync table, give it enough groups, and add a port to one group only.",
    ],
    FLY_SOLVER_OPTION_INVALID: [
      "An option of the nonlinear solver is outside its range.",
      "Give a positive, finite number for the option named.",
    ],
    FLY_SOLVER_SHAPE_MISMATCH: [
      "A solver was given a problem or a warm start of another shape than it was made for.",
      "Make one solver for each number of unknowns and constraints.",
    ],
    FLY_SOLVER_EXHAUSTED: [
      "The NLopt back end has used up the memory of its WebAssembly instance.",
      "Recycle the worker before the back end says it is exhausted.",
    ],
    FLY_SERVICE_TOKEN_REQUIRED: [
      "The service does not listen on a network address without a token.",
      "Set service.token (--token), or listen on 127.0.0.1.",
    ],
    FLY_ROBOT_KEY: [
      "The robot's protocol lacks a key where it needs one, or the key is too short.",
      "Listen on 127.0.0.1, or give both ends the same key of at least 16 characters: `openssl rand -hex 32` makes one.",
    ],
    FLY_SERVICE_ADDRESS_UNAVAILABLE: [
      "The service cannot listen on the requested address.",
      "Choose another host or port, or end the program that holds it.",
    ],
    FLY_ROBOT_BROKEN: [
      "A robot that the service offers has files that cannot be used.",
      "Run `flycatcher robot check` on it.",
    ],
    FLY_ROBOT_ADDRESS_UNAVAILABLE: [
      "The simulated robot cannot listen on the UDP address it was given.",
      "Choose another port; 0 lets the system choose.",
    ],
    FLY_DRIVER_LISTEN: [
      "A driver cannot listen where the robot is to connect to it, or the robot cannot reach it there.",
      "Set ur.listen to this machine's address in the robot's network, and ur.reverse to a free port.",
    ],
    FLY_LIMITER_LIMITS: [
      "A joint that is to follow targets has no sound limits of position, speed or acceleration.",
      "Give the joint's limits in the URDF and in the sidecar; `flycatcher robot check` lists what is missing.",
    ],
    FLY_NECK_UNSUPPORTED: [
      "The robot has no neck that can point its cameras: two revolute joints between chest and head, and a camera.",
      "Name the group of kind `neck` and the cameras in the sidecar, or do without a neck.",
    ],
    FLY_PLAN_SOLVER_NOT_LOADED: [
      "A planner with NLopt was not prepared for the request.",
      "Call `await planner.prepare(request)` first.",
    ],
    FLY_POOL_ARM_UNKNOWN: [
      "A job for a planner names an arm that the planner was not given.",
      "Name one of the planner's `arms` by its index.",
    ],
    FLY_POOL_OPTION_INVALID: [
      "A planner pool cannot be made with this option.",
      "Give the option a value of the kind that was expected.",
    ],
    FLY_POOL_JOB_FAILED: [
      "Several planner workers crashed or hung on one job, or none could be started.",
      "This is a bug: report it with the request and the surrounding log.",
    ],
    FLY_WORLD_DIVERGED: [
      "The simulated world came to a state that is not a number.",
      "Report it with the robot and the seed; it is a bug, or the robot's servos are too stiff for the time step.",
    ],
    FLY_KERNELS_MISSING: [
      "WebAssembly kernels, of the circle detector or the renderer, are not in dist/.",
      "Run `npm run build`, which compiles them.",
    ],
    FLY_CIRCLES_OPTION_INVALID: [
      "A circle detector cannot be made with this option.",
      "Give the option a value of the kind that was expected.",
    ],
    FLY_OUTPUT_UNWRITABLE: [
      "The output of a command cannot be written: the disk may be full.",
      "Free disk space, or write the output somewhere else.",
    ],
    FLY_RECORDING_ITEM: [
      "An item has no place in a recording.",
      "Give what the schema of the topic allows, with a time that is not negative.",
    ],
    FLY_REPLAY_FAILED: ["A replay was aborted.", "See the cause; if there is none, report it with the recording."],
  }),
  ...withStatus(503, {
    FLY_ROBOT_UNREACHABLE: [
      "No robot answers at the address given, or another one than the one configured.",
      "Start the robot, or `flycatcher robot-sim`, and name its address and robot.",
    ],
    FLY_ROBOT_NOT_READY: [
      "The robot's controller answers, but does not let the robot move.",
      "Do on its pendant what the message says: power, brakes, safety, remote control, speed slider.",
    ],
    FLY_ROBOT_PROTOCOL: [
      "What answers at the robot's address does not speak the robot's protocol, or lacks a field that is needed.",
      "Check address and ports, and the version of the controller's software.",
    ],
    FLY_SERVICE_NOT_READY: [
      "The service runs but is not ready yet.",
      "Wait and ask again; the detail says which component is missing.",
    ],
    FLY_SERVICE_CONNECTIONS: [
      "The service has as many connections as it is allowed to; what is left is for health and stop.",
      "Close idle connections, ask again later, or raise service.maxConnections.",
    ],
    FLY_SERVICE_CLOSING: ["The service is shutting down and takes no new requests.", "Ask again when it is back."],
    FLY_PLAN_OVERLOADED: [
      "The queue of planning requests is full.",
      "Ask again after the time of the Retry-After header, or raise service.maxQueue.",
    ],
    FLY_POOL_CLOSED: ["A planner was used after it had been closed.", "Close a planner after its last request."],
    FLY_LIVE_ENDED: ["The live run has ended by itself.", "The log says why; start it again."],
    FLY_LIVE_STARTING: [
      "The live run is starting: the robot's process starts, and all parts warm up.",
      "Ask again in a few seconds.",
    ],
  }),
  ...withStatus(507, {
    FLY_RECORDING_UNWRITABLE: [
      "A recording cannot be continued: the disk is full, or it is closed.",
      "Free disk space; the recording can be read up to its last complete chunk.",
    ],
    FLY_RECORDING_CUT: [
      "A recording ended early: the disk was full, or the recorder's thread died.",
      "Free disk space and begin again; the file can be read up to its last complete chunk.",
    ],
    FLY_UPLOADS_FULL: [
      "The service keeps as many uploaded recordings as it is allowed to.",
      "Delete one, or raise `service.maxUploads`.",
    ],
    FLY_ROBOTS_FULL: [
      "The service keeps as many uploaded robots as it is allowed to.",
      "Delete one, or raise `service.maxRobots`.",
    ],
  }),
};

export type ErrorCode = keyof typeof errorCatalogue;
