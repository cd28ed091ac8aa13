/**
 * Selection: the last step before printing. A legal module, still canonical, becomes the target tree: every op a native
 * call with its spelling and needs, every builtin value what the target reads it by, every barrier its calls, and words
 * of byte-addressed buffers loads and stores of their own. Nothing is decided anew: legalization has left only ops that
 * the target has.
 */
import { literal, literalValue } from "../../ast/builders.js";
import { functionOf } from "../../ast/lookup.js";
import type {
  Barrier,
  Binary,
  BinaryOperator,
  Block,
  Expr,
  Module,
  OpCall,
  Place,
  Stage,
  Statement,
  TopLevel,
  VarId,
} from "../../ast/nodes.js";
import type { Profile } from "../../ast/profile.js";
import type { NativeBarrier } from "../../ast/target.js";
import { placeIsPure, rewriteExpr, rewriteModule, rewritePlace, type Rewriter } from "../../ast/walk.js";
import { decide, decideBarrier } from "../../caps/decide.js";
import { hasAtom } from "../../caps/profiles.js";
import type { TargetDialect } from "../../dialects/ids.js";
import type { WritingFacts } from "../../dialects/language.js";
import { languageFacts, writingFacts } from "../../dialects/languages.js";
import { coherentNeeds, satisfied } from "../../ops/features.js";
import { useOf } from "../../ops/use-of.js";
import { noSpan } from "../../support/span.js";
import { sameType, u32, vector, type Numeric, type Type, voidType } from "../../types/types.js";
import { libraryCall } from "./library-calls.js";
import { printCall } from "./print-calls.js";
import { nativeId } from "./native-ids.js";
import { readCounts, wideLoad, wideStore } from "./words-in-a-row.js";

type AnyExpr = Expr<Stage>;
type AnyStatement = Statement<Stage>;

export function select(module: Module): Module<"target"> {
  const target = module.legal?.target;
  if (target === undefined || target === "ts")
    throw new Error("selection takes a module that was legalized for a language");
  const rewriter = new Selector(module, target, module.legal?.profile).rewriter;
  // Every op, builtin and barrier is gone from what comes back: the hooks below leave none.
  const done = rewriteModule<Stage>(module, rewriter);
  const given = (o: TopLevel<Stage>): boolean =>
    (o.kind === "function" && functionOf(module, o.function)?.library !== undefined) ||
    (o.kind === "struct" && module.structs.get(o.name)?.subgroupMatrix === true);
  const declared = module.order.filter((o) => !given(o));
  const order = declared.map((o): TopLevel<Stage> =>
    o.kind === "constant-macro" ? { ...o, value: rewriteExpr<Stage>(o.value, rewriter) } : o,
  );
  const { profile } = module.legal!;
  const saysCoherent =
    satisfied(coherentNeeds(target), (atom) => profile !== undefined && hasAtom(profile, atom)) !== undefined;
  const resources = saysCoherent ? done.resources : done.resources.map((r) => ({ ...r, coherent: false }));
  const functions = done.functions.filter((f) => !f.library);
  return { ...done, functions, order, resources, stage: "target" } as Module<"target">;
}

class Selector {
  /** Buffers the target addresses in bytes. */
  private readonly raw: ReadonlySet<VarId>;
  private reads: ReadonlyMap<VarId, number> | undefined;
  /** Ops, and commas that lead to some, whose value nobody takes. */
  private readonly discarded = new WeakSet<AnyExpr>();
  private readonly functions: ReadonlyMap<number, Module["functions"][number]>;
  private readonly writing: WritingFacts;

  constructor(
    private readonly module: Module,
    private readonly target: TargetDialect,
    private readonly profile: Profile | undefined,
  ) {
    this.functions = new Map(module.functions.map((f) => [f.id, f]));
    this.writing = writingFacts(target);
    const inBytes = languageFacts[target].byteAddressBuffers;
    this.raw = new Set(
      module.resources.flatMap((r) => (inBytes && r.kind === "buffer" && r.view === "raw" ? [r.variable] : [])),
    );
  }

  readonly rewriter: Rewriter<Stage> = {
    keepsMeaning: true,
    enterList: (list) => (this.raw.size === 0 ? list : this.storesTogether(list)),
    enterStatement: (s) => {
      this.enterStatement(s);
      return undefined;
    },
    enterExpr: (e) => this.enterExpr(e),
    expr: (e) => this.expr(e),
    enterPlace: (p) => {
      const address = this.byteAddress(p);
      return (
        address && {
          kind: "raw-word",
          buffer: address.buffer,
          address: this.rewritten(address.address),
          type: p.type,
          span: p.span,
        }
      );
    },
    statement: (s) => (s.kind === "barrier" ? this.barrier(s) : s),
  };

