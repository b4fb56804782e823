import { renderClient, renderSchemas } from "../client/client-files.js";
import { renderConfigurationDocs } from "./configuration-page.js";
import { renderErrorDocs } from "./error-page.js";
import { renderBundledLicences, renderDependencies } from "./licence-table.js";
import { renderRobotFieldDocs } from "./robot-field-page.js";
import { catchFramePicture, framesPicture, hullsPicture } from "./robot-pictures.js";

/** A page of the documentation, a file of the client or a list of licences that is written from the sources by `npm run docs`. */
export interface GeneratedPage {
  /** Path below the package's root. */
  readonly path: string;
  render(): string | Promise<string>;
}

export const generatedPages: readonly GeneratedPage[] = [
  { path: "docs/configuration.md", render: renderConfigurationDocs },
  { path: "docs/errors.md", render: renderErrorDocs },
  { path: "docs/robot-fields.md", render: renderRobotFieldDocs },
  { path: "docs/images/ur10e-catch-frame.svg", render: catchFramePicture },
  { path: "docs/images/ur10e-frames.svg", render: framesPicture },
  { path: "docs/images/ur10e-hulls.svg", render: hullsPicture },
  { path: "docs/dependencies.md", render: renderDependencies },
  { path: "licences/bundled.txt", render: renderBundledLicences },
  { path: "src/client/schemas.ts", render: renderSchemas },
  { path: "src/client/client.ts", render: renderClient },
];
