/**
 * Pointers into a row of an array of arrays that go on to other rows: `float *p = &m[0][0]; p[i]` over all of `m`, `&tile[y][x]` of which
 * `p[W]` is the element below. C99 6.5.6 (8) takes such a pointer to stay in its row, and kernels do not: rows lie one after the other
 * (C99 6.2.5 (20)). What is shown to stay in its row keeps its indices; so does what begins a row that an index chooses (`tile[y]`), unless it
 * is led on by a number that no row has. So a pointer to a member may be led to the one beside it, by a number that the text names.
 */
import { literalValue } from "../../ast/builders.js";
import type { Interval } from "../../ast/interval.js";
import { familyOf } from "../../ast/op-ids.js";
import type { Expr, FunctionDeclaration, FunctionId, Module, Place, VarId } from "../../ast/nodes.js";
import { walkExpr, walkStatement, type Visitor } from "../../ast/walk.js";
import { row } from "../../ops/table.js";
import { sameType, type PointerType } from "../../types/types.js";
import { ModuleRanges } from "../analysis/module-ranges.js";

/** How each address of an element leads on, of those that leave their row. */
export type OverRows = ReadonlyMap<Expr, "elements" | "bytes">;

/** A variable, an address, or what a function returns. */
type Key = VarId | Expr | `result ${FunctionId}`;

interface Origin {
  readonly address: Expr & { kind: "address-of" };
  readonly place: Place & { kind: "element" };
  readonly f: FunctionDeclaration;
}
interface Amount {
  readonly by: Expr;
  readonly f: FunctionDeclaration;
}

/** Pointers that may be one: variables and results that are given one another's values. */
interface Family {
  readonly origins: Origin[];
  /** Addresses of single members of structs. */
  readonly members: Expr[];
  /** What is added where something is accessed at once. */
  readonly indices: Amount[];
  /** What they are moved by otherwise. */
  readonly moves: Amount[];
  /** Moved by one, or in a way that is not followed. */
  moved: boolean;
  /** Ops act on several elements from there on. */
  goesOn: boolean;
}

const lengthOfRow = (p: Place & { kind: "element" }): number | undefined =>
  p.base.type.kind === "array" ? p.base.type.length : undefined;

/** `m[i][j]`, `(*r)[j]` of a pointer to rows. */
const isInRow = (p: Place): p is Place & { kind: "element" } =>
  p.kind === "element" &&
  lengthOfRow(p) !== undefined &&
  ((p.base.kind === "element" && p.base.base.type.kind === "array") || p.base.kind === "deref");

/** `&s.y`, of which `p[-1]` is the member before. */
const isSingleMember = (p: Place): boolean =>
  p.kind === "member" && p.base.type.kind === "struct" && !p.base.type.union && p.type.kind !== "array";

/** The number that the text names, `-1` too. */
function named(by: Expr): number | undefined {
  if (by.kind === "convert") return named(by.operand);
  const negated = by.kind === "unary" && by.operator === "negate";
  const value = literalValue(negated ? by.operand : by);
  return value === undefined ? undefined : negated ? -Number(value) : Number(value);
}

export function pointersOverRows(module: Module): OverRows {
  const found = new Map<Expr, "elements" | "bytes">();
  let rows = false;
  const visitor: Visitor = {
    expr: (e) => void (rows ||= e.kind === "address-of" && (isInRow(e.place) || isSingleMember(e.place))),
  };
  for (const f of module.functions) walkStatement(f.body, visitor);
  if (!rows) return found;
  const ranges = new ModuleRanges(module);
  for (const family of new Families(module).all()) {
    const toNext = family.members.length > 0 && family.indices.some(({ by }) => (named(by) ?? 0) !== 0);
    if (toNext) for (const e of [...family.members, ...family.origins.map((o) => o.address)]) found.set(e, "bytes");
    if (toNext || !leavesItsRow(ranges, family)) continue;
    for (const o of family.origins) found.set(o.address, family.goesOn ? "bytes" : "elements");
  }
  return found;
}

function leavesItsRow(ranges: ModuleRanges, { origins, indices, moves, moved, goesOn }: Family): boolean {
  if (origins.length === 0) return false;
  const shortest = Math.min(...origins.map((o) => lengthOfRow(o.place)!));
  const beyond = (by: Expr): boolean => {
    if ((named(by) ?? 0) < 0) return true;
    let large = false;
    walkExpr(by, {
      expr: (e) => void (large ||= e.kind === "literal" && Math.abs(Number(e.value)) >= shortest),
    });
    return large;
  };
  if (!moved && moves.length === 0 && !goesOn) {
    const boundsOf = ({ by, f }: Amount): Interval => ranges.of(f).of(by);
    const starts = origins.map((o) => boundsOf({ by: o.place.index, f: o.f }));
    const steps = [{ low: 0n, high: 0n }, ...indices.map(boundsOf)];
    const stays = starts.every((s) => steps.every((x) => s.low + x.low >= 0n && s.high + x.high < BigInt(shortest)));
    if (stays) return false;
  }
  const beginsRow = origins.every(({ place }) => {
    const chosen = place.base.kind === "element" ? literalValue(place.base.index) === undefined : true;
    return chosen && Number(literalValue(place.index)) === 0;
  });
  return !beginsRow || [...indices, ...moves].some((x) => beyond(x.by));
}

