/**
 * What may differ between a legal tree and the tree read back from its text, each with its reason. Everything else has to
 * agree letter for letter.
 */
import {
  assign,
  binary,
  builtin,
  convert,
  elementValue,
  literal,
  literalValue,
  load,
  swizzleValue,
} from "../../src/ast/builders.js";
import { canonicalForm } from "./canonical-form.js";
import type { Expr, Module, Place, VarId } from "../../src/ast/nodes.js";
import type { BuiltinId } from "../../src/ast/nodes.js";
import { rewriteModule } from "../../src/ast/walk.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { decide } from "../../src/caps/decide.js";
import { rows } from "../../src/ops/table.js";
import { useOf } from "../../src/ops/use-of.js";
import { bitWidth, isFloat, isInteger, sameType, scalarOf } from "../../src/types/types.js";
import { hasRuntimeTail } from "../../src/types/layout.js";
import type { ScalarKind, Type } from "../../src/types/types.js";

export function legalForm(module: Module, target: TwoWayDialect): string {
  return settled(
    canonicalForm(fold(readsAs(wholeStructs(readsBuiltins(blocksTogether(withoutStatic(module)))), target))),
    target,
  );
}

export function readForm(module: Module, target: TwoWayDialect): string {
  return settled(canonicalForm(fold(module)), target);
}

/**
 * Of the text: `x[0]` and `x[0u]` are one thing, and which of them is written depends on where it came from. Labels of
 * cases are values in the tree: where a dialect has no enumerators, a named constant is read as its number.
 */
export function againForm(text: string): string {
  const constants = new Map(
    [...text.matchAll(/^(?:static )?const u?int (\w+) = (-?\d+)u?;/gm)].map((m) => [m[1]!, m[2]!]),
  );
  return text
    .replace(/\b(\d+)u\b/g, "$1")
    .replace(/\bcase (\w+):/g, (label, name: string) =>
      constants.has(name) ? `case ${constants.get(name)!}:` : label,
    );
}

/**
 * HLSL's matrices are written by rows, which the legal tree for HLSL already is in and reading turns back: the forms of
 * kernels with matrices differ by a transposition on each side. Running both (simulate.test.ts) shows that they agree.
 */
export function isTransposed(form: string, target: TwoWayDialect): boolean {
  return target === "hlsl" && /\bf32m\dx\d\b/.test(form);
}

/** Workgroup memory that the target's text sizes itself is no argument there. */
function withoutStatic(module: Module): Module {
  const fixed = new Set(module.legal?.slots.filter((s) => s.kind === "static-workgroup").map((s) => s.variable));
  if (fixed.size === 0) return module;
  const entries = module.entries.map((e) => ({ ...e, resources: e.resources.filter((r) => !fixed.has(r)) }));
  return { ...module, entries, resources: module.resources.filter((r) => !fixed.has(r.variable)) };
}

/** `s->x` of a struct that takes the rest of its buffer: OpenCL C binds a pointer, and there is no second one to point at. */
function wholeStructs(module: Module): Module {
  const open = new Map<VarId, Type>();
  const variables = new Map(module.variables);
  for (const { variable } of module.resources) {
    const v = variables.get(variable)!;
    if (v.type.kind !== "array" || !hasRuntimeTail(v.type.element, module.structs)) continue;
    open.set(variable, v.type.element);
    variables.set(variable, { ...v, type: v.type.element });
  }
  if (open.size === 0) return module;
  return rewriteModule(
    { ...module, variables },
    {
      place: (p) =>
        p.kind === "element" && p.base.kind === "variable" && open.has(p.base.variable)
          ? { ...p.base, type: open.get(p.base.variable)! }
          : p,
    },
  );
}

/** Values that share a block of the text stand together in its list, where the first of them stood. */
function blocksTogether(module: Module): Module {
  const blocks = module.legal?.valueBlocks ?? [];
  const entries = module.entries.map((e) => {
    const list: VarId[] = [];
    for (const r of e.resources) {
      const block = blocks.find((b) => b.members.includes(r));
      for (const member of block?.members ?? [r])
        if (e.resources.includes(member) && !list.includes(member)) list.push(member);
    }
    return { ...e, resources: list };
  });
  return { ...module, entries };
}

