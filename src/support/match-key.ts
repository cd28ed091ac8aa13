/** Which argument a key means, by the paths of all. */
export type KeyMatch = { readonly index: number } | { readonly ambiguous: readonly string[] } | { readonly none: true };

/** The one path a key means: the path itself, or the only one of which the key is a dotted suffix. */
export function matchKey(key: string, paths: readonly string[]): KeyMatch {
  const exact = paths.indexOf(key);
  if (exact !== -1) return { index: exact };
  const found = paths.flatMap((path, index) => (path.endsWith(`.${key}`) ? [index] : []));
  if (found.length === 1) return { index: found[0]! };
  return found.length === 0 ? { none: true } : { ambiguous: found.map((i) => paths[i]!) };
}
