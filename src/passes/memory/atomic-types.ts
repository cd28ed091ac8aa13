/**
 * MSL declares what is used atomically with atomic types, whole objects: a buffer, an array, a struct member. Plain reads and
 * writes of such objects become relaxed atomic ones, which promise more and cost nothing.
 */
import { familyOf } from "../../ast/op-ids.js";
import {
  assign,
  binary,
  block,
  comma,
  convert,
  element,
  expressionStatement,
  i32Literal,
  literal,
  load,
  member,
  opCall,
  rootVariable,
} from "../../ast/builders.js";
import { noTrivia } from "../../ast/nodes.js";
import type { Assign, Construct, Expr, FunctionId, Module, Place, Statement, VarId } from "../../ast/nodes.js";
import { addsVolatile } from "../../ast/volatile-casts.js";
import {
  isPure,
  placeIsPure,
  rewriteExpr,
  rewriteModule,
  walkExpr,
  walkModule,
  walkStatement,
} from "../../ast/walk.js";
import { spaceOf } from "../../ops/use-of.js";
import { layoutOf, memberOffsets } from "../../types/layout.js";
import { isArrayOfPointers, isFloat, scalarOf, struct, voidType, type Type } from "../../types/types.js";
import { emptyFacts, type PassContext, type TextPass } from "../pass.js";

/** What carries the atomic type: a variable, or a member of a struct as `S.m`. */
type Holder = VarId | string;

/** What a function returns a pointer to. */
const resultOf = (id: FunctionId): Holder => `()${id}`;

export function holderOf(p: Place): Holder | undefined {
  switch (p.kind) {
    case "variable":
      return p.variable;
    case "deref":
      return pointerHolder(p.pointer);
    case "element":
      return p.base.type.kind === "vector" ? undefined : holderOf(p.base);
    case "member":
      return p.base.type.kind === "struct" ? `${p.base.type.name}.${p.member}` : undefined;
    case "swizzle":
    case "view":
      return undefined;
  }
}

function pointerHolder(e: Expr): Holder | undefined {
  switch (e.kind) {
    case "load":
      return holderOf(e.place);
    case "pointer-offset":
      return pointerHolder(e.pointer);
    case "address-of":
      return holderOf(e.place);
    case "call":
      return resultOf(e.function);
    case "bitcast":
      return addsVolatile(e) ? pointerHolder(e.operand) : undefined;
    default:
      return undefined;
  }
}

/** Something else that a cast takes for the object: `(volatile __global uint *)&floats[i]`. */
function isReinterpreted(p: Place): boolean {
  if (p.kind === "element" && p.base.type.kind !== "vector") return isReinterpreted(p.base);
  return p.kind === "deref" && castPointer(p.pointer) !== undefined;
}

function castPointer(e: Expr): (Expr & { kind: "bitcast" }) | undefined {
  if (e.kind === "pointer-offset") return castPointer(e.pointer);
  return e.kind === "bitcast" ? e : undefined;
}

/** The pointer as one to atomics, where a cast makes it. */
function asAtomic(e: Expr): Expr {
  if (e.kind === "pointer-offset") return { ...e, pointer: asAtomic(e.pointer) };
  if (e.kind === "conditional") return { ...e, whenTrue: asAtomic(e.whenTrue), whenFalse: asAtomic(e.whenFalse) };
  return e.kind === "bitcast" ? { ...e, atomic: true } : e;
}

function placeAsAtomic(p: Place): Place {
  if (p.kind === "element") return { ...p, base: placeAsAtomic(p.base) };
  return p.kind === "deref" ? { ...p, pointer: asAtomic(p.pointer) } : p;
}

