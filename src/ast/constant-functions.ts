/** Calls in constant expressions (C++14 5.20, 7.1.5): what a function of scalars, structs and arrays computes from constants. */
import {
  compute,
  ConstantScope,
  convertConstant,
  exactArithmetic,
  type Constant,
  type ConstantArithmetic,
  type ConstantValue,
} from "./constant-values.js";
import { i32Literal, load } from "./builders.js";
import type {
  Assign,
  FunctionCall,
  Expr,
  FunctionDeclaration,
  FunctionId,
  Increment,
  Place,
  Statement,
  VarId,
} from "./nodes.js";
import { bitWidth, isFloat, isInteger, scalarOf, type ScalarKind, type Type } from "../types/types.js";

/** The functions that may be called; undefined for those that are no constants. */
export type ConstantFunctions = (id: FunctionId) => FunctionDeclaration | undefined;

/** An object that a reference stands for, in the scope that it is named in; its indices are numbers. */
interface Referred {
  readonly place: Place;
  readonly scope: ConstantScope;
}

/** What one call of the outermost function may take. */
const mostSteps = 1_000_000;
const deepestCalls = 512;
/** Statements and expressions in one another, over all calls: what evaluates them does so within its own stack. */
const deepestNesting = 1_500;

/** Signed integers that overflow are no constants (C++14 5.20). */
const withoutOverflow: ConstantArithmetic["binary"] = (operator, x, y, kind) => {
  const made = exactArithmetic.binary(operator, x, y, kind);
  if (typeof x !== "bigint" || typeof y !== "bigint" || !isSigned(kind)) return made;
  const exact = operator === "add" ? x + y : operator === "sub" ? x - y : operator === "mul" ? x * y : undefined;
  if (exact !== undefined) return made === exact ? made : undefined;
  if ((operator === "div" || operator === "rem") && isLeast(x, kind) && y === -1n) return undefined;
  const isCount = y >= 0n && y < BigInt(bitWidth(kind));
  if ((operator === "shl" || operator === "shr") && !isCount) return undefined;
  // What is moved up to the sign is one, and nothing beyond (C++14 5.8 (2)).
  if (operator === "shl" && (x < 0n || x << y >= 1n << BigInt(bitWidth(kind)))) return undefined;
  return made;
};

const isSigned = (kind: ScalarKind): boolean => isInteger(kind) && kind.startsWith("i");

/** The number that has no opposite in its type. */
const isLeast = (x: ConstantValue, kind: ScalarKind | undefined): boolean =>
  kind !== undefined && isSigned(kind) && x === -(1n << BigInt(bitWidth(kind) - 1));

class NoConstant extends Error {}

type End = "break" | "continue" | { readonly value: ConstantValue | undefined } | undefined;

const mayPart = (v: ConstantValue | undefined): readonly ConstantValue[] | undefined =>
  Array.isArray(v) ? (v as readonly ConstantValue[]) : undefined;

interface Budget {
  steps: number;
  nesting: number;
  /** What is no constant was none for this. */
  overflowed?: boolean;
}

/** One call: its variables, whose values change. */
class CallScope extends ConstantScope {
  private readonly locals = new Map<VarId, ConstantValue | undefined>();
  private readonly references = new Map<VarId, Referred>();

  constructor(
    private readonly outer: ConstantScope,
    private readonly functions: ConstantFunctions,
    private readonly budget: Budget,
    private readonly depth: number,
    /** What reading made for values, and may be filled wherever it stands. */
    private readonly isTemporary: (id: VarId) => boolean = () => false,
  ) {
    super(outer.initializers, outer.structs, {
      ...outer.arithmetic,
      binary: (operator, x, y, kind) => {
        const made = withoutOverflow(operator, x, y, kind);
        if (made === undefined && exactArithmetic.binary(operator, x, y, kind) !== undefined) budget.overflowed = true;
        return made;
      },
    });
  }

  override readonly valueOf = (e: Expr): ConstantValue | undefined => {
    this.enter();
    const value = this.valueOfKind(e);
    this.budget.nesting--;
    return value;
  };

