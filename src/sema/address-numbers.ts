/**
 * Addresses that are kept in integers of 64 bits and cast back later (`ulong a = (ulong)p; ... *(global float *)(a + 4)`): what keeps one
 * is a pointer to bytes, where all that it is ever given is the address of some pointer. What else is read of it is the number of that
 * pointer's address. Where a cast's number is none of these, it is refused, and why is said.
 */
import {
  assign,
  binary,
  bitcast,
  block,
  convert,
  isComparison,
  load,
  nullPointer,
  pointerOffset,
  unary,
} from "../ast/builders.js";
import { functionOf } from "../ast/lookup.js";
import {
  noTrivia,
  type BinaryOperator,
  type Expr,
  type FunctionId,
  type Module,
  type Place,
  type Statement,
  type StructDeclaration,
  type Variable,
  type VarId,
} from "../ast/nodes.js";
import { placeIsPure, rewriteFunction, rewriteModule, walkModule, walkStatement, type Rewriter } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import {
  bitWidth,
  isInteger,
  pointer,
  scalar,
  withLeaves,
  type AddressSpace,
  type PointerType,
  type Type,
} from "../types/types.js";
import { evaluate } from "./constants.js";
import { notYet, shown, type Sema } from "./context.js";
import { pointerAs } from "./conversion.js";
import { keyOf, knownPlace } from "./addressed-buffers.js";
import { pointerOf } from "./number-pointers.js";
import { differs, wholeBlock } from "./readers/glsl-references.js";

type Canonical = Module<"canonical">;
type Cast = Extract<Expr, { kind: "bitcast" }>;

/** What keeps a number: a variable, a member as `S.m`, or a function that returns it. */
type Holder = VarId | string;
const resultOf = (id: FunctionId): Holder => `()${id}`;

const isWide = (type: Type): boolean =>
  type.kind === "scalar" && isInteger(type.scalar) && bitWidth(type.scalar) === 64 && !type.distinct;

const changed = (e: Extract<Expr, { kind: "assign" | "increment" }>): Place =>
  e.kind === "assign" ? e.target : e.place;

/** What keeps the number that an expression reads, or has written. */
function holderRead(e: Expr): Holder | undefined {
  switch (e.kind) {
    case "load":
      return holderOf(e.place);
    case "assign":
    case "increment":
      return holderOf(changed(e));
    case "call":
      return resultOf(e.function);
    default:
      return undefined;
  }
}

function holderOf(p: Place): Holder | undefined {
  switch (p.kind) {
    case "variable":
      return p.variable;
    case "element":
      return p.base.type.kind === "array" ? holderOf(p.base) : undefined;
    case "member":
      return p.base.type.kind === "struct" ? `${p.base.type.name}.${p.member}` : undefined;
    default:
      return undefined;
  }
}

export function withAddressNumbers(s: Sema, module: Canonical): Canonical {
  const numbers = new AddressNumbers(s, module);
  let any = false;
  walkModule(module, { expr: (e) => void (any ||= numbers.isOpenCast(e)) });
  return any ? numbers.rewritten() : module;
}

class AddressNumbers {
  private readonly writes = new Map<Holder, Expr[]>();
  /** Whose value may be written in ways that are not followed. */
  private readonly elsewhere = new Set<Holder>();
  /** Where the pointers lie whose addresses it is given. */
  private readonly spaces = new Map<Holder, Set<AddressSpace>>();
  /** Which are given addresses of pointers to const. */
  private readonly readOnly = new Set<Holder>();
  private readonly kept = new Map<Holder, AddressSpace>();
  /** Numbers that the host writes and references are made of, by their places: the first such reference. */
  private readonly hosts = new Map<string, PointerType>();
  /** Others that the host writes are numbers. */
  private hostsAreKnown = false;
  /** What the number of the cast that is looked at comes from. */
  private asked = new Set<Holder>();
  private failed = false;

  constructor(
    private readonly s: Sema,
    private readonly module: Canonical,
  ) {}

