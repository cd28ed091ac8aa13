/**
 * 8- and 16-bit integers of targets that lack them, as 32-bit ones that always hold a value of the small type: whatever may
 * leave its range is brought back by a mask or a pair of shifts. Variables, parameters, arrays, structs, vectors, and
 * arguments by value, which the host then gives as 32-bit integers. Buffers keep their types, and are refused where the
 * target has none; where it binds words they are words by now (raw-buffers.ts).
 */
import { isOwnText } from "../../ast/lookup.js";
import { rows } from "../../ops/table.js";
import { familyOf } from "../../ast/op-ids.js";
import {
  assign,
  binary,
  bitcast,
  constantOf,
  construct,
  convert,
  literalValue,
  load,
  opCall,
  rootVariable,
  splat,
  unary,
} from "../../ast/builders.js";
import type {
  BinaryOperator,
  Expr,
  Module,
  OpCall,
  Place,
  Statement,
  StructDeclaration,
  Variable,
  VarId,
  OpId,
} from "../../ast/nodes.js";
import { alreadyRepeatable } from "../../ast/held-place.js";
import { isPure, rewriteModule } from "../../ast/walk.js";
import { decideType } from "../../caps/decide.js";
import type { Span } from "../../support/span.js";
import { integerRange } from "../../types/numeric.js";
import {
  bitWidth,
  componentCount,
  isFloat,
  isInteger,
  sameType,
  scalar,
  scalarOf,
  shaped,
  vector,
  type ScalarKind,
  type Type,
} from "../../types/types.js";
import type { TextPass } from "../pass.js";

export const smallIntegers: TextPass = {
  name: "small-integers",
  run(module, context) {
    const { target } = context;
    if (isOwnText(module, target)) return module;
    const lacking = (["i8", "u8", "i16", "u16"] as const).filter(
      (k) => "refused" in decideType(scalar(k), target, context.profile),
    );
    if (lacking.length === 0) return module;
    const widening = new Widening(module, new Set(lacking), (message, span) =>
      context.problems.error("XL3003", message, span),
    );
    if (!widening.needed()) return module;
    context.note("emulated", "small-integers", `${lacking.join(", ")} are 32-bit integers that hold their values`);
    return widening.run();
  },
};

const wideOf = (kind: ScalarKind): ScalarKind => (kind[0] === "i" ? "i32" : "u32");

/** The assignment in a value nobody takes: the value before a step is worked out from the one after it. */
function effectOf(e: Expr): Expr {
  let inner = e;
  while (inner.kind === "binary" && isPure(inner.right)) inner = inner.left;
  return inner.kind === "assign" ? inner : e;
}

class Widening {
  /** The types nodes had. */
  private readonly mentioning = new Map<string, boolean>();
  private readonly before = new WeakMap<object, Type>();

  constructor(
    private readonly module: Module,
    private readonly lacking: ReadonlySet<ScalarKind>,
    private readonly refuse: (message: string, span: Span) => void,
  ) {}

  /** Small types somewhere, and none in buffers. */
  needed(): boolean {
    const buffers = new Set(this.module.resources.flatMap((r) => (r.kind === "buffer" ? [r.variable] : [])));
    let found = false;
    for (const v of this.module.variables.values()) {
      if (!this.mentions(v.type)) continue;
      if (buffers.has(v.id)) return false;
      found = true;
    }
    // A struct stays declared where a buffer of it became words.
    const declared = [...this.module.structs.values()].flatMap((d) => d.members);
    if (found || [...this.module.enums, ...declared].some((d) => this.mentions(d.type))) return true;
    const seen = (t: Type): void => void (found ||= this.mentions(t));
    rewriteModule(this.module, { expr: (e) => (seen(e.type), e) });
    return found;
  }

  private mentions(t: Type): boolean {
    switch (t.kind) {
      case "array":
        return this.mentions(t.element);
      case "struct":
        return this.structMentions(t.name);
      case "pointer":
        return this.mentions(t.pointee);
      default:
        return this.small(t) !== undefined;
    }
  }

  /** Asked once a struct: structs of structs double. */
  private structMentions(name: string): boolean {
    let known = this.mentioning.get(name);
    if (known === undefined)
      this.mentioning.set(
        name,
        (known = this.module.structs.get(name)?.members.some((m) => this.mentions(m.type)) ?? false),
      );
    return known;
  }

  private small(t: Type): ScalarKind | undefined {
    const kind = scalarOf(t);
    return kind !== undefined && this.lacking.has(kind) ? kind : undefined;
  }

  private wide(t: Type): Type {
    if (t.kind === "array") return { ...t, element: this.wide(t.element) };
    // Of a pointer that was lowered to an offset, which nothing reads any more.
    if (t.kind === "pointer") return { ...t, pointee: this.wide(t.pointee) };
    const kind = this.small(t);
    return kind === undefined ? t : shaped(wideOf(kind), componentCount(t)!);
  }

