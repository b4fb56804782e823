import type {
  UrdfGeometry,
  UrdfInertial,
  UrdfJoint,
  UrdfLink,
  UrdfOrigin,
  UrdfRobot,
  UrdfShape,
} from "./urdf-document.js";
import { escapeXml } from "./urdf-xml.js";

/** A robot as URDF, such that reading it gives the same robot. */
export function formatUrdf(robot: UrdfRobot): string {
  const usesNewLimits = robot.joints.some(({ limit }) => limit?.acceleration ?? limit?.deceleration ?? limit?.jerk);
  const usesCapsule = robot.links.some(({ visuals, collisions }) =>
    [...visuals, ...collisions].some(({ geometry }) => geometry.type === "capsule"),
  );
  const version = usesNewLimits || usesCapsule ? ` version="1.2"` : "";
  const parts = [...robot.links.map(formatLink), ...robot.joints.map(formatJoint)];
  return `<?xml version="1.0"?>\n<robot name="${escapeXml(robot.name)}"${version}>\n${parts.join("")}</robot>\n`;
}

/** An element with those of its attributes that are given. */
function tag(name: string, attributes: Readonly<Record<string, number | string | undefined>>, inside = ""): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(String(value))}"`],
  );
  return inside === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${inside}</${name}>`;
}

function formatOrigin({ xyz, rpy }: UrdfOrigin): string {
  return tag("origin", { xyz: xyz.join(" "), rpy: rpy.join(" ") });
}

function formatLink({ name, inertial, visuals, collisions }: UrdfLink): string {
  const lines = [
    ...(inertial === undefined ? [] : [formatInertial(inertial)]),
    ...visuals.map((shape) => formatShape("visual", shape)),
    ...collisions.map((shape) => formatShape("collision", shape)),
  ];
  if (lines.length === 0) return `  ${tag("link", { name })}\n`;
  return `  ${tag("link", { name }, `\n${lines.map((line) => `    ${line}\n`).join("")}  `)}\n`;
}

/** The `<inertial>` element on one line. */
export function formatInertial({ origin, mass, inertia }: UrdfInertial): string {
  return tag("inertial", {}, formatOrigin(origin) + tag("mass", { value: mass }) + tag("inertia", { ...inertia }));
}

function formatShape(kind: "visual" | "collision", { name, origin, geometry, rgba }: UrdfShape): string {
  const colour = rgba === undefined ? "" : tag("color", { rgba: rgba.join(" ") });
  const material = colour === "" ? "" : tag("material", { name: "" }, colour);
  return tag(kind, { name }, formatOrigin(origin) + tag("geometry", {}, formatGeometry(geometry)) + material);
}

function formatGeometry(geometry: UrdfGeometry): string {
  switch (geometry.type) {
    case "box":
      return tag("box", { size: geometry.size.join(" ") });
    case "sphere":
      return tag("sphere", { radius: geometry.radius });
    case "cylinder":
    case "capsule":
      return tag(geometry.type, { radius: geometry.radius, length: geometry.length });
    case "mesh": {
      const isPlain = geometry.scale.every((factor) => factor === 1);
      return tag("mesh", { filename: geometry.filename, scale: isPlain ? undefined : geometry.scale.join(" ") });
    }
  }
}

function formatJoint({ name, type, parent, child, origin, axis, limit, mimic, dynamics }: UrdfJoint): string {
  const lines = [
    tag("parent", { link: parent }),
    tag("child", { link: child }),
    formatOrigin(origin),
    ...(type === "fixed" ? [] : [tag("axis", { xyz: axis.join(" ") })]),
    ...(limit === undefined ? [] : [tag("limit", { ...limit })]),
    ...(mimic === undefined ? [] : [tag("mimic", { ...mimic })]),
    ...(dynamics === undefined ? [] : [tag("dynamics", { ...dynamics })]),
  ];
  return `  ${tag("joint", { name, type }, `\n${lines.map((line) => `    ${line}\n`).join("")}  `)}\n`;
}
