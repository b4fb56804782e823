import type { RobotDescription } from "../../../src/service/robot-description.js";
import type { RobotScene } from "../../../src/service/robot-scene.js";
import { sendForJson } from "../connection/service-request.js";

/** A robot's shapes and limits. */
export interface RobotFacts {
  readonly scene: RobotScene;
  readonly description: RobotDescription;
}

const known = new Map<string, Promise<RobotFacts>>();

/** Asked of the service once; asked again only after a failure. */
export function robotFacts(name: string): Promise<RobotFacts> {
  const asked = known.get(name);
  if (asked !== undefined) return asked;
  const asking = ask(name);
  known.set(name, asking);
  asking.catch(() => known.delete(name));
  return asking;
}

async function ask(name: string): Promise<RobotFacts> {
  const address = `/v1/robots/${encodeURIComponent(name)}`;
  const [scene, description] = await Promise.all([
    sendForJson<RobotScene>(`${address}/scene`),
    sendForJson<RobotDescription>(address),
  ]);
  return { scene, description };
}
