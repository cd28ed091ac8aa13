/**
 * One verification, or several, as a page: one file without anything else. Texts of kernels stand in it as text only; the page loads
 * nothing and needs its few lines of script only to switch between targets and workgroups.
 */
import type { Picture, PictureRow, ReportedFile, ReportedTarget, ReportedText } from "../api/verification-report.js";
import type { LineState } from "../verify/coverage.js";
import type { FirstDifference, SameProgram, VerifyResult, Writer } from "../verify/result.js";

export function verificationPage(files: readonly ReportedFile[], program: string): string {
  const title = files.length === 1 ? `${files[0]!.entry} in ${files[0]!.name}` : `${files.length} kernels`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}: verification</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${files.map(fileSection).join("\n")}
<p class="note">Equivalent means: every output was the same on these launches. That is evidence, not a proof for all inputs; where a translation is the same program, it holds for all of them. Written by ${escaped(program)}.</p>
<script>${script}</script>
</body>
</html>
`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

function fileSection(file: ReportedFile, index: number): string {
  const id = `f${index}`;
  return `<section>
<h2>${escaped(file.entry)} <small>${escaped(file.name)}</small></h2>
${launchTable(file)}
${choice(
  `${id}-target`,
  "Translation",
  file.targets.map((t) => t.result.target),
)}
${file.targets.map((t, i) => `<div data-choice="${id}-target" data-value="${i}"${i > 0 ? " hidden" : ""}>${targetSection(t)}</div>`).join("\n")}
${pictures(file, id)}
</section>`;
}

function choice(id: string, label: string, options: readonly string[]): string {
  const list = options.map((o, i) => `<option value="${i}">${escaped(o)}</option>`).join("");
  return `<p><label>${escaped(label)} <select id="${id}">${list}</select></label></p>`;
}

function launchTable({ launches, subgroupSizes }: ReportedFile): string {
  const rows = launches.map(
    (l) =>
      `<tr><td>${escaped(l.label)}</td><td>${l.workgroups.join(" × ")}</td><td>${l.workgroupSize.join(" × ")}</td><td>${subgroupSizes.get(l)!.join(" ")}</td></tr>`,
  );
  return `<details open><summary>${launches.length} launch${launches.length === 1 ? "" : "es"}</summary><table class="launches"><thead><tr><th>launch</th><th>workgroups</th><th>of</th><th>subgroup widths</th></tr></thead><tbody>${rows.join("")}</tbody></table></details>`;
}

const verdicts: Readonly<Record<VerifyResult["result"], string>> = {
  equivalent: "equivalent",
  "equivalent-where-run": "equivalent where run",
  different: "different",
  inconclusive: "inconclusive",
  "not-run": "not run",
  refused: "refused by its compiler",
};

function targetSection({ result, source, translation }: ReportedTarget): string {
  const { coverage, mutants, program, firstDifference, runs, workgroupSizes } = result;
  const facts = [
    `${runs.length} runs`,
    ...(coverage
      ? [
          `${coverage.statements.run} of ${coverage.statements.reachable} statements run`,
          `${coverage.branches.run} of ${coverage.branches.reachable} branches taken`,
        ]
      : []),
    ...(mutants ? [`${mutants.noticed} of ${mutants.planted} planted faults noticed`] : []),
  ];
  return `<p class="verdict ${result.result}"><strong>${verdicts[result.result]}</strong>, ${facts.join(", ")}</p>
${workgroupSizes ? `<p class="note">${escaped(sizesNote(workgroupSizes))}</p>` : ""}
${program ? programNote(program) : ""}
${firstDifference ? differenceNote(firstDifference) : ""}
${result.diagnostics.map((d) => `<p class="note">${escaped(`${d.severity}[${d.code}]: ${d.message}`)}</p>`).join("")}
<div class="sides">${side("Source", source)}${translation ? side("Translation", translation) : ""}</div>`;
}

/** What of the page is about one of several texts. */
function sizesNote([first, ...others]: NonNullable<VerifyResult["workgroupSizes"]>): string {
  const shown = (size: readonly number[] | undefined): string => size?.join(" × ") ?? "";
  return `The translation below is written for workgroups of ${shown(first)}: its lines, planted faults and what is said for all inputs are about launches of that size. Those of ${others.map(shown).join(", ")} ran on texts for their size.`;
}

function programNote({ same, takenForGranted, reasons }: SameProgram): string {
  const granted = takenForGranted.length > 0 ? `; taken for granted: ${takenForGranted.join("; ")}` : "";
  const said = same
    ? `The same program, for all inputs${granted}.`
    : `Marked lines are not the same program: they rest on runs alone${reasons.length > 0 ? ` (${reasons.join("; ")})` : ""}.`;
  return `<p class="program">${escaped(said)}</p>`;
}

function differenceNote({ run, buffer, index, source, translation, count }: FirstDifference): string {
  const by = (writer: Writer | undefined): string =>
    writer
      ? `, written by lane ${writer.lane} of workgroup ${writer.workgroup.join(", ")}${writer.location ? ` in line ${writer.location.line}` : ""}`
      : "";
  const more = count > 1 ? `; ${count - 1} more differ` : "";
  return `<p class="difference">First difference: ${escaped(`${buffer}[${index}]`)} is ${escaped(source.value)} in the source${by(source.writer)}, and ${escaped(translation.value)} in the translation${by(translation.writer)} (${escaped(run.launch)}, subgroup width ${run.subgroupSize}${more})</p>`;
}

const classes: Readonly<Record<LineState, string>> = {
  run: "run",
  "partly run": "part",
  "not run": "missed",
  "out of reach": "beyond",
};

function side(title: string, { name, text, lines, apart }: ReportedText): string {
  const rows = text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, i) => {
      const state = lines.get(i + 1);
      const marks = [state ? classes[state] : "", apart.has(i + 1) ? "apart" : ""].filter(Boolean).join(" ");
      const about = [state ?? "", apart.has(i + 1) ? "rests on runs alone" : ""].filter(Boolean).join(", ");
      return `<tr${marks ? ` class="${marks}" title="${about}"` : ""}><th>${i + 1}</th><td>${escaped(line)}</td></tr>`;
    });
  return `<figure><figcaption>${title}: ${escaped(name)}</figcaption><table class="text"><tbody>${rows.join("")}</tbody></table></figure>`;
}

function pictures({ pictures: list, targets }: ReportedFile, id: string): string {
  const [first] = list;
  if (!first) return "";
  const names = list.map((p) => `workgroup ${p.workgroup.join(", ")}`);
  const text = targets[0]?.source.text.split("\n") ?? [];
  return `<h3>Lanes over time</h3>
