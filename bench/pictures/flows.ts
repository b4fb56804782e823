/**
 * Draws the flows of the documentation, and the state machine of an arm by its own table, into docs/images/.
 *
 *   node dist/bench/pictures/flows.js
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CatchState, catchTransitions } from "../../src/catching/catch-states.js";
import { defaultTimes } from "../../src/catching/catch-times.js";
import { packageRoot } from "../../src/runtime/package-root.js";
import { type Box, Diagram, type Tone } from "./diagram.js";

type Place = readonly [number, number];

function write(name: string, picture: Diagram): void {
  writeFileSync(join(packageRoot, "docs", "images", `${name}.svg`), picture.render());
}

function rowOf(
  picture: Diagram,
  y: number,
  x: number,
  step: Omit<Box, "x" | "y">,
  gap: number,
  boxes: readonly Step[],
) {
  for (const [k, [tone, ...lines]] of boxes.entries()) {
    const left = x + k * (step.width + gap);
    picture.box({ x: left, y, ...step }, tone, lines);
    if (k > 0)
      picture.arrow([
        [left - gap + 2, y + step.height / 2],
        [left - 3, y + step.height / 2],
      ]);
  }
}
type Step = readonly [tone: Tone, ...lines: string[]];

function dataFlow(): Diagram {
  const picture = new Diagram("The data from the cameras to the robot", 900, 330);
  const size = { width: 120, height: 52 };
  rowOf(picture, 60, 24, size, 26, [
    ["blue", "cameras", "images, 25 Hz"],
    ["blue", "detectors", "circles"],
    ["blue", "tracker", "predictions"],
    ["green", "catching", "which arm, where"],
    ["orange", "control", "1 kHz"],
    ["plain", "robot", "or simulator"],
  ]);
  picture.box({ x: 170, y: 160, ...size }, "blue", ["head pose", "from IMU and joints"]);
  picture
    .arrow([
      [290, 186],
      [376, 186],
      [376, 115],
    ])
    .note(300, 204, "poses at exposures");
  picture.arrow([
    [230, 112],
    [230, 157],
  ]);
  picture.box({ x: 462, y: 160, ...size }, "green", ["planners", "one per arm"]);
  picture
    .arrow([
      [507, 112],
      [507, 157],
    ])
    .note(501, 139, "questions", "end");
  picture
    .arrow([
      [537, 160],
      [537, 115],
    ])
    .note(543, 139, "answers");
  picture.box({ x: 608, y: 160, ...size }, "orange", ["safety monitor", "checks commands"]);
  picture
    .arrow([
      [653, 112],
      [653, 157],
    ])
    .arrow([
      [683, 160],
      [683, 115],
    ]);
  picture
    .arrow([
      [844, 112],
      [844, 236],
      [230, 236],
      [230, 215],
    ])
    .note(770, 230, "joint state", "end");
  picture
    .arrow([
      [800, 60],
      [800, 36],
      [668, 36],
      [668, 57],
    ])
    .note(734, 29, "joint state", "middle");
  picture.box({ x: 24, y: 268, width: 850, height: 40 }, "violet", ["observers on any edge: recorder, page"]);
  return picture;
}

function controlTick(): Diagram {
  const picture = new Diagram("One tick of control", 900, 316);
  const size = { width: 146, height: 56 };
  rowOf(picture, 34, 20, size, 32, [
    ["plain", "newest state", "of the robot"],
    ["plain", "operator", "hold, resume"],
    ["plain", "watchdog", "silent threads"],
    ["plain", "predictions", "for the neck"],
    ["plain", "new motions", "accept or refuse"],
  ]);
  rowOf(picture, 146, 20, size, 32, [
    ["blue", "ramps", "q, q̇, q̈ of this tick"],
    ["blue", "neck and hands", "follow, close"],
    ["blue", "limiter", "limits of each joint"],
    ["orange", "safety monitor", "can it still stop?"],
    ["green", "command", "to the robot"],
  ]);
  picture.arrow([
    [805, 90],
    [805, 118],
    [93, 118],
    [93, 143],
  ]);
  picture.note(714, 168, "yes", "middle");
  picture.box({ x: 554, y: 244, ...size }, "orange", ["brake", "drops all motions"]);
  picture
    .arrow(
      [
        [627, 202],
        [627, 241],
      ],
      "orange",
    )
    .note(635, 226, "no");
  picture.arrow(
    [
      [700, 272],
      [805, 272],
      [805, 205],
    ],
    "orange",
  );
  const after = ["recovery and reports", "after a stop: stand, retreat, release"];
  picture.box({ x: 198, y: 244, width: 324, height: 56 }, "plain", after);
  picture.arrow([
    [554, 272],
    [525, 272],
  ]);
  return picture;
}

const stateSize = { width: 104, height: 44 };
const states: Readonly<Partial<Record<CatchState, readonly [Place, Tone]>>> = {
  idle: [[24, 110], "plain"],
  watching: [[186, 110], "blue"],
  reaching: [[360, 80], "green"],
  grasping: [[360, 180], "green"],
  holding: [[360, 280], "green"],
  carrying: [[576, 280], "violet"],
  dropping: [[576, 180], "violet"],
  homing: [[576, 80], "violet"],
  braking: [[778, 150], "orange"],
  fault: [[778, 280], "orange"],
};
/** How each transition is drawn: its way, and where its event's name stands. */
const ways: Readonly<Record<string, readonly [way: readonly Place[], label: Place, anchor?: "end" | "middle"]>> = {
  "idle start watching": [
    [
      [128, 132],
      [183, 132],
    ],
    [155, 125],
    "middle",
  ],
  "watching planned reaching": [
    [
      [290, 122],
      [357, 106],
    ],
    [318, 105],
    "middle",
  ],
  "reaching planned reaching": [
    [
      [424, 80],
      [424, 64],
      [454, 64],
      [454, 77],
    ],
    [462, 70],
  ],
  "reaching lost homing": [
    [
      [464, 96],
      [573, 96],
    ],
    [518, 90],
    "middle",
  ],
  "reaching closing grasping": [
    [
      [412, 124],
      [412, 177],
    ],
    [404, 155],
    "end",
  ],
  "grasping closed holding": [
    [
      [412, 224],
      [412, 277],
    ],
    [404, 255],
    "end",
  ],
  "holding held carrying": [
    [
      [464, 308],
      [573, 308],
    ],
    [518, 302],
    "middle",
  ],
  "holding kept homing": [
    [
      [464, 290],
      [528, 290],
      [528, 112],
      [573, 112],
    ],
    [534, 210],
  ],
  "carrying carried dropping": [
    [
      [640, 280],
      [640, 227],
    ],
    [648, 256],
  ],
  "carrying lost homing": [
    [
      [596, 280],
      [596, 240],
      [562, 240],
      [562, 118],
      [573, 118],
    ],
    [590, 256],
    "end",
  ],
  "dropping dropped homing": [
    [
      [628, 180],
      [628, 127],
    ],
    [636, 158],
  ],
  "homing ready watching": [
    [
      [628, 80],
      [628, 44],
      [238, 44],
      [238, 107],
    ],
    [318, 38],
    "middle",
  ],
  "active unsafe braking": [
    [
      [726, 166],
      [775, 166],
    ],
    [750, 159],
    "middle",
  ],
  "active failed fault": [
    [
      [726, 302],
      [775, 302],
    ],
    [750, 295],
    "middle",
  ],
  "braking released homing": [
    [
      [808, 150],
      [808, 102],
      [683, 102],
    ],
    [816, 128],
  ],
  "braking failed fault": [
    [
      [830, 194],
      [830, 277],
    ],
    [838, 240],
  ],
  "fault repaired homing": [
    [
      [882, 302],
      [898, 302],
      [898, 88],
      [683, 88],
    ],
    [790, 81],
    "middle",
  ],
};

