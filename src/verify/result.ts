/** What a verification found. Plain data: the API returns it, the command line prints it. */
import type { Dialect } from "../dialects/ids.js";
import type { Coverage } from "./coverage.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";

export interface VerifyResult {
  /** What is compared with the source: a translation, or the source itself on a device. */
  readonly target: Dialect | "ts";
  /**
   * equivalent: every output of every run is the same, and every statement of the source that can be reached was run.
   * equivalent-where-run: the same outputs, but some statements ran in no launch (`coverage`): of these nothing is said. different: `firstDifference` says where. inconclusive: the source
   * itself has a finding or depends on unspecified values, or differs where its invocations race. not-run: there are errors, or the target refuses the source. refused: a compiler does not take the text (`judge`).
   * Evidence, not a proof: it covers the launches that were run.
   */
  readonly result: "equivalent" | "equivalent-where-run" | "different" | "inconclusive" | "not-run" | "refused";
  /** What was run, each on the source and on the translation. */
  readonly runs: readonly VerifyRun[];
  /** Orders of the invocations in which the same was left besides; absent where the translation runs in one order only. */
  readonly schedules?: number;
  /**
   * Where the text depends on the size of workgroups and launches have several: the sizes. There is a text for each; that for the
   * first is the translation, of which `program` and `mutants` speak.
   */
  readonly workgroupSizes?: readonly (readonly [number, number, number])[];
  readonly firstDifference?: FirstDifference;
  /** Of the source, in the runs whose outputs were the same; absent where the comparison ended before. */
  readonly coverage?: Coverage;
  /** Of a text that was read again. It says nothing of the launches, and they nothing of it. */
  readonly program?: SameProgram;
  /** Where it was asked for: what the target's own compiler said. */
  readonly judged?: JudgedText;
  /** Where it was asked for, of a translation whose outputs were the same: whether the launches would notice a fault in it. */
  readonly mutants?: MutantScore;
  readonly diagnostics: readonly Diagnostic[];
}

/** What can be said of a translation without running it (docs/design/same-program.md). */
export interface SameProgram {
  /** It does the same for all inputs, with what is taken for granted. */
  readonly same: boolean;
  /** Besides what the translation assumes. */
  readonly takenForGranted: readonly string[];
  /** Statements that differ, a place for each line: of these, and of what they lead to, runs alone say something. */
  readonly differences: readonly {
    readonly source: readonly Location[];
    readonly translation: readonly Location[];
  }[];
  /** What differs that is no statement. */
  readonly reasons: readonly string[];
}

/** Faults that were planted in the translation, one at a time, and run on the same launches. */
export interface MutantScore {
  readonly seed: number;
  readonly planted: number;
  /** Of these, those with another output than the source, or with a finding. */
  readonly noticed: number;
  /** The others, in the order of the text. Some of them may mean the same as what was there. */
  readonly unnoticed: readonly UnnoticedFault[];
  /** Where the launches have several texts: the size of workgroups of the one with the faults, which those of that size alone ran on. */
  readonly workgroupSize?: readonly [number, number, number];
}

export interface UnnoticedFault {
  /** In the translation; of TypeScript in the source. */
  readonly location: Location;
  /** `< became <=`. */
  readonly change: string;
  /** The line of the text. */
  readonly line: string;
}

export interface JudgedText {
  readonly verdict: "accepted" | "refused" | "not-judged";
  /** The compiler in words. */
  readonly tool: string;
  /** Programs that are not there. */
  readonly missing: readonly string[];
  /** Of a text that is refused: what places name, and the text. */
  readonly file?: string;
  readonly text?: string;
}

export interface VerifyRun {
  readonly launch: string;
  readonly workgroups: readonly [number, number, number];
  readonly workgroupSize: readonly [number, number, number];
  readonly subgroupSize: number;
  /** Chooses what unspecified values are. */
  readonly seed: number;
  /** The seed of the order in which invocations took turns; one after the other where it is absent. */
  readonly schedule?: number;
  readonly compared: readonly { readonly buffer: string; readonly bytes: number }[];
}

/** A write, as far as it is known. */
export interface Writer {
  readonly workgroup: readonly [number, number, number];
  readonly lane: number;
  readonly location?: Location;
}

export interface FirstDifference {
  readonly run: VerifyRun;
  readonly buffer: string;
  /** Counts scalars of `type`. */
  readonly index: number;
  readonly type: string;
  readonly source: { readonly value: string; readonly hex: string; readonly writer?: Writer };
  readonly translation: { readonly value: string; readonly hex: string; readonly writer?: Writer };
  /** How many numbers of the buffer differ. */
  readonly count: number;
  /** The order of elements does not count in this buffer. */
  readonly multiset: boolean;
}
