/**
 * The unified AST: one typed tree for all dialects. This header is its specification.
 *
 * Stages. `sema` builds a canonical module from the parsed tree of `syntax.ts`: names resolved, every expression typed,
 * every implicit conversion an explicit `convert` or `splat` node, builtin calls turned into canonical ops, the
 * interface gathered in `resources` and `entries`. Passes turn it into one whose every op the target has (legalization),
 * still canonical: what runs a kernel starts there. Selection (`passes/select`) makes the target tree of that, which has
 * native calls, native barriers and raw words of buffers in the place of ops, builtins and barriers (`target.ts`).
 * Printers take `Module<"target">` only, which cannot hold an op.
 *
 * Evaluation. Operands are evaluated left to right, once; `op=` finds its place, evaluates the value, and reads the old
 * value last. What an `inout` argument names is copied in when all arguments are evaluated, as glslang does and references do. `&&`, `||` and `conditional` evaluate lazily. Integers wrap
 * (two's complement, also signed: a source that leaves signed overflow undefined is refined). Shift counts are taken
 * modulo the width. Floats round once per operation to their type, no contraction unless `Module.contraction` says so.
 *
 * Nodes are plain readonly data; passes return new trees and share what did not change. Variables are referred to by
 * id; `Module.variables` holds every variable of the module, locals and parameters included.
 */
import type { OpId } from "./op-ids.js";
import type { SourceDialect, SourceForm } from "../dialects/ids.js";
import type { Comment } from "../support/expanded-source.js";
import type { Span } from "../support/span.js";
import type { LayoutRule } from "../types/layout.js";
import type { Access, AddressSpace, FloatKind, MatrixType, ScalarType, Type, VectorType } from "../types/types.js";
import type { AssumptionKind } from "./assumptions.js";
import type { LegalFacts } from "./legal.js";
import type { PrintPiece } from "./print-format.js";
import type { NativeBarrier, NativeCall, RawLoad, RawStore, RawWord } from "./target.js";

/** The trees this file specifies; `target.ts` has the nodes only the target tree holds. */
export type Stage = "canonical" | "target";

/** What one of the trees holds and the other does not. */
export interface OwnNodes<S extends Stage> {
  readonly canonical: {
    readonly expr: BuiltinRead | OpCall<S> | Print<S>;
    readonly statement: Barrier;
    readonly place: ViewPlace<S>;
  };
  readonly target: {
    readonly expr: NativeCall<S> | RawLoad<S> | RawStore<S>;
    readonly statement: NativeBarrier;
    readonly place: RawWord<S>;
  };
}

export type VarId = number;
export type FunctionId = number;
/** `family.name`, a key of the capability table, e.g. `subgroup.add`, `math.sin`. */
export type { OpId } from "./op-ids.js";

// ------------------------------------------------------------------ module

export interface Module<S extends Stage = "canonical"> {
  readonly stage: S;
  /** The dialect the source was written in. */
  readonly dialect: SourceDialect;
  /** Where the text it was read from is in another form of the dialect than its plain one. */
  readonly form?: SourceForm;
  readonly structs: ReadonlyMap<string, StructDeclaration>;
  readonly enums: readonly EnumDeclaration[];
  readonly variables: ReadonlyMap<VarId, Variable<S>>;
  /** The kernel interface of all entries, in source order. */
  readonly resources: readonly Resource<S>[];
  readonly functions: readonly FunctionDeclaration<S>[];
  readonly entries: readonly EntryPoint[];
  /** The source has others, which were not asked for or cannot be translated. */
  readonly entriesLeftOut?: boolean;
  /** Values were given for what its text leaves to specialisation: the text by itself is another program. */
  readonly specialized?: boolean;
  /** Its text has what is no part of its language, but an extension of compilers. */
  readonly extended?: boolean;
  /** Pointers led to one of several objects, which are not all of one array of resources, by what is known at run time, and each access was written for all of them. */
  readonly choosesObjects?: boolean;
  /** Top-level order, for printing. Resources declared at file scope appear where they stood. */
  readonly order: readonly TopLevel<S>[];
  /**
   * Whether a*b+c may be fused: the source's own permission, carried, never invented. "marked": where a sum and a product both
   * say so (`contracts`).
   */
  readonly contraction: "allowed" | "off" | "marked";
  /** Floats whose NaN, infinities and signed zeros the text says it keeps, where its language leaves them open. */
  readonly specialNumbers?: readonly FloatKind[];
  /** What the source leaves to the program and the translation relies on, found by `sema`. */
  readonly assumptions?: readonly Assumption[];
  /** The comment of the file as a whole: it stands first, with an empty line after it. */
  readonly header?: readonly Comment[];
  /** Comments after the last declaration. */
  readonly trailingComments: readonly Comment[];
  /** Next free ids, so that passes can add variables and functions. */
  readonly nextVariable: VarId;
  readonly nextFunction: FunctionId;
  /** What legalization settled; present in legal modules only. */
  readonly legal?: LegalFacts;
}

