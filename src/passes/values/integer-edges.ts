/**
 * Integer arithmetic at its edges. Where the target leaves open what the source defines, the defined meaning is written
 * out: unsigned arithmetic for signed overflow, masked shift counts, remainders by division; of constants the number. Where the source
 * leaves it to the program, the plain operator stays and the assumption is listed (or, under --strict, written out, too).
 */
import { isOwnText, resourceOf } from "../../ast/lookup.js";
import {
  assign,
  binary,
  conditional,
  convert,
  functionCall,
  literal,
  literalValue,
  load,
  ModuleEditor,
  opCall,
  read,
  returnStatement,
  unary,
} from "../../ast/builders.js";
import {
  type BinaryOperator,
  type Expr,
  type FunctionDeclaration,
  type Module,
  type OpId,
  type TopLevel,
  type VarId,
} from "../../ast/nodes.js";
import { alreadyRepeatable } from "../../ast/held-place.js";
import { isPure, rewriteExpr, rewriteFunction } from "../../ast/walk.js";
import { ConstantScope, constantTree } from "../../ast/constant-values.js";
import { row } from "../../ops/table.js";
import type { ArithmeticFacts } from "../../dialects/language.js";
import { languageFacts, writtenArithmetic } from "../../dialects/languages.js";
import { promote } from "../../dialects/conversions.js";
import { noSpan, type Span } from "../../support/span.js";
import {
  bitWidth,
  isInteger,
  sameType,
  scalarOf,
  showType,
  u32,
  type ScalarKind,
  type Type,
} from "../../types/types.js";
import type { TextContext, TextPass } from "../pass.js";
import { intervalOfKind, within } from "../../ast/interval.js";
import { Ranges, setOnce } from "../analysis/ranges.js";

export const integerEdges: TextPass = {
  name: "integer-edges",
  ensures: ["integer-edges-defined"],
  run(module, context) {
    const { target } = context;
    if (isOwnText(module, target)) return module;
    return new Edges(module, context, languageFacts[module.dialect].arithmetic, writtenArithmetic(target)).run();
  },
};

const overflowing: ReadonlySet<BinaryOperator> = new Set(["add", "sub", "mul"]);

interface Helped {
  readonly key: string;
  readonly name: string;
  /** What the function emulates. */
  readonly words: string;
  readonly operands: readonly Expr[];
  readonly span: Span;
}

class Edges {
  private readonly editor: ModuleEditor;
  private readonly helpers = new Map<string, FunctionDeclaration>();
  private ranges!: Ranges;
  private constants!: ConstantScope;
  /** In what the file's variables begin with, where nothing may be called. */
  private atFileScope = false;
  private notes: (() => void)[] = [];

  constructor(
    private readonly module: Module,
    private readonly context: TextContext,
    private readonly source: ArithmeticFacts,
    private readonly target: ArithmeticFacts,
  ) {
    this.editor = new ModuleEditor(module);
  }

  run(): Module {
    this.initialValues();
    const functions = this.module.functions.map((f) => {
      this.look(f);
      return rewriteFunction(f, {
        expr: (e) => this.defined(e),
        statement: (s) => {
          if (s.kind === "expression") return { ...s, expression: unused(s.expression) };
          return s.kind === "for" && s.step ? { ...s, step: unused(s.step) } : s;
        },
      });
    });
    if (this.helpers.size === 0) return this.editor.finish({ functions });
    const made = [...this.helpers.values()];
    const first = this.module.order.findIndex((o) => o.kind === "function");
    const items = made.map((f): TopLevel => ({ kind: "function", function: f.id }));
    const order = [...this.module.order.slice(0, first), ...items, ...this.module.order.slice(first)];
    return this.editor.finish({ functions: [...made, ...functions], order });
  }

  private look(f?: FunctionDeclaration): void {
    const { variables, structs } = this.module;
    const own = f ? setOnce(f) : undefined;
    const initializer = (id: VarId): Expr | undefined => {
      const v = variables.get(id)!;
      if (!v.compileTime || resourceOf(this.module, id)) return undefined;
      return v.role === "global" ? v.initializer : own?.get(id);
    };
    this.ranges = new Ranges(this.module, f);
    this.constants = new ConstantScope({ get: initializer }, structs);
  }