/** Casts whose pointers are used atomically, or become values of atomic pointers: the object keeps its type. */
function castsToAtomics(module: Module, atomic: ReadonlySet<Holder>): Module {
  const parameters = new Map(module.functions.map((f) => [f.id, f.parameters]));
  return rewriteModule(module, {
    expr(e) {
      if (e.kind === "op" && familyOf(e.op) === "atomic")
        return { ...e, places: e.places.map((p, i) => (i === 0 ? placeAsAtomic(p) : p)) };
      if (e.kind === "assign" && e.target.type.kind === "pointer") {
        const root = rootVariable(e.target);
        return root !== undefined && atomic.has(root) ? { ...e, value: asAtomic(e.value) } : e;
      }
      if (e.kind !== "call") return e;
      return {
        ...e,
        arguments: e.arguments.map((a, i) => {
          const p = parameters.get(e.function)?.[i];
          if (p === undefined || !atomic.has(p)) return a;
          return a.mode === "value" ? { ...a, value: asAtomic(a.value) } : { ...a, place: placeAsAtomic(a.place) };
        }),
      };
    },
    statement: (s) =>
      s.kind === "declare" && s.initializer?.type.kind === "pointer" && atomic.has(s.variable)
        ? { ...s, initializer: asAtomic(s.initializer) }
        : s,
  });
}

/** An assignment of an object whose parts are given, and read nothing of it: each may be written by itself. */
export function givesParts(e: Expr): e is Assign & { readonly value: Construct } {
  if (e.kind !== "assign" || e.operator || e.value.kind !== "construct") return false;
  const root = rootVariable(e.target);
  if (root === undefined || !e.value.arguments.every(isPure) || !placeIsPure(e.target)) return false;
  let reads = false;
  walkExpr(e.value, {
    expr: (x) => void (reads ||= x.kind === "load" && (rootVariable(x.place) ?? root) === root),
  });
  return !reads;
}

/** All that gets an atomic type, but for what only casts make atomic. */
export function atomicHolders(module: Module): ReadonlySet<Holder> {
  const atomic = new Set<Holder>();
  walkModule(module, {
    expr(e) {
      if (e.kind !== "op" || familyOf(e.op) !== "atomic") return;
      const holder = e.places[0] && holderOf(e.places[0]);
      if (holder !== undefined) atomic.add(holder);
    },
  });
  spread(module, atomic);
  return atomic;
}

export const atomicTypes: TextPass = {
  name: "atomic-types",
  requires: ["globals-placed"],
  run(module, context) {
    const atomic = atomicHolders(module);
    let reinterpreted = false;
    walkModule(module, {
      expr(e) {
        if (e.kind !== "op" || familyOf(e.op) !== "atomic" || !e.places[0] || holderOf(e.places[0]) !== undefined)
          return;
        if (isReinterpreted(e.places[0])) reinterpreted = true;
        else context.problems.error("XL4008", "an atomic operation on a part of a vector has no form in MSL", e.span);
      },
    });
    if (atomic.size === 0 && !reinterpreted) return module;
    for (const f of module.functions)
      if (atomic.has(resultOf(f.id)))
        context.problems.error(
          "XL4008",
          `${f.name} returns a pointer to what is used atomically, which has an atomic type in MSL`,
          f.nameSpan,
        );
    for (const h of atomic) {
      const v = typeof h === "number" ? module.variables.get(h) : undefined;
      if (v && isArrayOfPointers(v.type))
        context.problems.error(
          "XL4008",
          `${v.name} holds pointers to what is used atomically, which has an atomic type in MSL`,
          v.span,
        );
    }
    refuseUnaligned(module, atomic, context);
    const accesses = new PlainAccesses(module, atomic, context);
    const next = castsToAtomics(accesses.run(), atomic);
    const atomicVariables = new Set<VarId>([...atomic].filter((h): h is VarId => typeof h === "number"));
    const atomicMembers = new Set<string>([...atomic].filter((h): h is string => typeof h === "string"));
    return { ...next, legal: { ...emptyFacts(context), ...next.legal, atomicVariables, atomicMembers } };
  },
};

