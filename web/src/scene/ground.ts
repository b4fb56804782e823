import { CircleGeometry, Group, Mesh, ShaderMaterial, ShadowMaterial } from "three";
import type { ScenePalette } from "./scene-palette.js";

/** The floor is drawn so far about the robot [m], and fades out before. */
const RADIUS = 14;

const vertexShader = `
varying vec2 place;
void main() {
  place = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

/** Lines a pixel and a half wide at any distance: every half metre, and stronger every second one. */
const fragmentShader = `
uniform vec3 ground;
uniform vec3 grid;
uniform vec3 background;
varying vec2 place;
float lines(float spacing) {
  vec2 at = place / spacing;
  vec2 width = fwidth(at);
  vec2 away = abs(fract(at - 0.5) - 0.5) / width;
  float density = clamp(1.6 - 2.2 * max(width.x, width.y), 0.0, 1.0);
  return density * (1.0 - clamp(min(away.x, away.y) - 0.3, 0.0, 1.0));
}
void main() {
  float line = max(0.3 * lines(0.5), 0.8 * lines(1.0));
  float fade = smoothstep(${RADIUS.toFixed(1)}, 3.0, length(place - vec2(2.0, 0.0)));
  gl_FragColor = vec4(mix(background, mix(ground, grid, line), fade), 1.0);
  #include <colorspace_fragment>
}`;

/** The floor: a fine grid in metres, and the shadows that fall on it. */
export class Ground {
  readonly object = new Group();
  readonly #grid = new ShaderMaterial({
    vertexShader,
    fragmentShader,
    uniforms: { ground: { value: null }, grid: { value: null }, background: { value: null } },
    depthWrite: false,
  });
  readonly #shadow = new ShadowMaterial();

  constructor() {
    const floor = new Mesh(new CircleGeometry(RADIUS, 64), this.#grid);
    floor.position.x = 2;
    floor.renderOrder = -2;
    const shadows = new Mesh(new CircleGeometry(RADIUS, 64), this.#shadow);
    shadows.position.set(2, 0, 0.001);
    shadows.renderOrder = -1;
    shadows.receiveShadow = true;
    this.object.add(floor, shadows);
  }

  paint({ ground, grid, background, shadow }: ScenePalette): void {
    this.#grid.uniforms.ground!.value = ground;
    this.#grid.uniforms.grid!.value = grid;
    this.#grid.uniforms.background!.value = background;
    this.#shadow.opacity = shadow;
  }
}
