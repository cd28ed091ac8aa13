/** Values of size_t, in 32 or 64 bits: see narrow-sizes.ts. */
import {
  asDivisor,
  complemented,
  hull,
  intervalOf,
  intervalOfOperator,
  negated,
  within,
  type Interval,
} from "../ast/interval.js";
import { familyOf, type OpId } from "../ast/op-ids.js";
import { binary, convert, increment, literal, literalValue, unary } from "../ast/builders.js";
import type {
  Argument,
  Assumption,
  BinaryOperator,
  Expr,
  FunctionDeclaration,
  FunctionId,
  Module,
  Place,
  Statement,
  VarId,
  Variable,
} from "../ast/nodes.js";
import {
  rewriteExpr,
  rewriteModule,
  rewriteStatements,
  walkExpr,
  walkModule,
  walkStatement,
  type Rewriter,
} from "../ast/walk.js";
import { SizeUses } from "./size-uses.js";
import type { Span } from "../support/span.js";
import { bitWidth, i32, isFloat, isInteger, scalar, scalarOf, type ScalarType, type Type } from "../types/types.js";
import {
  mayBeNegative,
  rangeOfExpr,
  u32Range,
  typeMentionsSize,
  narrowType,
  isSize,
  i32Range,
  sameKind,
  rangeOf,
  wideOf,
} from "./size-types.js";

/** Operators whose result modulo 2^32 depends on their operands modulo 2^32 only. */
const modular: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["add", "sub", "mul", "and", "or", "xor"]);
const isRing = (operator: BinaryOperator): boolean => ["add", "sub", "mul"].includes(operator);
/** Sums in sums that are worked out in 64 bits: each level is looked at once for all above it. */
const mostInFull = 32;
const bitwise: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["and", "or", "xor"]);
const comparisons: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["eq", "ne", "lt", "le", "gt", "ge"]);

/**
 * "narrow": what texts say. "counted": the same, and arithmetic by which elements are counted is marked (`relies`: "index") where 32
 * bits may not hold its value. "wide": the 64-bit integers that they are.
 */
export type SizeReading = "narrow" | "counted" | "wide";

/** `size_t` as the 64-bit integer it is. */
export function widened(module: Module<"canonical">): Module<"canonical"> {
  const plain = (t: Type): Type => {
    switch (t.kind) {
      case "scalar":
        return t.size ? scalar(t.scalar) : t;
      case "array":
        return { ...t, element: plain(t.element) };
      case "pointer":
        return { ...t, pointee: plain(t.pointee) };
      default:
        return t;
    }
  };
  const done = rewriteModule(module, {
    expr: (e) => (typeMentionsSize(e.type) ? ({ ...e, type: plain(e.type) } as Expr) : e),
    place: (p) => (typeMentionsSize(p.type) ? { ...p, type: plain(p.type) } : p),
  });
  const structs = new Map(
    [...done.structs].map(([name, s]) => [
      name,
      { ...s, members: s.members.map((m) => ({ ...m, type: plain(m.type) })) },
    ]),
  );
  const variables = new Map([...done.variables].map(([id, v]) => [id, { ...v, type: plain(v.type) }]));
  return {
    ...done,
    structs,
    variables,
    functions: done.functions.map((f) => ({ ...f, returnType: plain(f.returnType) })),
  };
}

export function narrowedSizes(module: Module<"canonical">, counted: boolean): Module<"canonical"> {
  const uses = new SizeUses(counted);
  for (;;) {
    const known = uses.known();
    uses.forgetPlaces();
    const narrower = new Narrower(module, uses);
    const done = narrower.run();
    if (uses.known() === known) return narrower.impossible.length > 0 ? widened(module) : done;
  }
}

/** What a value is read from, a variable or what a function returns. */
function holders(e: Expr): string[] {
  if (e.kind === "call") return [`f${e.function}`];
  const place = e.kind === "load" || e.kind === "increment" ? e.place : e.kind === "assign" ? e.target : undefined;
  const root = place && rootOf(place);
  return root === undefined ? [] : [`v${root}`];
}

/**
 * The variables of `size_t`, and functions that return one, that may be given less than 0, which is 2^64 less something: 32 bits hold it,
 * but do not say so where a pointer of 64 bits is moved by it.
 */