  private initialValues(): void {
    this.look();
    this.atFileScope = true;
    for (const v of this.module.variables.values()) {
      const initializer = v.initializer && rewriteExpr(v.initializer, { expr: (e) => this.defined(e) });
      if (initializer !== v.initializer) this.editor.setVariable({ ...v, initializer: initializer! });
    }
    this.atFileScope = false;
  }

  /** As a number where it is one, and with notes on how it is computed where it is not. */
  private defined(e: Expr): Expr {
    const made = this.expr(e);
    const notes = this.notes;
    if (notes.length > 0) this.notes = [];
    const value = made === e ? undefined : this.constants.valueOf(e);
    const number = value === undefined ? undefined : constantTree(value, e.type, e, this.module.structs);
    if (number) return number;
    for (const note of notes) note();
    return made;
  }

  private emulated(op: string, message: string, span: Span): void {
    this.notes.push(() => this.context.note("emulated", op, message, span));
  }

  private expr(e: Expr): Expr {
    switch (e.kind) {
      case "binary":
        // What counts elements is not negative where it leads to one.
        if (e.operator === "rem" && e.relies === "offset") return e;
        return this.operation(e.operator, e.left, e.right, e.type, e.span) ?? e;
      case "unary":
        return e.operator === "negate" ? this.negation(e) : e;
      case "assign":
        return this.compound(e);
      case "increment":
        return this.step(e);
      case "op":
        return this.openOperands(e);
      default:
        return e;
    }
  }

  /** The operation in defined terms; undefined where the plain operator will do. */
  private operation(operator: BinaryOperator, left: Expr, right: Expr, type: Type, span: Span): Expr | undefined {
    const kind = scalarOf(type);
    if (!kind || !isInteger(kind) || type.kind === "matrix" || left.type.kind === "pointer") return undefined;
    if (overflowing.has(operator) && kind[0] === "i" && bitWidth(kind) >= 32)
      return this.signed(operator, left, right, type, kind, span);
    if (operator === "mul" && kind === "u16" && type.kind === "scalar")
      return this.promotedProduct(left, right, type, span);
    if (operator === "shl" || operator === "shr") return this.shift(operator, left, right, type, kind, span);
    if ((operator === "rem" || operator === "div") && kind[0] === "u")
      return this.unsignedDivision(operator, left, right, type, span);
    if (operator === "rem") return this.remainder(left, right, type, span);
    return undefined;
  }

  private signed(
    operator: BinaryOperator,
    left: Expr,
    right: Expr,
    type: Type,
    kind: ScalarKind,
    span: Span,
  ): Expr | undefined {
    if (this.target.signedOverflow === "wraps") return undefined;
    const probe = binary(operator, left, right, span);
    const shown = this.ranges.shown(probe);
    if (shown && within(shown, intervalOfKind(kind)) && !wasWrapped(left) && !wasWrapped(right)) return undefined;
    if (!this.wrapsHere("signed-overflow", "signed integers do not overflow", span)) return undefined;
    this.emulated("signed-overflow", "signed arithmetic that may wrap is done on unsigned integers", span);
    return wrapped(binary(operator, asUnsigned(left), asUnsigned(right), span), type);
  }

  /** C multiplies unsigned 16-bit integers as int, which does not hold all products. */
  private promotedProduct(left: Expr, right: Expr, type: Type, span: Span): Expr | undefined {
    if (this.target.signedOverflow === "wraps" || promote(this.context.target, "u16") === "u16") return undefined;
    const [a, b] = [this.ranges.of(left), this.ranges.of(right)];
    if (a.high * b.high <= intervalOfKind("i32").high) return undefined;
    this.emulated("signed-overflow", "products of unsigned 16-bit integers are made of 32-bit ones", span);
    return wrapped(binary("mul", convert(left, u32, true), convert(right, u32, true), span), type);
  }

  private wrapsHere(op: "signed-overflow" | "signed-shift", assumption: string, span: Span): boolean {
    const defined =
      op === "signed-overflow" ? this.source.signedOverflow === "wraps" : this.source.signedShiftLeft === "bits";
    if (defined || this.context.options.strict) return true;
    this.context.note("assumed", op, assumption, span);
    return false;
  }

  private isConstant(e: Expr): boolean {
    return e.type.kind === "scalar" && this.constants.valueOf(e) !== undefined;
  }

