import { foxgloveProtocols } from "./foxglove-protocol.js";

/** What clients of the stream ask for, and get. */
const STREAM_PROTOCOL = "flycatcher.v1";

/** Where the service has a token, a client offers a second protocol, this with the token after it. */
const BEARER = "bearer.";

/** The token that a WebSocket's handshake carries; empty if it carries none. */
export function tokenOfProtocols(header: string | undefined): string {
  const offered = (header ?? "").split(",").map((name) => name.trim());
  return offered.find((name) => name.startsWith(BEARER))?.slice(BEARER.length) ?? "";
}

/** The protocol to speak with a client that offers some: the first that we know; false if there is none. */
export function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return [STREAM_PROTOCOL, ...foxgloveProtocols].find((name) => offered.has(name)) ?? false;
}
