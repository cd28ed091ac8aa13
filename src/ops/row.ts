/**
 * The capability table's shape: one row per op, cells by dialect side by side. This header is a contract between the
 * rows (src/ops/<family>.ts), recognition (sema), the decision (caps), printing (emitters) and execution (sim).
 */
import type { Constant } from "../ast/constant-values.js";
import type { Refusal } from "./later.js";
import type { Dialect } from "../dialects/ids.js";
import type { OpFamily } from "../ast/op-ids.js";
import type {
  BarrierDescriptor,
  CallPrecondition,
  Expr,
  MemoryOrder,
  MemoryScope,
  OpId,
  Place,
  VarId,
} from "../ast/nodes.js";
import type { Spelling } from "../ast/target.js";
import type { Span } from "../support/span.js";
import type { AddressSpace, ScalarKind, Type } from "../types/types.js";

/** What an op does besides computing: decides where it may move and how it runs. */
export type Effect = "pure" | "crosslane" | "atomic" | "memory" | "barrier";

/** A feature atom or a version bound, and-ed with blanks, or-ed with `|`: `glsl.KHR_subgroup_arithmetic`, `msl>=2.1`, `sm>=6.5`. */
export type FeatureExpression = string;

/** Where a cell's truth comes from: specification section, compiler, driver. */
export type Evidence = string;

/** The flow an op stands in: every lane of the subgroup (or workgroup) is known to be active, or not. */
export type Flow = "uniform" | "divergent";

/** How to run an op; see sim and regions. Engines implement machine ops and routines, never rows. */
export type Expansion =
  /** The machine op `<scalar>.<op>` per component, e.g. `f32.sin`. */
  | { readonly kind: "map"; readonly op: string }
  /** Rewritten into simpler canonical expressions (operands given are pure and may be used more than once). */
  | { readonly kind: "tree"; readonly build: (args: readonly Expr[], type: Type) => Expr }
  /** A runtime routine over the lanes of a subgroup or workgroup. */
  | { readonly kind: "collective"; readonly routine: string }
  | { readonly kind: "atomic"; readonly op: string }
  /** A runtime routine per lane with out operands or memory operands (`modf`, `frexp`). */
  | { readonly kind: "routine"; readonly routine: string };

// ------------------------------------------------------------------ recognition: what sema asks

export interface BuiltinArgument {
  readonly type: Type;
  /** An integer or float literal, which some dialects convert more freely. */
  readonly literal?: boolean;
  /** HLSL: a number without a type; the kind it has where nothing else gives it one. */
  readonly open?: ScalarKind;
  /** HLSL: of an enumeration. */
  readonly enumerated?: boolean;
  /** True where the argument is a place. */
  readonly place?: boolean;
  /** A value known at compile time (barrier flags, memory orders, dimension numbers, lane constants). */
  readonly constant?: number | bigint | boolean;
  /** A buffer object (HLSL): whether it can be written, which it is, and whether it is `globallycoherent`, where that is known. */
  readonly buffer?: { readonly writable: boolean; readonly variable?: VarId; readonly coherent?: boolean };
  /** A predeclared name of the dialect as such: `memory_order_relaxed`, `mem_flags::mem_device` -> `mem_device`, `gl_ScopeDevice`. */
  readonly word?: string;
}

/** A call that is not understood. */
export interface RefusedCall {
  readonly error: string;
  readonly candidates: readonly string[];
  /** The call may be right, and is not translated: what to write instead, where something is known. */
  readonly notYet?: true | string;
  /** The function itself is none that is translated. */
  readonly refusal?: Refusal;
}

/** One builtin call of a dialect, overload chosen. */
export interface ResolvedBuiltin {
  /** Absent where it becomes something else than an op: a conversion, a comparison, an id. */
  readonly op?: OpId;
  /** What each argument is converted to first; `place` operands must be places of exactly this type; `skip`: consumed as a word or constant. */
  readonly parameters: readonly { readonly type: Type; readonly mode: "value" | "place" | "skip" }[];
  /** The type of the call in the dialect, and of the expression `build` returns. */
  readonly result: Type;
  /** HLSL: all operands are numbers without a type, and so is the result. */
  readonly open?: boolean;
  /** The canonical form. Values and places in argument order, each in its own list. Barriers come back as `barrier` by `ResolvedBarrier`. */
  build(args: readonly Expr[], places: readonly Place[], span: Span): Expr;
}