class Families {
  private readonly above = new Map<Key, Key>();
  private readonly families = new Map<Key, Family>();
  private readonly seen = new Map<Expr, Key | undefined>();
  private readonly functions: ReadonlyMap<FunctionId, FunctionDeclaration>;

  constructor(private readonly module: Module) {
    this.functions = new Map(module.functions.map((f) => [f.id, f]));
    for (const f of module.functions) this.read(f);
  }

  all(): Iterable<Family> {
    return this.families.values();
  }

  private top(k: Key): Key {
    let at = k;
    for (let next = this.above.get(at); next !== undefined; next = this.above.get(at)) at = next;
    return at;
  }

  private family(k: Key): Family {
    const top = this.top(k);
    let family = this.families.get(top);
    if (!family)
      this.families.set(
        top,
        (family = { origins: [], members: [], indices: [], moves: [], moved: false, goesOn: false }),
      );
    return family;
  }

  private join(a: Key | undefined, b: Key | undefined): Key | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    const [one, other] = [this.top(a), this.top(b)];
    if (one === other) return one;
    const [kept, gone] = [this.family(one), this.family(other)];
    this.above.set(other, one);
    this.families.delete(other);
    this.families.set(one, {
      origins: [...kept.origins, ...gone.origins],
      members: [...kept.members, ...gone.members],
      indices: [...kept.indices, ...gone.indices],
      moves: [...kept.moves, ...gone.moves],
      moved: kept.moved || gone.moved,
      goesOn: kept.goesOn || gone.goesOn,
    });
    return one;
  }

  private read(f: FunctionDeclaration): void {
    const visitor: Visitor = {
      statement: (s) => {
        if (s.kind === "declare" && s.initializer) this.given(s.variable, s.initializer, f);
        if (s.kind === "return" && s.value?.type.kind === "pointer") this.join(`result ${f.id}`, this.of(s.value, f));
      },
      place: (p, use) => {
        if (p.kind === "deref" && use !== "address") this.accessed(p.pointer, f);
      },
      expr: (e) => {
        if (e.kind === "assign" && holderOf(e.target) !== undefined && !e.operator)
          this.given(holderOf(e.target)!, e.value, f);
        if (e.kind === "op" && (familyOf(e.op) === "memory" || row(e.op).goesOn))
          for (const p of e.places) {
            const key = p.kind === "deref" ? this.of(p.pointer, f) : undefined;
            if (key !== undefined) this.family(key).goesOn = true;
          }
        if (e.kind === "call") {
          const { parameters } = this.functions.get(e.function)!;
          e.arguments.forEach((a, i) => a.mode === "value" && this.given(parameters[i]!, a.value, f));
        }
        // Compared by one index, where both count alike.
        if (e.kind === "binary" && e.left.type.kind === "pointer" && e.right.type.kind === "pointer")
          this.join(this.of(e.left, f), this.of(e.right, f));
        if (e.type.kind === "pointer") this.of(e, f);
      },
    };
    walkStatement(f.body, visitor);
  }

  private given(to: VarId, value: Expr, f: FunctionDeclaration): void {
    if (value.kind === "construct") value.arguments.forEach((a) => this.given(to, a, f));
    else if (value.type.kind === "pointer") this.join(to, this.of(value, f));
  }

  /** What is reached at once: `*(p + i)`. */
  private accessed(pointer: Expr, f: FunctionDeclaration): void {
    if (pointer.kind !== "pointer-offset" || this.seen.has(pointer)) return;
    const key = this.of(pointer.pointer, f);
    this.seen.set(pointer, key);
    if (key !== undefined) this.family(key).indices.push({ by: pointer.offset, f });
  }

  private of(e: Expr, f: FunctionDeclaration): Key | undefined {
    if (this.seen.has(e)) return this.seen.get(e);
    const key = this.found(e, f);
    this.seen.set(e, key);
    return key;
  }

  private found(e: Expr, f: FunctionDeclaration): Key | undefined {
    switch (e.kind) {
      case "load":
        return holderOf(e.place);
      case "address-of":
        if (e.place.kind === "deref") return this.of(e.place.pointer, f);
        if (isInRow(e.place)) this.family(e).origins.push({ address: e, place: e.place, f });
        else if (isSingleMember(e.place)) this.family(e).members.push(e);
        else return undefined;
        return e;
      case "pointer-offset": {
        const key = this.of(e.pointer, f);
        if (key !== undefined) this.family(key).moves.push({ by: e.offset, f });
        return key;
      }
      case "increment": {
        const key = holderOf(e.place);
        if (key !== undefined) this.family(key).moved = true;
        return key;
      }
      case "assign": {
        const key = holderOf(e.target);
        if (key !== undefined && e.operator) this.family(key).moves.push({ by: e.value, f });
        return e.operator ? key : this.join(key, this.of(e.value, f));
      }
      case "conditional":
        return this.join(this.of(e.whenTrue, f), this.of(e.whenFalse, f));
      case "comma":
        return this.of(e.right, f);
      // Of the same elements.
      case "bitcast":
        return e.operand.type.kind === "pointer" && sameType(e.operand.type.pointee, (e.type as PointerType).pointee)
          ? this.of(e.operand, f)
          : undefined;
      case "call":
        return `result ${e.function}`;
      default:
        return undefined;
    }
  }
}

/** The variable that is a pointer, or the array that it is an element of. */
function holderOf(p: Place): VarId | undefined {
  return p.kind === "element" ? holderOf(p.base) : p.kind === "variable" ? p.variable : undefined;
}
