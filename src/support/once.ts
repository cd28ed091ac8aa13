/** A value computed when first asked for, and kept. The computation must be pure: what is kept never changes. */
export function once<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => (kept ??= { value: compute() }).value;
}

/** The same for each object asked about. */
export function onceEach<K extends object, T>(compute: (of: K) => T): (of: K) => T {
  const kept = new WeakMap<K, { readonly value: T }>();
  return (of) => {
    let known = kept.get(of);
    if (!known) kept.set(of, (known = { value: compute(of) }));
    return known.value;
  };
}