<p class="note">The source on “${escaped(first.launch)}” with subgroups of ${first.subgroupSize}: a column for each lane, a row for each time that lanes came to a statement or took a branch together, a line for each barrier.</p>
${choice(`${id}-workgroup`, "Workgroup", names)}
${list.map((p, i) => `<div data-choice="${id}-workgroup" data-value="${i}"${i > 0 ? " hidden" : ""}>${picture(p, text)}</div>`).join("\n")}`;
}

const rowHeight = 14;
const labelWidth = 440;
const mostLabel = 52;

function picture({ rows, lanes, subgroupSize, cut }: Picture, text: readonly string[]): string {
  const cell = Math.max(3, Math.min(12, Math.floor(768 / lanes)));
  const width = labelWidth + lanes * cell;
  const borders = Array.from({ length: Math.max(0, Math.ceil(lanes / subgroupSize) - 1) }, (_, i) => {
    const x = labelWidth + (i + 1) * subgroupSize * cell;
    return `<line class="subgroup" x1="${x}" x2="${x}" y1="0" y2="${rows.length * rowHeight}"/>`;
  });
  const drawn = rows.map((row, i) => pictureRow(row, i * rowHeight, cell, width, text));
  const more = cut ? `<p class="note">What came after these ${rows.length} rows is left out.</p>` : "";
  return `<div class="picture"><svg width="${width}" height="${rows.length * rowHeight}" role="img" aria-label="lanes over time">${drawn.join("")}${borders.join("")}</svg></div>${more}`;
}

function pictureRow(
  { lanes, line, way }: PictureRow,
  y: number,
  cell: number,
  width: number,
  text: readonly string[],
): string {
  if (line === undefined && way === undefined)
    return `<g class="barrier"><text x="0" y="${y + 11}">barrier</text><line x1="${labelWidth}" x2="${width}" y1="${y + 7}" y2="${y + 7}"/></g>`;
  const code = line === undefined ? "" : (text[line - 1]?.trim() ?? "");
  const short = code.length > mostLabel ? `${code.slice(0, mostLabel)}…` : code;
  const label = `${line ?? ""} ${way ? `(${way}) ` : ""}${short}`;
  const bars = runsOf(lanes).map(
    ([from, to]) =>
      `<rect x="${labelWidth + from * cell}" y="${y + 1}" width="${(to - from) * cell}" height="${rowHeight - 2}"/>`,
  );
  return `<g data-lanes="${lanes.join(" ")}"><text x="0" y="${y + 11}">${escaped(label)}</text>${bars.join("")}<title>${escaped(label)}: ${lanes.length} lane${lanes.length === 1 ? "" : "s"}</title></g>`;
}

/** Neighbours together: from the first to behind the last. */
function runsOf(lanes: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const lane of lanes) {
    const last = runs.at(-1);
    if (last?.[1] === lane) last[1] = lane + 1;
    else runs.push([lane, lane + 1]);
  }
  return runs;
}

const style = `
:root { color-scheme: light dark; --run: #2da44e33; --part: #bf870033; --missed: #cf222e33; --apart: #8250df; --bar: #2da44e; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; }
table { border-collapse: collapse; }
.launches td, .launches th { border: 1px solid #8884; padding: 2px 8px; text-align: left; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(28rem, 1fr)); gap: 1rem; }
figure { margin: 0; overflow: auto; max-height: 80vh; border: 1px solid #8884; }
figcaption { position: sticky; top: 0; background: Canvas; padding: 4px 8px; font-weight: 600; }
.text { font: 12px/1.45 ui-monospace, monospace; white-space: pre; width: 100%; }
.text th { color: #888; font-weight: 400; text-align: right; padding: 0 8px; user-select: none; border-right: 3px solid transparent; }
.run td { background: var(--run); } .part td { background: var(--part); } .missed td { background: var(--missed); }
.beyond td { color: #888; } .apart th { border-right-color: var(--apart); }
.verdict.different, .verdict.refused, .difference { color: #cf222e; } .verdict.equivalent strong { color: #1a7f37; }
.note { color: #888; }
.picture { overflow: auto; max-height: 80vh; border: 1px solid #8884; }
svg { font: 11px ui-monospace, monospace; } svg text { fill: CanvasText; } svg rect { fill: var(--bar); }
.barrier line { stroke: #cf222e; stroke-width: 2; } .subgroup { stroke: #8888; stroke-dasharray: 2 2; }
[hidden] { display: none; }
`;

const script = `
for (const select of document.querySelectorAll("select"))
  select.addEventListener("change", () => {
    for (const part of document.querySelectorAll("[data-choice]"))
      if (part.dataset.choice === select.id) part.hidden = part.dataset.value !== select.value;
  });
`;
