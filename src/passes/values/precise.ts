/** No contraction: in GLSL and HLSL, sums of products are computed into `precise` variables; C has a pragma. */
import { isOwnText } from "../../ast/lookup.js";
import {
  assign,
  binary,
  convert,
  declare,
  expressionStatement,
  load,
  ModuleEditor,
  rootVariable,
  variablePlace,
} from "../../ast/builders.js";
import { isContractible, withoutMarks } from "../../ast/contraction.js";
import { repeatablePlace } from "../../ast/held-place.js";
import type { Assign, Expr, FunctionDeclaration, Module, Place, Statement, VarId, Variable } from "../../ast/nodes.js";
import { isPure, walkExpr, walkStatement } from "../../ast/walk.js";
import { noSpan } from "../../support/span.js";
import { isFloat, scalarOf, type Type } from "../../types/types.js";
import { languageFacts } from "../../dialects/languages.js";
import { append } from "../../support/append.js";
import { Linearizer, type Linear } from "../../ast/linearize.js";
import type { Pass, TextPass } from "../pass.js";

/** The value of its operand, or a part of it. */
const isPassedOn = (e: Expr): e is Expr & { readonly operand: Expr } =>
  ["unary", "splat", "swizzle-value", "element-value", "member-value", "bitcast"].includes(e.kind);

const isFloating = (t: Type): boolean => isFloat(scalarOf(t) ?? "bool");
const holdsFloats = (t: Type): boolean =>
  t.kind === "array" ? holdsFloats(t.element) : t.kind === "struct" || isFloating(t);

/** Where a compiler could fuse: a product that is added or subtracted. */
function mayFuse(e: Expr, fromElsewhere: (x: Expr) => boolean): boolean {
  if (isContractible(e) && e.contracts) return false;
  const product = (x: Expr): boolean =>
    (x.kind === "binary" && x.operator === "mul") ||
    (x.kind === "unary" && product(x.operand)) ||
    (x.kind === "splat" && product(x.operand)) ||
    fromElsewhere(x);
  return (
    e.kind === "binary" &&
    (e.operator === "add" || e.operator === "sub") &&
    isFloating(e.type) &&
    (product(e.left) || product(e.right))
  );
}

const isRoot = (p: Place): boolean => p.kind === "variable" || p.kind === "deref";

/** Memory that is read somewhere: compilers hand on what was stored there to a load of the same invocation. */
function memoryRead(module: Module): ReadonlySet<VarId | undefined> {
  const found = new Set<VarId | undefined>();
  for (const f of module.functions)
    walkStatement(f.body, {
      place: (p, use) => void ((use === "read" || use === "address") && isRoot(p) && found.add(rootVariable(p))),
      expr(e) {
        if (e.kind === "increment") found.add(rootVariable(e.place));
        if (e.kind === "assign" && (e.operator === "add" || e.operator === "sub")) found.add(rootVariable(e.target));
      },
    });
  return found;
}

/**
 * Products that a sum elsewhere may take up: added by an assignment, given to a function or from one, chosen or taken apart
 * before they are added, or kept in memory that is read.
 */
function leavingProducts(
  f: FunctionDeclaration,
  goesToPrecise: ReadonlySet<Expr>,
  variable: (id: VarId) => Variable,
  read: ReadonlySet<VarId | undefined>,
): ReadonlySet<Expr> {
  const found = new Set<Expr>();
  const leaves = (e: Expr): void => {
    if (e.kind === "binary" && e.operator === "mul" && isFloating(e.type) && !e.contracts) found.add(e);
    else if (isPassedOn(e)) leaves(e.operand);
    else if (e.kind === "construct" || (e.kind === "op" && e.op === "select.componentwise"))
      e.arguments.forEach(leaves);
    else if (e.kind === "conditional") [e.whenTrue, e.whenFalse].forEach(leaves);
  };
  const added = (e: Expr): void => {
    const direct = (e.kind === "unary" || e.kind === "splat" ? e.operand : e).kind === "binary";
    if (!direct) leaves(e);
  };
  walkStatement(f.body, {
    statement(s) {
      if (s.kind === "return" && s.value) leaves(s.value);
      // Bits of a float in an integer.
      if (s.kind === "declare" && s.initializer && !variable(s.variable).precise) leaves(s.initializer);
    },
    expr(e) {
      const sum = (e.kind === "binary" || e.kind === "assign") && (e.operator === "add" || e.operator === "sub");
      if (e.kind === "assign") {
        const id = rootVariable(e.target);
        const to = id === undefined ? undefined : variable(id);
        const kept = to?.space === "private" || read.has(id);
        if (!to?.precise && (sum || kept)) leaves(e.value);
        if (!to?.precise && kept && e.operator === "mul" && isContractible(e) && !e.contracts) found.add(e);
      } else if (e.kind === "binary" && sum && !goesToPrecise.has(e)) [e.left, e.right].forEach(added);
      else if (e.kind === "call") for (const a of e.arguments) if (a.mode === "value") leaves(a.value);
    },
  });
  return found;
}