/** An atomic object is aligned as its type is: MSL's `atomic_int` in a packed struct is none that anything is said of. */
function refuseUnaligned(module: Module, atomic: ReadonlySet<Holder>, { problems }: PassContext): void {
  const holds = (t: Type): boolean =>
    t.kind === "array"
      ? holds(t.element)
      : t.kind === "struct" &&
        module.structs.get(t.name)!.members.some((m) => atomic.has(`${t.name}.${m.name}`) || holds(m.type));
  for (const s of module.structs.values()) {
    const { align } = layoutOf(struct(s.name), "natural", module.structs);
    const offsets = memberOffsets(s, "natural", module.structs);
    s.members.forEach((m, i) => {
      if (m.align === undefined || !(atomic.has(`${s.name}.${m.name}`) || holds(m.type))) return;
      const wanted = layoutOf(m.type, "natural", module.structs).align;
      if (align >= wanted && offsets[i]! % wanted === 0) return;
      problems.error(
        "XL4008",
        `${m.name} of ${s.name} is used atomically, and lies at addresses that are no multiple of ${wanted}`,
        m.span,
        { help: "MSL's atomic types are aligned: leave the struct without `packed`, or give it their alignment" },
      );
    });
  }
}

/** Parameters and pointers that stand for an atomic object are atomic, and what they stand for is. */
function spread(module: Module, atomic: Set<Holder>): void {
  const links: [Holder, Holder][] = [];
  const link = (a: Holder | undefined, b: Holder | undefined): void => {
    if (a !== undefined && b !== undefined) links.push([a, b]);
  };
  const functions = new Map(module.functions.map((f) => [f.id, f]));
  for (const f of module.functions) {
    walkStatement(f.body, {
      expr(e) {
        if (e.kind === "call") {
          const callee = functions.get(e.function)!;
          e.arguments.forEach((a, i) => {
            const p = callee.parameters[i]!;
            const v = module.variables.get(p)!;
            if (a.mode !== "value" && v.mode === "ref") link(p, holderOf(a.place));
            if (a.mode === "value" && v.type.kind === "pointer") link(p, pointerHolder(a.value));
          });
        }
        if (e.kind === "assign" && e.target.type.kind === "pointer")
          link(rootVariable(e.target), pointerHolder(e.value));
      },
      statement(s) {
        if (s.kind === "return" && s.value?.type.kind === "pointer") link(resultOf(f.id), pointerHolder(s.value));
        if (s.kind === "declare" && s.initializer?.type.kind === "pointer")
          link(s.variable, pointerHolder(s.initializer));
        if (s.kind === "declare" && s.initializer && isArrayOfPointers(s.initializer.type))
          walkExpr(s.initializer, {
            expr: (e) => void (e.type.kind === "pointer" && link(s.variable, pointerHolder(e))),
          });
      },
    });
  }
  for (let grown = true; grown;) {
    grown = false;
    for (const [a, b] of links) {
      if (atomic.has(a) === atomic.has(b)) continue;
      atomic.add(a).add(b);
      grown = true;
    }
  }
}

const wholeAssignment = (s: Statement): (Expr & { kind: "assign" }) | undefined =>
  s.kind === "expression" && s.expression.kind === "assign" ? s.expression : undefined;

class PlainAccesses {
  constructor(
    private readonly module: Module,
    private readonly atomic: ReadonlySet<Holder>,
    private readonly context: PassContext,
  ) {}

  private isAtomic(p: Place): boolean {
    const holder = holderOf(p);
    return holder !== undefined && this.atomic.has(holder) && p.type.kind === "scalar";
  }

  private name(p: Place): string {
    const holder = holderOf(p);
    return typeof holder === "number" ? (this.module.variables.get(holder)?.name ?? "?") : String(holder);
  }

  private note(p: Place): void {
    this.context.note(
      "strengthened",
      "atomic.load",
      `${this.name(p)} is used atomically: its plain reads and writes are relaxed atomic ones`,
      p.span,
    );
  }

  private read(p: Place): Expr {
    this.note(p);
    return opCall("atomic.load", [], p.type, p.span, { places: [p], order: "relaxed" });
  }

