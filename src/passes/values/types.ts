/** Types and operators in forms the target has: bools, aggregates, arrays as values, matrices, small integers. */
import { isOwnText } from "../../ast/lookup.js";
import { isAmongLanes } from "../../ast/op-ids.js";
import {
  assign,
  binary,
  construct,
  convert,
  declare,
  element,
  expressionStatement,
  i32Literal,
  literal,
  load,
  logical,
  member,
  ModuleEditor,
  rootVariable,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import {
  noTrivia,
  type Argument,
  type Convert,
  type Expr,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type Place,
  type Statement,
  type VarId,
  type Variable,
} from "../../ast/nodes.js";
import { isPure, placeIsPure, rewriteFunction, rewriteModule, walkModule, walkStatement } from "../../ast/walk.js";
import { decideType } from "../../caps/decide.js";
import { typeIn } from "../../dialects/show-type.js";
import { noSpan, type Span } from "../../support/span.js";
import { spaceOf } from "../../ops/use-of.js";
import { scalarOf, shaped, type AddressSpace, type Type } from "../../types/types.js";
import { copyLoop } from "../memory/array-loops.js";
import { CallGraph, variablesUsed } from "../interface/select-entries.js";
import { Linearizer } from "../../ast/linearize.js";
import type { TextPass } from "../pass.js";
import { intervalOfKind, within } from "../../ast/interval.js";
import { Ranges } from "../analysis/ranges.js";
import { writingFacts, languageFacts } from "../../dialects/languages.js";

// ------------------------------------------------------------------ what the target does not have

/** Refuses types the profile lacks, at the first place each is used. */
export const checkTypes: TextPass = {
  name: "check-types",
  run(module, context) {
    const { target } = context;
    // A text of the target's own dialect may use what no profile of ours has; a device is asked all the same.
    const own = isOwnText(module, target);
    if (own && !context.profile.device) return module;
    const seen = new Set<string>();
    const visited = new Set<string>();
    const check = (type: Type, span: Span, stored?: "stored"): void => {
      switch (type.kind) {
        case "void":
          return;
        case "array":
          return check(type.element, span, stored);
        case "pointer":
          return check(type.pointee, span, stored);
        case "struct": {
          const key = `${type.name} ${stored}`;
          if (visited.has(key)) return;
          visited.add(key);
          for (const m of module.structs.get(type.name)?.members ?? []) check(m.type, m.span, stored);
          return;
        }
        default: {
          const shown = typeIn(module.dialect, type);
          const key = `${shown} ${stored}`;
          if (seen.has(key)) return;
          seen.add(key);
          const answer = decideType(type, target, context.profile, stored);
          if (own) {
            if ("lacks" in answer) context.problems.error("XL3003", `no ${shown} here: ${answer.lacks}`, span);
            return;
          }
          if (type.kind === "vector" && type.size > languageFacts[target].widestVector)
            return context.problems.error("XL3003", `${target} has no vectors of ${type.size}`, span);
          if ("refused" in answer)
            context.problems.error("XL3003", `${target} has no ${shown}: ${answer.refused}`, span);
        }
      }
    };
    for (const v of module.variables.values()) check(v.type, v.span);
    for (const r of module.resources)
      if (r.kind === "buffer" || r.kind === "value")
        check(module.variables.get(r.variable)!.type, module.variables.get(r.variable)!.span, "stored");
    walkModule(module, { expr: (e) => check(e.type, e.span) });
    // Structs nobody uses are printed all the same.
    for (const s of module.structs.values()) check({ kind: "struct", name: s.name }, s.span);
    return module;
  },
};

// ------------------------------------------------------------------ GLSL: bools are no numbers

const bitwise: ReadonlySet<string> = new Set(["and", "or", "xor"]);

/** `&`, `|`, `^` and order on bools: lazy operators where the right side has no effect, arithmetic on 0 and 1 otherwise. */
export const boolOperators: TextPass = {
  name: "bool-operators",
  run(module) {
    const asBits = (e: Expr): Expr => convert(e, shaped("u32", e.type.kind === "vector" ? e.type.size : 1), true);
    const combine = (e: Expr & { kind: "binary" }): Expr => {
      if (scalarOf(e.left.type) !== "bool" || e.operator === "eq" || e.operator === "ne") return e;
      if (e.left.type.kind === "scalar") {
        if (e.operator === "xor") return binary("ne", e.left, e.right, e.span);
        if ((e.operator === "and" || e.operator === "or") && isPure(e.right))
          return logical(e.operator, e.left, e.right, e.span);
      }
      const bits = binary(e.operator, asBits(e.left), asBits(e.right), e.span);
      return bitwise.has(e.operator) ? convert(bits, e.type, true) : bits;
    };
    return rewriteModule(module, {
      expr(e) {
        if (e.kind === "binary") return combine(e);
        if (e.kind === "assign" && e.operator && scalarOf(e.target.type) === "bool" && !e.compute) {
          const value = combine({
            kind: "binary",
            operator: e.operator,
            left: load(e.target),
            right: e.value,
            type: e.target.type,
            span: e.span,
          });
          return assign(e.target, value, e.span);
        }
        return e;
      },
    });
  },
};

// ------------------------------------------------------------------ aggregates

/** Struct and array values outside initialisers get a variable where the target has no expression for them. */
export const aggregateValues: TextPass = {
  name: "aggregate-values",
  run(module, context) {
    const { target } = context;
    const { aggregates } = writingFacts(target);
    const lacks = (type: Type): boolean =>
      (type.kind === "array" && aggregates !== "all") || (type.kind === "struct" && aggregates === "none");
    const editor = new ModuleEditor(module);
    const inInitialiser = new Set<Expr>();
    const mark = (e: Expr): void => {
      if (e.kind !== "construct" || !(e.type.kind === "array" || e.type.kind === "struct")) return;
      inInitialiser.add(e);
      e.arguments.forEach(mark);
    };
    const indexed = new Set<Expr>();
    for (const f of module.functions) {
      walkStatement(f.body, {
        statement: (s) => void (s.kind === "declare" && s.initializer && mark(s.initializer)),
        // Inside another aggregate it is part of that one's list.
        expr: (e) => {
          if (e.kind === "element-value") indexed.add(e.operand);
          if (e.kind === "construct" && (e.type.kind === "array" || e.type.kind === "struct"))
            e.arguments.forEach(mark);
        },
      });
    }
    const functions = module.functions.map((f): FunctionDeclaration =>
      new Linearizer(editor, (e, _discarded, original) => {
        // An array in what a call gives: a place of it can be copied.
        if (e.kind === "member-value" && lacks(e.type) && !indexed.has(original)) {
          const v = editor.addLocal("made", e.operand.type);
          const place = member(variablePlace(v, e.span), e.member, e.type, e.span);
          return { before: [declare(v.id, e.operand, e.span)], value: load(place, e.span) };
        }
        if (e.kind !== "construct" || !lacks(e.type) || inInitialiser.has(original)) return undefined;
        const v = editor.addLocal(e.type.kind === "struct" ? "made" : "list", e.type);
        return { before: [declare(v.id, e)], value: load(variablePlace(v), e.span) };
      }).function(f),
    );
    return editor.finish({ functions });
  },
};

// ------------------------------------------------------------------ arrays as values in C

/** MSL and OpenCL C do not copy arrays: assignments and initialisations by another array become loops. */
export const arrayCopies: TextPass = {
  name: "array-copies",
  run(module, context) {
    const editor = new ModuleEditor(module);
    const { problems } = context;
    const isArray = (t: Type): boolean => t.kind === "array";

    // Parameters: an array handed over by value is the caller's own in C.
    const written = new Set<VarId>();
    for (const f of module.functions) {
      walkStatement(f.body, {
        place: (p, use) => void (p.kind === "variable" && use !== "read" && written.add(p.variable)),
      });
      if (isArray(f.returnType))
        problems.error("XL4008", `${context.target} functions cannot return arrays`, f.nameSpan);
    }
    const byReference = new Set<VarId>();
    const copies = new Map<FunctionId, { from: Variable; to: Variable }[]>();
    for (const f of module.functions) {
      for (const p of f.parameters) {
        const v = editor.variables.get(p)!;
        if (v.type.kind !== "array" || v.mode === "ref") continue;
        byReference.add(p);
        editor.setVariable({ ...v, mode: "ref", space: "private", constant: !written.has(p) });
        if (!written.has(p)) continue;
        const inner = editor.addVariable({ ...v, role: "local", mode: undefined, constant: false });
        editor.setVariable({ ...v, mode: "ref", space: "private", constant: true });
        copies.set(f.id, [...(copies.get(f.id) ?? []), { from: editor.variables.get(p)!, to: inner }]);
      }
    }

    const copy = (target: Place, source: Place, span: Span): Statement => copyLoop(editor, target, source, span);
    const refuse = (span: Span): void =>
      problems.error(
        "XL4008",
        `${context.target} has no array values, and this one is used inside an expression`,
        span,
      );

    const own = ownArrays(module, editor);
    const apart = { ...module, functions: module.functions.map((f) => new Linearizer(editor, own).function(f)) };
    const byId = new Map(module.functions.map((f) => [f.id, f]));
    const next = rewriteModule(apart, {
      expr(e) {
        if (e.kind === "construct" && (e.type.kind === "array" || e.type.kind === "struct")) {
          const args = e.arguments.map((a) => listed(a) ?? (refuse(a.span), a));
          return args.every((a, i) => a === e.arguments[i]) ? e : { ...e, arguments: args };
        }
        if (e.kind !== "call") return e;
        const callee = byId.get(e.function)!;
        let changed = false;
        const args = e.arguments.map((a, i): Argument => {
          if (a.mode !== "value" || !byReference.has(callee.parameters[i]!)) return a;
          changed = true;
          if (a.value.kind === "load") return { mode: "ref", place: a.value.place };
          refuse(a.value.span);
          return a;
        });
        return changed ? { ...e, arguments: args } : e;
      },
      statement(s) {
        if (
          s.kind === "declare" &&
          s.initializer &&
          isArray(s.initializer.type) &&
          s.initializer.kind !== "construct"
        ) {
          if (s.initializer.kind !== "load") {
            refuse(s.span);
            return s;
          }
          const v = editor.variables.get(s.variable)!;
          editor.setVariable({ ...v, constant: false });
          const { initializer, ...bare } = s;
          return [bare, copy(variablePlace(v), (initializer as Expr & { kind: "load" }).place, s.span)];
        }
        if (s.kind === "expression" && s.expression.kind === "assign" && isArray(s.expression.type)) {
          const { target, value } = s.expression;
          if (value.kind === "load") return { ...copy(target, value.place, s.span), trivia: s.trivia };
          refuse(s.span);
        }
        return s;
      },
    });
    const functions = next.functions.map((f) => {
      const list = copies.get(f.id);
      if (!list) return f;
      const ids = new Map(list.map((c) => [c.from.id, c.to.id]));
      const body = rewriteModule(
        { ...next, functions: [f], variables: new Map(), resources: [] },
        {
          place: (p) => (p.kind === "variable" && ids.has(p.variable) ? { ...p, variable: ids.get(p.variable)! } : p),
        },
      ).functions[0]!.body;
      const start = list.flatMap((c): Statement[] => [
        declare(c.to.id),
        copy(variablePlace(c.to), variablePlace(c.from), noSpan),
      ]);
      return { ...f, body: { ...body, statements: [...start, ...body.statements] } };
    });
    return editor.finish({ functions, resources: next.resources });
  },
};

/** An array inside a list is written as the list of its elements. */
function listed(e: Expr): Expr | undefined {
  if (e.type.kind !== "array" || e.kind === "construct") return e;
  if (e.kind !== "load" || !placeIsPure(e.place) || e.type.length === undefined || e.type.length > 64) return undefined;
  const parts = Array.from({ length: e.type.length }, (_, i) => listed(load(element(e.place, i32Literal(i)), e.span)));
  return parts.every((p) => p !== undefined) ? construct(e.type, parts, e.span, true) : undefined;
}

/** An array handed over by value that the callee could reach and change by another way is copied first. */
function ownArrays(
  module: Module,
  editor: ModuleEditor,
): (e: Expr) => { before: readonly Statement[]; value: Expr } | undefined {
  const graph = new CallGraph(module);
  const byId = new Map(module.functions.map((f) => [f.id, f]));
  const reaches = (callee: FunctionId, v: VarId): boolean =>
    [...graph.reachable([callee])].some((id) => variablesUsed(byId.get(id)!).has(v));
  return (e) => {
    if (e.kind !== "call") return undefined;
    const before: Statement[] = [];
    const args = e.arguments.map((a, i): Argument => {
      if (a.mode !== "value" || a.value.type.kind !== "array" || a.value.kind !== "load") return a;
      const root = rootVariable(a.value.place);
      const v = root === undefined ? undefined : module.variables.get(root);
      const shared = e.arguments.some((b, j) => j !== i && b.mode !== "value" && rootVariable(b.place) === root);
      if (v?.space === "private" && !shared && !(v.role === "global" && reaches(e.function, v.id))) return a;
      const t = editor.addLocal("list", a.value.type);
      before.push(declare(t.id), expressionStatement(assign(variablePlace(t), a.value)));
      return { mode: "value", value: load(variablePlace(t), a.value.span) };
    });
    return before.length === 0 ? undefined : { before, value: { ...e, arguments: args } };
  };
}

// ------------------------------------------------------------------ structs the module compares or selects

/** Ternaries of arrays do not exist in C, of structs not in HLSL; in MSL address spaces get in their way, in GLSL layouts of buffers. */
export const aggregateConditionals: TextPass = {
  name: "aggregate-conditionals",
  run(module, context) {
    const { chosenAggregates } = writingFacts(context.target);
    const editor = new ModuleEditor(module);
    const spaces = (e: Expr): readonly (AddressSpace | undefined)[] =>
      e.kind === "conditional"
        ? [...spaces(e.whenTrue), ...spaces(e.whenFalse)]
        : [e.kind === "load" ? spaceOf(e.place, editor.variables) : "private"];
    const inBuffers = (e: Expr): boolean => spaces(e).some((space) => space === "global" || space === "constant");
    const bad = (e: Expr): boolean => {
      switch (e.type.kind) {
        case "array":
          return chosenAggregates !== "all outside of buffers" || inBuffers(e);
        case "struct":
          return chosenAggregates === "all outside of buffers" ? inBuffers(e) : chosenAggregates.startsWith("none");
        case "matrix":
          return chosenAggregates === "none, and matrices of one space" && new Set(spaces(e)).size > 1;
        default:
          return false;
      }
    };
    const functions = module.functions.map((f) =>
      new Linearizer(editor, (e) => {
        if (e.kind !== "conditional" || !bad(e)) return undefined;
        const v = editor.addLocal("chosen", e.type);
        const set = (x: Expr): Statement => expressionStatement(assign(variablePlace(v), x));
        const choice: Statement = {
          kind: "if",
          condition: e.condition,
          then: set(e.whenTrue),
          else: set(e.whenFalse),
          span: e.span,
          trivia: noTrivia,
        };
        return { before: [declare(v.id), choice], value: load(variablePlace(v), e.span) };
      }).function(f),
    );
    return editor.finish({ functions });
  },
};

// ------------------------------------------------------------------ small ids and lane numbers

/**
 * A detour through 16 bits goes where it changes nothing: ids that are always small, and the lane numbers MSL's shuffles
 * take, since no subgroup has more lanes. `convert(id).x` becomes `convert(id.x)`.
 */
export const laneNumbers: TextPass = {
  name: "lane-numbers",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const detour = (e: Expr): Expr | undefined => {
      if (e.kind !== "convert" || e.operand.kind !== "convert") return undefined;
      const small = scalarOf(e.operand.type);
      const inner = e.operand.operand;
      const kinds = [scalarOf(e.type), scalarOf(inner.type)];
      return (small === "u16" || small === "i16") && kinds.every((k) => k === "u32") ? inner : undefined;
    };
    const functions = module.functions.map((f) => {
      const ranges = new Ranges(module, f);
      return rewriteFunction(f, {
        expr(e) {
          if (
            e.kind === "swizzle-value" &&
            e.components.length === 1 &&
            e.operand.kind === "convert" &&
            e.operand.operand.kind === "builtin" &&
            e.type.kind === "scalar"
          ) {
            return convert(swizzleValue(e.operand.operand, e.components, e.span), e.type, e.operand.explicit, e.span);
          }
          const inner = detour(e);
          if (inner && e.kind === "convert") {
            const narrow = intervalOfKind(scalarOf(e.operand.type)!);
            return within(ranges.of(inner), narrow) ? inner : e;
          }
          if (e.kind !== "op" || !isAmongLanes(e.op) || e.arguments.length < 2) return e;
          const args = e.arguments.map((a, i) => {
            const number = i === 0 ? undefined : detour(a);
            if (!number) return a;
            if (context.options.strict)
              return scalarOf((a as Convert).operand.type) === "u16"
                ? binary("and", number, literal("u32", 0xffff, noSpan, "0xffff"), a.span)
                : a;
            context.note("assumed", "lane-number", "lane numbers and distances of shuffles fit 16 bits", a.span);
            return number;
          });
          return args.every((a, i) => a === e.arguments[i]) ? e : { ...e, arguments: args };
        },
      });
    });
    return { ...module, functions };
  },
};
