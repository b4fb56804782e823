import type { TopicDescription } from "../recording/mcap/mcap-writer.js";

/** Names of the protocol that Foxglove's clients ask for: today's, and the one before, which says the same. */
export const foxgloveProtocols = ["foxglove.sdk.v1", "foxglove.websocket.v1"] as const;

/** Opcode of a message's data, and the bytes before its content: opcode, subscription, time. */
const MESSAGE_DATA = 1;
const DATA_HEADER = 13;

export function serverInfo(name: string, sessionId: string): string {
  return JSON.stringify({ op: "serverInfo", name, capabilities: [], metadata: {}, sessionId });
}

/** Channels are numbered by their place in the list. */
export function advertise(topics: readonly TopicDescription[]): string {
  const channels = topics.map(({ topic, name, schema }, id) => ({
    id,
    topic,
    encoding: "json",
    schemaName: name,
    schemaEncoding: "jsonschema",
    schema: JSON.stringify(schema),
  }));
  return JSON.stringify({ op: "advertise", channels });
}

/** A message of a channel, under the number that the client gave to its subscription. */
export function messageData(subscription: number, timeNs: number, json: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(DATA_HEADER + json.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = MESSAGE_DATA;
  view.setUint32(1, subscription, true);
  view.setBigUint64(5, BigInt(timeNs), true);
  bytes.set(json, DATA_HEADER);
  return bytes;
}

/** The requests that are handled. */
type FoxgloveRequest =
  | { readonly op: "subscribe"; readonly subscriptions: readonly { readonly id: number; readonly channelId: number }[] }
  | { readonly op: "unsubscribe"; readonly subscriptionIds: readonly number[] };

/** null for anything else: clients also ask for what we did not offer. */
export function parseFoxgloveRequest(text: string): FoxgloveRequest | null {
  try {
    const request = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    const { op, subscriptions, subscriptionIds } = request ?? {};
    if (op === "subscribe" && Array.isArray(subscriptions) && subscriptions.every(isSubscription)) {
      return { op, subscriptions };
    }
    if (op === "unsubscribe" && Array.isArray(subscriptionIds) && subscriptionIds.every(isId)) {
      return { op, subscriptionIds };
    }
    return null;
  } catch {
    return null;
  }
}

function isSubscription(value: unknown): value is { id: number; channelId: number } {
  const { id, channelId } = (value ?? {}) as Partial<Record<string, unknown>>;
  return isId(id) && isId(channelId);
}

function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffff_ffff;
}
