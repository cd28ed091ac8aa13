/** What a run can find, as data. */
import type { Span } from "../support/span.js";

export const findingKinds = [
  "out-of-bounds",
  "misaligned-access",
  "barrier-divergence",
  "inactive-lane",
  "uninitialized-read",
  "cross-lane-divergence",
  "data-race",
  "same-value-race",
  "undefined-arithmetic",
  "integer-overflow",
  "broken-assumption",
  "non-uniform-argument",
  "invalid-partition",
  "async-copy",
  "no-forward-progress",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** A note, and a finding only where it is asked for by its name. */
const askedByName: ReadonlySet<FindingKind> = new Set(["same-value-race"]);
/** What `all` asks for. */
export const allFindings: readonly FindingKind[] = findingKinds.filter((kind) => !askedByName.has(kind));

/** A write of a value that should not have been used, or that only happens because of one. */
export interface FindingUse {
  readonly span: Span;
  readonly stack: readonly Span[];
  readonly buffer: string;
  readonly byte: number;
  readonly workgroup: readonly [number, number, number];
}

export interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
  /** Local id of the lane that did it. */
  readonly lane?: readonly [number, number, number];
  readonly workgroup: readonly [number, number, number];
  readonly span: Span;
  /** Calls that led there, outermost first. */
  readonly stack: readonly Span[];
  /** Name of the memory and the index in units of its elements. */
  readonly buffer?: string;
  readonly index?: number;
  /** Number of the place in the program; -1 where it is none that was run. */
  readonly site: number;
  /** Where it shows what was read. */
  readonly use?: FindingUse;
  /** The other access of a race. */
  readonly against?: Span;
  /** How often the same happened at the same place, this one included. */
  readonly count: number;
}
