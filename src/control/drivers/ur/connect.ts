import { connect, type Socket } from "node:net";
import { FlycatcherError } from "../../../runtime/errors.js";

/** Opens a TCP connection to one of the robot's ports; `what` names it in the error. */
export function connectTo(host: string, port: number, timeoutMs: number, what: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    const fail = (reason: string) => {
      clearTimeout(timer);
      socket.destroy();
      const message = `the robot's ${what} at ${host}:${port} does not answer: ${reason}`;
      reject(new FlycatcherError("FLY_ROBOT_UNREACHABLE", message));
    };
    const timer = setTimeout(() => fail(`nothing in ${timeoutMs} ms`), timeoutMs);
    socket.once("error", ({ message }) => fail(message));
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.removeAllListeners("error");
      // The user of the socket learns of an error by its end.
      socket.on("error", () => socket.destroy());
      resolve(socket);
    });
  });
}