export interface Assumption {
  readonly kind: AssumptionKind;
  readonly message: string;
  readonly spans: readonly Span[];
  /** In the source's own dialect, too: its text is not written as it was. */
  readonly always?: true;
}

export type TopLevel<S extends Stage = "canonical"> =
  | { readonly kind: "struct"; readonly name: string }
  | { readonly kind: "enum"; readonly index: number }
  /** File-scope constants and private or workgroup variables. */
  | { readonly kind: "variable"; readonly variable: VarId }
  | { readonly kind: "resource"; readonly variable: VarId }
  | { readonly kind: "function"; readonly function: FunctionId }
  /** A named constant of the source (`#define N 16u`) whose uses carry `macro` references. */
  | { readonly kind: "constant-macro"; readonly name: string; readonly value: Expr<S>; readonly trivia: Trivia };

/** Comments and blank lines around a statement, member or declaration. Every comment of the source is in exactly one. */
export interface Trivia {
  /** Comments on lines of their own before it. */
  readonly leading: readonly Comment[];
  /** Comments after it on its last line, and comments found inside it (moved here). */
  readonly trailing: readonly Comment[];
  /** An empty line stood before it (before its leading comments). */
  readonly blankBefore: boolean;
  /** The only statement of an `if` or a loop, on a line below its head. */
  readonly below?: boolean;
}

export const noTrivia: Trivia = { leading: [], trailing: [], blankBefore: false };

export interface StructDeclaration {
  readonly name: string;
  /** A vector of the source that is longer than the target's, in parts. */
  readonly vector?: VectorType;
  /** A matrix of the source, where the target has none such: its columns. */
  readonly matrix?: MatrixType;
  /** Its members share their bytes: what is read is what was written last, whichever member that was. */
  readonly union?: true;
  /** A matrix of 8 by 8 elements that the lanes of a subgroup hold together: those of one lane (src/ops/subgroup-matrices.ts). */
  readonly subgroupMatrix?: true;
  /** A buffer and its counter, as a value (HLSL). */
  readonly counted?: true;
  /** It is aligned to so many bytes at least, where the source says so; what stands for a union is aligned as that was. */
  readonly align?: number;
  /** Declared in place, as the type of a member without a name. */
  readonly anonymous?: true;
  readonly members: readonly StructMember[];
  readonly span: Span;
  readonly trivia: Trivia;
  /** Comments before the closing brace. */
  readonly innerComments: readonly Comment[];
}
export interface StructMember {
  readonly name: string;
  readonly type: Type;
  /** It is aligned to so many bytes, where the source says so: more than its type, or less in what is packed. */
  readonly align?: number;
  /** Bytes between members of a block of the source, which has no such member. */
  readonly gap?: boolean;
  /** The gap is where such a pointer, or an array of them, lies in the source; what one points to is a buffer of its own (`Resource.pointerIn`). */
  readonly address?: Type;
  /** Without a name in the source: its members are named as if they were those of the struct it is in. */
  readonly anonymous?: true;
  /** The source says that it is const; what is written does not. */
  readonly constant?: true;
  readonly trivia: Trivia;
  readonly span: Span;
}
export interface EnumDeclaration {
  readonly name: string | undefined;
  /** The integer type of the enumerators. */
  readonly type: ScalarType;
  readonly enumerators: readonly {
    readonly name: string;
    /** As literals of the type hold it. */
    readonly value: number | bigint;
    readonly explicit: boolean;
    readonly trivia: Trivia;
  }[];
  readonly span: Span;
  readonly trivia: Trivia;
}

