/** A value computed when first asked for, and kept. The computation must be pure: what is kept never changes. */
export function once<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => (kept ??= { value: compute() }).value;
}
