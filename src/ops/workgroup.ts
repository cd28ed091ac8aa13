/**
 * Work-group collectives of OpenCL C (cross-lane.md 1.5): every work-item of the work-group must reach the call. Targets
 * without them go through workgroup memory (R-WG).
 */
import { opId } from "../ast/op-ids.js";

import { builtin, swizzleValue } from "../ast/builders.js";
import { collective, define, native, lowering, set } from "./define.js";
import type { Cell, OpRow } from "./row.js";
import { add, mul, op } from "./trees.js";

const needs = "cl.work_group_collectives";
const on = set("f32 f16 f64 i32 u32 i64 u64", 1);
const through: Cell = lowering("through-workgroup-memory", { evidence: "memory.md R-WG" });

const reductions = ["add", "min", "max"] as const;
const size = (axis: number) => swizzleValue(builtin("workgroup_size"), [axis]);

export const workgroupRows: readonly OpRow[] = [
  ...(["all", "any"] as const).map((name) =>
    define("workgroup", `workgroup.${name}`, {
      summary: `${name === "all" ? "and" : "or"} of the predicates of all lanes of the workgroup`,
      signature: "bool -> bool",
      effect: "crosslane",
      expand: collective(name),
      fold: { operation: name === "all" ? "and" : "or", form: "reduce", over: "workgroup" },
      agreement: "shared",
      msl: through,
      glsl: through,
      opencl: [native(`work_group_${name}`, "clang-19", { needs, signatures: ["i32 -> i32"] }), through],
      hlsl: through,
    }),
  ),
  define("workgroup", "workgroup.broadcast", {
    summary: "the value of one lane of the workgroup, by its linear index, the same in all lanes",
    signature: "T, u32 -> T",
    on,
    effect: "crosslane",
    expand: collective("broadcast"),
    agreement: "shared",
    msl: through,
    glsl: through,
    opencl: [native("work_group_broadcast", "clang-19", { needs, signatures: ["T, Z -> T"] }), through],
    hlsl: through,
  }),
  define("workgroup", "workgroup.broadcast_2d", {
    summary: "the value of one lane of the workgroup, by its local id in two dimensions",
    signature: "T, u32, u32 -> T",
    on,
    effect: "crosslane",
    agreement: "shared",
    expand: {
      kind: "tree",
      build: ([x, i, j], type) => op("workgroup.broadcast", type, x!, add(i!, mul(size(0), j!))),
    },
    msl: lowering("expand"),
    glsl: lowering("expand"),
    opencl: [native("work_group_broadcast", "clang-19", { needs, signatures: ["T, Z, Z -> T"] }), lowering("expand")],
    hlsl: lowering("expand"),
  }),
  define("workgroup", "workgroup.broadcast_3d", {
    summary: "the value of one lane of the workgroup, by its local id in three dimensions",
    signature: "T, u32, u32, u32 -> T",
    on,
    effect: "crosslane",
    agreement: "shared",
    expand: {
      kind: "tree",
      build: ([x, i, j, l], type) =>
        op("workgroup.broadcast", type, x!, add(i!, mul(size(0), add(j!, mul(size(1), l!))))),
    },
    msl: lowering("expand"),
    glsl: lowering("expand"),
    opencl: [
      native("work_group_broadcast", "clang-19", { needs, signatures: ["T, Z, Z, Z -> T"] }),
      lowering("expand"),
    ],
    hlsl: lowering("expand"),
  }),
  ...reductions.flatMap((r) =>
    (["reduce", "scan_inclusive", "scan_exclusive"] as const).map((form) => {
      const name = form === "reduce" ? r : `${form.slice("scan_".length)}_${r}`;
      const range = { reduce: "", scan_inclusive: " up to and with this one", scan_exclusive: " below this one" }[form];
      return define("workgroup", opId(`workgroup.${name}`), {
        summary: `${r} over the lanes of the workgroup${range}, in the order of their linear index`,
        signature: "T -> T",
        on,
        effect: "crosslane",
        expand: collective(name),
        fold: {
          operation: r,
          form: ({ reduce: "reduce", scan_inclusive: "inclusive", scan_exclusive: "exclusive" } as const)[form],
          over: "workgroup",
        },
        ...(form === "reduce" ? { agreement: "shared" as const } : {}),
        msl: through,
        glsl: through,
        opencl: [native(`work_group_${form}_${r}`, "clang-19", { needs }), through],
        hlsl: through,
      });
    }),
  ),
];