/** How freely a dialect converts: rank 0 exact, 1 promotion, 2 conversion; undefined not implicitly. */
export type ImplicitRank = (from: Type, to: Type, literal: boolean) => number | undefined;

// ------------------------------------------------------------------ printing: what emitters ask

export type { Operand, Spelling } from "../ast/target.js";

// ------------------------------------------------------------------ rows

/** What `decide` and the printers know about one op at one place. */
export interface OpUse {
  readonly op: OpId;
  readonly operandTypes: readonly Type[];
  readonly placeTypes: readonly Type[];
  readonly result: Type;
  readonly flow: Flow;
  /** Operands known at compile time, by index. */
  readonly constants: readonly (number | bigint | boolean | undefined)[];
  /** Operands (by index) that are implicit splats of a scalar: spelled as the scalar where the dialect takes one. */
  readonly splats?: readonly boolean[];
  /** `OpCall.precondition`. */
  readonly precondition?: CallPrecondition;
  /** The value of the call is not used: it stands alone as a statement. */
  readonly discarded?: boolean;
  readonly order?: MemoryOrder;
  readonly failureOrder?: MemoryOrder;
  readonly scope?: MemoryScope;
  /** `OpCall.memory`. */
  readonly memory?: BarrierDescriptor["memory"];
  /** `OpCall.plainly`. */
  readonly plainly?: boolean;
  /** Where the first place lies, if that is known. */
  readonly space?: AddressSpace;
}

/** Native, emulated by a named lowering, or refused with the reason. */
export type Cell = NativeCell | LoweringCell | RefusedCell;

export interface NativeCell {
  readonly kind: "native";
  /** Spelling(s) this cell reads; the first is also written unless `write` says otherwise. */
  readonly names: readonly string[];
  /** The call in the dialect's types (`signature.ts`), the first is written; without them the row's own signature. */
  readonly signatures?: readonly string[];
  /** Scalar kinds the cell holds for, e.g. "f32 f16 i32 u32"; and sizes. Of the row's `T`. */
  readonly on?: OperandSet;
  readonly when?: (use: OpUse) => boolean;
  readonly needs?: FeatureExpression;
  readonly evidence: Evidence;
  readonly write?: (use: OpUse) => Spelling;
  /** The cell only writes: the spelling promises more than this op, and is read as that other op. */
  readonly readsAs?: OpId;
  /** What a call by this name takes for granted of its lanes; carried in `OpCall.precondition`. */
  readonly precondition?: CallPrecondition;
  /** The cell only reads: another spelling of the op that is never written. */
  readonly readOnly?: boolean;
}

/** Scalar kinds and component counts of the row's type variable. */
export interface OperandSet {
  readonly scalars: readonly ScalarKind[];
  readonly sizes: readonly number[];
}
export interface LoweringCell {
  readonly kind: "lowering";
  /** A lowering of passes/lowerings/, by name. */
  readonly lowering: string;
  readonly on?: OperandSet;
  readonly when?: (use: OpUse) => boolean;
  readonly needs?: FeatureExpression;
  /** What must hold and cannot be checked here; reported. */
  readonly assumes?: string;
  readonly evidence: Evidence;
}
export interface RefusedCell {
  readonly kind: "refused";
  readonly reason: string;
  readonly on?: OperandSet;
  readonly when?: (use: OpUse) => boolean;
}

export interface Open {
  /** The dialects that leave it open, each with its evidence. */
  readonly in: { readonly [D in Dialect]?: string };
  /** A truth value for each component of the result, or one for all of it. Operands may be used more than once. */
  readonly where: (args: readonly Expr[]) => Expr;
  /** The kinds of the result for which it holds; all where absent. */
  readonly on?: readonly ScalarKind[];
  /** The message of the finding, after the name of the op: `of a negative number`. `$1` is operand 1, of a scalar. */
  readonly says: string | ((args: readonly Expr[]) => string);
  /** What the places get is open as well as the result. */
  readonly places?: true;
}

