/** Names of instances: the template's, and its arguments as a reader would say them. */
import { cScalarNames } from "../../dialects/type-names.js";
import { enumerationOf, type ScalarKind, type Type } from "../../types/types.js";
import type { Sema } from "../context.js";
import { flat, type Arguments, type Template, type TemplateArgument } from "./template.js";

const scalarName = (kind: ScalarKind): string => cScalarNames[kind];

function typeWords(s: Sema, type: Type): string {
  switch (type.kind) {
    case "void":
      return "void";
    case "scalar": {
      const of = enumerationOf(type);
      return (of && s.enums[of.enumeration]!.name) ?? scalarName(type.scalar);
    }
    case "vector":
      return `${type.packed ? "packed_" : ""}${scalarName(type.scalar)}${type.size}`;
    case "matrix":
      return `${scalarName(type.scalar)}${type.columns}x${type.rows}`;
    case "array":
      return `${typeWords(s, type.element)}_array${type.length ?? ""}`;
    case "struct":
      return s.closures.get(type.name)?.label ?? type.name;
    case "pointer":
      return `${type.space}_${typeWords(s, type.pointee)}_pointer`;
  }
}

function words(s: Sema, a: TemplateArgument): string {
  if (a.kind === "type") return `${a.info.constant ? "const_" : ""}${typeWords(s, a.info.type)}`;
  if (a.kind === "function") return a.function.name;
  if (a.kind === "template") return a.template.name;
  if (a.kind === "pack") return counted(a.elements) ?? a.elements.map((x) => words(s, x)).join("_");
  return a.label ?? String(a.value).replace("-", "minus_").replace(/\W+/g, "_");
}

/** Numbers one after the other, by the first and the last. */
function counted(elements: Arguments): string | undefined {
  const [first] = elements;
  const from = first?.kind === "constant" && typeof first.value === "bigint" && !first.label ? first.value : undefined;
  const isNext = (x: TemplateArgument, i: number): boolean => x.kind === "constant" && x.value === from! + BigInt(i);
  if (from === undefined || from < 0n || elements.length < 4 || !elements.every(isNext)) return undefined;
  return `${from}_to_${from + BigInt(elements.length - 1)}`;
}

/** One that no name of the source is, and no other that was made. */
export function freeName(s: Sema, wanted: string): string {
  const { taken, words, numbers } = s.templates;
  const name = numbers.free(wanted, (n) => taken.has(n) || words.has(n));
  s.templates.taken.add(name);
  return name;
}

/** `block_sum_float_4`. A parameter without a name is there to choose the template by: it says nothing. */
export const instanceName = (s: Sema, t: Pick<Template, "name" | "parameters">, list: Arguments): string =>
  freeName(
    s,
    [t.name, ...list.filter((_, i) => t.parameters[i]?.name).map((a) => words(s, a))]
      .filter((x) => x !== "")
      .join("_")
      .replace(/__+/g, "_"),
  );

/** `block_sum<float, 4>`, for messages. */
export const showInstance = (s: Sema, template: string, list: Arguments): string =>
  `${template}<${flat(list)
    .map((a) => (a.kind === "constant" ? String(a.value) : words(s, a)))
    .join(", ")}>`;