  /** A number that is cast to a pointer, which nothing around it shows to be an address. */
  isOpenCast(e: Expr): e is Cast {
    if (e.kind !== "bitcast" || e.type.kind !== "pointer" || !isWide(e.operand.type)) return false;
    return !e.type.block || (!this.hostPlace(e.operand) && !isReferenceNumber(e.operand));
  }

  rewritten(): Canonical {
    this.gather();
    this.spread();
    walkModule(this.module, {
      expr: (e) => {
        if (!this.isOpenCast(e) || e.type.kind !== "pointer") return;
        this.asked = new Set();
        if (e.type.block?.whole) this.refuse(e, wholeBlock);
        else this.require(e.operand, e.type.space, e);
      },
    });
    if (this.failed) return this.module;
    this.hostsAreKnown = true;
    if (this.s.references.size > 0) {
      this.spaces.clear();
      this.spread();
    }
    // Others that keep addresses, too: what is compared with one, say.
    for (const [holder, [space]] of this.spaces) if (space && this.mayKeep(holder, space)) this.keepAll(holder, space);
    return this.asPointers();
  }

  /** Whether a holder, and all whose numbers it is given, keep nothing but addresses of such memory. */
  private mayKeep(holder: Holder, space: AddressSpace, asked = new Set<Holder>()): boolean {
    if (this.kept.has(holder)) return this.kept.get(holder) === space;
    if (asked.has(holder)) return true;
    asked.add(holder);
    if (this.elsewhere.has(holder) || this.isShared(holder)) return false;
    return (this.writes.get(holder) ?? []).every((e) => this.isAddress(e, space, asked));
  }

  private isAddress(e: Expr, space: AddressSpace, asked: Set<Holder>): boolean {
    const spaces = this.spacesOf(e);
    if (spaces.size !== 1 || !spaces.has(space)) return isZero(e);
    switch (e.kind) {
      case "bitcast":
        return true;
      case "convert":
        return this.isAddress(e.operand, space, asked);
      case "conditional":
        return this.isAddress(e.whenTrue, space, asked) && this.isAddress(e.whenFalse, space, asked);
      case "binary":
        // Down to a multiple: whether it is one is not known here.
        if (e.operator === "and") return false;
        return this.isAddress(this.spacesOf(e.left).size > 0 ? e.left : e.right, space, asked);
      case "load": {
        if (this.hostPlace(e)) return true;
        const holder = holderOf(e.place);
        return holder !== undefined && e.type.kind === "scalar" && this.mayKeep(holder, space, asked);
      }
      case "assign":
      case "increment": {
        const holder = holderOf(changed(e));
        return holder !== undefined && this.mayKeep(holder, space, asked);
      }
      case "call":
        return this.mayKeep(resultOf(e.function), space, asked);
      default:
        return false;
    }
  }

  private keepAll(holder: Holder, space: AddressSpace): void {
    if (this.kept.has(holder)) return;
    this.kept.set(holder, space);
    const keep = (e: Expr): void => {
      const from = holderRead(e);
      if (from !== undefined && this.spaces.has(from)) this.keepAll(from, space);
      else if (e.kind === "convert") keep(e.operand);
      else if (e.kind === "conditional") [e.whenTrue, e.whenFalse].forEach(keep);
      else if (e.kind === "binary") keep(this.spacesOf(e.left).size > 0 ? e.left : e.right);
    };
    for (const value of this.writes.get(holder) ?? []) keep(value);
  }

  /** Where the host writes a number of which references may be made. */
  private hostPlace(e: Expr): string | undefined {
    if (e.kind !== "load" || this.s.references.size === 0 || !isWide(e.type)) return undefined;
    const at = knownPlace(e.place);
    if (!at || this.module.variables.get(at.variable)!.role !== "resource") return undefined;
    const key = keyOf(at);
    return this.hostsAreKnown && !this.hosts.has(key) ? undefined : key;
  }

