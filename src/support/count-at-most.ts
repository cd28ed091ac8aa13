/** How many of the items, in the order of their places, are at or before a place: found by halves. */
export function countAtMost<T>(items: readonly T[], place: number, at: (item: T) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(items[middle]!) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
