import { IncomingMessage } from "node:http";

/** What Node's parser found. */
const asked = Symbol("asked for an upgrade");

/**
 * A request class for a server with WebSockets. Node hands every request that asks for an upgrade to the listeners for that, and its
 * socket leaves the server for good. Here only what can become a WebSocket counts: a GET with a key, at a route that is one. An
 * upgrade to anything else is ignored, and the request answered as any other (RFC 9110, 7.8): clients offer `h2c` with each request.
 */
export function messagesWithUpgradesTo(isWebSocketPath: (path: string) => boolean): typeof IncomingMessage {
  class UpgradableMessage extends IncomingMessage {
    declare [asked]: boolean | null;

    set upgrade(value: boolean | null) {
      this[asked] = value;
    }

    get upgrade(): boolean {
      const { upgrade = "", "sec-websocket-key": key } = this.headers;
      if (this[asked] !== true || this.method !== "GET" || key === undefined) return false;
      return upgrade.toLowerCase() === "websocket" && isWebSocketPath((this.url ?? "").split("?", 1)[0]!);
    }
  }
  return UpgradableMessage;
}

/** Whether a request's socket has left the server to become a WebSocket. */
export function isUpgrading(message: IncomingMessage): boolean {
  return (message as IncomingMessage & { readonly upgrade?: boolean }).upgrade === true;
}
