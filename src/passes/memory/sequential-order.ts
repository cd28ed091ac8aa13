/**
 * Sequentially consistent atomics for targets without that order, where a weaker one is as good (memory.md section 5.1):
 *
 * - nobody in the kernel looks: no atomic gives its old value to anything, and those of an object commute, so that neither the
 *   order among them nor what they synchronize can be told. They are relaxed.
 * - all of them are of one object, and no fence has the order: coherence orders what is done to one object, and acquire and
 *   release do the rest.
 *
 * What is left has the order still, and legalization of ops refuses it.
 */
import { familyOf } from "../../ast/op-ids.js";
import type { Expr, MemoryOrder, Module, OpCall, Place } from "../../ast/nodes.js";
import { literalValue } from "../../ast/builders.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import { decide } from "../../caps/decide.js";
import { useOf } from "../../ops/use-of.js";
import type { TextPass } from "../pass.js";

export const sequentialOrder: TextPass = {
  name: "sequential-order",
  run(module, context) {
    const found = atomicsOf(module);
    const isSeqCst = (e: OpCall): boolean => e.order === "seq_cst" || e.failureOrder === "seq_cst";
    const lacking = found.calls.filter(
      (e) =>
        isSeqCst(e) &&
        decide(useOf(e, false, found.discarded.has(e), module.variables), context.target, context.profile).kind ===
          "refused",
    );
    if (lacking.length === 0) return module;
    const sequential = found.calls.filter(isSeqCst);
    const unseen = isUnseen(found);
    const single = !found.fence && oneObject(sequential.map((e) => e.places[0]!));
    if (!unseen && !single) return module;
    const says = unseen
      ? "no atomic of the kernel gives its old value away, and their order cannot be told: they are relaxed"
      : "all sequentially consistent atomics are of one object, of which acquire and release are as strong";
    context.note("strengthened", lacking[0]!.op, says, lacking[0]!.span);
    return rewriteModule(module, {
      expr: (e) => (e.kind === "op" && familyOf(e.op) === "atomic" && isSeqCst(e) ? weakened(e, unseen) : e),
    });
  },
};

function weakened(e: OpCall, unseen: boolean): OpCall {
  if (unseen) {
    const { failureOrder: _failure, memory: _memory, ...rest } = e;
    return { ...rest, order: "relaxed" };
  }
  const order = (given: MemoryOrder | undefined, reads: MemoryOrder): MemoryOrder | undefined =>
    given === "seq_cst" ? reads : given;
  const first = e.op === "atomic.load" ? "acquire" : e.op === "atomic.store" ? "release" : "acq_rel";
  const failure = order(e.failureOrder, "acquire");
  return { ...e, order: order(e.order, first)!, ...(failure ? { failureOrder: failure } : {}) };
}

interface Atomics {
  readonly calls: readonly OpCall[];
  /** Those whose value nobody takes. */
  readonly discarded: ReadonlySet<Expr>;
  /** There is a fence that is sequentially consistent. */
  readonly fence: boolean;
}

function atomicsOf(module: Module): Atomics {
  const calls: OpCall[] = [];
  const discarded = new Set<Expr>();
  let fence = false;
  walkModule(module, {
    expr: (e) => void (e.kind === "op" && familyOf(e.op) === "atomic" && calls.push(e)),
    statement(s) {
      if (s.kind === "expression") discarded.add(s.expression);
      if (s.kind === "for" && s.step) discarded.add(s.step);
      if (s.kind === "barrier" && s.barrier.order === "seq_cst") fence = true;
    },
  });
  return { calls, discarded, fence };
}

const commuting: readonly ReadonlySet<string>[] = [
  new Set(["atomic.add", "atomic.sub", "atomic.inc", "atomic.dec"]),
  ...["min", "max", "and", "or", "xor"].map((op) => new Set([`atomic.${op}`])),
];

/** All of them by one kind of step, whoever comes first: what is left in the end is the same. */
function isUnseen({ calls, discarded }: Atomics): boolean {
  const exact = calls.every((e) => e.type.kind === "scalar" && !e.type.scalar.startsWith("f"));
  return (
    exact &&
    calls.every((e) => discarded.has(e) && e.scope !== "system") &&
    commuting.some((ops) => calls.every((e) => ops.has(e.op)))
  );
}

/** All are the same element of the same variable, as the text shows. */
function oneObject(places: readonly Place[]): boolean {
  const paths = new Set(places.map(pathOf));
  return paths.size === 1 && !paths.has(undefined);
}

function pathOf(p: Place): string | undefined {
  switch (p.kind) {
    case "variable":
      return String(p.variable);
    case "member": {
      const base = pathOf(p.base);
      return base && `${base}.${p.member}`;
    }
    case "element": {
      const [base, index] = [pathOf(p.base), literalValue(p.index)];
      return base === undefined || index === undefined ? undefined : `${base}[${index}]`;
    }
    default:
      return undefined;
  }
}
