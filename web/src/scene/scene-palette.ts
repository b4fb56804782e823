import { Color } from "three";

/** Colours of the 3-D view. Those that mean something are of Okabe and Ito's palette, told apart by everybody. */
export interface ScenePalette {
  readonly background: Color;
  readonly ground: Color;
  readonly grid: Color;
  readonly ball: Color;
  readonly prediction: Color;
  readonly catch: Color;
  readonly warning: Color;
  readonly ghost: Color;
  readonly launch: Color;
  /** Strength of the light from the sky and of the sun. */
  readonly skyLight: number;
  readonly sunLight: number;
  readonly shadow: number;
}

const okabeIto = {
  ball: new Color("#e69f00"),
  prediction: new Color("#0072b2"),
  catch: new Color("#009e73"),
  warning: new Color("#d55e00"),
  ghost: new Color("#56b4e9"),
  launch: new Color("#cc79a7"),
};

export const lightPalette: ScenePalette = {
  ...okabeIto,
  background: new Color("#e9ebec"),
  ground: new Color("#e1e4e5"),
  grid: new Color("#b3babe"),
  skyLight: 2.1,
  sunLight: 3.0,
  shadow: 0.26,
};

export const darkPalette: ScenePalette = {
  ...okabeIto,
  prediction: new Color("#3ba3e0"),
  background: new Color("#1a1f24"),
  ground: new Color("#20262c"),
  grid: new Color("#3d4751"),
  skyLight: 1.5,
  sunLight: 2.7,
  shadow: 0.5,
};
