/**
 * What kind of language a dialect is, where that decides how a text reads and what it has to look like. Sources: MSL
 * specification 1 to 5 (C++14), GLSL 4.60, OpenCL C 3.0 (C99), the HLSL reference and DXC. What concerns one op stands in
 * its row (src/ops). Each language has a folder with its facts, words, taken names and macros; `languages.ts` lists them.
 */
import type { LayoutRule } from "../types/layout.js";
import type { FloatKind, ScalarKind, Type } from "../types/types.js";
import type { SourceForm } from "./ids.js";
import type { LibraryInternals, PredeclaredWords } from "./predeclared-words.js";
import type { Reserved } from "./reserved-names.js";
import type { TypeNames } from "./type-names.js";
import type { DialectWords } from "./words.js";

/**
 * In which order the parts of an expression are evaluated; "open": in any. The tree goes from left to right. GLSL: 4.60
 * section 6.1.1, and glslang. C99 6.5 and C++14 1.9 leave it open. HLSL is what DXC does: docs/hlsl-order.md.
 */
export interface EvaluationOrder {
  /** Operands of operators; parts of lists and constructors. */
  readonly operands: "left to right" | "open";
  /** Arguments of calls, of builtin functions and methods too. */
  readonly arguments: "left to right" | "right to left" | "open";
  /**
   * When an argument that is a place, handed over by value to a function of the program, is read: in its turn, or with the call,
   * after all arguments are evaluated. glslang (12 and 16) does that, against GLSL 4.60 section 6.1.1.
   */
  readonly argumentsRead: "in turn" | "with the call";
  /** `place = value` and `place += value` of scalars and vectors. */
  readonly assignment: "place first" | "value first" | "open";
  /** `a[i][j]` of arrays. */
  readonly indices: "left to right" | "right to left" | "open";
  /** The place of an argument that is written is found once; DXC finds some twice, with what its indices do. */
  readonly placesOnce: boolean;
}

/** What a language says about integer arithmetic at its edges (data.md section 9). */
export interface ArithmeticFacts {
  /** `+ - *` and negation of 32-bit signed integers beyond the range. MSL as C++14, OpenCL C as C99. */
  readonly signedOverflow: "wraps" | "undefined";
  /** It wraps, and a compiler of the language folds as if it did not happen: DXC 1.9 takes `x + 1 > x` for true. */
  readonly foldsSignedOverflow?: true;
  /** Counts of a shift at or beyond the width: OpenCL C 6.3 and DXC take them modulo the width. */
  readonly shiftCount: "modulo" | "undefined";
  /** It takes them so, and a compiler of the language does not where it folds scalar constants: of `const int n = 36`, DXC 1.9 takes `1 << n` for `1 << 31`. */
  readonly foldsShiftCount?: true;
  /** `<<` of negative numbers, or into the sign: C++14 5.8 leaves it open. */
  readonly signedShiftLeft: "bits" | "undefined";
  /** `%` of signed integers where an operand is negative: GLSL 4.60 section 5.9. */
  readonly negativeRemainder: "truncates" | "undefined";
  /** Unsigned `/` and `%` of 32 bits by zero: all ones in Direct3D (udiv). Of other widths, and signed, no dialect has a result. */
  readonly unsignedDivisionByZero: "ones" | "undefined";
}

/**
 * NaN, infinities and the signs of zeros: kept as IEEE 754 has them, or a compiler may take them for absent unless the text, or
 * who compiles it, says otherwise. OpenCL C 3.0 7.5 keeps them but with -cl-finite-math-only. Vulkan leaves them open without
 * SPIR-V's execution mode SignedZeroInfNanPreserve, for which devices have a property for each width. Metal compiles with fast
 * math by default; `#pragma METAL fp math_mode(safe)` came with 3.2. HLSL has them only in what `precise` and -Gis mark.
 */
export type SpecialNumbers =
  | "kept"
  | {
      /** What a profile must have for a text that says that it keeps them: a feature expression. */
      readonly keptWith: Partial<Readonly<Record<FloatKind, string>>>;
      /** A text can say it of floats of so many widths. */
      readonly widths: number;
      /** `precise` variables ask for it, too: the HLSL reference has them follow IEEE 754. */
      readonly keptByPrecise?: true;
      /** What a translation relies on else. */
      readonly assumed: string;
    };

/**
 * The order of sums and products of floats: that of the text, or what algebra makes of it, unless the text says otherwise. OpenCL C
 * keeps it (C99 5.1.2.3 (13)) but with -cl-unsafe-math-optimizations. GLSL 4.60 4.14 leaves it to the compiler but for what
 * computes `precise` variables (SPIR-V: NoContraction, "such operations are not allowed to reassociate"), HLSL likewise; Metal
 * compiles with fast math by default, which "cannot be used by code that relies on rounding behavior such as (x + 2^52) - 2^52" (the
 * MSL specification, below its tables of accuracy).
 */
