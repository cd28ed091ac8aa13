import type { Cost } from "../ast/legal.js";
import type { SourceDialect, Target } from "../dialects/ids.js";
import type { ClStd, HlslVersion } from "../dialects/language.js";
import type { SourceMap } from "../maps/source-map.js";
import type { SpecValues } from "../sema/given-constants.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";
import type { Reflection } from "../launch/reflection.js";

/** Finds an included file. `from` is the file with the directive, by the name the text was given under; a prelude has none. */
export type IncludeFunction = (path: string, from: string | undefined) => Promise<IncludeResult> | IncludeResult;
/** The file, its text alone (its name is then the path), why it is not read, or that there is none. */
export type IncludeResult = FoundInclude | string | undefined;
export type FoundInclude = IncludedFile | RefusedInclude | MissingInclude;
export interface IncludedFile {
  readonly name: string;
  readonly text: string;
}
/** There is such a file, and it is not to be read: what would let it be read, as the help of XL0006. */
export interface RefusedInclude {
  readonly refused: string;
}
/** There is no such file: where one may be found, as the help of XL0006. */
export interface MissingInclude {
  readonly missing: string;
}
export type Include = Readonly<Record<string, string>> | IncludeFunction;

export type { SpecValue, SpecValues } from "../sema/given-constants.js";

/** What every function takes about a source. */
export interface SourceOptions {
  readonly from: SourceDialect;
  /** As diagnostics call it. */
  readonly fileName?: string;
  /** The entry point, where there are several. */
  readonly entry?: string;
  /** Macros by name; `NAME(x)` is one with parameters. */
  readonly defines?: Readonly<Record<string, string | number | boolean>>;
  readonly include?: Include;
  /**
   * Values of specialisation constants, by name or number (`constant_id`, `function_constant`): they are constants of the
   * kernel then, and no arguments.
   */
  readonly spec?: SpecValues;
  /** How many there are of an array of buffers or blocks that says no length (`StructuredBuffer<float> b[]`), by its name. */
  readonly arrayLength?: Readonly<Record<string, number>>;
  /** Files that are read before the source, as `-include` of C compilers does; `include` finds them, from no file. In GLSL they follow `#version`. */
  readonly prelude?: readonly string[];
  /** Of HLSL sources, as DXC's -HV: numbers without a suffix, conditional and logical operators mean different things. The default is 2021, as DXC's. */
  readonly hlslVersion?: HlslVersion;
  /**
   * Of HLSL sources, as DXC's -enable-16bit-types: `half` and types of minimum precision have 16 bits. Without it they have 32 in
   * memory, unless the text names a type that only exists with it (`float16_t`).
   */
  readonly enable16bitTypes?: boolean;
  /**
   * Of OpenCL sources, as clang's -cl-std: OpenCL C, or C++ for OpenCL. Without it a file's name says it (`.clcpp`), or the text: what
   * is no OpenCL C, and has words of C++, is read as C++ for OpenCL 2021, with a note.
   */
  readonly clStd?: ClStd;
  /** Check and keep what no entry needs, too, of included files as well; then every error is one. */
  readonly keepUnused?: boolean;
}

export interface TargetOptions {
  /** A version of the target, e.g. `vulkan1.2`. */
  readonly profile?: string;
  /** Write only what this device has: the parsed JSON of `vulkaninfo --json`, `clinfo --json` or `crosslane devices --format profile`. */
  readonly deviceProfile?: object;
  /** For kernels that leave it open: beside one, a kernel that states another keeps it, with a warning; else that is an error, XL4003. */
  readonly workgroupSize?: readonly number[];
  /** A kernel that states another size than `workgroupSize` keeps it, and nothing is said. */
  readonly keepStatedSizes?: boolean;
  readonly subgroupSize?: number;
  /** Lanes of a subgroup, a power of two, for a target without subgroups: they go through workgroup memory. */
  readonly emulateSubgroups?: number;
  /** Bytes of workgroup memory sized at launch, by argument name. */
  readonly local?: Readonly<Record<string, number>>;
  /** Guard what is otherwise assumed, or refuse it. */
  readonly strict?: boolean;
}

