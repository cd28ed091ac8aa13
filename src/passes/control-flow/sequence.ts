/**
 * Order of evaluation. The tree goes from left to right. A target that does not, or leaves the order open, may give something
 * else where one operand changes what another uses: such expressions are taken apart, and effects run as statements, in order.
 */
import { declare, expressionStatement, load, ModuleEditor, variablePlace } from "../../ast/builders.js";
import type { EvaluationOrder } from "../../dialects/language.js";
import { languageFacts } from "../../dialects/languages.js";
import { Effects, lazyOperands } from "../../ops/effects.js";
import { Footprints, mayBeOnePlace, meet, type Footprint } from "../../ops/footprints.js";
import type { Argument, Expr, FunctionDeclaration, Module, Place, Statement } from "../../ast/nodes.js";
import { walkExpr, walkStatement } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import { Linearizer } from "./linearize.js";
import type { PassContext, TextPass } from "../pass.js";

export const sequenceEffects: TextPass = {
  name: "sequence-effects",
  run(module, context) {
    const { order } = languageFacts[context.target];
    // What a source leaves open its own text may.
    if (context.target === module.dialect && order.operands === "open") return module;
    const footprints = footprintsOf(module);
    return sequenced(module, context, footprints, (e) => conflicts(footprints, e, order));
  },
};

/** GLSL's `mix` has the condition last, which the tree evaluates first. */
export const sequenceChoices: TextPass = {
  name: "sequence-choices",
  run(module, context) {
    const footprints = footprintsOf(module);
    const choices = (e: Expr): boolean =>
      footprints.effects(e).length > 0 &&
      anyWithin(e, (x) => x.kind === "op" && x.op === "select.componentwise" && anyMeet(operandsOf(footprints, x)));
    return sequenced(module, context, footprints, choices);
  },
};

/** Full expressions whose operands are in conflict, with their effects in statements before them. */
function sequenced(
  module: Module,
  context: PassContext,
  footprints: Footprints,
  inConflict: (e: Expr) => boolean,
): Module {
  const editor = new ModuleEditor(module);
  const functions = module.functions.map((f): FunctionDeclaration => {
    const hoist = new Set<Expr>();
    walkStatement(f.body, {
      statement: (s) => {
        for (const e of fullExpressions(s))
          if (inConflict(e)) for (const x of footprints.effects(e)) if (x !== e) hoist.add(x);
      },
    });
    if (hoist.size === 0) return f;
    for (const e of hoist)
      context.note(
        "emulated",
        "evaluation-order",
        "effects inside an expression run as statements of their own",
        e.span,
      );
    const linearizer: Linearizer = new Linearizer(editor, (e, _discarded, original) => {
      if (!hoist.has(original)) return undefined;
      const keep = (value: Expr): { before: readonly Statement[]; value: Expr } => {
        const t = editor.addVariable({
          name: "t",
          type: value.type,
          space: "private",
          role: "local",
          constant: false,
          span: noSpan,
        });
        linearizer.settled.add(t.id);
        return { before: [declare(t.id, value)], value: load(variablePlace(t), e.span) };
      };
      if (e.kind === "increment" && !e.prefix) {
        const old = keep(load(e.place, e.span));
        return { before: [...old.before, expressionStatement(e)], value: old.value };
      }
      if (e.kind === "call" && e.type.kind === "void") return { before: [expressionStatement(e)], value: undefined };
      return keep(e);
    });
    return linearizer.function(f);
  });
  return editor.finish({ functions });
}

/**
 * HLSL evaluates all operands of `&&`, `||` and `?:` before version 2021 of the language, and compilers for other drivers
 * still do. Operands that do something besides giving a value stand in branches.
 */
export const lazyEffects: TextPass = {
  name: "lazy-effects",
  run(module, context) {
    if (context.target === module.dialect) return module;
    const editor = new ModuleEditor(module);
    const effects = new Effects(module);
    const functions = module.functions.map((f): FunctionDeclaration => {
      const apart = new Set<Expr>();
      walkStatement(f.body, {
        expr: (e) => {
          for (const operand of lazyOperands(e)) {
            if (!effects.of(operand)) continue;
            apart.add(operand);
            context.note(
              "emulated",
              "lazy-operand",
              "operands with effects that &&, || and ?: may skip stand in branches",
              operand.span,
            );
          }
        },
      });
      if (apart.size === 0) return f;
      return new Linearizer(
        editor,
        () => undefined,
        (operand) => apart.has(operand),
      ).function(f);
    });
    return editor.finish({ functions });
  },
};

/** Expressions with a sequence point at their end. */
function fullExpressions(s: Statement): readonly Expr[] {
  const list: (Expr | undefined)[] =
    s.kind === "declare"
      ? [s.initializer]
      : s.kind === "expression"
        ? [s.expression]
        : s.kind === "if" || s.kind === "while" || s.kind === "do-while"
          ? [s.condition]
          : s.kind === "for"
            ? [s.condition, s.step]
            : s.kind === "switch"
              ? [s.value]
              : s.kind === "return"
                ? [s.value]
                : [];
  return list.filter((e): e is Expr => e !== undefined);
}