export type FloatOrder =
  | "kept"
  | { readonly keptBy: "precise" }
  | {
      readonly keptBy: "math mode";
      /** What a profile must have for the pragma: a feature expression. */
      readonly needs: string;
      /** What a translation relies on else. */
      readonly assumed: string;
    };

/** What becomes what without a cast: `conversions.ts`. */
export interface ConversionFacts {
  /** Before anything else is done with them, small integers and bool become int (C99 6.3.1.1), or only bool does. */
  readonly promotes: "small integers" | "bool" | "nothing";
  /** What `?:` makes of two values of one small integer type: an int as other operators do (C99 6.5.15p5), or that type (C++14 5.16p4). */
  readonly choices: "promoted" | "kept";
  /** Scalars convert to any other, or to wider ones only (GLSL 4.60 section 4.1.10). */
  readonly scalars: "any" | "to wider";
  /** Vectors of one size convert as their elements do, or never. */
  readonly vectors: "as scalars" | "never";
  /** Vectors are cut to shorter ones and to scalars; scalars fill matrices; matrices convert. */
  readonly shapes: "convert" | "fixed";
  /** A scalar becomes a vector wherever one is wanted, or as an operand of one only. */
  readonly splats: "everywhere" | "operands";
  /** The common type of two numbers: C99 6.3.1.8; what one converts to implicitly; DXC's of the wider. */
  readonly common: "usual conversions" | "implicit conversions" | "the wider";
  /** A scalar operand of greater rank than the vector's elements is an error (OpenCL C 6.4). */
  readonly ranksScalars: boolean;
  /** Without a cast, any pointer becomes one to void; in C one to void becomes any (C99 6.3.2.3), in C++ none (C++14 4.10). */
  readonly voidPointers: "to and from" | "to" | "none";
}

/** How a kernel asks for a width of its subgroups. */
export type SubgroupSizeRequest =
  | { readonly cannot: string; readonly most?: { readonly size: number; readonly message: string } }
  | {
      readonly least?: { readonly size: number; readonly message: string };
      /** `lacks`: what a profile without it is said not to have. */
      readonly one: { readonly needs: string; readonly lacks: string };
      readonly range: { readonly needs: string; readonly lacks: string } | { readonly cannot: string };
    };

/** Kinds of scalars a language may have no type for. */
export type OptionalScalar = "f16" | "bf16" | "i16" | "i8" | "i64" | "f64";

/**
 * How what the host provides is numbered: by its position in the list of parameters (OpenCL C: clSetKernelArg); by kind,
 * buffers, workgroup memory and constants each in a row (MSL 5.2.1); by bindings of sets, in one row (GLSL 4.60 section
 * 4.4.5); by registers, `t`, `u` and `b` each in a row (the HLSL reference, `register`).
 */
export type SlotNumbers = "positions" | "kinds" | "bindings" | "registers";