  /** One buffer is looked at as both blocks. */
  private meets(from: PointerType, cast: Cast): void {
    const to = cast.type as PointerType;
    if (!from.block || !to.block || from.block.name === to.block.name) return;
    const why = differs(this.s, from.block, to.block);
    if (why !== undefined) this.refuse(cast, `which is one to a block ${from.block.name}: ${why}`);
    else this.s.references.get(from.block.name)!.casts.add(to.block.name);
  }

  private refuse(e: Cast, why: string, help?: string): void {
    this.failed = true;
    const what = `a cast of ${shown(this.s, e.operand.type)} to ${shown(this.s, e.type)}, ${why},`;
    notYet(this.s, `${what} is`, e.span, help);
  }

  // ---------------------------------------------------------------- what is given to whom

  private gives(to: Holder | undefined, value: Expr | undefined): void {
    if (to === undefined || value === undefined) return;
    const list = this.writes.get(to) ?? [];
    list.push(value);
    this.writes.set(to, list);
  }

  /** A value as a whole: of structs and arrays in braces their parts. */
  private given(to: Holder | undefined, value: Expr | undefined): void {
    if (value?.type.kind === "array" && value.kind === "construct") {
      for (const part of value.arguments) this.given(to, part);
    } else if (value && isWide(value.type)) this.gives(to, value);
  }

  private gather(): void {
    const { module } = this;
    for (const v of module.variables.values()) this.given(v.id, v.initializer);
    for (const f of module.functions) {
      walkStatement(f.body, {
        statement: (st) => {
          if (st.kind === "declare") this.given(st.variable, st.initializer);
          if (st.kind === "return") this.given(resultOf(f.id), st.value);
        },
        expr: (e) => this.expression(e),
      });
    }
  }

  private expression(e: Expr): void {
    switch (e.kind) {
      case "assign":
        // What is added to an address makes another one.
        if (!e.operator) this.given(holderOf(e.target), e.value);
        else if (e.operator !== "add" && e.operator !== "sub") this.lost(e.target);
        return;
      case "construct":
        if (e.type.kind === "struct") {
          const { name } = e.type;
          const { members } = this.module.structs.get(name)!;
          e.arguments.forEach((a, i) => members[i] && this.given(`${name}.${members[i].name}`, a));
        }
        return;
      case "call": {
        const f = functionOf(this.module, e.function);
        e.arguments.forEach((a, i) => {
          if (a.mode === "value") this.given(f?.parameters[i], a.value);
          else this.lost(a.place);
        });
        return;
      }
      case "address-of":
        this.lost(e.place);
        return;
      case "op":
        for (const p of e.places) this.lost(p);
        return;
      default:
        return;
    }
  }

  private lost(p: Place): void {
    const holder = holderOf(p);
    if (holder !== undefined) this.elsewhere.add(holder);
  }

  /** Where the pointers lie of which the number is the address, moved or not; nothing where it is none. */
  private spacesOf(e: Expr): ReadonlySet<AddressSpace> {
    switch (e.kind) {
      case "bitcast":
        return new Set(e.operand.type.kind === "pointer" && !e.operand.type.block?.whole ? [e.operand.type.space] : []);
      case "convert":
        return isWide(e.type) && isWide(e.operand.type) ? this.spacesOf(e.operand) : new Set();
      case "conditional":
        return new Set([...this.spacesOf(e.whenTrue), ...this.spacesOf(e.whenFalse)]);
      case "binary": {
        const [left, right] = [this.spacesOf(e.left), this.spacesOf(e.right)];
        if (e.operator === "add") return left.size > 0 && right.size > 0 ? new Set() : new Set([...left, ...right]);
        return (e.operator === "sub" && right.size === 0) || e.operator === "and" ? left : new Set();
      }
      default: {
        if (this.hostPlace(e)) return new Set(["global"]);
        const holder = holderRead(e);
        return (holder === undefined ? undefined : this.spaces.get(holder)) ?? new Set();
      }
    }
  }