  private shift(
    operator: "shl" | "shr",
    left: Expr,
    right: Expr,
    type: Type,
    kind: ScalarKind,
    span: Span,
  ): Expr | undefined {
    const width = bitWidth(kind);
    let count = right;
    let changed = false;
    const r = this.ranges.of(right);
    const promoted = type.kind === "scalar" && bitWidth(promote(this.context.target, kind)) > width;
    const isCount = r.low >= 0 && r.high < width;
    if (!isCount && this.target.foldsShiftCount && this.isConstant(binary(operator, left, right, span))) {
      count = binary("and", right, mask(right.type, width - 1), span);
      changed = true;
    }
    if ((this.target.shiftCount === "undefined" || promoted) && !isCount) {
      if (this.source.shiftCount === "modulo" || this.context.options.strict) {
        count = binary("and", right, mask(right.type, width - 1), span);
        changed = true;
        this.emulated("shift-count", "shift counts are taken modulo the width", span);
      } else this.context.note("assumed", "shift-count", "shift counts are below the width", span);
    }
    if (operator === "shl" && kind[0] === "i" && this.target.signedShiftLeft === "undefined") {
      const shown = this.ranges.shown(binary("shl", left, right, span));
      const plain = shown && within(shown, intervalOfKind(kind)) && shown.low >= 0;
      if (
        !plain &&
        this.wrapsHere("signed-shift", "signed integers shifted left are not negative and keep their sign", span)
      ) {
        this.emulated("signed-shift", "signed integers are shifted left as unsigned ones", span);
        return wrapped(binary("shl", asUnsigned(left), count, span), type);
      }
    }
    return changed ? binary(operator, left, count, span) : undefined;
  }

  private remainder(left: Expr, right: Expr, type: Type, span: Span): Expr | undefined {
    if (this.target.negativeRemainder !== "undefined" || this.source.negativeRemainder === "undefined")
      return undefined;
    const [a, b] = [this.ranges.of(left), this.ranges.of(right)];
    if (a.low >= 0 && b.low >= 0) return undefined;
    this.emulated("signed-remainder", "remainders of signed integers are computed by division", span);
    const words = "the remainder with the sign of the dividend";
    return this.helped({ key: "integer.rem", name: "rem", words, operands: [left, right], span }, (x, y) =>
      binary("sub", x, binary("mul", binary("div", x, y), y)),
    );
  }

  /** Direct3D has a quotient and a remainder for 32 bits only. */
  private unsignedDivision(operator: "div" | "rem", left: Expr, right: Expr, type: Type, span: Span): Expr | undefined {
    if (this.source.unsignedDivisionByZero !== "ones" || this.target.unsignedDivisionByZero === "ones")
      return undefined;
    if (this.ranges.of(right).low > 0 || scalarOf(type) !== "u32") return undefined;
    const ones = literal("u32", 0xffffffff, noSpan, "0xffffffff");
    const words =
      operator === "div"
        ? "the quotient; all ones where the divisor is zero"
        : "the remainder; all ones where the divisor is zero";
    const name = operator === "div" ? "quotient" : "remainder";
    this.emulated("division-by-zero", "unsigned division by zero gives all ones", span);
    return this.helped({ key: `integer.${operator}`, name, words, operands: [left, right], span }, (x, y) => {
      const zero = binary("eq", y, spread(literal("u32", 0), type));
      if (type.kind === "scalar") return conditional(zero, ones, binary(operator, x, y));
      // Both are worked out: no component is divided by zero.
      const divisor = opCall("math.max", [y, spread(literal("u32", 1), type)], type);
      return opCall("select.componentwise", [zero, spread(ones, type), binary(operator, x, divisor)], type);
    });
  }

