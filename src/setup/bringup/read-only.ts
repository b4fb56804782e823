import { setTimeout as pause } from "node:timers/promises";
import { drivenDofs, driverJointOf } from "../../control/driven-joints.js";
import { DriverState, type RobotDriver } from "../../control/driver.js";
import { checkCapabilities, LEAST_RATE } from "../../control/driver-check.js";
import { checkGroups } from "../../nodes/driver-robot.js";
import type { Robot } from "../../robot/robot.js";
import { type DriverChoice, drivenGroups } from "../../run/robot-link.js";
import type { BringupReading, ReadDevice } from "./bringup-step.js";

/** Control's period, for drivers that ask [ns]. */
const TICK_NS = 1e6;
/** Drivers are looked at so often, as a run would [ms]. */
const LOOK_MS = 10;

/** Opens the drivers of a robot, listens to its states for a while, and takes leave: nothing is started, nothing is commanded. */
export async function readRobot(
  robot: Robot,
  choices: readonly DriverChoice[],
  seconds: number,
): Promise<ReadDevice[]> {
  const groups = await drivenGroups(choices);
  checkGroups(robot, groups);
  const zero = process.hrtime.bigint();
  const nowNs = () => Number(process.hrtime.bigint() - zero);
  const devices: ReadDevice[] = [];
  for (const { group, create, options } of groups) {
    const joints = drivenDofs(robot, group).map((dof) => driverJointOf(robot, dof));
    const readings: BringupReading[] = [];
    const state = new DriverState(joints.length);
    const take = () => {
      while (driver.receive(state)) {
        readings.push({ time: state.time, arrival: nowNs() / 1e9, q: Array.from(state.q) });
      }
    };
    const driver: RobotDriver = create({ group, joints, tickNs: TICK_NS, nowNs, received: () => take() }, options);
    try {
      await driver.open();
      checkCapabilities(driver.capabilities, { group, joints: joints.length, rate: LEAST_RATE });
      readings.length = 0;
      await listen(take, seconds);
      const { device, rate, clock } = driver.capabilities;
      const words = `${device} with ${joints.length} joints, ${rate} commands per second by the ${clock}'s clock; ${driver.detail}`;
      devices.push({ group, joints, rate, words, readings });
    } finally {
      await driver.close();
    }
  }
  return devices;
}

async function listen(take: () => void, seconds: number): Promise<void> {
  const end = performance.now() + 1e3 * seconds;
  while (performance.now() < end) {
    await pause(LOOK_MS);
    take();
  }
}