export interface LanguageFacts {
  /** As messages call it. */
  readonly name: string;
  /** Of files that are written. */
  readonly extension: string;
  /** What computes a `precise` variable in other functions is precise, too: DXC inlines them. GLSL 4.60 4.14: in its own only. */
  readonly preciseReachesFunctions: boolean;
  /** Pointers and addresses, `->` and `&`. */
  readonly pointers: boolean;
  /** Structs in memory that the host fills may hold pointers, as addresses of buffers. */
  readonly addressesInBuffers?: true;
  /** Release sequences go on with atomic writes of the lane that began them (C11 5.1.2.4 (10)), not with read-modify-writes alone (Vulkan). */
  readonly ownWritesContinue: boolean;
  /** An array as an operand becomes a pointer to its first element, or is a value that is copied. */
  readonly arrays: "decay" | "values";
  /** An array that ends a struct in a buffer may go on to the end of the buffer, whatever its length says. */
  readonly openEnds: boolean;
  /** What a list that is too short leaves out is zero. */
  readonly shortLists: boolean;
  /** Lists and constructors are rows of numbers, as many as the type has, however they are grouped. */
  readonly flatLists: boolean;
  /**
   * What `<`, `==`, `&&` and `!` give: bool, or int (0 and 1; on vectors 0 and -1 of the operands' width); or bool of scalars and
   * such ints of vectors (C++ for OpenCL).
   */
  readonly relations: "bool" | "int" | "bool of scalars";
  /**
   * Whether an object is read that is named where nobody takes its value (`a[i];`, `(void)a[i]`): as everywhere (C99 6.3.2.1 (2)), or only if it
   * is volatile (C++14 5 (11)).
   */
  readonly discardedObjects: "read" | "read if volatile";
  /** Resources are values, of which compilers have to know which resource each is ("local resource not guaranteed to map to unique global resource"). */
  readonly knownResources?: true;
  /** Compilers address parts of matrices of 16-bit components in buffers as if these had 32 (DXC 1.9: `m[1][1]` of a `row_major half2x2` is at 12). */
  readonly misplacesNarrowMatrices?: true;
  /**
   * `*` of two matrices, or of one and a vector, is the product of linear algebra; a scalar meets each component in `*`
   * only, or in `+ - /` too (GLSL 4.60 section 5.9). Or all operators go component by component (HLSL).
   */
  readonly matrixOperators: "linear" | "linear, scalars meet components" | "componentwise";
  /** Of functions that fit a call equally well, one of no template comes first, then the most special (C++14 13.3.3). */
  readonly prefersSpecial: boolean;
  /**
   * `matrix<T, 2, 3>` has two rows of three, `m[i]` is a row, and numbers of a constructor or a list go along rows (HLSL); or
   * all of that by columns (GLSL 4.60 sections 5.4.2 and 5.6, MSL 2.3).
   */
  readonly matricesByRows: boolean;
  /**
   * `<` and `==` compare vectors component by component; or functions such as `lessThan` do, and `==` of any two values is
   * one bool (GLSL 4.60 sections 5.9 and 8.7).
   */
  readonly vectorComparisons: "operators" | "functions";
  /** `?:`, `&&` and `||` of vectors: component by component, none, or only where both sides are evaluated (HLSL before 2021). */
  readonly vectorConditions: "componentwise" | "none" | "where eager";
  /** A literal without a suffix, and what is made of such, takes the type its surroundings want (HLSL before 202x). */
  readonly openLiterals: boolean;
  /** What `'a'` is: a char in C++, an int in C and for DXC; GLSL has none. */
  readonly characters: "i8" | "i32" | "u32" | undefined;
  readonly order: EvaluationOrder;
  /**
   * What its compilers take for a backslash at the end of a line, beside one: a backslash with blanks after it, and the trigraph
   * `??/` (C before C23, C++ before C++17). Tried with clang, DXC and glslang.
   */
  readonly continuesLines: { readonly blanks: boolean; readonly trigraph: boolean };
  /** Enumerators have the underlying type of their enumeration, or are ints. */
  readonly enumerators: "typed" | "int";
  /**
   * Enumerations are integers (C, which GLSL has none of), or types that nothing becomes by itself and functions are chosen by:
   * those without a scope are promoted to integers where they are computed with (C++14 4.5), or stay what they are (DXC).
   */
  readonly enumerations: "integers" | "promoted" | "kept";
  /** Where buffers and specialisation constants are declared. */
  readonly resources: "parameters" | "file scope";
  readonly slots: SlotNumbers;
  /**
   * What an argument by value is: a parameter (OpenCL C 3.0 section 6.11.5); a reference to bytes of its own (MSL 5.2.1); a
   * member of a push-constant or uniform block (Vulkan), or of a constant buffer (HLSL).
   */
  readonly valueArguments: "parameters" | "references" | "blocks" | "constant buffers";
  /** A variable at file scope is a constant that the host sets, unless a word makes it the program's own. */
  readonly looseUniforms: boolean;
  /** Ids and sizes are parameters of the kernel, or read anywhere, as variables or by functions. */
  readonly builtins: "parameters" | "anywhere";
  /** The text states the size of workgroups and of workgroup memory; elsewhere the launch may choose. */
  readonly statesSizes: boolean;
  /** Launches are made of whole workgroups. */
  readonly wholeWorkgroups: boolean;
  /**
   * The API that the language belongs to starts no more workgroups along an axis: Direct3D
   * (D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION). A program for another API may start more of a kernel in it.
   */
  readonly mostWorkgroups?: number;
  /**
   * A barrier of the subgroup waits for the lanes that are active there (GL_KHR_shader_subgroup: "all active invocations"), or has
   * to be reached by all of them (MSL 6.9.1, OpenCL C 6.15.8).
   */
  readonly subgroupBarrier: "active" | "all";
  /** Raw buffers are addressed in bytes, by member functions. */
  readonly byteAddressBuffers: boolean;
  /** Memory of a kernel's own: workgroup and private. */
  readonly memory: LayoutRule;
  /** How elements of buffers lie in memory, where no block says otherwise; `uniformBlocks`: in those. */
  readonly buffers: LayoutRule;
  readonly uniformBlocks?: LayoutRule;
  readonly arithmetic: ArithmeticFacts;
  /**
   * How a float becomes half: to the nearest, ties to even (MSL, OpenCL C), or as the
   * device likes (GLSL, HLSL): docs/semantics/data.md section 3.
   */
  readonly floatToHalf: "nearest" | "open";
  /** Variables outside of functions that have no initialiser are zero at first (HLSL `static`), or anything. */
  readonly globalsStart: "zero" | "anything";
  readonly specialNumbers: SpecialNumbers;
  readonly floatOrder: FloatOrder;
  readonly conversions: ConversionFacts;
  readonly subgroupSize: SubgroupSizeRequest;
  /** How a version bound calls the versions of a profile: `vulkan>=1.2`. */
  readonly versions: string;
  /** What a profile must have for these types at all: a feature expression. */
  readonly scalars: Partial<Readonly<Record<OptionalScalar, string>>>;
  /** What it must have beside to hold numbers of so many bits in a buffer (GL_EXT_shader_16bit_storage). */
  readonly storage: Readonly<Record<number, string>>;
  /** And for subgroup operations on them (GL_EXT_shader_subgroup_extended_types, cl_khr_subgroup_extended_types). */
  readonly subgroupScalars: Partial<Readonly<Record<OptionalScalar, string>>>;
  /** Fences of the scope of the device order what is written to any buffer, or to those marked coherent only (HLSL `globallycoherent`). */
  readonly deviceFences: "any buffer" | "coherent buffers";
  /**
   * What one workgroup writes plainly, or reads, is in order for another by fences and atomics in any buffer, or in those marked coherent only
   * (D3D11.3 functional specification 7.14.4, GLSL 4.60 section 4.10, MSL 3.2 section 4.8).
   */
  readonly acrossWorkgroups: "any buffer" | "coherent buffers";
  /** A plain load of a word of a buffer that is marked coherent is an atomic one (D3D11.3 functional specification 7.14.2). */
  readonly coherentLoadsAreAtomic?: true;
  /** Fences reach beyond the device (OpenCL C 3.0 section 6.15.12.4, memory_scope_all_svm_devices). */
  readonly systemFences: boolean;
  /**
   * How one overload of a builtin function is chosen where several fit: by ranks of conversions, as in C++, and none where
   * those are equal; by ranks, and then float first (glslang); by the common type of the operands (DXC).
   */
  readonly builtinOverloads: "ranks" | "ranks, then float" | "common type";
  /** The most components of a vector (OpenCL C 3.0 section 6.3.2: 16). */
  readonly widestVector: 4 | 16;
  /** What matrices may hold. */
  readonly matrices: "nothing" | "floats" | "any";
}