  private write(p: Place, value: Expr): Expr {
    this.note(p);
    return opCall("atomic.store", [value], voidType, p.span, { places: [p], order: "relaxed" });
  }

  run(): Module {
    // What such a write makes two of has no place in a loop's head.
    const ready = rewriteModule(this.module, {
      statement: (s) =>
        s.kind === "for" && s.initializer.some((i) => i.kind === "declare" && this.firstOf(i))
          ? block([...s.initializer, { ...s, initializer: [] }], s.span)
          : s,
    });
    const next = rewriteModule(ready, {
      expr: (e) => {
        if (e.kind === "load" && this.isAtomic(e.place)) return this.read(e.place);
        if (e.kind === "load" && this.copiesAtomic(e))
          this.context.problems.error("XL4008", "MSL cannot copy an object that holds atomics", e.span);
        return e;
      },
      enterStatement: (s) => this.split(s) ?? this.statement(s),
    });
    // Steps of loops are expressions of their own.
    const steps = rewriteModule(next, {
      statement: (s) => (s.kind === "for" && s.step ? { ...s, step: this.assignment(s.step) ?? s.step } : s),
    });
    let bad = false;
    const values = rewriteModule(steps, {
      expr: (e) => {
        const target = e.kind === "assign" ? e.target : e.kind === "increment" ? e.place : undefined;
        if (!target || !this.isAtomic(target)) return e;
        const value = this.valueOf(e);
        if (value) return value;
        bad = true;
        this.context.problems.error(
          "XL4008",
          "the value of an assignment to an atomic object is used, whose place cannot be written again",
          e.span,
          { help: "make the assignment a statement of its own" },
        );
        return e;
      },
    });
    return bad ? this.module : values;
  }

  /** A plain write and its value, where they stand in an expression. */
  private valueOf(e: Expr): Expr | undefined {
    if (e.kind === "assign") {
      if (!this.isSettled(e.target)) return undefined;
      return comma(this.loads(this.assignment(e)!), this.valueBehind(e), e.span);
    }
    if (e.kind !== "increment" || !this.isSettled(e.place)) return undefined;
    const stored = this.loads(this.assignment(e)!);
    const after = this.read(e.place);
    if (e.prefix) return comma(stored, after, e.span);
    const kind = scalarOf(e.place.type)!;
    // Of floats the way back is another one.
    if (isFloat(kind)) return undefined;
    const before = binary(e.delta === 1 ? "sub" : "add", after, literal(kind, 1, e.span), e.span);
    return comma(stored, convert(before, e.type, false), e.span);
  }

  /** The value of an assignment is what its object has then: what was assigned, where that can be said again. */
  private valueBehind(e: Expr & { kind: "assign" }): Expr {
    return e.operator || !this.isConstantMeanwhile(e.value)
      ? this.read(e.target)
      : convert(e.value, e.target.type, false);
  }

  /** Whether it has the same value before and after a write of memory that lanes share. */
  private isConstantMeanwhile(e: Expr): boolean {
    let same = isPure(e);
    walkExpr(e, {
      expr: (x) => void (x.kind === "load" && spaceOf(x.place, this.module.variables) !== "private" && (same = false)),
    });
    return same;
  }

  /** A place that is the same behind a write of memory that lanes share. */
  private isSettled(p: Place): boolean {
    switch (p.kind) {
      case "variable":
        return true;
      case "element":
        return this.isSettled(p.base) && this.isConstantMeanwhile(p.index);
      case "member":
        return this.isSettled(p.base);
      case "deref":
        return this.isConstantMeanwhile(p.pointer);
      default:
        return false;
    }
  }

  /** The `a = v` of `x = a = v`, where `a` is atomic and what is written first can be a statement. */
  private firstOf(s: Statement): (Expr & { kind: "assign" }) | undefined {
    const whole = wholeAssignment(s);
    const first = s.kind === "declare" ? s.initializer : whole?.value;
    if (first?.kind !== "assign" || !this.isAtomic(first.target) || !this.isSettled(first.target)) return undefined;
    return whole && (whole.operator || !this.isSettled(whole.target)) ? undefined : first;
  }

