/** Bytes that the heap of this process may grow to; undefined where nobody says, as in browsers. */
export function heapLimit(): number | undefined {
  const node = (globalThis as { readonly process?: Partial<NodeJS.Process> }).process;
  return node?.getBuiltinModule?.("node:v8").getHeapStatistics().heap_size_limit;
}