export const preciseSums: TextPass = {
  name: "precise-sums",
  run(module) {
    if (module.contraction === "allowed") return module;
    const editor = new ModuleEditor(module);
    const read = memoryRead(module);
    // A product of a function that allows contraction may come in.
    const fromElsewhere = (x: Expr): boolean =>
      module.contraction === "marked" &&
      (x.kind === "call" ||
        (x.kind === "load" && module.variables.get(rootVariable(x.place) ?? -1)?.role === "parameter"));
    const precise = (v: Variable): void => {
      if (v.space === "private" && holdsFloats(v.type)) editor.setVariable({ ...v, precise: true });
    };
    // A local computed by such a sum, directly or through other locals.
    const functions = module.functions.map((f) => {
      if (module.contraction === "marked" && !forbids(f)) return f;
      // Where more is known than of the text as a whole, what is only read needs no word.
      const computed = module.contraction === "marked" ? computedLocals(f) : undefined;
      walkStatement(f.body, {
        statement: (s) =>
          void (
            s.kind === "declare" &&
            (computed?.has(s.variable) ?? true) &&
            precise(editor.variables.get(s.variable)!)
          ),
      });
      const isPrecise = (id: VarId): boolean => editor.variables.get(id)?.precise === true;
      const goesToPrecise = sumsOfLocals(f, isPrecise);
      const leaving = leavingProducts(f, goesToPrecise, (id) => editor.variables.get(id)!, read);
      return new Linearizer(editor, (e, discarded, original) => {
        const product = leaving.has(original);
        if ((!mayFuse(e, fromElsewhere) && !product) || goesToPrecise.has(original)) return undefined;
        if (e.kind === "binary") return inPrecise(editor, product ? "product" : "sum", e);
        return e.kind === "assign" ? keptProduct(editor, e, discarded) : undefined;
      }).function(f);
    });
    return { ...withoutMarks(editor.finish({ functions })), contraction: "off" };
  },
};

const temporary = (editor: ModuleEditor, name: string, type: Type, precise: boolean): Variable =>
  editor.addVariable({
    name,
    type,
    space: "private",
    role: "local",
    constant: false,
    ...(precise ? { precise } : {}),
    span: noSpan,
  });

function inPrecise(editor: ModuleEditor, name: string, e: Expr): Linear {
  const t = temporary(editor, name, e.type, true);
  return { before: [declare(t.id, e)], value: load(variablePlace(t), e.span) };
}

/** `x *= y` as a product of its own that is assigned. */
function keptProduct(editor: ModuleEditor, e: Assign & Expr, discarded: boolean): Linear {
  const before: Statement[] = [];
  const place = repeatablePlace(e.target, (x) => {
    const at = temporary(editor, "at", x.type, false);
    before.push(declare(at.id, x));
    return load(variablePlace(at), x.span);
  });
  // The old value is read last.
  let factor = e.value;
  if (!isPure(factor)) {
    const t = temporary(editor, "t", factor.type, false);
    before.push(declare(t.id, factor));
    factor = load(variablePlace(t), factor.span);
  }
  const old = convert(load(place, e.span), e.compute ?? place.type);
  const product = inPrecise(editor, "product", binary("mul", old, factor, e.span));
  const value = assign(place, convert(product.value, place.type), e.span);
  append(before, product.before);
  if (discarded) return { before, value };
  return { before: [...before, expressionStatement(value)], value: load(place, e.span) };
}

/** Locals that are given the result of an operation. */
function computedLocals(f: FunctionDeclaration): ReadonlySet<VarId> {
  const found = new Set<VarId>();
  const given = (id: VarId | undefined, value: Expr): void => {
    if (id !== undefined) walkExpr(value, { expr: (e) => void (isContractible(e) && found.add(id)) });
  };
  walkStatement(f.body, {
    statement: (s) => void (s.kind === "declare" && s.initializer && given(s.variable, s.initializer)),
    expr: (e) => void (e.kind === "assign" && given(rootVariable(e.target), e)),
  });
  return found;
}

/** Something in it must not be contracted. */
function forbids(f: FunctionDeclaration): boolean {
  let found = false;
  walkStatement(f.body, { expr: (e) => void (found ||= isContractible(e) && !e.contracts) });
  return found;
}

/** A target whose `precise` ends with the function: nothing is contracted in a text that has one and means more by it. */
export const preciseFunctions: Pass = {
  name: "precise-functions",
  run(module, { target }) {
    if (!languageFacts[module.dialect].preciseReachesFunctions || isOwnText(module, target)) return module;
    if (![...module.variables.values()].some((v) => v.precise)) return module;
    return { ...withoutMarks(module), contraction: "off" };
  },
};

/** OpenCL C and MSL forbid contraction for a text or a compound statement, not for a variable. */
export const preciseTexts: TextPass = {
  name: "precise-texts",
  run(module) {
    if (module.contraction === "off" || ![...module.variables.values()].some((v) => v.precise)) return module;
    if (module.contraction === "allowed") return { ...module, contraction: "off" };
    return withoutMarks(module, (f) => declaresPrecise(module, f));
  },
};

function declaresPrecise(module: Module, f: FunctionDeclaration): boolean {
  let found = false;
  walkStatement(f.body, {
    statement: (s) => void (found ||= s.kind === "declare" && module.variables.get(s.variable)?.precise === true),
  });
  return found;
}

/** Sums that are the whole value of a local, which is precise itself. */
function sumsOfLocals(f: FunctionDeclaration, locals: (id: VarId) => boolean): ReadonlySet<Expr> {
  const goesToPrecise = new Set<Expr>();
  const value = (e: Expr | undefined): void => {
    if (!e) return;
    goesToPrecise.add(e);
    if (e.kind === "binary" || e.kind === "unary")
      for (const x of e.kind === "binary" ? [e.left, e.right] : [e.operand]) value(x);
  };
  walkStatement(f.body, {
    statement: (s) => void (s.kind === "declare" && locals(s.variable) && value(s.initializer)),
    expr: (e) =>
      void (e.kind === "assign" && e.target.kind === "variable" && locals(e.target.variable) && value(e.value)),
  });
  return goesToPrecise;
}
