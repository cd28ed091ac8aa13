/** The capability table as Markdown: what `crosslane capabilities --format markdown` prints, and the pages of docs/capabilities. */
import { capabilities, capabilityByProfile } from "../api/capabilities.js";
import type { CapabilityRow, TargetCapability } from "../api/capabilities.js";
import type { TargetDialect } from "../dialects/ids.js";
import { append } from "../support/append.js";
import { formText, merged, profileOf, short, spansOf } from "./capability-text.js";

/** Families of which a list says what each profile does. */
const crossesLanes: ReadonlySet<string> = new Set(["subgroup", "quad", "workgroup", "barrier"]);

const code = (text: string): string => `\`${text}\``;
const tableLine = (cells: readonly string[]): string => `| ${cells.map((c) => c.replaceAll("|", "\\|")).join(" | ")} |`;
const dialectsOf = (rows: readonly CapabilityRow[]): TargetDialect[] =>
  Object.keys(rows[0]!.targets) as TargetDialect[];
const headOf = (rows: readonly CapabilityRow[]): string[] =>
  dialectsOf(rows).map((d) => `${d} ${profileOf(rows[0]!.targets[d]!)}`);

const legend =
  "`name`: native; (composed): emulated by other native ops, (a loop): by a loop; *: depends on types or use, see below; -: refused";

/** A table of the rows in short, then each in full: what the profiles in its head do. */
function matrix(rows: readonly CapabilityRow[], heading: string): string[] {
  const dialects = dialectsOf(rows);
  const head = ["op", ...headOf(rows)];
  const out = [tableLine(head), tableLine(head.map(() => "---"))];
  for (const row of rows) {
    const link = `[${code(row.op)}](#${row.op.replaceAll(".", "")})`;
    out.push(tableLine([link, ...dialects.map((d) => short(row.targets[d]!, code))]));
  }
  out.push("", legend);
  for (const row of rows) {
    out.push("", `${heading} ${row.op}`, "", row.summary, "");
    for (const d of dialects) append(out, answer(d, row.targets[d]!));
  }
  return out;
}

/** `- msl: native ...`, or a list of the forms below it. */
function answer(name: string, { forms }: Pick<TargetCapability, "forms">): string[] {
  const texts = merged(forms).map((f) => formText(f, code));
  return texts.length === 1 ? [`- ${name}: ${texts[0]!}`] : [`- ${name}`, ...texts.map((t) => `  - ${t}`)];
}

function byProfile(rows: readonly CapabilityRow[], dialect: TargetDialect, heading: string): string[] {
  return rows.flatMap((row) => [
    `${heading} ${row.op}`,
    "",
    ...capabilityByProfile(row.op, dialect).flatMap(({ profiles, capability }) =>
      answer(spansOf(profiles, dialect), capability),
    ),
    "",
  ]);
}

function families(rows: readonly CapabilityRow[]): ReadonlyMap<string, readonly CapabilityRow[]> {
  return new Map([...new Set(rows.map((r) => r.category))].map((c) => [c, rows.filter((r) => r.category === c)]));
}

/**
 * The table in one text, a section for each category; with `profiles` a list of what each profile does follows for the ops
 * that cross lanes.
 */
export function capabilityMarkdown(rows: readonly CapabilityRow[], profiles = false): string {
  const out: string[] = [];
  for (const [family, own] of families(rows)) {
    append(out, [`## ${family}`, "", ...matrix(own, "###"), ""]);
    if (!profiles || !crossesLanes.has(family)) continue;
    for (const d of dialectsOf(own))
      append(out, [`### ${family}, by profile of ${d}`, "", ...byProfile(own, d, "####")]);
  }
  return out.join("\n").trimEnd();
}

/** docs/capabilities.md and the pages it leads to, by path below docs: one for each category, and for each target where ops cross lanes. */
export function capabilityDocuments(): ReadonlyMap<string, string> {
  const rows = capabilities();
  const dialects = dialectsOf(rows);
  const pages = new Map<string, string>();
  const head = ["ops", "number", ...headOf(rows)];
  const index = [tableLine(head), tableLine(head.map(() => "---"))];
  const profileHead = ["ops", ...dialects];
  const profileIndex = [tableLine(profileHead), tableLine(profileHead.map(() => "---"))];
  const back = "[What every target does with every op](../capabilities.md)";
  for (const [family, own] of families(rows)) {
    const cells = dialects.map((d) => counts(own.map((r) => r.targets[d]!.verdict)));
    index.push(tableLine([`[${family}](capabilities/${family}.md)`, String(own.length), ...cells]));
    const links = dialects.map((d) => `[${family} in ${d}](${family}-${d}.md)`);
    const crosses = crossesLanes.has(family);
    const more = crosses ? `\n\nBy profile: ${links.join(", ")}` : "";
    pages.set(`capabilities/${family}.md`, `# ${family}\n\n${back}${more}\n\n${matrix(own, "##").join("\n")}\n`);
    if (!crosses) continue;
    profileIndex.push(
      tableLine([family, ...dialects.map((d) => `[${family} in ${d}](capabilities/${family}-${d}.md)`)]),
    );
    for (const d of dialects) {
      const text = byProfile(own, d, "##").join("\n").trimEnd();
      pages.set(
        `capabilities/${family}-${d}.md`,
        `# ${family} in ${d}, by profile\n\n${back}, [${family}](${family}.md)\n\n${text}\n`,
      );
    }
  }
  pages.set(
    "capabilities.md",
    `${introduction}\n${index.join("\n")}\n\n${profileIntroduction}\n${profileIndex.join("\n")}\n`,
  );
  return pages;
}

/** `12 native, 3 refused` */
function counts(verdicts: readonly TargetCapability["verdict"][]): string {
  const order = ["native", "emulated", "partly", "refused"] as const;
  return order
    .map((v) => [verdicts.filter((x) => x === v).length, v] as const)
    .filter(([n]) => n > 0)
    .map(([n, v]) => `${n} ${v}`)
    .join(", ");
}

const introduction = `# What every target does with every op

Written from the same answers as \`crosslane capabilities --format markdown\`, and checked by a test: it is what translation does, found by
running its passes on one call of each op for every operand type.

- *native*: the target's own function; the text named.
- *emulated*: by a lowering of \`src/passes/lowerings\`, exact. *composed*: a few native calls; *a loop*: over the lanes of the
  subgroup; *workgroup memory*: through it, with barriers.
- *partly*: refused of some operand types or uses.
- *refused*: with the fact about the target. A translation that meets it is refused (XL3001, XL3003).

Types: \`f32 i32\` are scalars and vectors of 2 to 4; \`scalar\`, \`x2-4\` only those. *Divergent flow*: not all lanes of the
subgroup are known to reach the call.
`;

const profileIntroduction = `Ops that cross lanes, in every version of a target:
`;
