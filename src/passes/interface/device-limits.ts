/**
 * Kernels that are larger than the device a profile was narrowed to, or than the language allows on every device. Only
 * what the text itself fixes can be seen here.
 */
import { functionOf } from "../../ast/lookup.js";
import type { FunctionId, Module } from "../../ast/nodes.js";
import { bufferLayout } from "../../dialects/languages.js";
import { layoutOf } from "../../types/layout.js";
import type { TextContext, TextPass } from "../pass.js";
import { CallGraph, variablesUsed } from "./select-entries.js";

export const deviceLimits: TextPass = {
  name: "device-limits",
  requires: ["ops-native", "sizes-settled"],
  run(module, context) {
    const { profile } = context;
    const device = profile.device;
    const limits = device?.limits ?? (profile.limits.fixed ? profile.limits : undefined);
    if (!limits) return module;
    const name = device?.name ?? "Direct3D";
    const { maxWorkgroupInvocations: most, maxWorkgroupSize: sizes, workgroupMemory } = limits;
    const graph = new CallGraph(module);
    for (const e of module.entries) {
      const { name: kernel, nameSpan } = functionOf(module, e.function)!;
      const size = e.workgroupSize;
      const lanes = size ? size[0] * size[1] * size[2] : 0;
      if (size && ((most !== undefined && lanes > most) || sizes?.some((n, i) => size[i]! > n)))
        context.problems.error(
          "XL3007",
          `kernel ${kernel} has workgroups of ${size.join(" x ")}, and ${name} runs up to ${[most, sizes?.join(" x ")].filter((x) => x !== undefined).join(" invocations, ")} at most`,
          nameSpan,
        );
      const bytes = workgroupBytes(module, graph.reachable([e.function]), context);
      if (workgroupMemory !== undefined && bytes > workgroupMemory)
        context.problems.error(
          "XL3007",
          `the kernel takes ${bytes} bytes of workgroup memory, and ${name} has ${workgroupMemory}`,
          nameSpan,
        );
    }
    return module;
  },
};

/** Of objects that these functions name, and whose size is known; those that the launch sizes come on top. */
function workgroupBytes(module: Module, functions: ReadonlySet<FunctionId>, { target }: TextContext): number {
  const rule = bufferLayout(target);
  const used = new Set(module.functions.flatMap((f) => (functions.has(f.id) ? [...variablesUsed(f)] : [])));
  let sum = 0;
  for (const id of used) {
    const v = module.variables.get(id)!;
    if (v.space !== "workgroup" || v.type.kind === "pointer" || v.role === "parameter") continue;
    if (v.type.kind === "array" && v.type.length === undefined) continue;
    sum += layoutOf(v.type, rule, module.structs).size;
  }
  return sum;
}
