/** What `%` does, for WebAssembly, which has no such instruction: every difference is exact, since what is taken away is at least half. */
export function remainderOf(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  if (!(a < Infinity) || !(b > 0)) return NaN;
  if (a < b) return x;
  let rest = a;
  let part = b;
  while (part + part <= rest) part += part;
  for (;;) {
    if (rest >= part) rest -= part;
    if (part === b) break;
    part *= 0.5;
  }
  return x < 0 ? -rest : rest;
}
