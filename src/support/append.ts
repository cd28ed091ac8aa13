/** Adds a list to the end of another. `list.push(...more)` hands each element over as an argument: of 120,000 the stack overflows. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const item of more) list.push(item);
}

/** Puts a list before what another holds. */
export function prepend<T>(list: T[], more: Iterable<T>): void {
  const kept = list.splice(0);
  append(list, more);
  append(list, kept);
}

/** The largest of what `of` gives for each item, at least 0: for lists that are too long to be arguments of `Math.max`. */
export const largest = <T>(list: readonly T[], of: (item: T) => number): number =>
  list.reduce((most, item) => Math.max(most, of(item)), 0);