  private isOfConst(e: Expr): boolean {
    switch (e.kind) {
      case "bitcast":
        return e.operand.type.kind === "pointer" && e.operand.type.readOnly === true;
      case "convert":
        return this.isOfConst(e.operand);
      case "conditional":
        return this.isOfConst(e.whenTrue) || this.isOfConst(e.whenFalse);
      case "binary":
        return this.isOfConst(e.left) || this.isOfConst(e.right);
      default: {
        const holder = holderRead(e);
        return holder !== undefined && this.readOnly.has(holder);
      }
    }
  }

  private spread(): void {
    for (let grown = true; grown;) {
      grown = false;
      for (const [holder, values] of this.writes) {
        const spaces = this.spaces.get(holder) ?? new Set();
        const before = spaces.size;
        for (const value of values) for (const space of this.spacesOf(value)) spaces.add(space);
        if (!this.readOnly.has(holder) && values.some((value) => this.isOfConst(value))) {
          this.readOnly.add(holder);
          grown = true;
        }
        if (spaces.size === before) continue;
        this.spaces.set(holder, spaces);
        grown = true;
      }
    }
  }

  // ---------------------------------------------------------------- what has to be an address

  private require(e: Expr, space: AddressSpace, cast: Cast): void {
    if (this.failed) return;
    const spaces = this.spacesOf(e);
    const other = [...spaces].find((x) => x !== space);
    if (other !== undefined)
      return this.refuse(
        cast,
        spaces.size > 1
          ? `where the number is one of ${[...spaces].join(" and of ")} memory`
          : `where the number is an address of ${other} memory`,
      );
    switch (e.kind) {
      case "bitcast":
        if (spaces.size === 0) this.refuse(cast, "where the number is the bits of something else");
        else this.meets(e.operand.type as PointerType, cast);
        return;
      case "convert":
        return spaces.size === 0 ? this.none(cast) : this.require(e.operand, space, cast);
      case "conditional":
        this.require(e.whenTrue, space, cast);
        return this.require(e.whenFalse, space, cast);
      case "binary": {
        if (spaces.size === 0) return this.none(cast);
        return this.require(this.spacesOf(e.left).size > 0 ? e.left : e.right, space, cast);
      }
      case "load": {
        const host = this.hostPlace(e);
        if (host === undefined) return this.requireHolder(holderOf(e.place), e, space, cast);
        const first = this.hosts.get(host);
        if (first) this.meets(first, cast);
        else this.hosts.set(host, cast.type as PointerType);
        return;
      }
      case "call":
        return this.requireHolder(resultOf(e.function), e, space, cast);
      case "assign":
      case "increment":
        return this.requireHolder(holderOf(changed(e)), e, space, cast);
      default:
        if (!isZero(e)) this.none(cast);
    }
  }

  private none(cast: Cast): void {
    this.refuse(
      cast,
      "where nothing says of which pointer the number is the address",
      "keep the pointer, or its offset",
    );
  }

  private requireHolder(holder: Holder | undefined, e: Expr, space: AddressSpace, cast: Cast): void {
    if (holder === undefined || e.type.kind !== "scalar") return this.none(cast);
    if (this.asked.has(holder)) return;
    this.asked.add(holder);
    if (!this.spaces.has(holder)) return this.none(cast);
    const name = this.nameOf(holder);
    if (this.elsewhere.has(holder))
      return this.refuse(
        cast,
        `where ${name} is an address that is written by way of a pointer or by another operation`,
      );
    const shared = this.isShared(holder);
    if (shared) return this.refuse(cast, `where ${name} keeps the address in memory that ${shared}`);
    this.kept.set(holder, space);
    for (const value of this.writes.get(holder)!) this.require(value, space, cast);
  }

  private nameOf(holder: Holder): string {
    if (typeof holder === "number") return this.module.variables.get(holder)!.name;
    return holder.startsWith("()") ? functionOf(this.module, Number(holder.slice(2)))!.name : holder;
  }

