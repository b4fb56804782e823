import { array, u32 } from "../src/transport/channels/field.js";
import { type PacketType, packet } from "../src/transport/channels/packet.js";

/** The packet of the stress test: a plain array of P bytes. */
export type Payload = PacketType<{ readonly words: Uint32Array }>;

export function payloadPacket(byteCount: number): Payload {
  return packet("Payload", 1, { words: array(u32, byteCount / 4) });
}

/** Ends a client's loop. */
export const lastRound = 0xffff_ffff;