function mayHoldNegative(module: Module): ReadonlySet<string> {
  const found = new Set<string>();
  const given = new Map<string, string[]>();
  const meets = (from: string, to: string): void => {
    const list = given.get(from);
    if (list) list.push(to);
    else given.set(from, [to]);
  };
  const gives = (to: string, e: Expr | undefined): void => {
    if (!e || !(isSize(e.type) || e.type.kind === "struct" || e.type.kind === "array")) return;
    if (mayBeNegative(e)) found.add(to);
    walkExpr(e, { expr: (x) => holders(x).forEach((from) => meets(from, to)) });
  };
  for (const v of module.variables.values()) gives(`v${v.id}`, v.initializer);
  const functions = new Map(module.functions.map((f) => [f.id, f]));
  for (const f of module.functions)
    walkStatement(f.body, {
      statement: (s) => {
        if (s.kind === "declare") gives(`v${s.variable}`, s.initializer);
        if (s.kind === "return") gives(`f${f.id}`, s.value);
      },
      expr: (e) => {
        if (e.kind === "assign") {
          const root = rootOf(e.target);
          if (root !== undefined) gives(`v${root}`, e.value);
          if (root !== undefined && e.operator === "sub") found.add(`v${root}`);
        }
        if (e.kind === "increment" && e.delta === -1) {
          const root = rootOf(e.place);
          if (root !== undefined) found.add(`v${root}`);
        }
        if (e.kind !== "call") return;
        const { parameters } = functions.get(e.function)!;
        e.arguments.forEach((a, i) => {
          const parameter = `v${parameters[i]!}`;
          if (a.mode === "value") return gives(parameter, a.value);
          const root = rootOf(a.place);
          if (root === undefined) return;
          meets(`v${root}`, parameter);
          meets(parameter, `v${root}`);
        });
      },
    });
  const next = [...found];
  for (let at = next.pop(); at !== undefined; at = next.pop())
    for (const to of given.get(at) ?? [])
      if (!found.has(to)) {
        found.add(to);
        next.push(to);
      }
  return found;
}

class Narrower {
  private comparing = false;
  /** What is being narrowed counts elements. */
  private indexing = false;
  /** Asked where pointers are moved. */
  private belowZero: ReadonlySet<string> | undefined;
  private readonly steps = new Set<Expr>();
  private readonly returnsOf = new Map<Statement, FunctionDeclaration>();
  readonly impossible: Span[] = [];
  private readonly fits: Span[] = [];
  private readonly ids: Span[] = [];
  private readonly rewriter: Rewriter;
  private readonly functions: ReadonlyMap<FunctionId, FunctionDeclaration>;

  constructor(
    private readonly module: Module<"canonical">,
    private readonly uses: SizeUses,
  ) {
    for (const f of module.functions)
      walkStatement(f.body, {
        statement: (s) => {
          if (s.kind === "return") this.returnsOf.set(s, f);
          if (s.kind === "for" && s.step) for (const e of partsOf(s.step)) this.steps.add(e);
        },
      });
    this.functions = new Map(module.functions.map((f) => [f.id, f]));
    this.rewriter = {
      enterExpr: (e) => this.enter(e),
      place: (p) => this.retyped(p),
      enterStatement: (s) => this.enterStatement(s),
    };
  }

  /** A 32-bit expression for an index: what it does not hold is beyond any object. */
  private index(e: Expr): Expr {
    const outer = this.indexing;
    this.indexing = this.uses.marksCounting;
    const made = this.low(e);
    this.indexing = outer;
    return made;
  }

  /** The same, where what `e` is for may count elements or not. */
  private lowFor(e: Expr, counts: boolean): Expr {
    const outer = this.indexing;
    this.indexing = counts;
    const made = this.low(e);
    this.indexing = outer;
    return made;
  }

  /** Marks what counts elements. */
  private counted<E extends Expr>(e: E): E {
    return this.indexing ? { ...e, relies: "index" } : e;
  }

  /** What 32 bits hold of no operands but 0 is computed in 64, so that the run sees it. */
  private outside(e: Expr, type: ScalarType): Expr {
    return { kind: "convert", operand: e, type, explicit: false, span: e.span, relies: "index" };
  }

  /** The value of a variable is needed, where it stands in a comparison for no more than that. */
  private valueOf(root: VarId): void {
    this.uses.use(root, this.comparing ? "compared" : "used");
  }