  /** Who else sees what keeps the number. */
  private isShared(holder: Holder): string | undefined {
    const { variables, structs } = this.module;
    if (typeof holder === "string") {
      if (holder.startsWith("()")) return undefined;
      const name = holder.slice(0, holder.indexOf("."));
      if (structs.get(name)!.union) return "a union's other members have, too";
      const holds = (t: Type): boolean =>
        t.kind === "array"
          ? holds(t.element)
          : t.kind === "struct" && (t.name === name || structs.get(t.name)!.members.some((m) => holds(m.type)));
      for (const v of variables.values())
        if ((v.role === "resource" || v.space === "workgroup") && holds(v.type)) return "other lanes or the host see";
      return undefined;
    }
    const v = variables.get(holder)!;
    if (v.role === "resource" || this.module.resources.some((r) => r.variable === holder)) return "the host writes";
    return v.space === "private" ? undefined : "other lanes see";
  }

  // ---------------------------------------------------------------- the pointers

  private typeOf(holder: Holder, type: Type): Type {
    const space = this.kept.get(holder);
    return space === undefined
      ? type
      : withLeaves(type, (t) => (isWide(t) ? this.bytesIn(space, this.readOnly.has(holder)) : t));
  }

  private bytesIn(space: AddressSpace, readOnly: boolean): PointerType {
    const type = pointer(scalar("u8"), space);
    return readOnly ? { ...type, readOnly } : type;
  }

  private readonly keeps = (p: Place): boolean => {
    const holder = holderOf(p);
    return holder !== undefined && this.kept.has(holder);
  };

  private asPointers(): Canonical {
    const { module } = this;
    const variables = new Map<VarId, Variable>();
    for (const [id, v] of module.variables) variables.set(id, { ...v, type: this.typeOf(id, v.type) });
    const structs = new Map<string, StructDeclaration>();
    for (const [name, d] of module.structs) {
      const members = d.members.map((m) => ({ ...m, type: this.typeOf(`${name}.${m.name}`, m.type) }));
      structs.set(name, members.some((m, i) => m.type !== d.members[i]!.type) ? { ...d, members } : d);
    }
    const rewriter = (current?: FunctionId): Rewriter => ({
      place: (p) => {
        const holder = holderOf(p);
        return holder === undefined ? p : { ...p, type: this.typeOf(holder, p.type) };
      },
      expr: (e) => this.expr(e),
      statement: (st) => this.statement(st, current),
    });
    const functions = module.functions.map((f) =>
      rewriteFunction({ ...f, returnType: this.typeOf(resultOf(f.id), f.returnType) }, rewriter(f.id)),
    );
    // What is left are values of what the whole file sees.
    const next = { ...rewriteModule({ ...module, functions: [], variables, structs }, rewriter()), functions };
    return this.failed ? module : next;
  }

  /** The pointer to bytes that the number is the address of. */
  private pointer(e: Expr, type: Type): Expr {
    if (e.type.kind === "pointer") return e;
    if (isZero(e)) return nullPointer(type, e.span);
    if (e.kind === "convert" && !isZero(e.operand)) return this.pointer(e.operand, type);
    if (e.kind === "conditional")
      return { ...e, type, whenTrue: this.pointer(e.whenTrue, type), whenFalse: this.pointer(e.whenFalse, type) };
    const made = this.address(e);
    if (made && type.kind === "pointer") return pointerAs(made, type, e.span);
    this.failed = true;
    notYet(this.s, "what is computed of the number of an address that is cast to a pointer is", e.span);
    return nullPointer(type, e.span);
  }

  /** The value of something that keeps an address now, of the type that it had. */
  private value(to: Type, value: Expr): Expr {
    if (to.kind === "array" && value.kind === "construct" && value.type.kind === "array")
      return { ...value, type: to, arguments: value.arguments.map((a) => this.value(to.element, a)) };
    if (to.kind === "array") return { ...value, type: to } as Expr;
    return to.kind === "pointer" && value.type.kind !== "pointer" ? this.pointer(value, to) : value;
  }

