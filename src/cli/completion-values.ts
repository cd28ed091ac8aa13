/** Values of options that are read by a function, for shells. */
import { profiles } from "../caps/profiles.js";
import { sourceDialects, targets } from "../dialects/ids.js";

export const valuesOf: Readonly<Record<string, readonly string[]>> = {
  "--from": sourceDialects,
  "--to": targets,
  "--target": sourceDialects,
  "--target-profile": [...profiles.keys()],
  "--profile": [...profiles.keys()],
};
