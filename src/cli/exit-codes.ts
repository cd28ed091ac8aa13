/** What the process ends with. The greatest of several wins, except that a bug of crosslane stands above all. */
export const exitCodes = {
  done: 0,
  /** The input has errors, or a target refuses it. */
  errors: 1,
  usage: 2,
  /** A difference: `verify`, a failed `expect`, stale output in `--check`; a text that its compiler refuses. */
  difference: 3,
  /** `run` completed with findings. */
  findings: 4,
  /** A bug of crosslane itself. */
  internal: 70,
} as const;
