/**
 * The element at a byte address, in a target that counts elements: reading made `address >> 2u` of it, and this makes
 * `i * 3u + 1u` of `(i * 12u + 4u) >> 2u` where no step of the address wraps. Where one may, the shift stays: an address beyond
 * 2^32 is a small one in the source, and so it has to be in the target.
 */
import { binary, convert, literal, literalValue, u32Literal } from "../../ast/builders.js";
import { intervalOfKind, within, type Interval } from "../../ast/interval.js";
import type { Binary, BuiltinId, Expr, FunctionDeclaration, Module } from "../../ast/nodes.js";
import { rewriteFunction } from "../../ast/walk.js";
import { languageFacts } from "../../dialects/languages.js";
import { componentCount, isInteger, scalarOf } from "../../types/types.js";
import { ModuleRanges } from "../analysis/module-ranges.js";
import type { Ranges } from "../analysis/ranges.js";
import type { PassContext, TextPass } from "../pass.js";

export const wordAddresses: TextPass = {
  name: "word-addresses",
  run(module, context) {
    const { byteAddressBuffers, mostWorkgroups } = languageFacts[module.dialect];
    if (!byteAddressBuffers || languageFacts[context.target].byteAddressBuffers) return module;
    const shown = new ModuleRanges(module);
    const launched =
      context.options.strict || !mostWorkgroups ? undefined : new ModuleRanges(module, idsOf(module, mostWorkgroups));
    return {
      ...module,
      functions: module.functions.map((f) => new Addresses(f, shown, launched, context).rewritten()),
    };
  },
};

/** What a launch of the source's API gives for ids. */
function idsOf(module: Module, mostWorkgroups: number): (id: BuiltinId, axis: number) => Interval | undefined {
  const sizes = module.entries.map((e) => e.workgroupSize);
  return (id, axis) => {
    if (id === "workgroup_id") return { low: 0n, high: BigInt(mostWorkgroups) - 1n };
    if (id !== "global_id" || !sizes.every((s) => s)) return undefined;
    return { low: 0n, high: BigInt(mostWorkgroups) * BigInt(Math.max(...sizes.map((s) => s![axis]!))) - 1n };
  };
}

const numberOf = (e: Expr): bigint | undefined => {
  const value = e.kind === "literal" && !e.macro ? literalValue(e) : undefined;
  return value !== undefined && Number.isInteger(Number(value)) ? BigInt(value) : undefined;
};

class Addresses {
  private readonly made = new WeakSet<Expr>();

  constructor(
    private readonly f: FunctionDeclaration,
    private readonly shown: ModuleRanges,
    private readonly launched: ModuleRanges | undefined,
    private readonly context: PassContext,
  ) {}

  rewritten(): FunctionDeclaration {
    return rewriteFunction(this.f, { expr: (e) => (e.kind === "binary" ? this.plain(e) : e) });
  }

  private plain(e: Binary): Expr {
    const n = numberOf(e.right);
    if (n === undefined || scalarOf(e.type) !== "u32") return e;
    if (e.operator === "add" && this.made.has(e.left)) return this.further(e, n);
    // Shifts of the source stay as they are written.
    if (e.operator !== "shr" || n !== 2n || e.grouped !== undefined) return e;
    const word = wordOf(e.left, this.shown.of(this.f)) ?? this.assumed(e.left);
    if (word) this.made.add(word);
    return word ?? e;
  }

  private assumed(address: Expr): Expr | undefined {
    const word = this.launched && wordOf(address, this.launched.of(this.f));
    if (word)
      this.context.note(
        "assumed",
        "workgroup.count",
        "no launch has more than 65535 workgroups along an axis, so that byte addresses made of ids fit 32 bits",
        address.span,
      );
    return word;
  }

  /** Words beyond one that was found: `(i * 3u + 1u) + 1u`. */
  private further(e: Binary, n: bigint): Expr {
    const { left } = e;
    const known = left.kind === "binary" && left.operator === "add" ? numberOf(left.right) : undefined;
    if (known === undefined || left.kind !== "binary") return e;
    const sum = binary("add", left.left, u32Literal(Number(known + n), e.right.span), e.span);
    this.made.add(sum);
    return sum;
  }
}

/** A quarter of an integer that is a multiple of four, where no step on the way to it wraps. */
function wordOf(e: Expr, ranges: Ranges): Expr | undefined {
  const kind = scalarOf(e.type);
  if (!kind || !isInteger(kind) || componentCount(e.type) !== 1) return undefined;
  const n = numberOf(e);
  if (n !== undefined)
    return n >= 0n && n % 4n === 0n && e.kind === "literal" ? literal(kind, Number(n / 4n), e.span) : undefined;
  const exact = ranges.shown(e);
  if (!exact || exact.low < 0n || !within(exact, intervalOfKind(kind))) return undefined;
  const of = (x: Expr): Expr | undefined => wordOf(x, ranges);
  if (e.kind === "convert") {
    const from = of(e.operand);
    return from && convert(from, e.type, e.explicit, e.span);
  }
  if (e.kind !== "binary") return undefined;
  const { left, right } = e;
  const made = (a: Expr | undefined, b: Expr | undefined): Expr | undefined => a && b && { ...e, left: a, right: b };
  switch (e.operator) {
    case "add":
    case "sub":
      return made(of(left), of(right));
    case "mul": {
      const [a, b] = [of(left), of(right)];
      if (b) return numberOf(b) === 1n ? left : made(left, b);
      if (a) return numberOf(a) === 1n ? right : made(a, right);
      return undefined;
    }
    case "shl": {
      const count = numberOf(right);
      if (count === undefined || count < 2n) return undefined;
      return count === 2n ? left : made(left, literal("u32", Number(count) - 2, right.span));
    }
    default:
      return undefined;
  }
}
