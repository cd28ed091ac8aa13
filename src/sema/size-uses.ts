/**
 * What values of `size_t` are used for, as far as it is known: found in rounds over a module, since what a variable is used for
 * decides what the values that are stored in it are used for.
 */
import type { Expr, FunctionId, VarId } from "../ast/nodes.js";

export class SizeUses {
  /** Variables whose value matters, not only its lower half. */
  private readonly exact = new Set<VarId>();
  /** Those of them that are used for more than comparing: one that is only compared may count below zero. */
  private readonly beyondComparing = new Set<VarId>();
  private readonly exactResults = new Set<FunctionId>();
  /** By whose values, and results, elements are counted: where that is marked. */
  private readonly counting = new Set<VarId>();
  private readonly countingResults = new Set<FunctionId>();
  /** What is stored in variables, and returned by functions: where one comes to matter, so do they. */
  private readonly stores = new Map<VarId, Expr[]>();
  private readonly results = new Map<FunctionId, Expr[]>();
  /** Variables that are one object by two names. */
  private readonly aliases = new Map<VarId, VarId[]>();
  private following = false;

  /** `marksCounting`: arithmetic by which elements are counted is marked. */
  constructor(readonly marksCounting: boolean) {}

  matters(variable: VarId): boolean {
    return this.exact.has(variable);
  }

  mattersBeyondComparing(variable: VarId): boolean {
    return this.beyondComparing.has(variable);
  }

  resultMatters(f: FunctionId): boolean {
    return this.exactResults.has(f);
  }

  use(variable: VarId, how: "compared" | "used"): void {
    this.exact.add(variable);
    if (how === "used") this.beyondComparing.add(variable);
  }

  resultIsUsed(f: FunctionId): void {
    this.exactResults.add(f);
  }

  /** What is kept in memory (of no variable) may be read for anything. */
  counts(variable: VarId | undefined): boolean {
    return this.marksCounting && (variable === undefined || this.counting.has(variable));
  }

  resultCounts(f: FunctionId): boolean {
    return this.countingResults.has(f);
  }

  count(variable: VarId): void {
    if (this.marksCounting) this.counting.add(variable);
  }

  countResult(f: FunctionId): void {
    if (this.marksCounting) this.countingResults.add(f);
  }

  storedIn(variable: VarId, e: Expr): void {
    this.list(this.stores, variable, e);
  }

  returned(f: FunctionId, e: Expr): void {
    this.list(this.results, f, e);
  }

  sameObject(a: VarId, b: VarId): void {
    this.list(this.aliases, a, b);
    this.list(this.aliases, b, a);
  }

  /** How much is known in all: it only grows. */
  known(): number {
    const sets = [this.exact, this.beyondComparing, this.exactResults, this.counting, this.countingResults];
    return sets.reduce((sum, set) => sum + set.size, 0);
  }

  /** Before the module is read again, which lists its stores and results once more. */
  forgetPlaces(): void {
    for (const lists of [this.stores, this.results, this.aliases]) lists.clear();
    this.following = false;
  }

  /** Finds what matters since something else does, which may have been read before: in chains of any length. */
  follow(read: (e: Expr, exact: boolean, counts: boolean) => void): void {
    this.following = true;
    const sets = [this.exact, this.beyondComparing, this.counting];
    const done = sets.map(() => new Set<VarId>());
    const returned = [new Set<FunctionId>(), new Set<FunctionId>()];
    const once = <T>(among: ReadonlySet<T>, met: Set<T>, then: (x: T) => void): void => {
      // What is added meanwhile comes, too.
      for (const x of among) if (!met.has(x)) then((met.add(x), x));
    };
    for (let known = -1; known !== this.known();) {
      known = this.known();
      sets.forEach((set, i) => {
        once(set, done[i]!, (v) => {
          for (const other of this.aliases.get(v) ?? []) set.add(other);
          if (set !== this.beyondComparing)
            for (const e of this.stores.get(v) ?? []) read(e, set === this.exact, set === this.counting);
        });
      });
      [this.exactResults, this.countingResults].forEach((set, i) => {
        once(set, returned[i]!, (f) => {
          for (const e of this.results.get(f) ?? []) read(e, set === this.exactResults, set === this.countingResults);
        });
      });
    }
  }

  private list<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
    if (this.following) return;
    const known = lists.get(key);
    if (known) known.push(value);
    else lists.set(key, [value]);
  }
}
