/**
 * What runs: the scalar program of one entry. This header is the specification engines are written against
 * (`emitters/typescript/printer.ts` prints it as TypeScript; a WebAssembly engine can encode the same tree).
 *
 * Two forms share it. The boundary form (`boundary-form.ts`) is plain `Code`: one lane's program after scalarisation, in
 * which every barrier and cross-lane op is a statement of its own. The region tree (`build.ts`) puts that code on three
 * levels: workgroup over subgroup over lane. Engines take the region tree (`Program`).
 *
 * Values are scalars of a `ScalarKind`, or an `index`: an exact integer (never wrapping; at most 2^53 in magnitude)
 * that counts units of memory. bool values are true or false; in slots and memory they are 0 or 1.
 *
 * Memory. A launch has one flat buffer of bytes. Every `MemoryObject` has a base (a multiple of 16) and a length there; behind
 * it lies a red zone of `zone` bytes filled with the launch's fill, to which checked accesses that are out of bounds
 * are sent. Workgroup objects, private arrays (one copy per lane, `laneBytes` apart), slots and the wait array are one
 * block used again by each workgroup, filled anew before each (an engine may keep slots and the wait array beside it). Slots hold the scalars that live across a boundary: lane `l`
 * of the workgroup has element `l`. Lanes are numbered by local index; a subgroup is a run of `subgroup size` lanes, the
 * last may be partial; widths are 1 to 128, so a mask is four u32 words, or the lanes' entries in the wait array.
 *
 * Activity. Where control flow splits lanes and a boundary stands inside, lanes that do not take part wait: `park` puts the
 * number of a meeting point into the lane's entry of the wait array, `resume` lets the lanes that wait at a point go on.
 * A lane is active while its entry is 0. `returned` is never resumed. Regions with `masked` set skip waiting lanes; the
 * others may assume that all are active.
 */
import type { Fold } from "../ops/row.js";
import { type RoundingMode } from "../types/numeric.js";
import type { BarrierDescriptor, BuiltinId, CallPrecondition, MemoryOrder, MemoryScope, VarId } from "../ast/nodes.js";
import type { PrintConversion } from "../ast/print-format.js";
import type { SourceDialect } from "../dialects/ids.js";
import type { Span } from "../support/span.js";
import type { ScalarKind, Type } from "../types/types.js";

export type LocalId = number;
export type ObjectId = number;
export type SiteId = number;
export type LabelId = number;
/** A place of coverage: its index in `BoundaryForm.points`. */
export type PointId = number;
/** A meeting point of waiting lanes, from 1; `returned` for lanes that have left the kernel. */
export type WaitId = number;
export const returned: WaitId = 255;

export type MachineScalar = ScalarKind | "index";

/**
 * Where a local lives. lane: a register of one lane inside one region. subgroup, workgroup: a register of that level (the
 * value is the same in all its active lanes). slot: an element per lane in memory, since it lives across a boundary.
 */
export type Storage = "lane" | "subgroup" | "workgroup" | "slot";

export interface Local {
  readonly id: LocalId;
  /** For reading: the source's name with its component, or `t`. Printers make names unique and safe. */
  readonly name: string;
  readonly scalar: MachineScalar;
  readonly storage: Storage;
  /** Set once, where it is declared. */
  readonly constant: boolean;
}

// ------------------------------------------------------------------ memory

export interface MemoryObject {
  readonly id: ObjectId;
  readonly name: string;
  /** buffer: given at launch. constant: read-only data, from values at launch or from `data`. */
  readonly kind: "buffer" | "workgroup" | "private" | "constant";
  /** Launch key of buffers, of constants filled at launch, and of workgroup memory sized at launch. */
  readonly path?: string;
  /** Bytes; of private objects per lane. Undefined where the launch decides. */
  readonly bytes: number | undefined;
  readonly variable?: VarId;
  readonly type: Type;
  readonly access: "read" | "write" | "readwrite";
  /** Marked coherent: of a buffer, `Resource.coherent`. */
  readonly coherent?: boolean;
  /** Some code of the program writes it. */
  readonly written: boolean;
  /** Bytes of its red zone: enough for every access shape. */
  readonly zone: number;
  /** Initial contents of constants known at compile time: scalars in layout order with their offsets. */
  readonly data?: readonly {
    readonly offset: number;
    readonly scalar: ScalarKind;
    readonly value: number | bigint | boolean;
  }[];
}

