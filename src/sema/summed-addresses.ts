/**
 * Buffer references of GLSL that are made of sums (`F(pc.base + uint64_t(i) * 4ul)`): what is added to the number of an address that the
 * host writes is a count of blocks, where it shows that it is a multiple of their size. The number is another's then, and who makes
 * references of those need not know of sums.
 */
import { binary, convert, literal, literalValue, pointerOffset } from "../ast/builders.js";
import type { Expr, Module, Place, VarId } from "../ast/nodes.js";
import { isPure, rewriteModule, walkExpr, walkModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { sameType, scalar, type PointerType } from "../types/types.js";

type Canonical = Module<"canonical">;

/** `sizeOf`: the bytes from one block to the next. */
export function withSummedAddresses(module: Canonical, sizeOf: (type: PointerType) => number): Canonical {
  const sums = new Sums(module);
  const next = rewriteModule(module, {
    expr: (e) => {
      if (e.kind !== "bitcast" || e.type.kind !== "pointer" || e.operand.type.kind === "pointer") return e;
      const sum = sums.of(e.operand);
      if (!sum) return e;
      const size = e.type.block?.whole ? 0 : sizeOf(e.type);
      const counts = sum.terms.map((t) => countOf(t, size, e.span));
      if (!counts.every((c) => c !== undefined)) return e;
      const { base: number } = sum;
      const pointer = number.kind === "bitcast" ? number.operand : undefined;
      if (pointer && (counts.length === 0 || !sameType(pointer.type, e.type))) return e;
      const base: Expr = pointer ?? { ...e, operand: number };
      if (counts.length === 0) return base;
      return pointerOffset(
        base,
        counts.reduce((a, b) => binary("add", wide(a), wide(b), e.span)),
        e.span,
      );
    },
  });
  return next === module ? module : withoutUnread(next, sums.followed);
}

interface Sum {
  /** The number that the host writes. */
  readonly base: Expr;
  readonly terms: readonly Expr[];
}

class Sums {
  /** What numbers that are never written again begin as. */
  readonly kept = new Map<VarId, Expr>();
  /** Those that a reference was made of. */
  readonly followed = new Set<VarId>();
  private readonly written = new Set<VarId>();

  constructor(module: Canonical) {
    walkModule(module, {
      statement: (st) => {
        if (st.kind === "declare" && st.initializer && isNumber(st.initializer))
          this.kept.set(st.variable, st.initializer);
      },
      place: (p, use) => {
        if (p.kind === "variable" && use !== "read") this.written.add(p.variable);
      },
    });
    for (const id of this.written) this.kept.delete(id);
    for (const v of module.variables.values()) if (v.role === "resource") this.resources.add(v.id);
  }

  private readonly resources = new Set<VarId>();

  of(e: Expr): Sum | undefined {
    if (e.kind === "binary" && e.operator === "add") {
      const [left, right] = [this.of(e.left), this.of(e.right)];
      if ((left === undefined) === (right === undefined)) return undefined;
      const [{ base, terms }, other] = left ? [left, e.right] : [right!, e.left];
      return { base, terms: [...terms, other] };
    }
    if (e.kind === "bitcast" && e.operand.type.kind === "pointer") return { base: e, terms: [] };
    if (e.kind !== "load") return undefined;
    const id = e.place.kind === "variable" ? e.place.variable : undefined;
    const value = id === undefined ? undefined : this.kept.get(id);
    if (!value) return this.isHosts(e.place) ? { base: e, terms: [] } : undefined;
    const sum = this.of(value);
    if (sum) this.followed.add(id!);
    return sum?.terms.every((t) => this.isSettled(t)) ? sum : undefined;
  }

  private isHosts(p: Place): boolean {
    if (p.kind === "variable") return this.resources.has(p.variable);
    return (p.kind === "member" || p.kind === "element") && this.isHosts(p.base);
  }

  /** It is the same where the variable is read as where that was declared. */
  private isSettled(e: Expr): boolean {
    let fine = isPure(e);
    walkExpr(e, {
      place: (p) => {
        if (p.kind !== "variable" || this.written.has(p.variable) || this.resources.has(p.variable)) fine = false;
        return false;
      },
    });
    return fine;
  }
}

const isNumber = ({ type }: Expr): boolean =>
  (type.kind === "scalar" && type.scalar === "u64") ||
  (type.kind === "vector" && type.scalar === "u32" && type.size === 2);

const wide = (e: Expr): Expr => convert(e, scalar("i64"), false, e.span);

/** How many blocks so many bytes are; undefined where they may be no multiple. */
function countOf(e: Expr, size: number, span: Span): Expr | undefined {
  if (size === 0) return undefined;
  const value = literalValue(e);
  if (value !== undefined) {
    const n = BigInt(value);
    return n % BigInt(size) === 0n && n < 2n ** 31n ? literal("i32", Number(n / BigInt(size)), span) : undefined;
  }
  if (e.kind !== "binary" || (e.operator !== "mul" && e.operator !== "shl")) return undefined;
  const [number, other] = literalValue(e.left) === undefined ? [e.right, e.left] : [e.left, e.right];
  const given = literalValue(number);
  if (given === undefined || (e.operator === "shl" && number !== e.right)) return undefined;
  const factor = e.operator === "shl" ? 2n ** BigInt(given) : BigInt(given);
  if (factor % BigInt(size) !== 0n) return undefined;
  // The whole product would have to be a number of 64 bits; what was made so is counted as it was.
  const plain = other.kind === "convert" && isIndex(other.operand) ? other.operand : other;
  if (factor === BigInt(size)) return plain;
  const rest = factor / BigInt(size);
  return rest < 2n ** 31n ? binary("mul", wide(plain), literal("i64", rest, span), span) : undefined;
}

const isIndex = ({ type }: Expr): boolean => type.kind === "scalar" && (type.scalar === "u32" || type.scalar === "i32");

/** Numbers that nothing reads any more. */
function withoutUnread(given: Canonical, numbers: ReadonlySet<VarId>): Canonical {
  let module = given;
  for (;;) {
    const unread = new Set([...numbers].filter((id) => module.variables.has(id)));
    walkModule(module, {
      place: (p) => {
        if (p.kind === "variable") unread.delete(p.variable);
      },
    });
    if (unread.size === 0) return module;
    module = rewriteModule(module, {
      statement: (st) => (st.kind === "declare" && unread.has(st.variable) ? [] : st),
    });
    module = { ...module, variables: new Map([...module.variables].filter(([id]) => !unread.has(id))) };
  }
}