  run(): Module<"canonical"> {
    this.collectIds();
    const structs = new Map(this.module.structs);
    for (const [name, s] of structs) {
      structs.set(name, { ...s, members: s.members.map((m) => ({ ...m, type: narrowType(m.type) })) });
    }
    const rewritten = rewriteModule(this.module, this.rewriter);
    const initializers = new Map<VarId, Expr>();
    for (const [id, v] of this.module.variables)
      if (v.initializer && typeMentionsSize(v.type)) initializers.set(id, this.storedIn(v.initializer, v));
    this.uses.follow((e, exact, counts) => this.stored(e, e.type, exact, counts));
    const variables = new Map<VarId, Variable>();
    for (const [id, v] of rewritten.variables) {
      const initializer = initializers.get(id);
      variables.set(id, { ...v, type: narrowType(v.type), ...(initializer ? { initializer } : {}) });
    }
    const functions = rewritten.functions.map((f) => ({ ...f, returnType: narrowType(f.returnType) }));
    return {
      ...rewritten,
      structs,
      variables,
      functions,
      assumptions: [...(this.module.assumptions ?? []), ...this.assumptions()],
    };
  }

  /** Initialisers and switch values know what they are for. */
  private enterStatement(s: Statement): Statement | undefined {
    if (s.kind === "declare" && s.initializer) {
      const variable = this.module.variables.get(s.variable)!;
      return {
        ...s,
        initializer: this.storedIn(s.initializer, variable),
      };
    }
    if (s.kind === "return" && s.value && isSize(s.value.type)) {
      const f = this.returnsOf.get(s)!;
      this.uses.returned(f.id, s.value);
      const { uses } = this;
      return { ...s, value: this.stored(s.value, f.returnType, uses.resultMatters(f.id), uses.resultCounts(f.id)) };
    }
    if (s.kind === "switch" && isSize(s.value.type)) {
      const cases = s.cases.map((c) => ({
        ...c,
        labels: c.labels.map((l) => (l === "default" ? l : this.exact(l).expr)),
        body: rewriteStatements(c.body, this.rewriter),
      }));
      return { ...s, value: this.exact(s.value).expr, cases };
    }
    return undefined;
  }

  private assumptions(): Assumption[] {
    const unique = (spans: Span[]): Span[] => [...new Map(spans.map((s) => [`${s.start}:${s.end}`, s])).values()];
    const out: Assumption[] = [];
    if (this.ids.length > 0)
      out.push({
        kind: "ids-below-2^32",
        message: "work-item ids and sizes are below 2^32",
        spans: unique(this.ids),
      });
    if (this.fits.length > 0) {
      out.push({
        kind: "size-fits-32-bits",
        message: "this size_t value is not negative and below 2^32",
        spans: unique(this.fits),
      });
    }
    return out;
  }

  private collectIds(): void {
    walkModule(this.module, {
      expr: (e) => {
        if (e.kind === "convert" && isSize(e.type)) {
          walkExpr(e.operand, {
            expr: (x) => {
              if (x.kind === "builtin") this.ids.push(e.span);
            },
          });
        }
      },
    });
  }

  // ---------------------------------------------------------------- everything that is not size_t

  /** Nodes that take a size_t operand into another type; others are left to the ordinary walk. */
  private enter(e: Expr): Expr | undefined {
    if (isSize(e.type)) {
      // Reached where a statement evaluates it for nothing, or where a parent has no rule of its own: places are such.
      return e.kind === "assign" || e.kind === "increment" ? this.lowFor(e, false) : this.index(e);
    }
    switch (e.kind) {
      case "convert":
        if (!isSize(e.operand.type)) return undefined;
        return this.convertFrom(e);
      case "binary":
        if (!comparisons.has(e.operator) || !isSize(e.left.type)) return this.shiftCount(e);
        return this.comparison(e);
      case "pointer-offset": {
        if (!isSize(e.offset.type)) return undefined;
        const offset = this.offset(e.offset);
        return { ...e, type: narrowType(e.type), pointer: this.visit(e.pointer), offset };
      }
      case "element-value":
        if (!isSize(e.index.type)) return undefined;
        return { ...e, operand: this.visit(e.operand), index: this.index(e.index) };
      case "assign":
        return this.assignment(e);
      case "call":
        return this.call(e);
      case "op":
        if (!e.arguments.some((a) => isSize(a.type))) return undefined;
        return {
          ...e,
          places: e.places.map((p) => this.place(p)),
          arguments: e.arguments.map((a) =>
            !isSize(a.type)
              ? this.visit(a)
              : familyOf(e.op) === "memory"
                ? this.offsetOfCall(a, e.places[0])
                : this.exact(a).expr,
          ),
        };
      case "construct":
        return undefined;
      default:
        return undefined;
    }
  }

