/**
 * The state of one analysis and what its parts share: symbols, scopes, values (typed results of expressions that may
 * still be places), and the reporting of problems.
 */
import type { BitField } from "./bit-fields.js";
import type { FoundDuring } from "./found-during.js";
import type { ContractionScope } from "./pragmas.js";
import { rootVariable } from "../ast/builders.js";
import type {
  Assumption,
  BuiltinId,
  EntryPoint,
  EnumDeclaration,
  Expr,
  FunctionDeclaration,
  FunctionId,
  Literal,
  ParameterMode,
  Place,
  Resource,
  Statement,
  StructDeclaration,
  TopLevel,
  Trivia,
  VarId,
  Variable,
} from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import type { Meanings, OutsideValue } from "./static-members.js";
import { memberOf } from "../ast/lookup.js";
import { append } from "../support/append.js";
import type { ResolvedBarrier } from "../ops/index.js";
import { showTypeIn } from "../dialects/show-type.js";
import type { SourceDialect, SourceForm } from "../dialects/ids.js";
import { languageFacts } from "../dialects/languages.js";
import type { BlockReference } from "./readers/glsl-references.js";
import type { HlslVersion, LanguageFacts, ReadingFacts } from "../dialects/language.js";
import type { Footprints } from "../ops/footprints.js";
import type { Code } from "../support/codes.js";
import { kindOf, wayOut } from "../support/problem-kinds.js";
import type { Problem, Problems } from "../support/diagnostics.js";
import type { Comment, Directive, ExpandedSource, MacroExpansion } from "../support/expanded-source.js";
import type { NumberedNames } from "../support/numbered-names.js";
import type { Span } from "../support/span.js";
import {
  pointer,
  type AddressSpace,
  type FloatKind,
  type PointerType,
  type StructType,
  type Type,
} from "../types/types.js";
import type { BlockArray } from "./block-choice.js";
import type { SharedBlock } from "./shared-blocks.js";
import type { ReturnedVariable } from "./returned-variable.js";
import type { EagerChoice } from "./eager-operands.js";
import type { SpecValues } from "./given-constants.js";
import type { Closure } from "./closures.js";
import type { Methods } from "./methods.js";
import type { SourceReader } from "./readers/reader.js";
import type { FunctionPointers } from "./function-pointers.js";
import type { StaticBuffers } from "./static-buffers.js";
import type { FunctionShape } from "./templates/function-types.js";
import type { TemplateState } from "./templates/state.js";
import type { FunctionInstance, FunctionTemplate, NamedTemplate } from "./templates/template.js";
import type { TriviaIndex } from "./trivia.js";

/** What an expression of the source means: a value, or a place that can be read and perhaps written. */
export interface Value {
  readonly type: Type;
  /** Exactly one of `expr`, `place`, `row`, `field` and `firstOf` is there. */
  readonly expr?: Expr;
  readonly place?: Place;
  /** HLSL's `m[r]`: row `index` of a matrix, which is no canonical place. */
  readonly row?: {
    readonly matrix: Value;
    readonly index: Expr;
    /** `m[r].xz`: the columns meant. */ readonly columns?: readonly number[];
    /** `m._m00_m11`: of these rows, not of `index`. */ readonly rows?: readonly number[];
  };
  /** Some bits of a word, which are no place. */
  readonly field?: {
    readonly word: Value;
    readonly field: BitField;
    /** Of an assignment: what it does, where nothing takes the value. */
    readonly effect?: Expr;
  };
  /** A vector that is the first elements of this array, which is no canonical place. */
  readonly firstOf?: Place;
  /** It is these components of that, a vector that begins at any of its own. */
  readonly components?: readonly number[];
  /** The place, or what the expression gives, has the matrices of `type` transposed: it is stored by rows. */
  readonly byRows?: boolean;
  /** A place that must not be written, with the reason in words. */
  readonly readOnly?: string;
  /** An integer or float literal of the source, perhaps negated, which some dialects convert more freely; in HLSL what is open (open-literals.ts). */
  readonly literal?: boolean;
  /** A predeclared word of the dialect: `memory_order_relaxed`, `mem_device`, `gl_ScopeDevice`. */
  readonly word?: string;
  /** An HLSL buffer object, which is indexed and called but is no value. */
  readonly object?: ResourceObject;
  /** Of a buffer with a counter that is none of the file: where its counter lies. */
  readonly counter?: Place;
  /** An array of buffers of the file: what its name stands for. */
  readonly buffers?: BufferArray;
  /** An instance of an interface block, of which only members are values. */
  readonly block?: ReadonlyMap<string, Symbol>;
  /** The block as a value of its struct, where it has one (HLSL's `ConstantBuffer<T>`); what `statements` have for a value. */
  readonly whole?: (span: Span) => Expr | undefined;
  /** A fence or barrier was called: a statement, no value. */
  readonly barrier?: ResolvedBarrier;
  /** A call that takes several statements (wide stores into raw buffers), and without value but for `expr`, which says all of it, too. */
  readonly statements?: readonly Statement[];
  /** Of a lambda, whose type says which: what it has captured, in the order of its captures. */
  readonly captured?: readonly Value[];
  /** Of a base: the object that it is a part of, where the base is made for the type of that (`struct X : Base<X>`). */
  readonly derived?: Value;
  /** In C++ it is a place as well: the one that is written once `expr` has been evaluated, which this does (C++14 5.3.2, 5.16, 5.17). */
  readonly lvalue?: { readonly space: AddressSpace; readonly place: () => Place };
  /** A place that nothing else is to name (an xvalue, C++14 3.10): `static_cast<T &&>(x)`. */
  readonly xvalue?: true;
  /** A list, or a name of several functions, for a parameter of one of several types: how well it fits one (C++14 13.3.3.1.5), and what it is as that. */
  readonly listed?: {
    readonly rank: (type: Type) => number | undefined;
    /** `referred`: as what a reference refers to. */
    readonly as: (type: Type, referred?: boolean) => Value | undefined;
    /** The one element, which references to its type refer to (C++14 8.5.4 (3)). */
    readonly element?: Value | undefined;
    readonly shown: string;
  };
  /** Called when a value that stands for a parameter is written or referred to: it then becomes a local variable. */
  readonly onWrite?: () => void;
}

