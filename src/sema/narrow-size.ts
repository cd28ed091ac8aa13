/**
 * `size_t` values become 32-bit. Where only the value modulo 2^32 matters (conversions to 32 bits or less, indices that
 * are in bounds, sums and products of such) nothing is assumed. Where the value itself matters (comparisons, division,
 * shifts to the right, conversion to float) it must fit: ranges show that, or it is an assumption with its places. The
 * arithmetic that may break it says so (`relies`), so that a run that does has a finding.
 * A 64-bit integer the source declared as such keeps its width; where a `size_t` cannot be 32-bit (it holds a larger
 * number, or such an integer's value), all of them are 64-bit integers. Indices are 32-bit in any case.
 * Whether an index is in bounds only a run can tell, and not in 32 bits: for runs there are two other readings
 * (`SizeReading`), which `sim/counted-sizes.ts` chooses from.
 */
import {
  asDivisor,
  complemented,
  hull,
  intervalOf,
  intervalOfKind,
  intervalOfOperator,
  negated,
  within,
  type Interval,
} from "../ast/interval.js";
import { familyOf, type OpId } from "../ast/op-ids.js";
import { binary, convert, increment, literal, unary } from "../ast/builders.js";
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
  rewritePlace,
  type Rewriter,
} from "../ast/walk.js";
import type { Span } from "../support/span.js";
import {
  bitWidth,
  i32,
  isFloat,
  isInteger,
  scalar,
  scalarOf,
  u32,
  type PointerType,
  type ScalarType,
  type Type,
} from "../types/types.js";

const isSize = (t: Type): boolean => t.kind === "scalar" && t.size === true;

/** The type without `size_t`: u32 or i32 in its place. */
function narrowType(t: Type): Type {
  switch (t.kind) {
    case "scalar":
      return t.size ? (t.scalar === "u64" ? u32 : i32) : t;
    case "array": {
      const element = narrowType(t.element);
      return element === t.element ? t : { ...t, element };
    }
    case "pointer": {
      const pointee = narrowType(t.pointee);
      return pointee === t.pointee ? t : { ...t, pointee };
    }
    default:
      return t;
  }
}

const u32Range = intervalOfKind("u32");
const i32Range = intervalOfKind("i32");

/** Operators whose result modulo 2^32 depends on their operands modulo 2^32 only. */
const modular: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["add", "sub", "mul", "and", "or", "xor"]);
const bitwise: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["and", "or", "xor"]);
const comparisons: ReadonlySet<BinaryOperator> = new Set<BinaryOperator>(["eq", "ne", "lt", "le", "gt", "ge"]);

/**
 * "narrow": what texts say. "counted": the same, and arithmetic by which elements are counted is marked (`relies`: "index") where 32
 * bits may not hold its value. "wide": the 64-bit integers that they are.
 */
export type SizeReading = "narrow" | "counted" | "wide";

export function narrowSizes(module: Module<"canonical">, reading: SizeReading = "narrow"): Module<"canonical"> {
  if (!mentionsSize(module)) return narrowIndices(module);
  return narrowIndices(reading === "wide" ? widened(module) : narrowedSizes(module, reading === "counted"));
}

function hasPointerCasts(module: Module<"canonical">): boolean {
  let found = false;
  walkModule(module, { expr: (e) => !(found ||= e.kind === "bitcast" && e.type.kind === "pointer") });
  return found;
}