  run(): Module {
    const statement = (s: Statement): Statement => {
      if (s.kind === "expression") return { ...s, expression: effectOf(s.expression) };
      return s.kind === "for" && s.step ? { ...s, step: effectOf(s.step) } : s;
    };
    const done = rewriteModule(this.module, { expr: (e) => this.expr(e), place: (p) => this.place(p), statement });
    const variables = new Map<VarId, Variable>(
      [...done.variables].map(([id, v]) => [id, { ...v, type: this.wide(v.type) }]),
    );
    const structs = new Map<string, StructDeclaration>(
      [...done.structs].map(([name, s]) => [
        name,
        { ...s, members: s.members.map((m) => ({ ...m, type: this.wide(m.type) })) },
      ]),
    );
    const enums = done.enums.map((e) => ({ ...e, type: this.wide(e.type) as typeof e.type }));
    return {
      ...done,
      variables,
      structs,
      enums,
      functions: done.functions.map((f) => ({ ...f, returnType: this.wide(f.returnType) })),
    };
  }

  private place(p: Place): Place {
    const type = this.wide(p.type);
    if (type === p.type || (p.type.kind !== "array" && sameType(type, p.type)) || rootVariable(p) === undefined)
      return p;
    const made = { ...p, type };
    this.before.set(made, p.type);
    return made;
  }

  private was(x: { readonly type: Type }): Type {
    return this.before.get(x) ?? x.type;
  }

  /** `made`, which stands for a node of type `type`. */
  private as(type: Type, made: Expr): Expr {
    const copy = { ...made };
    this.before.set(copy, type);
    return copy;
  }

  /** A 32-bit value as one of the small type, modulo its width. */
  private held(x: Expr, kind: ScalarKind): Expr {
    const bits = bitWidth(kind);
    const known = literalValue(x);
    if (x.kind === "literal" && typeof known === "number") {
      const { min, max } = integerRange(kind);
      if (BigInt(known) >= min && BigInt(known) <= max) return x;
    }
    if (kind[0] === "u") return binary("and", x, constantOf(x.type, 2 ** bits - 1, x.span), x.span);
    const count = constantOf(shaped("u32", componentCount(x.type)!), 32 - bits, x.span);
    return binary("shr", binary("shl", x, count, x.span), count, x.span);
  }

  private clamped(x: Expr, kind: ScalarKind): Expr {
    const { min, max } = integerRange(kind);
    return opCall("math.clamp", [x, constantOf(x.type, min, x.span), constantOf(x.type, max, x.span)], x.type, x.span);
  }

  private expr(e: Expr): Expr {
    const kind = this.small(e.type);
    const type = this.wide(e.type);
    switch (e.kind) {
      case "literal":
        return kind ? this.as(e.type, { ...e, type: scalar(wideOf(kind)) }) : e;
      case "convert":
        return this.conversion(e, kind);
      case "bitcast":
        return this.cast(e, kind);
      case "unary":
        if (!kind) return e;
        return this.as(
          e.type,
          e.operator === "plus" ? e.operand : this.held(unary(e.operator, e.operand, e.span), kind),
        );
      case "binary":
        return kind ? this.as(e.type, this.operation(e.operator, e.left, e.right, kind, e.span)) : e;
      case "assign":
        return this.assignment(e, kind, type);
      case "increment": {
        if (!kind) return e;
        const one = constantOf(type, 1, e.span);
        const step = (x: Expr, operator: "add" | "sub"): Expr => this.held(binary(operator, x, one, e.span), kind);
        const set = assign(
          alreadyRepeatable(e.place),
          step(load(e.place, e.span), e.delta === 1 ? "add" : "sub"),
          e.span,
        );
        return this.as(e.type, e.prefix ? set : step(set, e.delta === 1 ? "sub" : "add"));
      }
      case "op":
        return this.op(e, kind, type);
      default:
        return type === e.type ? e : this.as(e.type, { ...e, type });
    }
  }

  private operation(operator: BinaryOperator, left: Expr, right: Expr, kind: ScalarKind, span: Span): Expr {
    if (operator === "shl" || operator === "shr") {
      const count = binary("and", right, constantOf(right.type, bitWidth(kind) - 1, span), span);
      const moved = binary(operator, left, count, span);
      return operator === "shr" ? moved : this.held(moved, kind);
    }
    const made = binary(operator, left, right, span);
    return operator === "add" || operator === "sub" || operator === "mul" || operator === "div"
      ? this.held(made, kind)
      : made;
  }