  private rewritten(e: AnyExpr): AnyExpr {
    return rewriteExpr<Stage>(e, this.rewriter);
  }

  // ---------------------------------------------------------------- ops, ids, barriers

  private enterStatement(s: AnyStatement): void {
    if (s.kind === "expression") this.discard(s.expression);
    if (s.kind === "for" && s.step) this.discard(s.step);
  }

  /** An op whose value nobody takes may have a form of its own. */
  private discard(e: AnyExpr): void {
    if ((e.kind !== "op" && e.kind !== "comma") || this.discarded.has(e)) return;
    this.discarded.add(e);
    if (e.kind !== "comma") return;
    this.discard(e.left);
    this.discard(e.right);
  }

  private expr(e: AnyExpr): AnyExpr {
    switch (e.kind) {
      case "op":
        return this.op(e, false);
      case "print":
        return printCall(e, this.writing.prints!);
      case "builtin":
        return this.builtin(e, undefined);
      case "call": {
        const { name, library } = this.functions.get(e.function) ?? {};
        if (name === undefined || !library) return e;
        return libraryCall(e, { name, library }, (type) => this.writing.typeName(type as Numeric));
      }
      case "load":
        return e.place.kind === "raw-word"
          ? { kind: "raw-load", buffer: e.place.buffer, address: e.place.address, words: 1, type: e.type, span: e.span }
          : e;
      case "assign": {
        const { target } = e;
        if (target.kind !== "raw-word") return e;
        if (e.operator && !placeIsPure(target))
          throw new Error("a raw buffer is written at an address with side effects");
        const value = e.operator ? stepped(target, e.operator, e.value) : e.value;
        return {
          kind: "raw-store",
          buffer: target.buffer,
          address: target.address,
          value,
          words: 1,
          type: voidType,
          span: e.span,
        };
      }
      case "increment":
        if (e.place.kind === "raw-word") throw new Error("a word of a raw buffer is stepped in place");
        return e;
      default:
        return e;
    }
  }

  private op(e: OpCall<Stage>, discarded: boolean): AnyExpr {
    const decision = decide(useOf(e, false, discarded, this.module.variables), this.target, this.profile);
    if (decision.kind !== "native") throw new Error(`${e.op} reached selection for ${this.target} without a spelling`);
    const { spelling, requires } = decision;
    // A place alone is a load, of a raw buffer by its member function.
    if (spelling.kind === "text" && spelling.pieces.every((p) => typeof p !== "string" && p.kind === "place"))
      return this.expr({ kind: "load", place: e.places[0]!, type: e.type, span: e.span });
    return {
      kind: "native-call",
      spelling,
      arguments: e.arguments,
      places: e.places,
      requires,
      type: e.type,
      span: e.span,
      ...(e.macro ? { macro: e.macro } : {}),
    };
  }

  private builtin(e: Expr & { kind: "builtin" }, component: number | undefined): AnyExpr {
    const id = nativeId(e.builtin, this.target);
    if (!id) throw new Error(`${e.builtin} has no spelling in ${this.target}`);
    const { spellings, requires } = id;
    const one = (k: number, type: Type): AnyExpr => ({
      kind: "native-call",
      spelling: spellings[k]!,
      arguments: [],
      places: [],
      requires,
      type,
      span: e.span,
    });
    if (spellings.length > 1) {
      if (component !== undefined) return one(component, u32);
      return {
        kind: "construct",
        arguments: spellings.map((_s, k) => one(k, u32)),
        type: vector("u32", 3),
        span: e.span,
      };
    }
    const whole = one(0, e.type);
    return component === undefined
      ? whole
      : { kind: "swizzle-value", operand: whole, components: [component], type: u32, span: e.span };
  }

  /** What orders nothing has no call: it is left out, and as the only statement of a branch or loop it is an empty block. */
  private barrier(s: Barrier): NativeBarrier | Block<Stage> | readonly [] {
    const written = decideBarrier(s.barrier, this.target, this.profile, s.uniform ?? false);
    if (written.kind === "refused") throw new Error(`a barrier reached selection: ${written.reason}`);
    if (written.calls.length === 0) {
      const { leading, trailing } = s.trivia;
      const silent = leading.length === 0 && trailing.length === 0;
      return silent ? [] : { kind: "block", statements: [], span: s.span, trivia: s.trivia, innerComments: [] };
    }
    return { kind: "native-barrier", calls: written.calls, requires: written.requires, span: s.span, trivia: s.trivia };
  }

