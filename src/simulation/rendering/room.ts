import { Random } from "../../math/random.js";
import { type Material, makeNoise, Texture } from "./texture.js";
import { makeLevels, type TextureLevel } from "./texture-levels.js";
import { type ColourChannel, drawTint, lampTint, skinTint, skyTint } from "./tint.js";

/** The painted texture of a face, ready for lookup. */
interface Face {
  readonly texelsPerMetre: number;
  readonly levels: readonly TextureLevel[];
}

/** Axis-aligned corners [m] in the world frame. */
export interface Extent {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

export interface RoomOptions {
  /** The inside of the room; the robot stands at the origin and looks along x. */
  readonly extent?: Extent;
  /** Texture resolution on walls, floor and ceiling [1/m]. */
  readonly texelsPerMetre?: number;
  /** How many boxes stand about, at random; or these. */
  readonly boxCount?: number;
  readonly boxes?: readonly Extent[];
  /** Mean gray value of the walls. */
  readonly wallGray?: number;
  /** One channel of a colour image of the room; left out: gray. */
  readonly channel?: ColourChannel;
}

/** A round thing on a wall or ceiling that a detector of balls may take for one. */
export interface Disc {
  /** [m] in the world frame. */
  readonly centre: readonly [number, number, number];
  readonly radius: number;
}

/** The faces of an extent, in the order of face numbers: x min, x max, y min, y max, z min, z max. */
export const FACES = 6;

const defaultExtent: Extent = { min: [-3, -4, 0], max: [7.5, 4, 3.2] };
const BOX_TEXELS_PER_METRE = 150;
/** How strong the colours of surfaces are at most, from 0 to 1. */
const TINTS = { walls: 0.1, floor: 0.15, posters: 0.7, doors: 0.4, boxes: 0.5 } as const;

/**
 * A lab for cameras to look at: a box of textured walls, floor and ceiling with windows, a door, posters, a clock and
 * round lamps painted on, and tables and cabinets standing about. The same seed gives the same room.
 *
 * Face f of solid b has the number 6·b + f; solid 0 is the room itself, seen from inside, the others are boxes. A face's
 * texture spans the two other axes (y, z on faces across x; x, z across y; y, x across z).
 */
export class Room {
  readonly extent: Extent;
  readonly boxes: readonly Extent[];
  readonly discs: readonly Disc[];
  /** Of all solids, by number. */
  readonly faces: readonly Face[];

