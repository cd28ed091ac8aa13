/**
 * What becomes of constants where glslang computes with them: on the way to GLSL, and from it.
 *
 * glslang computes with constants in double, reads their digits as double, and rounds where one is stored: `0.29 * 100.0`
 * is 28.999..., and so is what is made of it, by operators and functions (`src/ops/glslang-constants.ts`). A constant
 * expression that a float computes otherwise is its value here; of calls, whose value is the target's own, an operand is
 * written by its bits, which glslang does not look through.
 */
import { isOwnText } from "../../ast/lookup.js";
import { bitcast, convert, ModuleEditor, u32Literal } from "../../ast/builders.js";
import {
  constantTree,
  ConstantScope,
  convertConstant,
  sameConstants,
  withEach,
  type Constant,
  type ConstantArithmetic,
  type ConstantValue,
} from "../../ast/constant-values.js";
import type { Expr, Literal, Module, OpCall, VarId } from "../../ast/nodes.js";
import { partsOf, rewriteExpr, rewriteModule, walkModule } from "../../ast/walk.js";
import { readingFacts } from "../../dialects/languages.js";
import { tableArithmetic, trueAnywhere } from "../../ops/constant-calls.js";
import { glslangArithmetic, isMiscomputed, sourceDigits } from "../../ops/glslang-constants.js";
import { row } from "../../ops/table.js";
import { onceEach } from "../../support/once.js";
import { cutToHalf, decimalOf, f32Bits, isBetweenFloats } from "../../types/numeric.js";
import { f32, isFloat, scalarOf, type ScalarKind, type Type } from "../../types/types.js";
import { withoutConstantBits } from "../memory/constant-initializers.js";
import type { Pass, TextPass } from "../pass.js";

export const floatConstants: TextPass = {
  name: "float-constants",
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const constants = new Constants(module, digitsOf, "seen");
    const done = rewriteModule(module, {
      enterExpr: (e) => settled(e, constants),
      expr: (e) => (e.kind === "literal" ? exactHalf(e) : hidden(e, constants)),
    });
    return withoutConstantBits(done);
  },
};

/**
 * What a text of GLSL computes of constants is what glslang does: the other way round. Before anything else, while digits are
 * those of the source.
 */
export const doubleConstants: Pass = {
  name: "double-constants",
  run(module, context) {
    if (isOwnText(module, context.target) || !readingFacts(module.dialect).foldsInDouble) return module;
    const constants = new Constants(module, sourceDigits, "opaque");
    // What floats make of it, with constants as they are when this is done.
    const own: ConstantScope = constants.scope({
      ...tableArithmetic,
      named: (initializer) => constants.stored(initializer),
    });
    const folded = (e: Expr): Expr | undefined => {
      // What the source leaves open stays where findings are looked for; elsewhere glslang's value is as good as any.
      if (
        !isOperation(e) ||
        !constants.touchesFloats(e) ||
        (context.options.looksForOpenOperands && constants.isLeftOpen(e))
      )
        return undefined;
      const value = constants.stored(e);
      if (value === undefined) return undefined;
      // As it is, with all that it is made of, where floats lead to the same.
      if (sameConstants(value, own.valueOf(e))) return e;
      return constantTree(value, e.type, e, module.structs);
    };
    return new ModuleEditor(rewriteModule(module, { enterExpr: folded })).finish({});
  },
};

const operations: ReadonlySet<Expr["kind"]> = new Set([
  "binary",
  "convert",
  "conditional",
  "unary",
  "logical",
  "op",
  "splat",
  "construct",
  "swizzle-value",
  "element-value",
  "member-value",
]);
const isOperation = (e: Expr): boolean => operations.has(e.kind);

const ofFloats = (t: Type): boolean =>
  t.kind === "array" ? ofFloats(t.element) : t.kind === "struct" || isFloat(scalarOf(t) ?? "bool");

function initializersOf(module: Module): ReadonlyMap<VarId, Expr> {
  const initializers = new Map<VarId, Expr>();
  for (const v of module.variables.values()) if (v.constant && v.initializer) initializers.set(v.id, v.initializer);
  walkModule(module, {
    statement: (s) =>
      void (
        s.kind === "declare" &&
        s.initializer &&
        module.variables.get(s.variable)?.constant &&
        initializers.set(s.variable, s.initializer)
      ),
  });
  return initializers;
}

