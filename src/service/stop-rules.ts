import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../runtime/loopback.js";
import { bearerIn, nameOfHost } from "./access-rules.js";

/** Who may stop the robot over HTTP: the rules of the service, for a listener that pages reach at another port. */
export interface StopRules {
  /** Whether it is the configured token; null: none is configured. */
  readonly isToken: ((candidate: string) => boolean) | null;
  /** Port of the service, whose page may ask. */
  readonly pagePort: number;
}

/** What a request may do. `preflight`: a browser asks for a page whether it may ask; the robot goes on. */
export type StopVerdict =
  | { readonly kind: "stop" }
  | { readonly kind: "preflight" }
  | {
      readonly kind: "refused";
      readonly code: "FLY_HTTP_TOKEN_WRONG" | "FLY_HTTP_ORIGIN_REFUSED" | "FLY_HTTP_HOST_REFUSED";
    };

/** Judges a request by its headers alone: no method, body or content type is asked for. */
export function judgeStop(method: string, headers: IncomingHttpHeaders, rules: StopRules): StopVerdict {
  if (!isOwnPage(headers, rules)) return { kind: "refused", code: "FLY_HTTP_ORIGIN_REFUSED" };
  if (rules.isToken === null && !isLoopbackHost(headers)) return { kind: "refused", code: "FLY_HTTP_HOST_REFUSED" };
  if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined) return { kind: "preflight" };
  if (rules.isToken !== null && !rules.isToken(bearerIn(headers.authorization) ?? "")) {
    return { kind: "refused", code: "FLY_HTTP_TOKEN_WRONG" };
  }
  return { kind: "stop" };
}

/** Programs name no origin; a browser names that of the page, or says at least that the page is foreign. */
function isOwnPage(
  { origin, host = "", "sec-fetch-site": site }: IncomingHttpHeaders,
  { pagePort }: StopRules,
): boolean {
  if (origin === undefined) return site !== "cross-site" && site !== "same-site";
  if (!URL.canParse(origin)) return false;
  const { hostname, port, protocol, host: from } = new URL(origin);
  if (from === host) return true;
  const pageIs = Number(port === "" ? (protocol === "https:" ? 443 : 80) : port);
  return hostname === nameOfHost(host) && pageIs === pagePort;
}

function isLoopbackHost({ host = "" }: IncomingHttpHeaders): boolean {
  const name = nameOfHost(host);
  return name === "" || isLoopback(name);
}

/** What lets the service's own page read the answer. */
export function crossOriginHeaders({ origin }: IncomingHttpHeaders): Record<string, string> {
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-headers": "authorization, content-type",
    "access-control-allow-methods": "*",
    "access-control-max-age": "600",
    vary: "origin",
  };
}
