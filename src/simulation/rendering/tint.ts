import { brightnessOf, type Rgb } from "../../camera/rgb.js";
import type { Random } from "../../math/random.js";

/**
 * What red, green and blue cameras see of a surface, each as a share of what a gray camera sees: its brightness is 1, so that a gray
 * image of a room is the brightness of its colour image.
 */
export type Tint = Rgb;

/** The channels of a colour image, by their place in a tint. */
export type ColourChannel = 0 | 1 | 2;
export const channels: readonly ColourChannel[] = [0, 1, 2];

export const skinTint: Tint = tintOf([224, 172, 138]);
/** Light of the sky through windows, and of lamps. */
export const skyTint: Tint = tintOf([225, 238, 255]);
export const lampTint: Tint = tintOf([255, 248, 232]);

/** The tint of a colour; of black, none. */
export function tintOf(colour: Rgb): Tint {
  const brightness = brightnessOf(colour);
  return brightness > 0 ? (colour.map((part) => part / brightness) as unknown as Tint) : [1, 1, 1];
}

/** A tint of any hue, at most as strong as `strength`: 0 is gray, 1 a pure colour. */
export function drawTint(random: Random, strength: number): Tint {
  const hue = random.uniformIn(0, 2 * Math.PI);
  const saturation = strength * random.uniform();
  const part = (turn: number): number => 1 + saturation * Math.cos(hue - (2 * Math.PI * turn) / 3);
  return tintOf([part(0), part(1), part(2)]);
}