  private call(e: Expr & { kind: "call" }): Expr {
    const callee = this.functions.get(e.function)!;
    const args = e.arguments.map((a, i): Argument => {
      const parameter = this.module.variables.get(callee.parameters[i]!)!;
      if (a.mode !== "value") {
        const root = rootOf(a.place);
        if (root !== undefined) this.uses.sameObject(root, parameter.id);
        return { ...a, place: this.place(a.place) };
      }
      return { ...a, value: this.storedIn(a.value, parameter) };
    });
    return { ...e, arguments: args, type: narrowType(e.type) };
  }

  private visit(e: Expr): Expr {
    const outer = this.indexing;
    this.indexing = false;
    const made = rewriteExpr(e, this.rewriter);
    this.indexing = outer;
    return made;
  }

  /** Of `vload4(n, p)`: the parameter is a `size_t`. From the first element of an object nothing leads back. */
  private offsetOfCall(e: Expr, p: Place | undefined): Expr {
    if (p?.kind === "element" && p.base.kind === "variable" && literalValue(p.index) === 0) return this.index(e);
    const offset = this.offset(e);
    return offset.kind === "convert" && !this.uses.marksCounting ? { ...offset, relies: "offset" } : offset;
  }

  private mentionsBelowZero(e: Expr): boolean {
    this.belowZero ??= mayHoldNegative(this.module);
    const { belowZero } = this;
    let found = false;
    walkExpr(e, { expr: (x) => !(found ||= holders(x).some((id) => belowZero.has(id))) });
    return found;
  }

  /** What is added to a pointer may count backwards: `p - n` adds `-n`. */
  private offset(e: Expr): Expr {
    if (!mayBeNegative(e) && !this.mentionsBelowZero(e)) return this.index(e);
    if (e.kind === "unary" && e.operator === "negate") {
      const by = convert(this.index(e.operand), i32, false, e.span);
      const leadsBack = mayBeNegative(e.operand) || this.mentionsBelowZero(e.operand);
      const isMarked = by.kind !== "convert" || leadsBack || this.uses.marksCounting;
      // As `offsetOf` has it of 32-bit numbers.
      return isMarked
        ? unary("negate", by, e.span)
        : { ...unary("negate", { ...by, relies: "offset" }, e.span), relies: "offset" };
    }
    return convert(this.index(e), i32, false, e.span);
  }

  private place(p: Place): Place {
    switch (p.kind) {
      case "variable":
        return this.retyped(p);
      case "deref":
        return this.retyped({ ...p, pointer: this.visit(p.pointer) });
      case "element":
        return this.retyped({
          ...p,
          base: this.place(p.base),
          index: isSize(p.index.type) ? this.index(p.index) : this.visit(p.index),
        });
      case "member":
      case "swizzle":
        return this.retyped({ ...p, base: this.place(p.base) });
      case "view":
        throw new Error("broken tree: a view in the source");
    }
  }

  private retyped(p: Place): Place {
    const type = narrowType(p.type);
    return type === p.type ? p : { ...p, type };
  }

  private shiftCount(e: Expr & { kind: "binary" }): Expr | undefined {
    if ((e.operator !== "shl" && e.operator !== "shr") || !isSize(e.right.type)) return undefined;
    return binary(e.operator, this.visit(e.left), this.low(e.right), e.span);
  }

  private convertFrom(e: Expr & { kind: "convert" }): Expr {
    const kind = (e.type as ScalarType).scalar;
    if (kind === "bool" || isFloat(kind)) return convert(this.exact(e.operand).expr, e.type, e.explicit, e.span);
    if (bitWidth(kind) === 64) {
      const fits = this.fits.length;
      const { expr } = this.exact(e.operand);
      return { ...e, operand: this.fits.length === fits ? expr : this.inFull(e.operand, expr, fits, mostInFull) };
    }
    const low = this.lowFor(e.operand, false);
    return low.type.kind === "scalar" && low.type.scalar === kind ? low : convert(low, e.type, e.explicit, e.span);
  }

