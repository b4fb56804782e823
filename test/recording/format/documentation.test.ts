import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordedMessages, recordedTopics } from "../../../src/recording/recording.js";
import { packageRoot } from "../../../src/runtime/package-root.js";

describe("docs/recordings.md", () => {
  it("lists every topic with its message as it is described", () => {
    const page = readFileSync(join(packageRoot, "docs", "recordings.md"), "utf8");
    const rows = recordedTopics.map((topic) => {
      const { name, description } = recordedMessages[topic];
      return `| \`${topic}\` | \`${name}\` | ${description} |`;
    });
    expect(page).toContain(rows.join("\n"));
  });
});