  /** Ops whose row says that the target leaves open what the source defines. */
  private openOperands(e: Expr & { kind: "op" }): Expr {
    const isOpen = (op: OpId): boolean => {
      const open = row(op).open ?? [];
      // As the op of the source's dialect has it, whose result is of its operands' type.
      const kind = scalarOf(e.arguments[0]!.type)!;
      return open.some(
        (o) =>
          o.in[this.context.target] !== undefined &&
          o.in[this.module.dialect] === undefined &&
          (o.on?.includes(kind) ?? true),
      );
    };
    const [x, low, high] = e.arguments;
    if (e.op === "math.clamp" || e.op === "math.fclamp") {
      if (!isOpen(e.op) || this.inOrder(low!, high!)) return e;
      const [max, min]: OpId[] = e.op === "math.clamp" ? ["math.max", "math.min"] : ["math.fmax", "math.fmin"];
      this.emulated("clamp-bounds", "a clamp whose bounds may not be in order is a max and a min", e.span);
      return opCall(min!, [opCall(max!, [x!, low!], e.type, e.span), high!], e.type, e.span);
    }
    // OpenCL's is unsigned, and others make it of the signed one.
    if ((e.op !== "math.abs" && e.op !== "bits.abs_unsigned") || !isOpen("math.abs")) return e;
    const kind = scalarOf(x!.type)!;
    if (!isInteger(kind) || this.ranges.of(x!).low > intervalOfKind(kind).low) return e;
    this.emulated("magnitude", "the magnitude of a signed integer is worked out unsigned", e.span);
    const key = `integer.magnitude to ${showType(e.type)}`;
    const words = "the magnitude; that of the least number has its bits";
    return this.helped({ key, name: "magnitude", words, operands: [x!], span: e.span }, (v) => {
      const as = (y: Expr): Expr => (sameType(y.type, e.type) ? y : convert(y, e.type, true));
      const bits = as(unary("negate", asUnsigned(v)));
      const negative = binary("lt", v, mask(v.type, 0));
      const same = as(v);
      return v.type.kind === "scalar"
        ? conditional(negative, bits, same)
        : opCall("select.componentwise", [negative, bits, same], e.type);
    });
  }

  private inOrder(low: Expr, high: Expr): boolean {
    const [a, b] = [numbersOf(low), numbersOf(high)];
    if (a && b)
      return a.every((x, i) => x <= b[b.length === 1 ? 0 : i]!) && (a.length > 1 || b.every((y) => a[0]! <= y));
    return isInteger(scalarOf(low.type)!) && this.ranges.of(low).high <= this.ranges.of(high).low;
  }

  /** A call of a function that has the operands, of one type, as its parameters; at file scope and of numbers what it would return. */
  private helped({ key, name, words, operands, span }: Helped, build: (...operands: Expr[]) => Expr): Expr {
    const written = operands.every(isPure) ? build(...operands) : undefined;
    if (written && (this.atFileScope || this.constants.valueOf(written) !== undefined)) return { ...written, span };
    const { type } = operands[0]!;
    const whole = `${key} ${showType(type)}`;
    let f = this.helpers.get(whole);
    if (!f) {
      const parameters = operands.map((_, i) => this.editor.addParameter("xy"[i]!, type));
      const result = build(...parameters.map(read));
      const statements = [returnStatement(result)];
      f = this.editor.helper({ name, parameters, returnType: result.type, emulates: words, statements });
      this.helpers.set(whole, f);
    }
    const given = operands.map((value) => ({ mode: "value" as const, value }));
    return functionCall(f.id, given, f.returnType, span);
  }

  private negation(e: Expr & { kind: "unary" }): Expr {
    const kind = scalarOf(e.type);
    if (!kind || kind[0] !== "i" || bitWidth(kind) < 32 || this.target.signedOverflow === "wraps") return e;
    const r = this.ranges.of(e.operand);
    if (r.low > intervalOfKind(kind).low && !wasWrapped(e.operand)) return e;
    // The least number, which is its own negation.
    if (e.operand.kind === "literal" && this.source.signedOverflow === "wraps") return e.operand;
    // No object has 2^31 elements that an offset could lead back by.
    if (e.relies === "offset") return e;
    if (e.operand.kind === "literal" || !this.wrapsHere("signed-overflow", "signed integers do not overflow", e.span))
      return e;
    this.emulated("signed-overflow", "signed arithmetic that may wrap is done on unsigned integers", e.span);
    const x = asUnsigned(e.operand);
    return wrapped(unary("negate", x, e.span), e.type);
  }

