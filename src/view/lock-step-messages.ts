import type { ThrowResult } from "../catching/run-summary.js";
import type { PageMessage } from "../messages/page.js";
import type { BallColour } from "../messages/sensing.js";
import type { CatchMode } from "../planning/problem/objectives.js";
import type { PerceptionKind } from "../run/graph.js";
import type { RunSettings } from "../run/run-settings.js";
import type { Challenges } from "../simulation/head-motion/challenges.js";
import type { WorldKind } from "../simulation/simulated-world.js";
import type { Throw } from "../simulation/world/throws.js";
import type { Graph } from "../transport/graph.js";
import type { NodeReport } from "../transport/node-status.js";
import type { ThreadTrace } from "../transport/thread-traces.js";
import type { FieldSeries } from "./field-taps.js";
import type { ImagePacket } from "./pose-packet.js";
import type { SweptPacket } from "./swept-packet.js";
import type { TraceInstant } from "./trace-file.js";

/** What the thread of a lock-step run is started with. */
export interface LockStepInput extends RunSettings {
  readonly robot: string;
  readonly arms?: readonly string[] | undefined;
  readonly perception: PerceptionKind;
  readonly world: WorldKind;
  readonly balls: number;
  readonly seed: number;
  /** Of `Pace`, of `Heartbeats` for the run's thread, and of `StopLine`. */
  readonly pace: SharedArrayBuffer;
  readonly heartbeats: SharedArrayBuffer;
  readonly stopLine: SharedArrayBuffer;
}

/** What may be asked of it. */
export type LockStepRequest =
  | { readonly type: "throw"; readonly balls: readonly Throw[] }
  | { readonly type: "mode"; readonly mode: CatchMode }
  | { readonly type: "challenges"; readonly challenges: Partial<Challenges> }
  | { readonly type: "colour"; readonly colour: BallColour }
  | { readonly type: "reset" }
  | { readonly type: "images"; readonly wanted: boolean }
  | { readonly type: "swept"; readonly wanted: boolean }
  | { readonly type: "fields"; readonly fields: readonly string[] }
  | { readonly type: "trace"; readonly seconds: number };

/** What it reports. `idle`: it has nothing to throw any more. */
export type LockStepReport =
  | { readonly type: "message"; readonly message: PageMessage }
  | { readonly type: "result"; readonly time: number; readonly result: ThrowResult }
  | { readonly type: "pose"; readonly bytes: Uint8Array }
  | { readonly type: "image"; readonly image: ImagePacket }
  | { readonly type: "swept"; readonly volumes: SweptPacket }
  | { readonly type: "idle" }
  /** The system's number of the run's thread, and the graph that it runs. */
  | { readonly type: "thread"; readonly thread: number; readonly graph: Graph }
  /** How the nodes fare; times on the run's clock and on the wall's. */
  | {
      readonly type: "status";
      readonly runNs: number;
      readonly wallNs: number;
      readonly reports: readonly NodeReport[];
    }
  | { readonly type: "samples"; readonly time: number; readonly series: readonly FieldSeries[] }
  | { readonly type: "trace"; readonly trace: ThreadTrace; readonly instants: readonly TraceInstant[] };