export interface SaidOffset {
  readonly offset: number;
  readonly span: Span;
}

/** What an expression is that is a place of C++, where one refers to it. */
export const asPlace = (v: Value): Value =>
  v.place || !v.lvalue ? v : { type: v.type, place: v.lvalue.place(), ...(v.readOnly ? { readOnly: v.readOnly } : {}) };

/** Whether it is an lvalue of C++ (C++14 3.10): a place that has a name. */
export const isLvalue = (v: Value): boolean =>
  !v.xvalue && (v.place ?? v.row ?? v.field ?? v.firstOf ?? v.onWrite ?? v.lvalue) !== undefined;

export interface BufferArray {
  readonly symbol: Symbol & { readonly kind: "value" };
  readonly name: string;
  /** Of no other. */
  readonly key: string;
  /** Without a length. */
  readonly open?: true;
}

export interface FunctionInfo {
  readonly id: FunctionId;
  readonly name: string;
  readonly parameters: readonly ParameterInfo[];
  returnType: Type;
  /** `auto f()`: its first return says what it returns. */
  deduces?: "value" | "declared" | "reference" | "const reference" | "forwarding reference";
  /** It takes more arguments than it has parameters, which nothing reads. */
  readonly variadic?: boolean;
  /** Its calls may be constants (C++14 7.1.5). */
  readonly constexpr?: boolean;
  /** MSL: calls are places of the pointee. */
  returnsReference?: boolean;
  /** An object that is const (`const S f()`). */
  readonly returnsConst?: boolean;
  /** Nothing else names those (`T &&`). */
  returnsRvalue?: boolean;
  readonly span: Span;
  /** The definition has been seen. */
  defined: boolean;
  /** It names what a lane of 32 has of a matrix of its subgroup. */
  takesElements?: true;
  declaration?: FunctionDeclaration;
  /** Functions it calls, with the first place. */
  readonly calls: Map<FunctionId, Span>;
  readonly instance?: FunctionInstance;
  /** Of instances of templates, and methods: what is read when the function is called first. */
  later?: LaterBody;
  /** By the place of a parameter that is a lambda: how the body takes what that has captured, once it has been read. */
  captures?: ReadonlyMap<number, readonly ParameterInfo[]>;
  /** Why its body is not read; to be called it would have to be. */
  unread?: readonly Problem[];
  /** Of one that is read where it is needed: what is wrong with it, and so with all that call it. */
  wrong?: readonly Problem[];
  /** Of one of no template with pointers or references that name no address space: what is read again for the spaces of a call. */
  generic?: { readonly declaration: syntax.FunctionDeclaration; readonly scope: Scope };
  /** Those it is read as for the spaces of calls. */
  copies?: Map<string, FunctionInfo>;
  /** The pointer or reference that it returns names no address space. */
  readonly returnsOpen?: true;
  /** Read for the spaces of a call, which these are: the types of its parameters are these, not those it is declared with. */
  readonly inSpaces?: string;
  /** What it is read from, where that is read more than once as one function: its static variables are the same. */
  readonly readFrom?: object;
  /** The struct that it is declared in, of one of the file (C++14 11.3 (6)). */
  readonly friendOf?: string;
  /** Of an entry: its declaration, and the function that calls of it mean. */
  readonly kernel?: syntax.FunctionDeclaration;
  called?: FunctionInfo;
}