/** How entry points are told from other functions, and what is said of them. */
export interface EntryPointFacts {
  /** Words and attributes that make a function a kernel, or the one name that does. */
  readonly words: ReadonlySet<string>;
  readonly name?: string;
  /** For a text that has none. */
  readonly help: string;
  /** Words and attributes of functions of other stages, which are left out. */
  readonly otherStages?: ReadonlySet<string>;
  readonly attributes: ReadonlyMap<string, EntryAttribute>;
  /** Attributes of a kernel's parameters besides those of ids; on those of other functions they say nothing. */
  readonly parameterAttributes?: ReadonlySet<string>;
  /** Other functions may call it, as a plain function (OpenCL C 3.0 6.9; DXC). */
  readonly called?: true;
  /** Of a function that returns something its attribute says nothing (DXC, which is told the entry point's name). */
  readonly returnsNothing?: true;
  /** Kernels may be templates (MSL, whose `host_name` names the instances), or only call them ("kernel functions cannot be used in a template declaration": clang). */
  readonly templates?: true;
}

/** What an attribute of an entry point says; `nothing`: hints without meaning for what a kernel computes. */
export type EntryAttribute =
  | "workgroup size"
  | "workgroup size hint"
  | "subgroup sizes"
  | "most invocations"
  /** What the host calls the kernel by: read before its other attributes. */
  | "name"
  | "stage"
  | "root signature"
  | "nothing";

/** Constants that the host sets before the kernel is compiled. */
export interface SpecializationFacts {
  /** What gives a declaration its number: an attribute, or an entry of `layout(...)`. */
  readonly attribute?: string;
  readonly layout?: string;
  readonly called: string;
  /** It has to be written `const`, or in the constant address space. */
  readonly needs?: "const" | "constant memory";
  /** The initialiser is the default; or there is none, and the default is given where the constant is tested. */
  readonly defaults: "initialiser" | "elsewhere";
  /** Vectors may be such constants, too. */
  readonly vectors: boolean;
}

