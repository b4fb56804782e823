import { appendFileSync } from "node:fs";
import { expect, it } from "vitest";
import { liveDefaults } from "../../src/catching/live/live-options.js";
import { LiveRun } from "../../src/catching/live/live-run.module.js";
import { RobotProcess } from "../../src/catching/live/robot-process.module.js";
import { UdpProxy } from "../support/udp-proxy.js";
const log = (t: string) => appendFileSync("/tmp/realtime/t/log", `${performance.now().toFixed(0)} ${t}\n`);
it("x", { timeout: 40000 }, async () => {
  log("begin");
  const robot = await RobotProcess.start({ robot: "lwr-arm", seed: 1, balls: 1, challenges: "none", missedCycles: 12, priority: 75 });
  log("robot"); const proxy = await UdpProxy.start(robot.address.udp); log("proxy");
  const run = await LiveRun.start({ ...liveDefaults, robot: "lwr-arm", perception: "truth", challenges: "none", address: { ...robot.address, udp: proxy.port } }, { event: (e) => log(`${e.code} ${e.text}`) });
  log("started");
  const [r] = await run.throwBalls([0]);
  log(JSON.stringify(r));
  await run.stop();
  log("stopped"); await robot.stop(); proxy.close();
  expect(r).toBeDefined();
});
