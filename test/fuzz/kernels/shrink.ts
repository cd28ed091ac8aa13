/**
 * A smaller kernel with the same fault. The generator writes a statement or the head or end of a block a line, so that lines and
 * whole blocks can be taken out, and blocks be opened: what is no kernel any more does not show the fault, and is not taken.
 */
const mostTried = 400;

/** The line that ends the block which begins at `at`, or `at`. */
function endOf(lines: readonly string[], at: number): number {
  let depth = 0;
  for (let i = at; i < lines.length; i++) {
    depth += (lines[i]!.match(/\{/g)?.length ?? 0) - (lines[i]!.match(/\}/g)?.length ?? 0);
    if (depth <= 0) return i;
  }
  return at;
}

/** The lines that can be left out, by number, so that it still shows. */
export async function shrink(
  lines: readonly string[],
  shows: (without: ReadonlySet<number>) => Promise<boolean>,
): Promise<ReadonlySet<number>> {
  let left = lines.map((_, i) => i);
  let tried = 0;
  const attempt = async (next: readonly number[]): Promise<boolean> => {
    if (tried++ >= mostTried) return false;
    const kept = new Set(next);
    if (!(await shows(new Set(lines.map((_, i) => i).filter((i) => !kept.has(i)))))) return false;
    left = [...next];
    return true;
  };
  for (let before = -1; before !== left.length && tried < mostTried;) {
    before = left.length;
    // Many at once first, then one by one, from the end: what is used comes before its uses.
    for (let many = Math.max(1, left.length >> 2); many >= 1; many >>= 1)
      for (let at = left.length - 1; at >= 0 && tried < mostTried; at -= many) {
        if (at >= left.length) continue;
        const texts = left.map((i) => lines[i]!);
        const end = many > 1 ? at : endOf(texts, at);
        const from = Math.max(0, at - many + 1);
        if (await attempt([...left.slice(0, from), ...left.slice(end + 1)])) continue;
        if (end > at) await attempt([...left.slice(0, at), ...left.slice(at + 1, end), ...left.slice(end + 1)]);
      }
  }
  return new Set(lines.map((_, i) => i).filter((i) => !left.includes(i)));
}