/** What declarations may say and leave out. */
export interface DeclarationFacts {
  /** `T& r` (C++14 8.3.2). */
  readonly references: boolean;
  /** What structs have besides data (C++14 clauses 9 to 12), and whether enumerations are scopes. */
  readonly classes: "nothing" | "methods" | "with constructors";
  /** In its own initialiser a name is the variable already (C11 6.2.1, 7; C++14 3.3.2; DXC), not what had it before (GLSL 4.2.2). */
  readonly namesReachInitializers: boolean;
  /** `int (x);` declares x, as `int (f(n));` does f (C11 6.7.6, C++14 6.8, DXC). */
  readonly parenthesizedNames: boolean;
  /** `int x{3}` and `int x(3)` (C++14 8.5). */
  readonly directInitializers: boolean;
  /** `int f(int a, int b = 3)` (C++14 8.3.6, DXC). */
  readonly defaultArguments: boolean;
  /** `auto x = value` (C++14 7.1.6.4). */
  readonly deducesTypes: string | undefined;
  /** Predeclared names by which a text reaches resources that it does not declare. */
  readonly heaps?: ReadonlySet<string>;
  /** `S{a, b}` of a class template: what its constructors take says the arguments (C++17 16.3.1.8). */
  readonly deducesClassArguments?: true;
  /** `[&](int i) { ... }` (C++14 5.1.2). */
  readonly lambdas: boolean;
  /** `for (T x : list)` (C++14 6.5.4). */
  readonly rangeFor: boolean;
  /** A pointer's declaration says what memory it points into (MSL 3.1 section 4), or takes that from its initialiser. */
  readonly pointerSpaces: "written" | "inferred";
  /** Dimensions of an array that its initialiser or constructor settles: GLSL 4.60 section 4.1.9 lets all of them be open. */
  readonly openDimensions: "outermost" | "all";
  /** `struct S` names a struct that is defined elsewhere, or will be: C and C++, not GLSL. */
  readonly elaboratedTypes: boolean;
  /** Names of structs and enumerations are apart from other names (C99 6.2.3): `struct S`, `enum E`. */
  readonly tags: boolean;
  /** Unions, and members without a name whose members are those of the struct around (C11 6.7.2.1, C++14 9.5). */
  readonly unions: boolean;
  /** `namespace a = b::c;`, and `inline namespace`. */
  readonly namespaceForms?: true;
  /** Functions of one name and other parameters need no attribute that allows it (C99 has none, clang's is `overloadable`). */
  readonly overloads: boolean;
  /**
   * `static` in a function: a constant, a variable of the invocation that lives on between calls (DXC), or memory of the program
   * (OpenCL C 3.0 6.7.1).
   */
  readonly staticLocals: "constants" | "variables" | "program memory";
  /** Constants of the file may be computed when the kernel starts: from what the host sets, from memory, by calls (DXC). */
  readonly computedConstants?: true;
  /** Of ints in words, as DXC has them; of C++: of smaller integers, too, and what has fewer bits than an int is computed as one. */
  readonly bitFields?: "ints" | "C++";
  /** The specification has none (OpenCL C 3.0 section 6.11); compilers do by this extension, once a pragma enables it. */
  readonly bitFieldsBy?: string;
  /** `groupshared` of a parameter makes it the caller's own: DXC compiles that so in every version, and warns before 202x. */
  readonly sharedParameters?: true;
  /** Workgroup memory may be initialised by an empty list. */
  readonly zeroedWorkgroup?: boolean;
  /** What its compiler does with zeros that initialise workgroup memory, where the specification has no such thing. */
  readonly workgroupZeros?: "ignored";
  /** Constant memory in functions: for every local, for those that are `static` or `constexpr`, for none. */
  readonly constantLocals: "all" | "lasting" | "none";
  /** What the head of a `for`, or a condition, declares cannot be declared again in the body's outermost block (in C99 it can). */
  readonly headsShareScope: boolean;
  /** A declaration may follow a label (C++14 6.7); elsewhere it is an extension of compilers (C99 6.8.1). */
  readonly labelledDeclarations: boolean;
  /** Arguments of templates have the values that are given (C++14 5.20 (4)); DXC makes others of them. */
  readonly keepsValues?: true;
  /** A switch begins with a label: no statement comes before (GLSL 4.60 6.2). */
  readonly casesComeFirst?: true;
  /** A case label may stand in a block of its switch (C99 6.8.4.2, C++14 6.4.2). */
  readonly casesInBlocks?: true;
  /** No jump leads past an initialiser into the scope of its variable (C++14 6.7 (3)). */
  readonly jumpsOverInitializers?: "never";
  /** A function may end without giving its value, where nobody uses that (C99 6.9.1); in C++ it may not (C++14 6.6.3). */
  readonly unreturnedValues?: boolean;
  /** Old compilers let names of the head of a loop live on after it (FXC). */
  readonly loopNamesLivedOn: boolean;
  /** `row_major` before a member goes on into the structs in it (GLSL 4.60 section 4.4.5), or is about matrices only. */
  readonly storageReachesIn: boolean;
  /** A pragma that says how matrices after it are stored: the first group is `row` or `column`. */
  readonly storagePragma?: RegExp;
  readonly specialization?: SpecializationFacts;
  /** Attributes of variables at file scope that are read where the interface is. */
  readonly interfaceAttributes?: RegExp;
  /** The one of them that says at which byte a member lies. */
  readonly offsetAttribute?: string;
  /** Attributes of members that say what another stage makes of them. */
  readonly stageAttributes?: ReadonlySet<string>;
  /** All that `[[...]]` says of functions; the language's compiler ignores what is none of them, with a warning. */
  readonly functionAttributes?: ReadonlySet<string>;
  /** The same of an entry point's pointers and references. */
  readonly bufferAttributes?: ReadonlySet<string>;
}