export interface Variable<S extends Stage = "canonical"> {
  readonly id: VarId;
  /** As in the source (or a good name for what a pass made). Printers make it legal and unique. */
  readonly name: string;
  readonly type: Type;
  readonly space: AddressSpace;
  readonly role: "local" | "parameter" | "global" | "resource";
  /** Never written after initialisation. */
  readonly constant: boolean;
  /** A compile-time constant (initialiser is a constant expression), e.g. file-scope `constant float k[] = ...`. */
  readonly compileTime?: boolean;
  readonly volatile?: boolean;
  readonly restrict?: boolean;
  /** `precise` (GLSL, HLSL): no contraction or reassociation of what computes it. */
  readonly precise?: boolean;
  /** Initialiser of role "global". Locals carry theirs in the `declare` statement. */
  readonly initializer?: Expr<S>;
  /** Parameters of helper functions. value: copied in. out/inout: copied back at return. ref: an alias in `space`. */
  readonly mode?: ParameterMode;
  /** Of globals and resources, parameters of kernels among them; locals have the trivia of their `declare`. */
  readonly trivia?: Trivia;
  readonly span: Span;
}

export type ParameterMode = "value" | "in" | "out" | "inout" | "ref";

/**
 * One interface element of an entry point. A buffer's variable has type `array(element, undefined)` (pointer parameters,
 * structured buffers, blocks whose only member is a runtime array), or the block's single member's type, or a struct
 * (blocks of several members, `device S&`). A value's variable has the value's type (struct for `constant S& p`; members
 * of push-constant blocks, UBOs and cbuffers are one value each).
 */
export interface Resource<S extends Stage = "canonical"> {
  readonly variable: VarId;
  readonly kind: "buffer" | "value" | "workgroup-sized-at-launch" | "specialization" | "derived";
  /** Launch key path: `x`, `p.a`, `Params.n` (block or instance before the member). */
  readonly path: string;
  readonly access: Access;
  /** The block it stood in (GLSL block, HLSL cbuffer). */
  readonly block?: {
    readonly name: string;
    readonly instance?: string;
    readonly kind: "push-constant" | "uniform" | "storage";
    /** The byte the source puts this value at. */
    readonly offset?: number;
    /** The instance is an array of blocks, of which this is one: one binding holds all of them. */
    readonly element?: { readonly index: number; readonly count: number };
  };
  /** How it lies in memory, where its block says another layout than the language has. */
  readonly layout?: LayoutRule;
  /** Explicit numbers of the source. */
  readonly slot?: {
    /** MSL `[[buffer(n)]]`, `[[threadgroup(n)]]`, `[[function_constant(n)]]`, OpenCL argument index, GLSL binding or constant_id, HLSL register number. */
    readonly number?: number;
    /** GLSL set, HLSL space. */
    readonly set?: number;
    /** HLSL register class. */
    readonly register?: "b" | "t" | "u";
  };
  /** HLSL view type where it is not a structured buffer: raw bytes are an `array(u32)` buffer, or workgroup memory, addressed in words. */
  readonly view?: "raw" | "typed";
  /** The same buffer as this one's, as elements of another type: it has the binding of that, and is no argument of its own. */
  readonly beside?: VarId;
  /** Other blocks of its binding have so many bytes, or go on in elements of so many. */
  readonly others?: { readonly bytes: number; readonly stride?: number };
  /** `coherent`, `globallycoherent`, `coherent(device)`. */
  readonly coherent?: boolean;
  /**
   * In the source, the host writes its address into another resource, behind these members and elements of arrays, or is a member of a block
   * of values itself.
   */
  readonly pointerIn?: {
    readonly resource?: VarId;
    readonly block?: NonNullable<Resource["block"]>;
    readonly members: readonly (string | number)[];
    /** The source makes a pointer of it where it reads it: what lies there is a number, which it may use otherwise, too. */
    readonly isNumber?: true;
  };
  /** The host writes such addresses there, and nothing else that is read: no argument of a launch. */
  readonly addressesOnly?: true;
  /** The host gives this buffer only where a specialisation constant, or one that is computed of some, is true (MSL `[[function_constant(c)]]` of a parameter). */
  readonly givenIf?: VarId;
  /**
   * Memory of the program, which the host keeps from launch to launch: it begins as zeros, or as these bytes, `0x` and two digits each in
   * the order of memory.
   */
  readonly begins?: string;
  /** Default of a specialisation constant, where it has one. */
  readonly defaultValue?: Expr<S>;
  /** Of a struct that a pass made of several arguments: these, in the order of its members. */
  readonly gathered?: readonly Resource<S>[];
  /** What a derived value holds, e.g. the number of workgroups where the target cannot query it. */
  readonly derived?: Derived;
  /** Of memory that is sized at launch: bytes from element to element in the source. */
  readonly sourceStride?: number;
}