/** The declaration of a function that is read where it is needed. */
export interface LaterBody {
  readonly declaration: syntax.FunctionDeclaration;
  /** What the declaration stands in, whose comments come first. */
  readonly outer: object;
  readonly scope: Scope;
  /** As messages call it. */
  readonly shown: string;
  /** Functions that are declared behind are not meant by its names. */
  readonly visibleBefore: number | undefined;
  /** It is of no template: what was declared before is all there is, whatever types arguments have. */
  readonly untemplated?: boolean;
  /** Of methods: the struct that declares it; the object is the first parameter. */
  readonly method?: string;
  /** Of constructors: the struct of which an object is made and returned. */
  readonly constructs?: string;
  /** Of constructors that are inherited (`using Base::Base;`): the member that the base is, and the constructor that makes it. */
  readonly inherits?: { readonly member: string | undefined; readonly base: () => FunctionInfo | undefined };
  /** Of lambdas: the first parameter is the lambda itself, whose captures the body names. */
  readonly closure?: Closure;
}

export interface ParameterInfo {
  readonly name: string;
  readonly type: Type;
  readonly mode: ParameterMode;
  /** Of references. */
  readonly space: AddressSpace;
  readonly constant: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  readonly span: Span;
  readonly default?: syntax.Expression | syntax.InitializerList;
  /** The pack it is an element of. */
  readonly pack?: string;
  /** `T &&`: it refers to what nothing else names. */
  readonly rvalue?: true;
  /** A pointer or reference that names no address space. */
  readonly openSpace?: true;
  /** It takes what lies in this space since it names none. */
  readonly moved?: true;
  /** A buffer reference that may come from memory which is only read. */
  readonly keepsReadOnly?: true;
  /** An array of buffers, which is read for those that calls give: the one that stands in its place. */
  readonly buffers?: "open" | Symbol;
  /** It refers to this base of the object that calls give (`forWholeObjects`). */
  readonly part?: StructType;
}

/** Where what it refers to lies, if it says so; `rvalue`: it refers to what nothing else names. */
export interface ReferenceInfo {
  readonly space?: AddressSpace;
  readonly rvalue?: true;
}

/** A type as a name stands for it: typedefs may carry qualifiers. */
export interface NamedTypeInfo {
  readonly type: Type;
  readonly constant?: boolean;
  /** It is a reference to the type: what declares one of it refers to something. */
  readonly reference?: ReferenceInfo;
  /** What members of the type are aligned to, where the typedef says more than the type has. */
  readonly aligned?: number;
  /** How its matrices are stored, where the typedef says so. */
  readonly stored?: "rows" | "columns" | undefined;
}

export type Symbol =
  | { readonly kind: "variable"; readonly variable: VarId; readonly span: Span }
  /** A name that stands for a value made anew at each use: parameters bound to builtins, predeclared words. */
  | {
      readonly kind: "value";
      readonly make: (span: Span) => Value;
      readonly span: Span;
      /** It is declared as a reference. */
      readonly reference?: ReferenceInfo;
      /** `this`, or a member of it. */
      readonly ofObject?: true;
    }
  /** An instance of an interface block: `.member` leads on. */
  | {
      readonly kind: "block";
      readonly members: ReadonlyMap<string, Symbol>;
      /** What it holds a value of. */
      readonly struct?: StructType;
      readonly span: Span;
    }
  /** `defined`: a struct by its own name, not by another that a typedef gives it. */
  | { readonly kind: "type"; readonly info: NamedTypeInfo; readonly defined?: true; readonly span: Span }
  | {
      readonly kind: "functions";
      readonly overloads: FunctionInfo[];
      readonly templates: FunctionTemplate[];
      readonly span: Span;
      /** Stands for a parameter of a template: it is found from the template on, wherever the function is declared. */
      readonly argument?: true;
    }
  | { readonly kind: "namespace"; readonly scope: Scope; readonly span: Span }
  /** The type of functions: parameters of templates and instances of kernels are declared with it. */
  /** `pointer`: what a variable of it is, where it is one of pointers to such functions. */
  | {
      readonly kind: "function type";
      readonly shape: FunctionShape;
      readonly pointer?: () => NamedTypeInfo | undefined;
      readonly span: Span;
    }
  /** A parameter pack of a template or function: what its elements are. */
  | { readonly kind: "pack"; readonly elements: readonly Symbol[]; readonly span: Span }
  /** A struct, alias or variable template: a name that stands for nothing without arguments. */
  | { readonly kind: "template"; readonly template: NamedTemplate; readonly span: Span }
  | {
      readonly kind: "enumerator";
      readonly enum: number;
      readonly name: string;
      readonly value: number | bigint;
      readonly span: Span;
    }
  | { readonly kind: "enum"; readonly index: number; readonly scoped: boolean; readonly span: Span }
  /** Functions of a struct, named within it; `object`: that of the method that is being read. */
  | { readonly kind: "methods"; readonly struct: string; readonly object?: Variable; readonly span: Span }
  /** HLSL resource objects whose methods and indexing are resolved by the interface. */
  | { readonly kind: "object"; readonly variable: VarId; readonly object: ResourceObject; readonly span: Span }
  /**
   * Its declaration was wrong and has been reported; with `refusal`, what is not translated, and with `problems`, what is wrong,
   * reported where it is used.
   */
  | { readonly kind: "error"; readonly span: Span; readonly refusal?: string; readonly problems?: readonly Problem[] };

