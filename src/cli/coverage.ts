/** What commands say of the statements that were run, and what they end with. */
import { percentRun, type Because, type Coverage, type NotRun } from "../verify/coverage.js";
import type { VerifyResult } from "../verify/result.js";
import { assertNever } from "../support/assert-never.js";
import { exitCodes } from "./exit-codes.js";

/** How much of the source the launches came to. Ways of conditions are named where some were not taken. */
export function statementsRun({ statements, branches }: Coverage): string {
  const ways = branches.run < branches.reachable ? `, ${branches.run} of ${branches.reachable} branches taken` : "";
  return `${statements.run} of ${statements.reachable} statement${statements.reachable === 1 ? "" : "s"} run${ways}`;
}

/** At most so many places that were not run. */
const mostPlaces = 12;
/** Values of an argument that are worth naming. */
const mostValues = 4;

const lineOf = ({ location: l }: Pick<NotRun, "location">): string => `${l.file}:${l.line}`;

const few = (lines: readonly string[]): readonly string[] =>
  lines.length > mostPlaces ? [...lines.slice(0, mostPlaces), `  and ${lines.length - mostPlaces} more`] : lines;

/** Lines of the source with statements that nobody came to, and why, as far as that is known. */
function notRunLines({ notRun }: Coverage): readonly string[] {
  const lines = new Map<string, string>();
  for (const p of notRun) {
    const line = lineOf(p);
    if (p.what === "statement" && !lines.has(line))
      lines.set(line, `  ${line}${p.because ? `: ${reason(p.because, line)}` : ""}`);
  }
  return few([...lines.values()]);
}

/** Ways of conditions that nobody took, but for those that statements were not run for. */
function notTakenLines({ notRun }: Coverage): readonly string[] {
  const keyOf = (place: Pick<NotRun, "location">, way: NotRun["what"]): string =>
    `${lineOf(place)}:${place.location.column} ${way}`;
  const said = new Set(
    notRun.flatMap((p) => (p.what === "statement" && p.because ? [keyOf(p.because, p.because.way)] : [])),
  );
  const lines = notRun.flatMap((p) => {
    // What lies in a way that was not taken is not told apart.
    const own = p.because && keyOf(p.because, p.because.way) === keyOf(p, p.what) ? p.because : undefined;
    return own && !said.has(keyOf(p, p.what)) ? [`  ${lineOf(p)}: ${reason(own, lineOf(p))}`] : [];
  });
  return few([...new Set(lines)]);
}

/** `the condition was never true: n was 0 in every launch`. */
function reason(because: Because, at: string): string {
  const where = lineOf(because) === at ? "" : ` at ${lineOf(because)}`;
  const values = because.values
    .filter((v) => v.had.length <= mostValues)
    .map((v) => `${v.path} was ${v.had.join(" or ")}`);
  const known = values.length > 0 ? `: ${values.join(", ")} in every launch` : "";
  return `${missed(because.way, where)}${known}`;
}

function missed(way: Because["way"], where: string): string {
  switch (way) {
    case "true":
    case "false":
      return `the condition${where} was never ${way}`;
    case "case":
      return `the case${where} was never chosen`;
    case "no case":
      return `the switch${where} always chose a case`;
    default:
      return assertNever(way);
  }
}

/** What verify and run say below their verdict. */
export function coverageRemarks(coverage: Coverage): readonly string[] {
  const [statements, ways] = [notRunLines(coverage), notTakenLines(coverage)];
  const out = coverage.unreachable.filter((p) => p.what === "statement");
  const beyond = [...new Set(out.map((p) => `  ${lineOf(p)}`))];
  return [
    ...(statements.length > 0
      ? [
          "No launch came to these statements, so nothing is said of them; a launch file can choose others:",
          ...statements,
        ]
      : []),
    ...(ways.length > 0 ? ["No launch took these branches:", ...ways] : []),
    ...(beyond.length > 0
      ? ["No launch can come to these statements, as bounds of integers show:", ...few(beyond)]
      : []),
  ];
}

/** The exit code where less than `required` percent of the statements were run. */
export function shortOf({ coverage }: VerifyResult, required: number | undefined): number {
  const short = required !== undefined && coverage && percentRun(coverage) < required;
  return short ? exitCodes.difference : exitCodes.done;
}