  /**
   * What becomes a number of 64 bits: where 32 may not hold a difference or another sum, it is worked out in 64. `expr` is what it is in 32,
   * for which all has to fit that was added behind the first `fits`. Operands that lie `deeper` are looked at once for each level above.
   */
  private inFull(e: Expr, expr: Expr, fits: number, deeper: number): Expr {
    if (!isSize(e.type) || deeper === 0) return expr;
    const type = scalar(narrowType(e.type).kind === "scalar" && scalarOf(narrowType(e.type)) === "i32" ? "i64" : "u64");
    const wide = (x: Expr): Expr => {
      const before = this.fits.length;
      const { expr: exact } = this.exact(x);
      const made = this.fits.length === before ? exact : this.inFull(x, exact, before, deeper - 1);
      return sameKind(made, type) ? made : convert(made, type, false, x.span);
    };
    if (e.kind === "unary" && e.operator === "negate") {
      this.fits.length = fits;
      return { ...unary("negate", wide(e.operand), e.span), type };
    }
    if (e.kind === "binary" && isRing(e.operator) && isSize(e.left.type) && isSize(e.right.type)) {
      this.fits.length = fits;
      return { ...binary(e.operator, wide(e.left), wide(e.right), e.span), type };
    }
    return expr;
  }

  private comparison(e: Expr & { kind: "binary" }): Expr {
    const outer = this.comparing;
    this.comparing = true;
    const l = this.exact(e.left);
    const r = this.exact(e.right);
    this.comparing = outer;
    return binary(e.operator, l.expr, r.expr, e.span);
  }

  /** A value stored in a variable of `type`. */
  private storedIn(e: Expr, { id, type }: Variable): Expr {
    this.uses.storedIn(id, e);
    return this.stored(e, type, this.uses.matters(id), this.uses.counts(id));
  }

  private stored(e: Expr, type: Type, exact: boolean, counts: boolean): Expr {
    if (e.kind === "construct" && !isSize(e.type) && e.arguments.some((a) => typeMentionsSize(a.type)))
      return {
        ...e,
        type: narrowType(e.type),
        arguments: e.arguments.map((a) => this.stored(a, a.type, exact, counts)),
      };
    if (!isSize(e.type)) return this.visit(e);
    if (!isSize(type)) return this.exact(e).expr;
    return exact ? this.exact(e).expr : this.lowFor(e, counts);
  }

  private assignment(e: Expr & { kind: "assign" }): Expr | undefined {
    const targetSize = isSize(e.target.type);
    const valueSize = isSize(e.value.type);
    const computeSize = e.compute !== undefined && isSize(e.compute);
    if (!targetSize && !valueSize && !computeSize) return undefined;
    const target = this.place(e.target);
    const root = rootOf(e.target);
    const exact = root !== undefined && this.uses.matters(root);
    const counts = this.uses.counts(root);
    const { compute: _compute, ...rest } = e;
    const type = target.type;
    if (root !== undefined && valueSize && (!e.operator || modular.has(e.operator))) this.uses.storedIn(root, e.value);
    // What is kept in a member or an element is read as a whole.
    if (targetSize && root === undefined && e.value.kind === "convert" && valueSize) {
      const from = e.value.operand.type;
      if (!isSize(from) && isInteger(scalarOf(from)!) && bitWidth(scalarOf(from)!) === 64) this.impossible.push(e.span);
    }
    if (!e.operator) return { ...rest, target, type, value: this.stored(e.value, e.target.type, exact, counts) };
    const shift = e.operator === "shl" || e.operator === "shr";
    const part = scalarOf(e.value.type);
    if (
      targetSize &&
      (exact || !modular.has(e.operator)) &&
      !shift &&
      !valueSize &&
      part &&
      isInteger(part) &&
      bitWidth(part) === 64
    ) {
      if (!within(rangeOfExpr(e.value), scalarOf(type) === "u32" ? u32Range : i32Range)) this.impossible.push(e.span);
    }
    if (modular.has(e.operator) || e.operator === "shl") {
      if (exact) this.fits.push(e.span);
      // A counter that is only compared is not watched where its loop steps it up: it would keep the loop from being uniform.
      const watched = exact && !(e.operator === "add" && this.steps.has(e) && !this.uses.mattersBeyondComparing(root));
      const relies = watched ? "value" : counts && targetSize ? "index" : shift ? "count" : undefined;
      const value = this.operandOf(e, exact, counts);
      const same = shift || sameKind(value, type);
      return {
        ...rest,
        target,
        type,
        value: same ? value : convert(value, type, false, value.span),
        ...(relies ? { relies } : {}),
      };
    }
    // Division and the like need both values themselves.
    if (root !== undefined && targetSize) this.valueOf(root);
    else if (targetSize) this.fits.push(e.span);
    if (!targetSize) this.fits.push(e.span);
    const value = isSize(e.value.type) ? this.exact(e.value).expr : this.visit(e.value);
    const same = shift || sameKind(value, type);
    const relies = shift ? { relies: "count" as const } : {};
    return { ...rest, target, type, value: same ? value : convert(value, type, false, value.span), ...relies };
  }