  // ---------------------------------------------------------------- patterns

  private enterExpr(e: AnyExpr): AnyExpr | undefined {
    if (e.kind === "comma") this.discard(e.left);
    if (e.kind === "op" && this.discarded.has(e)) {
      const places = e.places.map((p) => rewritePlace<Stage>(p, this.rewriter));
      return this.op({ ...e, places, arguments: e.arguments.map((a) => this.rewritten(a)) }, true);
    }
    if (e.kind === "swizzle-value" && e.operand.kind === "builtin" && e.components.length === 1) {
      const selected = this.builtin(e.operand, e.components[0]);
      return e.macro ? { ...selected, macro: e.macro } : selected;
    }
    // One load is a vector, which fills an array as well, and no struct outside of braces.
    if (this.raw.size === 0 || e.kind !== "construct" || e.type.kind === "struct") return undefined;
    const first = wideLoad(e.arguments as readonly Expr[]);
    const at = first && this.byteAddress(first);
    return (
      at && {
        kind: "raw-load",
        buffer: at.buffer,
        address: this.rewritten(at.address),
        words: e.arguments.length,
        type: e.type,
        span: e.span,
      }
    );
  }

  /** The words of a value stored one after the other, as one store. */
  private storesTogether(list: readonly AnyStatement[]): readonly AnyStatement[] {
    this.reads ??= readCounts(this.module);
    const out: AnyStatement[] = [];
    for (let i = 0; i < list.length; i++) {
      const s = list[i]!;
      const store = s.kind === "declare" ? wideStore(list as readonly Statement[], i, this.reads) : undefined;
      const at = store && this.byteAddress(store.target);
      if (!store || !at) {
        out.push(s);
        continue;
      }
      i += store.statements - 1;
      const expression: AnyExpr = {
        kind: "raw-store",
        buffer: at.buffer,
        address: this.rewritten(at.address),
        value: this.rewritten(store.value),
        words: store.words,
        type: voidType,
        span: s.span,
      };
      out.push({
        kind: "expression",
        expression,
        span: s.span,
        trivia: { ...s.trivia, trailing: list[i]!.trivia.trailing },
      });
    }
    return out;
  }

  /** The buffer and byte address of a word, where the target addresses its buffer in bytes. */
  private byteAddress(p: Place<Stage>): { readonly buffer: VarId; readonly address: Expr } | undefined {
    if (p.kind !== "element" || p.base.kind !== "variable" || !this.raw.has(p.base.variable)) return undefined;
    return { buffer: p.base.variable, address: bytesOf(p.index as Expr) };
  }
}

const plus = (operator: BinaryOperator, left: Expr, n: number): Expr => {
  const whole: Expr = sameType(left.type, u32)
    ? left
    : { kind: "convert", operand: left, type: u32, explicit: false, span: left.span };
  return { kind: "binary", operator, left: whole, right: literal("u32", n), type: u32, span: noSpan };
};
const isQuarter = (e: Expr): e is Binary => e.kind === "binary" && e.operator === "shr" && literalValue(e.right) === 2;

/** Four times the index of a word: an address that was shifted down for it comes back. */
function bytesOf(index: Expr): Expr {
  // Words further on: `(address >> 2) + n`.
  if (index.kind === "binary" && index.operator === "add" && isQuarter(index.left)) {
    const n = literalValue(index.right);
    const start = index.left.left;
    const known = start.kind === "binary" && start.operator === "add" ? literalValue(start.right) : undefined;
    if (n !== undefined && known !== undefined && start.kind === "binary")
      return plus("add", start.left, Number(known) + Number(n) * 4);
    if (n !== undefined) return plus("add", start, Number(n) * 4);
  }
  if (isQuarter(index)) return index.left;
  const value = literalValue(index);
  return typeof value === "number" ? literal("u32", value * 4) : plus("mul", index, 4);
}

function stepped(target: Place<Stage>, operator: BinaryOperator, value: AnyExpr): AnyExpr {
  if (target.kind !== "raw-word") throw new Error("a word of a raw buffer was expected");
  const old: AnyExpr = {
    kind: "raw-load",
    buffer: target.buffer,
    address: target.address,
    words: 1,
    type: target.type,
    span: target.span,
  };
  return { kind: "binary", operator, left: old, right: value, type: target.type, span: target.span };
}
