import type { Transition } from "../../src/messages/report.js";
import { realTimeDefaults } from "../../src/run/real-time-options.js";
import { realTimeRun } from "../../src/run/real-time-run.js";
import { takeEach } from "../../src/transport/port.js";

/**
 * A run in a process of its own, to be killed or frozen by a test: connects to the robot whose ports and secret are given, throws
 * one ball after the other, and writes "reaching" to its standard output whenever an arm begins to move.
 */
const [udp, world, secret] = process.argv.slice(2) as [string, string, string];
const run = await realTimeRun({
  ...realTimeDefaults,
  warmUpThrows: 0,
  robot: "lwr-arm",
  perception: "truth",
  challenges: "none",
  address: { host: "127.0.0.1", udp: Number(udp), world: Number(world), secret },
});
const transitions = run.tap<Transition>("catching.transitions");
setInterval(() => {
  takeEach(transitions, 0, ({ from, to }) => {
    if (from === "watching" && to === "reaching") process.stdout.write("reaching\n");
  });
}, 2);
for (let id = 0; ; id++) await run.throwBalls([id]);
