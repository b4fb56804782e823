import { BroadcastChannel, threadId } from "node:worker_threads";
import type { NodeFactory } from "../../src/run/own-nodes.js";

/** Drives the robot as the node that it replaces, and broadcasts in which thread, and the first commands that pass. */
export const createNode: NodeFactory<"robot"> = ({ name, ports, original, robot }) => {
  const { commands } = ports.in;
  const channel = new BroadcastChannel("own-driver");
  channel.postMessage({ name, robot: robot.name, threadId });
  let count = 0;
  const node = original({
    commands: {
      take(nowNs, out) {
        const command = commands.take(nowNs, out);
        if (command !== null && ++count === 100) channel.postMessage({ count });
        return command;
      },
      get waiting() {
        return commands.waiting;
      },
      get lost() {
        return commands.lost;
      },
    },
  });
  return {
    step: (nowNs) => node.step(nowNs),
    warmUp: () => node.warmUp?.(),
    async close() {
      channel.close();
      await node.close?.();
    },
  };
};