export type Reduction = "add" | "mul" | "min" | "max" | "and" | "or" | "xor";

/** What reductions and scans combine, and over which lanes: all of them, those up to this one, or those below it. */
export interface Fold {
  readonly operation: Reduction;
  readonly form: "reduce" | "inclusive" | "exclusive";
  /** `mask`: the lanes of a mask that is an operand; `cluster`: runs of lanes whose size is one. */
  readonly over: "subgroup" | "quad" | "cluster" | "mask" | "workgroup";
}

/** To nearest even, toward zero, upward, downward. */
export type Rounding = "rte" | "rtz" | "rtp" | "rtn";

export interface OpRow {
  readonly id: OpId;
  readonly family: OpFamily;
  readonly effect: Effect;
  /** One sentence: what it computes, with its source. */
  readonly summary: string;
  /** The canonical operands and result, e.g. `T, u32 -> T`; places are written `&T`. See `signature.ts`. */
  readonly signature: string;
  /** What `T` may be at all. */
  readonly on: OperandSet;
  /** Cells in order of preference; the first whose conditions hold decides. */
  readonly cells: { readonly [D in Dialect]: readonly Cell[] };
  readonly expand: Expansion;
  /**
   * How lanes agree on the result. shared: all active lanes of the subgroup, for workgroup ops of the workgroup, get the
   * same; operands: as far as they agree on the operands, as of pure ops without it. Else lanes may differ.
   */
  readonly agreement?: "shared" | "operands";
  /** Operands for which some dialects leave the result open: there it is unspecified, and a finding. */
  readonly open?: readonly Open[];
  /** Operands that are powers of two known at compile time, by index; `name` is for messages. In the tree they are literals. */
  readonly powersOfTwo?: readonly { readonly index: number; readonly name: string }[];
  readonly fold?: Fold;
  /** The second operand says which lane a value comes from: by its number, or by how far away it is. */
  readonly from?: "number" | "distance";
  /** The result is a set of lanes, a bit each. */
  readonly givesLanes?: true;
  /**
   * Gives a truth value or another number for a NaN, an infinity or a zero with its sign: where a compiler takes those for
   * absent, what comes is another.
   */
  readonly tellsSpecialNumbers?: true;
  /** Of a conversion: what is beyond the range becomes its end. */
  readonly saturates?: true;
  /** Where the op names one; else it is to nearest even, of conversions to integers toward zero. */
  readonly rounding?: Rounding;
  /** Where its family does not say so: each component of the result comes of the same components of the operands (`sizes.ts`). */
  readonly byComponent?: true;
  /** Though not by component, it takes vectors of all sizes that the language has. */
  readonly everySize?: true;
  /** Its places are the first of several elements. Ops of the family `memory` all are so. */
  readonly goesOn?: true;
  /** The side of a copy whose elements lie apart, by so many as its second value says. */
  readonly strided?: "source" | "target";
  /** Of loads and stores of vectors: of halves as floats, and whether three elements take the place of four. */
  readonly vector?: { readonly half: boolean; readonly aligned: boolean };
  /**
   * The op that this one is but for some operands, whose result it leaves open or defines (domain); but for results at the edges
   * (edges); or but for how exact it is, or over which range (accuracy).
   */
  readonly variant?: { readonly of: OpId; readonly in: "domain" | "edges" | "accuracy" };
  /**
   * What a call means instead where operands are known as the source is read: its compiler computes that in another way. `known` gives
   * the numbers of a constant operand, one or as many as it has components.
   */
  readonly whereKnown?: (
    args: readonly Expr[],
    known: (e: Expr) => readonly Constant[] | undefined,
  ) => Expr | undefined;
  /** What holds of a result that is a number, whatever the operands are, but for the function's error: of its variants too. */
  readonly result?: { readonly notNegative?: true; readonly magnitude?: number };
  /** The independent oracle for tests: plain JavaScript over component values (or lane arrays for crosslane ops). */
  readonly run?: (...args: never[]) => unknown;
}

export type { OpFamily } from "../ast/op-ids.js";