  /** `x = a = v` as `a = v; x = v`. */
  private split(s: Statement): readonly Statement[] | undefined {
    const first = this.firstOf(s);
    if (!first) return undefined;
    const written = expressionStatement(first, first.span);
    const value = this.valueBehind(first);
    const then: Statement =
      s.kind === "declare"
        ? { ...s, initializer: value, trivia: noTrivia }
        : expressionStatement({ ...wholeAssignment(s)!, value }, s.span);
    return [{ ...written, trivia: s.trivia }, then].map((t) => this.statement(t) ?? t);
  }

  private copiesAtomic(e: Expr): boolean {
    if (e.type.kind !== "struct") return false;
    const { name } = e.type;
    return [...this.atomic].some((h) => typeof h === "string" && h.startsWith(`${name}.`));
  }

  private statement(s: Statement): Statement | undefined {
    if (s.kind !== "expression") return undefined;
    const parts = this.partByPart(s.expression);
    if (parts)
      return {
        kind: "block",
        statements: parts.map((e) => this.statement(expressionStatement(e, s.span)) ?? expressionStatement(e, s.span)),
        span: s.span,
        trivia: s.trivia,
        innerComments: [],
      };
    const made = this.assignment(s.expression);
    if (!made) return undefined;
    // The operands are looked at, too; the store itself stays.
    const value =
      made.kind === "op"
        ? {
            ...made,
            places: made.places.map((p) => this.inside(p)),
            arguments: made.arguments.map((a) => this.loads(a)),
          }
        : made;
    return { ...s, expression: value };
  }

  /** The assignments that write an object which holds atomics, where its parts are given; each reads nothing the others write. */
  private partByPart(e: Expr): Expr[] | undefined {
    if (!givesParts(e) || !this.holdsAtomic(e.target)) return undefined;
    const { target, value } = e;
    const parts = value.arguments.map((a, i): Expr => {
      if (target.type.kind !== "struct") return assign(element(target, i32Literal(i, e.span), e.span), a, e.span);
      const m = this.module.structs.get(target.type.name)!.members[i]!;
      return assign(member(target, m.name, m.type, e.span), a, e.span);
    });
    return parts.flatMap((p) => this.partByPart(p) ?? [p]);
  }

  private holdsAtomic(p: Place): boolean {
    if (p.type.kind === "struct") return this.copiesAtomic(load(p));
    const holder = p.type.kind === "array" ? holderOf(p) : undefined;
    return holder !== undefined && this.atomic.has(holder);
  }

  private loads(e: Expr): Expr {
    return rewriteExpr(e, { expr: (x) => (x.kind === "load" && this.isAtomic(x.place) ? this.read(x.place) : x) });
  }

  private inside(p: Place): Place {
    switch (p.kind) {
      case "element":
        return { ...p, base: this.inside(p.base), index: this.loads(p.index) };
      case "member":
      case "swizzle":
        return { ...p, base: this.inside(p.base) };
      default:
        return p;
    }
  }

  /** A plain write as a store. */
  private assignment(e: Expr): Expr | undefined {
    if (e.kind === "assign" && this.isAtomic(e.target)) {
      if (!e.operator) return this.write(e.target, e.value);
      const compute = e.compute ?? e.target.type;
      const sum = binary(e.operator, convert(load(e.target), compute, false), e.value, e.span);
      return this.write(e.target, convert(sum, e.target.type));
    }
    if (e.kind === "increment" && this.isAtomic(e.place)) {
      const kind = scalarOf(e.place.type)!;
      const one = literal(kind, 1, e.span);
      return this.write(e.place, binary(e.delta === 1 ? "add" : "sub", load(e.place), one, e.span));
    }
    return undefined;
  }
}
