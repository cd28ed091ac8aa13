/**
 * Where the source keeps NaN, infinities and the signs of zeros, and can tell, and the target may take them for absent: with
 * --strict the text asks for them, else that they are kept is an assumption. While values are as the source has them: lowerings
 * make such tests of their own.
 */
import { isOwnText } from "../../ast/lookup.js";
import { literalValue } from "../../ast/builders.js";
import type { Expr, Module } from "../../ast/nodes.js";
import { walkModule } from "../../ast/walk.js";
import { hasAtom } from "../../caps/profiles.js";
import { languageFacts } from "../../dialects/languages.js";
import { satisfied } from "../../ops/features.js";
import { rows } from "../../ops/table.js";
import { floatOfBits } from "../../types/numeric.js";
import { isFloat, scalarOf, type FloatKind } from "../../types/types.js";
import { sameValue } from "../analysis/float-bounds.js";
import type { Pass } from "../pass.js";

const everyKind: readonly FloatKind[] = ["f16", "f32", "f64"];

export const specialNumbers: Pass = {
  name: "special-numbers",
  run(module, context): Module {
    const { target, profile, options } = context;
    if (isOwnText(module, target)) return module;
    const own = languageFacts[module.dialect].specialNumbers;
    const kept = new Set(own === "kept" || askedByPrecise(module) ? everyKind : module.specialNumbers);
    const { specialNumbers: _said, ...plain } = module;
    if (target === "ts" || profile === undefined || kept.size === 0) return plain;
    const there = languageFacts[target].specialNumbers;
    if (there === "kept") return plain;
    // A text without fast math keeps them, too.
    const { floatOrder } = languageFacts[target];
    const asked = module.specialNumbers !== undefined && floatOrder !== "kept" && floatOrder.keptBy === "math mode";
    const told: Expr[] = [];
    const used = new Set<FloatKind>();
    walkModule(module, {
      expr: (e) => {
        const kind = floatKind(e);
        if (kind !== undefined) used.add(kind);
        const shown = tells(e);
        if (shown !== undefined && kept.has(shown)) told.push(e);
      },
    });
    if (told.length === 0 && !asked) return plain;
    // Lowerings of halves compute in floats.
    if (used.has("f16")) used.add("f32");
    const kinds = everyKind.filter((k) => used.has(k));
    const has = (atom: string): boolean => hasAtom(profile, atom);
    const canSay =
      kinds.length <= there.widths &&
      kinds.every((k) => there.keptWith[k] !== undefined && satisfied(there.keptWith[k], has));
    if ((options.strict || asked) && canSay) return { ...plain, specialNumbers: kinds };
    for (const e of told) context.note("assumed", "special-numbers", there.assumed, e.span);
    return plain;
  },
};

/** `precise` says it of variables; where one is, it is taken to hold for all of the text. */
function askedByPrecise(module: Module): boolean {
  const own = languageFacts[module.dialect].specialNumbers;
  return own !== "kept" && own.keptByPrecise === true && [...module.variables.values()].some((v) => v.precise);
}

function floatKind(e: Expr): FloatKind | undefined {
  const kind = scalarOf(e.type);
  return kind !== undefined && isFloat(kind) ? kind : undefined;
}

/** The floats whose special numbers show in what the expression gives. */
function tells(e: Expr): FloatKind | undefined {
  const own = floatKind(e);
  switch (e.kind) {
    case "literal":
      return own !== undefined && isSpecial(e.value) ? own : undefined;
    case "unary":
      return e.operator === "negate" && own !== undefined && literalValue(e.operand) === 0 ? own : undefined;
    case "binary":
      // Of an infinity or a NaN it is a NaN.
      if (e.operator === "mul" && [e.left, e.right].some((x) => literalValue(x) === 0)) return own;
      // `x != x` is true of a NaN only.
      return (e.operator === "eq" || e.operator === "ne") && sameValue(e.left, e.right) ? floatKind(e.left) : undefined;
    case "bitcast": {
      if (own === undefined) return floatKind(e.operand);
      const bits = literalValue(e.operand);
      return typeof bits !== "boolean" && bits !== undefined && isSpecial(floatOfBits(own, bits)) ? own : undefined;
    }
    case "op":
      return rows.get(e.op)?.tellsSpecialNumbers
        ? (e.arguments.map(floatKind).find((k) => k !== undefined) ?? own)
        : undefined;
    default:
      return undefined;
  }
}

const isSpecial = (value: number | bigint | boolean): boolean =>
  typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0));
