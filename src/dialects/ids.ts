/** Ids used everywhere: `--from`, `--to`, launch files, file names, API. A leaf module: every layer may import it. */

/** Dialects crosslane reads. */
export const sourceDialects = ["msl", "glsl", "opencl", "hlsl"] as const;
export type Dialect = (typeof sourceDialects)[number];

/** What crosslane writes: the source dialects and executable TypeScript. */
export const targets = ["msl", "glsl", "opencl", "hlsl", "ts"] as const;
export type Target = (typeof targets)[number];
