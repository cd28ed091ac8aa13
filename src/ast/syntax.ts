/**
 * The parsed tree: what the four grammars produce, one shape for the whole C family. Names are unresolved, nothing is
 * typed, nothing of the source is lost. `sema` turns it into the canonical tree of `nodes.ts`.
 *
 * Every node is plain readonly data with a `span` into the expanded text. Grammar actions build it through
 * `ast/syntax-builders.ts` only. A dialect's peculiar constructs are told apart by the words kept in the nodes
 * (`Qualifier.name`, `Attribute`), never by a node kind per dialect.
 */
import type { Span } from "../support/span.js";

interface Node {
  readonly span: Span;
}

// ------------------------------------------------------------------ names, types, attributes

export interface Identifier extends Node {
  readonly kind: "identifier";
  readonly name: string;
  /** Scope path before the name: `metal::simd_sum` has `["metal"]`, `mem_flags::mem_device` has `["mem_flags"]`. */
  readonly path: readonly string[];
  /** Of the elements of the path that have some: `Box<float, 2>::zero`. */
  readonly pathArguments?: readonly (readonly TemplateArgument[] | undefined)[];
  /** `f<float, 4>`; absent where no angle brackets follow. */
  readonly templateArguments?: readonly TemplateArgument[];
}

export type TemplateArgument = TypeName | Expression;

/**
 * A word or construct that qualifies a declaration or pointer: `const`, `static`, `device`, `__global`, `uniform`,
 * `buffer`, `inout`, `precise`, `groupshared`, `row_major`, `restrict`, `kernel`, `__kernel`, `inline`, `constexpr` ...
 * `layout(...)` of GLSL is the qualifier named `layout` with its entries.
 */
export interface Qualifier extends Node {
  readonly kind: "qualifier";
  readonly name: string;
  readonly layout?: readonly LayoutEntry[];
}

export interface LayoutEntry extends Node {
  readonly name: string;
  readonly value?: Expression;
}

/**
 * `[[buffer(0)]]`, `__attribute__((reqd_work_group_size(64,1,1)))`, `[numthreads(64,1,1)]`, and HLSL's `: SV_GroupID`,
 * `: register(t0, space1)`, `: packoffset(c0)` (the form "semantic").
 */
export interface Attribute extends Node {
  readonly kind: "attribute";
  readonly form: "cxx" | "gnu" | "brackets" | "semantic";
  readonly name: string;
  readonly arguments?: readonly Expression[];
}

/** A type specifier without declarator parts: the words in front of the name. */
export type TypeSpecifier = NamedType | StructSpecifier | EnumSpecifier | DecltypeSpecifier;

/** `decltype(x)`, `__typeof__(x)`: the type of an expression that is not evaluated; `__typeof__(int[4])` has a type there. */
export interface DecltypeSpecifier extends Node {
  readonly kind: "decltype";
  readonly expression: Expression;
  /** `__typeof__`: no reference, whatever the expression is. */
  readonly plain?: true;
}

/** `float`, `unsigned int` (words joined by one blank), `float4`, `metal::uint`, `StructuredBuffer<float>`, `struct P`. */
export interface NamedType extends Node {
  readonly kind: "named-type";
  readonly name: string;
  readonly path: readonly string[];
  readonly pathArguments?: readonly (readonly TemplateArgument[] | undefined)[];
  readonly templateArguments?: readonly TemplateArgument[];
  /** `struct P x;`, `enum E e;`, `union U u;`: the elaborating keyword. */
  readonly elaborated?: "struct" | "enum" | "union" | "class" | "interface";
}

export interface StructSpecifier extends Node {
  readonly kind: "struct-specifier";
  readonly keyword: "struct" | "union" | "class" | "interface";
  readonly name?: Identifier;
  readonly attributes: readonly Attribute[];
  /** What it inherits from. */
  readonly bases?: readonly StructBase[];
  readonly members: readonly Declaration[];
}

/** `pack`: `F...`, one of each element. */
export interface StructBase extends Node {
  readonly type: TypeSpecifier;
  readonly pack: boolean;
}

/** `re(x)`, `v{a, b}` and `Base<T>(n)` behind a constructor's parameters. */
export interface MemberInitializer extends Node {
  readonly kind: "member-initializer";
  readonly target: Identifier | NamedType;
  readonly initializer: Initializer;
  /** `F(f)...`: one of each element. */
  readonly pack?: true;
}

