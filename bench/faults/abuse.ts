import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Random } from "../../src/math/random.js";
import { send } from "./http-request.js";
import { heavyRequests } from "./loop-blocking.js";
import type { ServedRun } from "./served-run.js";

/** What a client does to a service, over and over, until it is ended. */
export interface Abuse {
  readonly name: string;
  /** Once; called again as soon as it has settled. */
  readonly once: (run: ServedRun, sockets: Set<Socket>) => Promise<unknown>;
  /** How many do it at a time. */
  readonly clients: number;
}

/** Sockets that one client holds open at a time. */
const MOST_SOCKETS = 400;
const PAUSE_MS = 5;

function talk(run: ServedRun, sockets: Set<Socket>, text: string, url = run.serviceUrl): Promise<void> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.add(socket);
  socket.on("error", () => undefined);
  socket.once("close", () => sockets.delete(socket));
  socket.write(text);
  socket.resume();
  if (sockets.size > MOST_SOCKETS) sockets.values().next().value?.destroy();
  return pause(PAUSE_MS);
}

/** What once held the service up, kept its sockets, or let it wait. */
export function abuses(seed: number): readonly Abuse[] {
  const random = new Random(`abuse ${seed}`);
  const heavy = heavyRequests();
  const bytes = Buffer.from(Array.from({ length: 20_000 }, () => random.integer(256)));
  return [
    { name: "nothing", clients: 1, once: () => pause(100) },
    {
      name: "heavy requests",
      clients: 3,
      once: (run) => {
        const { path, type, body } = heavy[random.integer(heavy.length)]!;
        return send(`${run.serviceUrl}${path}`, { method: "POST", type, body });
      },
    },
    {
      name: "uploads that are no recordings",
      clients: 4,
      once: (run) => {
        const body = Buffer.from([...mcapMagic, ...bytes, ...mcapMagic]);
        return send(`${run.serviceUrl}/v1/recordings`, { method: "POST", type: "application/octet-stream", body });
      },
    },
    {
      name: "upgrades to HTTP/2",
      clients: 2,
      once: (run, sockets) =>
        talk(run, sockets, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"),
    },
    {
      name: "requests that never end",
      clients: 2,
      once: (run, sockets) => talk(run, sockets, "POST /v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Le"),
    },
    {
      name: "the same at the stop's port",
      clients: 2,
      once: (run, sockets) => talk(run, sockets, "GET / HTTP/1.1\r\nHost: loc", run.stopUrl),
    },
    {
      name: "batches of plans",
      clients: 2,
      once: (run) => {
        const batch = Array.from({ length: 50 }, () => ({ robot: "lwr-arm", ball: { state: someBall(random) } }));
        return run.post("/v1/plan/batch", batch);
      },
    },
    {
      name: "viewers that change their mind",
      clients: 2,
      once: async ({ serviceUrl }) => {
        const socket = new WebSocket(`${serviceUrl.replace("http", "ws")}/v1/live/stream`);
        await new Promise((resolve) => {
          socket.onopen = resolve;
          socket.onerror = resolve;
        });
        for (let k = 0; k < 500 && socket.readyState === WebSocket.OPEN; k++) {
          socket.send(JSON.stringify({ type: "watch", swept: k % 2 === 0, images: false }));
        }
        await pause(20);
        socket.close();
      },
    },
    {
      name: "recordings switched on and off",
      clients: 2,
      once: async (run) => {
        await run.post("/v1/live/recording", { on: random.integer(2) === 0 }, "PUT");
        await pause(50);
      },
    },
  ];
}

const mcapMagic = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a];

function someBall(random: Random): object {
  return { position: [5, random.uniformIn(-0.5, 0.5), 1.6], velocity: [-6, random.uniformIn(-0.3, 0.3), 3] };
}

/** Lets clients do an abuse while `work` goes on; an answer that fails is no failure of the measurement. */
export async function underAbuse<T>({ once, clients }: Abuse, run: ServedRun, work: () => Promise<T>): Promise<T> {
  const over = { isTrue: false };
  const client = async (): Promise<void> => {
    const sockets = new Set<Socket>();
    while (!over.isTrue) await once(run, sockets).catch(() => pause(PAUSE_MS));
    for (const socket of sockets) socket.destroy();
  };
  const all = Array.from({ length: clients }, client);
  try {
    return await work();
  } finally {
    over.isTrue = true;
    await Promise.all(all);
  }
}
