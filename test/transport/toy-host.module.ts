import { ComponentStatus } from "../../src/messages/report.js";
import type { HostInput } from "../../src/transport/host-input.js";
import { NodeHost } from "../../src/transport/node-host.js";
import { workerInput } from "../../src/transport/workers/worker-context.js";
import { toyNode, toyPorts } from "./toy-nodes.js";

const host = new NodeHost(workerInput<HostInput>(), toyPorts, ComponentStatus);
await host.build((_, kind, { wiring }) => toyNode(kind, wiring, () => host.clock.nowNs()));
await host.run();