export interface EnumSpecifier extends Node {
  readonly kind: "enum-specifier";
  readonly name?: Identifier;
  /** `enum class` / `enum struct`. */
  readonly scoped: boolean;
  readonly underlying?: TypeName;
  readonly enumerators: readonly {
    readonly name: Identifier;
    readonly value?: Expression;
    readonly span: Span;
  }[];
}

/** Qualifiers, specifier and an abstract declarator: casts, sizeof, template arguments. */
export interface TypeName extends Node {
  readonly kind: "type-name";
  readonly qualifiers: readonly Qualifier[];
  readonly specifier: TypeSpecifier;
  /** As in `Declarator.derivations`. */
  readonly derivations: readonly Derivation[];
}

/**
 * How a declarator derives its type from the specifier, innermost application first: `T *a[4]` (array of pointers) is
 * `[pointer, array 4]`; `T (*a)[4]` (pointer to array) is `[array 4, pointer]`; `T a[2][3]` is `[array 3, array 2]`.
 */
export type Derivation =
  | { readonly kind: "pointer"; readonly qualifiers: readonly Qualifier[]; readonly span: Span }
  /** `rvalue`: `&&`, to what nothing else names. */
  | { readonly kind: "reference"; readonly rvalue?: true; readonly span: Span }
  | {
      readonly kind: "array";
      readonly size?: Expression;
      /** `int a[const static 4]` of a parameter (C99 6.7.5.3). */
      readonly qualifiers?: readonly Qualifier[];
      readonly span: Span;
    }
  | { readonly kind: "function"; readonly parameters: readonly Parameter[]; readonly span: Span };

export interface Declarator extends Node {
  readonly name?: Identifier;
  readonly derivations: readonly Derivation[];
  /** Attributes after the name, and HLSL's semantics. */
  readonly attributes: readonly Attribute[];
  readonly bitWidth?: Expression;
  /** `[a, b]` in the place of a name. */
  readonly bindings?: readonly Identifier[];
  readonly initializer?: Initializer;
  /** `Ts... args`: of a parameter that stands for as many as its type has. */
  readonly pack?: true;
  /** `(x)`, `(a[2])`, and nothing beside it: `f (x);` is a call where f is no type. */
  readonly parenthesized?: true;
}

export type Initializer =
  | { readonly form: "assign"; readonly value: Expression }
  /** `T x{1, 2}`: `value` is an initializer list. */
  | { readonly form: "brace"; readonly value: InitializerList }
  /** `T x(1, 2)`. */
  | { readonly form: "paren"; readonly values: readonly Expression[] };

export interface Parameter extends Node {
  readonly kind: "parameter";
  readonly attributes: readonly Attribute[];
  readonly qualifiers: readonly Qualifier[];
  readonly specifier: TypeSpecifier;
  /** Unnamed parameters have a declarator without a name; a default argument is its `initializer`. */
  readonly declarator: Declarator;
}

// ------------------------------------------------------------------ declarations

export interface TranslationUnit extends Node {
  readonly kind: "translation-unit";
  readonly declarations: readonly Declaration[];
}

export type Declaration =
  | FunctionDeclaration
  | VariableDeclaration
  | BlockDeclaration
  | TypedefDeclaration
  | UsingDeclaration
  | NamespaceDeclaration
  | TemplateDeclaration
  | PrecisionDeclaration
  | ExecutionMode
  | StaticAssert
  | EmptyDeclaration;

/** A definition, or a prototype where `body` is absent. */
export interface FunctionDeclaration extends Node {
  readonly kind: "function";
  readonly attributes: readonly Attribute[];
  readonly qualifiers: readonly Qualifier[];
  readonly returnType: TypeSpecifier;
  /** Pointer or reference return types. */
  readonly returnDerivations: readonly Derivation[];
  readonly name: Identifier;
  readonly parameters: readonly Parameter[];
  /** `f(int a, ...)`: it takes more arguments than it has parameters, whatever they are. */
  readonly variadic?: true;
  /** Attributes after the parameter list, HLSL's return semantic. */
  readonly trailingAttributes: readonly Attribute[];
  /** `auto f(T a) -> decltype(a)`: the type may name the parameters. */
  readonly returnsLater?: true;
  readonly body?: CompoundStatement;
  /**
   * Of structs: `S(int x) : v(x) {}`, whose return type is void here, and `operator T() const { ... }`, whose name is `operator T`.
   * Behind them `S(int) -> S<float>;`, which returns what it leads to.
   */
  readonly special?: "constructor" | "conversion" | "guide";
  readonly initializers?: readonly MemberInitializer[];
  /** `= default;` and `= delete;` for a body. */
  readonly given?: "default" | "delete";
  /** In a struct, of which it is no member. */
  readonly friend?: true;
}

