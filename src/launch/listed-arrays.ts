/** How many elements keys of a launch give of arrays, by their names: 3 of `b` where there are `b[0]` and `b[2]`. */
export function listedArrays(keys: readonly string[]): Readonly<Record<string, number>> {
  const lengths = new Map<string, number>();
  for (const key of keys) {
    for (const [, name, index] of key.matchAll(/(\w+)\[(\d+)\]/g))
      lengths.set(name!, Math.max(lengths.get(name!) ?? 0, Number(index) + 1));
  }
  return Object.fromEntries(lengths);
}