/** What expressions look like and mean. What converts stands in `ConversionFacts`. */
export interface ExpressionFacts {
  /** Letters of components, as many sets as there are. */
  readonly components: readonly string[];
  /** Vectors that begin at any of their components are plain ones once they are read (GNU C's `aligned` of a type). */
  readonly alignedVectors?: true;
  /** `__builtin_assert` is there, what a library's `assert` stands for. */
  readonly assertions?: true;
  /** `v.s01`, `v.lo`, `v.even` (OpenCL C 6.3.7). */
  readonly numberedComponents: boolean;
  /** `x.xxx` of a scalar (GLSL 4.60 5.5, DXC). */
  readonly scalarComponents: boolean;
  /** `m._m01`, `m._12_21`: elements of matrices by name. */
  readonly matrixElements: boolean;
  /** Constant expressions may read components, elements and members of constants; DXC takes `float a[N.x]` for an array without a constant length. */
  readonly constantsOfParts: boolean;
  /** Constructors take what they need of a longer vector and of another matrix: `vec2(v4)`, `float(v)`, `mat3(m4)` (GLSL 4.60 5.4). */
  readonly constructorsTakeParts: boolean;
  /** Numbers of these kinds are stored and converted, and no operator or function takes them (GL_EXT_bfloat16). */
  readonly storedOnly: ReadonlySet<ScalarKind>;
  /** `T(x)` makes a `T`; C has casts only. "of one value": vectors of several are `(T)(x, y)` alone (clang's C++ for OpenCL). */
  readonly constructors: boolean | "of one value";
  /** `S(a, b)` of a struct (GLSL 4.60 5.4.3). */
  readonly structConstructors: boolean;
  /** `(T)(a, b)` makes a vector (OpenCL C 6.3.6). */
  readonly vectorLiterals: boolean;
  /** Also of structs, the value of an assignment comes before the place (C++17 8.18); text that is written does not count on it. */
  readonly assignsValueFirst?: boolean;
  /** `v = {a, b}` assigns what the list initialises (C++14 5.17). */
  readonly assignsLists: boolean;
  /** `declval<T>()` (C++14 20.2.4): an object of the type, in what is not evaluated. */
  readonly objectOfType?: string;
  /** `move(x)` and `forward<T>(x)` (C++14 20.2.4). */
  readonly movers?: ReadonlySet<string>;
  /** A cast changes the elements of a vector; OpenCL C has `convert_T` and `as_T` for that instead (6.4.2). */
  readonly vectorCasts: boolean;
  /** `convert_T(x)` and `as_T(x)` (OpenCL C 6.4.3, 6.4.4). */
  readonly conversionFunctions: boolean;
  /** Braces inside a list may be left out (C99 6.7.8). */
  readonly elidedBraces: boolean;
  /** `& | ^` of bools. */
  readonly bitsOfBools: boolean;
  /** `%` of floats. */
  readonly floatRemainder: boolean;
  /** Both sides of a shift have the type of the left one (DXC), or each its own (C99 6.5.7). */
  readonly shifts: "of the left" | "each its own";
  /** The best of several functions: no worse in any argument (C++14 13.3.3, GLSL 4.60 6.1), or with the least conversions in sum (DXC). */
  readonly bestOverload: "each argument" | "all together";
  /**
   * Functions of the source that are named like one of the library's: they hide it (clang's OpenCL C), stand beside it (C++14
   * 7.3.4, where the library's namespace is in scope), or come after one that takes the arguments as they are (glslang).
   */
  readonly libraryOverloads: "hidden" | "beside" | "exact first";
  /** Methods that are not const are for objects that are not (C++14 9.3.2); DXC calls them on others, too. */
  readonly constMethodsOnly: boolean;
  /** Functions that print, with a format first; those of an object of the library by the word for it: `os_log_default.log`. */
  readonly prints?: ReadonlyMap<string, PrintFunction>;
}

export interface PrintFunction {
  /** The int that it gives where it did; "void" where it gives nothing. */
  readonly result: number | "void";
  /** What is printed at once is a message of its own (GLSL_EXT_debug_printf): a line. */
  readonly messages: boolean;
}

export interface Superset {
  readonly form: SourceForm;
  /** Words (and signs) that are its own. */
  readonly words: ReadonlySet<string>;
  /** How files are called that are in it, whatever they have. */
  readonly files: RegExp;
}