  /** What a compound assignment adds, multiplies by and the like. */
  private operandOf({ value, operator, target }: Expr & { kind: "assign" }, exact: boolean, counts: boolean): Expr {
    if (isSize(value.type)) return exact ? this.exact(value).expr : this.lowFor(value, counts && operator !== "shl");
    const given = this.visit(value);
    const kind = scalarOf(value.type);
    // Of 64 bits, or below zero: the target's 32 hold it or not.
    if (!counts || operator === "shl" || !isSize(target.type) || !kind || !isInteger(kind)) return given;
    const type = narrowType(target.type) as ScalarType;
    if (within(rangeOfExpr(value), rangeOf(type))) return given;
    return sameKind(given, type) ? given : { ...convert(given, type, false, value.span), relies: "index" };
  }

  // ---------------------------------------------------------------- size_t expressions

  /** A 32-bit expression congruent to `e` modulo 2^32. */
  private low(e: Expr): Expr {
    const type = narrowType(e.type) as ScalarType;
    switch (e.kind) {
      case "literal": {
        const value = BigInt(e.value);
        const kind = type.scalar;
        const wrapped = kind === "u32" ? BigInt.asUintN(32, value) : BigInt.asIntN(32, value);
        if (this.indexing && wrapped !== value) {
          const wide = kind === "u32" ? "u64" : "i64";
          return this.outside(literal(wide, value, e.span), type);
        }
        const made = literal(kind, Number(wrapped), e.span, wrapped === value ? e.text : undefined);
        return e.macro && wrapped === value ? { ...made, macro: e.macro } : made;
      }
      case "enumerator":
        return this.low(literal((e.type as ScalarType).scalar, e.value, e.span));
      case "convert":
        return this.lowConversion(e, type);
      case "load": {
        const root = rootOf(e.place);
        if (this.indexing && root !== undefined) this.uses.count(root);
        return { ...e, place: this.place(e.place), type };
      }
      case "unary": {
        const made = { ...unary(e.operator, this.low(e.operand), e.span), type };
        if (e.operator === "negate") return this.counted(made);
        if (!this.indexing || e.operator === "plus" || type.scalar === "i32") return made;
        return this.outside(
          unary("complement", convert(this.low(e.operand), wideOf(type), false, e.span), e.span),
          type,
        );
      }
      case "binary":
        if (modular.has(e.operator)) return this.modularBinary(e, type);
        return e.operator === "shl" ? this.shifted(e, type) : this.exact(e).expr;
      case "conditional":
        return {
          ...e,
          condition: this.visit(e.condition),
          whenTrue: this.low(e.whenTrue),
          whenFalse: this.low(e.whenFalse),
          type,
        };
      case "comma":
        return { ...e, left: this.visit(e.left), right: this.low(e.right), type };
      case "assign": {
        const root = rootOf(e.target);
        if (this.indexing && root !== undefined) this.uses.count(root);
        return this.assignment(e)!;
      }
      case "increment": {
        // Counting below 2^32 may run past it, as a sum may.
        const root = rootOf(e.place);
        if (this.indexing && root !== undefined) this.uses.count(root);
        if (root !== undefined && this.uses.matters(root)) this.fits.push(e.span);
        const counted = increment(this.place(e.place), e.delta, e.prefix, e.span);
        if (root !== undefined && this.uses.mattersBeyondComparing(root)) return { ...counted, relies: "value" };
        return this.uses.counts(root) ? { ...counted, relies: "index" } : counted;
      }
      case "call":
        if (this.indexing) this.uses.countResult(e.function);
        return this.call(e);
      default:
        return this.exact(e).expr;
    }
  }

  /** A mask that fits leaves nothing of the other operand above it. */
  private masked(e: Expr & { kind: "binary" }, type: ScalarType): { expr: Expr; range: Interval } | undefined {
    for (const mask of [e.left, e.right]) {
      const plain =
        mask.kind === "literal"
          ? mask
          : mask.kind === "convert" && !isSize(mask.operand.type)
            ? mask.operand
            : undefined;
      const range = plain && rangeOfExpr(plain);
      if (range && within(range, u32Range))
        return { expr: this.modularBinary(e, type), range: { low: 0n, high: range.high } };
    }
    return undefined;
  }

