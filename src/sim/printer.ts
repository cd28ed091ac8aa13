/** What a kernel prints while it runs. */
import { printedText } from "../ast/print-format.js";
import type { ProgramFormat } from "../regions/tree.js";
import { noSpan, type Span } from "../support/span.js";
import type { LaunchMemory } from "./launch-memory.js";
import { printScalar } from "./print-numbers.js";
import type { Scalar } from "./scalars.js";

/** Characters that are kept of a launch's text. */
const mostCharacters = 2 ** 20;

/** What a place prints by; modules have no place. */
export type LaunchFormat = Pick<ProgramFormat, "pieces"> & Partial<Pick<ProgramFormat, "span">>;

/** One call of a function that prints. */
export interface PrintedMessage {
  readonly text: string;
  readonly workgroup: readonly [number, number, number];
  /** Local id of the invocation. */
  readonly lane: readonly [number, number, number];
  /** Of the call. */
  readonly span: Span;
}

export interface Printed {
  /** By workgroup, in it by local index, of one invocation as it printed them. */
  readonly messages: readonly PrintedMessage[];
  /** Messages that are not kept, since those before them are so long. */
  readonly leftOut: number;
}

/** `kept`: the characters that `s` prints, as many as its argument says from the end, and those are gone. */
export function formatted(format: LaunchFormat, values: readonly Scalar[], kept: number[] = []): string {
  const isText = format.pieces.flatMap((p) =>
    typeof p === "string" ? [] : Array<boolean>(p.components).fill(p.letter === "s"),
  );
  const texts = kept.splice(kept.length - values.reduce<number>((n, v, i) => n + (isText[i] ? Number(v) : 0), 0));
  let next = 0;
  return format.pieces
    .map((p) => {
      if (typeof p === "string") return p;
      const from = next;
      next += p.components;
      if (p.letter === "s") return printedText(Uint8Array.from(texts.splice(0, Number(values[from]))), p);
      // OpenCL C 3.0 6.15.14.2: components are separated by commas.
      return values
        .slice(from, next)
        .map((x) => printScalar(p, x))
        .join(",");
    })
    .join("");
}

export class Printer {
  private readonly list: { readonly group: number; readonly index: number; readonly message: PrintedMessage }[] = [];
  private characters = 0;
  private leftOut = 0;
  /** Characters by invocation, which its next text is printed of. */
  private readonly kept = new Map<number, number[]>();

  constructor(private readonly formats: readonly LaunchFormat[]) {}

  print(memory: LaunchMemory, format: number, lane: number, values: readonly Scalar[]): void {
    const { span = noSpan, pieces } = this.formats[format]!;
    const [first] = pieces;
    const kept = this.kept.get(lane) ?? [];
    this.kept.set(lane, kept);
    if (typeof first === "object" && first.kept) return void kept.push(Number(values[0]));
    const text = formatted({ pieces }, values, kept);
    if (this.characters >= mostCharacters) return void this.leftOut++;
    memory.whichGroup?.();
    const machine = memory.current!;
    this.characters += text.length;
    this.list.push({
      group: memory.groupIndex,
      index: machine.local_index[lane]!,
      message: { text, workgroup: [...memory.group], lane: machine.localId(lane), span },
    });
  }

  get printed(): Printed {
    const sorted = [...this.list].sort((a, b) => a.group - b.group || a.index - b.index);
    return { messages: sorted.map((x) => x.message), leftOut: this.leftOut };
  }
}