/**
 * A place in memory: byte `index * unit + offset` of the object (of this lane's copy if private). `index` is an `index`
 * expression or an integer. A dynamic object is an expression that gives its id (pointers that may point into several).
 */
export interface Address {
  readonly object: ObjectId | MachineExpr;
  readonly unit: number;
  readonly index: MachineExpr;
  readonly offset: number;
}

/** One leaf of the by-value interface: scalars of host bytes, packed, that become workgroup-level locals or fill an object. */
export interface LaunchValue {
  readonly path: string;
  readonly scalar: ScalarKind;
  readonly count: number;
  readonly type: Type;
  readonly kind: "value" | "specialization" | "derived";
  /** One local per scalar, or the byte offset of each scalar in a constant object. */
  readonly locals?: readonly LocalId[];
  readonly object?: { readonly id: ObjectId; readonly offsets: readonly number[] };
  readonly defaults?: readonly (number | bigint | boolean)[];
  /** "nothing": bytes that nobody reads, which are zero. */
  readonly derived?: BuiltinId | "nothing";
}

// ------------------------------------------------------------------ expressions

export type MachineExpr =
  | Constant
  | LocalRead
  | BuiltinScalar
  | Operation
  | Conversion
  | Reinterpretation
  | Choose
  | Lazy
  | MemoryLoad
  | Checked
  | HelperCall
  | BufferLength;

export interface Constant {
  readonly kind: "constant";
  readonly scalar: MachineScalar;
  readonly value: number | bigint | boolean;
}
export interface LocalRead {
  readonly kind: "local";
  readonly scalar: MachineScalar;
  readonly local: LocalId;
}
export interface BuiltinScalar {
  readonly kind: "builtin";
  readonly scalar: "u32";
  readonly builtin: BuiltinId;
  readonly component: 0 | 1 | 2;
}
/**
 * A machine op of operands of kind `on`. Of every integer or float type: add sub mul div rem neg eq ne lt le gt ge; of integers
 * and or xor shl shr not; of bool and or xor not eq ne; of `index` add and mul; those of `ops/machine-ops.ts`. Operands are
 * evaluated left to right. `site` where it can have a finding.
 */
export interface Operation {
  readonly kind: "operation";
  readonly scalar: MachineScalar;
  readonly on: MachineScalar;
  readonly op: string;
  readonly arguments: readonly MachineExpr[];
  readonly site?: SiteId;
}
/** The value of `operand` in another kind. `site` where it can have a finding. */
export interface Conversion {
  readonly kind: "conversion";
  readonly scalar: MachineScalar;
  readonly from: MachineScalar;
  readonly operand: MachineExpr;
  /** Of functions that convert; without it as the dialects' own conversions. */
  readonly mode?: ConversionMode;
  readonly site?: SiteId;
}
export interface ConversionMode {
  /** To nearest even where absent, of conversions to integers toward zero. */
  readonly rounding?: RoundingMode;
  readonly saturates: boolean;
}
/** The bits of `operand` as another kind of the same size. */
export interface Reinterpretation {
  readonly kind: "reinterpretation";
  readonly scalar: ScalarKind;
  readonly from: ScalarKind;
  readonly operand: MachineExpr;
}
/** Lazy: only the chosen side is evaluated. */
export interface Choose {
  readonly kind: "choose";
  readonly scalar: MachineScalar;
  readonly condition: MachineExpr;
  readonly whenTrue: MachineExpr;
  readonly whenFalse: MachineExpr;
}
/** Lazy and, or. */
export interface Lazy {
  readonly kind: "lazy";
  readonly scalar: "bool";
  readonly operator: "and" | "or";
  readonly left: MachineExpr;
  readonly right: MachineExpr;
}
export interface MemoryLoad {
  readonly kind: "load";
  readonly scalar: ScalarKind;
  readonly address: Address;
  readonly site: SiteId;
}
/**
 * The index of `address` (as an `index`) if `bytes` bytes there lie in the object, else an index whose accesses of that shape lie
 * in the red zone, after a finding.
 */