  constructor(seed: number | string, options: RoomOptions = {}) {
    const { extent = defaultExtent, texelsPerMetre = 200, boxCount = 6, wallGray = 120, channel = null } = options;
    const random = new Random(seed).fork("room");
    const noise = makeNoise(random.fork("noise"));
    this.extent = extent;
    this.boxes = options.boxes ?? Array.from({ length: boxCount }, (_, i) => placeBox(extent, random.fork(`box ${i}`)));
    const walls = paintRoom({ extent, texelsPerMetre, noise, channel }, wallGray, random.fork("walls"));
    this.discs = walls.flatMap(({ marks }, face) => marks.map((mark) => placeDisc(extent, face, mark)));
    const textures = [
      ...walls.map(({ texture }) => texture),
      ...this.boxes.flatMap((box, i) =>
        paintBox({ extent: box, texelsPerMetre: BOX_TEXELS_PER_METRE, noise, channel }, random.fork(`paint ${i}`)),
      ),
    ];
    this.faces = textures.map((texture) => ({
      texelsPerMetre: texture.texelsPerMetre,
      levels: makeLevels(texture),
    }));
  }
}

/** Tables and cabinets along the far and the side walls, out of the throws' way. */
function placeBox({ min, max }: Extent, random: Random): Extent {
  const size = [random.uniformIn(0.3, 1.2), random.uniformIn(0.3, 1.4), random.uniformIn(0.4, 1.5)] as const;
  const isFar = random.uniform() < 0.5;
  const side = random.uniform() < 0.5 ? -1 : 1;
  const x = isFar ? max[0] - size[0] - random.uniformIn(0, 0.4) : random.uniformIn(2, max[0] - size[0]);
  const away = random.uniformIn(0, 0.4);
  const y = isFar ? random.uniformIn(min[1], max[1] - size[1]) : side < 0 ? min[1] + away : max[1] - size[1] - away;
  return { min: [x, y, min[2]], max: [x + size[0], y + size[1], min[2] + size[2]] };
}

/**
 * The axes along which the texture of a face across `axis` has its rows and its columns. Rows of an image mostly run along
 * rows of textures then, which is kind to the cache.
 */
function facePlane(axis: number): readonly [number, number] {
  return axis === 0 ? [1, 2] : axis === 1 ? [0, 2] : [1, 0];
}

/** What the textures of a solid have in common. */
interface Canvasses {
  readonly extent: Extent;
  readonly texelsPerMetre: number;
  readonly noise: Float32Array;
  readonly channel: ColourChannel | null;
}

function faceTexture({ extent: { min, max }, texelsPerMetre, noise, channel }: Canvasses, face: number): Texture {
  const [s, t] = facePlane(face >> 1);
  return new Texture(max[s]! - min[s]!, max[t]! - min[t]!, texelsPerMetre, noise, channel);
}

/** A disc painted at (s, t) of a texture [m]. */
interface Mark {
  readonly s: number;
  readonly t: number;
  readonly radius: number;
}

function placeDisc({ min, max }: Extent, face: number, { s, t, radius }: Mark): Disc {
  const axis = face >> 1;
  const [along, down] = facePlane(axis);
  const centre: [number, number, number] = [...min];
  centre[axis] = face % 2 === 0 ? min[axis]! : max[axis]!;
  centre[along] = min[along]! + s;
  centre[down] = min[down]! + t;
  return { centre, radius };
}

interface PaintedFace {
  readonly texture: Texture;
  readonly marks: readonly Mark[];
}

function paintRoom(solid: Canvasses, gray: number, random: Random): PaintedFace[] {
  return Array.from({ length: FACES }, (_, face) => {
    const texture = faceTexture(solid, face);
    const paint = face === 4 ? paintFloor : face === 5 ? paintCeiling : paintWall;
    return { texture, marks: paint(texture, gray, random.fork(`face ${face}`)) };
  });
}

/** Walls: t runs upwards. */
function paintWall(texture: Texture, gray: number, random: Random): Mark[] {
  const marks: Mark[] = [];
  const across = (texture.width - 2) / texture.texelsPerMetre;
  const wall = drawTint(random.fork("tint"), TINTS.walls);
  const plaster: Material = { gray: gray * random.uniformIn(0.8, 1.2), coarse: 5, fine: 1.5 };
  texture.dip(wall).cover(plaster, random.uniformIn(-0.5, 0.5), random.uniformIn(0, 0.3), random);
  texture.rectangle(0, 0, across, 0.1, gray * 0.5);
  for (let s = random.uniformIn(0.3, 1); s < across - 1.2; s += random.uniformIn(1.3, 2.2)) {
    const kind = random.uniform();
    if (kind < 0.35) paintWindow(texture, s, random);
    else if (kind < 0.75) paintPoster(texture, s, random);
    else if (kind < 0.85) paintDoor(texture, s, gray, random);
    else marks.push(paintClock(texture, s + 0.4, random));
    texture.dip(wall);
  }
  return marks;
}

function paintWindow(texture: Texture, s: number, random: Random): void {
  const [bottom, top, width] = [1, 2.3, random.uniformIn(0.8, 1.1)];
  texture.rectangle(s - 0.06, bottom - 0.06, s + width + 0.06, top + 0.06, 70);
  const sky = random.uniformIn(200, 250);
  texture.dip(skyTint);
  texture.rectangle(s, bottom, s + width, top, sky);
  texture.rectangle(s, bottom, s + width, bottom + random.uniformIn(0.2, 0.6), sky * 0.7);
  texture.rectangle(s + width / 2 - 0.025, bottom, s + width / 2 + 0.025, top, 80);
}

function paintPoster(texture: Texture, s: number, random: Random): void {
  const [bottom, width, height] = [random.uniformIn(1, 1.4), random.uniformIn(0.5, 0.9), random.uniformIn(0.6, 1)];
  const paper = random.uniformIn(150, 235);
  const tints = random.fork(`poster ${s}`);
  texture.dip(drawTint(tints, TINTS.posters)).rectangle(s, bottom, s + width, bottom + height, paper);
  texture.dip(drawTint(tints, TINTS.posters));
  for (let line = 0; line < 9; line++) {
    const t = bottom + height * (0.08 + 0.1 * line);
    const length = width * random.uniformIn(0.4, 0.85);
    texture.rectangle(s + 0.05, t, s + 0.05 + length, t + 0.025, random.uniformIn(30, 110));
  }
  paintFace(texture, s + width * 0.65, bottom + height * 0.65, height * 0.16, random);
}

/** Something like a portrait: an oval with hair, eyes and a mouth. */
function paintFace(texture: Texture, s: number, t: number, size: number, random: Random): void {
  const skin = random.uniformIn(130, 210);
  texture.ellipse(s, t + 0.25 * size, 0.9 * size, 1.05 * size, 40, 0.01);
  texture.dip(skinTint).ellipse(s, t, 0.78 * size, size, skin, 0.01);
  texture.ellipse(s - 0.3 * size, t + 0.2 * size, 0.12 * size, 0.08 * size, 30, 0.005);
  texture.ellipse(s + 0.3 * size, t + 0.2 * size, 0.12 * size, 0.08 * size, 30, 0.005);
  texture.ellipse(s, t - 0.45 * size, 0.3 * size, 0.08 * size, 80, 0.01);
}

function paintDoor(texture: Texture, s: number, gray: number, random: Random): void {
  texture.dip(drawTint(random.fork(`door ${s}`), TINTS.doors)).rectangle(s, 0, s + 1, 2.1, gray * 0.4);
  texture.rectangle(s + 0.05, 0, s + 0.95, 2.05, gray * random.uniformIn(0.6, 1.4));
  texture.ellipse(s + 0.85, 1.05, 0.03, 0.03, 230, 0.005);
}

/** A round clock with a dial and two hands. */
function paintClock(texture: Texture, s: number, random: Random): Mark {
  const [t, size] = [random.uniformIn(2.2, 2.6), random.uniformIn(0.12, 0.2)];
  texture.ellipse(s, t, size, size, 40, 0.01);
  texture.ellipse(s, t, 0.87 * size, 0.87 * size, 225, 0.01);
  texture.rectangle(s - 0.01, t, s + 0.01, t + 0.65 * size, 30);
  texture.rectangle(s, t - 0.01, s + 0.5 * size, t + 0.01, 30);
  return { s, t, radius: size };
}

function paintFloor(texture: Texture, gray: number, random: Random): Mark[] {
  const linoleum: Material = { gray: gray * random.uniformIn(0.6, 0.9), coarse: 4, fine: 3 };
  texture
    .dip(drawTint(random.fork("tint"), TINTS.floor))
    .cover(linoleum, random.uniformIn(-0.4, 0.4), random.uniformIn(-0.4, 0.4), random);
  texture.grid(0.5, 0.01, gray * 0.5);
  return [];
}

/** Panels with round lamps let in. */
function paintCeiling(texture: Texture, gray: number, random: Random): Mark[] {
  const marks: Mark[] = [];
  const panels: Material = { gray: gray * random.uniformIn(1.1, 1.4), coarse: 3, fine: 2 };
  texture.cover(panels, random.uniformIn(-0.3, 0.3), 0, random);
  texture.grid(0.625, 0.015, gray * 0.8);
  const across = texture.width / texture.texelsPerMetre;
  const down = texture.height / texture.texelsPerMetre;
  const radius = random.uniformIn(0.12, 0.2);
  texture.dip(lampTint);
  for (let s = 1; s < across; s += 2) {
    for (let t = 1; t < down; t += 2) {
      texture.ellipse(s, t, 1.15 * radius, 1.15 * radius, gray * 0.7, 0.01);
      texture.ellipse(s, t, radius, radius, 250, 0.02);
      marks.push({ s, t, radius });
    }
  }
  return marks;
}

function paintBox(box: Canvasses, random: Random): Texture[] {
  const gray = random.uniformIn(40, 190);
  const tint = drawTint(random.fork("tint"), TINTS.boxes);
  return Array.from({ length: FACES }, (_, face) => {
    const texture = faceTexture(box, face).dip(tint);
    const lit = gray * (face === 5 ? 1.25 : face < 2 ? 0.9 : 0.7);
    texture.cover({ gray: lit, coarse: 2, fine: 1.5 }, random.uniformIn(-0.2, 0.2), 0.2, random);
    if (face < 4) texture.grid(0.4, 0.008, lit * 0.5);
    return texture;
  });
}
