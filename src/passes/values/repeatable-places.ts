/**
 * Places that are written more than once in the text. Where a target has no operator for a compound assignment the place
 * is read and written, so what its indices do is done before, once; and before the old value is read, what the new one does to it. A word of a raw buffer is read and written by calls:
 * its assignments are statements of their own.
 */
import { isOwnText } from "../../ast/lookup.js";
import { declare, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import { isPure } from "../../ast/walk.js";
import { footprintsOf, meet } from "../../ops/footprints.js";
import { repeatablePlace } from "../../ast/held-place.js";
import type { Assign, Expr, Increment, Statement } from "../../ast/nodes.js";
import type { ArithmeticFacts } from "../../dialects/language.js";
import { languageFacts, writingFacts, writtenArithmetic } from "../../dialects/languages.js";
import { bitWidth, sameType, scalarOf } from "../../types/types.js";
import { Linearizer } from "../../ast/linearize.js";
import { atomicHolders, holderOf } from "../memory/atomic-types.js";
import type { TextPass } from "../pass.js";

type Step = (Assign & { readonly operator: NonNullable<Assign["operator"]> }) | Increment;

/** Whether the operation may have to be written out: as `x = x op y`, perhaps by way of another type. */
function writtenOut(e: Step, source: ArithmeticFacts, target: ArithmeticFacts, strict: boolean): boolean {
  const kind = scalarOf(e.type);
  if (!kind || e.type.kind === "pointer") return false;
  const signed = kind[0] === "i";
  const operator = e.kind === "increment" ? "add" : e.operator;
  // Languages differ in which matrices, and which types together, they have such operators for.
  const shifts = operator === "shl" || operator === "shr";
  if (e.kind === "assign" && (e.type.kind === "matrix" || !(shifts || sameType(e.target.type, e.value.type))))
    return true;
  if (bitWidth(kind) < 32 || (e.kind === "assign" && e.compute !== undefined)) return true;
  switch (operator) {
    case "add":
    case "sub":
    case "mul":
      return signed && (strict || source.signedOverflow === "wraps") && target.signedOverflow !== "wraps";
    case "shl":
      return signed && target.signedShiftLeft === "undefined";
    case "div":
    case "rem":
      return signed
        ? target.negativeRemainder === "undefined"
        : kind[0] === "u" && source.unsignedDivisionByZero !== target.unsignedDivisionByZero;
    default:
      return false;
  }
}

export const repeatablePlaces: TextPass = {
  name: "repeatable-places",
  run(module, { target, options }) {
    if (isOwnText(module, target)) return module;
    const source = languageFacts[module.dialect].arithmetic;
    const editor = new ModuleEditor(module);
    const footprints = footprintsOf(module);
    const atomic = writingFacts(target).atomicTypes ? atomicHolders(module) : new Set();
    const functions = module.functions.map((f) =>
      new Linearizer(editor, (e) => {
        if ((e.kind !== "assign" || !e.operator) && e.kind !== "increment") return undefined;
        const given = e.kind === "assign" ? e.target : e.place;
        const holder = atomic.size > 0 ? holderOf(given) : undefined;
        const ofAtomic = holder !== undefined && atomic.has(holder);
        if (!ofAtomic && !writtenOut(e as Step, source, writtenArithmetic(target), options.strict === true))
          return undefined;
        const before: Statement[] = [];
        const kept = (name: string, x: Expr): Expr => {
          const v = editor.addLocal(name, x.type);
          before.push(declare(v.id, x));
          return load(variablePlace(v), x.span);
        };
        const does = e.kind === "assign" ? footprints.of(e.value) : undefined;
        // The place is found, the value computed, and the old one read: a sum with the old one in front reads it too soon.
        const first = does !== undefined && footprints.changesAt(does, given);
        const stays = (x: Expr): boolean => isPure(x) && !(first && meet(footprints.of(x), does));
        const place = repeatablePlace(given, (x) => kept("at", x), stays);
        if (e.kind === "increment") return place === given ? undefined : { before, value: { ...e, place } };
        if (place === given && !first) return undefined;
        return { before, value: { ...e, target: place, value: first ? kept("t", e.value) : e.value } };
      }).function(f),
    );
    return editor.finish({ functions });
  },
};
