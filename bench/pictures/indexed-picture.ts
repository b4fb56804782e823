import { crc32, deflateSync } from "node:zlib";

/** Levels of gray in a picture: fewer than an image has, so that its noise does not fill the file. */
const GRAYS = 48;
const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

export type Color = readonly [red: number, green: number, blue: number];

/** A gray picture with coloured lines on it, written as an indexed PNG. */
export class Picture {
  readonly width: number;
  readonly height: number;
  readonly #indices: Uint8Array;
  readonly #palette: Color[] = Array.from({ length: GRAYS }, (_, i) => {
    const gray = Math.round((255 * i) / (GRAYS - 1));
    return [gray, gray, gray];
  });

  constructor(width: number, height: number, gray: Uint8Array) {
    this.width = width;
    this.height = height;
    this.#indices = Uint8Array.from(gray, (value) => Math.round((value * (GRAYS - 1)) / 255));
  }

  /** Draws a circle, `thickness` wide [px]. */
  circle(u: number, v: number, r: number, thickness: number, color: Color): void {
    const index = this.#indexOf(color);
    const reach = r + thickness;
    for (let y = Math.ceil(v - reach); y <= v + reach; y++) {
      for (let x = Math.ceil(u - reach); x <= u + reach; x++) {
        const isInside = x >= 0 && y >= 0 && x < this.width && y < this.height;
        if (isInside && Math.abs(Math.hypot(x - u, y - v) - r) <= thickness / 2)
          this.#indices[y * this.width + x] = index;
      }
    }
  }

  encode(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.width, 0);
    header.writeUInt32BE(this.height, 4);
    header.set([8, 3, 0, 0, 0], 8);
    const rows = Buffer.alloc(this.height * (this.width + 1));
    for (let y = 0; y < this.height; y++) {
      rows.set(this.#indices.subarray(y * this.width, (y + 1) * this.width), y * (this.width + 1) + 1);
    }
    return Buffer.concat([
      SIGNATURE,
      chunk("IHDR", header),
      chunk("PLTE", Buffer.from(this.#palette.flat())),
      chunk("IDAT", deflateSync(rows, { level: 9 })),
      chunk("IEND", Buffer.alloc(0)),
    ]);
  }

  #indexOf(color: Color): number {
    const known = this.#palette.findIndex((entry) => entry.every((part, i) => part === color[i]));
    return known >= 0 ? known : this.#palette.push(color) - 1;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