/**
 * `T a = 1, b[4];`, also struct members, struct/enum definitions (no declarators), GLSL's `layout(local_size_x=64) in;`
 * (no specifier, no declarators) and `shared float s[64];`.
 */
export interface VariableDeclaration extends Node {
  readonly kind: "variable";
  readonly attributes: readonly Attribute[];
  readonly qualifiers: readonly Qualifier[];
  readonly specifier?: TypeSpecifier;
  readonly declarators: readonly Declarator[];
}

/** GLSL interface blocks, HLSL `cbuffer X : register(b0) { ... };` and `tbuffer`. */
export interface BlockDeclaration extends Node {
  readonly kind: "block-declaration";
  /** GLSL: qualifiers incl. `uniform`/`buffer` and layout. */
  readonly qualifiers: readonly Qualifier[];
  readonly keyword: "cbuffer" | "tbuffer" | "interface";
  readonly name: Identifier;
  readonly attributes: readonly Attribute[];
  readonly members: readonly Declaration[];
  /** Instance name with its array derivations, where there is one. */
  readonly instance?: Declarator;
}

export interface TypedefDeclaration extends Node {
  readonly kind: "typedef";
  readonly qualifiers: readonly Qualifier[];
  readonly specifier: TypeSpecifier;
  readonly declarators: readonly Declarator[];
}

/** `metal::max`; `pack`: `F::operator()...`, one of each element. */
export interface UsedName {
  readonly name: Identifier;
  readonly pack: boolean;
}

/** `using namespace metal;`, `using uint = unsigned;`, `using metal::max, A::f;`, `namespace a = b::c;`. */
export interface UsingDeclaration extends Node {
  readonly kind: "using";
  readonly namespace?: Identifier;
  /** Of the namespace. */
  readonly otherName?: Identifier;
  readonly alias?: { readonly name: Identifier; readonly type: TypeName };
  readonly names?: readonly UsedName[];
}

export interface NamespaceDeclaration extends Node {
  readonly kind: "namespace";
  /** `inline`: what is declared in it is as if declared around it (C++14 7.3.1 (8)). */
  readonly qualifier?: Qualifier;
  readonly name?: Identifier;
  readonly declarations: readonly Declaration[];
}

export interface TemplateDeclaration extends Node {
  readonly kind: "template";
  readonly parameters: readonly TemplateParameter[];
  /** Absent for explicit instantiations (`template ... ;`), which keep `declaration` only. */
  readonly declaration: Declaration;
  readonly explicit: boolean;
}

export interface TemplateParameter extends Node {
  readonly name?: Identifier;
  /** `typename... Ts`. */
  readonly pack?: true;
  /** `typename T` / `class T` when this and `template` are absent, else a value parameter of this type. */
  readonly type?: TypeName;
  /** `template <typename> class T`: the parameters of the template it stands for. */
  readonly template?: readonly TemplateParameter[];
  readonly default?: TemplateArgument;
}

/** GLSL `precision highp float;`. */
export interface PrecisionDeclaration extends Node {
  readonly kind: "precision";
  readonly precision: string;
  readonly type: string;
}

/** GLSL `spirv_execution_mode(extensions = [...], capabilities = [...], 4461, 32);`. */
export interface ExecutionMode extends Node {
  readonly kind: "execution-mode";
  /** The number of the mode and its operands, as they are written. */
  readonly words: readonly Literal[];
}

export interface StaticAssert extends Node {
  readonly kind: "static-assert";
  readonly arguments: readonly Expression[];
}

export interface EmptyDeclaration extends Node {
  readonly kind: "empty-declaration";
}

// ------------------------------------------------------------------ statements

export type Statement =
  | CompoundStatement
  | DeclarationStatement
  | ExpressionStatement
  | IfStatement
  | SwitchStatement
  | CaseLabel
  | WhileStatement
  | DoStatement
  | ForStatement
  | RangeForStatement
  | JumpStatement
  | ReturnStatement
  | GotoStatement
  | LabelStatement
  | EmptyStatement;

interface StatementNode extends Node {
  /** `[unroll]`, `[[unroll]]`, `__attribute__((opencl_unroll_hint))` in front of the statement. */
  readonly attributes?: readonly Attribute[];
}

