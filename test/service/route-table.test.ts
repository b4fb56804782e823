import { describe, expect, it } from "vitest";
import { RouteTable } from "../../src/service/problem-handler.js";

describe("RouteTable", () => {
  const table = new RouteTable();
  table.add("/v1/robots", ["GET", "HEAD"]);
  table.add("/v1/robots", ["post"]);
  table.add("/v1/robots/:name", ["GET"]);
  table.add("/openapi.json", ["GET"]);
  table.add("/static/*", ["GET"]);

  it.each([
    ["/v1/robots", ["GET", "HEAD", "POST"]],
    ["/v1/robots/panda", ["GET"]],
    ["/v1/robots/panda/x", []],
    ["/v1/robots/", []],
    ["/openapi.json", ["GET"]],
    ["/openapiXjson", []],
    ["/static/a/b.js", ["GET"]],
    ["/", []],
  ])("%s answers %j", (path, methods) => {
    expect(table.methodsOf(path)).toEqual(methods);
  });
});
