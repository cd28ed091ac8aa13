/**
 * Templates of the source (C++14 clause 14, which MSL follows; HLSL 2021 as DXC has it). What a template declares is read
 * once for each list of arguments, from the template's own syntax, in a scope in which its parameters are bound: an instance is
 * a plain function, struct or variable, whose spans lead into the template.
 */
import type * as syntax from "../../ast/syntax.js";
import type { Span } from "../../support/span.js";
import { identityOf, sameType, type Type } from "../../types/types.js";
import type { Constant } from "../constants.js";
import type { FunctionInfo, NamedTypeInfo, ParameterInfo, Scope } from "../context.js";
import type { Definition } from "./definition.js";

/** What a parameter of a template stands for. */
export type TemplateArgument =
  | { readonly kind: "type"; readonly info: NamedTypeInfo }
  /** `label`: the name the source gives it. */
  | { readonly kind: "constant"; readonly value: Constant; readonly type: Type; readonly label?: string }
  | { readonly kind: "function"; readonly function: FunctionInfo }
  | { readonly kind: "template"; readonly template: NamedTemplate }
  | { readonly kind: "pack"; readonly elements: readonly TemplateArgument[] };

/** By the parameter's place in the list. */
export type Arguments = readonly TemplateArgument[];

interface TemplateBase<D> {
  readonly name: string;
  readonly parameters: readonly syntax.TemplateParameter[];
  readonly declaration: D;
  /** Of the declaration with `template <...>`, whose comments come before the instance. */
  readonly outer: syntax.TemplateDeclaration;
  readonly span: Span;
  /** Where it is declared: names of its text are looked up there. */
  readonly scope: Scope;
}

export interface FunctionTemplate extends TemplateBase<syntax.FunctionDeclaration> {
  readonly kind: "function";
  /** By the keys of their arguments. */
  readonly instances: Map<string, FunctionInfo>;
  /** `template <> float f<float>(float x)`, by the keys of their arguments. */
  readonly specializations: Map<string, { readonly declaration: syntax.FunctionDeclaration; readonly outer: object }>;
  /** Of methods: the object, and the struct that declares it; of constructors the struct. */
  readonly receiver?: ParameterInfo;
  readonly method?: string;
  readonly constructs?: string;
  /** Of constructors that are inherited: the member that the base is, and whose instances make it. */
  readonly inherits?: { readonly member: string | undefined; readonly template: FunctionTemplate };
  /** Of methods whose body stands behind their struct. */
  definition?: Definition;
  /** Functions declared behind are not meant by its names; without it, behind the template. */
  readonly visibleBefore?: number | undefined;
  /** Of lambdas that are no templates, in what is none: see `LaterBody`. */
  readonly untemplated?: boolean;
}

export interface StructTemplate extends TemplateBase<syntax.VariableDeclaration> {
  readonly kind: "struct";
  /** Absent where it is only announced: of such a template there are specialisations alone. */
  readonly specifier?: syntax.StructSpecifier;
  readonly instances: Map<string, NamedTypeInfo | "being read">;
  readonly specializations: StructSpecialization[];
  readonly outside: OutsideFunction[];
  readonly guides: Guide[];
}

/** `template <typename T> W(T) -> W<T>;`: what it returns is the struct (C++17 17.9). */
export interface Guide {
  readonly parameters: readonly syntax.TemplateParameter[];
  readonly declaration: syntax.FunctionDeclaration;
}

/** `template <typename T> T S<T>::Inner::f() const { ... }` */
export interface OutsideFunction {
  readonly declaration: syntax.FunctionDeclaration;
  /** Of the template that the path names first. */
  readonly parameters: readonly syntax.TemplateParameter[];
  /** `Inner` */
  readonly rest: readonly string[];
  /** Of a function that is a template itself. */
  readonly own: syntax.TemplateDeclaration | undefined;
  readonly outer: object;
  /** `template <typename T> template <typename U> T S<T>::Inner<U>::f() const { ... }`: of a template in there, by its name. */
  readonly nested?: { readonly name: string; readonly function: OutsideFunction };
}

/** `template <typename T> constexpr constant bool is_pair<Pair<T>> = true;`: `pattern` are the arguments it is for. */
export interface Specialization {
  readonly parameters: readonly syntax.TemplateParameter[];
  readonly pattern: readonly syntax.TemplateArgument[];
  /** Where the pattern is written: behind a namespace (`template <> struct n::has<V>`) it names what is outside of that. */
  readonly scope: Scope;
  readonly declaration: syntax.VariableDeclaration;
  readonly outer: syntax.TemplateDeclaration;
}

/** `template <typename T> struct S<T, 1> { ... };` */
export interface StructSpecialization extends Specialization {
  readonly specifier: syntax.StructSpecifier;
  readonly outside: OutsideFunction[];
}

/** `template <typename T> using V = vec<T, 4>;` */
export interface AliasTemplate extends TemplateBase<syntax.UsingDeclaration> {
  readonly kind: "alias";
}

/** `template <typename T> constexpr constant T zero = T(0);` */
export interface VariableTemplate extends TemplateBase<syntax.VariableDeclaration> {
  readonly kind: "variable";
  /** Names of the instances in `scope`. */
  readonly instances: Map<string, string | undefined>;
  readonly specializations: Specialization[];
}

export type Template = FunctionTemplate | StructTemplate | AliasTemplate | VariableTemplate;
/** Templates that have a name to themselves. */
export type NamedTemplate = Exclude<Template, FunctionTemplate>;

/** Which template a function was made of. */
export interface FunctionInstance {
  readonly template: FunctionTemplate;
  readonly arguments: Arguments;
}

export function sameArgument(a: TemplateArgument, b: TemplateArgument): boolean {
  if (a.kind === "type") return b.kind === "type" && sameType(a.info.type, b.info.type) && keyOf(a) === keyOf(b);
  if (a.kind === "constant") return b.kind === "constant" && a.value === b.value;
  if (a.kind === "pack" || a.kind === "template") return keyOf(a) === keyOf(b);
  return b.kind === "function" && a.function === b.function;
}

/** Equal for arguments that are the same. */
export function keyOf(a: TemplateArgument): string {
  switch (a.kind) {
    case "type":
      return `${a.info.constant ? "const " : ""}${identityOf(a.info.type)}${referenceKey(a.info)}`;
    case "constant":
      return `${String(a.value)} of ${identityOf(a.type)}`;
    case "function":
      return `function ${a.function.id}`;
    case "template":
      return `template ${a.template.name} at ${a.template.span.start}`;
    case "pack":
      return `[${keyOfAll(a.elements)}]`;
  }
}

const referenceKey = ({ reference }: NamedTypeInfo): string =>
  reference ? `${reference.rvalue ? "&&" : "&"}${reference.space ?? ""}` : "";

/** Arguments one by one, those of packs too. */
export const flat = (list: Arguments): Arguments => list.flatMap((a) => (a.kind === "pack" ? a.elements : [a]));

export const keyOfAll = (list: Arguments): string => list.map(keyOf).join("; ");