  /** `x op= v` becomes `x = x op v` where the operation is written out. */
  private compound(e: Expr & { kind: "assign" }): Expr {
    if (!e.operator || e.target.type.kind === "pointer") return e;
    const compute = e.compute ?? e.target.type;
    const left = convert(load(e.target, e.span), compute, true);
    const done = this.operation(
      e.operator,
      sameType(compute, e.target.type) ? load(e.target, e.span) : left,
      e.value,
      compute,
      e.span,
    );
    if (!done) return e;
    // Only the right side changed: a masked count.
    if (
      done.kind === "binary" &&
      done.operator === e.operator &&
      (e.operator === "shl" || e.operator === "shr") &&
      sameType(done.type, compute)
    )
      return { ...e, value: done.right };
    return assign(
      alreadyRepeatable(e.target),
      convert(done, e.target.type, !sameType(done.type, e.target.type)),
      e.span,
    );
  }

  private step(e: Expr & { kind: "increment" }): Expr {
    const kind = scalarOf(e.type);
    if (
      !kind ||
      kind[0] !== "i" ||
      bitWidth(kind) < 32 ||
      e.type.kind === "pointer" ||
      this.target.signedOverflow === "wraps"
    )
      return e;
    const now = this.ranges.shown(load(e.place));
    if (now && within({ low: now.low + BigInt(e.delta), high: now.high + BigInt(e.delta) }, intervalOfKind(kind)))
      return e;
    if (!this.wrapsHere("signed-overflow", "signed integers do not overflow", e.span)) return e;
    this.emulated("signed-overflow", "signed arithmetic that may wrap is done on unsigned integers", e.span);
    const one = mask(unsignedOf(e.type), 1);
    const moved = wrapped(
      binary(e.delta === 1 ? "add" : "sub", asUnsigned(load(e.place, e.span)), one, e.span),
      e.type,
    );
    const set = assign(alreadyRepeatable(e.place), moved, e.span);
    if (e.prefix) return set;
    // The old value is the new one moved back.
    return wrapped(binary(e.delta === 1 ? "sub" : "add", asUnsigned(set), one, e.span), e.type);
  }
}

/** `x++` written out gives the old value back; where nobody takes it the assignment is enough. */
function unused(e: Expr): Expr {
  if (e.kind === "comma") return { ...e, left: unused(e.left), right: e.right };
  if (e.kind !== "convert" || !e.explicit || e.operand.kind !== "binary") return e;
  const { left } = e.operand;
  const inner = left.kind === "convert" ? left.operand : left;
  return inner.kind === "assign" && literalValue(e.operand.right) === 1 ? inner : e;
}

function unsignedOf(type: Type): Type {
  const kind = scalarOf(type)!;
  const scalar = `u${bitWidth(kind)}` as ScalarKind;
  return type.kind === "vector" ? { kind: "vector", scalar, size: type.size } : { kind: "scalar", scalar };
}

/** What `wrapped` made, so that sums of sums stay unsigned all through. */
const wrapped = (e: Expr, type: Type): Expr => ({ kind: "convert", operand: e, type, explicit: true, span: e.span });
const wasWrapped = (e: Expr): boolean =>
  e.kind === "convert" && e.explicit && e.operand.kind === "binary" && sameType(e.operand.type, unsignedOf(e.type));

function asUnsigned(e: Expr): Expr {
  const type = unsignedOf(e.type);
  if (e.kind === "convert" && e.explicit && sameType(e.operand.type, type)) return e.operand;
  if (e.kind === "literal" && typeof e.value === "number" && e.value >= 0 && !e.macro)
    return { ...e, type: type as typeof e.type };
  if (e.kind === "splat") return { ...e, operand: asUnsigned(e.operand), type };
  return convert(e, type, true);
}

/** The components of a value that is written as numbers. */
function numbersOf(e: Expr): (number | bigint)[] | undefined {
  if (e.kind === "splat") return numbersOf(e.operand);
  if (e.kind === "construct") {
    const parts = e.arguments.map(numbersOf);
    return parts.every((p) => p !== undefined) ? parts.flat() : undefined;
  }
  const value = literalValue(e);
  return typeof value === "number" || typeof value === "bigint" ? [value] : undefined;
}

const spread = (one: Expr, type: Type): Expr =>
  type.kind === "vector" ? { kind: "splat", operand: one, type, explicit: false, span: noSpan } : one;

const mask = (type: Type, value: number): Expr => spread(literal(scalarOf(type)!, value), type);
