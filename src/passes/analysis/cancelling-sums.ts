/**
 * Sums and products whose terms cancel: a compiler that takes floats for real numbers leaves out what the text means to keep, as
 * the error of a sum in `(t - s) - y` where t is s + y, or the rounding of `(x + 12582912.0f) - 12582912.0f`.
 */
import { rootVariable } from "../../ast/builders.js";
import { functionOf } from "../../ast/lookup.js";
import type {
  Argument,
  Binary,
  Expr,
  FunctionDeclaration,
  FunctionId,
  Module,
  OpCall,
  Place,
  Statement,
  VarId,
} from "../../ast/nodes.js";
import { walkStatement } from "../../ast/walk.js";
import { assertNever } from "../../support/assert-never.js";
import { isFloat, scalarOf, type Type } from "../../types/types.js";
import { RealSums, type Combined, type RealSum } from "./real-sums.js";

type Value = RealSum<Expr>;

/** Calls within each other that are followed, and nodes of functions that are, in all. */
const deepest = 4;
const mostFollowed = 20_000;

/** Products that are added: x*y + z. */
const fused: ReadonlySet<string> = new Set(["math.fma", "math.fma_open", "math.mad"]);

const isFloatNumber = (t: Type): boolean =>
  (t.kind === "scalar" || t.kind === "vector") && isFloat(scalarOf(t) ?? "bool");

const ofComponents = (components: readonly number[]): string => `of ${components.join(" ")}`;

/** The operations whose result depends on roundings that algebra has not, and those of other functions on the way to them. */
export function cancellingSums(module: Module): ReadonlySet<Expr> {
  const reader = new Reader(module);
  for (const f of module.functions) reader.function(f);
  return reader.found;
}

class Reader {
  readonly found = new Set<Expr>();
  private readonly sums = new RealSums<Expr>();
  /** The function an operation stands in. */
  private readonly owners = new Map<Expr, FunctionId>();
  private readonly sizes = new Map<FunctionId, number>();
  private followed = 0;
  private depth = 0;
  private current: FunctionId = -1;
  /** What places hold, by their names, which tell how often what they are in was written. */
  private readonly held = new Map<string, Value>();
  private readonly versions = new Map<VarId, number>();
  private readonly log: VarId[] = [];
  /** The same of what pointers lead to. */
  private memory = 0;
  /** Pointers and references lead to them. */
  private readonly escaped = new Set<VarId>();
  private returned: Value | undefined;

  constructor(private readonly module: Module) {}

  /** Its result, where there is one. */
  function(f: FunctionDeclaration, args: readonly (Value | undefined)[] = []): Value {
    const { current, returned } = this;
    this.current = f.id;
    this.returned = undefined;
    f.parameters.forEach((id, i) => {
      this.written(id);
      const given = args[i];
      if (given) this.held.set(this.variableName(id), given);
    });
    this.statement(f.body);
    const result = this.returned as Value | undefined;
    this.current = current;
    this.returned = returned;
    return result ?? this.sums.unknown();
  }

  // ---------------------------------------------------------------- statements

  private statement(s: Statement): void {
    switch (s.kind) {
      case "block":
        return s.statements.forEach((x) => this.statement(x));
      case "declare":
        this.written(s.variable);
        if (s.initializer) {
          const value = this.expr(s.initializer);
          this.held.set(this.variableName(s.variable), value);
        }
        return;
      case "expression":
        this.expr(s.expression);
        return;
      case "if":
        this.expr(s.condition);
        return this.branches([s.then, ...(s.else ? [s.else] : [])].map((x) => [x]));
      case "switch":
        this.expr(s.value);
        return this.branches(s.cases.map((c) => c.body));
      case "for":
        s.initializer.forEach((x) => this.statement(x));
        return this.loop(s, () => {
          if (s.condition) this.expr(s.condition);
          this.statement(s.body);
          if (s.step) this.expr(s.step);
        });
      case "while":
        return this.loop(s, () => {
          this.expr(s.condition);
          this.statement(s.body);
        });
      case "do-while":
        return this.loop(s, () => {
          this.statement(s.body);
          this.expr(s.condition);
        });
      case "return": {
        const value = s.value ? this.expr(s.value) : undefined;
        this.returned = this.returned || !value ? this.sums.unknown() : value;
        return;
      }
      case "break":
      case "continue":
      case "barrier":
        return;
      default:
        return assertNever(s);
    }
  }