export interface Checked {
  readonly kind: "checked";
  readonly scalar: "index";
  readonly address: Address;
  readonly bytes: number;
  readonly access: "read" | "write" | "both";
  readonly site: SiteId;
}
export interface HelperCall {
  readonly kind: "call";
  readonly scalar: ScalarKind;
  readonly helper: number;
  readonly arguments: readonly MachineExpr[];
}
/** Whole elements of `stride` bytes in an object after its first `offset` bytes. */
export interface BufferLength {
  readonly kind: "length";
  readonly scalar: "u32";
  readonly object: ObjectId;
  readonly offset: number;
  readonly stride: number;
}

// ------------------------------------------------------------------ code: one lane's statements

export type Code =
  | Declare
  | Set
  | Store
  | Atomic
  | Evaluate
  | IfCode
  | LoopCode
  | SwitchCode
  | BlockCode
  | Jump
  | ReturnCode
  | BarrierCode
  | Collective
  | Park
  | FillPrivate
  | Cover
  | PrintCode;

interface CodeBase {
  readonly span: Span;
}
/** A local comes into scope. Without a value it holds the launch's fill. */
export interface Declare extends CodeBase {
  readonly kind: "declare";
  readonly local: LocalId;
  readonly value?: MachineExpr;
}
export interface Set extends CodeBase {
  readonly kind: "set";
  readonly local: LocalId;
  readonly value: MachineExpr;
}
export interface Store extends CodeBase {
  readonly kind: "store";
  readonly scalar: ScalarKind;
  readonly address: Address;
  readonly value: MachineExpr;
  readonly site: SiteId;
}
/** Read, modify, write; the old value goes to `result`. compare_exchange: operands compare, new; memory changes where equal. */
export interface Atomic extends CodeBase {
  readonly kind: "atomic";
  readonly op:
    "load" | "store" | "exchange" | "add" | "sub" | "min" | "max" | "and" | "or" | "xor" | "compare_exchange";
  readonly scalar: ScalarKind;
  readonly address: Address;
  readonly operands: readonly MachineExpr[];
  /** Declared by this statement. */
  readonly result: LocalId | undefined;
  readonly order?: MemoryOrder;
  readonly failureOrder?: MemoryOrder;
  readonly scope?: MemoryScope;
  readonly memory?: BarrierDescriptor["memory"];
  readonly site: SiteId;
}
export interface Evaluate extends CodeBase {
  readonly kind: "evaluate";
  readonly value: MachineExpr;
}
export interface IfCode extends CodeBase {
  readonly kind: "if";
  readonly condition: MachineExpr;
  readonly then: readonly Code[];
  readonly else: readonly Code[];
}
/** `for (;;) { head; if (!condition) break; body; step }`; continue goes to the step. Locals declared in head are visible in all. */
export interface LoopCode extends CodeBase {
  readonly kind: "loop";
  readonly label: LabelId;
  readonly head: readonly Code[];
  readonly condition?: MachineExpr;
  readonly body: readonly Code[];
  readonly step: readonly Code[];
}
/** Cases in text order with fall-through; `break` of its label leaves it. */
export interface SwitchCode extends CodeBase {
  readonly kind: "switch";
  readonly label: LabelId;
  /** A constant or a local. */
  readonly value: MachineExpr;
  readonly cases: readonly {
    readonly labels: readonly (number | bigint)[];
    readonly isDefault: boolean;
    readonly body: readonly Code[];
  }[];
}
/** `break` of its label leaves it: an inlined helper's return. */
export interface BlockCode extends CodeBase {
  readonly kind: "block";
  readonly label: LabelId;
  readonly body: readonly Code[];
}
export interface Jump extends CodeBase {
  readonly kind: "break" | "continue";
  readonly label: LabelId;
}
/** Of the entry (no value), or of an out-of-line helper. */
export interface ReturnCode extends CodeBase {
  readonly kind: "return";
  readonly value?: MachineExpr;
}
/** A barrier of the tree, with the objects of memory for its buffers: of all, where it cannot be told which. */
export interface RegionBarrier extends Omit<BarrierDescriptor, "buffers"> {
  readonly objects?: readonly ObjectId[];
}
/** In code of lanes: a fence, kept where races are looked for, which does nothing else. */
export interface BarrierCode extends CodeBase {
  readonly kind: "barrier";
  readonly barrier: RegionBarrier;
  readonly site: SiteId;
}
/** A routine over the active lanes of a subgroup or workgroup. Operands are locals or constants. */
export interface Collective extends CodeBase {
  readonly kind: "collective";
  readonly scope: "subgroup" | "workgroup";
  readonly routine: string;
  /** What it combines, where it does. */
  readonly fold?: Fold;
  /** Results are operands unchanged. */
  readonly moves: boolean;
  /** Scalar of the first operand, which chooses the routine's form. */
  readonly scalar: ScalarKind;
  readonly operands: readonly MachineExpr[];
  /** Declared by this statement, each of `resultScalar`. */
  readonly results: readonly LocalId[];
  readonly resultScalar: ScalarKind;
  /** The result is the same in all active lanes. */
  readonly uniformResult: boolean;
  /** All lanes of the scope have to reach it. */
  readonly reachedByAll: boolean;
  /** `OpCall.precondition`. */
  readonly precondition?: CallPrecondition;
  readonly site: SiteId;
}
/** The lane waits at a meeting point; the rest of its region is skipped. */
export interface Park extends CodeBase {
  readonly kind: "park";
  readonly wait: WaitId;
}
/** A private array comes into scope without initial value: fill it. */
export interface FillPrivate extends CodeBase {
  readonly kind: "fill";
  readonly object: ObjectId;
}