/** An HLSL buffer object: `StructuredBuffer<T>`, `ByteAddressBuffer`, `Buffer<T>` and their RW forms. */
export interface ResourceObject {
  readonly view: "structured" | "raw" | "typed";
  readonly writable: boolean;
  readonly element: Type;
  readonly typeName: string;
  /** Its elements are reached by its counter alone. */
  readonly counted?: true;
}

/** A buffer object as a value, which locals, parameters and members may hold: it points to the buffer. */
export const objectPointer = ({ element, typeName, writable }: ResourceObject): PointerType => ({
  ...pointer({ kind: "array", element, length: undefined }, "global", !writable),
  object: typeName,
});

export interface Scope {
  readonly parent?: Scope;
  readonly symbols: Map<string, Symbol>;
  /** Structs and enumerations whose name something else in the scope has, too (C++14 3.3.10 (2)): `struct S` leads to them. */
  hidden?: Map<string, Symbol>;
  /** Names of `parent` cannot be declared here again. */
  readonly sharesParent?: true;
  /** Of one statement, after which it ends. */
  readonly ofOne?: true;
  /** Parameters of a template, by what they stand for. */
  readonly ofTemplate?: true;
  /** Of an object whose method is read: names besides those, made where they are met. */
  object?: { readonly names: ReadonlyMap<string, unknown>; symbol(name: string): Symbol };
  /** Of namespaces: the name, with those around it before, as functions are named after it. */
  readonly namespace?: string;
  /** `inline namespace`: templates of it are specialised in what is around it, too (C++14 7.3.1 (8)). */
  inline?: true;
  /** Namespaces whose names are brought here by `using`. */
  used?: Scope[];
  /** Of a struct: its data and functions, where nothing is evaluated and no object is there (C++14 5.1.1 (13)). */
  parts?: { has(name: string): boolean; symbol(name: string): Symbol };
  /** Of an element of an expansion of a pack: which one. */
  readonly element?: number;
}

export interface FunctionState {
  readonly info: FunctionInfo;
  readonly entry: boolean;
  readonly calls: Map<FunctionId, Span>;
  /** Entry parameters that are written or referred to, by name; they become locals in the next round. */
  readonly materialize: Set<string>;
  readonly builtinNames: Map<BuiltinId, string>;
  readonly builtinTypes: Map<BuiltinId, Type>;
  /** What is between the braces. */
  readonly body?: syntax.CompoundStatement;
  /** Where the names of variables stand that are given nothing, and that constructors make. */
  readonly madeAtOnce: Set<number>;
  /** The variable that each `return` of the body names, once somebody asked. */
  returned?: ReturnedVariable;
  loops: number;
  /** Those around what is read. */
  readonly switches: Span[];
  /** Parameters that are references to what nothing else names. */
  readonly rvalues: Set<VarId>;
  /** Names declared in the heads of loops read so far, where old compilers let them live on. */
  readonly loopNames: Set<string>;
  /** Variables of heads of loops that are named behind them. */
  readonly livedOn: Set<VarId>;
  /** What the statement being read needs before it: locals besides its own, statements of statement expressions. */
  locals: Statement[];
  /** Statement expressions and compound literals that stand before the statement being read. */
  leading: ReadonlySet<syntax.Expression>;
  /** The object of a method or constructor. */
  object?: Variable;
  /** What a constructor makes. */
  made?: Variable;
  /** Lambdas read so far: one that is read again is the same. */
  readonly closures: Closure[];
}