/**
 * The length of a memory object, filled in by who runs the kernel: elements in what follows the first `offset` bytes of
 * the argument with this path in the source's list, `stride` bytes each, rounded down.
 */
export interface LengthOf {
  readonly lengthOf: string;
  readonly offset: number;
  readonly stride: number;
}
/** Components of a vector that the launch names as one, and that lie in several members in the target: so many of `of`. */
export interface ComponentsOf {
  readonly componentsOf: string;
  readonly first: number;
  readonly of: number;
}
/** A value the target cannot query and its runner provides; bytes between members are zeros. */
export type Derived = BuiltinId | LengthOf | ComponentsOf | { readonly gap: true };

/** Widths of subgroups, powers of two; one where `min` and `max` are the same. */
export interface SubgroupSizes {
  readonly min: number;
  readonly max: number;
  readonly preferred?: number;
}

export interface EntryPoint {
  readonly function: FunctionId;
  readonly name: string;
  /** Interface of this entry, in list order. */
  readonly resources: readonly VarId[];
  /** Fixed by the source (GLSL, HLSL, reqd_work_group_size); undefined where the launch chooses. */
  readonly workgroupSize?: readonly [number, number, number];
  /** GLSL local_size_x_id and the like: constant_id by dimension. A default that the text states is in `workgroupSizeHint`. */
  readonly workgroupSizeIds?: readonly [number | undefined, number | undefined, number | undefined];
  /** With `workgroupSizeIds`: the sizes of the other dimensions, which no launch changes. */
  readonly workgroupSizeStated?: readonly [number | undefined, number | undefined, number | undefined];
  /** Where the launch chooses: what the source suggests. */
  readonly workgroupSizeHint?: readonly [number, number, number];
  /** `[WaveSize(n)]`, `[WaveSize(min, max, preferred)]`, `intel_reqd_sub_group_size`: what the kernel is written for. */
  readonly subgroupSizes?: SubgroupSizes;
  readonly maxTotalThreads?: number;
  /** Attributes of vendors as the source writes them, which say nothing in another language. */
  readonly vendorAttributes?: readonly string[];
  /** Names the source gave to builtin values (entry parameters with attributes or semantics), to be used again. */
  readonly builtinNames: ReadonlyMap<BuiltinId, string>;
  /** The types those parameters have in the source: `uint`, `uint2`, `ushort` for what is `u32x3` here. */
  readonly builtinTypes?: ReadonlyMap<BuiltinId, Type>;
}

/**
 * Values the launch provides per lane. Vector ones are 3-component u32 (`u32x3`); the rest u32. Source: data.md section
 * 7 and cross-lane.md 1.1. `subgroup_size` is the nominal width.
 */
export const builtinIds = [
  "global_id",
  "local_id",
  "workgroup_id",
  "workgroup_size",
  "num_workgroups",
  "global_size",
  "global_offset",
  "enqueued_workgroup_size",
  "local_index",
  "global_linear_id",
  "work_dim",
  "lane_id",
  "subgroup_size",
  "subgroup_id",
  "num_subgroups",
  "subgroup_lanes",
  "enqueued_num_subgroups",
  "quad_lane_id",
  "quad_id",
  "num_quads",
] as const;
export type BuiltinId = (typeof builtinIds)[number];
export const vectorBuiltins: ReadonlySet<BuiltinId> = new Set<BuiltinId>([
  "global_id",
  "local_id",
  "workgroup_id",
  "workgroup_size",
  "num_workgroups",
  "global_size",
  "global_offset",
  "enqueued_workgroup_size",
]);

export interface FunctionDeclaration<S extends Stage = "canonical"> {
  readonly id: FunctionId;
  readonly name: string;
  readonly parameters: readonly VarId[];
  readonly returnType: Type;
  /** Written as returning a reference: the tree has the pointer, calls are dereferenced. */
  readonly returnsReference?: boolean;
  readonly body: Block<S>;
  /** Entries have no `parameters` in a canonical tree: their interface is `EntryPoint.resources` and builtins. */
  readonly isEntry: boolean;
  /** A function of the source's library. Its body says what it means; a target that has it calls its own. */
  readonly library?: SubgroupMatrixFunction;
  /** The emulation this function carries out, where a pass made it; printed as a short comment and listed in reports. */
  readonly emulates?: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly trivia: Trivia;
}

