import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { DriverFactory } from "../control/driver.js";
import { createUrDriver } from "../control/drivers/ur/ur-driver.js";
import { type UrOptions, urDefaults } from "../control/drivers/ur/ur-options.js";
import { dryDriver } from "../control/dry-driver.js";
import type { DrivenGroup } from "../nodes/driver-robot.js";
import { configSchema } from "../runtime/config-schema.js";
import { FlycatcherError } from "../runtime/errors.js";
import { didYouMean } from "../runtime/nearest-name.js";
import { findProblems, SchemaError } from "../runtime/schema-problems.js";
import type { RobotAddress } from "../simulation/robot-sim/robot-process.module.js";

/** A driver of a run as plain data, so that the thread of the robot can make it. */
export interface DriverChoice {
  /** Group of joints that it drives; "": all joints of the robot. */
  readonly group: string;
  /** `ur`, or the address of a module (`file:`) that exports `createDriver`. */
  readonly driver: string;
  /** Handed to the driver as they are. */
  readonly options: unknown;
  /** A dry run: states are read, nothing is commanded; and how late the robot would follow commands [s]. */
  readonly dryDelay?: number;
}

/** How a run reaches a robot that it has not started itself. */
export interface RobotLink {
  /** The robot of the UDP protocol, and the simulated world beside the robot; port 0: there is none. */
  readonly address: RobotAddress;
  /** What drives its joints; none: the UDP protocol. */
  readonly drivers: readonly DriverChoice[];
}

type UrSettings = Partial<Omit<UrOptions, "host">>;

interface LinkSettings {
  /** What holds for robots by Universal Robots unless the address says otherwise. */
  readonly ur?: UrSettings;
  /** Of the UDP protocol; it is no part of an address, which others can read. */
  readonly key?: string | undefined;
}

const GROUP = /^([A-Za-z0-9_-]+)=(.*)$/s;
/** Keys of every address: TCP port of the simulated world beside the robot, and what the world asks for. */
const WORLD = "world";
const SECRET = "secret";

/**
 * Reads where a robot is: `host:port` for the UDP protocol, `ur://host`, or the path of a module with a driver; each with keys
 * behind a question mark, and with `group=` before it if it drives one group of several. Several are several drivers.
 *
 * @example
 * robotLink(["ur://192.168.1.10?listen=192.168.1.2"]);
 * robotLink(["arm=ur://192.168.1.10", "gripper=./my-gripper.js"]);
 */
export function robotLink(texts: readonly string[], { ur = {}, key }: LinkSettings = {}): RobotLink {
  const parts = texts.map((text) => partOf(text, ur));
  const udp = parts.filter((part) => "udp" in part);
  if (udp.length > 0 && parts.length > 1) {
    throw new FlycatcherError("FLY_DRIVER_ADDRESS", "a robot of the UDP protocol has one address for all joints", {
      found: texts.join(", "),
    });
  }
  const host = parts[0]?.host ?? "127.0.0.1";
  const { world, secret } = parts.find((part) => part.world > 0) ?? { world: 0, secret: "" };
  return {
    address: { host, udp: udp[0]?.udp ?? 0, world, secret, ...(key === undefined ? {} : { key }) },
    drivers: parts.flatMap((part) => ("udp" in part ? [] : [part.choice])),
  };
}

/** One address; port 0 of the world: there is none beside the robot. */
type Part = { readonly host: string; readonly world: number; readonly secret: string } & (
  | { readonly udp: number }
  | { readonly choice: DriverChoice }
);

function partOf(text: string, ur: UrSettings): Part {
  const [, group = "", address = text] = GROUP.exec(text) ?? [];
  const [place = "", ...rest] = address.split("?");
  const keys = new URLSearchParams(rest.join("?"));
  const world = portIn(keys.get(WORLD) ?? "0", text, 0);
  const secret = keys.get(SECRET) ?? "";
  for (const name of [WORLD, SECRET]) keys.delete(name);
  const scheme = /^([a-z]+):\/\/(.*)$/s.exec(place);
  if (scheme?.[1] === "ur") {
    const options = { ...urDefaults, ...ur, ...urKeys(keys, text), host: hostIn(scheme[2] ?? "", text) };
    checkUr(options);
    return { host: options.host, world, secret, choice: { group, driver: "ur", options } };
  }
  if (/\.[cm]?js$/.test(place)) {
    const url = place.startsWith("file:") ? place : pathToFileURL(isAbsolute(place) ? place : resolve(place)).href;
    return { host: "127.0.0.1", world, secret, choice: { group, driver: url, options: Object.fromEntries(keys) } };
  }
  const udp = /^(?:udp:\/\/)?([^:/]+):(\d+)$/.exec(place);
  if (udp === null || group !== "" || keys.size > 0) throw unreadable(text);
  return { host: hostIn(udp[1]!, text), udp: portIn(udp[2]!, text, 1), world, secret };
}

function hostIn(host: string, text: string): string {
  if (/^[A-Za-z0-9._-]+$/.test(host)) return host;
  throw unreadable(text);
}

function portIn(port: string, text: string, least: number): number {
  const number = Number(port);
  if (Number.isInteger(number) && number >= least && number <= 65_535) return number;
  throw unreadable(text);
}

function unreadable(found: string): FlycatcherError {
  return new FlycatcherError("FLY_DRIVER_ADDRESS", "the robot's address cannot be read", {
    expected: "host:port, ur://host or the path of a module, with keys as in ?world=7701",
    found,
  });
}

/** Keys behind the address, as what they are in the section `ur` of the configuration. */
function urKeys(keys: URLSearchParams, text: string): UrSettings {
  const known = Object.entries(urDefaults);
  return Object.fromEntries(
    Array.from(keys, ([key, value]) => {
      const usual = known.find(([name]) => name === key)?.[1];
      if (usual === undefined) {
        const names = [...known.map(([name]) => name), WORLD, SECRET];
        throw new FlycatcherError("FLY_DRIVER_ADDRESS", "the robot's address has an unknown key", {
          path: text,
          expected: `one of ${names.join(", ")}`,
          found: key,
          suggestion: didYouMean(key, names),
        });
      }
      if (typeof usual === "boolean") return [key, value === "true" ? true : value === "false" ? false : value];
      return [key, typeof usual === "number" && value !== "" ? Number(value) : value];
    }),
  );
}

function checkUr({ host: _, ...settings }: UrOptions): void {
  const problems = findProblems(configSchema.properties.ur, settings);
  if (problems.length > 0) throw new SchemaError("FLY_DRIVER_ADDRESS", "The robot's address is wrong", problems);
}

/** In the robot's thread: the drivers as the node takes them. */
export function drivenGroups(choices: readonly DriverChoice[]): Promise<DrivenGroup[]> {
  return Promise.all(
    choices.map(async ({ group, driver, options, dryDelay }) => {
      const create = driver === "ur" ? createUrDriver : await factoryIn(driver);
      return { group, options, create: dryDelay === undefined ? create : dryDriver(create, dryDelay) };
    }),
  );
}

async function factoryIn(url: string): Promise<DriverFactory> {
  const { createDriver } = (await import(url)) as { createDriver?: DriverFactory };
  if (typeof createDriver === "function") return createDriver;
  throw new FlycatcherError("FLY_DRIVER_MODULE", "a driver's module lacks its factory", {
    path: url,
    expected: "an export createDriver, a function",
    found: typeof createDriver,
  });
}