  /** Of what one of them writes nothing is known in the next, and behind them. */
  private branches(ways: readonly (readonly Statement[])[]): void {
    for (const way of ways) {
      const start = this.log.length;
      way.forEach((x) => this.statement(x));
      for (const id of new Set(this.log.slice(start))) this.written(id);
      this.memory++;
    }
  }

  private loop(s: Statement, turn: () => void): void {
    this.forget(s);
    turn();
    this.forget(s);
  }

  /** What a statement writes. */
  private forget(s: Statement): void {
    this.memory++;
    walkStatement(s, {
      place: (p, use) => void (use !== "read" && p.kind === "variable" && this.written(p.variable)),
    });
  }

  // ---------------------------------------------------------------- places

  private variableName(id: VarId): string {
    return `variable ${String(id)} ${String(this.versions.get(id) ?? 0)}`;
  }

  private written(id: VarId): void {
    this.versions.set(id, (this.versions.get(id) ?? 0) + 1);
    this.log.push(id);
  }

  /** The same of places that are the same; evaluates what finds them. */
  private placeName(p: Place): string {
    switch (p.kind) {
      case "variable":
        return this.variableName(p.variable);
      case "deref":
        return `* ${String(this.memory)} ${this.name(p.pointer)}`;
      case "element":
        return `${this.placeName(p.base)} [${this.name(p.index)}]`;
      case "member":
        return `${this.placeName(p.base)} .${p.member}`;
      case "swizzle":
        return `${this.placeName(p.base)} .${p.components.join(" ")}`;
      case "view":
        return `${this.placeName(p.base)} @${this.name(p.offset)}`;
      default:
        return assertNever(p);
    }
  }

  private name(e: Expr): string {
    return this.sums.nameOf(this.expr(e));
  }

  private load(p: Place): Value {
    const name = this.placeName(p);
    const known = this.held.get(name);
    if (known) return known;
    const whole = p.kind === "swizzle" ? this.held.get(this.placeName(p.base)) : undefined;
    return whole && p.kind === "swizzle" ? this.sums.part(whole, ofComponents(p.components)) : this.sums.value(name);
  }

  private store(p: Place, value: Value): void {
    const root = rootVariable(p);
    if (root === undefined) for (const id of this.escaped) this.written(id);
    // Elements of buffers stay what they were: another place has another name.
    else if (p.kind === "variable" || this.module.variables.get(root)?.space === "private") this.written(root);
    this.held.set(this.placeName(p), value);
  }

  // ---------------------------------------------------------------- expressions

  private expr(e: Expr): Value {
    switch (e.kind) {
      case "literal":
        return isFloatNumber(e.type) && Number.isFinite(e.value)
          ? this.sums.constant(Number(e.value))
          : this.sums.value(`literal ${String(scalarOf(e.type))} ${String(e.value)}`);
      case "load":
        return this.load(e.place);
      case "unary": {
        const x = this.expr(e.operand);
        if (e.operator === "negate" && isFloatNumber(e.type)) return this.sums.negated(x);
        return e.operator === "plus" ? x : this.named(e.operator, x);
      }
      case "binary":
        return this.binary(e);
      case "splat":
        return this.expr(e.operand);
      case "swizzle-value":
        return this.sums.part(this.expr(e.operand), ofComponents(e.components));
      case "convert":
        return this.converted(e);
      case "bitcast":
        return this.named(`bits of ${scalarOf(e.type) ?? e.type.kind}`, this.expr(e.operand));
      case "construct":
        return this.named(`construct ${e.type.kind}`, ...e.arguments.map((a) => this.expr(a)));
      case "member-value":
        return this.named(`.${e.member}`, this.expr(e.operand));
      case "element-value":
        return this.named("[]", this.expr(e.operand), this.expr(e.index));
      case "conditional":
        return this.named("?:", ...[e.condition, e.whenTrue, e.whenFalse].map((x) => this.expr(x)));
      case "logical":
        return this.named(e.operator, this.expr(e.left), this.expr(e.right));
      case "comma":
        this.expr(e.left);
        return this.expr(e.right);
      case "pointer-offset":
        return this.named("pointer", this.expr(e.pointer), this.expr(e.offset));
      case "assign":
        return this.assign(e);
      case "increment":
        this.store(e.place, this.sums.unknown());
        return this.sums.unknown();
      case "call":
        return this.call(functionOf(this.module, e.function), e.arguments);
      case "op":
        return this.op(e);
      case "print":
        e.arguments.forEach((a) => this.expr(a));
        return this.sums.unknown();
      case "address-of": {
        const root = rootVariable(e.place);
        if (root !== undefined) this.escaped.add(root);
        return this.sums.value(`address of ${this.placeName(e.place)}`);
      }
      case "builtin":
        return this.sums.value(`builtin ${e.builtin}`);
      case "enumerator":
        return this.sums.value(`enumerator ${String(e.enum)} ${e.name}`);
      case "length":
      case "null-pointer":
        return this.sums.unknown();
      default:
        return assertNever(e);
    }
  }

