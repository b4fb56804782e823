import { setTimeout as pause } from "node:timers/promises";
import { type FollowedJoint, identifyCommandDelay } from "../../calibration/signal/command-delay.js";
import { brakeFigures } from "./brake-figures.js";
import { BringupRun, type BringupRunFacts, type MotionSeries } from "./bringup-run.js";
import type { BringupSite, BringupStep, StepOutcome } from "./bringup-step.js";
import { directionOf } from "./catch-direction.js";
import { type JointResponse, jointResponse } from "./joint-response.js";
import { extendOverlay } from "./overlay-file.js";
import { type MovedJoint, movedJoints, moveJoint, SMALL_SHARE, smallDistance } from "./small-motion.js";

/** A joint stands still so long before and after it moves [ms]. */
const STILL_MS = 300;
/** A delay that is less sure than this is not written [s]. */
const SURE = 0.005;

export const motionStep: BringupStep = {
  name: "motion",
  title: "Small motions at 5 % of the speed, joint by joint; command delay",
  moves: true,
  async perform(site): Promise<StepOutcome> {
    extendOverlay(site.settings.overlay, { speedCeiling: SMALL_SHARE }, new Date().toISOString());
    const run = await BringupRun.start(site, runFacts("motion", site));
    try {
      return { ...(await moveAll(run, site)), recording: run.recording };
    } finally {
      await run.close();
    }
  },
};

function runFacts(name: string, { settings }: BringupSite): BringupRunFacts {
  return { name, throws: 0, drivers: settings.drivers, ceiling: SMALL_SHARE };
}

async function moveAll(run: BringupRun, site: BringupSite): Promise<StepOutcome> {
  const { operator, settings } = site;
  const responses: JointResponse[] = [];
  const lines: string[] = [];
  const followed = new Map<string, FollowedJoint[]>();
  for (const joint of movedJoints(run.parts)) {
    const { response, series } = await moveOutAndBack(run, joint);
    responses.push(response);
    const { part, dof } = joint;
    followed.set(part.name, [...(followed.get(part.name) ?? []), followedJoint(series, dof)]);
    const words = `${response.joint}: commanded ${response.commanded.toFixed(4)}, went ${response.measured.toFixed(4)}`;
    lines.push(response.wrong === "" ? words : `${words}: ${response.wrong}`);
    if (response.wrong !== "") return { verdict: "failed", lines, figures: { joints: asFigures(responses) } };
    const direction = directionOf(run.run.robot, dof, Math.sign(response.commanded));
    if (
      direction !== null &&
      !(await operator.confirms(`${response.joint} moved. Did the catcher go ${direction} first, and then back?`))
    ) {
      const wrong = `${response.joint} turns the other way than in the robot's description`;
      return { verdict: "failed", lines: [...lines, wrong], figures: { joints: asFigures(responses) } };
    }
  }
  const delays = delaysOf(followed, lines);
  if (Object.keys(delays).length > 0) {
    extendOverlay(settings.overlay, { commandDelays: delays }, new Date().toISOString());
    lines.push(`written to ${settings.overlay}`);
  }
  return { verdict: "passed", lines, figures: { joints: asFigures(responses), commandDelays: delays } };
}

function asFigures(responses: readonly JointResponse[]) {
  return responses.map((response) => ({ ...response }));
}

function delaysOf(followed: ReadonlyMap<string, readonly FollowedJoint[]>, lines: string[]): Record<string, number> {
  const delays: Record<string, number> = {};
  for (const [part, joints] of followed) {
    const fit = identifyCommandDelay(joints);
    if (fit === null || !(fit.deviation < SURE)) {
      lines.push(`${part}: the command delay is not sure`);
      continue;
    }
    delays[part] = Math.round(1e4 * fit.delay) / 1e4;
    const residual = (1e3 * fit.residual).toFixed(2);
    lines.push(
      `${part}: follows commands ${(1e3 * fit.delay).toFixed(1)} ms late (± ${(1e3 * fit.deviation).toFixed(2)}; ${residual} mrad or mm remain)`,
    );
  }
  return delays;
}

