/** One answer of the capability table in words. */
import type { CapabilityForm, TargetCapability } from "../api/capabilities.js";
import { profileIds } from "../caps/profiles.js";
import type { TargetDialect } from "../dialects/ids.js";
import { globalInstructions } from "../ops/barriers.js";

const costs: Readonly<Record<CapabilityForm["cost"], string>> = {
  native: "native",
  composed: "composed",
  loop: "a loop",
  "workgroup-memory": "workgroup memory",
  refused: "refused",
};

/** `subgroupAdd`, `(a loop)`, `-`; with `*` where other operands have another answer. */
export function short({ forms }: TargetCapability, code = (text: string): string => text): string {
  const form = forms.find((f) => f.verdict !== "refused");
  if (!form) return "-";
  const text =
    form.verdict === "native"
      ? form.spellings[0] === undefined
        ? "yes"
        : code(form.spellings[0])
      : `(${costs[form.cost]})`;
  return forms.length > 1 ? `${text} *` : text;
}

/** `vulkan1.3`, `vulkan1.3 on llvmpipe` */
export const profileOf = ({ profile, device }: TargetCapability): string =>
  device === undefined ? profile : `${profile} on ${device}`;

/** `msl2.1-macos, msl2.3 to msl3.2`: runs of neighbouring profiles. */
export function spansOf(ids: readonly string[], dialect: TargetDialect): string {
  const order = profileIds(dialect);
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && order.indexOf(id) === order.indexOf(run.at(-1)!) + 1) run.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length === 1 ? run[0]! : `${run[0]!} to ${run.at(-1)!}`)).join(", ");
}

/** Forms that differ in nothing but what they require, which a line does not show, in one. */
export function merged(forms: readonly CapabilityForm[]): CapabilityForm[] {
  const groups = new Map<string, CapabilityForm[]>();
  for (const form of forms) {
    const { types: _, requires: __, ...rest } = form;
    const key = JSON.stringify(rest);
    groups.set(key, [...(groups.get(key) ?? []), form]);
  }
  return [...groups.values()].map((group) => ({ ...group[0]!, types: group.map((f) => f.types).join(", ") }));
}

/** One form in a line; `code` marks what is text of the target. */
export function formText(form: CapabilityForm, code: (text: string) => string): string {
  const where = [
    form.types,
    form.flow === undefined ? "" : `in ${form.flow} flow`,
    form.lane === undefined ? "" : `${form.lane} lane`,
  ].filter(Boolean);
  const prefix = where.length === 0 ? "" : `${where.join(", ")}: `;
  const assumes = [
    ...form.assumes.map((a) => `; assumes that ${a}`),
    ...(form.strengthened === undefined ? [] : [`; ${form.strengthened}`]),
    ...(form.instructions
      ? [`; ${form.instructions.map(code).join(", ")} of shader model 5${groupScope(form, code)}`]
      : []),
  ].join("");
  if (form.verdict === "refused") return `${prefix}refused: ${form.reason ?? ""}`;
  if (form.verdict === "native") {
    const spelled = form.spellings.length === 0 ? "operators" : form.spellings.map(code).join(", ");
    return `${prefix}native ${spelled}${assumes}`;
  }
  const by = form.spellings.length === 0 ? "" : ` of ${form.spellings.map(code).join(", ")}`;
  return `${prefix}emulated (${costs[form.cost]}${by}) by ${form.lowerings.join(", ")}${assumes}`;
}

/** D3D11.3 functional specification 22.17.7. */
const groupScope = ({ instructions }: CapabilityForm, code: (text: string) => string): string =>
  instructions?.some((i) => globalInstructions.has(i))
    ? `, whose ${code("_uglobal")} acts at the scope of the workgroup on buffers not declared ${code("globallycoherent")}`
    : "";
