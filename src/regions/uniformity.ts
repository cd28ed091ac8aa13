/**
 * Uniformity of scalars in three ranks: 0 the same in all lanes of the workgroup, 1 in all lanes of a subgroup, 2 may differ.
 * "All lanes" means the lanes that are active where the local comes into scope: a value assigned under a condition of
 * rank r, both inside the local's scope, has at least rank r.
 */
import { idRow } from "../ops/ids.js";
import { bodiesOf, childrenOf } from "./machine.js";
import type { BoundaryForm, Code, Helper, LabelId, LocalId, MachineExpr, MemoryObject } from "./tree.js";

export type Rank = 0 | 1 | 2;

const highest = (a: Rank, b: Rank): Rank => (a > b ? a : b);

const rankOf = { workgroup: 0, subgroup: 1, lane: 2 } as const;

export interface Uniformity {
  readonly rank: (e: MachineExpr) => Rank;
  readonly localRank: (l: LocalId) => Rank;
  /** Highest rank of a condition under which lanes leave the construct of this label by a jump (not by return). */
  readonly escapeRank: (label: LabelId) => Rank;
  /** Highest rank of the conditions a `return` of the entry stands under. */
  readonly returnRank: (c: Code) => Rank;
}

interface Frame {
  readonly rank: Rank;
  readonly label: LabelId | undefined;
}

/** Rounds after which what still changes counts as divergent, so that the work grows with the text alone. */
const mostRounds = 32;

export function uniformity(form: BoundaryForm): Uniformity {
  const locals = new Map<LocalId, Rank>();
  const depth = new Map<LocalId, number>();
  const escapes = new Map<LabelId, Rank>();
  const returns = new Map<Code, Rank>();
  const helperFixed = form.helpers.map((h) => readsOnlyFixed(h, form.objects));
  let changed = true;

  let rounds = 0;
  /** Past `mostRounds` every local and label counts as divergent. */
  const gaveUp = (): boolean => rounds > mostRounds;

  const rank = (e: MachineExpr): Rank => {
    switch (e.kind) {
      case "local":
        return gaveUp() ? 2 : (locals.get(e.local) ?? 0);
      case "builtin":
        return rankOf[idRow(e.builtin).sameIn ?? "lane"];
      case "load": {
        const object = typeof e.address.object === "number" ? form.objects[e.address.object]! : undefined;
        if (!object || object.written || object.kind === "private" || object.kind === "workgroup") return 2;
        return rank(e.address.index);
      }
      case "checked": {
        const object = typeof e.address.object === "number" ? form.objects[e.address.object]! : undefined;
        return object?.kind === "private" ? 2 : childrenOf(e).reduce<Rank>((r, c) => highest(r, rank(c)), 0);
      }
      case "call":
        return helperFixed[e.helper] ? e.arguments.reduce<Rank>((r, c) => highest(r, rank(c)), 0) : 2;
      default:
        return childrenOf(e).reduce<Rank>((r, c) => highest(r, rank(c)), 0);
    }
  };

  const raise = <K>(map: Map<K, Rank>, key: K, to: Rank): void => {
    const old = map.get(key);
    if (old === undefined || old < to) {
      map.set(key, to);
      if (old !== undefined || to > 0) changed = true;
    }
  };

  const walk = (list: readonly Code[], frames: readonly Frame[]): void => {
    for (const c of list) visit(c, frames);
  };

  const nested = (c: Code, frames: readonly Frame[], frame: Frame): void => {
    for (const b of bodiesOf(c)) walk(b, [...frames, frame]);
  };

  const visit = (c: Code, frames: readonly Frame[]): void => {
    switch (c.kind) {
      case "declare":
        depth.set(c.local, frames.length);
        raise(locals, c.local, c.value ? rank(c.value) : 0);
        return;
      case "set": {
        let r = rank(c.value);
        for (let i = depth.get(c.local) ?? 0; i < frames.length; i++) r = highest(r, frames[i]!.rank);
        raise(locals, c.local, r);
        return;
      }
      case "atomic":
        if (c.result !== undefined) {
          depth.set(c.result, frames.length);
          raise(locals, c.result, 2);
        }
        return;
      case "collective":
        for (const l of c.results) {
          depth.set(l, frames.length);
          raise(locals, l, c.uniformResult ? (c.scope === "workgroup" ? 0 : 1) : 2);
        }
        return;
      case "if":
        return nested(c, frames, { rank: rank(c.condition), label: undefined });
      case "loop": {
        const own = highest(c.condition ? rank(c.condition) : 0, escapes.get(c.label) ?? 0);
        return nested(c, frames, { rank: own, label: c.label });
      }
      case "switch":
        return nested(c, frames, { rank: highest(rank(c.value), escapes.get(c.label) ?? 0), label: c.label });
      case "block":
        return nested(c, frames, { rank: escapes.get(c.label) ?? 0, label: c.label });
      case "break":
      case "continue": {
        const target = frames.findLastIndex((f) => f.label === c.label);
        let r: Rank = 0;
        for (let i = target + 1; i < frames.length; i++) r = highest(r, frames[i]!.rank);
        for (let i = target; i < frames.length; i++)
          if (frames[i]!.label !== undefined) raise(escapes, frames[i]!.label!, r);
        return;
      }
      case "return": {
        const r = frames.reduce<Rank>((x, f) => highest(x, f.rank), 0);
        returns.set(c, r);
        return;
      }
      case "store":
      case "evaluate":
      case "barrier":
      case "park":
      case "fill":
        return;
    }
  };

  while (changed && !gaveUp()) {
    rounds++;
    changed = false;
    walk(form.body, []);
  }
  return {
    rank,
    localRank: (l) => (gaveUp() ? 2 : (locals.get(l) ?? 0)),
    escapeRank: (label) => (gaveUp() ? 2 : (escapes.get(label) ?? 0)),
    returnRank: (c) => (gaveUp() ? 2 : (returns.get(c) ?? 0)),
  };
}

/** A helper whose result depends on its arguments and unchanging memory only. */
function readsOnlyFixed(h: Helper, objects: readonly MemoryObject[]): boolean {
  let fixed = true;
  const expr = (e: MachineExpr): void => {
    if (e.kind === "call") fixed = false;
    if (e.kind === "load" && (typeof e.address.object !== "number" || objects[e.address.object]!.written))
      fixed = false;
    childrenOf(e).forEach(expr);
  };
  const walk = (list: readonly Code[]): void => {
    for (const c of list) {
      if (c.kind === "store" || c.kind === "atomic" || c.kind === "evaluate") fixed = false;
      if ("value" in c && c.value) expr(c.value);
      if ("condition" in c && c.condition) expr(c.condition);
      bodiesOf(c).forEach(walk);
    }
  };
  walk(h.body);
  return fixed;
}