/** Elements are counted by 32 bits: an index in bounds is the same modulo 2^32. A run on which it is not has a finding. */
function narrowIndices(module: Module<"canonical">): Module<"canonical"> {
  const wide = (e: Expr): boolean =>
    e.type.kind === "scalar" && isInteger(e.type.scalar) && bitWidth(e.type.scalar) === 64;
  const index = (e: Expr): Expr => {
    if (!wide(e)) return e;
    const type = mayBeNegative(e) ? i32 : u32;
    return within(rangeOfExpr(e), u32Range)
      ? convert(e, type, false, e.span)
      : { kind: "convert", operand: e, type, explicit: false, span: e.span, relies: "value" };
  };
  const rewriter: Rewriter = {
    enterExpr: (e) => (casts ? ofBytes(e) : undefined),
    place: (p) => (p.kind === "element" && wide(p.index) ? { ...p, index: index(p.index) } : p),
    expr(e) {
      switch (e.kind) {
        case "element-value":
          return wide(e.index) ? { ...e, index: index(e.index) } : e;
        case "pointer-offset":
          return wide(e.offset) ? { ...e, offset: index(e.offset) } : e;
        case "op": {
          // The offset of a wide load or store stands last.
          const last = e.arguments.at(-1);
          return familyOf(e.op) === "memory" && last && wide(last)
            ? { ...e, arguments: [...e.arguments.slice(0, -1), index(last)] }
            : e;
        }
        default:
          return e;
      }
    },
  };
  const visit = (e: Expr): Expr => rewriteExpr(e, rewriter);
  // Where bytes are counted and pointers cast, memory may be larger than 2^31 of them: where there are pointers, it stays as wide.
  const casts = hasPointerCasts(module);
  const isByte = (t: Type): boolean => t.kind === "scalar" && bitWidth(t.scalar) === 8;
  const ofBytes = (e: Expr): Expr | undefined => {
    if (e.kind === "pointer-offset" && isByte((e.type as PointerType).pointee) && wide(e.offset))
      return { ...e, pointer: visit(e.pointer), offset: visit(e.offset) };
    if (e.kind !== "address-of" || e.place.kind !== "element" || !isByte(e.place.type) || !wide(e.place.index))
      return undefined;
    return {
      ...e,
      place: { ...e.place, base: rewritePlace(e.place.base, rewriter), index: visit(e.place.index) },
    };
  };
  return rewriteModule(module, rewriter);
}

