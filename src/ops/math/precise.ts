/**
 * Functions as accurate as MSL's precise variants, which its plain ones are not under fast math; the other dialects have one
 * form.
 */
import { opId } from "../../ast/op-ids.js";
import { define, expanded, native, tree } from "../define.js";
import type { OpRow } from "../row.js";
import { same } from "../trees.js";
import { f32Only } from "./cells.js";
import { mslExact, mslFast } from "./unary.js";

const preciseUnary = mslFast.filter((name) => !mslExact.includes(name));

const otherNames: Readonly<Record<string, readonly string[]>> = { fmin: ["min"], fmax: ["max"] };

function precise(name: string, signature: string): OpRow {
  return define("math", opId(`math.precise_${name}`), {
    summary: `${name} to the accuracy of MSL's precise functions`,
    signature,
    variant: { of: opId(`math.${name}`), in: "accuracy" },
    on: f32Only,
    expand: tree((args) => same(name === "powr" ? "math.powr_open" : opId(`math.${name}`), ...args)),
    msl: native(
      [name, ...(otherNames[name] ?? [])].map((n) => `precise::${n}`).join(" "),
      "MSL 3.1 6.5: precise variants",
    ),
    glsl: expanded,
    opencl: expanded,
    hlsl: expanded,
  });
}

export const preciseRows: readonly OpRow[] = [
  ...preciseUnary.map((name) => precise(name, "T -> T")),
  ...(["pow", "powr", "atan2", "fmod", "fmin", "fmax"] as const).map((name) => precise(name, "T, T -> T")),
];
