/** How many elements paths of a launch give of arrays, by their names: 3 of `b` where there are `b[0]` and `b[2]`. */
export function listedArrays(paths: readonly string[]): Readonly<Record<string, number>> {
  const lengths = new Map<string, number>();
  for (const path of paths) {
    for (const [, name, index] of path.matchAll(/(\w+)\[(\d+)\]/g))
      lengths.set(name!, Math.max(lengths.get(name!) ?? 0, Number(index) + 1));
  }
  return Object.fromEntries(lengths);
}