export interface SemaOptions {
  readonly dialect: SourceDialect;
  /** Where the text is in another form of the dialect than its plain one. */
  readonly form?: SourceForm;
  readonly fileName?: string;
  readonly hlslVersion?: HlslVersion;
  readonly enable16bitTypes?: boolean;
  /** Values of specialisation constants, by name or number. */
  readonly spec?: SpecValues;
  /** Lengths of arrays of buffers that say none, by name, and those that a launch gives so many elements of. */
  readonly arrayLength?: Readonly<Record<string, number>>;
  readonly listedArrays?: Readonly<Record<string, number>>;
  /** The size of workgroups, where the text leaves it to specialisation; missing dimensions are 1. */
  readonly workgroupSize?: readonly number[];
  /** Reads only some declarations of the file. */
  readonly part?: PartOfFile;
  /** What is said already, of declarations whose braces could not be read. */
  readonly unparsed?: readonly Problem[];
}

/** Declarations of a file that are read; the others leave nothing, not even their comments. */
export interface PartOfFile {
  readonly declarations: ReadonlySet<syntax.Declaration>;
  /** Names of the others. */
  readonly leftOut: ReadonlySet<string>;
  /** Of `leftOut`, those that were looked up all the same: they have to be read, too. */
  readonly missed: Set<string>;
  /** Functions whose bodies are not read, and why: what calls one of them cannot be read either. */
  readonly unread: ReadonlyMap<syntax.Declaration, readonly Problem[]>;
  /** The file has entries besides those that are read. */
  readonly otherEntries: boolean;
}

/** What the version of a language, or words of the text, change of how it is read. */
export interface Variant {
  /** Numbers without a suffix have no type of their own: HLSL before 202x. */
  readonly openLiterals: boolean;
  /** HLSL before 2021: logical and conditional operators evaluate all their operands, and take vectors. */
  readonly eager: boolean;
  /** HLSL before 2021: what the head of a loop declares lives on behind it. */
  readonly loopNamesLiveOn: boolean;
  /** The address of a pointer is taken somewhere. */
  /** A typedef says an alignment that its type has not, which objects of it have. */
  alignedTypedefs?: true;
  /** Some variable says an alignment. */
  alignedVariables?: true;
  pointersAddressed?: boolean;
  /** HLSL from 202x on: `?:` of scalars has the type it has in C++. */
  readonly conditionalAsCpp: boolean;
  /** HLSL that names a type of 16 bits: DXC takes it with `-enable-16bit-types` only, where `half` and `1.0h` have 16 bits too. */
  readonly narrowTypes: boolean;
}

