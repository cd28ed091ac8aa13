/** Values of options and arguments that are read by a function, for shells. */
import { opIds } from "../ast/op-ids.js";
import { profiles } from "../caps/profiles.js";
import { sourceDialects, targets } from "../dialects/ids.js";
import { findingKinds } from "../sim/findings.js";
import { codes } from "../support/codes.js";

export interface Values {
  readonly values: readonly string[];
  /** Several, with commas between them. */
  readonly list?: true;
}

const one = (values: readonly string[]): Values => ({ values });
const list = (values: readonly string[]): Values => ({ values, list: true });
const allCodes = Object.keys(codes);

export const valuesOfOption: Readonly<Record<string, Values>> = {
  "--from": one(sourceDialects),
  "--to": list(targets),
  "--target": one(sourceDialects),
  "--target-profile": one([...profiles.keys()]),
  "--profile": one([...profiles.keys()]),
  "--findings": list(["all", "none", ...findingKinds]),
  "--error-on": list(["all", ...allCodes]),
  "--suppress": list(allCodes),
  "--watch": one(["stdin"]),
};

/** By command. */
export const valuesOfArgument: Readonly<Record<string, Values>> = {
  capabilities: one([...new Set(opIds.map((id) => id.slice(0, id.indexOf(".")))), ...opIds]),
  explain: one(allCodes),
};
