/**
 * Places that are written more than once in the text. Where a target has no operator for a compound assignment the place
 * is read and written, so what its indices do is done before, once. A word of a raw buffer is read and written by calls:
 * its assignments are statements of their own.
 */
import { declare, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import type { Assign, Expr, Increment, Module, Place, Statement } from "../../ast/nodes.js";
import { isPure, placeIsPure } from "../../ast/walk.js";
import type { ArithmeticFacts } from "../../dialects/language.js";
import { languageFacts } from "../../dialects/languages.js";
import { noSpan } from "../../support/span.js";
import { bitWidth, scalarOf } from "../../types/types.js";
import { Linearizer } from "../control-flow/linearize.js";
import type { TextContext, TextPass } from "../pass.js";

type Step = (Assign & { readonly operator: NonNullable<Assign["operator"]> }) | Increment;

/** Whether the operation may have to be written out: as `x = x op y`, perhaps by way of another type. */
function writtenOut(e: Step, source: ArithmeticFacts, target: ArithmeticFacts): boolean {
  const kind = scalarOf(e.type);
  if (!kind || e.type.kind === "pointer") return false;
  const signed = kind[0] === "i";
  const operator = e.kind === "increment" ? "add" : e.operator;
  if (e.kind === "assign" && (bitWidth(kind) < 32 || e.compute !== undefined)) return true;
  switch (operator) {
    case "add":
    case "sub":
    case "mul":
      return signed && source.signedOverflow === "wraps" && target.signedOverflow !== "wraps";
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

class Steadier {
  private readonly editor: ModuleEditor;

  constructor(
    private readonly module: Module,
    private readonly context: TextContext,
  ) {
    this.editor = new ModuleEditor(module);
  }

  run(): Module {
    const functions = this.module.functions.map((f) => new Linearizer(this.editor, (e) => this.node(e)).function(f));
    return this.editor.finish({ functions });
  }

  private node(e: Expr): { before: readonly Statement[]; value: Expr | undefined } | undefined {
    if (e.kind !== "assign" && e.kind !== "increment") return undefined;
    const before: Statement[] = [];
    const place = e.kind === "assign" ? e.target : e.place;
    if (placeIsPure(place) || (e.kind === "assign" && !e.operator)) return undefined;
    const { dialect } = this.module;
    if (!writtenOut(e as Step, languageFacts[dialect].arithmetic, languageFacts[this.context.target].arithmetic))
      return undefined;
    const steady = this.steady(place, before);
    return { before, value: e.kind === "assign" ? { ...e, target: steady } : { ...e, place: steady } };
  }

  private held(name: string, value: Expr, before: Statement[]): Expr {
    const v = this.editor.addVariable({
      name,
      type: value.type,
      space: "private",
      role: "local",
      constant: false,
      span: noSpan,
    });
    before.push(declare(v.id, value));
    return load(variablePlace(v), value.span);
  }

  private steady(p: Place, before: Statement[]): Place {
    switch (p.kind) {
      case "variable":
        return p;
      case "deref":
        return isPure(p.pointer) ? p : { ...p, pointer: this.held("at", p.pointer, before) };
      case "element": {
        const base = this.steady(p.base, before);
        const index = isPure(p.index) ? p.index : this.held("at", p.index, before);
        return base === p.base && index === p.index ? p : { ...p, base, index };
      }
      case "member":
      case "swizzle": {
        const base = this.steady(p.base, before);
        return base === p.base ? p : { ...p, base };
      }
      case "view":
        return isPure(p.offset) ? p : { ...p, offset: this.held("at", p.offset, before) };
    }
  }
}

export const steadyPlaces: TextPass = {
  name: "steady-places",
  run(module, context) {
    return context.target === module.dialect ? module : new Steadier(module, context).run();
  },
};
