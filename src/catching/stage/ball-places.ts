import * as vec3 from "../../math/vec3.js";
import type { CatchWorld } from "../../simulation/catch-world.js";
import { PhysicsWorld } from "../../simulation/mujoco/physics-world.js";
import type { PosePacket } from "./pose-packet.js";

/** Where the balls of a simulated world are, to be drawn: without forces only those in the air are anywhere. */
export function ballPlaces(world: CatchWorld, time: number): PosePacket["balls"] {
  const place = vec3.create();
  if (world instanceof PhysicsWorld) {
    const released = world.ballIds.filter((id) => world.ballPlace(id, place));
    return released.map((id) => {
      world.ballPlace(id, place);
      return { id, position: [place[0], place[1], place[2]] };
    });
  }
  return world.flying(time).map(({ id, path }) => {
    const [x, y, z] = path.position(time, place);
    return { id, position: [x, y, z] };
  });
}
