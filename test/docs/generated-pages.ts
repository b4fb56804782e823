import { renderRobotFieldDocs } from "../../src/robot/sidecar/sidecar-docs.js";
import { renderConfigurationDocs } from "../../src/runtime/config-docs.js";
import { renderErrorDocs } from "../../src/runtime/error-docs.js";

/** A page of the documentation that is written from the sources, by `npm run docs`. */
export interface GeneratedPage {
  /** Path below the package's root. */
  readonly path: string;
  render(): string;
}

export const generatedPages: readonly GeneratedPage[] = [
  { path: "docs/configuration.md", render: renderConfigurationDocs },
  { path: "docs/errors.md", render: renderErrorDocs },
  { path: "docs/robot-fields.md", render: renderRobotFieldDocs },
];
