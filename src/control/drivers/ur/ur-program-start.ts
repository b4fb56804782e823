import { FlycatcherError } from "../../../runtime/errors.js";
import { PrimaryClient, type PrimaryMessage, READ_ONLY } from "./primary-client.js";
import type { ReverseServer } from "./reverse-server.js";
import type { UrOptions } from "./ur-options.js";
import { urProgram } from "./ur-program.js";

/** How long the primary port may take to answer, and the program to connect [ms]. */
const ANSWER_MS = 3000;

/** A robot elsewhere cannot reach a driver that listens on the loopback address. */
export function checkReach({ listen }: Pick<UrOptions, "listen">, robot: string): void {
  if (!isLoopback(listen) || isLoopback(robot)) return;
  throw new FlycatcherError("FLY_DRIVER_LISTEN", "the robot cannot reach a driver that listens on a loopback address", {
    path: "listen",
    expected: "this machine's address in the network of the robot",
    found: listen,
  });
}

function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^(::ffff:)?127\./.test(address);
}

/** The program on the robot, while it runs. */
export class UrProgramRun {
  /** Newest message of the controller about it. */
  message = "";
  #primary: PrimaryClient | null = null;
  #refusal = "";

  /** Sends the program and waits for its connection; throws if it is refused or does not come. */
  async start(options: UrOptions, reverse: ReverseServer, addresses: { local: string; robot: string }): Promise<void> {
    this.close();
    this.message = "";
    this.#refusal = "";
    const { host, primary, callback, lookahead, gain, maxSpeed } = options;
    const driver = callback === "" ? addresses.local.replace(/^::ffff:/, "") : callback;
    const program = urProgram({ host: driver, reversePort: reverse.port, lookahead, gain, maxSpeed });
    this.#primary = await PrimaryClient.connect(host, primary, ANSWER_MS, (message) => this.#take(message, reverse));
    const arrival = reverse.expect(addresses.robot, ANSWER_MS);
    this.#primary.run(program);
    if (await arrival) return;
    this.close();
    const why = this.#refusal === "" ? "the program on the robot does not connect to the driver" : this.#refusal;
    throw new FlycatcherError("FLY_ROBOT_NOT_READY", why);
  }

  #take({ kind, code, text }: PrimaryMessage, reverse: ReverseServer): void {
    this.message = text === "" ? `${kind} ${code} of the controller` : `${kind} ${code} of the controller: ${text}`;
    if (code !== READ_ONLY && kind !== "exception") return;
    this.#refusal =
      code === READ_ONLY ? "the controller takes no program: it is in local control" : `the program ended by ${text}`;
    reverse.giveUp();
  }

  close(): void {
    this.#primary?.close();
    this.#primary = null;
  }
}