/** The size of the workgroup, where the text has stated it and it is a constant (GLSL 4.60 section 7.1.6). */
function statedSize({ entries }: Module): readonly number[] | undefined {
  const [entry] = entries;
  return entries.length === 1 && !entry!.workgroupSizeIds?.some((id) => id !== undefined)
    ? entry!.workgroupSize
    : undefined;
}

/** What is asked of nodes at every level, answered once for each. */
class Constants {
  private readonly initializers: ReadonlyMap<VarId, Expr>;
  /** In the arithmetic of the types. */
  readonly exact: ConstantScope;
  /** With calls, too. */
  readonly called: ConstantScope;
  /** What glslang has: digits as doubles, nothing rounded to a float. */
  readonly glslang: ConstantScope;

  constructor(
    private readonly module: Module,
    readonly digits: (e: Literal) => number,
    bits: "opaque" | "seen",
  ) {
    this.initializers = initializersOf(module);
    this.exact = this.scope();
    this.called = this.scope(tableArithmetic);
    this.glslang = this.scope(glslangArithmetic(digits, statedSize(module), bits));
  }

  scope(arithmetic?: ConstantArithmetic): ConstantScope {
    return new ConstantScope(this.initializers, this.module.structs, arithmetic);
  }

  readonly touchesFloats = onceEach(
    (e: Expr): boolean => ofFloats(e.type) || partsOf(e).some((x) => this.touchesFloats(x)),
  );

  /** Something in it has operands that the source's dialect leaves open. */
  readonly isLeftOpen = onceEach((e: Expr): boolean => {
    if (e.kind === "load" && e.place.kind === "variable") {
      const initializer = this.exact.initializer(e.place.variable);
      return initializer !== undefined && this.isLeftOpen(initializer);
    }
    const open = (e.kind === "op" && row(e.op).open) || [];
    const here = open.some(
      (o) =>
        o.in[this.module.dialect] !== undefined &&
        (o.on?.includes(scalarOf(e.type)!) ?? true) &&
        trueAnywhere(this.called.valueOf(o.where((e as OpCall).arguments)) ?? false),
    );
    return here || partsOf(e).some((x) => this.isLeftOpen(x));
  });

  /** What glslang makes of it in the end. */
  stored(e: Expr): ConstantValue | undefined {
    const value = this.glslang.valueOf(e);
    return value === undefined ? undefined : withEach(value, e.type, this.module.structs, storedNumber);
  }

  /** All operands are constants for glslang, so that it computes the call. */
  readonly isComputed = onceEach(
    (e: Expr): boolean =>
      e.kind === "op" &&
      e.places.length === 0 &&
      row(e.op).effect === "pure" &&
      e.arguments.length > 0 &&
      e.arguments.every((a) => this.isConstant(a)),
  );

  /** Its digits say just the value. */
  readonly isExact = onceEach((e: Expr): boolean => {
    if (e.kind === "literal" && e.type.scalar === "f32" && !Object.is(digitsOf(e), e.value)) return false;
    const initializer =
      e.kind === "load" && e.place.kind === "variable" ? this.exact.initializer(e.place.variable) : undefined;
    return (!initializer || this.isExact(initializer)) && partsOf(e).every((x) => this.isExact(x));
  });

  isConstant(e: Expr): boolean {
    return this.exact.valueOf(e) !== undefined || this.isComputed(e);
  }

  literals(value: ConstantValue, e: Expr): Expr | undefined {
    const tree = constantTree(value, e.type, e, this.module.structs);
    return tree && rewriteExpr(tree, { expr: endless });
  }
}

/** The whole of a constant expression: as it is where doubles lead to the same, else its value. */
function settled(e: Expr, constants: Constants): Expr | undefined {
  if (e.kind !== "binary" && e.kind !== "convert" && e.kind !== "conditional" && e.kind !== "unary") return undefined;
  if (!constants.touchesFloats(e)) return undefined;
  const value = constants.exact.valueOf(e);
  if (value === undefined) return undefined;
  return sameConstants(constants.stored(e), value) ? e : constants.literals(value, e);
}

