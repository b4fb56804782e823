import type { DriverSite } from "../../src/control/driver.js";
import { createUrDriver } from "../../src/control/drivers/ur/ur-driver.js";
import { loadRobot } from "../../src/robot/loading/load-robot.js";
import { robotLink } from "../../src/run/robot-link.js";
import { FlycatcherError } from "../../src/runtime/errors.js";
import { UR_ROBOT } from "./ur-run.js";
import type { WireWeather } from "./ur-wire-messages.js";
import type { WiredController } from "./wired-controller.js";

/** A peer that must be refused before anything moves. */
export interface UrRefusal {
  readonly name: string;
  readonly lie: WireWeather["lie"];
  readonly code: string;
}

export const urRefusals: readonly UrRefusal[] = [
  { name: "wrong robot", lie: "elsewhere", code: "FLY_ROBOT_MISMATCH" },
  { name: "wrong joint count", lie: "five joints", code: "FLY_ROBOT_PROTOCOL" },
  { name: "garbage from the start", lie: "garbage", code: "FLY_ROBOT_UNREACHABLE" },
  { name: "no numbers from the start", lie: "not a number", code: "FLY_ROBOT_UNREACHABLE" },
];

/** What of it went wrong; empty: nothing did. */
export async function refuse(wire: WiredController, { lie, code }: UrRefusal): Promise<string[]> {
  const { options } = robotLink([`${wire.link}&reverse=0`]).drivers[0]!;
  const driver = createUrDriver(siteOf(), options);
  wire.weather({ lie });
  const before = await wire.report();
  const refusal: unknown = await driver.open().then(
    () => null,
    (error: unknown) => error,
  );
  await driver.close();
  wire.clear();
  const after = await wire.report();
  const found = refusal instanceof FlycatcherError ? refusal.code : String(refusal);
  return [
    ...(found === code ? [] : [`refused with ${found}, not ${code}`]),
    ...(after.setPoints === before.setPoints ? [] : ["it was commanded"]),
  ];
}

function siteOf(): DriverSite {
  const { model } = loadRobot(UR_ROBOT);
  const joints = model.dofNames.map((name, dof) => ({
    name,
    lower: model.lower[dof]!,
    upper: model.upper[dof]!,
    maxSpeed: model.maxVelocity[dof]!,
  }));
  const nowNs = () => Number(process.hrtime.bigint());
  return { group: "", joints, tickNs: 1e6, nowNs, received: () => undefined };
}