function footprintsOf(module: Module): Footprints {
  const declarations = new Map(module.functions.map((f) => [f.id, f]));
  return new Footprints({ declaration: (id) => declarations.get(id), variable: (id) => module.variables.get(id)! });
}

function anyWithin(e: Expr, wanted: (x: Expr) => boolean): boolean {
  let found = false;
  walkExpr(e, { expr: (x) => !found && !(found = wanted(x)) });
  return found;
}

const anyMeet = (operands: readonly Footprint[]): boolean =>
  operands.some((a, i) => operands.slice(i + 1).some((b) => meet(a, b)));

/** What the operands of an op or a call touch, each by itself. */
function operandsOf(footprints: Footprints, e: Expr): readonly Footprint[] {
  if (e.kind === "call") return e.arguments.map((a) => footprints.ofArgument(a));
  return e.kind === "op"
    ? [...e.places.map((p) => footprints.ofReading(p)), ...e.arguments.map((a) => footprints.of(a))]
    : [];
}

/** Whether operands meet that the target may evaluate in another order than the tree. */
function conflicts(footprints: Footprints, e: Expr, order: EvaluationOrder): boolean {
  const known = new WeakMap<Expr, boolean>();
  if (!footprints.hasEffects(e, known)) return false;
  const values = (...list: readonly Expr[]): boolean => anyMeet(list.map((x) => footprints.of(x)));
  let found = false;
  walkExpr(e, {
    place: (p, use) => {
      if (p.kind !== "element" || order.indices === "left to right") return;
      if (meet(footprints.ofFinding(p.base), footprints.of(p.index))) found = true;
      if (order.indices === "open" && use !== "read" && writtenTwice(footprints, p, p.index)) found = true;
    },
    expr: (x) => {
      // Operands that change nothing meet nothing, nor does anything in them.
      if (found || !footprints.hasEffects(x, known)) return false;
      switch (x.kind) {
        case "binary":
          found =
            (order.operands === "open" || (order.arguments !== "left to right" && mayBecomeCall.has(x.operator))) &&
            values(x.left, x.right);
          break;
        case "construct":
          // Printed by rows, matrices have their parts in another order.
          found =
            (order.operands === "open" || (order.arguments !== "left to right" && x.type.kind === "matrix")) &&
            values(...x.arguments);
          break;
        case "element-value":
          found = order.indices !== "left to right" && values(x.operand, x.index);
          break;
        case "op":
          found = order.arguments !== "left to right" && anyMeet(operandsOf(footprints, x));
          break;
        case "call":
          found = order.arguments !== "left to right" && anyMeet(operandsOf(footprints, x));
          if (!order.placesOnce && x.arguments.some((a) => changesPlace(footprints, a))) found = true;
          break;
        case "assign":
          found = order.assignment !== "place first" && assignmentConflict(footprints, x, order);
          break;
        case "load":
          if (order.indices === "open" && x.place.kind === "element")
            found = meet(footprints.ofReading(x.place.base), footprints.of(x.place.index));
          break;
        default:
          break;
      }
      return !found;
    },
  });
  return found;
}

/** Operators that a target may have to write as calls of helpers. */
const mayBecomeCall: ReadonlySet<string> = new Set(["div", "rem", "shl", "shr"]);

/** Finding the place that an argument names, or that its value is copied from, changes something. */
function changesPlace(footprints: Footprints, a: Argument): boolean {
  const place =
    a.mode !== "value"
      ? a.place
      : a.value.kind === "load" && (a.value.type.kind === "struct" || a.value.type.kind === "array")
        ? a.value.place
        : undefined;
  return place !== undefined && footprints.ofFinding(place).writes.length > 0;
}

/** The store comes last: only the way to the place and the value can meet, and in C the old value of `op=`. */
function assignmentConflict(footprints: Footprints, e: Expr & { kind: "assign" }, order: EvaluationOrder): boolean {
  const value = footprints.of(e.value);
  if (order.assignment === "value first") return meet(footprints.ofFinding(e.target), value);
  return (
    meet(e.operator ? footprints.ofReading(e.target) : footprints.ofFinding(e.target), value) ||
    writtenTwice(footprints, e.target, e.value)
  );
}

/** What a store and its operand's own side effect would do to one object in no order: `x = x++`. */
function writtenTwice(footprints: Footprints, p: Place, operand: Expr): boolean {
  const written = footprints
    .effects(operand)
    .flatMap((x) => (x.kind === "assign" ? [x.target] : x.kind === "increment" ? [x.place] : []));
  return written.some((x) => mayBeOnePlace(x, p));
}