  private modularBinary(e: Expr & { kind: "binary" }, type: ScalarType): Expr {
    const as = (x: Expr, counts: boolean): Expr => {
      const y = isSize(x.type) ? this.lowFor(x, counts) : this.visit(x);
      if (sameKind(y, type)) return y;
      const made = convert(y, type, false, y.span);
      return counts && !within(rangeOfExpr(x), rangeOf(type)) ? { ...made, relies: "index" } : made;
    };
    const counts = this.indexing;
    // Of an operand that 32 bits hold and is not negative, `&` leaves no more than they hold.
    if (e.operator === "and" && counts && type.scalar === "u32") {
      const [left, right] = fillsUp(e.left) ? [false, true] : [true, false];
      return { ...binary("and", as(e.left, left), as(e.right, right), e.span), type };
    }
    const made = { ...binary(e.operator, as(e.left, counts), as(e.right, counts), e.span), type };
    return bitwise.has(e.operator) ? made : this.counted(made);
  }

  private shifted(e: Expr & { kind: "binary" }, type: ScalarType): Expr {
    const count = isSize(e.right.type) ? this.lowFor(e.right, false) : this.visit(e.right);
    const known = count.kind === "literal" ? Number(count.value) : undefined;
    if (known === undefined) this.fits.push(e.span);
    if (this.indexing && (known === undefined || known >= 32)) {
      const wide = convert(this.low(e.left), wideOf(type), false, e.span);
      return this.outside(binary("shl", wide, count, e.span), type);
    }
    if (known !== undefined && known >= 32) return literal(type.scalar, 0, e.span);
    const made = { ...binary("shl", this.low(e.left), count, e.span), type };
    return known === undefined ? { ...made, relies: "count" } : this.counted(made);
  }

  private lowConversion(e: Expr & { kind: "convert" }, type: ScalarType): Expr {
    const inner = e.operand.type as ScalarType;
    if (isSize(inner)) {
      const operand = this.low(e.operand);
      return sameKind(operand, type) ? operand : convert(operand, type, e.explicit, e.span);
    }
    const operand = this.visit(e.operand);
    if (isFloat(inner.scalar)) this.fits.push(e.span);
    if (sameKind(operand, type)) return operand;
    const made = convert(operand, type, e.explicit, e.span);
    const fits = !isInteger(inner.scalar) || within(rangeOfExpr(e.operand), rangeOf(type));
    return fits ? made : this.counted(made);
  }

