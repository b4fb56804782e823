import { describe, expect, it } from "vitest";
import { defaultTimes } from "../../src/catching/catch-times.js";
import { checkPipes } from "../../src/run/camera-pipes.js";
import { catchGraph } from "../../src/run/graph.js";
import { portsOf } from "../../src/run/node-library.js";
import { runSettingsOf } from "../../src/run/run-settings.js";
import { resolveConfig } from "../../src/runtime/config.js";
import { checkGraph } from "../../src/transport/graph.js";
import { errorCode } from "../support/error-code.js";

function camerasOf(...overrides: string[]) {
  return runSettingsOf(resolveConfig({ overrides })).cameras;
}

describe("programs that send frames", () => {
  it("are named by the configuration, with what they write", () => {
    const { pipes } = camerasOf("cameras.left=one", "cameras.right=other", "cameras.framing=yuy2");
    expect(pipes).toEqual({ left: "one", right: "other", framing: "yuy2" });
    expect(camerasOf("cameras.left=one", "cameras.right=other").pipes?.framing).toBe("gdp");
    expect(camerasOf("cameras.framing=rgb").pipes).toBeUndefined();
  });

  it("take the places of the simulated cameras in the graph", () => {
    const seen = { perception: "images", sources: "streamed", arms: ["arm"], mount: "head", windows: true } as const;
    const graph = catchGraph({ ...seen, cameras: "pipes", times: defaultTimes });
    checkGraph(graph, portsOf, defaultTimes.tickNs);
    const kinds = graph.nodes.filter(({ name }) => name.startsWith("camera-")).map(({ kind }) => kind);
    expect(kinds).toEqual(["pipe-camera", "pipe-camera"]);
    expect(graph.edges.filter(({ to }) => to.startsWith("camera-") && to.endsWith(".world"))).toEqual([]);
  });

  it.each([
    ["of one camera alone", "images", ["cameras.left=one"]],
    ["that nothing looks at", "circles", ["cameras.left=one", "cameras.right=other"]],
  ] as const)("are refused if they are %s", (_, perception, overrides) => {
    expect(errorCode(() => checkPipes(perception, camerasOf(...overrides)))).toBe("FLY_CAMERA");
  });
});