export interface Sema extends Variant {
  readonly dialect: SourceDialect;
  /** What the text is in. */
  readonly form: SourceForm;
  readonly language: LanguageFacts;
  readonly reading: ReadingFacts;
  readonly reader: SourceReader;
  readonly options: SemaOptions;
  readonly problems: Problems;
  /** How many there were when the declaration of the file that is being read began. */
  problemsBefore: number;
  /** During which declarations each problem was found: what is said of an instance once is wrong with all that want it. */
  readonly during: FoundDuring;
  readonly source: ExpandedSource;
  readonly trivia: TriviaIndex;
  /** Object-like macro uses by `start:end`. */
  readonly expansions: ReadonlyMap<string, MacroExpansion>;
  readonly globalScope: Scope;
  scope: Scope;
  readonly structs: Map<string, StructDeclaration>;
  /** Of names of structs that are taken; anew where structs are taken back. */
  structNumbers: NumberedNames;
  /** The namespaces of structs that lie in one. */
  readonly declaredIn: Map<string | number, Scope>;
  /** MSL: structs that stand for `array<T, N>`, by element and length. */
  readonly classArrays: Map<string, string>;
  /** Structs of the library that were named, by the library's names. */
  readonly libraryStructs: Map<string, string>;
  /** Members that are stored by rows (rows.ts), by struct; variables that are. */
  readonly byRows: Map<string, ReadonlySet<string>>;
  /** The members of structs that say at which byte they lie, by struct; and the structs of which a block has taken that. */
  /** Where members are declared that may be written though their object is const. */
  readonly mutableAt: Set<number>;
  readonly saidOffsets: Map<string, ReadonlyMap<string, SaidOffset>>;
  readonly offsetsTaken: Set<string>;
  /** Members of so many bits, by struct. */
  readonly bitFields: Map<string, ReadonlyMap<string, BitField>>;
  /** Of them the words that only keep room, by struct. */
  readonly roomOfBits: Map<string, ReadonlySet<string>>;
  readonly variablesByRows: Set<VarId>;
  /** GLSL: structs by what they are where a block stores them by rows, both ways. */
  readonly storedStructs: Map<string, string>;
  /** GLSL: `layout(row_major) uniform;`: what blocks are like that do not say otherwise. */
  readonly blockDefaults: Readonly<Record<"uniform" | "buffer" | "shared", syntax.LayoutEntry[]>>;
  /** HLSL: structs that are interfaces, by name. */
  readonly interfaces: Set<string>;
  /** Types of pointers to functions, by the enumeration that stands for one. */
  readonly functionPointers: Map<number, FunctionPointers>;
  /** HLSL: static buffers that are given none where they are declared, and what is assigned to them. */
  readonly staticBuffers: StaticBuffers;
  readonly enums: EnumDeclaration[];
  /** Which of them are `enum class`, and which say what their values are kept in, by index. */
  readonly enumerationForms: Map<number, { readonly scoped: boolean; readonly fixed: boolean }>;
  readonly variables: Map<VarId, Variable>;
  readonly resources: Resource[];
  /** Global memory of the program, which lasts from launch to launch: read as the constants it begins as. */
  readonly programMemory: Set<VarId>;
  /** Static variables by what their functions are read from (static-locals.ts). */
  readonly staticLocals: WeakMap<object, Map<string, VarId>>;
  /** What pointers to characters begin as. */
  readonly textPointers: Map<VarId, Expr>;
  /** Where pointers that name no address space were found to lead (generic-pointers.ts). */
  readonly led: Map<string, AddressSpace>;
  /** Those that lead to a memory since pointers to them may lead to others, too, and what this reading found local ones to begin as. */
  readonly met: Set<string>;
  readonly begun: Map<string, AddressSpace>;
  /** Types of buffers of which values were found to be counted by (counted-buffers.ts), and those by the structs they are as values. */
  /** Not empty where an earlier reading has found null pointers that no word of the text says. */
  readonly nulls: Set<string>;
  /** Pointers to objects have become such to their bases as if none were null. */
  takenForObjects: boolean;
  readonly counted: Set<string>;
  readonly countedBuffers: Map<string, ResourceObject>;
  /** Something that this reading did not make, as the next one has another type for it. */
  leftOut: Span | undefined;
  /** Workgroup memory that begins as zeros. */
  readonly zeroedWorkgroup: VarId[];
  readonly sharedBlocks: SharedBlock[];
  /** What static members of structs are given outside of them, by the names they have as variables of the file. */
  readonly definedOutside: ReadonlyMap<string, OutsideValue>;
  /** What their names meant where they were read first: with the structs or at the definition, where it may be something else. */
  readonly readAhead: Map<syntax.Initializer, Meanings>;
  /** Structs in whose padding nothing lies that inherits them: see `isPlainData`. */
  readonly plainData: Set<string>;
  /** Variables that stand for constants of the file which hold addresses. */
  readonly addressTables: Set<VarId>;
  /** The variables that constructors return. */
  readonly madeObjects: Set<VarId>;
  /** Structs with constructors that copy, and do more than that, and those whose is deleted, and where. */
  readonly copiedByFunctions: Map<string, Span | undefined>;
  /** How many members each struct has, with those of the structs in it. */
  readonly structMembers: Map<string, number>;
  /** Names that a typedef gives to a struct that is still to come. */
  readonly awaitedStructs: Map<string, readonly syntax.Identifier[]>;
  /** Structs that are named by others before they are read, by what defines them: their names, and how those end. */
  readonly promisedStructs: Map<syntax.StructSpecifier, { readonly name: string; readonly kept: () => void }>;
  /** Where resources were last found. */
  readonly resourceAt: Map<VarId, number>;
  readonly blockArrays: BlockArray[];
  /** Variables of the file that the host sets one by one (HLSL's `$Globals`): where the last ends, and whether one lies elsewhere than behind the others. */
  readonly globals: { end: number; moved: boolean; minimum: boolean };
  /** Types of references to blocks that are declared before what they lead to, by name. */
  readonly forwardBlocks: Map<string, PointerType>;
  /** Types of references to blocks (GLSL), by name. */
  readonly references: Map<string, BlockReference>;
  readonly functions: FunctionInfo[];
  /** Of what is read so far. */
  readonly footprints: Footprints;
  readonly entries: EntryPoint[];
  /** Names of structs whose members are being read: those among them take others. */
  readonly openStructs: Map<string, Pick<Methods, "scope" | "bases"> | undefined>;
  readonly order: TopLevel[];
  /** Values of the macros that lengths of arrays name. */
  readonly lengthMacros: Map<string, Literal>;
  /** Comments of declarations that leave no trace, waiting for the next one that does. */
  readonly pendingComments: Comment[];
  /** An empty line stood before a declaration that is left out. */
  pendingBlank: boolean;
  /** What pragmas and words of the text say of contraction. */
  readonly contraction: ContractionScope[];
  /** Pragmas of contraction where none may stand, in order. */
  readonly misplacedPragmas: readonly Span[];
  /** Floats whose NaN, infinities and signed zeros the text says it keeps, where the language leaves them open. */
  readonly specialNumbers: Set<FloatKind>;
  /** By place in the text. */
  readonly unrollPragmas: readonly Directive[];
  readonly templates: TemplateState;
  /** Of structs that have functions, static members or types, by name. */
  readonly methods: Map<string, Methods>;
  /** By the names of their types. */
  readonly closures: Map<string, Closure>;
  /** `using namespace metal`: its functions stand beside those of the source. */
  libraryInScope: boolean;
  nextVariable: number;
  nextGroup: number;
  /** How deep the expression or statement being read is nested. */
  depth: number;
  fn: FunctionState | undefined;
  /** In an operand that is not evaluated: variables that stand for objects of types, and end with it. */
  scratch?: VarId[] | undefined;
  /** Specialisation constants that had to keep their defaults. */
  readonly fixed: Assumption[];
  /** Specialisation constants by name, whatever became of them. */
  readonly specNames: Set<string>;
  /** Keys of `options.spec` that named something. */
  readonly specUsed: Set<string>;
  /** Arrays of buffers without a length, by name. */
  openArrays?: Set<string>;
  /** Specialisation constants that have become constants of the file. */
  readonly settledConstants: Set<VarId>;
  /** Numbers of specialisation constants whose values are known, and those. */
  readonly settledNumbers: Map<number, Literal["value"]>;
  /** Values were given in place of what the text leaves open, so that it says more than its own tokens. */
  specialized: boolean;
  /** The text has what is no part of its language, but an extension of compilers. */
  extended: boolean;
  /** Initialisers of local constants that are constant as soon as specialisation constants are: what sizes arrays settles those. */
  readonly settledLater: Map<VarId, Expr>;
  /** GLSL: `layout(local_size_x = ...) in;` gathered so far. */
  readonly localSize: { size: (number | undefined)[]; ids: (number | undefined)[]; span?: Span };
  /** HLSL: system-value semantics of the members of structs, by struct. */
  readonly semantics: Map<string, ReadonlyMap<string, string>>;
  /** HLSL before 2021: choices of which all operands are evaluated, by the expression that was made of them. */
  readonly eagerChoices: WeakMap<Expr, EagerChoice>;
  /** Initialisers of constants, for constant expressions. */
  readonly constants: Map<VarId, Expr>;
  /** Resources each function names, for entries of dialects with file-scope interfaces. */
  readonly globalsUsed: Map<FunctionId, Set<VarId>>;
}

