/** Ids used everywhere: `--from`, `--to`, launch files, file names, API. A leaf module: every layer may import it. */

/** Dialects crosslane reads. */
export const sourceDialects = ["msl", "glsl", "opencl", "hlsl"] as const;
export type SourceDialect = (typeof sourceDialects)[number];

/** Dialects crosslane writes. */
export const targetDialects = ["msl", "glsl", "opencl", "hlsl"] as const;
export type TargetDialect = (typeof targetDialects)[number];

/** A GPU language that is read, written or both: what facts and cells of the op table are about. */
// One list may have what the other has not.
// eslint-disable-next-line @typescript-eslint/no-duplicate-type-constituents
export type Dialect = SourceDialect | TargetDialect;
export const dialects: readonly Dialect[] = [...new Set<Dialect>([...sourceDialects, ...targetDialects])];
/** Languages that are read and written: a text of one can be translated to its own. */
export type TwoWayDialect = Extract<SourceDialect, TargetDialect>;
export const isTargetDialect = (dialect: Dialect | Target): dialect is TargetDialect =>
  (targetDialects as readonly string[]).includes(dialect);
export const twoWayDialects: readonly TwoWayDialect[] = sourceDialects.filter(isTargetDialect);
export const isSourceDialect = (target: LanguageForm | "ts"): target is SourceDialect =>
  (sourceDialects as readonly string[]).includes(target);

/**
 * Languages whose texts are of a dialect and are read by another grammar and other facts: its library, kernels and what it leaves
 * open are the dialect's.
 */
const formsOf = { "opencl-cxx": "opencl" } as const;
export type SourceForm = SourceDialect | keyof typeof formsOf;
/** What texts are in, read or written. */
export type LanguageForm = Dialect | SourceForm;
export const dialectOf = (form: SourceForm): SourceDialect => (isSourceDialect(form) ? form : formsOf[form]);

/** One of something for each. */
export const byDialect = <T>(of: (dialect: Dialect) => T): Record<Dialect, T> =>
  Object.fromEntries(dialects.map((d) => [d, of(d)])) as Record<Dialect, T>;

/** What crosslane writes: dialects and executable TypeScript. */
export const targets = [...targetDialects, "ts"] as const;
export type Target = (typeof targets)[number];
