import { describe, expect, it } from "vitest";
import { defaultTimes } from "../../src/catching/catch-times.js";
import { catchGraph } from "../../src/run/graph.js";
import { switchability, ThreadSwitch } from "../../src/run/thread-switch.js";
import { PlacementStates } from "../../src/transport/placement-states.js";

const graph = catchGraph({
  perception: "images",
  sources: "streamed",
  arms: ["left"],
  mount: "head",
  windows: true,
  times: defaultTimes,
});

/** Threads that note what is done with them. */
class Threads {
  readonly graph = graph;
  readonly states = new PlacementStates();
  readonly done: string[] = [];
  isWaiting = true;

  constructor() {
    for (const placement of new Set(graph.nodes.map((node) => node.placement))) {
      this.states.starting(placement, placement);
      this.states.become(placement, "running");
    }
  }

  readonly executor = {
    states: this.states,
    halt: async (placement: string): Promise<void> => {
      this.states.become(placement, "stopped");
      this.done.push(`halt ${placement}`);
    },
    resume: async (placement: string): Promise<void> => {
      this.states.starting(placement, this.states.dataOf(placement));
      this.states.become(placement, "running");
      this.done.push(`resume ${placement}`);
    },
  };

  switched(placement: string, state: string): void {
    this.done.push(`${placement} ${state}`);
  }

  get switch(): ThreadSwitch {
    return new ThreadSwitch(this, () => this.isWaiting);
  }
}

describe("threads switched by hand", () => {
  it("are those without which the robot sees or plans less, and what decides while it waits", () => {
    const able = Object.fromEntries(graph.nodes.map(({ placement }) => [placement, switchability(graph, placement)]));
    expect(able).toEqual({
      "camera-left": "always",
      "camera-right": "always",
      perception: "always",
      control: "never",
      robot: "never",
      world: "never",
      catching: "waiting",
      "planner-left": "always",
    });
  });

  it("stop with all their nodes, and start again", async () => {
    const threads = new Threads();
    expect(await threads.switch.act("detector-left", "stop")).toMatchObject({
      thread: "camera-left",
      nodes: ["detector-left", "camera-left"],
      state: "stopped",
    });
    await expect(threads.switch.act("camera-left", "stop")).rejects.toMatchObject({ code: "FLY_NODE_CONTROL" });
    expect(await threads.switch.act("camera-left", "start")).toMatchObject({ state: "running", restarts: 1 });
    await expect(threads.switch.act("camera-left", "start")).rejects.toMatchObject({ code: "FLY_NODE_CONTROL" });
    await threads.switch.act("tracker", "restart");
    expect(threads.done).toEqual([
      "halt camera-left",
      "camera-left stopped",
      "resume camera-left",
      "camera-left running",
      "halt perception",
      "perception stopped",
      "resume perception",
      "perception running",
    ]);
  });

  it.each(["control", "robot", "world", "imu"])("are never those of %s", async (node) => {
    const threads = new Threads();
    for (const action of ["stop", "start", "restart"] as const) {
      await expect(threads.switch.act(node, action)).rejects.toMatchObject({ code: "FLY_NODE_CONTROL" });
    }
    expect(threads.done).toEqual([]);
  });

  it("do not include catching while the robot moves", async () => {
    const threads = new Threads();
    threads.isWaiting = false;
    await expect(threads.switch.act("catching", "restart")).rejects.toMatchObject({ code: "FLY_NODE_CONTROL" });
    threads.isWaiting = true;
    await threads.switch.act("catching", "stop");
    threads.isWaiting = false;
    expect(await threads.switch.act("catching", "start")).toMatchObject({ state: "running" });
    await expect(threads.switch.act("nothing", "stop")).rejects.toMatchObject({ code: "FLY_NODE_UNKNOWN" });
  });
});