function armStates(): Diagram {
  const picture = new Diagram("The states of an arm, and the events between them", 920, 384);
  picture.group({ x: 160, y: 10, width: 566, height: 358 }, "active");
  picture
    .group({ x: 340, y: 50, width: 168, height: 296 }, "catching")
    .group({ x: 546, y: 50, width: 166, height: 296 }, "returning");
  for (const [name, [[x, y], tone]] of Object.entries(states)) picture.box({ x, y, ...stateSize }, tone, [name]);
  for (const { from, event, to } of catchTransitions) {
    const way = ways[`${from} ${event} ${to}`];
    if (way === undefined) throw new Error(`no way is drawn for ${from} ${event} ${to}`);
    const [points, [x, y], anchor] = way;
    picture.arrow(points).note(x, y, event, anchor);
  }
  return picture;
}

/** Bars of the modelled times, from an exposure to the tick at which the arm follows the new plan. */
function planTiming(): Diagram {
  const picture = new Diagram("From an exposure to the motion planned from it", 900, 250);
  const { cameraNs, trackingNs, warmBudgetNs, coldBudgetNs, transportNs } = defaultTimes;
  const predicted = cameraNs + trackingNs;
  const planned = predicted + warmBudgetNs;
  const started = planned + transportNs;
  const ms = (ns: number) => `${ns / 1e6} ms`;
  const bars: readonly (readonly [name: string, from: number, to: number, tone: Tone, note: string])[] = [
    ["camera", 0, cameraNs, "blue", ms(cameraNs)],
    ["tracking", cameraNs, predicted, "blue", ms(trackingNs)],
    ["planning", predicted, planned, "green", `${ms(warmBudgetNs)}; global search ${ms(coldBudgetNs)}`],
    ["transport", planned, started, "orange", ms(transportNs)],
  ];
  const at = (ns: number) => 130 + (ns / 1e6) * 4.9;
  for (const [k, [name, from, to, tone, note]] of bars.entries()) {
    const y = 44 + k * 38;
    picture.text(116, y + 19, name, "end");
    picture.box({ x: at(from), y, width: at(to) - at(from), height: 28 }, tone, []);
    picture.note(at(k === 2 ? started : to) + 10, y + 19, note);
  }
  const marks: readonly (readonly [ns: number, words: string])[] = [
    [0, "mid-exposure"],
    [predicted, "prediction: fixes tStart"],
    [started, "tStart: control switches"],
  ];
  for (const [ns, words] of marks) {
    picture
      .line(
        [
          [at(ns), 30],
          [at(ns), 206],
        ],
        "violet",
        1,
        "3 4",
      )
      .note(at(ns), 24, words, "middle");
  }
  for (let time = 0; time <= 120e6; time += 20e6) picture.note(at(time), 226, `${time / 1e6}`, "middle");
  picture.note(at(128e6), 226, "ms");
  return picture;
}

