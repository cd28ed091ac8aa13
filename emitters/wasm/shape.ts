/** What one encoded kernel needs at run time, as data: what it imports, and where things lie in the part of memory it owns. */
import type { MachineScalar } from "../../src/regions/tree.js";
import type { FunctionType, ValueType } from "./bytes.js";
import { f32, f64, i32, i64 } from "./bytes.js";

/** How a value of a kind is held; an index crosses to JavaScript as a double. */
export function heldAs(kind: MachineScalar): ValueType {
  switch (kind) {
    case "index":
    case "i64":
    case "u64":
      return i64;
    case "f64":
      return f64;
    case "f32":
    case "f16":
    case "bf16":
      return f32;
    default:
      return i32;
  }
}

export const passedAs = (kind: MachineScalar): ValueType => (kind === "index" ? f64 : heldAs(kind));

/** A function of JavaScript: of the launch's machine or of the runtime, the first arguments known. */
export interface CallImport {
  readonly on: "machine" | "runtime";
  readonly name: string;
  readonly leading: readonly (string | number | boolean | undefined)[];
  readonly parameters: readonly MachineScalar[];
  readonly result: MachineScalar | undefined;
}

/** A column of slots: an array of kind `scalar` at a byte. */
export interface ColumnPlace {
  readonly scalar: MachineScalar;
  readonly at: number;
}

/**
 * A cross-lane routine, or a check of the machine over lanes: called with `start`, `end` and the operands that are no columns.
 * `words`: where the machine's words go afterwards.
 */
export interface RoutineImport {
  readonly on: "routine" | "lanes";
  readonly name: string;
  /** Kind of a routine's data; of a check what it is told besides. */
  readonly scalar: string;
  readonly words: number | undefined;
  readonly site: number;
  readonly masked: boolean;
  readonly column: ColumnPlace | undefined;
  readonly operands: readonly (ColumnPlace | { readonly value: MachineScalar })[];
  readonly result: MachineScalar | undefined;
}

export type ImportedFunction = CallImport | RoutineImport;

export type ImportedGlobal =
  | { readonly kind: "base"; readonly object: number }
  | { readonly kind: "limit"; readonly limit: number }
  | { readonly kind: "value"; readonly value: number; readonly at: number; readonly scalar: MachineScalar }
  | { readonly kind: "fill"; readonly scalar: MachineScalar }
  /** Twice the pattern that an object comes into scope with. */
  | { readonly kind: "pattern"; readonly object: number }
  /** A number of the machine, by its field. */
  | { readonly kind: "field"; readonly name: string }
  /** Where the part begins or ends that each workgroup finds filled. */
  | { readonly kind: "scratch"; readonly bound: "start" | "end" }
  /** How far the shadow of memory lies from it. */
  | { readonly kind: "shadow"; readonly at: number }
  | { readonly kind: "elements"; readonly object: number; readonly offset: number; readonly stride: number };

export interface EncodedKernel {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly functions: readonly ImportedFunction[];
  readonly globals: readonly ImportedGlobal[];
  readonly limits: readonly { readonly object: number; readonly unit: number; readonly reach: number }[];
  readonly frame: {
    readonly start: number;
    /** Bytes from there on that are the kernel's own: slots, the wait array, tables. */
    readonly bytes: number;
    readonly wait: number | undefined;
    readonly cover: number | undefined;
    /** Tables of u32 of the machine, by their field. */
    readonly tables: readonly {
      readonly name: "local_x" | "local_y" | "local_z" | "local_index";
      readonly at: number;
    }[];
    readonly columns: readonly ColumnPlace[];
  };
  /** Bytes of each shadow for each byte of memory, and how many there are. */
  readonly shadows: { readonly scale: number; readonly count: number };
  /** Runs of lanes that are encoded as vectors. */
  readonly vectorised: number;
  /** Why others are not. */
  readonly byLane: readonly string[];
}

export const typeOfImport = (f: ImportedFunction): FunctionType =>
  "operands" in f
    ? {
        parameters: [i32, i32, ...f.operands.flatMap((o) => ("value" in o ? [passedAs(o.value)] : []))],
        results: f.result === undefined ? [] : [passedAs(f.result)],
      }
    : {
        parameters: f.parameters.map(passedAs),
        results: f.result === undefined ? [] : [passedAs(f.result)],
      };

export const globalType = (g: ImportedGlobal): ValueType =>
  g.kind === "limit" || g.kind === "pattern" ? i64 : g.kind === "value" || g.kind === "fill" ? heldAs(g.scalar) : i32;

/** What lanes that go together never do: where they come to it the run is given up, and done again one by one. */
export const outOfTheOrdinary: ReadonlySet<string> = new Set([
  "unfit",
  "outOfSteps",
  "outOfBounds",
  "outside",
  "misaligned",
]);
