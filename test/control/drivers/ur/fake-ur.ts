import { connect, createServer, type Server, type Socket } from "node:net";

/** Types of fields by their names, as this robot knows them. */
const known: Readonly<Record<string, string>> = {
  timestamp: "DOUBLE",
  target_q: "VECTOR6D",
  target_qd: "VECTOR6D",
  actual_q: "VECTOR6D",
  actual_qd: "VECTOR6D",
  actual_current: "VECTOR6D",
  target_moment: "VECTOR6D",
  speed_scaling: "DOUBLE",
  runtime_state: "UINT32",
  robot_mode: "INT32",
  safety_mode: "INT32",
  payload: "DOUBLE",
};

/** A controller as a test wants it: it answers by script, and moves when it is told to. */
export class FakeUr {
  version: 1 | 2 = 2;
  major = 5;
  q = [0, 0, 0, 0, 0, 0];
  timestamp = 100;
  speedScaling = 1;
  runtimeState = 1;
  robotMode = 7;
  safetyMode = 1;
  isRemote = true;
  /** What the primary port answers to a program instead of running it. */
  refusal: Buffer | null = null;
  missing: readonly string[] = [];
  /** Requests of RTDE, lines of the dashboard and programs, as they came. */
  readonly requests: string[] = [];
  readonly orders: string[] = [];
  readonly programs: string[] = [];
  /** The last command that the program received, and how many. */
  command: readonly number[] = [];
  commands = 0;
  /** How many of them were set points. */
  setPoints = 0;
  #names: readonly string[] = [];
  #rtde: Socket | null = null;
  #program: Socket | null = null;
  readonly #servers: Server[] = [];
  readonly #sockets: Socket[] = [];

  static async start(): Promise<FakeUr> {
    const fake = new FakeUr();
    await fake.#serve((socket) => fake.#openRtde(socket));
    await fake.#serve((socket) => fake.#openPrimary(socket));
    await fake.#serve((socket) => fake.#openDashboard(socket));
    return fake;
  }

