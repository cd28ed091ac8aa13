/** What commands say of the statements that were run, and what they end with. */
import { percentRun, type Coverage } from "../verify/coverage.js";
import type { VerifyResult } from "../verify/result.js";
import { exitCodes } from "./exit-codes.js";

/** How much of the source the launches came to. */
export const statementsRun = ({ statements }: Coverage): string =>
  `${statements.run} of ${statements.reachable} statement${statements.reachable === 1 ? "" : "s"} run`;

/** At most so many places that were not run. */
const mostPlaces = 12;

/** Lines of the source with statements that nobody came to. */
export function notRunLines({ notRun }: Coverage): string[] {
  const places = notRun.filter((p) => p.what === "statement").map(({ location: l }) => `  ${l.file}:${l.line}`);
  const lines = [...new Set(places)];
  return lines.length > mostPlaces
    ? [...lines.slice(0, mostPlaces), `  and ${lines.length - mostPlaces} more lines`]
    : lines;
}

/** The exit code where less than `required` percent of the statements were run. */
export function shortOf({ coverage }: VerifyResult, required: number | undefined): number {
  const short = required !== undefined && coverage && percentRun(coverage) < required;
  return short ? exitCodes.difference : exitCodes.done;
}