/** What only reading needs. */
export interface ReadingFacts {
  /** Headers of the language's own library: what they declare is known without reading them. */
  readonly systemHeaders?: RegExp;
  /** A form of the dialect that has this one's texts and more. */
  readonly superset?: Superset;
  /** First words of the pragmas that say whether operations may be contracted; other compilers pass over them. */
  readonly contractionPragmas?: ReadonlySet<string>;
  /** Type of counters that lie in buffers of their own, by binding (src/frontend/atomic-counters.ts). */
  readonly counters?: { readonly written: string; readonly member: string };
  /** Namespace of that library; its names may be written without. */
  readonly namespace?: string;
  /** Macros that are defined before the first line. */
  readonly macros: Readonly<Record<string, string>>;
  /** Declared by the language or its extensions without being reserved, or reserved by their form (builtins.ts). */
  readonly builtins: { readonly names: ReadonlySet<string>; readonly form: RegExp };
  /** Directives besides those of C. */
  readonly directives: ReadonlySet<string>;
  /** `__FILE__` is the name of the file, or its number (GLSL 4.60 section 3.3). */
  readonly files: "names" | "numbers";
  /** `true` in `#if` is 1 (C++14 16.1). */
  readonly truthInConditions: boolean;
  /** What shows that a text is of this language; `surely`: whatever else it has. */
  readonly marks: { readonly maybe: RegExp; readonly surely?: RegExp };
  /** The pointer to nothing. */
  readonly nullNames: readonly string[];
  readonly types: TypeNames;
  readonly predeclared: PredeclaredWords;
  readonly internals?: LibraryInternals;
  /** What the end of a float literal says of its type; undefined: a type that is not supported yet. */
  readonly floatSuffixes: ReadonlyMap<string, ScalarKind | undefined>;
  /** Of those, suffixes of a type that is told from others of its kind, where numbers without one have a type at once. */
  readonly distinctSuffixes?: ReadonlyMap<string, "half">;
  /** What the end of an integer literal says of its type, whose bits it then is; without it, C's types wide enough (C99 6.4.4.1). */
  readonly integerSuffixes?: ReadonlyMap<string, ScalarKind>;
  /** Digits of a float are rounded to a double first, as glslang (12 and 16) does. */
  readonly floatsByDouble?: true;
  /** Constants are computed in double, and rounded where one is stored, as glslang does. */
  readonly foldsInDouble?: true;
  /** Digits of a half are cut to those it holds (`cutToHalf`); else they are rounded to the nearest. */
  readonly cutsHalves?: true;
  readonly entryPoint: EntryPointFacts;
  readonly declarations: DeclarationFacts;
  readonly expressions: ExpressionFacts;
}

