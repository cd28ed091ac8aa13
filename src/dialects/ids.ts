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
export const isSourceDialect = (target: Dialect | "ts"): target is SourceDialect =>
  (sourceDialects as readonly string[]).includes(target);

/** One of something for each. */
export const byDialect = <T>(of: (dialect: Dialect) => T): Record<Dialect, T> =>
  Object.fromEntries(dialects.map((d) => [d, of(d)])) as Record<Dialect, T>;

/** What crosslane writes: dialects and executable TypeScript. */
export const targets = [...targetDialects, "ts"] as const;
export type Target = (typeof targets)[number];
