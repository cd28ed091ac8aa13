/** What a kernel prints while it runs. */
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

export function formatted(format: LaunchFormat, values: readonly Scalar[]): string {
  let next = 0;
  return format.pieces
    .map((p) => {
      if (typeof p === "string") return p;
      const from = next;
      next += p.components;
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

  constructor(private readonly formats: readonly LaunchFormat[]) {}

  print(memory: LaunchMemory, format: number, lane: number, values: readonly Scalar[]): void {
    if (this.characters >= mostCharacters) return void this.leftOut++;
    memory.whichGroup?.();
    const machine = memory.current!;
    const { span = noSpan, pieces } = this.formats[format]!;
    const text = formatted({ pieces }, values);
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