export interface TranslateOptions extends SourceOptions, TargetOptions {
  readonly to: Target;
  /** Gives `map`, a source map (version 3) of `code`; "inline": in a comment behind the text, too. */
  readonly sourceMap?: boolean | "inline";
  /** `#line` directives, so that compilers of the text name the lines of the source. `ts` has none. */
  readonly lineDirectives?: boolean;
  /** `ts` only: false leaves types out, and the text is JavaScript as the printer lays it out. */
  readonly types?: boolean;
}

/** Something carried out by other means, or taken for granted, with the places it concerns. */
export interface Remark {
  readonly op: string;
  readonly message: string;
  /** Of an emulated op: what it costs there. */
  readonly cost?: Cost;
  readonly locations: readonly Location[];
}

/** A barrier or fence of the text. */
export interface BarrierRemark {
  /** Absent where it is not the source's: of a lowering. */
  readonly location?: Location;
  readonly calls: readonly string[];
  /**
   * Where the text or the source is HLSL: the instructions of shader model 5 that do what it does (`sync_uglobal_g_t`), to which its
   * functions compile; `Barrier` of 6.8 does to `dx.op.barrierByMemoryType` or `barrierByMemoryHandle`, of which it is the counterpart.
   */
  readonly instructions?: readonly string[];
  /** Buffers for which `_uglobal` acts at the scope of the workgroup, since they are not `globallycoherent`. */
  readonly workgroupOnly?: readonly string[];
}

/** A kernel that cannot be translated, though others of its file can. */
export interface RefusedEntry {
  readonly entry: string;
  /** Why; the first says most. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A declaration that no entry needs, and that is not in the translation. */
export interface LeftOutDeclaration {
  readonly names: readonly string[];
  readonly kind: "function" | "type" | "variable" | "interface";
  readonly file: string;
  readonly line: number;
  /** Why it could not have been kept; absent where it comes from an included file and was not looked at. */
  readonly diagnostic?: Diagnostic;
}

export interface TranslateResult {
  /** Absent where the source has errors or the target refuses it: `diagnostics` says why. */
  readonly code?: string;
  /** Where it is asked for: from `code` to the source and its includes. */
  readonly map?: SourceMap;
  /** Of `to: "ts"`: what `code` exports, as declarations of TypeScript; `Launch` is of `crosslane/runtime`. */
  readonly declarations?: string;
  /** Kernels that `code` does not have. With any, the translation is a part of its source only. */
  readonly refused: readonly RefusedEntry[];
  /** What `code` does not have since no kernel needs it. */
  readonly leftOut: readonly LeftOutDeclaration[];
  readonly diagnostics: readonly Diagnostic[];
  readonly reflection?: Reflection;
  readonly emulations: readonly Remark[];
  readonly assumptions: readonly Remark[];
  /** Barriers and fences of `code`. */
  readonly barriers: readonly BarrierRemark[];
}

export interface CheckResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Kernels that cannot be translated, though others of the file can. */
  readonly refused: readonly RefusedEntry[];
  /** What no kernel needs, and is not looked at or not translated (`keepUnused` does). */
  readonly leftOut: readonly LeftOutDeclaration[];
  readonly reflection?: Reflection;
  readonly portability: readonly Portability[];
  /** What each entry takes the width of subgroups for. */
  readonly widths: readonly WidthReport[];
}

export interface WidthReport {
  readonly entry: string;
  /** It reads lane numbers or has cross-lane ops: else every width will do. */
  readonly usesSubgroups: boolean;
  /** The only widths the source allows. */
  readonly required?: { readonly min: number; readonly max: number };
  /** Places of the text that are right for subgroups of this width only. */
  readonly assumptions: readonly { readonly message: string; readonly location: Location; readonly width?: number }[];
}

/** What one target under one profile makes of the source. */
export interface Portability {
  readonly target: Target;
  readonly profile: string;
  /** The device the profile was narrowed to. */
  readonly device?: string;
  readonly verdict: "exact" | "emulated" | "assumed" | "refused";
  /** The only entries that are refused, where others are not. */
  readonly refusedEntries?: readonly string[];
  readonly emulations: readonly Remark[];
  readonly assumptions: readonly Remark[];
  /** Why it is refused. */
  readonly diagnostics: readonly Diagnostic[];
}
