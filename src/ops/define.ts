/** The small language rows are written in. */
import { byDialect, type Dialect } from "../dialects/ids.js";
import type { OpId } from "../ast/nodes.js";
import type { Expr } from "../ast/nodes.js";
import type { ScalarKind, Type } from "../types/types.js";
import type {
  Cell,
  Effect,
  Evidence,
  Expansion,
  NativeCell,
  Open,
  OperandSet,
  OpFamily,
  OpRow,
  LoweringCell,
  RefusedCell,
} from "./row.js";

/** `f32 f16` of sizes 1 to 4, `i32x1` style suffixes restrict the size: `set("f32 f16", 3)`. */
export function set(scalars: string, ...sizes: number[]): OperandSet {
  return { scalars: scalars.split(" ") as ScalarKind[], sizes: sizes.length === 0 ? [1, 2, 3, 4] : sizes };
}

export const floats = set("f32 f16");
/** Floats of every width, where a dialect has doubles. */
export const anyFloats = set("f32 f16 f64");
/** With MSL's bfloat: its relational functions (3.1 section 6.4) are the only ones that take it as it is. Elsewhere it is bits and floats. */
export const orBfloat = ({ scalars, sizes }: OperandSet): OperandSet => ({ scalars: [...scalars, "bf16"], sizes });
export const integers = set("i32 u32 i16 u16 i8 u8 i64 u64");
export const integers32 = set("i32 u32");
export const numbers = set("f32 f16 f64 i32 u32 i16 u16 i8 u8 i64 u64");

type NativeOptions = Partial<Omit<NativeCell, "kind" | "names" | "on">> & { readonly on?: OperandSet };

/** A native cell; several names separated by blanks, the first is written. */
export function native(names: string, evidence: Evidence, options: NativeOptions | string = {}): NativeCell {
  const more = typeof options === "string" ? { signatures: [options] } : options;
  return { kind: "native", names: names.split(" "), evidence, ...more };
}
/** A spelling that is read as this op and never written. */
export function reads(names: string, evidence: Evidence, options: NativeOptions | string = {}): NativeCell {
  const more = typeof options === "string" ? { signatures: [options] } : options;
  return { kind: "native", names: names.split(" "), evidence, readOnly: true, ...more };
}
/** A spelling that is written for this op and read as the stronger op `readsAs`. */
export function writes(
  names: string,
  readsAs: OpId,
  evidence: Evidence,
  options: NativeOptions | string = {},
): NativeCell {
  const more = typeof options === "string" ? { signatures: [options] } : options;
  return { kind: "native", names: names.split(" "), evidence, readsAs, ...more };
}
export function lowering(name: string, options: Partial<Omit<LoweringCell, "kind" | "lowering">> = {}): LoweringCell {
  return { kind: "lowering", lowering: name, evidence: `lowerings.md ${name}`, ...options };
}
/** The row's own `expand` tree, written inline or as a helper function. */
export const expanded: LoweringCell = { kind: "lowering", lowering: "expand", evidence: "lowerings.md expand" };
export function refused(reason: string, options: Partial<Omit<RefusedCell, "kind" | "reason">> = {}): RefusedCell {
  return { kind: "refused", reason, ...options };
}

export const map = (op: string): Expansion => ({ kind: "map", op });
export const tree = (build: (args: readonly Expr[], type: Type) => Expr): Expansion => ({
  kind: "tree",
  build,
});
export const collective = (routine: string): Expansion => ({ kind: "collective", routine });
export const routine = (name: string): Expansion => ({ kind: "routine", routine: name });

/** A dialect without a cell does not have the op: what needs it is refused there. */
type Cells = { readonly [D in Dialect]?: Cell | readonly Cell[] };

/** Facts of a row that not every op has. */
const optionalFacts = [
  "agreement",
  "powersOfTwo",
  "run",
  "fold",
  "from",
  "givesLanes",
  "tellsSpecialNumbers",
  "saturates",
  "rounding",
  "vector",
  "byComponent",
  "everySize",
  "goesOn",
  "strided",
  "variant",
  "whereKnown",
  "result",
] as const satisfies readonly (keyof OpRow)[];
type OptionalFacts = Pick<OpRow, (typeof optionalFacts)[number]>;

export interface Definition extends Cells, OptionalFacts {
  readonly open?: Open | readonly Open[];
  readonly summary: string;
  readonly signature: string;
  readonly on?: OperandSet;
  readonly effect?: Effect;
  readonly expand: Expansion;
}

const list = (cells: Cell | readonly Cell[] = []): readonly Cell[] =>
  Array.isArray(cells) ? (cells as readonly Cell[]) : [cells as Cell];

export function define(family: OpFamily, id: OpId, d: Definition): OpRow {
  const facts: OptionalFacts = Object.fromEntries(
    optionalFacts.flatMap((fact) => (d[fact] === undefined ? [] : [[fact, d[fact]]])),
  );
  const open = d.open && (Array.isArray(d.open) ? (d.open as readonly Open[]) : [d.open as Open]);
  return {
    id,
    family,
    effect: d.effect ?? "pure",
    summary: d.summary,
    signature: d.signature,
    on: d.on ?? floats,
    expand: d.expand,
    cells: byDialect((dialect) => list(d[dialect])),
    ...facts,
    ...(open ? { open } : {}),
  };
}
