/** The widths of subgroups a kernel asks for, in the target's own words where it has any. */
import { functionOf, isOwnText } from "../../ast/lookup.js";
import type { EntryPoint, Module, SubgroupSizes } from "../../ast/nodes.js";
import { allowsWidth, fixedWidth, showWidths, usesSubgroups, widthsIn } from "../../ast/subgroups.js";
import { languageFacts } from "../../dialects/languages.js";
import { defaultProfile, hasAtom } from "../../caps/profiles.js";
import type { Pass, PassContext } from "../pass.js";

interface Unasked {
  readonly why: string;
  /** No device of the target has them. */
  readonly never?: string;
}

/** Why a target cannot ask for these widths; nothing where it can. */
function cannotAsk({ target, profile }: PassContext, sizes: SubgroupSizes): Unasked | undefined {
  const single = fixedWidth(sizes) !== undefined;
  if (target === "ts") return single ? undefined : { why: "a module runs at the width of its launch" };
  const request = languageFacts[target].subgroupSize;
  if ("cannot" in request) {
    const { cannot: why, most } = request;
    return most && sizes.min > most.size ? { why, never: most.message } : { why };
  }
  if (request.least && sizes.min < request.least.size) return { why: request.least.message };
  const form = single ? request.one : request.range;
  if ("cannot" in form) return { why: form.cannot };
  const p = profile ?? defaultProfile(target);
  return hasAtom(p, form.needs) ? undefined : { why: `${p.device?.name ?? p.id} has no ${form.lacks}` };
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
  const unasked = isOwnText(module, target) && asked === undefined ? undefined : cannotAsk(context, sizes);
  if (unasked?.never !== undefined && matters) {
    problems.error(
      "XL3006",
      `kernel ${name} asks for subgroups of ${showWidths(sizes)} lanes, and ${unasked.never}`,
      span,
    );
    return entry;
  }
  if (unasked === undefined) return { ...entry, subgroupSizes: sizes };
  // Where no lane looks at another, any width computes the same.
  if (matters)
    context.note("assumed", "subgroup-size", `subgroups have ${showWidths(sizes)} lanes, and ${unasked.why}`, span);
  const { subgroupSizes: _said, ...rest } = entry;
  return rest;
}
