/**
 * What reading a language needs that is code: one file per source language, listed in `languages.ts`. What can be said as a
 * property that another language may share is a fact instead (src/dialects/language.ts). A hook that is optional is for
 * what most languages do not have; "none" means: not mine, read it as any language does.
 */
import type { Expr, Module, VarId } from "../../ast/nodes.js";
import type * as syntax from "../../ast/syntax.js";
import type { ExpandedSource } from "../../support/expanded-source.js";
import type { Span } from "../../support/span.js";
import type { AddressSpace, PointerType, StructType, Type } from "../../types/types.js";
import type { FunctionState, ResourceObject, Sema, SemaOptions, Value, Variant } from "../context.js";
import type { FileVariable } from "../file-variables.js";
import type { DeclaredType, Qualifiers } from "../declared-types.js";
import type { EntryParameter, EntryParts } from "../entries.js";

export interface SourceReader {
  /** What the versions of the language, or words of the text, change. */
  readonly variant?: (source: ExpandedSource, options: SemaOptions) => Partial<Variant>;

  /** A parameter of an entry point: a resource, a value or an id. */
  readonly entryParameter: (s: Sema, fn: FunctionState, p: EntryParameter, parts: EntryParts) => true | undefined;

  /** Where a variable of the file lies. Constants known before the run are in constant memory in every language. */
  readonly fileSpace: (
    s: Sema,
    t: DeclaredType,
    q: Qualifiers,
    span: Span,
  ) => AddressSpace | "program memory" | undefined;
  /** A variable of the file that the host sets. */
  readonly fileVariable?: (s: Sema, v: FileVariable) => VarId | "value" | undefined | "none";
  /** Declarations at file scope that look like variables and are something else: true where this was one. */
  readonly fileDeclaration?: (s: Sema, d: syntax.VariableDeclaration) => boolean;
  /** What a compiler of the language takes as the first value of something the host sets, and does not use. */
  readonly ignoredInitializer?: (s: Sema, name: string, span: Span) => void;
  /** `buffer B { ... };`, `cbuffer B { ... };`. */
  readonly block?: (s: Sema, d: syntax.BlockDeclaration) => void;

  /** `p.member` of a reference to a block. */
  readonly referencedMember?: (s: Sema, base: Value, name: string, span: Span, nameSpan: Span) => Value | undefined;
  /** A reference of another type; a problem where there is none. */
  readonly castReference?: (s: Sema, e: Expr, from: PointerType, to: PointerType, span: Span) => Value | undefined;
  /** `p[i]` of a reference to a block. */
  readonly neighbour?: (s: Sema, base: Value, index: Expr, span: Span) => Value | undefined;
  /** Whether such a reference moves from block to block; a problem where it does not. */
  /** Whether a reference may be handed over to a parameter, which may lose nothing that is said of the memory it lies in. */
  readonly mayHandOver?: (s: Sema, v: Value, keepsReadOnly: boolean, span: Span, what: string) => boolean;
  readonly referenceSteps?: (s: Sema, type: PointerType, span: Span) => boolean;

  /** `spirv_execution_mode(...);` */
  readonly executionMode?: (s: Sema, d: syntax.ExecutionMode) => void;

  /** What an empty list makes of a matrix that the lanes of a subgroup hold together, within a function. */
  readonly zeroMatrix?: (s: Sema, type: StructType, span: Span) => Expr | undefined;

  /** A type of the library that a declaration of its own stands for. */
  readonly namedType?: (s: Sema, name: string, span: Span) => Type | undefined;
  /** A class template of the library whose objects need a declaration of their own. */
  readonly classTemplate?: (s: Sema, name: string, args: readonly (Type | number)[], span: Span) => Type | undefined;

  /** The buffer object with this name of its type, which holds an array. */
  readonly objectNamed?: (name: string, held: Type) => ResourceObject;

  /** A buffer with its counter as the value that its type is. */
  readonly countedValue?: (s: Sema, v: Value, span: Span) => Expr | undefined;

  /** A call of a function of the library that comes before one of the source with its name. */
  readonly callBeforeSource?: (
    s: Sema,
    callee: syntax.Identifier,
    values: readonly Value[],
    e: syntax.Call,
  ) => Value | undefined | "none";
  /** Functions of the library that are no rows of the table and no forms of it. */
  readonly otherFunctions?: ReadonlySet<string>;
  /** A call of a function of the library that is no row of the table, or comes down to others: ids by functions, `mul`. */
  readonly libraryCall?: (s: Sema, call: LibraryCall) => Value | undefined | "none";
  /** An operator of the library for operands that are objects. */
  readonly operator?: (s: Sema, sign: string, operands: readonly Value[], span: Span) => Value | undefined | "none";
  /** `base.name(...)`. */
  readonly method?: (s: Sema, base: Value, callee: syntax.Member, e: syntax.Call) => Value | undefined | "none";

  /** A type of variables and parameters that is none of members, in words. */
  readonly noMember?: (specifier: syntax.TypeSpecifier) => string | undefined;

  /** What the module still needs when all is read. */
  readonly finish?: (s: Sema, module: Module<"canonical">) => Module<"canonical">;
}

export interface LibraryCall {
  readonly name: string;
  readonly values: readonly Value[];
  /** In angle brackets behind the name. */
  readonly templates: readonly (Type | number)[];
  readonly span: Span;
  readonly nameSpan: Span;
  /** Arguments that do not fit are no error: something else may take them. */
  readonly quiet: boolean;
}
