/**
 * Values that were put into a variable so that a method could refer to it, and are passed as they are since the method takes its
 * object by value: `(t = make(x), f(t))` is `f(make(x))`.
 */
import { liesNowhere } from "../../support/span.js";
import { isOwnText } from "../../ast/lookup.js";
import { ModuleEditor } from "../../ast/builders.js";
import type { Comma, Expr, FunctionDeclaration, Module, Statement, VarId } from "../../ast/nodes.js";
import { rewriteFunction, walkStatement } from "../../ast/walk.js";
import { sameType } from "../../types/types.js";
import type { TextPass } from "../pass.js";

export const forwardedValues: TextPass = {
  name: "forwarded-values",
  requires: ["no-pointers"],
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const editor = new ModuleEditor(module);
    return editor.finish({ functions: module.functions.map((f) => forwarded(module, editor, f)) });
  },
};

function forwarded(module: Module, editor: ModuleEditor, f: FunctionDeclaration): FunctionDeclaration {
  const once = usedOnce(module, f);
  if (once.size === 0) return f;
  const gone = new Set<VarId>();
  const done = rewriteFunction(f, {
    expr: (e) => {
      const { left } = e as Comma;
      if (e.kind !== "comma" || left.kind !== "assign" || left.operator || left.target.kind !== "variable") return e;
      const { variable } = left.target;
      // What the source has no name for stands where its value does.
      const isMade = liesNowhere(module.variables.get(variable)!.span);
      const value = isMade && once.has(variable) ? withFirst(e.right, variable, left.value) : undefined;
      if (value) gone.add(variable);
      return value ?? e;
    },
  });
  if (gone.size === 0) return f;
  for (const v of gone) editor.variables.delete(v);
  const undeclared = (s: Statement): Statement | readonly Statement[] =>
    s.kind === "declare" && gone.has(s.variable) ? [] : s;
  return rewriteFunction(done, { statement: undeclared });
}

/** Locals that are set once and read once, as a whole. */
function usedOnce(module: Module, f: FunctionDeclaration): ReadonlySet<VarId> {
  const places = new Map<VarId, number>();
  const whole = new Map<VarId, number>();
  const declared = new Set<VarId>();
  const add = (counts: Map<VarId, number>, id: VarId): void => void counts.set(id, (counts.get(id) ?? 0) + 1);
  walkStatement(f.body, {
    statement: (s) => {
      if (s.kind !== "declare" || s.initializer) return;
      const { trivia } = s;
      if (trivia.leading.length + trivia.trailing.length === 0) declared.add(s.variable);
    },
    place: (p) => void (p.kind === "variable" && add(places, p.variable)),
    expr: (e) => {
      if (e.kind === "assign" && e.target.kind === "variable") add(whole, e.target.variable);
      if (e.kind === "load" && e.place.kind === "variable") add(whole, e.place.variable);
    },
  });
  const isOnce = (id: VarId): boolean => {
    const v = module.variables.get(id);
    return places.get(id) === 2 && whole.get(id) === 2 && v?.space === "private" && !v.volatile;
  };
  return new Set([...declared].filter(isOnce));
}

/** The expression with a value in the place of a variable that it reads before anything else; undefined where it does not. */
function withFirst(e: Expr, variable: VarId, value: Expr): Expr | undefined {
  switch (e.kind) {
    case "load":
      return e.place.kind === "variable" && e.place.variable === variable && sameType(e.type, value.type)
        ? value
        : undefined;
    case "call": {
      const [first, ...rest] = e.arguments;
      const found = first?.mode === "value" ? withFirst(first.value, variable, value) : undefined;
      return found && { ...e, arguments: [{ mode: "value", value: found }, ...rest] };
    }
    case "convert":
    case "unary":
    case "member-value":
    case "swizzle-value": {
      const operand = withFirst(e.operand, variable, value);
      return operand && { ...e, operand };
    }
    case "binary": {
      const left = withFirst(e.left, variable, value);
      return left && { ...e, left };
    }
    case "assign": {
      const isPlain = e.target.kind === "variable" && !e.operator;
      const found = isPlain ? withFirst(e.value, variable, value) : undefined;
      return found && { ...e, value: found };
    }
    case "comma": {
      const left = withFirst(e.left, variable, value);
      return left && { ...e, left };
    }
    default:
      return undefined;
  }
}
