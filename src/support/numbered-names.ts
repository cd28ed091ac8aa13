/**
 * Numbers at the end of names that would else be taken. Which one is free is not looked for from the first one again: n names
 * of one stem would take n * n looks. What is taken has to stay so as long as this lives; `outer`: of what lives longer.
 */
export class NumberedNames {
  /** By stem: all numbers below are taken. */
  private readonly next = new Map<string, number>();

  constructor(private readonly outer?: NumberedNames) {}

  /** `wanted` where it is free; otherwise `stem` with the least number, from `first` on, that makes a free name. */
  free(wanted: string, taken: (name: string) => boolean, stem = `${wanted}_`, first = 2): string {
    if (!taken(wanted)) return wanted;
    let n = this.from(stem, first);
    while (taken(`${stem}${n}`)) n++;
    this.next.set(stem, n);
    return `${stem}${n}`;
  }

  private from(stem: string, first: number): number {
    return Math.max(this.next.get(stem) ?? first, this.outer?.from(stem, first) ?? first);
  }
}