  private expr(e: Expr): Expr {
    switch (e.kind) {
      case "load": {
        const host = this.hostPlace(e);
        if (host !== undefined)
          return { kind: "bitcast", operand: bitcast(e, this.hosts.get(host)!, e.span), type: e.type, span: e.span };
        if (!this.keeps(e.place)) return e;
        const read = { ...e, type: e.place.type };
        return e.type.kind === "scalar" ? bitcast(read, e.type, e.span) : read;
      }
      case "assign": {
        if (!this.keeps(e.target)) return e;
        const { type } = e.target;
        if (!e.operator) return bitcast({ ...e, type, value: this.value(type, e.value) }, e.type, e.span);
        const by = e.operator === "sub" ? unary("negate", e.value, e.span) : e.value;
        return this.moved(e.target, by, e.type, e.span);
      }
      case "increment": {
        if (!this.keeps(e.place)) return e;
        const one = countOf(e.delta, e.type, e.span);
        const moved = this.moved(e.place, one, e.type, e.span);
        // The number of before.
        return e.prefix || moved.kind !== "bitcast"
          ? moved
          : bitcast(pointerOffset(moved.operand, countOf(-e.delta, e.type, e.span), e.span), e.type, e.span);
      }
      case "construct": {
        if (e.type.kind !== "struct") return e;
        const { name } = e.type;
        const { members } = this.module.structs.get(name)!;
        const args = e.arguments.map((a, i) =>
          members[i] ? this.value(this.typeOf(`${name}.${members[i].name}`, members[i].type), a) : a,
        );
        return { ...e, arguments: args };
      }
      case "call": {
        const f = functionOf(this.module, e.function);
        const args = e.arguments.map((a, i) => {
          const p = f?.parameters[i];
          if (a.mode !== "value" || p === undefined || !this.kept.has(p)) return a;
          return { ...a, value: this.value(this.typeOf(p, a.value.type), a.value) };
        });
        const call = { ...e, arguments: args };
        const holder = resultOf(e.function);
        return this.kept.has(holder) ? bitcast({ ...call, type: this.typeOf(holder, e.type) }, e.type, e.span) : call;
      }
      case "binary":
        return this.compared(e);
      case "convert": {
        const p = e.type.kind === "scalar" && e.type.scalar === "bool" ? this.address(e.operand) : undefined;
        return p ? binary("ne", p, nullPointer(p.type, e.span), e.span) : e;
      }
      case "bitcast":
        if (e.type.kind !== "pointer" || e.type.block?.whole || !isWide(e.operand.type)) return e;
        return pointerAs(this.pointer(e.operand, this.bytesIn(e.type.space, e.type.readOnly === true)), e.type, e.span);
      default:
        return e;
    }
  }

  /** A pointer to bytes whose address the number is, where what it is moved by is known to be no more than pointers are apart. */
  private address(e: Expr): Expr | undefined {
    const made = pointerOf(this.s, e);
    if (made) this.checkDistances(e);
    return made;
  }

  private checkDistances(e: Expr): void {
    if (e.kind === "convert") return this.checkDistances(e.operand);
    if (e.kind !== "binary" || (e.operator !== "add" && e.operator !== "sub")) return;
    for (const side of [e.left, e.right]) {
      this.checkDistances(side);
      this.checkDistance(side);
    }
  }

  /** Pointers are no more than 2^31 bytes apart. */
  private checkDistance(by: Expr): void {
    const known = evaluate(this.s, by);
    if (typeof known !== "bigint" || BigInt.asIntN(32, known) === BigInt.asIntN(64, known)) return;
    this.failed = true;
    notYet(this.s, "an address in an integer that is moved by 2^31 bytes or more is", by.span);
  }