/** Notes that some lane came here. Only programs that are compiled for coverage have it. */
export interface Cover extends CodeBase {
  readonly kind: "cover";
  readonly point: PointId;
  /** What was compared to take this way, where the program is compiled for a search: the nearest pair is kept. */
  readonly compared?: readonly [MachineExpr, MachineExpr];
}

/** Prints by `BoundaryForm.formats[format]`; `arguments` are the scalars of what its conversions take, one after the other. */
export interface PrintCode extends CodeBase {
  readonly kind: "print";
  readonly format: number;
  readonly arguments: readonly MachineExpr[];
}

/** How a place of the text prints. */
export interface ProgramFormat {
  readonly span: Span;
  readonly pieces: readonly (string | (PrintConversion & { readonly components: number }))[];
}

/** What has run once its `Cover` has: statements that follow each other, or a way that control flow takes. */
export interface CoverPoint {
  readonly statements: readonly Span[];
  readonly branch?: Branch;
  /** The way in which it lies; none where the kernel or a function begins. */
  readonly within?: PointId;
  /** Where a pass has made one statement several, of which a lane takes one: whose, and which of them. */
  readonly alternative?: { readonly of: number; readonly which: string };
}
export interface Branch {
  /** Of the condition, or of the label of a case. */
  readonly span: Span;
  readonly way: BranchWay;
  /** Bounds of integers show that the condition never goes this way. */
  readonly excluded?: true;
  /** Arguments by value that the condition is made of, by path. */
  readonly values?: readonly string[];
  /** Of a case: the number it is for. */
  readonly label?: number;
}
/**
 * Of if, `?:` and loops: the condition was so; of `&&` and `||`: the left operand was. Of a switch: a case, counted as written,
 * or none.
 */
export type BranchWay = "true" | "false" | "case" | "no case";

/** A helper function kept as a function: values in, at most one scalar out, no boundary inside. */
export interface Helper {
  readonly name: string;
  readonly parameters: readonly LocalId[];
  readonly result: ScalarKind | undefined;
  readonly body: readonly Code[];
  readonly span: Span;
}

/** `Site.what` of arithmetic by which elements are counted. */
export const countedSize = "counted size";

/** A place of the source that can have a finding or be the writer of an element, with the calls that led there (outermost first). */
export interface Site {
  readonly id: SiteId;
  readonly span: Span;
  readonly stack: readonly Span[];
  readonly what: string;
}

export interface BoundaryForm {
  readonly name: string;
  readonly dialect: SourceDialect;
  readonly workgroupSize?: readonly [number, number, number];
  readonly subgroupSize?: number;
  readonly objects: readonly MemoryObject[];
  readonly values: readonly LaunchValue[];
  readonly locals: ReadonlyMap<LocalId, Local>;
  readonly helpers: readonly Helper[];
  readonly sites: readonly Site[];
  /** Places of plain reads: number -1 - n of a load is the n-th. */
  readonly readSites: readonly Site[];
  readonly formats: readonly ProgramFormat[];
  /** Empty but for coverage. What no code of the program covers cannot be reached. */
  readonly points: readonly CoverPoint[];
  readonly body: readonly Code[];
}

