import { renderConfigurationDocs } from "./configuration-page.js";
import { renderErrorDocs } from "./error-page.js";
import { renderRobotFieldDocs } from "./robot-field-page.js";
import { catchFramePicture, framesPicture, hullsPicture } from "./robot-pictures.js";

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
  { path: "docs/images/ur10e-catch-frame.svg", render: catchFramePicture },
  { path: "docs/images/ur10e-frames.svg", render: framesPicture },
  { path: "docs/images/ur10e-hulls.svg", render: hullsPicture },
];
