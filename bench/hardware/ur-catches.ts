import { throwsInSpace } from "../catching/throws-in-space.js";
import type { BenchContext, BenchPart, Metrics } from "../harness.js";
import { startController, UR_ROBOT, UrRun } from "./ur-run.js";

/** Throws inside the catch space. */
const counts = { full: 52, short: 10 };
const FIRST_SEED = 2000;

/** The driver for Universal Robots against the simulated controller, over real sockets, in threads. */
export const urCatches: BenchPart = {
  name: "ur catches",
  async measure(context: BenchContext): Promise<Metrics> {
    const seed = FIRST_SEED + context.seed;
    const wanted = context.full ? counts.full : counts.short;
    const { throws } = await throwsInSpace({ robot: UR_ROBOT, seed, balls: 1 }, wanted, context);
    const controller = await startController(seed);
    try {
      return await throwAll(controller.link, throws.flat(), seed, context);
    } finally {
      await controller.stop();
    }
  },
};

async function throwAll(
  link: string,
  throws: readonly number[],
  seed: number,
  context: BenchContext,
): Promise<Metrics> {
  const ur = await UrRun.start(link, seed);
  const { run, events } = ur;
  let caught = 0;
  let seen = 0;
  const speeds: number[] = [];
  // On a busy machine the states may seem to jump. A person then releases the robot, and the ball counts as it ends.
  const person = setInterval(() => {
    if (events.slice(seen).some(({ text }) => text.includes("a person must release"))) run.release();
    seen = events.length;
  }, 1000);
  try {
    for (const [k, id] of throws.entries()) {
      const from = events.length;
      const [result] = await run.throwBalls([id]);
      speeds.push(run.clock.speed);
      if (result!.outcome === "caught") caught++;
      const words = events.slice(from).filter(({ severity }) => severity !== "debug" && severity !== "info");
      const why =
        result!.outcome === "caught" ? "" : `: ${result!.reason ?? ""} ${words.map(({ text }) => text).join(" | ")}`;
      context.progress(`throw ${id} (${k + 1} of ${throws.length}): ${result!.outcome}${why}`);
    }
  } finally {
    clearInterval(person);
    await ur.close();
  }
  const count = (code: string, word: RegExp) =>
    events.filter((event) => event.code === code && word.test(event.text)).length;
  return {
    ur_caught_ratio: caught / throws.length,
    ur_throws: throws.length,
    ur_speed_min: Math.min(...speeds),
    ur_not_following: events.filter(({ text }) => text.includes("notFollowing")).length,
    ur_faults: count("robot-fault", /./),
  };
}
