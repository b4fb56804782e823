import { monitorEventLoopDelay } from "node:perf_hooks";
import type { BenchContext, BenchPart, Metrics } from "../harness.js";
import { countExceptions } from "./exceptions.js";
import { type Fault, metricsOf, type Outcome, sufferAll } from "./fault.js";
import { networkFaults } from "./network-faults.js";
import { ProxiedRobot } from "./proxied-robot.js";
import { RealTimeScene, sceneDefaults } from "./real-time-scene.js";
import { FaultyRecorder, recorderFaults } from "./recorder-faults.js";
import { openDescriptors } from "./stop-latency.js";
import { faultsOf, threadFaults } from "./thread-faults.js";

/** Faults of every thread, of the disk, of the robot and of its clock, in real time. */
export const realTimeFaults: BenchPart = {
  name: "real time",
  async measure(context: BenchContext): Promise<Metrics> {
    const settings = { ...sceneDefaults, seed: context.seed };
    const recorder = new FaultyRecorder(settings);
    const scene = await RealTimeScene.start({ ...settings, recorder });
    return measureScene(scene, [...threadFaults(scene), ...recorderFaults(recorder), ...robotFaults()], context);
  },
};

/** What a bad network does to the link of the robot. */
export const networkFaultPart: BenchPart = {
  name: "network",
  async measure(context: BenchContext): Promise<Metrics> {
    const robot = await ProxiedRobot.start(sceneDefaults.robot, context.seed);
    try {
      const scene = await RealTimeScene.start({ ...sceneDefaults, seed: context.seed, address: robot.address });
      return await measureScene(scene, networkFaults(robot), context);
    } finally {
      await robot.close();
    }
  },
};

/** Cameras and IMU of a robot with eyes. */
export const sensorFaultPart: BenchPart = {
  name: "sensors",
  async measure(context: BenchContext): Promise<Metrics> {
    const eyes = { robot: "agile-justin", perception: "images" } as const;
    const scene = await RealTimeScene.start({ ...sceneDefaults, ...eyes, seed: context.seed, speed: "auto" });
    return measureScene(scene, [...faultsOf("camera-left"), ...sensorFaults()], context);
  },
};

async function measureScene(scene: RealTimeScene, faults: readonly Fault[], context: BenchContext): Promise<Metrics> {
  const outcomes: Outcome[] = [];
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const descriptors = openDescriptors();
  const exceptions = await countExceptions(async () => {
    delay.enable();
    outcomes.push(...(await sufferAll(scene, faults, context)));
    delay.disable();
  });
  const leaked = Math.max(0, openDescriptors() - descriptors);
  await scene.close();
  return { ...metricsOf(outcomes), descriptors_leaked: leaked, exceptions, loop_delay_ms_max: delay.max / 1e6 };
}

/** The last of them ends the robot. */
function robotFaults(): Fault[] {
  let endMs = 0;
  const freeze = { names: /robot/, after: "catches on", isOver: () => performance.now() > endMs } as const;
  return [
    {
      name: "link cut for 0.5 s",
      names: /robot|control/,
      after: "catches on",
      bring: ({ run }) => run.host.faults.cutWire(0.5),
    },
    {
      name: "clock set back by 0.5 s",
      names: /control|monitor/,
      after: "catches on",
      bring: ({ run }) => run.host.faults.jumpClock(-0.5),
    },
    {
      ...freeze,
      name: "robot frozen for 1.5 s",
      bring: ({ run }) => {
        endMs = performance.now() + 2000;
        run.host.faults.signalRobot("SIGSTOP");
        setTimeout(() => run.host.faults.signalRobot("SIGCONT"), 1500);
      },
    },
    {
      name: "robot killed",
      names: /robot/,
      after: "stands",
      bring: ({ run }) => run.host.faults.signalRobot("SIGKILL"),
    },
  ];
}

/** How long a sensor fails [s]. */
const FAILING = 3;

function sensorFaults(): Fault[] {
  let endMs = 0;
  const lasting = { after: "catches on", needsWork: true, isOver: () => performance.now() > endMs } as const;
  const note = (): void => {
    endMs = performance.now() + 1e3 * FAILING + 500;
  };
  return [
    {
      ...lasting,
      name: "left camera frozen",
      names: /camera left/,
      bring: ({ run }) => {
        note();
        run.host.faults.freezeCamera("left", FAILING);
      },
    },
    {
      ...lasting,
      name: "IMU silent",
      names: /IMU/,
      bring: ({ run }) => {
        note();
        run.host.faults.silenceImu(FAILING);
      },
    },
  ];
}
