/** Sixteen entries, or sixteen subtrees. */
type Node = readonly unknown[];

const bits = 4;
const branches = 1 << bits;
const none: Node = Array.from({ length: branches }, () => undefined);

/**
 * A map from whole numbers, from 0 on, that is copied in no time: copies share what none of them has changed since, and
 * what compares or joins two of them looks only at where they differ. A tree by the number's digits, whose changed paths are
 * made anew. Values are not `undefined`.
 */
export class SharedMap<V> {
  private constructor(
    private root: Node,
    /** Of the root's digit. */
    private shift: number,
  ) {}

  static empty<V>(): SharedMap<V> {
    return new SharedMap<V>(none, 0);
  }

  copy(): SharedMap<V> {
    return new SharedMap<V>(this.root, this.shift);
  }

  get(key: number): V | undefined {
    if (key >>> this.shift >= branches) return undefined;
    let node: Node | undefined = this.root;
    for (let shift = this.shift; shift > 0 && node; shift -= bits)
      node = node[(key >>> shift) & (branches - 1)] as Node | undefined;
    return node?.[key & (branches - 1)] as V | undefined;
  }

  set(key: number, value: V): void {
    this.grow(key);
    this.root = changed(this.root, this.shift, key, value);
  }

  delete(key: number): void {
    if (this.get(key) !== undefined) this.root = changed(this.root, this.shift, key, undefined);
  }

  /** Takes from this one what the other has not, and of what both have what `join` makes of it; `join` of a value and itself is that value. */
  meet(other: SharedMap<V>, join: (mine: V, others: V, key: number) => V | undefined): void {
    this.raise(other.shift);
    this.root = met(this.root, other.rootAt(this.shift), this.shift, 0, join as Join) ?? none;
  }

  /** Of all that this one has `holds` with what the other has there; it is not asked where both have the same. */
  holdsIn(other: SharedMap<V>, holds: (mine: V, others: V | undefined) => boolean): boolean {
    this.raise(other.shift);
    return holding(this.root, other.rootAt(this.shift), this.shift, holds as Holds);
  }

  private grow(key: number): void {
    let shift = this.shift;
    while (key >>> shift >= branches) shift += bits;
    this.raise(shift);
  }

  private raise(to: number): void {
    while (this.shift < to) {
      this.root = this.root === none ? none : withEntry(none, 0, this.root);
      this.shift += bits;
    }
  }

  private rootAt(shift: number): Node {
    const higher = this.copy();
    higher.raise(shift);
    return higher.root;
  }
}

function withEntry(node: Node, at: number, value: unknown): Node {
  const made = [...node];
  made[at] = value;
  return made;
}

function changed(node: Node, shift: number, key: number, value: unknown): Node {
  const at = (key >>> shift) & (branches - 1);
  if (shift === 0) return node[at] === value ? node : withEntry(node, at, value);
  const below = (node[at] as Node | undefined) ?? none;
  const made = changed(below, shift - bits, key, value);
  return made === below ? node : withEntry(node, at, made);
}

type Join = (a: unknown, b: unknown, key: number) => unknown;

function met(a: Node, b: Node, shift: number, from: number, join: Join): Node | undefined {
  if (a === b) return a;
  let made: unknown[] | undefined;
  for (let at = 0; at < branches; at++) {
    const [x, y] = [a[at], b[at]];
    if (x === y || x === undefined) continue;
    const key = from + at * 2 ** shift;
    const both =
      y === undefined ? undefined : shift === 0 ? join(x, y, key) : met(x as Node, y as Node, shift - bits, key, join);
    if (both !== x) (made ??= [...a])[at] = both;
  }
  return made ?? a;
}

type Holds = (a: unknown, b: unknown) => boolean;

function holding(a: Node, b: Node, shift: number, holds: Holds): boolean {
  if (a === b) return true;
  return a.every(
    (x, at) =>
      x === undefined ||
      x === b[at] ||
      (shift === 0 ? holds(x, b[at]) : holding(x as Node, (b[at] as Node | undefined) ?? none, shift - bits, holds)),
  );
}
