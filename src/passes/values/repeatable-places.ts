/**
 * Places that are written more than once in the text. Where a target has no operator for a compound assignment the place
 * is read and written, so what its indices do is done before, once. A word of a raw buffer is read and written by calls:
 * its assignments are statements of their own.
 */
import { declare, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import { repeatablePlace } from "../../ast/held-place.js";
import type { Assign, Increment, Statement } from "../../ast/nodes.js";
import type { ArithmeticFacts } from "../../dialects/language.js";
import { languageFacts } from "../../dialects/languages.js";
import { bitWidth, sameType, scalarOf } from "../../types/types.js";
import { Linearizer } from "../control-flow/linearize.js";
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
    if (target === module.dialect) return module;
    const source = languageFacts[module.dialect].arithmetic;
    const editor = new ModuleEditor(module);
    const functions = module.functions.map((f) =>
      new Linearizer(editor, (e) => {
        if ((e.kind !== "assign" || !e.operator) && e.kind !== "increment") return undefined;
        if (!writtenOut(e as Step, source, languageFacts[target].arithmetic, options.strict === true)) return undefined;
        const before: Statement[] = [];
        const given = e.kind === "assign" ? e.target : e.place;
        const place = repeatablePlace(given, (x) => {
          const v = editor.addLocal("at", x.type);
          before.push(declare(v.id, x));
          return load(variablePlace(v), x.span);
        });
        if (place === given) return undefined;
        return { before, value: e.kind === "assign" ? { ...e, target: place } : { ...e, place } };
      }).function(f),
    );
    return editor.finish({ functions });
  },
};