/** Whether a call can stand only as a statement of its own. */
export const isStatement = (v: Value): boolean =>
  !v.expr && !v.whole && (v.barrier !== undefined || v.statements !== undefined);

// ------------------------------------------------------------------ problems

export function error(
  s: Sema,
  code: Code,
  message: string,
  span: Span,
  more: Pick<Problem, "notes" | "help" | "once"> = {},
): undefined {
  const help = more.help ?? (kindOf(code) === "not-yet" ? wayOut : undefined);
  s.problems.error(code, message, span, help ? { ...more, help } : more);
  return undefined;
}

/** Reports what is wrong about a name only where a declaration of the file has it first. */
export function errorOnce(
  s: Sema,
  code: Code,
  message: string,
  span: Span,
  more: Pick<Problem, "notes" | "help"> = {},
): undefined {
  if (s.problems.has(code, message, s.problemsBefore)) return undefined;
  return error(s, code, message, span, { ...more, once: true });
}

/** What to do about an attribute that is not known. */
export const leaveOut = "leave it out where what the kernel computes does not hang on it";

/** A valid construct that is not translated yet; `help` says how else to write it. */
export function notYet(s: Sema, what: string, span: Span, help?: string): undefined {
  return error(s, "XL1900", `${what} not supported yet`, span, help ? { help } : {});
}

/** For what another language has: the other form of the dialect, which is named, or any. */
export function absentHere(s: Sema, what: string, span: Span, help?: string): undefined {
  const { superset } = s.reading;
  const there = superset ? `, which ${languageFacts[superset.form].name} has` : "";
  return error(s, "XL2021", `${s.language.name} has no ${what}${there}`, span, help ? { help } : {});
}

/** Deeper trees would exhaust the stack of everything that walks them. */
export const maxDepth = 600;