export interface CompoundStatement extends StatementNode {
  readonly kind: "compound";
  readonly statements: readonly Statement[];
  /** The body of a statement whose head declares something. */
  readonly afterHead?: true;
}
export interface DeclarationStatement extends StatementNode {
  readonly kind: "declaration-statement";
  readonly declaration: Declaration;
}
export interface ExpressionStatement extends StatementNode {
  readonly kind: "expression-statement";
  readonly expression: Expression;
}
export interface IfStatement extends StatementNode {
  readonly kind: "if";
  /** `if constexpr`: the branch that is not taken is not there. */
  readonly constexpr?: true;
  readonly condition: Expression;
  readonly then: Statement;
  readonly else?: Statement;
}
export interface SwitchStatement extends StatementNode {
  readonly kind: "switch";
  readonly value: Expression;
  readonly body: CompoundStatement;
}
/** `case v:` or `default:` (no value) as a statement of its own in a switch body; the statements follow as siblings. */
export interface CaseLabel extends StatementNode {
  readonly kind: "case";
  readonly value?: Expression;
  /** GNU C's `case 1 ... 4:`. */
  readonly last?: Expression;
}
export interface WhileStatement extends StatementNode {
  readonly kind: "while";
  readonly condition: Expression;
  readonly body: Statement;
}
export interface DoStatement extends StatementNode {
  readonly kind: "do";
  readonly body: Statement;
  readonly condition: Expression;
}
export interface ForStatement extends StatementNode {
  readonly kind: "for";
  readonly initializer?: DeclarationStatement | ExpressionStatement;
  readonly condition?: Expression;
  readonly step?: Expression;
  readonly body: Statement;
}
/** `for (int x : list)`. */
export interface RangeForStatement extends StatementNode {
  readonly kind: "range-for";
  /** Of one declarator without initialiser. */
  readonly declaration: VariableDeclaration;
  readonly range: Expression | InitializerList;
  readonly body: Statement;
}
export interface JumpStatement extends StatementNode {
  readonly kind: "break" | "continue" | "discard";
}
export interface ReturnStatement extends StatementNode {
  readonly kind: "return";
  readonly value?: Expression | InitializerList;
}
export interface GotoStatement extends StatementNode {
  readonly kind: "goto";
  readonly label: string;
}
export interface LabelStatement extends StatementNode {
  readonly kind: "label";
  readonly label: string;
}
export interface EmptyStatement extends StatementNode {
  readonly kind: "empty";
}

// ------------------------------------------------------------------ expressions

export type Expression =
  | Identifier
  | Literal
  | Parenthesized
  | Call
  | BraceConstruct
  | Cast
  | Index
  | Member
  | Unary
  | Postfix
  | Binary
  | Assignment
  | Conditional
  | Comma
  | SizeOf
  | InitializerList
  | TypeExpression
  | StatementExpression
  | GenericSelection
  | Lambda
  | PackExpansion
  | PackElement
  | Fold;

/** A literal as spelled, suffix included. Adjacent string literals are joined by the grammar. */
export interface Literal extends Node {
  readonly kind: "literal";
  readonly form: "integer" | "float" | "boolean" | "character" | "string";
  readonly text: string;
}
/** Parentheses of the source, kept: `(T)(a, b)` and the same-dialect printer need them. */
export interface Parenthesized extends Node {
  readonly kind: "parenthesized";
  readonly expression: Expression;
}
/**
 * Function call, functional cast and constructor alike: `f(x)`, `float4(a, b)`, `float[3](a, b, c)` (callee is a
 * `type-expression` where the callee is syntactically a type), `static_cast<T>(x)`, `as_type<T>(x)` (an identifier with
 * template arguments), `buffer.Load(i)` (callee is a `member`).
 */
export interface Call extends Node {
  readonly kind: "call";
  readonly callee: Expression;
  readonly arguments: readonly Expression[];
}
/** `T{a, b}`. */
export interface BraceConstruct extends Node {
  readonly kind: "brace-construct";
  readonly type: TypeExpression;
  readonly list: InitializerList;
}
/** `(T)x`; OpenCL's vector literal `(float4)(a, b)` is a cast of a parenthesized comma expression. */
export interface Cast extends Node {
  readonly kind: "cast";
  readonly type: TypeName;
  readonly operand: Expression;
}
export interface Index extends Node {
  readonly kind: "index";
  readonly base: Expression;
  readonly index: Expression;
}
/** `a.b`, `a->b`, swizzles, HLSL `_m00`. `name` may have template arguments: `buffer.Load<float>(i)`. */
export interface Member extends Node {
  readonly kind: "member";
  readonly base: Expression;
  readonly arrow: boolean;
  readonly name: Identifier;
}
export interface Unary extends Node {
  readonly kind: "unary";
  readonly operator: "+" | "-" | "!" | "~" | "*" | "&" | "++" | "--";
  readonly operand: Expression;
}
export interface Postfix extends Node {
  readonly kind: "postfix";
  readonly operator: "++" | "--";
  readonly operand: Expression;
}
export type BinaryOperator =
  | "*"
  | "/"
  | "%"
  | "+"
  | "-"
  | "<<"
  | ">>"
  | "<"
  | ">"
  | "<="
  | ">="
  | "=="
  | "!="
  | "&"
  | "^"
  | "|"
  | "&&"
  | "^^"
  | "||";
