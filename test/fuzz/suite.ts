/**
 * The contract of a fuzz suite: generated cases held against something that knows nothing of crosslane (a compiler, a
 * driver, exact arithmetic). Every suite runs twice: a fixed sample among the tests (`sample.test.ts`), and with other
 * seeds for as long as wanted by `npm run fuzz` (`long.run.ts`).
 */
export interface FuzzFailure {
  /** The seed that makes this case again with `cases: 1`. */
  readonly seed: number;
  /** One line: what was expected of which side, and what came. */
  readonly what: string;
  /** The generated text, whole. */
  readonly text: string;
}

export interface FuzzOutcome {
  /** Cases that were decided; those that were generated and could not be asked do not count. */
  readonly cases: number;
  readonly failures: readonly FuzzFailure[];
  /** Of what crosslane refuses by name, and rightly: how often, by what it says. */
  readonly refused?: ReadonlyMap<string, number>;
}

export interface FuzzSuite {
  /** As named on the command line. */
  readonly name: string;
  /** One sentence: what is tried, and against what. */
  readonly about: string;
  /** What the tests run. */
  readonly sample: { readonly seed: number; readonly cases: number };
  /** Programs and files beyond Node that are needed and not there. */
  missing(): readonly string[];
  /** Runs `cases` cases from `seed` on: the same seed gives the same cases on every machine. */
  run(seed: number, cases: number): Promise<FuzzOutcome>;
}

export function describeFailure(suite: FuzzSuite, f: FuzzFailure): string {
  return `${suite.name}, seed ${String(f.seed)}: ${f.what}\n${f.text}`;
}
