/** `out/{target}/{dir}/{name}.{ext}`: where a text is written. */
import { resolve, sep } from "node:path";
import { didYouMean } from "../support/did-you-mean.js";

const placeholders = ["target", "profile", "from", "dir", "name", "entry", "ext"] as const;
export type OutParts = Readonly<Record<(typeof placeholders)[number], string>>;

/** What is wrong with a pattern. */
export function outProblem(pattern: string): { readonly message: string; readonly help?: string } | undefined {
  if (pattern.trim() === "") return { message: "a pattern of outputs is not empty" };
  if (/[/\\]$/.test(pattern)) return { message: `'${pattern}' names a folder`, help: "add {name}.{ext}" };
  for (const [whole, name] of pattern.matchAll(/\{([^{}]*)\}/g))
    if (!(placeholders as readonly string[]).includes(name!))
      return {
        message: `there is no placeholder '${whole}'`,
        help: didYouMean(name!, placeholders) ?? `there are ${placeholders.map((p) => `{${p}}`).join(", ")}`,
      };
  return undefined;
}

/** Where the texts of an input for a target go. */
export interface OutPlace extends Omit<OutParts, "name" | "entry"> {
  readonly pattern: string;
  readonly stem: string;
}

/** `part` tells apart the texts of a source with several entries: with {entry} in the pattern it has its own place. */
export function placeOf({ pattern, stem, ...parts }: OutPlace, part: string | undefined, folder: string): string {
  const name = part === undefined || pattern.includes("{entry}") ? stem : `${stem}.${part}`;
  return outFile(pattern, { ...parts, name, entry: part ?? stem }, folder);
}

/** The file of a text. Folders that are empty fall away. */
function outFile(pattern: string, parts: OutParts, folder: string): string {
  // Of one piece of the path at a time, so that what is filled in adds no folders but {dir}.
  const pieces = pattern.split(/[/\\]/).flatMap((piece) => {
    if (piece === "{dir}") return parts.dir === "" ? [] : [parts.dir];
    return [
      piece.replace(/\{([^{}]*)\}/g, (_, name: keyof OutParts) =>
        name === "dir" ? parts.dir.replaceAll("/", "-") : parts[name],
      ),
    ];
  });
  const path = pieces.join("/");
  // Of thousands of files this is felt.
  return /^[^/\\.:][^\\]*$/.test(path) && !path.includes("/.") && !path.includes("//") && sep === "/"
    ? `${folder}/${path}`
    : resolve(folder, path);
}