/** `size_t` as the 64-bit integer it is. */
function widened(module: Module<"canonical">): Module<"canonical"> {
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
    expr: (e) => (mentions(e.type) ? ({ ...e, type: plain(e.type) } as Expr) : e),
    place: (p) => (mentions(p.type) ? { ...p, type: plain(p.type) } : p),
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

function narrowedSizes(module: Module<"canonical">, counted: boolean): Module<"canonical"> {
  let exact: Exact = {
    variables: new Set(),
    values: new Set(),
    functions: new Set(),
    counting: counted ? { variables: new Set(), functions: new Set() } : undefined,
    known: 0,
  };
  for (;;) {
    const narrower = new Narrower(module, exact);
    const done = narrower.run();
    if (narrower.known() === exact.known) {
      return narrower.impossible.length > 0 ? widened(module) : done;
    }
    exact = {
      variables: narrower.exactVariables,
      values: narrower.valueVariables,
      functions: narrower.exactFunctions,
      counting: narrower.counting,
      known: narrower.known(),
    };
  }
}

const mentions = (t: Type): boolean => narrowType(t) !== t;

export function mentionsSize(module: Module): boolean {
  let found = false;
  const has = mentions;
  for (const v of module.variables.values()) if (has(v.type)) return true;
  for (const s of module.structs.values()) if (s.members.some((m) => has(m.type))) return true;
  for (const f of module.functions) if (has(f.returnType)) return true;
  walkModule(module, {
    expr: (e) => {
      if (has(e.type)) found = true;
      return !found;
    },
  });
  return found;
}

/** What is known to matter as a value, found in rounds. */
interface Exact {
  readonly variables: ReadonlySet<VarId>;
  readonly values: ReadonlySet<VarId>;
  readonly functions: ReadonlySet<FunctionId>;
  readonly counting: Counting | undefined;
  /** How much that is in all: it only grows. */
  readonly known: number;
}

/** By whose values, and results, elements are counted: where that is marked. */
interface Counting {
  readonly variables: Set<VarId>;
  readonly functions: Set<FunctionId>;
}

class Narrower {
  /** Variables whose value matters, not only its lower half. */
  readonly exactVariables: Set<VarId>;
  /** Those of them that are used for more than comparing: one that is only compared may count below zero. */
  readonly valueVariables: Set<VarId>;
  /** Functions whose result matters as a value. */
  readonly exactFunctions: Set<FunctionId>;
  readonly counting: Counting | undefined;
  private comparing = false;
  /** What is being narrowed counts elements. */
  private indexing = false;
  /** What is stored in variables, and returned by functions: where one comes to matter, so do they. */
  private readonly values = new Map<VarId, Expr[]>();
  private readonly results = new Map<FunctionId, Expr[]>();
  /** Variables that are one object by two names. */
  private readonly aliases = new Map<VarId, VarId[]>();
  private following = false;
  private readonly steps = new Set<Expr>();
  private readonly returnsOf = new Map<Statement, FunctionDeclaration>();
  readonly impossible: Span[] = [];
  private readonly fits: Span[] = [];
  private readonly ids: Span[] = [];
  private readonly rewriter: Rewriter;
  private readonly functions: ReadonlyMap<FunctionId, FunctionDeclaration>;

  constructor(
    private readonly module: Module<"canonical">,
    exact: Exact,
  ) {
    this.exactVariables = new Set(exact.variables);
    this.valueVariables = new Set(exact.values);
    this.exactFunctions = new Set(exact.functions);
    this.counting = exact.counting && {
      variables: new Set(exact.counting.variables),
      functions: new Set(exact.counting.functions),
    };
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

  known(): number {
    const counting = this.counting ? this.counting.variables.size + this.counting.functions.size : 0;
    return this.exactVariables.size + this.valueVariables.size + this.exactFunctions.size + counting;
  }

  /** Finds what matters since something else does, which may have been read before: in chains of any length. */
  private follow(): void {
    this.following = true;
    const sets = [this.exactVariables, this.valueVariables, ...(this.counting ? [this.counting.variables] : [])];
    const done = sets.map(() => new Set<VarId>());
    const returned = [new Set<FunctionId>(), new Set<FunctionId>()];
    const once = <T>(among: ReadonlySet<T>, seen: Set<T>, then: (x: T) => void): void => {
      // What is added meanwhile comes, too.
      for (const x of among) if (!seen.has(x)) then((seen.add(x), x));
    };
    for (let known = -1; known !== this.known();) {
      known = this.known();
      sets.forEach((set, i) => {
        once(set, done[i]!, (v) => {
          for (const other of this.aliases.get(v) ?? []) set.add(other);
          if (set !== this.valueVariables)
            for (const e of this.values.get(v) ?? []) this.stored(e, e.type, i === 0, i === 2);
        });
      });
      [this.exactFunctions, this.counting?.functions].forEach((set, i) => {
        once(set ?? new Set<FunctionId>(), returned[i]!, (f) => {
          for (const e of this.results.get(f) ?? []) this.stored(e, e.type, i === 0, i === 1);
        });
      });
    }
  }

  private list<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
    if (this.following) return;
    const known = lists.get(key);
    if (known) known.push(value);
    else lists.set(key, [value]);
  }

  /** A 32-bit expression for an index: what it does not hold is beyond any object. */
  private index(e: Expr): Expr {
    const outer = this.indexing;
    this.indexing = this.counting !== undefined;
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

  private matters(root: VarId): void {
    this.exactVariables.add(root);
    if (!this.comparing) this.valueVariables.add(root);
  }

  run(): Module<"canonical"> {
    this.collectIds();
    const structs = new Map(this.module.structs);
    for (const [name, s] of structs) {
      structs.set(name, { ...s, members: s.members.map((m) => ({ ...m, type: narrowType(m.type) })) });
    }
    const rewritten = rewriteModule(this.module, this.rewriter);
    this.follow();
    const variables = new Map<VarId, Variable>();
    for (const [id, v] of rewritten.variables) variables.set(id, { ...v, type: narrowType(v.type) });
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
      const counts = this.counting?.functions.has(f.id) === true;
      this.list(this.results, f.id, s.value);
      return { ...s, value: this.stored(s.value, f.returnType, this.exactFunctions.has(f.id), counts) };
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
            !isSize(a.type) ? this.visit(a) : familyOf(e.op) === "memory" ? this.index(a) : this.exact(a).expr,
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
        if (root !== undefined) {
          this.list(this.aliases, root, parameter.id);
          this.list(this.aliases, parameter.id, root);
        }
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

  /** What is added to a pointer may count backwards: `p - n` adds `-n`. */
  private offset(e: Expr): Expr {
    if (!mayBeNegative(e)) return this.index(e);
    if (this.counting && e.kind === "unary" && e.operator === "negate")
      return unary("negate", convert(this.index(e.operand), i32, false, e.span), e.span);
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
    if (bitWidth(kind) === 64) return { ...e, operand: this.exact(e.operand).expr };
    const low = this.lowFor(e.operand, false);
    return low.type.kind === "scalar" && low.type.scalar === kind ? low : convert(low, e.type, e.explicit, e.span);
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
    this.list(this.values, id, e);
    return this.stored(e, type, this.exactVariables.has(id), this.counting?.variables.has(id) === true);
  }

  private stored(e: Expr, type: Type, exact: boolean, counts: boolean): Expr {
    if (e.kind === "construct" && exact && !isSize(e.type) && e.arguments.some((a) => isSize(a.type)))
      return {
        ...e,
        type: narrowType(e.type),
        arguments: e.arguments.map((a) => this.stored(a, a.type, true, counts)),
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
    const exact = root !== undefined && this.exactVariables.has(root);
    // What is kept in memory may be read for anything.
    const counts = this.counting !== undefined && (root === undefined || this.counting.variables.has(root));
    const { compute: _compute, ...rest } = e;
    const type = target.type;
    if (root !== undefined && valueSize && (!e.operator || modular.has(e.operator)))
      this.list(this.values, root, e.value);
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
      const watched = exact && !(e.operator === "add" && this.steps.has(e) && !this.valueVariables.has(root));
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
    if (root !== undefined && targetSize) this.matters(root);
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
        return { ...e, type };
      case "convert":
        return this.lowConversion(e, type);
      case "load": {
        const root = rootOf(e.place);
        if (this.indexing && root !== undefined) this.counting?.variables.add(root);
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
        if (this.indexing && root !== undefined) this.counting?.variables.add(root);
        return this.assignment(e)!;
      }
      case "increment": {
        // Counting below 2^32 may run past it, as a sum may.
        const root = rootOf(e.place);
        if (this.indexing && root !== undefined) this.counting?.variables.add(root);
        if (root !== undefined && this.exactVariables.has(root)) this.fits.push(e.span);
        const counted = increment(this.place(e.place), e.delta, e.prefix, e.span);
        if (root !== undefined && this.valueVariables.has(root)) return { ...counted, relies: "value" };
        const counts = this.counting && (root === undefined || this.counting.variables.has(root));
        return counts ? { ...counted, relies: "index" } : counted;
      }
      case "call":
        if (this.indexing) this.counting?.functions.add(e.function);
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
        else this.matters(root);
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
        if (root !== undefined) this.matters(root);
        else this.fits.push(e.span);
        return { expr: this.low(e), range: whole };
      }
      case "call":
        this.exactFunctions.add(e.function);
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

const rangeOf = (type: ScalarType): Interval => (type.scalar === "u32" ? u32Range : i32Range);
const wideOf = (type: ScalarType): ScalarType => scalar(type.scalar === "u32" ? "u64" : "i64");

const sameKind = (e: Expr, type: Type): boolean =>
  e.type.kind === "scalar" && type.kind === "scalar" && e.type.scalar === type.scalar;

function rangeOfExpr(e: Expr): Interval {
  if (e.kind === "literal" && typeof e.value !== "boolean" && e.type.scalar[0] !== "f") {
    return intervalOf(BigInt(e.value));
  }
  const kind = e.type.kind === "scalar" ? e.type.scalar : "u32";
  return isFloat(kind) ? { low: -1n, high: 1n << 64n } : intervalOfKind(kind);
}

/** What is not shown of sums, products and the like has the bounds of its type. */
function combine(operator: BinaryOperator, l: Interval, r: Interval, whole: Interval): Interval {
  const divides = operator === "div" || operator === "rem";
  return intervalOfOperator(operator, l, divides ? asDivisor(r) : r) ?? whole;
}

/** A subtraction or negation somewhere: an offset that may count backwards. */
function mayBeNegative(e: Expr): boolean {
  let found = e.type.kind === "scalar" && e.type.scalar === "i64";
  walkExpr(e, {
    expr: (x) => {
      if (x.kind === "binary" && x.operator === "sub") found = true;
      if (x.kind === "unary" && x.operator !== "plus") found = true;
      if (
        x.kind === "convert" &&
        x.operand.type.kind === "scalar" &&
        x.operand.type.scalar[0] === "i" &&
        x.operand.kind !== "literal"
      )
        found = true;
    },
  });
  return found;
}

function rootOf(p: Place): VarId | undefined {
  return p.kind === "variable" ? p.variable : p.kind === "deref" ? undefined : rootOf(p.base);
}

/** The parts of a loop's step. */
const partsOf = (e: Expr): Expr[] => (e.kind === "comma" ? [...partsOf(e.left), ...partsOf(e.right)] : [e]);
