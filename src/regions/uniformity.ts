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
  const found = new Ranks(form);
  return {
    rank: (e) => found.rank(e),
    localRank: (l) => found.local(l),
    escapeRank: (label) => found.escape(label),
    returnRank: (c) => found.return(c),
  };
}

class Ranks {
  private readonly locals = new Map<LocalId, Rank>();
  private readonly depth = new Map<LocalId, number>();
  private readonly escapes = new Map<LabelId, Rank>();
  private readonly returns = new Map<Code, Rank>();
  private readonly helperFixed: readonly boolean[];
  private changed = true;
  private rounds = 0;

  constructor(private readonly form: BoundaryForm) {
    this.helperFixed = form.helpers.map((h) => readsOnlyFixed(h, form.objects));
    while (this.changed && !this.gaveUp()) {
      this.rounds++;
      this.changed = false;
      this.walk(form.body, []);
    }
  }

  local(l: LocalId): Rank {
    return this.gaveUp() ? 2 : (this.locals.get(l) ?? 0);
  }
  escape(label: LabelId): Rank {
    return this.gaveUp() ? 2 : (this.escapes.get(label) ?? 0);
  }
  return(c: Code): Rank {
    return this.gaveUp() ? 2 : (this.returns.get(c) ?? 0);
  }

  /** Past `mostRounds` every local and label counts as divergent. */
  private gaveUp(): boolean {
    return this.rounds > mostRounds;
  }

  rank(e: MachineExpr): Rank {
    switch (e.kind) {
      case "local":
        return this.local(e.local);
      case "builtin":
        return rankOf[idRow(e.builtin).sameIn ?? "lane"];
      case "load": {
        const object = typeof e.address.object === "number" ? this.form.objects[e.address.object]! : undefined;
        if (!object || object.written || object.kind === "private" || object.kind === "workgroup") return 2;
        return this.rank(e.address.index);
      }
      case "checked": {
        const object = typeof e.address.object === "number" ? this.form.objects[e.address.object]! : undefined;
        return object?.kind === "private" ? 2 : childrenOf(e).reduce<Rank>((r, c) => highest(r, this.rank(c)), 0);
      }
      case "call":
        return this.helperFixed[e.helper] ? e.arguments.reduce<Rank>((r, c) => highest(r, this.rank(c)), 0) : 2;
      default:
        return childrenOf(e).reduce<Rank>((r, c) => highest(r, this.rank(c)), 0);
    }
  }

  private raise<K>(map: Map<K, Rank>, key: K, to: Rank): void {
    const old = map.get(key);
    if (old === undefined || old < to) {
      map.set(key, to);
      if (old !== undefined || to > 0) this.changed = true;
    }
  }

  private walk(list: readonly Code[], frames: readonly Frame[]): void {
    for (const c of list) this.visit(c, frames);
  }

  private nested(c: Code, frames: readonly Frame[], frame: Frame): void {
    for (const b of bodiesOf(c)) this.walk(b, [...frames, frame]);
  }

  private visit(c: Code, frames: readonly Frame[]): void {
    switch (c.kind) {
      case "declare":
        this.depth.set(c.local, frames.length);
        this.raise(this.locals, c.local, c.value ? this.rank(c.value) : 0);
        return;
      case "set": {
        let r = this.rank(c.value);
        for (let i = this.depth.get(c.local) ?? 0; i < frames.length; i++) r = highest(r, frames[i]!.rank);
        this.raise(this.locals, c.local, r);
        return;
      }
      case "atomic":
        if (c.result !== undefined) {
          this.depth.set(c.result, frames.length);
          this.raise(this.locals, c.result, 2);
        }
        return;
      case "collective":
        for (const l of c.results) {
          this.depth.set(l, frames.length);
          this.raise(this.locals, l, c.uniformResult ? (c.scope === "workgroup" ? 0 : 1) : 2);
        }
        return;
      case "if":
        return this.nested(c, frames, { rank: this.rank(c.condition), label: undefined });
      case "loop": {
        const own = highest(c.condition ? this.rank(c.condition) : 0, this.escapes.get(c.label) ?? 0);
        return this.nested(c, frames, { rank: own, label: c.label });
      }
      case "switch":
        return this.nested(c, frames, {
          rank: highest(this.rank(c.value), this.escapes.get(c.label) ?? 0),
          label: c.label,
        });
      case "block":
        return this.nested(c, frames, { rank: this.escapes.get(c.label) ?? 0, label: c.label });
      case "break":
      case "continue": {
        const target = frames.findLastIndex((f) => f.label === c.label);
        let r: Rank = 0;
        for (let i = target + 1; i < frames.length; i++) r = highest(r, frames[i]!.rank);
        for (let i = target; i < frames.length; i++)
          if (frames[i]!.label !== undefined) this.raise(this.escapes, frames[i]!.label!, r);
        return;
      }
      case "return": {
        const r = frames.reduce<Rank>((x, f) => highest(x, f.rank), 0);
        this.returns.set(c, r);
        return;
      }
      case "store":
      case "evaluate":
      case "barrier":
      case "park":
      case "fill":
      case "cover":
      case "print":
        return;
    }
  }
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
