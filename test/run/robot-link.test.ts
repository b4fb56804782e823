import { describe, expect, it } from "vitest";
import { urDefaults } from "../../src/control/drivers/ur/ur-options.js";
import { drivenGroups, robotLink } from "../../src/run/robot-link.js";
import { resolveConfig } from "../../src/runtime/config.js";

describe("where a robot is", () => {
  it("is an address of the UDP protocol", () => {
    const address = { host: "10.0.0.2", udp: 7700, world: 7701, secret: "s" };
    expect(robotLink(["10.0.0.2:7700?world=7701&secret=s"])).toEqual({ address, drivers: [] });
    expect(robotLink(["udp://localhost:7700"], { key: "k" }).address).toEqual({
      ...{ host: "localhost", udp: 7700, world: 0, secret: "" },
      key: "k",
    });
  });

  it("is a robot by Universal Robots, with the configuration's keys and its own", () => {
    const { address, drivers } = robotLink(["ur://10.0.0.3?rtde=1234&powerOn=true&world=7701"], { ur: { gain: 500 } });
    expect(address).toMatchObject({ host: "10.0.0.3", udp: 0, world: 7701 });
    const options = { ...urDefaults, host: "10.0.0.3", rtde: 1234, powerOn: true, gain: 500 };
    expect(drivers).toEqual([{ group: "", driver: "ur", options }]);
  });

  it("is several drivers, each of its group", () => {
    const { drivers } = robotLink(["arm=ur://10.0.0.3", "hand=./my-hand.js?port=5"]);
    expect(drivers.map(({ group, driver }) => [group, driver.replace(/.*\//, "")])).toEqual([
      ["arm", "ur"],
      ["hand", "my-hand.js"],
    ]);
    expect(drivers[1]!.options).toEqual({ port: "5" });
  });

  it("has the configuration's defaults", () => {
    expect(resolveConfig().ur).toEqual(urDefaults);
    expect(resolveConfig().drivers).toEqual([]);
  });

  it.each([
    "",
    "10.0.0.2",
    "10.0.0.2:0",
    "10.0.0.2:99999",
    "10.0.0.2:7700?world=x",
    "10.0.0.2:7700?gain=5",
    "arm=10.0.0.2:7700",
    "ur://",
    "ur://a b",
    "ur://h?rtde=0",
    "ur://h?rtde=",
    "ur://h?gain=9999",
    "ur://h?powerOn=maybe",
    "ur://h?speed=1",
    "kuka://h",
    "./my-driver.ts",
  ])("cannot be %j", (text) => {
    expect(() => robotLink([text])).toThrow(expect.objectContaining({ code: "FLY_DRIVER_ADDRESS" }));
  });

  it("is one address of the UDP protocol at most", () => {
    expect(() => robotLink(["h:7700", "arm=ur://h"])).toThrow(expect.objectContaining({ code: "FLY_DRIVER_ADDRESS" }));
  });

  it("names a module that makes drivers", async () => {
    const module = (text: string) => [{ group: "", driver: `data:text/javascript,${text}`, options: 5 }];
    const [driven] = await drivenGroups(module("export const createDriver = () => 7"));
    expect(driven!.create({} as never, driven!.options)).toBe(7);
    await expect(drivenGroups(module("export const x = 1"))).rejects.toMatchObject({ code: "FLY_DRIVER_MODULE" });
  });
});