/**
 * Functions of matrices of 8 by 8 elements that the lanes of a subgroup hold together (MSL 3.1 section 6.7). Parameters:
 *   fill, diagonal: a value; the result is the matrix
 *   load: the matrix by reference, a pointer, the elements from one row to the next in memory, with `origin` the column and row
 *     in memory where the matrix begins, with `transposed` "given" a bool
 *   store: the same, the matrix by value
 *   multiply: d by reference, a, b;  multiply-accumulate: d by reference, a, b, c;  product: a, b, the result is the matrix
 */
export type SubgroupMatrixFunction =
  | { readonly operation: "fill" | "diagonal" | "multiply" | "multiply-accumulate" | "product" }
  | { readonly operation: "load" | "store"; readonly origin: boolean; readonly transposed: boolean | "given" };

// ------------------------------------------------------------------ statements

export type Statement<S extends Stage = "canonical"> =
  | Block<S>
  | Declare<S>
  | ExpressionStatement<S>
  | If<S>
  | Switch<S>
  | For<S>
  | While<S>
  | DoWhile<S>
  | Break
  | Continue
  | Return<S>
  | OwnNodes<S>[S]["statement"];

export interface StatementBase {
  readonly span: Span;
  readonly trivia: Trivia;
}

export interface Block<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "block";
  readonly statements: readonly Statement<S>[];
  /** Comments before the closing brace. */
  readonly innerComments: readonly Comment[];
}
/** One local variable. Declarators of one source declaration share `group`, so that `float a, b;` prints as it was. */
export interface Declare<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "declare";
  readonly variable: VarId;
  readonly initializer?: Expr<S>;
  readonly group?: number;
}
export interface ExpressionStatement<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "expression";
  readonly expression: Expr<S>;
}
/** `condition` is a scalar bool. `then` and `else` are blocks where the source had braces, else single statements. */
export interface If<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "if";
  readonly condition: Expr<S>;
  readonly then: Statement<S>;
  readonly else?: Statement<S>;
}
/** Cases in text order; a body that does not end in `break` falls through. `labels` are literals or enumerators, perhaps converted, or "default". */
export interface Switch<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "switch";
  readonly value: Expr<S>;
  readonly cases: readonly SwitchCase<S>[];
}
export interface SwitchCase<S extends Stage = "canonical"> {
  readonly labels: readonly (Expr<S> | "default")[];
  readonly body: readonly Statement<S>[];
  readonly span: Span;
  readonly trivia: Trivia;
}
export interface For<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "for";
  readonly initializer: readonly (Declare<S> | ExpressionStatement<S>)[];
  readonly condition?: Expr<S>;
  readonly step?: Expr<S>;
  readonly body: Statement<S>;
  readonly unroll?: UnrollHint;
}
export interface While<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "while";
  readonly condition: Expr<S>;
  readonly body: Statement<S>;
  readonly unroll?: UnrollHint;
}
export interface DoWhile<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "do-while";
  readonly body: Statement<S>;
  readonly condition: Expr<S>;
  readonly unroll?: UnrollHint;
}
/** true: unroll fully or as the compiler likes; false: do not; a number: that many times. */
export type UnrollHint = boolean | number;
export interface Break extends StatementBase {
  readonly kind: "break";
}
export interface Continue extends StatementBase {
  readonly kind: "continue";
}
export interface Return<S extends Stage = "canonical"> extends StatementBase {
  readonly kind: "return";
  readonly value?: Expr<S>;
}
/** memory.md section 2. Adjacent fences and barriers are fused on reading. */
export interface Barrier extends StatementBase {
  readonly kind: "barrier";
  /** It stands in flow that is shown to be uniform in the workgroup (legalization). */
  readonly uniform?: boolean;
  readonly barrier: BarrierDescriptor;
  readonly compiled?: CompiledBarrier;
}
/** What the source's own compiler makes of a barrier, or of several that follow each other. */
export interface CompiledBarrier {
  /** Of HLSL's, the instructions of shader model 5. */
  readonly instructions: readonly string[];
  /** What a profile of the source's language must have for the calls: a feature expression. */
  readonly needs?: string;
  /** What the barrier of the tree does more than the source asks for. */
  readonly strengthened?: string;
}
export interface BarrierDescriptor {
  readonly execution: "none" | "subgroup" | "workgroup";
  readonly memory: { readonly workgroup: boolean; readonly global: boolean; readonly image: boolean };
  readonly scope: MemoryScope;
  readonly order: "acquire" | "release" | "acq_rel" | "seq_cst";
  /** Of buffers it orders these alone (HLSL's `Barrier` of a buffer): resources, or parameters that stand for one. Absent: all. */
  readonly buffers?: readonly VarId[];
}
export type MemoryScope = "invocation" | "subgroup" | "workgroup" | "device" | "system";
export type MemoryOrder = "relaxed" | "acquire" | "release" | "acq_rel" | "seq_cst";