  /** Two addresses are compared, and subtracted, as the pointers that they are of. */
  private compared(e: Extract<Expr, { kind: "binary" }>): Expr {
    if (e.operator !== "sub" && !isComparison(e.operator)) return e;
    const [left, right] = [this.address(e.left), this.address(e.right)];
    const a = left ?? (right && isZero(e.left) ? nullPointer(right.type, e.span) : undefined);
    const b = right ?? (left && isZero(e.right) ? nullPointer(left.type, e.span) : undefined);
    if (a?.type.kind !== "pointer" || b?.type.kind !== "pointer" || a.type.space !== b.type.space) return e;
    if (e.operator !== "sub") {
      // Null is before all others.
      const operator = left && right ? e.operator : (left ? besideNull : beforeNull)[e.operator];
      return operator ? { ...e, operator, left: a, right: b } : e;
    }
    // As of pointers, which are no more than 2^31 bytes apart.
    return left && right ? convert({ ...e, left: a, right: b, type: scalar("i32") }, e.type, false, e.span) : e;
  }

  private moved(place: Place, by: Expr, type: Type, span: Span): Expr {
    this.checkDistance(by);
    if (!placeIsPure(place)) {
      this.failed = true;
      notYet(this.s, "an address in an integer that is moved where it is found with effects is", span);
    }
    return bitcast(assign(place, pointerOffset(load(place, span), by, span), span), type, span);
  }

  /** A `for` declares things of one type: of several they stand in front of it. */
  private loop(st: Extract<Statement, { kind: "for" }>): Statement {
    const kept = st.initializer.filter((d) => d.kind === "declare" && this.kept.has(d.variable));
    if (kept.length === 0 || st.initializer.length === 1) return st;
    const { trivia } = st;
    return block([...st.initializer, { ...st, initializer: [], trivia: noTrivia }], st.span, trivia);
  }

  private statement(st: Statement, current: FunctionId | undefined): Statement {
    switch (st.kind) {
      case "declare": {
        if (!st.initializer || !this.kept.has(st.variable)) return st;
        const type = this.typeOf(st.variable, this.module.variables.get(st.variable)!.type);
        return { ...st, initializer: this.value(type, st.initializer) };
      }
      case "return": {
        const holder = current === undefined ? undefined : resultOf(current);
        if (!st.value || holder === undefined || !this.kept.has(holder)) return st;
        return { ...st, value: this.value(this.typeOf(holder, st.value.type), st.value) };
      }
      case "expression":
        return { ...st, expression: withoutNumber(st.expression) };
      case "for":
        return this.loop(st.step ? { ...st, step: withoutNumber(st.step) } : st);
      default:
        return st;
    }
  }
}

/** What is done with a pointer, whose number nobody asks for. */
function withoutNumber(e: Expr): Expr {
  if (e.kind === "comma") return { ...e, left: withoutNumber(e.left), right: withoutNumber(e.right) };
  if (e.kind !== "bitcast" || e.operand.type.kind !== "pointer" || e.type.kind === "pointer") return e;
  if (e.operand.kind === "assign") return e.operand;
  // `a++`: the number of before is not asked for either.
  const { operand } = e;
  return operand.kind === "pointer-offset" && operand.pointer.kind === "assign" ? operand.pointer : e;
}

/** `uint64_t(reference)`. */
const isReferenceNumber = (e: Expr): boolean => e.kind === "bitcast" && e.operand.type.kind === "pointer";

const isZero = (e: Expr): boolean =>
  e.kind === "literal" ? Number(e.value) === 0 : e.kind === "convert" && isZero(e.operand);

/** How an address is compared with null, as far as that says more than that it is one. */
const besideNull: Partial<Record<BinaryOperator, BinaryOperator>> = { eq: "eq", ne: "ne", gt: "ne", le: "eq" };
const beforeNull: Partial<Record<BinaryOperator, BinaryOperator>> = { eq: "eq", ne: "ne", lt: "ne", ge: "eq" };

const countOf = (n: number, type: Type, span: Span): Expr =>
  convert(
    { kind: "literal", type: scalar("i32"), value: n, span },
    type.kind === "scalar" ? scalar("i64") : type,
    false,
    span,
  );
