import { describe, expect, test } from "vitest";
import { createImage } from "../../../src/camera/gray-image.js";
import { CameraPeek } from "../../../src/catching/live/camera-peek.js";

const window = { u: 10, v: 20, halfSize: 8, minRadius: 2, maxRadius: 4 };

describe("a peek at a camera's image", () => {
  const memory = CameraPeek.memory(12);
  const [viewer, camera] = [new CameraPeek(memory), new CameraPeek(memory)];
  const image = createImage(3, 2);
  image.pixels.set([1, 2, 3, 4, 5, 6]);

  test("is given when it is asked for, once", () => {
    expect([camera.isAsked, viewer.take()]).toEqual([false, null]);
    viewer.ask();
    expect([camera.isAsked, viewer.take()]).toEqual([true, null]);
    camera.show(image, 1.25, [window], 0.5);
    expect(camera.isAsked).toBe(false);
    viewer.ask();
    expect(camera.isAsked, "the last one has not been taken").toBe(false);
    const seen = viewer.take()!;
    expect([seen.width, seen.height, seen.time, [...seen.pixels]]).toEqual([3, 2, 1.25, [1, 2, 3, 4, 5, 6]]);
    expect(seen.windows).toEqual([{ u: 5, v: 10, halfSize: 4 }]);
    expect(viewer.take()).toBeNull();
  });

  test("has no windows where everything was searched, and no more than there is room for", () => {
    viewer.ask();
    camera.show(image, 2, null, 1);
    expect(viewer.take()!.windows).toEqual([]);
    viewer.ask();
    camera.show(
      image,
      2,
      Array.from({ length: 20 }, () => window),
      1,
    );
    expect(viewer.take()!.windows).toHaveLength(8);
  });
});