// ------------------------------------------------------------------ places

/** Something that can be read, written or referred to. Its type is the type of the value it holds. */
export type Place<S extends Stage = "canonical"> =
  VariablePlace | Deref<S> | Element<S> | MemberPlace<S> | SwizzlePlace<S> | OwnNodes<S>[S]["place"];

export interface PlaceBase {
  readonly type: Type;
  readonly span: Span;
}
export interface VariablePlace extends PlaceBase {
  readonly kind: "variable";
  readonly variable: VarId;
}
/** `*p`. `p[i]` is `deref(pointer-offset(p, i))`; on a buffer or array it is `element(variable, i)` (builders simplify). */
export interface Deref<S extends Stage = "canonical"> extends PlaceBase {
  readonly kind: "deref";
  readonly pointer: Expr<S>;
}
/** Of an array, a vector (component) or a matrix (column). `index` is an integer scalar. */
export interface Element<S extends Stage = "canonical"> extends PlaceBase {
  readonly kind: "element";
  readonly base: Place<S>;
  readonly index: Expr<S>;
}
export interface MemberPlace<S extends Stage = "canonical"> extends PlaceBase {
  readonly kind: "member";
  readonly base: Place<S>;
  readonly member: string;
}
/** Components 0..3 (0..15) of a vector; as a target no component twice. One component: a scalar. */
export interface SwizzlePlace<S extends Stage = "canonical"> extends PlaceBase {
  readonly kind: "swizzle";
  readonly base: Place<S>;
  readonly components: readonly number[];
}
/**
 * What lies so many bytes after the start of a memory object, as another type: what a pointer that was cast points into, where
 * pointers have become places, and members of unions. `base` is a variable, or the words that stand for a union; the type is an
 * array without a length, laid out as the source lays out buffers.
 */
export interface ViewPlace<S extends Stage = "canonical"> extends PlaceBase {
  readonly kind: "view";
  readonly base: Place<S>;
  /** A u32, or what may lie before the object, an i32; a multiple of the alignment of the type's elements. */
  readonly offset: Expr<S>;
}

// ------------------------------------------------------------------ expressions

export type Expr<S extends Stage = "canonical"> =
  | Literal
  | EnumeratorRef
  | LengthRead<S>
  | Load<S>
  | Unary<S>
  | Binary<S>
  | Logical<S>
  | Conditional<S>
  | Convert<S>
  | Bitcast<S>
  | Splat<S>
  | Construct<S>
  | SwizzleValue<S>
  | ElementValue<S>
  | MemberValue<S>
  | FunctionCall<S>
  | Assign<S>
  | Increment<S>
  | Comma<S>
  | AddressOf<S>
  | PointerOffset<S>
  | NullPointer
  | OwnNodes<S>[S]["expr"];

export interface ExprBase {
  readonly type: Type;
  readonly span: Span;
  /** Where one expansion of a constant-like macro covers exactly this subtree. Dropped when the subtree changes. */
  readonly macro?: { readonly name: string };
  /**
   * On integer arithmetic that the source does in a wider type: it is relied on that its value fits into the type here
   * ("value"; on the conversion of an index, that it counts elements of some object), or that its shift count is below the width ("count"). "offset": the value counts elements, or bytes, of some object. "edges": the source leaves open what it gives beyond
   * the range of its type, or shifted by its width or more; "shift": the latter alone. "minimum": the type has at least 16 bits in
   * the source, and the value is relied on to fit those. "block", on a comparison with the number of the last block of an array
   * but one: the index is that of a block. A run on which that is not so has a finding. "index": elements are counted by the value, in a type
   * that may be too narrow for it; a run on which it is begins again with a wider one (`sim/counted-sizes.ts`).
   */
  readonly relies?: "value" | "offset" | "count" | "edges" | "shift" | "minimum" | "block" | "index";
  /** Of an index into an array in which several objects lie: a run on which it leads to no place in one of them has a finding. */
  readonly within?: Objects;
  /** While the tree is made: HLSL numbers, and what is computed from them, whose type their surroundings decide (src/sema/open-literals.ts). */
  readonly open?: true;
}