async function moveOutAndBack(
  run: BringupRun,
  joint: MovedJoint,
): Promise<{ response: JointResponse; series: MotionSeries }> {
  const from = (await run.commanded())[joint.dof]!;
  const distance = smallDistance(run, joint, from, 0.9 * SMALL_SHARE);
  const series = await run.collect(
    (async () => {
      await pause(STILL_MS);
      await moveJoint(run, joint, distance);
      await pause(STILL_MS);
      await moveJoint(run, joint, -distance);
      await pause(STILL_MS);
    })(),
  );
  const { dofNames } = run.run.robot.model;
  return { response: jointResponse(dofNames, joint.dof, distance, series.positions), series };
}

function followedJoint({ commandTimes, commands, times, positions }: MotionSeries, dof: number): FollowedJoint {
  const column = (rows: readonly (readonly number[])[]) => Float64Array.from(rows, (row) => row[dof]!);
  return {
    ...{ commandTimes: Float64Array.from(commandTimes), commands: column(commands) },
    ...{ times: Float64Array.from(times), positions: column(positions) },
  };
}

/** How a robot in motion is brought to rest, and what a report must say then. */
interface BrakeTrial {
  readonly name: string;
  readonly words: string;
  bring(run: BringupRun): Promise<void>;
}

/** Control stands still so long [s]: the robot must brake by itself. */
const SILENT = 0.2;

const trials: readonly BrakeTrial[] = [
  {
    name: "stop",
    words: "an operator's stop",
    bring: async ({ run }) => void (await run.held(run.hold())),
  },
  {
    name: "silence",
    words: "commands that cease",
    bring: async ({ run }) => {
      run.host.faults.hangPart("control", SILENT);
    },
  },
  {
    name: "heartbeat",
    words: "a lost heartbeat",
    bring: async ({ watch }) => watch?.pause(3 * watch.heartbeatMs),
  },
];

/** A brake from small speed takes less [s]. */
const LONGEST_BRAKE = 0.8;
const BRAKE_SHARE = 0.9 * SMALL_SHARE;
/** How long the joint moves while it is stopped [s], and after what share of it. */
const BRAKED_DURATION = 2;
const STOPPED_AFTER_MS = 700;
const AFTER_MS = 1200;

export const brakesStep: BringupStep = {
  name: "brakes",
  title: "Check brakes: stop, missing commands, missing heartbeat",
  moves: true,
  async perform(site): Promise<StepOutcome> {
    const run = await BringupRun.start(site, runFacts("brakes", site));
    try {
      return { ...(await brakeAll(run)), recording: run.recording };
    } finally {
      await run.close();
    }
  },
};

async function brakeAll(run: BringupRun): Promise<StepOutcome> {
  const lines: string[] = [];
  const figures: Record<string, { time: number; distance: number; speed: number }> = {};
  for (const trial of trials) {
    const found = await brakeOnce(run, trial);
    run.run.release();
    if (found === null || !found.isAtRest || found.time > LONGEST_BRAKE || !(found.speed > 0)) {
      const how =
        found === null ? "no state" : found.speed > 0 ? `not at rest after ${found.time.toFixed(2)} s` : "no motion";
      return { verdict: "failed", lines: [...lines, `${trial.words}: ${how}`], figures };
    }
    const { time, distance, speed } = found;
    figures[trial.name] = { time, distance, speed };
    lines.push(
      `${trial.words}: at rest after ${(1e3 * time).toFixed(0)} ms and ${(1e3 * distance).toFixed(1)} mrad or mm, from ${speed.toFixed(3)}/s`,
    );
    if (!(await run.waits()))
      return { verdict: "failed", lines: [...lines, "the robot did not go on after it"], figures };
  }
  return { verdict: "passed", lines, figures };
}

async function brakeOnce(run: BringupRun, trial: BrakeTrial) {
  const joint = movedJoints(run.parts)[0]!;
  const from = (await run.commanded())[joint.dof]!;
  const distance = (BRAKED_DURATION / 0.8) * smallDistance(run, joint, from, BRAKE_SHARE);
  const asked = { time: Number.NaN };
  const series = await run.collect(
    (async () => {
      // A motion that is stopped does not end as planned.
      const moving = moveJoint(run, joint, distance, BRAKED_DURATION).catch(() => undefined);
      await pause(STOPPED_AFTER_MS);
      asked.time = run.run.clock.nowSeconds();
      await trial.bring(run);
      await pause(AFTER_MS);
      await moving;
    })(),
  );
  const late = trial.name === "heartbeat" ? (run.watch?.heartbeatMs ?? 0) / 1e3 : 0;
  return brakeFigures(asked.time + late, series.times, series.positions, series.speeds);
}
