/**
 * Common cross-lane routines written out as loops over the columns they work on: for the engine, where the call of a routine
 * that takes every kind of scalar costs more than what it does. What is not here is called (`src/sim/collectives`); both give
 * the same values.
 */
import { startOf } from "../../src/ops/folds.js";
import type { Fold } from "../../src/ops/row.js";
import type { ScalarKind } from "../../src/types/types.js";
import { foldText } from "./fold-text.js";

export interface CollectiveCall {
  readonly routine: string;
  readonly fold: Fold | undefined;
  readonly scalar: ScalarKind;
  /** Text of each; a column has an element per lane. */
  readonly operands: readonly { readonly text: string; readonly column: boolean }[];
  /** The column of results, of routines whose result differs from lane to lane. */
  readonly result: string | undefined;
  readonly site: number;
  readonly range: readonly [string, string];
  readonly masked: boolean;
  /** Known width of subgroups. */
  readonly width: number | undefined;
  readonly unique: (name: string) => string;
  readonly runtime: (name: string) => string;
}

export interface Written {
  readonly lines: readonly string[];
  /** Values of the results that are the same in all lanes. */
  readonly values: readonly string[];
}

const numbers: ReadonlySet<ScalarKind> = new Set(["i32", "u32", "f32", "i16", "u16", "i8", "u8"]);

/** Lane that is read, from the lane that reads (`l`, counted in the workgroup) and the operand. */
const sources: Readonly<
  Record<
    string,
    {
      readonly from: (k: string, start: string) => string;
      readonly keeps?: (from: string, width: string) => string;
      readonly low: boolean;
    }
  >
> = {
  shuffle: { from: (k) => k, low: false },
  shuffle_xor: { from: (k, start) => `(l - ${start} ^ ${k}) >>> 0`, low: false },
  shuffle_up: { from: (k, start) => `l - ${start} - ${k}`, low: true },
  shuffle_down: { from: (k, start) => `l - ${start} + ${k}`, low: false },
  shuffle_up_keep: { from: (k, start) => `l - ${start} - ${k}`, keeps: (from) => `${from} < 0`, low: true },
  shuffle_down_keep: {
    from: (k, start) => `l - ${start} + ${k}`,
    keeps: (from, width) => `${from} >= ${width}`,
    low: false,
  },
};

export function writeOut(c: CollectiveCall): Written | undefined {
  const [data, second] = c.operands;
  if (!data?.column) return undefined;
  const [start, end] = c.range;
  const loop = (body: readonly string[], from = start): string[] => [
    `for (let l = ${from}; l < ${end}; l++) {`,
    ...(c.masked ? ["  if (wait[l] !== 0) continue;"] : []),
    ...body.map((b) => `  ${b}`),
    "}",
  ];
  const first = c.masked ? `${c.runtime("firstActive")}(wait, ${start}, ${end})` : start;
  const value = `${data.text}[l]`;
  if (c.scalar === "bool") return predicate(c, data.text, loop);
  if (!numbers.has(c.scalar)) return undefined;
  if (c.result === undefined) {
    if (c.routine === "broadcast_first") return { lines: [], values: [`${data.text}[${first}]`] };
    if (c.routine === "broadcast" && second && !second.column) {
      const k = c.unique("from");
      const there = `${k} < ${end} - ${start}${c.masked ? ` && wait[${start} + ${k}] === 0` : ""}`;
      const absent = missing(c, data.text, k, start);
      return {
        lines: [`const ${k} = ${second.text};`],
        values: [`${there} ? ${data.text}[${start} + ${k}] : ${absent}`],
      };
    }
    const sum = c.unique("sum");
    const next = foldText(c.scalar, c.routine, sum, value, c.runtime);
    if (next === undefined) return undefined;
    const identity = startOf(c.routine, c.scalar);
    if (identity !== undefined)
      return { lines: [`let ${sum} = ${String(identity)};`, ...loop([`${sum} = ${next};`])], values: [sum] };
    const at = c.unique("first");
    return {
      lines: [
        `const ${at} = ${first};`,
        `let ${sum} = ${data.text}[${at}];`,
        ...loop([`${sum} = ${next};`], `${at} + 1`),
      ],
      values: [sum],
    };
  }
  const move = sources[c.routine];
  if (move && second) {
    const from = c.unique("from");
    const k = second.column ? `${second.text}[l]` : second.text;
    const within = `${move.low ? `${from} >= 0 && ` : ""}${from} < ${end} - ${start}${c.masked ? ` && wait[${start} + ${from}] === 0` : ""}`;
    const read = `${within} ? ${data.text}[${start} + ${from}] : ${missing(c, data.text, from, "l")}`;
    const kept = move.keeps
      ? `${move.keeps(from, c.width === undefined ? "width" : String(c.width))} ? ${value} : ${read}`
      : read;
    return { lines: loop([`const ${from} = ${move.from(k, start)};`, `${c.result}[l] = ${kept};`]), values: [] };
  }
  // Where lanes wait the first one has to be found, which the routine does.
  if (c.fold?.form !== "inclusive" || !(c.fold.over === "subgroup" || c.fold.over === "workgroup") || c.masked)
    return undefined;
  const { operation } = c.fold;
  const sum = c.unique("sum");
  const next = foldText(c.scalar, operation, sum, value, c.runtime);
  if (next === undefined) return undefined;
  const identity = startOf(operation, c.scalar);
  if (identity !== undefined)
    return {
      lines: [`let ${sum} = ${String(identity)};`, ...loop([`${sum} = ${next};`, `${c.result}[l] = ${sum};`])],
      values: [],
    };
  const head = [`let ${sum} = ${data.text}[${start}];`, `${c.result}[${start}] = ${sum};`];
  return { lines: [...head, ...loop([`${sum} = ${next};`, `${c.result}[l] = ${sum};`], `${start} + 1`)], values: [] };
}

const missing = (c: CollectiveCall, data: string, from: string, lane: string): string =>
  `${c.runtime("taken")}(m, "${c.scalar}", ${c.site}, ${c.masked ? "wait" : "null"}, ${c.range.join(", ")}, ${data}, ${from}, ${lane})`;

function predicate(
  c: CollectiveCall,
  column: string,
  loop: (body: readonly string[]) => string[],
): Written | undefined {
  const [start] = c.range;
  const found = c.unique("found");
  switch (c.routine) {
    case "all":
      return {
        lines: [`let ${found} = true;`, ...loop([`if (${column}[l] === 0) ${found} = false;`])],
        values: [found],
      };
    case "any":
      return {
        lines: [`let ${found} = false;`, ...loop([`if (${column}[l] !== 0) ${found} = true;`])],
        values: [found],
      };
    case "count_true":
      return { lines: [`let ${found} = 0;`, ...loop([`if (${column}[l] !== 0) ${found}++;`])], values: [found] };
    case "prefix_count_true":
      return {
        lines: [`let ${found} = 0;`, ...loop([`${c.result}[l] = ${found};`, `if (${column}[l] !== 0) ${found}++;`])],
        values: [],
      };
    case "ballot":
      if (c.width === undefined || c.width > 32) return undefined;
      return {
        lines: [`let ${found} = 0;`, ...loop([`if (${column}[l] !== 0) ${found} |= 1 << l - ${start};`])],
        values: [`${found} >>> 0`, "0", "0", "0"],
      };
    default:
      return undefined;
  }
}