/** Infinities and NaN have no digits. */
function endless(e: Expr): Expr {
  if (e.kind !== "literal" || e.type.scalar !== "f32" || typeof e.value !== "number" || Number.isFinite(e.value))
    return e;
  return bitcast(u32Literal(f32Bits(e.value)), e.type, e.span);
}

/** glslang computes with the digits of halves: they are written to say just the value. */
function exactHalf(e: Literal): Expr {
  if (e.type.scalar !== "f16" || e.text === undefined || Number(e.text) === e.value) return e;
  const { text: _text, ...exact } = e;
  return exact;
}

const storedNumber = (value: Constant, kind: ScalarKind): Constant | undefined =>
  kind === "f16" ? cutToHalf(Number(value)) : convertConstant(value, kind);

/** The number that a literal's text is: the source's digits, where they are kept, or the fewest that read back as the same value. */
function digitsOf(e: Literal): number {
  const value = Number(e.value);
  const written = e.text === undefined || /^0[xX]/.test(e.text) ? NaN : Math.abs(Number.parseFloat(e.text));
  const kept =
    e.type.scalar === "f32"
      ? !isBetweenFloats(written)
      : e.type.scalar !== "f16" || cutToHalf(written) === Math.abs(value);
  if (!Number.isNaN(written) && kept) return Math.sign(value) * written;
  if (!Number.isFinite(value) || e.type.scalar !== "f32") return value;
  return Math.sign(value) * Number(decimalOf(Math.abs(value), "f32"));
}

function hidden(e: Expr, constants: Constants): Expr {
  if (e.kind === "op") {
    if (!constants.isComputed(e)) return e;
    // What it computes of the very operands may differ all the same: of zeros by their sign, of halves between integers.
    const own = constants.called.valueOf(e);
    const theirs = constants.stored(e);
    // It cuts halves off where they are stored, so that a last digit is none of the function's error.
    const differ =
      scalarOf(e.type) === "f16" ? !sameConstants(own, theirs) : theirs !== undefined && isEdge(own!, theirs);
    if (own !== undefined && (isMiscomputed(e) || differ)) return constants.literals(own, e) ?? byBits(e);
    return e.arguments.every((a) => a.kind === "op" || constants.isExact(a)) &&
      !e.arguments.some((a) => constants.isComputed(a))
      ? e
      : byBits(e);
  }
  const bare = (x: Expr): Expr => (x.kind === "op" && constants.isComputed(x) ? byBits(x) : x);
  // A call's result is rounded where it is stored, and not where something is made of it.
  if (e.kind === "binary" && constants.isConstant(e.left) && constants.isConstant(e.right)) {
    const [left, right] = [bare(e.left), bare(e.right)];
    return left === e.left && right === e.right ? e : { ...e, left, right };
  }
  if (e.kind === "convert") {
    const operand = bare(e.operand);
    return operand === e.operand ? e : { ...e, operand };
  }
  return e;
}

/** They differ by more than a function's error. */
function isEdge(own: ConstantValue, theirs: ConstantValue): boolean {
  if (Array.isArray(own) && Array.isArray(theirs))
    return own.some((x: ConstantValue, i) => isEdge(x, (theirs as readonly ConstantValue[])[i]!));
  if (typeof own !== "number" || typeof theirs !== "number") return own !== theirs;
  if (own === 0 || theirs === 0 || !Number.isFinite(own) || !Number.isFinite(theirs)) return !Object.is(own, theirs);
  return Math.abs(own - theirs) > 2 ** -10 * Math.abs(own);
}

/** The first float literal by its bits. */
function byBits(e: OpCall): OpCall {
  let changed = false;
  const args = e.arguments.map((a) =>
    changed
      ? a
      : rewriteExpr(a, {
          expr(l) {
            if (changed || l.kind !== "literal" || typeof l.value !== "number") return l;
            const { scalar: kind } = l.type;
            if (kind !== "f32" && kind !== "f16") return l;
            changed = true;
            const bits = bitcast(u32Literal(f32Bits(l.value)), f32, l.span);
            return kind === "f32" ? bits : convert(bits, l.type, false, l.span);
          },
        }),
  );
  return changed ? { ...e, arguments: args } : e;
}