  private valueOfKind(e: Expr): ConstantValue | undefined {
    switch (e.kind) {
      case "assign":
        return this.assign(e);
      case "increment":
        return this.increment(e);
      case "comma":
        this.perform(e.left);
        return this.valueOf(e.right);
      case "call":
        return this.needed(this.call(e, this));
      case "unary":
        if (e.operator === "negate" && isLeast(this.need(e.operand), scalarOf(e.type))) {
          this.budget.overflowed = true;
          throw new NoConstant();
        }
        return compute(e, this);
      // Only the side that is chosen is computed.
      case "conditional":
        return this.valueOf(this.need(e.condition) === true ? e.whenTrue : e.whenFalse);
      case "logical": {
        const left = this.need(e.left);
        return left === (e.operator === "or") ? left : this.need(e.right);
      }
      default:
        return compute(e, this);
    }
  }

  private enter(): void {
    this.step();
    if (++this.budget.nesting > deepestNesting) throw new NoConstant();
  }

  override variable(id: VarId): ConstantValue | undefined {
    const { place, scope } = this.references.get(id) ?? {};
    if (place) return scope!.valueOf(load(place));
    return this.locals.has(id) ? this.locals.get(id) : super.variable(id);
  }

  /** What the call gives, nothing where its function has no result; `from`: the scope its arguments are in. */
  call(e: FunctionCall, from: ConstantScope): ConstantValue | undefined {
    const f = this.functions(e.function);
    if (!f || this.depth >= deepestCalls) throw new NoConstant();
    const inside = new CallScope(this.outer, this.functions, this.budget, this.depth + 1, this.isTemporary);
    e.arguments.forEach((a, i) => {
      const parameter = f.parameters[i]!;
      if (a.mode === "ref") inside.references.set(parameter, { place: settled(a.place, from), scope: from });
      else if (a.mode !== "value") throw new NoConstant();
      else inside.locals.set(parameter, this.needed(from.valueOf(a.value)));
    });
    const end = inside.run(f.body);
    if (e.type.kind === "void") return undefined;
    if (typeof end !== "object" || end.value === undefined) throw new NoConstant();
    return end.value;
  }

  private needed(value: ConstantValue | undefined): ConstantValue {
    if (value === undefined) throw new NoConstant();
    return value;
  }

  /** For what it does. */
  private perform(e: Expr): void {
    if (e.kind === "call") this.call(e, this);
    else if (e.kind === "comma") {
      this.perform(e.left);
      this.perform(e.right);
    } else this.need(e);
  }

  private step(): void {
    if (++this.budget.steps > mostSteps) throw new NoConstant();
  }

  private need(e: Expr): ConstantValue {
    const value = this.valueOf(e);
    if (value === undefined) throw new NoConstant();
    return value;
  }

  private assign(e: Assign): ConstantValue {
    const given = this.need(e.value);
    if (!e.operator) return this.write(e.target, given);
    const old = this.read(e.target);
    const type = scalarOf(e.target.type);
    const kind = scalarOf(e.compute ?? e.target.type);
    if (typeof old === "object" || typeof given === "object" || !kind || !type) throw new NoConstant();
    const at = convertConstant(old, kind);
    const made = at === undefined ? undefined : this.arithmetic.binary(e.operator, at, given, kind);
    const value = made === undefined ? undefined : convertConstant(made, type);
    if (value === undefined) throw new NoConstant();
    return this.write(e.target, value);
  }

  private increment(e: Increment): ConstantValue {
    const old = this.read(e.place);
    const kind = scalarOf(e.place.type);
    if (typeof old === "object" || !kind) throw new NoConstant();
    const one: Constant = isFloat(kind) ? 1 : 1n;
    const made = this.arithmetic.binary(e.delta === 1 ? "add" : "sub", old, one, kind);
    if (made === undefined) throw new NoConstant();
    const written = this.write(e.place, made);
    return e.prefix ? written : old;
  }

  private read(p: Place): ConstantValue {
    return this.need({ kind: "load", place: p, type: p.type, span: p.span });
  }

  private write(p: Place, value: ConstantValue): ConstantValue {
    if (p.kind === "variable") {
      const { place, scope } = this.references.get(p.variable) ?? {};
      if (place && scope instanceof CallScope) return scope.write(place, value);
      if (!this.locals.has(p.variable) && !this.isTemporary(p.variable)) throw new NoConstant();
      this.locals.set(p.variable, value);
      return value;
    }
    if (p.kind !== "member" && p.kind !== "element") throw new NoConstant();
    const whole = mayPart(this.read(p.base));
    const at = p.kind === "element" ? this.need(p.index) : this.memberAt(p.base.type, p.member);
    if (!whole || typeof at !== "bigint" || at < 0n || at >= BigInt(whole.length)) throw new NoConstant();
    this.write(
      p.base,
      whole.map((x, i) => (BigInt(i) === at ? value : x)),
    );
    return value;
  }