/** What only writing needs. */
export interface WritingFacts {
  /** A type as texts name it. */
  readonly typeName: TypeNames["spelled"];
  /** A text has one entry point, of this name (GLSL 4.60 section 6.1). */
  readonly soleEntry?: string;
  /** Constants that the host gives before it compiles; or what a bool among them becomes as an argument by value. */
  readonly specializationConstants: "native" | { readonly boolAs: ScalarKind };
  /** Such a constant has a number up to this one (glslang's `TQualifier::layoutSpecConstantIdEnd`). */
  readonly mostConstantNumber?: number;
  /** Several buffers of the text may have one binding: they are one buffer, with elements of several types (GLSL 4.60 section 4.10). */
  readonly sharedBindings?: true;
  /** And a buffer a binding and a set up to these (`TQualifier::layoutBindingEnd` and `layoutSetEnd` there). */
  readonly mostBinding?: { readonly number: number; readonly set: number };
  /** The text can say how many lanes a workgroup has at most, and leaves the size to the launch (MSL 5.1.3). */
  readonly boundsWorkgroups: boolean;
  /** Dimensions of workgroups may be specialisation constants. */
  readonly sizeConstants: boolean;
  /** The line that turns a feature on in the text, where there is one. */
  readonly enablingLine?: (atom: string) => string | undefined;
  /** A specialisation constant can say whether the host gives a buffer at all. */
  readonly conditionalBuffers?: true;
  /** What a profile must have for buffers whose writes other workgroups see; without it atomics alone reach them. */
  readonly coherentBuffers?: string;
  /** Buffers can be volatile. */
  readonly volatileBuffers: boolean;
  /** How many buffers a kernel can be given, arguments by value among them (Metal Feature Set Tables). */
  readonly mostBuffers?: number;
  /**
   * What a buffer is declared as: anything; an object or a row of elements, whose number is not said (MSL 5.2.1); such a row only
   * (pointers of OpenCL C, structured buffers).
   */
  readonly bufferTypes: "any" | "objects and rows" | "rows";
  /** The most bytes of one element (D3D11 functional specification: 2048 of a structured buffer). */
  readonly largestElement?: number;
  /** Members without a name, whose members are named as those of the struct around (C11 6.7.2.1 (13), C++14 9.5 (5)). */
  readonly anonymousMembers: boolean;
  /** Where an array without a length may follow other members: nowhere; in blocks only (GLSL 4.60 section 4.1.9); in any struct. */
  readonly openEnded: "nowhere" | "blocks" | "structs";
  /** The length of a buffer can be asked for (GLSL 4.60 section 4.1.9), or has to be an argument. */
  readonly bufferLengths: "asked" | "argument";
  /** What lies beyond the end of a buffer reads as zero and is not written (D3D11 functional specification, raw and structured views). */
  readonly checkedBuffers: boolean;
  /** Vectors that lie packed, three components in the space of three (MSL 2.2.3). */
  readonly packedVectors: boolean;
  /** Values of arrays and structs outside of initialisers: both (GLSL 4.60 section 5.4.3), structs (C99 6.5.2.5, C++14 5.2.3), none. */
  readonly aggregates: "all" | "structs" | "none";
  /** `?:` chooses by a number of any type, or by none that is a float (OpenCL C 3.0 6.5.3; clang-19). */
  readonly choosesBy: "any number" | "no float";
  /**
   * What `?:` chooses from beside numbers; in MSL address spaces of two structs get in the way, which matrices are there. Of objects
   * in buffers glslang (12 to 15) writes SPIR-V that stores one type as another.
   */
  readonly chosenAggregates: "all outside of buffers" | "structs" | "none" | "none, and matrices of one space";
  /** The most bits of an index (GLSL 4.60 section 5.7 and GL_EXT_shader_explicit_arithmetic_types_int64: 32). */
  readonly widestIndex: 32 | 64;
  /** Parameters can be places of the caller (references of C++, `inout`), or pointers stand for them. */
  readonly placeParameters: boolean;
  /** Builtin functions write a result through a reference to a private object (MSL 6.5), or through any pointer (OpenCL C 6.15.2). */
  readonly outPlaces: "private" | "any";
  /** Atomic functions reach a component of a vector, or only what has an address. */
  readonly atomicComponents: boolean;
  /** What is used atomically has a type of its own, which has no operators: `a[i] += 1` is a load and a store. */
  readonly atomicTypes?: true;
  readonly bitcasts: {
    /** Between any types of as many bits, or only between those of as many components. */
    readonly shapes: "any" | "same";
    /** Pairs of types beside, that functions pack and unpack: `u32x2 u64`. */
    readonly packed: readonly string[];
    /** To and from doubles: as others, or through two 32-bit words (HLSL `asuint`, `asdouble`). */
    readonly doubles: "whole" | "words";
  };
  /**
   * What a constant at file scope may be: anything (DXC folds it); anything but a bit pattern (glslang takes a cast of bits for
   * no constant); what C takes, with numbers by zero (clang) or without (C++14 5.20).
   */
  readonly constants: "folded" | "no bits" | "C" | "C++";
  /** The functions of constants that are constants at file scope, where not all are (glslang 16 folds no others). */
  readonly constantFunctions?: ReadonlySet<string>;
  /** Which indices outside of their array the compiler refuses: written ones (glslang), or all that it can fold (DXC). */
  readonly refusedIndices: "written" | "folded";
  /** Masks of lanes are integers of 64 bits (MSL 6.9.2, `simd_vote`), since no subgroup is wider, or four words. */
  readonly laneMasks: "u64" | "u32x4";
  /** The function that prints, where there is one. */
  readonly prints?: PrintWriting;
  /** What it takes to have matrices of 8 by 8 elements that the lanes of a subgroup hold together, by the kind of their elements. */
  readonly subgroupMatrices?: Partial<Readonly<Record<ScalarKind, string>>>;
}

export interface PrintWriting {
  readonly name: string;
  /** The atom that a profile must have for it. */
  readonly needs?: string;
  /** As of `PrintFunction`: a message has no end of line. */
  readonly messages: boolean;
  /** What stands before the letter of a conversion, and what the argument becomes first; undefined where it cannot be printed. */
  readonly argument: (letter: string, type: Type) => { readonly more: string; readonly as?: ScalarKind } | undefined;
}

/** All that is known of a language beside its ops. A language that is only written has nothing to read it by. */
export interface Language {
  readonly facts: LanguageFacts;
  readonly words: DialectWords;
  readonly reserved: () => Reserved;
  readonly reading?: ReadingFacts;
  readonly writing?: WritingFacts;
}
export interface ReadLanguage extends Language {
  readonly reading: ReadingFacts;
}
export interface WrittenLanguage extends Language {
  readonly writing: WritingFacts;
}

/** Versions of the HLSL language, as DXC's -HV names them. */
export const hlslVersions = ["2016", "2017", "2018", "2021", "202x"] as const;
export type HlslVersion = (typeof hlslVersions)[number];

/** How a text of HLSL is read, as DXC is told: -HV and -enable-16bit-types. */
export interface HlslOptions {
  readonly hlslVersion?: HlslVersion;
  readonly enable16bitTypes?: boolean;
}
/** DXC's own. */
export const defaultHlslVersion: HlslVersion = "2021";

/** Versions of OpenCL C and of C++ for OpenCL, as clang's -cl-std names them. */
export const clStds = ["CL3.0", "clc++", "clc++1.0", "clc++2021"] as const;
export type ClStd = (typeof clStds)[number];
export const isCxx = (std: ClStd): boolean => std.startsWith("clc++");
/** As clang: `clc++` is the first, and the last without a word. */
export const cxxVersion = (std: ClStd | undefined): "1.0" | "2021" =>
  std === "clc++" || std === "clc++1.0" ? "1.0" : "2021";
