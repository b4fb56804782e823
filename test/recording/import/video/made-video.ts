import { gravity } from "../../../../src/flight/ball.js";
import { Flight } from "../../../../src/flight/flight.js";
import type * as pose from "../../../../src/math/pose.js";
import * as vec3 from "../../../../src/math/vec3.js";
import { relativePose, stateAt } from "../../../../src/robot/kinematics/kinematics.js";
import type { Robot } from "../../../../src/robot/robot.js";
import { ImageEye } from "../../../../src/simulation/eyes/image-eyes.js";
import { createRigidMotion } from "../../../../src/simulation/head-motion/elastic-chain.js";
import type { ColourRoom } from "../../../../src/simulation/rendering/colour-renderer.js";
import type { Room } from "../../../../src/simulation/rendering/room.js";

export interface MadePicture {
  readonly width: number;
  readonly height: number;
  readonly encoding: "mono8" | "rgb8";
  readonly pixels: Uint8Array;
}

/** The true flight of the throw. */
export function trueFlight(): Flight {
  const flight = new Flight();
  const state = { time: 0, position: vec3.create(5, 0.3, 1.5), velocity: vec3.create(-6, -0.2, 3.6), drag: 0.032 };
  flight.reset(state, gravity(), 0, 1.2);
  return flight;
}

/** What both cameras of a standing robot see of a throw: pictures of each side, `rateHz` of them a second. */
export function renderedThrow(
  robot: Robot,
  room: Room | ColourRoom,
  { frames = 16, rateHz = 25, ballColour }: { frames?: number; rateHz?: number; ballColour?: string } = {},
): Record<"left" | "right", MadePicture[]> {
  const { frames: links, model, postures } = robot;
  const head = createRigidMotion();
  relativePose(stateAt(model, postures.get("ready")), links.world ?? 0, links.head!, head.worldFromBody as pose.Pose);
  const flight = trueFlight();
  const look = (side: "left" | "right"): MadePicture[] => {
    const eye = new ImageEye(robot, side, room, { seed: `video ${side}`, ballRadius: 0.0425, ballColour });
    return Array.from({ length: frames }, (_, k) => {
      const time = k / rateHz;
      const position = flight.position(time, vec3.create());
      const image = eye.createImage();
      eye.see(head, [{ position, velocity: flight.velocity(time, vec3.create()) }], k, image);
      return { ...image, encoding: eye.encoding };
    });
  };
  return { left: look("left"), right: look("right") };
}

/** YUV4MPEG2 with colour in one of four pixels and values from 16 to 235, as most decoders write it. */
export function y4mOf(pictures: readonly MadePicture[], rateHz = 25): Buffer {
  const { width, height } = pictures[0]!;
  const parts: Uint8Array[] = [Buffer.from(`YUV4MPEG2 W${width} H${height} F${rateHz}:1 Ip A1:1 C420jpeg\n`)];
  for (const picture of pictures) parts.push(Buffer.from("FRAME\n"), planesOf(picture));
  return Buffer.concat(parts);
}

function planesOf({ width, height, encoding, pixels }: MadePicture): Uint8Array {
  const [columns, rows] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const out = new Uint8ClampedArray(width * height + 2 * columns * rows);
  const at = (i: number, k: number): number => (encoding === "rgb8" ? pixels[3 * i + k]! : pixels[i]!);
  const luma = (i: number): number => 0.299 * at(i, 0) + 0.587 * at(i, 1) + 0.114 * at(i, 2);
  for (let i = 0; i < width * height; i++) out[i] = 16 + (219 / 255) * luma(i);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      let [blue, red] = [0, 0];
      for (const [dx, dy] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ] as const) {
        const i = Math.min(height - 1, 2 * y + dy) * width + Math.min(width - 1, 2 * x + dx);
        blue += (at(i, 2) - luma(i)) / 1.772 / 4;
        red += (at(i, 0) - luma(i)) / 1.402 / 4;
      }
      const to = width * height + y * columns + x;
      out[to] = 128 + (224 / 255) * blue;
      out[to + columns * rows] = 128 + (224 / 255) * red;
    }
  }
  return new Uint8Array(out.buffer);
}

/** A Motion JPEG in AVI of pictures that are JPEG already. */
export function aviOf(jpegs: readonly Buffer[], width: number, height: number, rateHz = 25): Buffer {
  const chunk = (name: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.write(name, 0, "latin1");
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const list = (kind: string, ...chunks: Buffer[]) =>
    chunk("LIST", Buffer.concat([Buffer.from(kind, "latin1"), ...chunks]));
  const avih = Buffer.alloc(56);
  avih.writeUInt32LE(Math.round(1e6 / rateHz), 0);
  const strf = Buffer.alloc(40);
  strf.writeUInt32LE(40, 0);
  strf.writeInt32LE(width, 4);
  strf.writeInt32LE(height, 8);
  strf.write("MJPG", 16, "latin1");
  const strh = Buffer.alloc(56);
  strh.write("vidsMJPG", 0, "latin1");
  const headers = list("hdrl", chunk("avih", avih), list("strl", chunk("strh", strh), chunk("strf", strf)));
  const frames = list("movi", ...jpegs.map((jpeg) => chunk("00dc", jpeg)));
  const body = Buffer.concat([Buffer.from("AVI ", "latin1"), headers, chunk("JUNK", Buffer.alloc(101)), frames]);
  return chunk("RIFF", body);
}