  /** Ports of state, programs and dashboard. */
  get ports(): { readonly rtde: number; readonly primary: number; readonly dashboard: number } {
    const [rtde = 0, primary = 0, dashboard = 0] = this.#servers.map((server) => {
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : 0;
    });
    return { rtde, primary, dashboard };
  }

  get hasProgram(): boolean {
    return this.#program !== null;
  }

  async #serve(open: (socket: Socket) => void): Promise<void> {
    const server = createServer({ noDelay: true }, (socket) => {
      this.#sockets.push(socket);
      socket.on("error", () => socket.destroy());
      open(socket);
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }

  #openRtde(socket: Socket): void {
    let bytes = Buffer.alloc(0);
    socket.on("data", (part) => {
      bytes = Buffer.concat([bytes, part]);
      while (bytes.length >= 3 && bytes.length >= bytes.readUInt16BE(0)) {
        const size = bytes.readUInt16BE(0);
        this.#answer(socket, String.fromCharCode(bytes[2]!), bytes.subarray(3, size));
        bytes = bytes.subarray(size);
      }
    });
    socket.on("close", () => {
      if (this.#rtde === socket) this.#rtde = null;
    });
  }

  #answer(socket: Socket, type: string, payload: Buffer): void {
    this.requests.push(type);
    if (type === "V") reply(socket, type, Buffer.of(payload.readUInt16BE(0) <= this.version ? 1 : 0));
    if (type === "v") {
      const version = Buffer.alloc(16);
      version.writeUInt32BE(this.major, 0);
      version.writeUInt32BE(11, 4);
      // A message that comes between request and answer.
      reply(socket, "M", Buffer.from("\x02hi\x00\x03", "latin1"));
      reply(socket, type, version);
    }
    if (type === "O") {
      this.#names = payload.toString("latin1", this.version === 2 ? 8 : 0).split(",");
      const types = this.#names.map((name) =>
        this.missing.includes(name) ? "NOT_FOUND" : (known[name] ?? "NOT_FOUND"),
      );
      const id = this.version === 2 ? Buffer.of(1) : Buffer.alloc(0);
      reply(socket, type, Buffer.concat([id, Buffer.from(types.join(","))]));
    }
    if (type === "S") {
      this.#rtde = socket;
      // The first state overtakes the answer.
      this.report();
      reply(socket, type, Buffer.of(1));
    }
  }

  /** Sends the state, `seconds` after the last. */
  report(seconds = 0.002): void {
    this.timestamp += seconds;
    const values: Readonly<Record<string, readonly number[]>> = {
      timestamp: [this.timestamp],
      actual_q: this.q,
      speed_scaling: [this.speedScaling],
      runtime_state: [this.runtimeState],
      robot_mode: [this.robotMode],
      safety_mode: [this.safetyMode],
      payload: [1.25],
    };
    const parts = this.#names.map((name) => {
      const doubles = known[name] === "VECTOR6D" ? 6 : 1;
      const bytes = Buffer.alloc(known[name]?.includes("INT") ? 4 : 8 * doubles);
      const numbers = values[name] ?? new Array<number>(doubles).fill(0);
      if (bytes.length === 4) bytes.writeInt32BE(numbers[0]!);
      else for (const [i, number] of numbers.entries()) bytes.writeDoubleBE(number, 8 * i);
      return bytes;
    });
    const id = this.version === 2 ? [Buffer.of(1)] : [];
    if (this.#rtde !== null) reply(this.#rtde, "U", Buffer.concat([...id, ...parts]));
  }

  /** Sends bytes as they are where the state belongs. */
  babble(bytes: Buffer): void {
    this.#rtde?.write(bytes);
  }

  dropState(): void {
    this.#rtde?.destroy();
  }

  #openPrimary(socket: Socket): void {
    socket.on("data", (bytes) => {
      const text = bytes.toString();
      this.programs.push(text);
      if (this.refusal !== null) {
        socket.write(this.refusal);
        return;
      }
      const line = (name: string) => new RegExp(`^  ${name} = (.*)$`, "m").exec(text)?.[1] ?? "";
      this.#runProgram(line("FLY_HOST").replaceAll('"', ""), Number(line("FLY_REVERSE_PORT")));
    });
  }

  #runProgram(host: string, port: number): void {
    const socket = connect({ host, port, noDelay: true });
    this.#sockets.push(socket);
    let bytes = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("connect", () => {
      this.#program = socket;
      this.runtimeState = 2;
      this.report();
    });
    socket.on("data", (part) => {
      bytes = Buffer.concat([bytes, part]);
      for (; bytes.length >= 32; bytes = bytes.subarray(32)) this.#obey(bytes);
    });
    socket.on("close", () => this.endProgram());
  }

  #obey(bytes: Buffer): void {
    this.command = Array.from({ length: 8 }, (_, k) => bytes.readInt32BE(4 * k));
    this.commands++;
    if (this.command[7] === 1) this.setPoints++;
    if (this.command[7] === -2) this.endProgram();
  }

  /** The program ends, for whatever reason. */
  endProgram(): void {
    this.#program?.destroy();
    this.#program = null;
    this.runtimeState = 1;
  }

  #openDashboard(socket: Socket): void {
    socket.write("Connected: Universal Robots Dashboard Server\n");
    socket.on("data", (bytes) => {
      for (const line of bytes.toString().trim().split("\n")) {
        this.orders.push(line);
        if (line === "is in remote control") socket.write(`${this.isRemote}\n`);
        else if (line === "power on") socket.write("Powering on\n");
        else if (line === "brake release") socket.write("Brake releasing\n");
        else if (line === "unlock protective stop") socket.write("Protective stop releasing\n");
        else socket.write("done\n");
      }
    });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

function reply(socket: Socket, type: string, payload: Buffer): void {
  const header = Buffer.alloc(3);
  header.writeUInt16BE(3 + payload.length, 0);
  header.write(type, 2, "latin1");
  socket.write(Buffer.concat([header, payload]));
}