  private named(what: string, ...values: readonly Value[]): Value {
    return this.sums.value([what, ...values.map((v) => this.sums.nameOf(v))].join(" "));
  }

  private converted(e: Expr & { readonly kind: "convert" }): Value {
    const x = this.expr(e.operand);
    const [from, to] = [scalarOf(e.operand.type), scalarOf(e.type)];
    if (from === to) return x;
    const number = e.operand.kind === "literal" && isFloatNumber(e.type) ? Number(e.operand.value) : NaN;
    return Number.isFinite(number) ? this.sums.constant(number) : this.named(`to ${String(to)}`, x);
  }

  private binary(e: Binary): Value {
    const [a, b] = [this.expr(e.left), this.expr(e.right)];
    const sum = isFloatNumber(e.type) && isFloatNumber(e.left.type) ? this.arithmetic(e, e.operator, a, b) : undefined;
    return sum ?? this.named(e.operator, a, b);
  }

  private arithmetic(e: Expr, operator: string, a: Value, b: Value): Value | undefined {
    switch (operator) {
      case "add":
        return this.noted(e, this.sums.added(e, a, b));
      case "sub":
        return this.noted(e, this.sums.added(e, a, this.sums.negated(b)));
      case "mul":
        return this.noted(e, this.sums.multiplied(e, a, b));
      case "div":
        return this.noted(e, this.sums.divided(e, a, b));
      default:
        return undefined;
    }
  }

  private noted(e: Expr, { sum, cancels }: Combined<Expr>): Value {
    this.owners.set(e, this.current);
    if (cancels) {
      this.found.add(e);
      for (const step of sum.steps) if (this.owners.get(step) !== this.current) this.found.add(step);
    }
    return sum;
  }

  private assign(e: Expr & { readonly kind: "assign" }): Value {
    const given = this.expr(e.value);
    let value: Value | undefined = given;
    if (e.operator) {
      const old = this.load(e.target);
      value = isFloatNumber(e.compute ?? e.target.type) ? this.arithmetic(e, e.operator, old, given) : undefined;
      value ??= this.named(e.operator, old, given);
    }
    this.store(e.target, value);
    return value;
  }

  private op(e: OpCall): Value {
    const values = e.arguments.map((a) => this.expr(a));
    e.places.forEach((p) => this.store(p, this.sums.unknown()));
    if (e.places.length > 0) return this.sums.unknown();
    if (!fused.has(e.op) || !isFloatNumber(e.type)) return this.named(e.op, ...values);
    const product = this.sums.multiplied(e, values[0]!, values[1]!);
    return this.noted(e, this.sums.added(e, product.sum, values[2]!));
  }

  private call(f: FunctionDeclaration | undefined, args: readonly Argument[]): Value {
    const values = args.map((a) => (a.mode === "value" ? this.expr(a.value) : undefined));
    const places = args.flatMap((a) => (a.mode === "value" ? [] : [a.place]));
    let result = this.sums.unknown();
    const size = f ? this.sizeOf(f) : 0;
    if (f && isFloatNumber(f.returnType) && this.depth < deepest && this.followed + size <= mostFollowed) {
      this.followed += size;
      this.depth++;
      result = this.function(f, values);
      this.depth--;
    }
    for (const p of places) this.store(p, this.sums.unknown());
    for (const id of this.escaped) this.written(id);
    return result;
  }

  private sizeOf(f: FunctionDeclaration): number {
    let size = this.sizes.get(f.id);
    if (size === undefined) {
      size = 1;
      walkStatement(f.body, { expr: () => void size!++ });
      this.sizes.set(f.id, size);
    }
    return size;
  }
}