  private conversion(e: Expr & { kind: "convert" }, kind: ScalarKind | undefined): Expr {
    const { operand } = e;
    const from = scalarOf(this.was(operand));
    const small = this.small(this.was(operand));
    if (!kind) {
      if (!small) return e;
      // Widened already: the same bits, or the same value.
      return this.as(e.type, sameType(operand.type, e.type) ? operand : convert(operand, e.type, e.explicit, e.span));
    }
    const type = this.wide(e.type);
    const wide = sameType(operand.type, type) ? operand : convert(operand, type, true, e.span);
    const { min, max } = integerRange(kind);
    const fits =
      from !== undefined && isInteger(from) && integerRange(from).min >= min && integerRange(from).max <= max;
    return this.as(e.type, fits || from === "bool" || (from && isFloat(from)) ? wide : this.held(wide, kind));
  }

  private assignment(e: Expr & { kind: "assign" }, kind: ScalarKind | undefined, type: Type): Expr {
    const compute = e.compute && this.wide(e.compute);
    if (!kind && e.type.kind !== "array") return compute === e.compute ? e : { ...e, compute };
    if (!kind || !e.operator) return this.as(e.type, { ...e, type });
    const at = compute ?? type;
    const inner = this.small(e.compute ?? e.type);
    const now = load(alreadyRepeatable(e.target), e.span);
    const left = sameType(now.type, at) ? now : convert(now, at, true, e.span);
    const made = inner
      ? this.operation(e.operator, left, e.value, inner, e.span)
      : binary(e.operator, left, e.value, e.span);
    const back = sameType(made.type, type) ? made : convert(made, type, true, e.span);
    return this.as(e.type, assign(e.target, inner === kind ? back : this.held(back, kind), e.span));
  }

  // ---------------------------------------------------------------- bits

  private cast(e: Expr & { kind: "bitcast" }, kind: ScalarKind | undefined): Expr {
    const from = this.was(e.operand);
    const small = this.small(from);
    if (!kind && !small) return e;
    const counts = [componentCount(from)!, componentCount(e.type)!] as const;
    const width = (t: Type): number => bitWidth(scalarOf(t)!);
    const total = width(from) * counts[0];
    if (
      counts[0] === counts[1] &&
      width(from) === width(e.type) &&
      !isFloat(scalarOf(from)!) &&
      !isFloat(scalarOf(e.type)!)
    ) {
      const type = this.wide(e.type);
      const moved = sameType(e.operand.type, type) ? e.operand : convert(e.operand, type, true, e.span);
      return this.as(e.type, kind ? this.held(moved, kind) : moved);
    }
    if (total > 32 || total !== width(e.type) * counts[1]) {
      this.refuse("these bits of small integers have no form here", e.span);
      return this.as(e.type, constantOf(this.wide(e.type), 0, e.span));
    }
    const word = small ? this.packed(e.operand, width(from), counts[0], e.span) : this.word(e.operand, total, e.span);
    return this.as(
      e.type,
      kind ? this.unpacked(word, kind, e.type, e.span) : this.fromWord(word, e.type, total, e.span),
    );
  }

  /** Small integers side by side in a u32, the first lowest. */
  private packed(x: Expr, bits: number, count: number, span: Span): Expr {
    const type = shaped("u32", count);
    const own = sameType(x.type, type) ? x : convert(x, type, true, span);
    const cut = binary("and", own, constantOf(type, 2 ** bits - 1, span), span);
    if (count === 1) return cut;
    const places = construct(
      type,
      Array.from({ length: count }, (_, i) => constantOf(scalar("u32"), 2 ** (bits * i), span)),
      span,
    );
    return opCall("geometry.dot_integer", [cut, places], scalar("u32"), span);
  }

  private unpacked(word: Expr, kind: ScalarKind, to: Type, span: Span): Expr {
    const count = componentCount(to)!;
    const type = shaped("u32", count);
    if (count === 1) return this.held(kind[0] === "i" ? convert(word, scalar("i32"), true, span) : word, kind);
    const counts = construct(
      type,
      Array.from({ length: count }, (_, i) => constantOf(scalar("u32"), bitWidth(kind) * i, span)),
      span,
    );
    const moved = binary("shr", splat(word, type, span), counts, span);
    return this.held(kind[0] === "i" ? convert(moved, vector("i32", count as 2), true, span) : moved, kind);
  }

  private word(x: Expr, total: number, span: Span): Expr {
    if (total === 32) return bitcast(x, scalar("u32"), span);
    return convert(bitcast(x, scalar("u16"), span), scalar("u32"), true, span);
  }

  private fromWord(word: Expr, to: Type, total: number, span: Span): Expr {
    if (total === 32) return sameType(to, word.type) ? word : bitcast(word, to, span);
    return bitcast(convert(word, scalar("u16"), true, span), to, span);
  }