// ------------------------------------------------------------------ regions

export type Region =
  | Lanes
  | Subgroups
  | Uniform
  | IfRegion
  | LoopRegion
  | SwitchRegion
  | BlockRegion
  | JumpRegion
  | ReturnRegion
  | BarrierRegion
  | CollectiveRegion
  | Resume
  | IfAny;

interface RegionBase {
  readonly span: Span;
}
/** One loop over the lanes of the workgroup, or of the current subgroup; the code has no boundary. */
export interface Lanes extends RegionBase {
  readonly kind: "lanes";
  readonly over: "workgroup" | "subgroup";
  readonly masked: boolean;
  readonly code: readonly Code[];
}
/** One loop over the subgroups of the workgroup. */
export interface Subgroups extends RegionBase {
  readonly kind: "subgroups";
  readonly body: readonly Region[];
}
/**
 * Code without memory effects, run once at this level. `first` is set where it reads slots: of the first active lane (`masked`:
 * search it, else lane 0 of the level).
 */
export interface Uniform extends RegionBase {
  readonly kind: "uniform";
  readonly code: readonly Code[];
  readonly over: "workgroup" | "subgroup";
  readonly masked: boolean;
}
/** Control flow whose condition is the same in all active lanes, run once. */
export interface IfRegion extends RegionBase {
  readonly kind: "if";
  readonly condition: MachineExpr;
  readonly then: readonly Region[];
  readonly else: readonly Region[];
  readonly over: "workgroup" | "subgroup";
  readonly masked: boolean;
}
/** As `LoopCode`. `whileAny`: leaves also when no lane is active. */
export interface LoopRegion extends RegionBase {
  readonly kind: "loop";
  readonly label: LabelId;
  readonly head: readonly Region[];
  readonly condition?: MachineExpr;
  readonly body: readonly Region[];
  readonly step: readonly Region[];
  readonly whileAny: boolean;
  readonly over: "workgroup" | "subgroup";
  readonly masked: boolean;
}
export interface SwitchRegion extends RegionBase {
  readonly kind: "switch";
  readonly label: LabelId;
  readonly value: MachineExpr;
  readonly cases: readonly {
    readonly labels: readonly (number | bigint)[];
    readonly isDefault: boolean;
    readonly body: readonly Region[];
  }[];
  readonly over: "workgroup" | "subgroup";
  readonly masked: boolean;
}
export interface BlockRegion extends RegionBase {
  readonly kind: "block";
  readonly label: LabelId;
  readonly body: readonly Region[];
}
export interface JumpRegion extends RegionBase {
  readonly kind: "break" | "continue";
  readonly label: LabelId;
}
/** The whole workgroup leaves the kernel. */
export interface ReturnRegion extends RegionBase {
  readonly kind: "return";
}
/** Nothing is left to do for it but the check that all lanes of its scope arrive. */
export interface BarrierRegion extends RegionBase {
  readonly kind: "barrier";
  readonly barrier: RegionBarrier;
  readonly over: "workgroup" | "subgroup";
  readonly masked: boolean;
  readonly site: SiteId;
}
export interface CollectiveRegion extends RegionBase {
  readonly kind: "collective";
  readonly collective: Collective;
  readonly over: "workgroup" | "subgroup";
  readonly masked: boolean;
}
/** Active lanes are parked at `park` first (where given), then the lanes that wait at `wait` go on. */
export interface Resume extends RegionBase {
  readonly kind: "resume";
  readonly over: "workgroup" | "subgroup";
  readonly wait: WaitId;
  readonly park?: WaitId;
}
export interface IfAny extends RegionBase {
  readonly kind: "if-any";
  readonly over: "workgroup" | "subgroup";
  readonly body: readonly Region[];
}

export interface Program extends Omit<BoundaryForm, "body"> {
  readonly regions: readonly Region[];
  /** Some region parks lanes. */
  readonly parks: boolean;
}