function settled(form: string, target: TwoWayDialect): string {
  let text = form;
  // Metal's text has no workgroup size: the launch decides, and reflection states it.
  if (target === "msl") text = text.replace(/^entry size \S+/m, "entry");
  // OpenCL C and HLSL have no specialisation constants: they are arguments like others.
  if (target === "opencl" || target === "hlsl") text = text.replace(/^(resource .*) specialization$/gm, "$1 value");
  return (
    text
      // What the target cannot query is handed in like any value.
      .replace(/^(resource .*) derived$/gm, "$1 value")
      // Members whose names the target reserves have an underscore after them.
      .replace(/\.(\w+?)_(?=\W)/g, ".$1")
      .replace(/(?<=[{;] )(\w+?)_(?=: )/g, "$1")
      // The address of what a parameter refers to is the pointer that stands for it.
      .replace(/&\w+ \(\*(v\d+)\)/g, "$1")
      // No image can be declared yet: whether a barrier orders them makes no difference.
      .replace(/memory=workgroup\+global\+image/g, "memory=workgroup+global")
  );
}

/** Operators that give the same bits whether their operands are signed or not. */
const sameBits: ReadonlySet<string> = new Set(["add", "sub", "mul", "and", "or", "xor"]);

/**
 * Literal types: a dialect's rules may give a literal another type and convert it; the value is the same. Integers of one
 * width converted there and back are themselves, and a conversion may stand outside or inside of operators that do not
 * see the sign. A vector builtin put together from its components is the builtin.
 */
function fold(module: Module): Module {
  const index = (e: Expr): Expr =>
    e.kind === "literal" && e.type.scalar === "i32" ? literal("u32", Number(e.value) >>> 0, e.span) : e;
  return rewriteModule(module, {
    expr: (e) => (e.kind === "element-value" ? { ...e, index: index(e.index) } : foldExpr(e)),
    place: (p) => (p.kind === "element" ? { ...p, index: index(p.index) } : p),
    statement: (s) => {
      if (s.kind !== "switch") return s;
      const label = (l: Expr | "default"): Expr | "default" => (l === "default" ? l : foldExpr(l));
      return { ...s, cases: s.cases.map((c) => ({ ...c, labels: c.labels.map(label) })) };
    },
  });
}

function foldExpr(e: Expr): Expr {
  if (
    e.kind === "unary" &&
    e.operator === "negate" &&
    e.operand.kind === "literal" &&
    typeof e.operand.value !== "boolean"
  ) {
    const { type, value, span } = e.operand;
    return literal(type.scalar, isFloat(type.scalar) ? -Number(value) : wrap(-BigInt(value), type.scalar), span);
  }
  if (e.kind === "construct") return wholeBuiltin(e) ?? e;
  // `a op= b` in a wider type is `a = T(wide(a) op b)`.
  if (e.kind === "assign" && e.operator && e.compute) {
    const result = binary(e.operator, convert(load(e.target), e.compute), e.value);
    return assign(e.target, foldExpr(convert(result, e.target.type)), e.span);
  }
  // Raw buffers are addressed in bytes in HLSL and in words in the tree.
  if (e.kind === "binary" && e.operator === "shr" && literalValue(e.right) === 2 && e.left.kind === "binary") {
    const { operator, left, right } = e.left;
    if (operator === "mul" && literalValue(right) === 4 && sameType(left.type, e.type)) return left;
  }
  // Metal takes lane numbers as ushort. Those beyond 2^16 are no lanes, in any dialect.
  if (e.kind === "op" && e.op.startsWith("subgroup."))
    return { ...e, arguments: e.arguments.map((a, i) => (i > 0 ? withoutShort(a) : a)) };
  if (e.kind !== "convert") return e;
  const { operand, type } = e;
  if (type.kind !== "scalar" || !isInteger(type.scalar)) return e;
  if (operand.kind === "literal" && isInteger(operand.type.scalar) && typeof operand.value !== "boolean") {
    return literal(type.scalar, wrap(BigInt(operand.value), type.scalar), e.span);
  }
  if (operand.kind === "enumerator") return literal(type.scalar, wrap(BigInt(operand.value), type.scalar), e.span);
  const from = scalarOf(operand.type);
  if (!from || !isInteger(from) || bitWidth(from) !== bitWidth(type.scalar)) return e;
  if (operand.kind === "convert" && sameType(operand.operand.type, type)) return operand.operand;
  if (operand.kind === "binary" && sameBits.has(operand.operator)) {
    const inside = (side: Expr): Expr => foldExpr(convert(side, type));
    return { ...operand, type, left: inside(operand.left), right: inside(operand.right) };
  }
  if (operand.kind === "conditional") {
    const side = (value: Expr): Expr => foldExpr(convert(value, type));
    return { ...operand, type, whenTrue: side(operand.whenTrue), whenFalse: side(operand.whenFalse) };
  }
  return e;
}

function wholeBuiltin({ arguments: parts }: Extract<Expr, { kind: "construct" }>): Expr | undefined {
  const [first] = parts;
  if (parts.length !== 3 || first?.kind !== "swizzle-value" || first.operand.kind !== "builtin") return undefined;
  const { operand } = first;
  const whole = parts.every(
    (p, i) =>
      p.kind === "swizzle-value" &&
      p.operand.kind === "builtin" &&
      p.operand.builtin === operand.builtin &&
      p.components.join() === String(i),
  );
  return whole ? operand : undefined;
}

function withoutShort(e: Expr): Expr {
  const short =
    e.kind === "convert" &&
    scalarOf(e.type) === "u32" &&
    e.operand.kind === "convert" &&
    scalarOf(e.operand.type) === "u16";
  if (!short || e.operand.kind !== "convert") return e;
  const inner = e.operand.operand;
  return scalarOf(inner.type) === "u32" ? withoutShort(inner) : convert(inner, e.type);
}

function wrap(value: bigint, kind: ScalarKind): number | bigint {
  const wrapped = kind[0] === "i" ? BigInt.asIntN(bitWidth(kind), value) : BigInt.asUintN(bitWidth(kind), value);
  return bitWidth(kind) > 32 ? wrapped : Number(wrapped);
}

/** A spelling that promises more than the op it is written for is read as the op it promises. */
function readsAs(module: Module, target: TwoWayDialect): Module {
  return rewriteModule(module, {
    expr: (e) => {
      if (e.kind !== "op") return e;
      if (!rows.has(e.op)) return e;
      const decision = decide(useOf(e, false, false), target);
      const stronger = decision.kind === "native" ? decision.cell.readsAs : undefined;
      return stronger ? { ...e, op: stronger } : e;
    },
    // HLSL's Interlocked functions give the old value through an out parameter: read as an assignment.
    statement: (s) => {
      if (s.kind !== "expression" || s.expression.kind !== "op" || !s.expression.op.startsWith("atomic.")) return s;
      const [object, result, ...rest] = s.expression.places;
      if (!object || !result || rest.length > 0 || /_(weak|strong)$/.test(s.expression.op)) return s;
      const op = { ...s.expression, places: [object], type: object.type };
      return { ...s, expression: assign(result, op, s.span) };
    },
  });
}

/**
 * Metal and HLSL hand builtin values to entries as parameters. The legal tree names those parameters; reading turns them
 * into reads of the builtin value itself.
 */
function readsBuiltins(module: Module): Module {
  const builtins = new Map<VarId, BuiltinId>();
  for (const list of module.legal?.builtinParameters.values() ?? [])
    for (const b of list) builtins.set(b.variable, b.builtin);
  if (builtins.size === 0) return module;
  const value = (place: Place): Expr | undefined => {
    switch (place.kind) {
      case "variable": {
        const id = builtins.get(place.variable);
        if (id === undefined) return undefined;
        const whole = builtin(id, place.span);
        if (sameType(whole.type, place.type)) return whole;
        const count = place.type.kind === "vector" ? place.type.size : 1;
        const part = whole.type.kind === "vector" && count < 3 ? swizzleValue(whole, [0, 1].slice(0, count)) : whole;
        return sameType(part.type, place.type) ? part : convert(part, place.type);
      }
      case "swizzle": {
        const base = value(place.base);
        return base && swizzleValue(base, place.components);
      }
      case "element": {
        const base = value(place.base);
        return base && elementValue(base, place.index);
      }
      default:
        return undefined;
    }
  };
  return rewriteModule(module, { expr: (e) => (e.kind === "load" ? (value(e.place) ?? e) : e) });
}
