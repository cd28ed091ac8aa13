/**
 * A half-open range `[start, end)` of offsets (UTF-16 code units) into the *expanded* text of one compilation,
 * the text the parser reads after preprocessing. `ExpandedSource` leads back to the original files.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const noSpan: Span = { start: 0, end: 0 };

/** Whether it is of something that reading or a pass made. */
export const liesNowhere = ({ end }: Span): boolean => end === 0;

/** Whether one of the spans, which are in order, holds an offset. */
export function within(spans: readonly Span[], offset: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && spans[low]!.start <= offset;
}