/**
 * Objects in one array: the first element of each, and how many it has. The index is one of them; of a sum that is `moved` in the object
 * in which its left operand is. `end`: or of what follows the last element.
 */
export interface Objects {
  readonly objects: readonly (readonly [first: number, count: number])[];
  readonly end?: true;
  readonly moved?: true;
}

/** A scalar. Integers beyond 2^53 are bigint. f16, bf16 and f32 values are already rounded to their type. */
export interface Literal extends ExprBase {
  readonly kind: "literal";
  readonly type: ScalarType;
  readonly value: number | bigint | boolean;
  /** The source's digits without suffix (`0x1F`, `1e-3`), where the value still is what they say. */
  readonly text?: string;
  /** A case label: the compile-time constant the source names there. Printers may write it where their target can. */
  readonly named?: VarId;
}
export interface EnumeratorRef extends ExprBase {
  readonly kind: "enumerator";
  /** Index into `Module.enums`. */
  readonly enum: number;
  readonly name: string;
  readonly value: number | bigint;
}
/** Type `u32x3` for vector builtins, else `u32`. `get_global_id(0)`, `gid.x` are `swizzle-value(builtin, [0])`. */
export interface BuiltinRead extends ExprBase {
  readonly kind: "builtin";
  readonly builtin: BuiltinId;
}
/** The number of elements of a runtime-sized array in memory, a u32. Reads no element. */
export interface LengthRead<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "length";
  readonly place: Place<S>;
}
export interface Load<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "load";
  readonly place: Place<S>;
}
export interface Unary<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "unary";
  /** not: logical, on bool scalars and vectors; complement: on integers. */
  readonly operator: "negate" | "not" | "complement" | "plus";
  readonly operand: Expr<S>;
}
export type BinaryOperator =
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "rem"
  | "shl"
  | "shr"
  | "and"
  | "or"
  | "xor"
  | "eq"
  | "ne"
  | "lt"
  | "le"
  | "gt"
  | "ge";
/**
 * Both operands have the same type, except: the count of a shift (an integer of the same shape, any kind), matrix
 * products (`mul` of matrix with matrix, vector or scalar, linear-algebra meaning), pointer comparison and the difference
 * of pointers (`sub`, an i32: elements between two places of one object). Comparisons of
 * vectors are componentwise and give bool vectors; a whole-vector `==` is `logic.all` of one. and/or/xor also on bool.
 * `rem` truncates (sign of the dividend), integers only. `shr` is arithmetic on signed types.
 */
export interface Binary<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expr<S>;
  readonly right: Expr<S>;
  /** Whether the source has parentheses around it; absent where the source does not have it at all. */
  readonly grouped?: boolean;
  /** Of floats, in a module whose contraction is "marked": it may be fused with another that may (`contraction.ts`). */
  readonly contracts?: true;
}
/** Lazy; scalar bools. */
export interface Logical<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "logical";
  readonly operator: "and" | "or";
  readonly left: Expr<S>;
  readonly right: Expr<S>;
  /** As of `Binary`. */
  readonly grouped?: boolean;
}
/** Lazy; `condition` is a scalar bool. The componentwise form is the op `select.componentwise`. */
export interface Conditional<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "conditional";
  readonly condition: Expr<S>;
  readonly whenTrue: Expr<S>;
  readonly whenFalse: Expr<S>;
}
/**
 * Value conversion between scalars, or vectors of equal size: integers wrap, float to integer truncates toward zero (out
 * of range: undefined arithmetic), integer to float and float to narrower float round to nearest even, to bool is `!= 0`,
 * from bool is 0/1. Also array-to-pointer decay never appears here (it is `address-of`).
 */
export interface Convert<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "convert";
  readonly operand: Expr<S>;
  /** False: the source's rules did it; printers write it only where the target's rules would not do the same. */
  readonly explicit: boolean;
}
/**
 * Same size in bits: `as_type<T>(x)`, `floatBitsToUint`, `asuint`, `as_uint`. Of a pointer: the same address, as a pointer to
 * something else in the same space (`(device float4 *)p`).
 */