/** Reads something one level deeper, unless that is too deep. */
export function nested<T>(s: Sema, span: Span, work: () => T): T | undefined {
  if (s.depth >= maxDepth) {
    const said = s.problems.list.some((p) => kindOf(p.code) === "too-deep");
    return said ? undefined : error(s, "XL1006", "statements or expressions are nested too deeply", span);
  }
  s.depth++;
  try {
    return work();
  } finally {
    s.depth--;
  }
}

// ------------------------------------------------------------------ variables and values

export function newVariable(s: Sema, variable: Omit<Variable, "id">): Variable {
  const made = { ...variable, id: s.nextVariable++ };
  s.variables.set(made.id, made);
  return made;
}

export function updateVariable(s: Sema, id: VarId, changes: Partial<Variable>): void {
  s.variables.set(id, { ...s.variables.get(id)!, ...changes });
}

/** Notes that the function being read names a file-scope resource. */
export function useVariable(s: Sema, id: VarId): void {
  if (!s.fn || s.variables.get(id)!.role !== "resource") return;
  let used = s.globalsUsed.get(s.fn.info.id);
  if (!used) s.globalsUsed.set(s.fn.info.id, (used = new Set()));
  used.add(id);
}

/** The resource a variable stands for, tried first where it was found before. */
export function resourceFor(s: Sema, id: VarId): Resource | undefined {
  if (s.variables.get(id)?.role !== "resource") return undefined;
  const at = s.resourceAt.get(id);
  if (at !== undefined && s.resources[at]?.variable === id) return s.resources[at];
  const found = s.resources.findIndex((r) => r.variable === id);
  if (found >= 0) s.resourceAt.set(id, found);
  return s.resources[found];
}

/** Whether it can be read; buffer objects, lambdas and calls without value cannot. */
export const hasValue = (v: Value): boolean =>
  (v.expr ?? v.place ?? v.row ?? v.field ?? v.firstOf ?? (v.statements && v.whole)) !== undefined;

export const exprValue = (expr: Expr): Value => ({ type: expr.type, expr, ...(expr.open ? { literal: true } : {}) });

/** Global memory of the program is a constant here, which no pointer into global memory points to: a problem is reported. */
export function refusesAddress(s: Sema, place: Place, span: Span): boolean {
  const root = rootVariable(place);
  if (root === undefined || !s.programMemory.has(root)) return false;
  notYet(
    s,
    `the address of '${s.variables.get(root)!.name}', which lies in global memory at file scope, is`,
    span,
    "make it a buffer that is an argument of the kernel, or constant",
  );
  return true;
}

/** The address space a place lies in. */
export function placeSpace(s: Sema, place: Place): AddressSpace {
  switch (place.kind) {
    case "variable":
      return s.variables.get(place.variable)!.space;
    case "deref":
      return place.pointer.type.kind === "pointer" ? place.pointer.type.space : "private";
    default:
      return placeSpace(s, place.base);
  }
}

/** The address space of an object whose address is taken: what that makes a variable of its own is private. */
export const addressedSpace = (s: Sema, v: Value, place: Place): AddressSpace =>
  v.onWrite ? "private" : placeSpace(s, place);

/** The trivia of a syntax node, with comments left over from declarations before it that left no trace. */
export function takeTrivia(s: Sema, node: object): Trivia {
  const own = s.trivia.of(node);
  if (s.pendingComments.length === 0 && !s.pendingBlank) return own;
  const leading = [...s.pendingComments, ...own.leading];
  s.pendingComments.length = 0;
  const blankBefore = own.blankBefore || s.pendingBlank;
  s.pendingBlank = false;
  return { ...own, leading, blankBefore };
}

/** Keeps the comments of a node that leaves no trace for the next one. */
export function carryTrivia(s: Sema, node: object, speaks: (c: Comment) => boolean = () => true): void {
  const own = s.trivia.of(node);
  append(s.pendingComments, own.leading);
  append(s.pendingComments, s.trivia.inner(node));
  append(s.pendingComments, own.trailing.filter(speaks));
}

/** Of the members that the source names: what holds a base may have the name of a member of that. */
export function structMember(s: Sema, type: Type, name: string): Type | undefined {
  if (type.kind !== "struct") return undefined;
  const isBase = s.methods.get(type.name)?.bases.some((b) => b.member === name);
  return isBase ? undefined : memberOf(s.structs.get(type.name)?.members ?? [], name)?.type;
}

/** A type as the source's language spells it. */
export const shown = (s: Pick<Sema, "reading" | "enums">, type: Type): string =>
  showTypeIn(s.reading.types, type, s.enums);
