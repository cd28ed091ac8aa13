/**
 * Kernels that are larger than the device a profile was narrowed to, or than the language allows on every device. Only
 * what the text itself fixes can be seen here.
 */
import { functionOf } from "../../ast/lookup.js";
import type { FunctionId, Module, VarId, Variable } from "../../ast/nodes.js";
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
    const taken = workgroupObjects(module, context);
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
      const objects = new Map([...graph.reachable([e.function])].flatMap((f) => taken.get(f) ?? []));
      const bytes = [...objects.values()].reduce((sum, n) => sum + n, 0);
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

/** The objects in workgroup memory that a function names and their bytes; those that the launch sizes come on top. */
function workgroupObjects(
  module: Module,
  { target }: TextContext,
): ReadonlyMap<FunctionId, readonly (readonly [VarId, number])[]> {
  const rule = bufferLayout(target);
  const objects = new Map<VarId, Variable>();
  for (const v of module.variables.values()) {
    if (v.space !== "workgroup" || v.type.kind === "pointer" || v.role === "parameter") continue;
    if (v.type.kind !== "array" || v.type.length !== undefined) objects.set(v.id, v);
  }
  if (objects.size === 0) return new Map();
  // Of what nothing names the type may be gone.
  const bytes = (v: Variable): number => layoutOf(v.type, rule, module.structs).size;
  return new Map(
    module.functions.map((f) => [
      f.id,
      [...variablesUsed(f)].flatMap((id) => (objects.has(id) ? [[id, bytes(objects.get(id)!)] as const] : [])),
    ]),
  );
}
