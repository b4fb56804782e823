import { setTimeout as pause } from "node:timers/promises";
import { drivenDofs } from "../../control/driven-joints.js";
import type { PlanReply } from "../../messages/planning.js";
import { commandDelayOf } from "../../robot/command-delay.js";
import { takeEach } from "../../transport/port.js";
import { BringupRun } from "./bringup-run.js";
import type { BringupSite, BringupStep, StepOutcome } from "./bringup-step.js";
import { extendOverlay, readOverlay } from "./overlay-file.js";

/** Between two looks for plans [ms]. */
const LOOK_MS = 20;
/** Without a simulated world a person throws, for so long [s]. */
const THROWING = 60;

/** What became of the balls of a step. */
interface Catches {
  readonly lines: readonly string[];
  readonly thrown: number;
  readonly caught: number;
  readonly planned: number;
}

/** Throws balls, or lets a person throw, and tells what was planned. */
async function catchBalls(run: BringupRun, { settings, operator }: BringupSite): Promise<Catches> {
  const lines: string[] = [];
  let [thrown, caught, planned] = [0, 0, 0];
  if (settings.run.address?.world === 0) {
    operator.say(`  Throw balls now, for ${THROWING} s.`);
    const { plan } = await planDuring(run, pause(1e3 * THROWING));
    const words = plan === null ? "no ball was planned for" : planWords(plan);
    return { lines: [words], thrown, caught, planned: plan === null ? 0 : 1 };
  }
  for (let ball = 0; ball < settings.throws; ball++) {
    const { plan, value } = await planDuring(run, run.throwBall(ball));
    const [result] = value;
    thrown++;
    if (plan !== null) planned++;
    if (result!.outcome === "caught") caught++;
    if (run.isDry) {
      lines.push(`ball ${ball + 1}: ${plan === null ? "no plan" : planWords(plan)}`);
      continue;
    }
    const why = result!.outcome === "caught" ? "" : ` (${result!.reason ?? "no reason"})`;
    lines.push(`ball ${ball + 1}: ${result!.outcome}${why}; ${plan === null ? "no plan" : planWords(plan)}`);
  }
  return { lines, thrown, caught, planned };
}

/** What a promise gives, and the newest plan until it settled. */
async function planDuring<T>(
  run: BringupRun,
  over: Promise<T>,
): Promise<{ readonly plan: PlanReply | null; readonly value: T }> {
  const found: { plan: PlanReply | null; isOver: boolean } = { plan: null, isOver: false };
  const end = () => {
    found.isOver = true;
  };
  over.then(end, end);
  while (!found.isOver) {
    await pause(LOOK_MS);
    for (const port of run.answers) {
      takeEach(port, Number.POSITIVE_INFINITY, (reply) => {
        if (reply.plan !== null) found.plan = { ...reply };
      });
    }
  }
  return { plan: found.plan, value: await over };
}

function planWords({ plan, position, tSeen }: PlanReply): string {
  const place = position === null ? "" : ` at ${Array.from(position, (value) => value.toFixed(2)).join(", ")} m`;
  return `planned: catch${place}, ${(plan!.tCatch - tSeen).toFixed(2)} s after the image`;
}

export const dryCatchStep: BringupStep = {
  name: "dry-catch",
  title: "First catch without commands: plans and shows",
  moves: false,
  async perform(site): Promise<StepOutcome> {
    const { settings } = site;
    const robot = site.robot();
    const drivers = settings.drivers.map((choice) => ({
      ...choice,
      dryDelay: commandDelayOf(robot, { dofs: drivenDofs(robot, choice.group) }),
    }));
    const run = await BringupRun.start(site, {
      name: "dry-catch",
      throws: settings.throws,
      drivers,
      ceiling: settings.ceiling,
    });
    try {
      const { lines, planned, thrown } = await catchBalls(run, site);
      const words = [...lines, "nothing was commanded"];
      return {
        verdict: planned > 0 ? "passed" : "failed",
        lines: words,
        figures: { thrown, planned },
        recording: run.recording,
      };
    } finally {
      await run.close();
    }
  },
};

export const calibrateStep: BringupStep = {
  name: "calibrate",
  title: "Calibrate cameras and joints",
  moves: false,
  async perform({ settings, operator, robot }): Promise<StepOutcome> {
    if (robot().cameras.length === 0) {
      return {
        verdict: "skipped",
        lines: ["the robot has no cameras: balls come from outside, as points"],
        figures: {},
      };
    }
    const residuals = readOverlay(settings.overlay)?.residuals ?? {};
    const lines = Object.entries(residuals).map(([name, value]) => `${name}: ${value}`);
    if (lines.length > 0) return { verdict: "passed", lines, figures: { residuals } };
    const command = `flycatcher calibrate --out ${settings.overlay}`;
    const isDone = await operator.confirms(
      `No calibration is there. Run \`${command}\` elsewhere now. Go on without one?`,
    );
    return { verdict: isDone ? "skipped" : "failed", lines: [`no calibration: ${command}`], figures: {} };
  },
};

/** A catch at a share of the speed; what was reached stays in the overlay. */
function catchStep(share: number): BringupStep {
  const percent = Math.round(100 * share);
  return {
    name: `catch-${percent}`,
    title: `Catch at ${percent} % of the speed`,
    moves: true,
    async perform(site): Promise<StepOutcome> {
      const { settings } = site;
      if (share > settings.ceiling)
        return { verdict: "skipped", lines: ["above the ceiling that was asked for"], figures: {} };
      const outcome = await catchAt(site, share);
      if (outcome.verdict === "passed") {
        extendOverlay(settings.overlay, { speedCeiling: share }, new Date().toISOString());
      }
      return outcome;
    },
  };
}

async function catchAt(site: BringupSite, share: number): Promise<StepOutcome> {
  const { settings } = site;
  const name = `catch-${Math.round(100 * share)}`;
  const run = await BringupRun.start(site, {
    name,
    throws: settings.throws,
    drivers: settings.drivers,
    ceiling: share,
  });
  try {
    const from = run.warnings.length;
    const { lines, thrown, caught, planned } = await catchBalls(run, site);
    const stops = run.warnings.slice(from).filter((text) => /stopped by itself|monitor brakes/.test(text));
    const figures = { share, thrown, planned, caught, stops: stops.length, speed: run.run.clock.speed };
    // At a quarter of its speed an arm reaches few balls; a stop, or none caught at full speed, is another matter.
    const isGood = stops.length === 0 && (share < 1 || thrown === 0 || caught > 0);
    return { verdict: isGood ? "passed" : "failed", lines: [...lines, ...stops], figures, recording: run.recording };
  } finally {
    await run.close();
  }
}

export const ceilingStep: BringupStep = {
  name: "ceiling",
  title: "Set the speed ceiling",
  moves: false,
  async perform({ settings, operator }): Promise<StepOutcome> {
    const percent = Math.round(100 * settings.ceiling);
    const reached = readOverlay(settings.overlay)?.speedCeiling ?? 1;
    const isRight = await operator.confirms(
      `May catches go up to ${percent} % of the speed, one step after the other?`,
    );
    const lines = [
      `up to ${percent} % of the speed limits, step by step; now ${Math.round(100 * reached)} %`,
      `what was reached is \`speedCeiling\` in ${settings.overlay}, which all runs keep`,
    ];
    return { verdict: isRight ? "passed" : "failed", lines, figures: { ceiling: settings.ceiling } };
  },
};

/** Shares of the speed, one after the other. */
export const catchSteps: readonly BringupStep[] = [0.25, 0.5, 1].map(catchStep);
