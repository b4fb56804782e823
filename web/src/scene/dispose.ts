import type { Material, Object3D } from "three";

/** What a mesh or a line has. */
interface Drawn {
  readonly geometry?: { dispose(): void };
  readonly material?: Material | Material[];
}

/** Gives back all that the graphics card keeps of an object and of what is in it, and takes it out of its parent. */
export function disposeTree(root: Object3D): void {
  root.traverse((object) => {
    const { geometry, material } = object as Drawn;
    geometry?.dispose();
    if (Array.isArray(material)) for (const one of material) one.dispose();
    else material?.dispose();
  });
  root.removeFromParent();
}
