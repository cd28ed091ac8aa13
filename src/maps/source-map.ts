/** Source maps of version 3 (ECMA-426), from outputs to the files they were made from. */
import { GenMapping, addMapping, setSourceContent, toEncodedMap } from "@jridgewell/gen-mapping";
import { own } from "../support/own.js";
import { changesOf, originsOf } from "./origins.js";
import type { MappedText, Original } from "./origins.js";

/** As its JSON says: `mappings` is encoded, lines of the text with `;` between them. */
export interface SourceMap {
  readonly version: 3;
  readonly file?: string;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly (string | null)[];
  readonly names: readonly string[];
  readonly mappings: string;
}

export interface SourceMapOptions {
  /** The output, as the map names it. */
  readonly file?: string;
  /** The name of a source in the map, from its name in diagnostics. */
  readonly sourceName?: (file: string) => string;
}

export function sourceMapOf(text: MappedText, original: Original, options: SourceMapOptions = {}): SourceMap {
  const { file, sourceName = (name: string) => name } = options;
  const origin = originsOf(text, original);
  const map = new GenMapping({ ...(file === undefined ? {} : { file }) });
  const contents = Object.fromEntries(original.expanded.files.map((f) => [f.name, f.text]));
  // The text as it was given, with the C++ around it where it is a raw string.
  contents[original.fileName] = original.source;
  const told = new Set<string>();
  const put = (line: number, column: number, span: { start: number; end: number } | undefined): void => {
    const generated = { line, column };
    if (!span) return addMapping(map, { generated });
    const place = origin(span);
    const source = sourceName(place.file);
    addMapping(map, { generated, source, original: { line: place.line, column: place.column - 1 } });
    if (told.has(source)) return;
    told.add(source);
    setSourceContent(map, source, own(contents, place.file) ?? null);
  };
  const changes = changesOf(text);
  let next = 0;
  let current: (typeof changes)[number] | undefined;
  let start = 0;
  for (const [index, line] of text.code.split("\n").entries()) {
    const end = start + line.length;
    // Positions are looked up line by line: each begins with what goes on from the line before.
    while (changes[next] && changes[next]!.at <= start) current = changes[next++];
    const indent = line.length - line.trimStart().length;
    if (current?.span && indent < line.length && !(changes[next] && changes[next]!.at <= start + indent))
      put(index + 1, indent, current.span);
    for (; changes[next] && changes[next]!.at < end; next++) {
      current = changes[next]!;
      put(index + 1, current.at - start, current.span);
    }
    start = end + 1;
  }
  const { sources, sourcesContent, names, mappings } = toEncodedMap(map);
  return {
    version: 3,
    ...(file === undefined ? {} : { file }),
    sources: sources.map((s) => s ?? ""),
    sourcesContent: sourcesContent ?? [],
    names: [...names],
    mappings,
  };
}

/** The comment that names a map, which all targets take: behind the text, on a line of its own. */
export const mapComment = (url: string): string => `//# sourceMappingURL=${url}\n`;

/** A map within its text. */
export function inlineMapUrl(map: SourceMap): string {
  const bytes = new TextEncoder().encode(JSON.stringify(map));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `data:application/json;charset=utf-8;base64,${btoa(binary)}`;
}
