/**
 * Printed TypeScript as Prettier lays it out. Most lines of a kernel stand that way already, and Prettier takes longer for a text than
 * all else does: it is given what is around the bodies of kernels, and the other lines, each in as many blocks as it lies in. Of what
 * was laid out before, it is given nothing.
 */
import { isLaidOut, printWidth } from "./line-layout.js";

/** Characters that are laid out: Prettier takes a second for a hundred thousand, and nobody reads more. */
const mostLaidOut = 400_000;

/** What was laid out, for texts that come after: as of a kernel that is translated again and again while it is written. */
export class Layouts {
  private known = new Map<string, string>();
  private characters = 0;

  get(text: string): string | undefined {
    return this.known.get(text);
  }

  set(text: string, laidOut: string): void {
    this.characters += text.length + laidOut.length;
    if (this.characters > mostKept) {
      this.known = new Map();
      this.characters = text.length + laidOut.length;
    }
    this.known.set(text, laidOut);
  }
}

const mostKept = 4_000_000;

export async function layOut(text: string, layouts?: Layouts): Promise<string> {
  if (text.length > mostLaidOut) return text;
  try {
    const parts = partsOf(text.split("\n"));
    return (parts && (await byParts(parts, layouts))) ?? (await byPrettier(text));
  } catch (error) {
    // Expressions of a thousand operands are too deep for it; the text is the same program as it is.
    if (error instanceof RangeError) return text;
    throw error;
  }
}

/** Prettier is large, so it is loaded where a text is for people. */
export async function byPrettier(text: string): Promise<string> {
  const [prettier, typescript, estree] = await Promise.all([
    import("prettier/standalone"),
    import("prettier/plugins/typescript"),
    import("prettier/plugins/estree"),
  ]);
  const plugins = [typescript, estree as unknown as typeof typescript];
  // With a name it is known that there is no JSX; to look for it takes time that grows with the square of the text.
  return prettier.format(text, { parser: "typescript", filepath: "kernel.ts", plugins, printWidth });
}

interface Parts {
  /** The text, with a filler for each body. */
  readonly around: string;
  /** Of each kernel: lines that stand as they are, and pieces. */
  readonly bodies: readonly (readonly (string | Piece)[])[];
}

/** A line that Prettier is asked about; `text` has the blanks before it. */
interface Piece {
  readonly text: string;
  readonly indent: number;
  /** It opens a block. */
  readonly opens: boolean;
}

const bodyStart = "  (m: Machine) => {";
const bodyEnd = "  },";
const bodyIndent = 4;
/** A statement that stands for others. */
const filler = "$_;";
const piecesStart = "function $() {";
const indented = (indent: number, text: string): string => " ".repeat(indent) + text;

/** Undefined where there are lines that this does not know. */
function partsOf(lines: readonly string[]): Parts | undefined {
  const around: string[] = [];
  const bodies: (string | Piece)[][] = [];
  let body: (string | Piece)[] | undefined;
  for (const [i, line] of lines.entries()) {
    if (body === undefined) {
      around.push(line);
      if (line !== bodyStart) continue;
      bodies.push((body = []));
      around.push(filler);
    } else if (line === bodyEnd) {
      body = undefined;
      around.push(line);
    } else {
      const part = partOf(line, lines[i + 1]!);
      if (part === undefined) return undefined;
      body.push(part);
    }
  }
  return body === undefined ? { around: around.join("\n"), bodies } : undefined;
}

function partOf(text: string, next: string): string | Piece | undefined {
  const line = text.trimStart();
  const indent = text.length - line.length;
  // Of blank lines and empty blocks some are removed.
  if (line === "" || indent < bodyIndent || indent % 2 !== 0) return undefined;
  const opens = line.endsWith("{");
  if (opens && next.trimStart().startsWith("}")) return undefined;
  if (isLaidOut(line, indent)) return text;
  const known = opens ? /^(?:(?:\w+: )?(?:for|while|if) \(|function )/ : /^[^}/].*;$/;
  return known.test(line) ? { text, indent, opens } : undefined;
}

/** Undefined where what comes back is not what was given. */
async function byParts({ around, bodies }: Parts, layouts = new Layouts()): Promise<string | undefined> {
  const found = new Map<string, string>();
  const missing = new Map<string, Piece>();
  for (const part of bodies.flat()) {
    if (typeof part === "string" || found.has(part.text)) continue;
    const known = layouts.get(part.text);
    if (known === undefined) missing.set(part.text, part);
    else found.set(part.text, known);
  }
  let outer = layouts.get(around);
  if (outer === undefined || missing.size > 0) {
    const asked = [...missing.values()];
    const laid = await byPrettier((outer === undefined ? around : "") + textOf(asked));
    const start = laid.startsWith(piecesStart) ? 0 : laid.lastIndexOf(`\n${piecesStart}\n`);
    if (start === -1) return undefined;
    const texts = piecesIn(laid.slice(start), asked);
    if (!texts) return undefined;
    for (const [i, { text }] of asked.entries()) {
      found.set(text, texts[i]!);
      layouts.set(text, texts[i]!);
    }
    outer ??= laid.slice(0, start);
    layouts.set(around, outer);
  }
  const between = outer.split(indented(bodyIndent, filler));
  if (between.length !== bodies.length + 1) return undefined;
  const bodyTexts = bodies.map((body) => body.map((p) => (typeof p === "string" ? p : found.get(p.text)!)).join("\n"));
  return between.map((text, i) => text + (bodyTexts[i] ?? "")).join("");
}

/** A function with the pieces, and fillers around each. Where bodies are, in an argument, Prettier would lay them out more than once. */
function textOf(pieces: readonly Piece[]): string {
  const text = [piecesStart];
  let at = 2;
  const moveTo = (indent: number): void => {
    for (; at < indent; at += 2) text.push("{");
    for (; at > indent; at -= 2) text.push("}");
  };
  for (const { text: piece, indent, opens } of pieces) {
    moveTo(indent);
    text.push(filler, piece, opens ? `${filler}\n}` : filler);
  }
  moveTo(2);
  return `\n${text.join("\n")}\n}\n`;
}

/** Each piece of a text as `textOf` makes it, laid out. */
function piecesIn(text: string, pieces: readonly Piece[]): string[] | undefined {
  const lines = text.split("\n");
  const texts: string[] = [];
  let at = 0;
  for (const { indent, opens } of pieces) {
    const start = lines.indexOf(indented(indent, filler), at) + 1;
    const end = lines.indexOf(indented(opens ? indent + 2 : indent, filler), start);
    if (start === 0 || end === -1) return undefined;
    texts.push(lines.slice(start, end).join("\n"));
    at = end + 1;
  }
  return texts;
}
