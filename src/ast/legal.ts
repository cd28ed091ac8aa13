/**
 * What legalization settled about one target, beside the tree itself: data between passes, printers and reflection.
 */
import type { Target } from "../dialects/ids.js";
import type { Profile } from "./profile.js";
import type { Span } from "../support/span.js";
import type { LayoutRule } from "../types/layout.js";
import type { Type } from "../types/types.js";
import type { BuiltinId, Derived, FunctionId, VarId } from "./nodes.js";

/** Where a leaf of the kernel interface lives in the target. */
export interface SlotAssignment {
  /** The entry it belongs to (its name in the target). */
  readonly entry: string;
  /** Path of the leaf as a launch key names it. */
  readonly path: string;
  readonly variable: VarId;
  /**
   * buffer: a memory object of its own; value: an argument of its own (MSL `constant T&` with `[[buffer]]`, OpenCL by-value);
   * block: bytes `offset .. offset+size` of a push-constant block, uniform block or cbuffer; workgroup: memory sized at
   * launch; static-workgroup: such memory made a static array; specialization: a constant set before compilation; address: a
   * buffer whose address lies in the 8 bytes from `offset` on of what has this number or block; program: memory of the program, which
   * the driver keeps.
   */
  readonly kind:
    "address" | "program" | "buffer" | "value" | "block" | "workgroup" | "static-workgroup" | "specialization";
  /** MSL `[[buffer(n)]]`/`[[threadgroup(n)]]`/`[[function_constant(n)]]`, OpenCL argument index, GLSL binding or constant_id, HLSL register number. */
  readonly number?: number;
  /** GLSL set, HLSL space. */
  readonly set?: number;
  readonly register?: "b" | "t" | "u";
  readonly block?: { readonly name: string; readonly kind: "push-constant" | "uniform" | "cbuffer" };
  /** Of an address: the buffer it lies in, by its path, where that has no number either. */
  readonly holder?: string;
  /** Byte offset inside its slot (blocks, leaves of struct values). */
  readonly offset: number;
  /** Bytes of the leaf; 0 for runtime-sized buffers. */
  readonly size: number;
  readonly type: Type;
  /** How the bytes of the leaf are laid out inside its slot. */
  readonly rule: LayoutRule;
  readonly derived?: Derived;
  /** Of memory that is sized at launch, where they differ: bytes from element to element here and in the source. */
  readonly strides?: { readonly here: number; readonly source: number };
}

/** The number legalization settled for a resource or block that is printed with one. */
export function settledNumber(of: { readonly number?: number } | undefined, name: string): number {
  if (of?.number === undefined) throw new Error(`no slot was settled for ${name}`);
  return of.number;
}

/** Something the translation carries out by other means (emulation), or takes for granted (assumption). */
export interface Note {
  readonly kind: "emulated" | "assumed" | "strengthened";
  /** The op id, or a short id of the language feature, e.g. `shift-count`, `signed-overflow`. */
  readonly op: string;
  readonly message: string;
  readonly spans: readonly Span[];
  /** Of an emulated op: the lowering, and what it costs. */
  readonly how?: { readonly lowering: string; readonly cost: Cost };
}

/**
 * Cost classes of emulations (cross-lane.md section 3). composed: a few native ops; loop: a loop, over the lanes as a
 * rule; workgroup-memory: goes through it, with barriers.
 */
export type Cost = "native" | "composed" | "loop" | "workgroup-memory" | "refused";

/** An entry parameter that carries a builtin value: `uint gid [[thread_position_in_grid]]`, `uint3 gid : SV_DispatchThreadID`. */
export interface BuiltinParameter {
  readonly builtin: BuiltinId;
  readonly variable: VarId;
}

/** A block of by-value arguments at file scope (GLSL push constants or uniform block, HLSL cbuffer). */
export interface ValueBlock {
  readonly name: string;
  readonly instance?: string;
  readonly kind: "push-constant" | "uniform" | "cbuffer";
  readonly members: readonly VarId[];
  readonly number?: number;
  readonly set?: number;
  /** HLSL's class, where it is not that of constant buffers: of a `tbuffer`. */
  readonly register?: "t";
  /** Where it says another layout than blocks of its kind have. */
  readonly layout?: LayoutRule;
}

export interface LegalFacts {
  readonly target: Target;
  /** Absent for TypeScript, which has one version of everything. */
  readonly profile?: Profile;
  readonly slots: readonly SlotAssignment[];
  readonly builtinParameters: ReadonlyMap<FunctionId, readonly BuiltinParameter[]>;
  readonly valueBlocks: readonly ValueBlock[];
  /** MSL: variables whose scalars are declared with atomic types, and struct members (`S.m`) likewise. */
  readonly atomicVariables: ReadonlySet<VarId>;
  readonly atomicMembers: ReadonlySet<string>;
}