  // ---------------------------------------------------------------- ops

  private op(e: OpCall, kind: ScalarKind | undefined, type: Type): Expr {
    const given = e.arguments.map((a) => this.small(this.was(a)));
    const first = given[0];
    if (!kind && !given.some((k) => k)) return e;
    const done = (x: Expr): Expr => this.as(e.type, x);
    const made: OpCall = { ...e, type };
    if (familyOf(e.op) === "convert" && kind) {
      const operand = e.arguments[0]!;
      // Between integers a rounding mode says nothing: what does not saturate wraps.
      if (!rows.get(e.op)?.saturates && isInteger(scalarOf(this.was(operand))!))
        return this.conversion({ kind: "convert", operand, type: e.type, explicit: true, span: e.span }, kind);
      const whole: OpCall = { ...e, type: shaped("i32", componentCount(type)!) };
      const held = rows.get(e.op)?.saturates ? this.clamped(whole, kind) : whole;
      return done(sameType(held.type, type) ? held : convert(held, type, true, e.span));
    }
    if (!first) return done(kind ? this.held(made, kind) : made);
    const bits = bitWidth(first);
    const x = e.arguments[0]!;
    const u = shaped("u32", componentCount(x.type)!);
    /** The small type's own bits, with zeros above. */
    const own = (v: Expr): Expr => {
      const plain = sameType(v.type, u) ? v : convert(v, u, true, e.span);
      return first[0] === "u" ? plain : binary("and", plain, constantOf(u, 2 ** bits - 1, e.span), e.span);
    };
    const back = (v: Expr): Expr => done(sameType(v.type, type) ? v : convert(v, type, true, e.span));
    const of = (id: OpCall["op"], ...args: Expr[]): Expr => opCall(id, args, args[0]!.type, e.span);
    const number = (n: number): Expr => constantOf(u, n, e.span);
    switch (e.op) {
      case "bits.clz":
        return back(binary("sub", of("bits.clz", own(x)), number(32 - bits), e.span));
      case "bits.ctz":
        return back(of("math.min", of("bits.ctz", own(x)), number(bits)));
      case "bits.popcount":
        return back(of("bits.popcount", own(x)));
      case "bits.reverse": {
        const moved = binary("shr", of("bits.reverse", own(x)), number(32 - bits), e.span);
        return done(this.held(sameType(moved.type, type) ? moved : convert(moved, type, true, e.span), kind!));
      }
      case "bits.add_sat":
      case "bits.sub_sat": {
        const i = shaped("i32", componentCount(x.type)!);
        const [a, b] = e.arguments.map((v) => (sameType(v.type, i) ? v : convert(v, i, true, e.span)));
        return back(this.clamped(binary(e.op === "bits.add_sat" ? "add" : "sub", a!, b!, e.span), kind!));
      }
      case "bits.mad_sat": {
        // Twice the width holds the whole.
        const sum = binary("add", binary("mul", x, e.arguments[1]!, e.span), e.arguments[2]!, e.span);
        return done(this.clamped(sum, kind!));
      }
      case "bits.upsample": {
        const high = sameType(x.type, u) ? x : convert(x, u, true, e.span);
        const low = e.arguments[1]!;
        return back(binary("or", binary("shl", high, number(bits), e.span), low, e.span));
      }
      case "bits.mulhi":
        return done(binary("shr", binary("mul", x, e.arguments[1]!, e.span), number(bits), e.span));
      case "bits.mad_hi": {
        const high = binary("shr", binary("mul", x, e.arguments[1]!, e.span), number(bits), e.span);
        return done(this.held(binary("add", high, e.arguments[2]!, e.span), kind!));
      }
      case "bits.rotate": {
        // Copies side by side: any run of the width that starts in the first one is a rotation.
        const copies = binary("mul", own(x), number(bits === 8 ? 0x01010101 : 0x00010001), e.span);
        const count = binary(
          "and",
          unary("negate", e.arguments[1]!, e.span),
          constantOf(e.arguments[1]!.type, bits - 1, e.span),
          e.span,
        );
        const moved = binary("shr", copies, count, e.span);
        return done(this.held(sameType(moved.type, type) ? moved : convert(moved, type, true, e.span), kind!));
      }
      default:
        // Where no lane comes before, the identity of the wide type becomes that of the small one.
        if (kind && isExclusiveExtreme(e.op)) return done(this.clamped(made, kind));
        return done(kind ? this.held(made, kind) : made);
    }
  }
}

const isExclusiveExtreme = (op: OpId): boolean => {
  const fold = rows.get(op)?.fold;
  return fold?.form === "exclusive" && (fold.operation === "min" || fold.operation === "max");
};
