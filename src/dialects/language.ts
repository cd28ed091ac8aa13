/**
 * What kind of language a dialect is, where that decides how a text reads and what it has to look like. Sources: MSL
 * specification 1 to 5 (C++14), GLSL 4.60, OpenCL C 3.0 (C99), the HLSL reference and DXC. What concerns one op stands in
 * its row (src/ops), what concerns conversions in `conversions.ts`, arithmetic at its edges in `arithmetic.ts`.
 */
import type { LayoutRule } from "../types/layout.js";
import type { Dialect, Target } from "./ids.js";

/**
 * In which order the parts of an expression are evaluated; "open": in any. The tree goes from left to right. GLSL: 4.60
 * section 6.1.1, and glslang. C99 6.5 and C++14 1.9 leave it open. HLSL is what DXC does: docs/hlsl-order.md.
 */
export interface EvaluationOrder {
  /** Operands of operators; parts of lists and constructors. */
  readonly operands: "left to right" | "open";
  /** Arguments of calls, of builtin functions and methods too. */
  readonly arguments: "left to right" | "right to left" | "open";
  /** `place = value` and `place += value` of scalars and vectors. */
  readonly assignment: "place first" | "value first" | "open";
  /** `a[i][j]` of arrays. */
  readonly indices: "left to right" | "right to left" | "open";
  /** The place of an argument that is written is found once; DXC finds some twice, with what its indices do. */
  readonly placesOnce: boolean;
}

export interface LanguageFacts {
  /** As messages call it. */
  readonly name: string;
  /** Of files that are written. */
  readonly extension: string;
  /** Pointers and addresses, `->` and `&`. */
  readonly pointers: boolean;
  /** An array as an operand becomes a pointer to its first element, or is a value that is copied. */
  readonly arrays: "decay" | "values";
  /** An array that ends a struct in a buffer may go on to the end of the buffer, whatever its length says. */
  readonly openEnds: boolean;
  /** What a list that is too short leaves out is zero. */
  readonly shortLists: boolean;
  /** What `<`, `==`, `&&` and `!` give: bool, or int (0 and 1; on vectors 0 and -1 of the operands' width). */
  readonly relations: "bool" | "int";
  /** A literal without a suffix, and what is made of such, takes the type its surroundings want (HLSL before 202x). */
  readonly openLiterals: boolean;
  /** What `'a'` is: a char in C++, an int in C and for DXC; GLSL has none. */
  readonly characters: "i8" | "i32" | undefined;
  readonly order: EvaluationOrder;
  /**
   * What its compilers take for a backslash at the end of a line, beside one: a backslash with blanks after it, and the trigraph
   * `??/` (C before C23, C++ before C++17). Tried with clang, DXC and glslang.
   */
  readonly continuesLines: { readonly blanks: boolean; readonly trigraph: boolean };
  /** Enumerators have the underlying type of their enumeration, or are ints. */
  readonly enumerators: "typed" | "int";
  /** Where buffers and specialisation constants are declared. */
  readonly resources: "parameters" | "file scope";
  /** The text states the size of workgroups and of workgroup memory; elsewhere the launch may choose. */
  readonly statesSizes: boolean;
  /** Launches are made of whole workgroups. */
  readonly wholeWorkgroups: boolean;
  /**
   * A barrier of the subgroup waits for the lanes that are active there (GL_KHR_shader_subgroup: "all active invocations"), or has
   * to be reached by all of them (MSL 6.9.1, OpenCL C 6.15.8).
   */
  readonly subgroupBarrier: "active" | "all";
  /** Raw buffers are addressed in bytes, by member functions. */
  readonly byteAddressBuffers: boolean;
  /** Memory of a kernel's own: workgroup and private. */
  readonly memory: LayoutRule;
}

const inText: EvaluationOrder = {
  operands: "left to right",
  arguments: "left to right",
  assignment: "place first",
  indices: "left to right",
  placesOnce: true,
};
const asDxc: EvaluationOrder = {
  operands: "left to right",
  arguments: "right to left",
  assignment: "value first",
  indices: "right to left",
  placesOnce: false,
};
const inAnyOrder: EvaluationOrder = {
  operands: "open",
  arguments: "open",
  assignment: "open",
  indices: "open",
  placesOnce: true,
};

/** Versions of the HLSL language, as DXC's -HV names them. */
export const hlslVersions = ["2016", "2017", "2018", "2021", "202x"] as const;
export type HlslVersion = (typeof hlslVersions)[number];
/** DXC's own. */
export const defaultHlslVersion: HlslVersion = "2021";

const shading = {
  pointers: false,
  enumerators: "typed",
  byteAddressBuffers: false,
  arrays: "values",
  openEnds: false,
  shortLists: false,
  relations: "bool",
  continuesLines: { blanks: false, trigraph: false },
  resources: "file scope",
  statesSizes: true,
  wholeWorkgroups: true,
  subgroupBarrier: "active",
  memory: "structured",
} as const;
const c = {
  pointers: true,
  byteAddressBuffers: false,
  arrays: "decay",
  openEnds: true,
  shortLists: true,
  openLiterals: false,
  order: inAnyOrder,
  continuesLines: { blanks: true, trigraph: true },
  resources: "parameters",
  statesSizes: false,
  wholeWorkgroups: false,
  subgroupBarrier: "all",
  memory: "natural",
} as const;

export const languageFacts: Readonly<Record<Dialect, LanguageFacts>> = {
  msl: { ...c, name: "MSL", extension: "metal", relations: "bool", characters: "i8", enumerators: "typed" },
  glsl: { ...shading, name: "GLSL", extension: "comp", openLiterals: false, order: inText, characters: undefined },
  opencl: { ...c, name: "OpenCL C", extension: "cl", relations: "int", characters: "i32", enumerators: "int" },
  hlsl: {
    ...shading,
    continuesLines: { blanks: true, trigraph: false },
    name: "HLSL",
    extension: "hlsl",
    openLiterals: true,
    byteAddressBuffers: true,
    order: asDxc,
    characters: "i32",
  },
};

/** How elements of buffers lie in memory, where no block says otherwise. TypeScript takes the launch's bytes. */
export const bufferLayout: Readonly<Record<Target, LayoutRule>> = {
  msl: "natural",
  glsl: "std430",
  opencl: "natural",
  hlsl: "structured",
  ts: "natural",
};

/** The same for a resource that may stand in a block: uniform blocks are laid out by std140. */
export const layoutInBlock = (target: Target, block: string | undefined): LayoutRule =>
  target === "glsl" && block === "uniform" ? "std140" : bufferLayout[target];
