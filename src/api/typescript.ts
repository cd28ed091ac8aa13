/** The `ts` target: a module that runs the kernels of a source. */
import type { Printed } from "../../emitters/index.js";
import { printModule, type PrintedModule } from "../../emitters/typescript/module.js";
import type { SourceLine } from "../../emitters/typescript/text.js";
import type { Module } from "../ast/nodes.js";
import { programOf } from "../sim/program.js";
import type { Problem } from "../support/diagnostics.js";
import { locate } from "../support/expanded-source.js";
import type { ExpandedSource } from "../support/expanded-source.js";
import type { Span } from "../support/span.js";
import { layOut, type Layouts } from "./typescript-layout.js";

/** The text for people, with types, laid out by Prettier, or without types as it is printed; or what of the kernels the simulator's machine cannot do. */
export async function printTypescript(
  module: Module,
  expanded: ExpandedSource,
  types = true,
  layouts?: Layouts,
): Promise<(Printed & Pick<PrintedModule, "declarations">) | { readonly problems: readonly Problem[] }> {
  const printed = printPrograms(module, types, expanded);
  if ("problems" in printed) return printed;
  const text = types ? await layOut(printed.text, layouts) : printed.text;
  const sections = sectionsOf(text);
  const before = sectionsOf(printed.text);
  if (before.length !== sections.length) throw new Error("a source comment was lost in layout");
  const starts = lineStarts(text);
  const startOf = (line: number): number => starts[line] ?? text.length + 1;
  const ends = sectionEnds(text, sections);
  const map = printed.map.flatMap(({ line, span }) => {
    const section = lastAtMost(before, line - 1);
    if (section === -1) return [];
    return [{ span, start: startOf(sections[section]!), end: startOf(ends[section]!) - 1 }];
  });
  return { text, map, declarations: printed.declarations };
}

/** Of a sorted list, the index of the last number up to `limit`, or -1. */
function lastAtMost(list: readonly number[], limit: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Lines (from 0) of the comments that name source lines: layout keeps them in order, and what they are about follows them. */
function sectionsOf(text: string): number[] {
  return text.split("\n").flatMap((line, i) => (/^\s*\/\/ (?:.*:)?\d+: /.test(line) ? [i] : []));
}

/** The line behind each section: where the next one begins, or the block around it ends. */
function sectionEnds(text: string, sections: readonly number[]): number[] {
  const lines = text.split("\n");
  const indentOf = (line: string): number => line.length - line.trimStart().length;
  return sections.map((first, i) => {
    const next = sections[i + 1] ?? lines.length;
    const indent = indentOf(lines[first]!);
    let end = first + 1;
    while (end < next && (lines[end]!.trim() === "" || indentOf(lines[end]!) >= indent)) end++;
    return end;
  });
}

export function printPrograms(
  module: Module,
  types: boolean,
  expanded: ExpandedSource,
): ReturnType<typeof printModule> | { problems: readonly Problem[] } {
  const programs = [];
  for (const entry of module.entries) {
    const built = programOf(module, entry, {});
    if ("problem" in built) return { problems: [built.problem] };
    programs.push(built.program);
  }
  return printModule(programs, { types, lineOf: (span) => lineOf(span, expanded) });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** A source is split once for all its lines. */
const splitTexts = new WeakMap<ExpandedSource["files"][number], readonly string[]>();

function linesOf(expanded: ExpandedSource, name: string): readonly string[] | undefined {
  const file = expanded.files.find((f) => f.name === name);
  if (!file) return undefined;
  let lines = splitTexts.get(file);
  if (!lines) splitTexts.set(file, (lines = file.text.split("\n")));
  return lines;
}

function lineOf(span: Span, expanded: ExpandedSource): SourceLine | undefined {
  if (span.end <= span.start) return undefined;
  const { file, line } = locate(expanded, span);
  const text = linesOf(expanded, file)?.[line - 1];
  if (text === undefined) return undefined;
  // It becomes a comment: nothing in it may end one.
  const plain = (words: string): string => words.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const own = file === expanded.files[0]?.name;
  return { place: own ? `${line}` : `${plain(file)}:${line}`, text: plain(text) };
}