export interface Bitcast<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "bitcast";
  readonly operand: Expr<S>;
  /** A pointer to volatile: what is accessed through it, whatever the object is declared as (C99 6.7.3). */
  readonly volatile?: true;
  /** A pointer to atomics, where the target has types of their own for them. */
  readonly atomic?: true;
}
/** A scalar to all components of a vector of the same scalar kind. */
export interface Splat<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "splat";
  readonly operand: Expr<S>;
  /** As in `Convert`. */
  readonly explicit: boolean;
}
/**
 * Vectors from scalars and vectors of the same scalar kind (component counts add up exactly), matrices from columns or
 * from columns*rows scalars in column order, arrays and structs from their elements in order, a union from one member.
 */
export interface Construct<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "construct";
  readonly arguments: readonly Expr<S>[];
  /** Written as an initialiser list in the source. */
  readonly braces?: boolean;
  /** Of a union: the member that is given, where that is not the first. */
  readonly member?: string;
}
export interface SwizzleValue<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "swizzle-value";
  readonly operand: Expr<S>;
  readonly components: readonly number[];
}
export interface ElementValue<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "element-value";
  readonly operand: Expr<S>;
  readonly index: Expr<S>;
}
export interface MemberValue<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "member-value";
  readonly operand: Expr<S>;
  readonly member: string;
}
/** A row of the capability table applied. Operand and result types follow the row's signature. */
export interface OpCall<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "op";
  readonly op: OpId;
  readonly arguments: readonly Expr<S>[];
  /** Atomic object first, then out operands (`expected` of a compare-exchange, second result of `math.modf`). */
  readonly places: readonly Place<S>[];
  readonly order?: MemoryOrder;
  /** Failure order of a compare-exchange. */
  readonly failureOrder?: MemoryOrder;
  readonly scope?: MemoryScope;
  /** What an order stronger than relaxed is about: the memory whose accesses it orders. */
  readonly memory?: BarrierDescriptor["memory"];
  readonly precondition?: CallPrecondition;
  /** Of an atomic load: a plain load is one here (`src/ops/coherent-loads.ts`). */
  readonly plainly?: boolean;
}
/**
 * What an op by the name the source calls it by may take for granted. uniform: all lanes of the subgroup reach the call (OpenCL's base
 * sub-group functions). uniform-operands: the operands after the first are the same in all its lanes (distances in MSL, rotations).
 */
export type CallPrecondition = "uniform" | "uniform-operands";
/**
 * Text for whoever runs the kernel: the format's conversions take an argument each, in order, of the type they print. Further
 * arguments are evaluated only. It is printed as a whole, and has no value.
 */
export interface Print<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "print";
  readonly format: readonly PrintPiece[];
  readonly arguments: readonly Expr<S>[];
}
export type Argument<S extends Stage = "canonical"> =
  | { readonly mode: "value"; readonly value: Expr<S> }
  | { readonly mode: "out" | "inout" | "ref"; readonly place: Place<S> };
export interface FunctionCall<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "call";
  readonly function: FunctionId;
  readonly arguments: readonly Argument<S>[];
}
/**
 * `target = value`, or with an operator `target = convert(op(convert(target, compute), value))`; `compute` defaults to
 * the target's type. The expression's value is the target's new value.
 */
export interface Assign<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "assign";
  readonly operator?: BinaryOperator;
  readonly target: Place<S>;
  readonly value: Expr<S>;
  readonly compute?: Type;
  /** As of `Binary`. */
  readonly contracts?: true;
}
/** ++ and --. Pointers move by one element. */
export interface Increment<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "increment";
  readonly place: Place<S>;
  readonly delta: 1 | -1;
  readonly prefix: boolean;
}
export interface Comma<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "comma";
  readonly left: Expr<S>;
  readonly right: Expr<S>;
}
/** `&place`; array-to-pointer decay is `&array[0]`. */
export interface AddressOf<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "address-of";
  readonly place: Place<S>;
  /** The source's own `&m[i][j]`, from which a number may lead to another row: only what stays in this one is added to its index. */
  readonly inRow?: true;
}
/** The pointer to nothing, of some pointer type; to `void` where the source does not say (`NULL`, `nullptr`). */
export interface NullPointer extends ExprBase {
  readonly kind: "null-pointer";
}
/** `pointer + offset`, in elements; `pointer - n` has a negated offset. */
export interface PointerOffset<S extends Stage = "canonical"> extends ExprBase {
  readonly kind: "pointer-offset";
  readonly pointer: Expr<S>;
  readonly offset: Expr<S>;
}
