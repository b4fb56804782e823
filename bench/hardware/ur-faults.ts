import { setTimeout as pause } from "node:timers/promises";
import { throwsInSpace } from "../catching/throws-in-space.js";
import type { BenchContext, BenchPart, Metrics } from "../harness.js";
import { suffer, UNLOCK_MS, type UrFault, UrScene } from "./ur-fault.js";
import { refuse, urRefusals } from "./ur-refusals.js";
import { UR_ROBOT, UrRun } from "./ur-run.js";
import { WiredController } from "./wired-controller.js";

const FIRST_SEED = 2000;

const faults: readonly UrFault[] = [
  {
    name: "late states",
    names: /staleState/,
    effect: "stops",
    bring: ({ wire }) => wire.weather({ delayMs: 80 }),
  },
  {
    name: "some lost states",
    names: /[1-9]\d* states lost/,
    effect: "may go on",
    bring: ({ wire }) => wire.weather({ lossShare: 0.3 }),
  },
  {
    name: "most states lost",
    names: /staleState|does not report/,
    effect: "stops",
    bring: ({ wire }) => wire.weather({ lossShare: 0.97 }),
  },
  {
    name: "reordered states",
    names: /[1-9]\d* late/,
    effect: "may go on",
    bring: ({ wire }) => wire.weather({ reorderShare: 0.3 }),
  },
  {
    name: "garbage",
    names: /does not report/,
    effect: "stops",
    bring: ({ wire }) => wire.weather({ lie: "garbage" }),
  },
  {
    name: "silent peer",
    names: /does not report/,
    effect: "stops",
    bring: ({ wire }) => wire.weather({ states: "hold" }),
  },
  {
    name: "commands that do not arrive",
    names: /program on the robot has ended/,
    effect: "stops",
    bring: ({ wire }) => wire.weather({ commands: "hold" }),
  },
  {
    name: "connections lost",
    names: /does not report|program on the robot has ended/,
    effect: "stops",
    bring: ({ wire }) => wire.cut(),
  },
  {
    name: "jumping joints",
    names: /joints that jump/,
    effect: "stops",
    bring: ({ wire }) => wire.weather({ lie: "jump" }),
  },
  {
    name: "joints that are no numbers",
    names: /not a finite number/,
    effect: "stops",
    bring: ({ wire }) => wire.weather({ lie: "not a number" }),
  },
  {
    name: "clock backwards",
    names: /clock has gone back/,
    effect: "stops",
    bring: ({ wire }) => wire.weather({ lie: "clock back" }),
  },
  {
    name: "speed slider at 50 %",
    names: /below full speed/,
    effect: "stops",
    bring: ({ ur }) => ur.run.host.faults.atController("half-speed"),
    end: ({ ur }) => ur.run.host.faults.atController("full-speed"),
  },
  {
    name: "protective stop",
    names: /protective stop/,
    effect: "stops",
    bring: ({ ur }) => ur.run.host.faults.atController("protective-stop"),
    end: async (scene) => {
      await pause(UNLOCK_MS / scene.ur.run.clock.speed);
      await scene.atPendant("unlock protective stop");
    },
  },
  {
    name: "emergency stop",
    names: /emergency stop of the robot/,
    effect: "stops",
    bring: ({ ur }) => ur.run.host.faults.atController("emergency-stop"),
    end: async (scene) => {
      scene.ur.run.host.faults.atController("emergency-release");
      await pause(200);
      await scene.atPendant("power on", "brake release");
    },
  },
];

/** The slice: those in which most goes wrong at once. */
const inSlice = new Set(["garbage", "silent peer", "speed slider at 50 %"]);

/** Faults amid catches, each at another ball; wrong peers at the start. */
export const urFaults: BenchPart = {
  name: "ur faults",
  async measure(context: BenchContext): Promise<Metrics> {
    const seed = FIRST_SEED + context.seed;
    const chosen = faults.filter(({ name }) => context.full || inSlice.has(name));
    const { throws } = await throwsInSpace({ robot: UR_ROBOT, seed, balls: 1 }, chosen.length, context);
    const wire = await WiredController.start(seed);
    try {
      const refused = await refuseAll(wire, context);
      const suffered = await sufferAll(wire, chosen, throws.flat(), seed, context);
      return {
        not_at_rest_after_fault: refused + suffered,
        ur_faults_tried: urRefusals.length + chosen.length,
      };
    } finally {
      await wire.close();
    }
  },
};

async function refuseAll(wire: WiredController, context: BenchContext): Promise<number> {
  let failures = 0;
  for (const refusal of urRefusals) {
    const wrongs = await refuse(wire, refusal);
    if (wrongs.length > 0) failures++;
    context.progress(`${refusal.name}: ${wrongs.length === 0 ? "refused" : wrongs.join(", ")}`);
  }
  return failures;
}

async function sufferAll(
  wire: WiredController,
  chosen: readonly UrFault[],
  balls: readonly number[],
  seed: number,
  context: BenchContext,
): Promise<number> {
  let failures = 0;
  const ur = await UrRun.start(wire.link, seed);
  const scene = new UrScene(ur, wire);
  try {
    for (const [k, fault] of chosen.entries()) {
      const wrongs = await suffer(scene, fault, balls[k]!);
      if (wrongs.length > 0) failures++;
      context.progress(`${fault.name}: ${wrongs.length === 0 ? "well" : wrongs.join(", ")}`);
    }
  } finally {
    await ur.close();
  }
  return failures;
}