function planRequest(): Diagram {
  const picture = new Diagram("The life of a planning request over HTTP", 900, 262);
  const size = { width: 122, height: 56 };
  rowOf(picture, 40, 20, size, 26, [
    ["plain", "request", "POST /v1/plan"],
    ["blue", "check", "schema, robot, ball"],
    ["blue", "queue", "service.maxQueue"],
    ["green", "search", "worker thread"],
    ["green", "verify", "independent check"],
    ["plain", "answer", "200, ramps"],
  ]);
  const below: readonly (readonly [column: number, lines: readonly string[]])[] = [
    [1, ["400 or 404", "problem, JSON pointer"]],
    [2, ["503", "Retry-After"]],
    [3, ["unreachable", "200, with reasons"]],
  ];
  for (const [column, lines] of below) {
    const x = 20 + column * 148;
    picture.box({ x: x - 8, y: 168, width: 138, height: 56 }, "orange", lines);
    picture.arrow(
      [
        [x + 61, 96],
        [x + 61, 165],
      ],
      "orange",
    );
  }
  picture.note(235, 134, "wrong").note(383, 134, "full").note(518, 134, "no catch", "end");
  picture
    .arrow(
      [
        [673, 96],
        [673, 130],
        [558, 130],
        [558, 99],
      ],
      "orange",
    )
    .note(566, 148, "fails: next candidate", "start");
  return picture;
}

write("data-flow", dataFlow());
write("control-tick", controlTick());
write("arm-states", armStates());
write("plan-timing", planTiming());
write("plan-request", planRequest());
