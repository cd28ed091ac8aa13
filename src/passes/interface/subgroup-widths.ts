/** The widths of subgroups a kernel asks for, in the target's own words where it has any. */
import { functionOf } from "../../ast/lookup.js";
import type { EntryPoint, Module, SubgroupSizes } from "../../ast/nodes.js";
import { allowsWidth, fixedWidth, showWidths, usesSubgroups, widthsIn } from "../../ast/subgroups.js";
import { defaultProfile, hasAtom } from "../../caps/profiles.js";
import { leastWaveSize } from "../../types/subgroup-width.js";
import type { Pass, PassContext } from "../pass.js";

/**
 * Why a target cannot ask for these widths; nothing where it can. `[WaveSize(n)]` came with Shader Model 6.6, its range
 * with 6.8; OpenCL has an attribute for one width from cl_intel_required_subgroup_size.
 */
function cannotAsk({ target, profile }: PassContext, sizes: SubgroupSizes): string | undefined {
  const one = fixedWidth(sizes) !== undefined;
  if (target === "ts") return one ? undefined : "a module runs at the width of its launch";
  const p = profile ?? defaultProfile(target);
  switch (target) {
    case "msl":
      return "MSL cannot ask for it";
    case "glsl":
      return "GLSL cannot ask for it: the pipeline does (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo)";
    case "opencl":
      if (!hasAtom(p, "cl.intel_required_subgroup_size"))
        return `${p.device?.name ?? p.id} has no cl_intel_required_subgroup_size`;
      return one ? undefined : "intel_reqd_sub_group_size takes one width";
    case "hlsl":
      if (sizes.min < leastWaveSize) return `[WaveSize] takes ${leastWaveSize} and more`;
      if (one) return hasAtom(p, "sm>=6.6") ? undefined : `${p.id} has no [WaveSize(n)], which came with 6.6`;
      return hasAtom(p, "sm>=6.8") ? undefined : `${p.id} has no [WaveSize(min, max)], which came with 6.8`;
  }
}

export const subgroupWidths: Pass = {
  name: "subgroup-widths",
  run(module, context) {
    const matters = usesSubgroups(module);
    return { ...module, entries: module.entries.map((e) => settled(e, module, context, matters)) };
  },
};

function settled(entry: EntryPoint, module: Module, context: PassContext, matters: boolean): EntryPoint {
  const { options, problems, profile, target } = context;
  const { name, nameSpan: span } = functionOf(module, entry.function)!;
  const asked = options.subgroupSize;
  if (asked !== undefined && !allowsWidth(entry.subgroupSizes, asked)) {
    problems.error(
      "XL3006",
      `kernel ${name} asks for subgroups of ${showWidths(entry.subgroupSizes!)} lanes, and ${asked} are given`,
      span,
    );
    return entry;
  }
  const sizes = asked === undefined ? entry.subgroupSizes : { min: asked, max: asked };
  if (sizes === undefined) return entry;
  const device = profile?.device;
  if (device?.subgroupSizes && matters && !widthsIn(sizes).some((w) => device.subgroupSizes!.includes(w))) {
    problems.error(
      "XL3006",
      `kernel ${name} asks for subgroups of ${showWidths(sizes)} lanes, and ${device.name} has ${device.subgroupSizes.join(", ")}`,
      span,
    );
    return entry;
  }
  const reason = target === module.dialect && asked === undefined ? undefined : cannotAsk(context, sizes);
  if (reason === undefined) return { ...entry, subgroupSizes: sizes };
  // Where no lane looks at another, any width computes the same.
  if (matters)
    context.note("assumed", "subgroup-size", `subgroups have ${showWidths(sizes)} lanes, and ${reason}`, span);
  const { subgroupSizes: _said, ...rest } = entry;
  return rest;
}
