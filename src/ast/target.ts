/**
 * The nodes that only the target tree holds: what ops, builtin values, barriers and words of raw buffers have become
 * once it is settled how the target writes them. Everything else is as `nodes.ts` has it, with these in the place of
 * `op`, `builtin` and `barrier`. Printers decide nothing: spelling and needed features stand in the node.
 */
import type { Type } from "../types/types.js";
import type { Expr, ExprBase, Place, PlaceBase, Stage, StatementBase, VarId } from "./nodes.js";

/**
 * How a target writes an operation. The operands' types and `result` are the target's own at the call; the printer converts
 * where they differ from those of the tree. Text pieces mix literal text and operands.
 */
export type Spelling =
  | {
      readonly kind: "call";
      readonly name: string;
      readonly operands: readonly Operand[];
      readonly result: Type;
    }
  /** An operator or member form with the precedence of `operators.ts`. */
  | {
      readonly kind: "text";
      readonly pieces: readonly (string | Operand)[];
      readonly precedence: number;
      readonly result: Type;
    };

export type Operand =
  | { readonly kind: "value"; readonly index: number; readonly type: Type }
  | {
      readonly kind: "place";
      readonly index: number;
      readonly addressOf: boolean;
      /** It points to elements one behind the other: of the first one of an array that is the array itself. */
      readonly elements?: true;
      /** The address is cast to this type of pointer. */
      readonly cast?: string;
    }
  | { readonly kind: "text"; readonly text: string };

/** A predeclared function or variable of the target, or an operator, that carries out an op or reads a builtin value. */
export interface NativeCall<S extends Stage = "target"> extends ExprBase {
  readonly kind: "native-call";
  readonly spelling: Spelling;
  /** What the spelling's operands index. */
  readonly arguments: readonly Expr<S>[];
  readonly places: readonly Place<S>[];
  /** Feature atoms it needs, which the preamble turns on. */
  readonly requires: readonly string[];
}

/** Calls that together wait and fence as the barrier of the canonical tree does. */
export interface NativeBarrier extends StatementBase {
  readonly kind: "native-barrier";
  /** Each without its semicolon. */
  readonly calls: readonly string[];
  readonly requires: readonly string[];
}

/** A 32-bit word of a buffer that is addressed in bytes by member functions (HLSL's byte address buffers). */
export interface RawWord<S extends Stage = "target"> extends PlaceBase {
  readonly kind: "raw-word";
  readonly buffer: VarId;
  /** In bytes, a multiple of four. */
  readonly address: Expr<S>;
}
/** Two to four words side by side, as a vector. */
export interface RawLoad<S extends Stage = "target"> extends ExprBase {
  readonly kind: "raw-load";
  readonly buffer: VarId;
  readonly address: Expr<S>;
  readonly words: number;
}
/** Writes the words of a scalar or vector side by side; has no value. */
export interface RawStore<S extends Stage = "target"> extends ExprBase {
  readonly kind: "raw-store";
  readonly buffer: VarId;
  readonly address: Expr<S>;
  readonly value: Expr<S>;
  readonly words: number;
}
