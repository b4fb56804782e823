import { inertialOf, meshMoments } from "../collision/making/link-inertia.js";
import { loadRobot } from "../robot/loading/load-robot.js";
import { formatInertial } from "../robot/urdf/format-urdf.js";
import { type FileOptions, loadOptions } from "./robot-file-options.js";
import { print } from "./terminal.js";

export interface InertiaOptions extends FileOptions {
  readonly density: number;
  readonly all?: true;
}

/** `flycatcher robot inertia`: `<inertial>` elements from the meshes, for links whose own is missing or zero. */
export function runInertia(name: string, options: InertiaOptions): void {
  const robot = loadRobot(name, loadOptions(options));
  const lines = robot.model.linkNames.flatMap((link, index) => {
    const written = robot.urdf.links.find((entry) => entry.name === link)?.inertial;
    const isSound = written !== undefined && written.mass > 0 && written.inertia.ixx > 0;
    if (isSound && !options.all) return [];
    const moments = meshMoments(robot, index);
    if (moments === null) return [];
    const { inertial, density } = inertialOf(moments, written?.mass ?? 0, options.density);
    const source = `${(1000 * moments.volume).toFixed(2)} l at ${density.toFixed(0)} kg/m³`;
    return [`<!-- ${link}: ${source} -->\n${formatInertial(inertial)}`];
  });
  print(lines.length === 0 ? "No link lacks an inertia that a mesh could give." : lines.join("\n"));
}