export interface Binary extends Node {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly operatorSpan: Span;
  readonly left: Expression;
  readonly right: Expression;
}
export type AssignmentOperator = "=" | "*=" | "/=" | "%=" | "+=" | "-=" | "<<=" | ">>=" | "&=" | "^=" | "|=";
export interface Assignment extends Node {
  readonly kind: "assignment";
  readonly operator: AssignmentOperator;
  readonly target: Expression;
  readonly value: Expression;
}
export interface Conditional extends Node {
  readonly kind: "conditional";
  readonly condition: Expression;
  /** Absent in GNU C's `a ?: b`, where it is the condition's value. */
  readonly whenTrue?: Expression;
  readonly whenFalse: Expression;
}
export interface Comma extends Node {
  readonly kind: "comma";
  readonly left: Expression;
  readonly right: Expression;
}
/** `sizeof(T)`, `sizeof x`, `vec_step(T)`, `alignof(T)`, `sizeof...(Ts)`, whose operand is the name. */
export interface SizeOf extends Node {
  readonly kind: "sizeof";
  readonly word: "sizeof" | "vec_step" | "alignof" | "sizeof...";
  readonly operand: TypeName | Expression;
}
/** `{1, 2, {3, 4}, .x = 1, [2] = 5}`. */
export interface InitializerList extends Node {
  readonly kind: "initializer-list";
  readonly elements: readonly {
    readonly designators: readonly (
      { readonly member: string } | { readonly index: Expression; readonly last?: Expression }
    )[];
    readonly value: Expression | InitializerList;
    readonly span: Span;
  }[];
}
/** A type where an expression may stand: callee of constructors, template arguments. */
export interface TypeExpression extends Node {
  readonly kind: "type-expression";
  readonly type: TypeName;
}
/** GNU C's `({ ...; value; })`. */
export interface StatementExpression extends Node {
  readonly kind: "statement-expression";
  readonly body: CompoundStatement;
}
/** `_Generic(x, int: 1, default: 2)`, where the type of `default` is null. */
export interface GenericSelection extends Node {
  readonly kind: "generic-selection";
  readonly operand: Expression;
  readonly associations: readonly { readonly type: TypeName | null; readonly value: Expression }[];
}
/** `[&, n](int i) -> int { ... }` (C++14 5.1.2). */
export interface Lambda extends Node {
  readonly kind: "lambda";
  /** `[=]` and `[&]`: what is captured without being named. */
  readonly captureDefault?: "=" | "&";
  readonly captures: readonly LambdaCapture[];
  /** What a call of it does. Absent in what stands for an expression that is refused by name at its place. */
  readonly call?: FunctionDeclaration;
}
/** `n`, `&n`, `n = 2 * k`, `&r = x[i]`, `this`. */
export interface LambdaCapture extends Node {
  readonly kind: "lambda-capture";
  readonly name: Identifier;
  readonly byReference: boolean;
  readonly initializer?: Initializer;
}
/** `f(args)...` in a list: as many as the packs in it have elements (C++14 14.5.3). */
export interface PackExpansion extends Node {
  readonly kind: "pack-expansion";
  readonly pattern: Expression | TypeName;
}
/** One of what an expansion stands for; made by the checker. */
export interface PackElement extends Node {
  readonly kind: "pack-element";
  readonly pattern: Expression | TypeName;
  readonly index: number;
}
/** `(... + args)`, `(args + ...)`, `(0 + ... + args)`, `(args + ... + 0)` (C++17 8.1.6). */
export interface Fold extends Node {
  readonly kind: "fold";
  readonly operator: BinaryOperator | ",";
  readonly operatorSpan: Span;
  /** What stands before and behind the dots. */
  readonly first?: Expression;
  readonly last?: Expression;
}