  /** A 32-bit expression equal to `e`, and what is known of its value; what cannot be shown is noted. */
  private exact(e: Expr): { readonly expr: Expr; readonly range: Interval } {
    if (!isSize(e.type)) return { expr: this.visit(e), range: rangeOfExpr(e) };
    const type = narrowType(e.type) as ScalarType;
    const whole = type.scalar === "u32" ? u32Range : i32Range;
    const settle = (expr: Expr, range: Interval): { expr: Expr; range: Interval } => {
      if (within(range, whole)) return { expr, range };
      this.fits.push(e.span);
      return { expr: { ...expr, relies: "value" }, range: whole };
    };
    switch (e.kind) {
      case "literal": {
        const value = BigInt(e.value);
        if (!within(intervalOf(value), whole)) this.impossible.push(e.span);
        return { expr: this.low(e), range: intervalOf(value) };
      }
      case "convert": {
        const inner = e.operand.type as ScalarType;
        if (isSize(inner)) {
          const x = this.exact(e.operand);
          return settle(sameKind(x.expr, type) ? x.expr : convert(x.expr, type, e.explicit, e.span), x.range);
        }
        if (isInteger(inner.scalar) && bitWidth(inner.scalar) === 64 && !within(rangeOfExpr(e.operand), whole))
          this.impossible.push(e.span);
        return settle(this.lowConversion(e, type), rangeOfExpr(e.operand));
      }
      case "load": {
        const root = rootOf(e.place);
        if (root === undefined) this.fits.push(e.span);
        else this.valueOf(root);
        return { expr: this.low(e), range: whole };
      }
      case "unary": {
        const x = this.exact(e.operand);
        const made = { ...unary(e.operator, x.expr, e.span), type };
        if (e.operator === "plus") return { expr: made, range: x.range };
        const range = e.operator === "negate" ? negated(x.range) : complemented(x.range);
        if (e.operator === "complement" && !within(range, whole)) this.impossible.push(e.span);
        return settle(made, range);
      }
      case "binary": {
        if (e.operator === "shl" || e.operator === "shr") {
          const { expr, range } = this.exactShift({ ...e, operator: e.operator }, type);
          return settle(expr, range);
        }
        const masked = e.operator === "and" && type.scalar === "u32" ? this.masked(e, type) : undefined;
        if (masked) return masked;
        const l = this.exact(e.left);
        const r = this.exact(e.right);
        const as = (x: Expr): Expr => (sameKind(x, type) ? x : convert(x, type, false, x.span));
        return settle(
          { ...binary(e.operator, as(l.expr), as(r.expr), e.span), type },
          combine(e.operator, l.range, r.range, whole),
        );
      }
      case "conditional": {
        const a = this.exact(e.whenTrue);
        const b = this.exact(e.whenFalse);
        return {
          expr: { ...e, condition: this.visit(e.condition), whenTrue: a.expr, whenFalse: b.expr, type },
          range: hull(a.range, b.range),
        };
      }
      case "comma": {
        const r = this.exact(e.right);
        return { expr: { ...e, left: this.visit(e.left), right: r.expr, type }, range: r.range };
      }
      case "assign":
      case "increment": {
        const root = rootOf(e.kind === "assign" ? e.target : e.place);
        if (root !== undefined) this.valueOf(root);
        else this.fits.push(e.span);
        return { expr: this.low(e), range: whole };
      }
      case "call":
        this.uses.resultIsUsed(e.function);
        return { expr: this.call(e), range: whole };
      case "op": {
        if (!choosing.has(e.op)) {
          this.impossible.push(e.span);
          return { expr: e, range: whole };
        }
        const args = e.arguments.map((a) => this.exact(a));
        return { expr: { ...e, arguments: args.map((a) => a.expr), type }, range: whole };
      }
      default:
        this.impossible.push(e.span);
        return { expr: e, range: whole };
    }
  }

  /** Counts of 32 and more have another meaning for 32 bits. */
  private exactShift(
    e: Expr & { kind: "binary"; operator: "shl" | "shr" },
    type: ScalarType,
  ): { readonly expr: Expr; readonly range: Interval } {
    const x = this.exact(e.left);
    const count = isSize(e.right.type) ? this.exact(e.right).expr : this.visit(e.right);
    const known = count.kind === "literal" ? BigInt(count.value) : undefined;
    if (known === undefined) this.fits.push(e.span);
    const relies = known === undefined ? { relies: "count" as const } : {};
    if (known !== undefined && known >= 32n && known < 64n) {
      if (e.operator === "shr" && x.range.low >= 0n)
        return { expr: literal(type.scalar, 0, e.span), range: { low: 0n, high: 0n } };
      this.impossible.push(e.span);
    }
    const n = known ?? 31n;
    const range =
      e.operator === "shr"
        ? { low: x.range.low < 0n ? x.range.low : 0n, high: known === undefined ? x.range.high : x.range.high >> n }
        : { low: x.range.low << n, high: x.range.high << n };
    return { expr: { ...binary(e.operator, x.expr, count, e.span), type, ...relies }, range };
  }
}

/** What gives one of its arguments, by their order. */
const choosing: ReadonlySet<OpId> = new Set([
  "math.min",
  "math.max",
  "math.min3",
  "math.max3",
  "math.median3",
  "math.clamp",
]);

/** Leaves the upper half of another operand of `&` as it is: `~(size_t)3`. */
const fillsUp = (e: Expr): boolean =>
  (e.kind === "unary" && e.operator === "complement") ||
  (e.kind === "literal" && !within(rangeOfExpr(e), u32Range)) ||
  (e.kind === "convert" && fillsUp(e.operand));

/** What is not shown of sums, products and the like has the bounds of its type. */
function combine(operator: BinaryOperator, l: Interval, r: Interval, whole: Interval): Interval {
  const divides = operator === "div" || operator === "rem";
  return intervalOfOperator(operator, l, divides ? asDivisor(r) : r) ?? whole;
}

function rootOf(p: Place): VarId | undefined {
  return p.kind === "variable" ? p.variable : p.kind === "deref" ? undefined : rootOf(p.base);
}

/** The parts of a loop's step. */
const partsOf = (e: Expr): Expr[] => (e.kind === "comma" ? [...partsOf(e.left), ...partsOf(e.right)] : [e]);