  private memberAt(type: Type, name: string): bigint {
    const members = type.kind === "struct" ? this.structs.get(type.name)?.members : undefined;
    return BigInt(members?.findIndex((m) => m.name === name) ?? -1);
  }

  private list(list: readonly Statement[]): End {
    for (const s of list) {
      const end = this.run(s);
      if (end !== undefined) return end;
    }
    return undefined;
  }

  private loop(condition: Expr | undefined, step: Expr | undefined, body: Statement, first = true): End {
    for (let tested = !first; ; tested = false) {
      if (!tested && condition && this.need(condition) !== true) return undefined;
      this.step();
      const end = this.run(body);
      if (end === "break") return undefined;
      if (typeof end === "object") return end;
      if (step) this.perform(step);
    }
  }

  private run(s: Statement): End {
    this.enter();
    const end = this.runKind(s);
    this.budget.nesting--;
    return end;
  }

  private runKind(s: Statement): End {
    switch (s.kind) {
      case "block":
        return this.list(s.statements);
      case "declare":
        this.locals.set(s.variable, s.initializer ? this.need(s.initializer) : undefined);
        return undefined;
      case "expression":
        this.perform(s.expression);
        return undefined;
      case "if":
        return this.need(s.condition) === true ? this.run(s.then) : s.else && this.run(s.else);
      case "for": {
        const end = this.list(s.initializer);
        return end ?? this.loop(s.condition, s.step, s.body);
      }
      case "while":
        return this.loop(s.condition, undefined, s.body);
      case "do-while":
        return this.loop(s.condition, undefined, s.body, false);
      case "switch": {
        const value = this.need(s.value);
        const is = (l: Expr | "default"): boolean => l !== "default" && this.need(l) === value;
        const chosen = s.cases.findIndex((c) => c.labels.some(is));
        const at = chosen >= 0 ? chosen : s.cases.findIndex((c) => c.labels.includes("default"));
        const end = at < 0 ? undefined : this.list(s.cases.slice(at).flatMap((c) => c.body));
        return end === "break" ? undefined : end;
      }
      case "break":
      case "continue":
        return s.kind;
      case "return":
        return { value: s.value && this.need(s.value) };
      default:
        throw new NoConstant();
    }
  }
}

/** A place by the numbers that its indices are. */
function settled(p: Place, scope: ConstantScope): Place {
  switch (p.kind) {
    case "variable":
      return p;
    case "member":
      return { ...p, base: settled(p.base, scope) };
    case "element": {
      const index = scope.valueOf(p.index);
      if (typeof index !== "bigint" || index < 0n || index > 0x7fffffffn) throw new NoConstant();
      return { ...p, base: settled(p.base, scope), index: i32Literal(Number(index), p.index.span) };
    }
    default:
      throw new NoConstant();
  }
}

function unlessNone<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (e) {
    if (e instanceof NoConstant) return undefined;
    throw e;
  }
}

/** The value of a call whose arguments are constants in `scope`, or undefined where it is none. */
export const callConstant = (
  e: FunctionCall,
  scope: ConstantScope,
  functions: ConstantFunctions,
): ConstantValue | undefined =>
  unlessNone(() => new CallScope(scope, functions, { steps: 0, nesting: 0 }, 0).call(e, scope));

/** The value of an expression that fills temporaries on the way, or undefined where it is no constant. */
export const constantWithTemporaries = (
  e: Expr,
  scope: ConstantScope,
  functions: ConstantFunctions,
  isTemporary: (id: VarId) => boolean,
): ConstantValue | undefined =>
  unlessNone(() => new CallScope(scope, functions, { steps: 0, nesting: 0 }, 0, isTemporary).valueOf(e));

/** Whether signed integers overflow on the way to a value, which is no constant of C++ then. */
export function overflowsAsConstant(e: Expr, scope: ConstantScope): boolean {
  const budget: Budget = { steps: Number.NEGATIVE_INFINITY, nesting: 0 };
  unlessNone(() => new CallScope(scope, () => undefined, budget, 0).valueOf(e));
  return budget.overflowed === true;
}
