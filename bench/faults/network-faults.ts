import type { Fault } from "./fault.js";
import type { ProxiedRobot } from "./proxied-robot.js";
import type { RealTimeScene } from "./real-time-scene.js";
import { fairWeather, type Weather } from "./udp-proxy.js";

/** How long the network is bad [ms]. */
const BAD_MS = 2000;
/** So many states have been lost or late that the link's table shows it. */
const SHOWN = 20;

/** What a network does to the link of a robot: datagrams come late, not at all, and in another order. */
export function networkFaults(robot: ProxiedRobot): Fault[] {
  const bad = (name: string, weather: Partial<Weather>): Fault => {
    let [endMs, countBefore] = [0, 0];
    return {
      ...{ name: `network: ${name}`, names: /robot|monitor/, after: "catches on" },
      isShown: (scene) => disturbedStates(scene) > countBefore + SHOWN,
      isOver: () => performance.now() > endMs,
      bring: (scene) => {
        countBefore = disturbedStates(scene);
        endMs = performance.now() + BAD_MS + 500;
        robot.weather = { ...fairWeather, ...weather };
        setTimeout(() => {
          robot.weather = fairWeather;
        }, BAD_MS);
      },
    };
  };
  return [
    bad("datagrams come 5 ms late", { delayMs: 5 }),
    bad("datagrams come 50 ms late", { delayMs: 50 }),
    bad("a tenth is lost", { lossShare: 0.1 }),
    bad("half are lost", { lossShare: 0.5 }),
    bad("all but one of fifty are lost", { lossShare: 0.98 }),
    bad("a fifth comes after later ones", { reorderShare: 0.2 }),
  ];
}

/** Lost and late states, as the robot's link says in the table of components. */
function disturbedStates({ session }: RealTimeScene): number {
  const robot = session.snapshot().components?.components.find(({ name }) => name === "robot");
  const counts = /(\d+) states lost, (\d+) late/.exec(robot?.text ?? "");
  return counts === null ? 0 : Number(counts[1]) + Number(counts[2]);
}
