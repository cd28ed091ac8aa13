/** The text of a translation as it is written: with `#line` directives and a source map where they are asked for. */
import { factsOf, lineFiles } from "../dialects/languages.js";
import type { Target } from "../dialects/ids.js";
import { withLineDirectives } from "../maps/line-directives.js";
import { inlineMapUrl, mapComment, sourceMapOf } from "../maps/source-map.js";
import type { SourceMap } from "../maps/source-map.js";
import { stemOf } from "./options.js";
import type { Compilation } from "./compile.js";
import type { Output } from "./translate.js";

export interface WriteOptions {
  readonly lineDirectives?: boolean;
  /** `true`: beside the text, which `mapUrl` names; "inline": in a comment of the text. */
  readonly sourceMap?: boolean | "inline";
  /** Whole lines in front of the text, which its map counts. */
  readonly heading?: string;
  /** What the text is called, in its map and directives. */
  readonly file?: string;
  /** Where the comment behind the text finds the map; without it there is none. */
  readonly mapUrl?: string;
  /** The name of a source in the map, from its name in diagnostics. */
  readonly sourceName?: (file: string) => string;
}

export interface Written {
  readonly code: string;
  readonly map?: SourceMap;
}

export function writtenOutput(
  compilation: Compilation,
  target: Target,
  output: Pick<Output, "code" | "map" | "formatted">,
  options: WriteOptions,
): Written {
  const file = options.file ?? `${stemOf(compilation.fileName)}.${factsOf(target)?.extension ?? "ts"}`;
  const files = options.lineDirectives ? lineFiles(target) : undefined;
  const text = files ? withLineDirectives(output, compilation, { file, files }) : output;
  const { sourceName, heading = "" } = options;
  const code = heading + text.code;
  if (!options.sourceMap) return { code };
  const bare = sourceMapOf(text, compilation, { file, ...(sourceName ? { sourceName } : {}) });
  // Lines are parted by semicolons.
  const map = { ...bare, mappings: ";".repeat(heading.split("\n").length - 1) + bare.mappings };
  const url = options.sourceMap === "inline" ? inlineMapUrl(map) : options.mapUrl;
  return { code: url === undefined ? code : code + mapComment(url), map };
}
