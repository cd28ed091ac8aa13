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
