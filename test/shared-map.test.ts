/** A map whose copies share what they have in common, against Map. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { SharedMap } from "../src/support/shared-map.js";

const keys = fc.oneof(fc.nat(40), fc.nat(100_000));
/** Objects, equal by what they are: few, so that two maps have the same ones. */
const values = [0, 1, 2, 3].map((n) => ({ n }));
type Value = (typeof values)[number];
const change = fc.record({ key: keys, value: fc.option(fc.constantFrom(...values), { nil: undefined }) });

class Both {
  constructor(
    readonly shared = SharedMap.empty<Value>(),
    readonly plain = new Map<number, Value>(),
  ) {}
  copy(): Both {
    return new Both(this.shared.copy(), new Map(this.plain));
  }
  take(changes: readonly { readonly key: number; readonly value: Value | undefined }[]): this {
    for (const { key, value } of changes) {
      if (value) {
        this.shared.set(key, value);
        this.plain.set(key, value);
      } else {
        this.shared.delete(key);
        this.plain.delete(key);
      }
    }
    return this;
  }
  agree(): void {
    for (const key of [...this.plain.keys(), ...Array.from({ length: 50 }, (_, n) => n), 99_999, 2 ** 31 - 1])
      expect(this.shared.get(key)).toBe(this.plain.get(key));
  }
}

const three = fc.tuple(fc.array(change), fc.array(change), fc.array(change));

test("copies change apart", () => {
  fc.assert(
    fc.property(three, ([first, mine, others]) => {
      const before = new Both().take(first);
      const [a, b] = [before.copy().take(mine), before.copy().take(others)];
      for (const x of [before, a, b]) x.agree();
    }),
  );
});

test("what two of them have is met by key, and who has all of another is told", () => {
  const larger = (x: Value, y: Value): Value | undefined => (x.n + y.n === 3 ? undefined : x.n > y.n ? x : y);
  fc.assert(
    fc.property(three, ([first, mine, others]) => {
      const before = new Both().take(first);
      const [a, b] = [before.copy().take(mine), before.copy().take(others)];
      const isIn = [...a.plain].every(([key, x]) => x === b.plain.get(key));
      expect(a.shared.holdsIn(b.shared, (x, y) => x === y)).toBe(isIn);
      const expected = new Map<number, Value>();
      for (const [key, x] of a.plain) {
        const y = b.plain.get(key);
        const both = y && (x === y ? x : larger(x, y));
        if (both) expected.set(key, both);
      }
      const seen: number[] = [];
      a.shared.meet(b.shared, (x, y, key) => {
        expect([a.plain.get(key), b.plain.get(key)]).toEqual([x, y]);
        seen.push(key);
        return larger(x, y);
      });
      expect(new Set(seen).size).toBe(seen.length);
      new Both(a.shared, expected).agree();
      for (const key of a.plain.keys()) expect(a.shared.get(key)).toBe(expected.get(key));
      b.agree();
    }),
  );
});
