import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { Config, PartName } from "../runtime/config-schema.js";
import type { Logger } from "../runtime/logger.js";
import type { MetricsRegistry } from "./metrics.js";
import type { RobotLibrary } from "./robot-library.js";
import type { SessionSlot } from "./session-slot.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether anyone may read it, without a token. */
    isPublic?: boolean;
    /** Whether pages of any origin may open it; for what can only be looked at. */
    isForAllOrigins?: boolean;
  }
}

/** The Fastify application, typed by TypeBox schemas. */
export type ServiceInstance = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What resources work with. */
export interface ServiceContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly robots: RobotLibrary;
  readonly metrics: MetricsRegistry;
  readonly readiness: Readiness;
  readonly live: SessionSlot;
}

/** One resource of the API, in one file: its routes and what they need, registered in a Fastify scope of its own. */
export interface Resource {
  readonly name: string;
  /** Registered only in profiles that run this part. */
  readonly part?: PartName;
  register(app: ServiceInstance, context: ServiceContext): void | Promise<void>;
}

/** Says why a component cannot work yet; nothing if it can. */
type ReadinessCheck = () => string | undefined;

/** Whether the service can do its work: the sum of what its components say. */
export class Readiness {
  readonly #checks = new Map<string, ReadinessCheck>();

  add(component: string, check: ReadinessCheck): void {
    this.#checks.set(component, check);
  }

  /** What each component that is not ready says; empty means ready. */
  obstacles(): Record<string, string> {
    const reports = [...this.#checks].map(([component, check]) => [component, report(check)] as const);
    return Object.fromEntries(reports.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  get components(): string[] {
    return [...this.#checks.keys()];
  }
}

function report(check: ReadinessCheck): string | undefined {
  try {
    return check();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
