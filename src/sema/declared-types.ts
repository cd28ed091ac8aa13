/** Types as declarations write them: specifier, qualifiers and derivations together. */
import { layoutOf } from "../types/layout.js";
import { isBuiltin } from "../dialects/builtins.js";
import { literal } from "../ast/builders.js";
import type * as syntax from "../ast/syntax.js";
import { append } from "../support/append.js";
import { hostMacroHelp, looksLikeMacro } from "../support/host-macros.js";
import { wayOut } from "../support/problem-kinds.js";
import { didYouMean } from "../support/did-you-mean.js";
import type { Span } from "../support/span.js";
import {
  array,
  isArrayOfPointers,
  type AddressSpace,
  type LengthPart,
  type Type,
  enumerationOf,
  withoutRoom,
} from "../types/types.js";
import { partOf } from "./access.js";
import {
  type ParameterInfo,
  error,
  errorOnce,
  notYet,
  asPlace,
  placeSpace,
  type NamedTypeInfo,
  type ReferenceInfo,
  type Sema,
  type Symbol,
  type Value,
  shown,
} from "./context.js";
import { isNoType, lookup, visibleNames } from "./scopes.js";
import { constantInteger, unevaluatedOperand } from "./expressions.js";
import { fixSizes } from "./fixed-constants.js";
import { declareEnum, declareStruct, enumerationType } from "./structs.js";
import type { TypeNameResult } from "../dialects/type-names.js";
import { isSpaceWord, spaceWords } from "./space-words.js";
import { inLibrary, predeclaredType } from "./type-names.js";
import { memberOfType } from "./struct-members.js";
import { pointerToFunctions } from "./function-pointers.js";
import { functionShape } from "./templates/function-types.js";
import { expanded, inElement } from "./templates/packs.js";
import { traitStruct, traitType } from "./templates/traits.js";
import { holdsMatrix } from "./subgroup-matrices.js";
import { wrongForAll } from "./templates/state.js";
import { templateType } from "./templates/struct-templates.js";

/** What the qualifiers of a declaration say, sorted by what they are about. */
export interface Qualifiers {
  readonly constant: boolean;
  readonly space?: AddressSpace;
  readonly volatile: boolean;
  readonly restrict: boolean;
  readonly precise: boolean;
  readonly static: boolean;
  readonly constexpr: boolean;
  /** Words left for the caller: `in`, `out`, `inout`, `uniform`, `buffer`, `coherent`, `kernel`, `shared` ... */
  readonly words: ReadonlyMap<string, syntax.Qualifier>;
  readonly layout: readonly syntax.LayoutEntry[];
}

const noMeaning = new Set([
  "inline",
  "extern",
  "register",
  "highp",
  "mediump",
  "lowp",
  "signed",
  "nonuniformEXT",
  "static",
  "const",
  "constexpr",
  "volatile",
  "restrict",
  "__restrict",
  "precise",
]);

/**
 * `precise`: where what it says is kept. A local variable keeps it itself; of a function and its parameters it is taken to hold
 * for the function, and elsewhere for the whole text.
 */
export function sortQualifiers(
  s: Sema,
  list: readonly syntax.Qualifier[],
  precise: Span | "by the variable" | "for the text" = "for the text",
): Qualifiers {
  const words = new Map<string, syntax.Qualifier>();
  const layout: syntax.LayoutEntry[] = [];
  let space: AddressSpace | undefined;
  for (const q of list) {
    if (q.name === "layout") append(layout, q.layout ?? []);
    else if (Object.hasOwn(spaceWords, q.name)) {
      if (space !== undefined && space !== spaceWords[q.name])
        error(s, "XL2009", `'${q.name}' contradicts the address space before it`, q.span);
      space = spaceWords[q.name];
    }
    if (!noMeaning.has(q.name) && q.name !== "layout" && !isSpaceWord(q.name)) words.set(q.name, q);
  }
  const has = (...names: string[]): boolean => list.some((q) => names.includes(q.name));
  if (precise !== "by the variable" && has("precise"))
    s.contraction.push(
      precise === "for the text" ? { start: 0, says: "off" } : { start: precise.start, end: precise.end, says: "off" },
    );
  return {
    constant: has("const", "constexpr"),
    ...(space ? { space } : {}),
    volatile: has("volatile"),
    restrict: has("restrict") || has("__restrict"),
    precise: has("precise"),
    static: has("static"),
    constexpr: has("constexpr"),
    words,
    layout,
  };
}

export interface DeclaredType {
  readonly type: Type;
  /** The object itself is const. */
  readonly constant: boolean;
  /** Where the object lies, if its declaration says so. For references: what it refers to. */
  readonly space?: AddressSpace;
  readonly reference: boolean;
  /** Of references: `&&`. */
  readonly rvalue?: true;
  readonly volatile: boolean;
  readonly restrict: boolean;
  /** A pointer whose address space was not written, in a dialect that lets it be inferred. */
  readonly openSpace?: boolean;
}

/** Whether a specifier defines the type that it stands for. */
export const definesType = (t: syntax.TypeSpecifier): boolean =>
  t.kind === "struct-specifier" || t.kind === "enum-specifier";

/** The type a specifier names; declares structs and enums it defines. */
export function resolveSpecifier(
  s: Sema,
  specifier: syntax.TypeSpecifier,
  owner?: object,
  typedefName?: string,
): NamedTypeInfo | undefined {
  switch (specifier.kind) {
    case "struct-specifier":
      return declareStruct(s, specifier, owner, typedefName);
    case "enum-specifier":
      return declareEnum(s, specifier, owner, typedefName);
    case "named-type":
      return resolveNamed(s, specifier);
    case "decltype": {
      const { expression: operand } = specifier;
      if (s.alignedTypedefs)
        return notYet(s, "a type of an operand beside types that say more alignment than they have is", specifier.span);
      if (operand.kind === "type-expression") {
        const t = resolveTypeName(s, operand.type);
        return t && namedInfo(t);
      }
      if (functionShape(s, specifier, [])) return notYet(s, "function types are", specifier.span);
      const v = unevaluatedOperand(s, operand);
      return v && typeOfOperand(s, specifier, v);
    }
  }
}

/** `auto`, which stands for the type of a value, and `decltype(auto)`, for what `decltype` says of it. */
export function deducedType(s: Sema, specifier: syntax.TypeSpecifier): "value" | "declared" | undefined {
  const word = s.reading.declarations.deducesTypes;
  const isWord = (x: syntax.NamedType | syntax.Identifier): boolean => x.name === word && x.path.length === 0;
  if (word === undefined) return undefined;
  if (specifier.kind === "named-type") return isWord(specifier) ? "value" : undefined;
  if (specifier.kind !== "decltype" || specifier.plain) return undefined;
  const { expression: e } = specifier;
  return e.kind === "identifier" && isWord(e) ? "declared" : undefined;
}

/** What `decltype` says of a name is what it is declared as; of another place it is a reference (C++14 7.1.6.2). */
export function typeOfOperand(
  s: Sema,
  { expression: e, plain }: Pick<syntax.DecltypeSpecifier, "expression" | "plain">,
  v: Value,
): NamedTypeInfo {
  const { type } = v;
  if (plain || !s.reading.declarations.references || e.kind === "member") return { type };
  const constant = v.readOnly === undefined ? {} : { constant: true };
  if (e.kind === "identifier") {
    const reference = declaredReference(s, e);
    return reference ? { type, ...constant, reference } : { type };
  }
  const { place } = asPlace(v);
  // No reference is to a component.
  if (!place || partOf(place) === "component") return { type };
  return { type, ...constant, reference: { space: placeSpace(s, place), ...(v.xvalue ? { rvalue: true } : {}) } };
}

/** The reference that a name of a variable is declared as. */
function declaredReference(s: Sema, { name, path }: syntax.Identifier): ReferenceInfo | undefined {
  const symbol = path.length === 0 ? lookup(s, name) : undefined;
  if (symbol?.kind === "value") return symbol.reference;
  const v = symbol?.kind === "variable" ? s.variables.get(symbol.variable) : undefined;
  if (v?.mode !== "ref") return undefined;
  return { space: v.space, ...(s.fn?.rvalues.has(v.id) ? { rvalue: true } : {}) };
}

/** An array of which some dimension has no length. */
export const isOpenArray = (type: Type): boolean =>
  type.kind === "array" && (type.length === undefined || isOpenArray(type.element));

/** `struct S` where the language has no such names of types: says so. */
export function refusesElaborated(s: Sema, t: syntax.NamedType): boolean {
  if (!t.elaborated || s.reading.declarations.elaboratedTypes) return false;
  const what = `${s.language.name} has no '${t.elaborated} ${t.name}' without its members`;
  error(s, "XL2021", what, t.span, { help: `define it first, and write ${t.name}` });
  return true;
}

/** The type that a name has in this scope, where a typedef may give it again (C11 6.7, C++14 7.1.3): `typedef enum E { a } E;`. */
export function namedBefore(s: Sema, name: string): NamedTypeInfo | undefined {
  const before = s.scope.symbols.get(name);
  if (before?.kind === "enum") return { type: enumerationType(s, before.index) };
  return before?.kind === "type" ? before.info : undefined;
}

function resolveNamed(s: Sema, t: syntax.NamedType): NamedTypeInfo | undefined {
  if (refusesElaborated(s, t)) return undefined;
  const path = inLibrary(s, t.path);
  // `metal::exp` is nothing that the source calls `exp` elsewhere.
  const symbol =
    t.path.length === 0
      ? (lookup(s, t.elaborated ? `${t.elaborated} ${t.name}` : t.name) ?? lookup(s, t.name, countsFor(t)))
      : memberOfType(s, t);
  if (symbol?.kind === "type") {
    // Within a template its name is the instance, whose arguments may be written again.
    const own = s.templates.structs.get(symbol.info.type.kind === "struct" ? symbol.info.type.name : "");
    if (t.templateArguments && own?.template.name === t.name)
      return templateType(s, own.template, t.templateArguments, t.span);
    if (t.templateArguments) return error(s, "XL2013", `'${t.name}' is no template`, t.span);
    return symbol.info;
  }
  if (symbol?.kind === "template") return templateType(s, symbol.template, t.templateArguments ?? [], t.span);
  if (symbol?.kind === "enum") return { type: enumerationType(s, symbol.index) };
  if (symbol?.kind === "function type")
    return symbol.pointer ? symbol.pointer() : notYet(s, "function types are", t.span);
  if (symbol?.kind === "error" && symbol.problems) {
    for (const p of symbol.problems) s.problems.add(p);
    return undefined;
  }
  if (symbol?.kind === "error") return symbol.refusal ? notYet(s, symbol.refusal, t.span) : undefined;
  const trait = traitType(s, t);
  if (trait !== "none") return trait?.kind === "type" ? trait.info : undefined;
  const constant = traitStruct(s, t);
  if (constant !== "none") return constant?.kind === "type" ? constant.info : undefined;
  if (t.templateArguments) {
    // Textures take words (`access::write`) that mean nothing without them.
    const whole = path.length === 0 && t.name !== "array" ? predeclaredType(s, t.name) : undefined;
    if (whole && "notYet" in whole) return finish(s, whole, t);
    const args = resolveTemplateArguments(s, t.templateArguments);
    const made = args && s.reader.classTemplate?.(s, t.name, args, t.span);
    if (made) return { type: made };
    return args && finish(s, s.reading.types.template?.(t.name, args), t);
  }
  if (path.length > 0) {
    const found = predeclaredType(s, t.name, path);
    if (found && "type" in found) return { type: found.type };
    const [first] = path;
    const unknown = lookup(s, first!) === undefined && first !== "decltype" && !isBuiltin(s.form, first!);
    return unknown
      ? wrongForAll(s, "XL2001", `'${first}' is not declared`, t.span, { help: fromElsewhere })
      : error(s, "XL2013", `type '${[...t.path, t.name].join("::")}' is not known`, t.span);
  }
  const own = s.reader.namedType?.(s, t.name, t.span);
  return own ? { type: own } : finish(s, predeclaredType(s, t.name), t);
}

/** `struct S` means the type, whatever else has the name (C++14 3.4.4). */
const countsFor = (t: syntax.NamedType): ((found: Symbol) => boolean) =>
  t.elaborated ? (found) => !isNoType(found) : () => true;

const fromElsewhere = "include the header that declares it, or give that by --prelude";

const insteadOfType = (name: string): string =>
  /image|texture|sampler|depth2d|depthcube/i.test(name)
    ? "textures and samplers are not there yet: hand the texels over in a buffer"
    : wayOut;

function finish(s: Sema, found: TypeNameResult, t: syntax.NamedType): NamedTypeInfo | undefined {
  if (found && "type" in found) return { type: found.type };
  if (found && "notYet" in found)
    return errorOnce(s, "XL1900", `${found.notYet} not supported yet`, t.span, {
      help: found.instead ?? insteadOfType(t.name),
    });
  if (found) return errorOnce(s, "XL2013", found.refused, t.span);
  if (isBuiltin(s.form, t.name))
    return errorOnce(s, "XL1900", `type '${t.name}' is not supported yet`, t.span, { help: insteadOfType(t.name) });
  if (t.name === "auto") return notYet(s, "'auto' is", t.span);
  // In C such a name announces its struct (C11 6.7.2.3 (8)).
  if (isAwaited(s, t.name) || (t.elaborated && t.elaborated !== "enum" && s.reading.declarations.tags))
    return notYet(s, `naming '${t.name}' before it is defined is`, t.span);
  const hidden = lookup(s, t.name, (found) => !isNoType(found));
  if (hidden)
    return errorOnce(s, "XL2013", `'${t.name}' names something else here, which hides the type`, t.span, {
      help: `write ${hidden.kind === "enum" ? "enum" : "struct"} ${t.name}`,
    });
  const near = didYouMean(t.name, [
    ...visibleNames(s),
    "float",
    "float2",
    "float4",
    "uint",
    "uint2",
    "uint3",
    "int",
    "vec2",
    "vec3",
    "vec4",
    "uvec3",
  ]);
  // `FLOAT4` is a macro for a type, not a slip of the shift key.
  const help = looksLikeMacro(t.name) ? hostMacroHelp(t.name, "type") : near;
  return errorOnce(s, "XL2013", `type '${t.name}' is not known`, t.span, help ? { help } : {});
}

const isAwaited = (s: Sema, name: string): boolean =>
  s.awaitedStructs.has(`struct ${name}`) || [...s.awaitedStructs.values()].flat().some((alias) => alias.name === name);

/** Types and integers in angle brackets. */
export function resolveTemplateArguments(
  s: Sema,
  list: readonly syntax.TemplateArgument[],
): (Type | number)[] | undefined {
  const out: (Type | number)[] = [];
  const all = expanded(s, list);
  if (!all) return undefined;
  for (const a of all) {
    if (a.kind === "pack-element") {
      const one = inElement(s, a.pattern, a.index, () => resolveTemplateArguments(s, [a.pattern]));
      if (!one) return undefined;
      out.push(one[0]!);
      continue;
    }
    if (a.kind === "type-name") {
      const t = resolveTypeName(s, a);
      if (!t) return undefined;
      out.push(t.type);
      continue;
    }
    const named = a.kind === "identifier" || a.kind === "type-expression" ? typeNamed(s, a) : undefined;
    if (named) out.push(named);
    else {
      const n = constantInteger(s, a, "the argument");
      if (n === undefined) return undefined;
      out.push(Number(n));
    }
  }
  return out;
}

/** The type an expression names, if it names one; silent where not. */
export function typeNamed(s: Sema, e: syntax.Expression): Type | undefined {
  if (e.kind === "parenthesized") return typeNamed(s, e.expression);
  if (e.kind === "type-expression") return resolveTypeName(s, e.type)?.type;
  if (e.kind !== "identifier") return undefined;
  const path = inLibrary(s, e.path);
  const own = e.path.length > 0 ? memberOfType(s, e) : undefined;
  if (own?.kind === "type") return own.info.type;
  if (path.length > 0) {
    const found = predeclaredType(s, e.name, path);
    return found && "type" in found ? found.type : undefined;
  }
  const trait = traitType(s, e);
  if (trait !== "none") return trait?.kind === "type" ? trait.info.type : undefined;
  const constant = traitStruct(s, e);
  if (constant !== "none") return constant?.kind === "type" ? constant.info.type : undefined;
  const symbol = e.path.length === 0 ? lookup(s, e.name) : own;
  if (symbol?.kind === "template" && symbol.template.kind !== "variable")
    return templateType(s, symbol.template, e.templateArguments ?? [], e.span)?.type;
  if (symbol)
    return symbol.kind === "type"
      ? symbol.info.type
      : symbol.kind === "enum"
        ? enumerationType(s, symbol.index)
        : undefined;
  if (e.templateArguments) {
    const { template } = s.reading.types;
    if (!template) return undefined;
    if (!/^(vec|packed_vec|matrix|vector|_?atomic|array|simdgroup_matrix)$/.test(e.name)) return undefined;
    const args = resolveTemplateArguments(s, e.templateArguments);
    const made = args && s.reader.classTemplate?.(s, e.name, args, e.span);
    if (made) return made;
    const found = args && template(e.name, args);
    return found && "type" in found ? found.type : undefined;
  }
  const declared = s.reader.namedType?.(s, e.name, e.span);
  if (declared) return declared;
  const found = predeclaredType(s, e.name);
  return found && "type" in found ? found.type : undefined;
}

export function resolveTypeName(s: Sema, t: syntax.TypeName): DeclaredType | undefined {
  const base = resolveSpecifier(s, t.specifier);
  if (!base) return undefined;
  return asSeen(derive(s, base, sortQualifiers(s, t.qualifiers), t.derivations, t.span, "member"));
}

/** What is no member, element or pointed to need not lie as those do. */
export function asSeen<T extends DeclaredType | undefined>(t: T): T {
  return t && !t.reference ? { ...t, type: withoutRoom(t.type) } : t;
}

/** What a name stands for that is declared as this. */
export const namedInfo = ({ type, constant, reference, space, rvalue }: DeclaredType): NamedTypeInfo => ({
  type,
  ...(constant ? { constant } : {}),
  ...(reference ? { reference: { ...(space ? { space } : {}), ...(rvalue ? { rvalue } : {}) } } : {}),
});

/** A pointer, or a private one to such: where it is kept is a function's own memory. */
const isOwnPointer = (type: Type): boolean =>
  type.kind === "pointer" &&
  (type.pointee.kind !== "pointer" || (type.space === "private" && isOwnPointer(type.pointee)));
const holdsPointer = (type: Type): boolean => type.kind === "pointer" || isArrayOfPointers(type);

/** Whether elements lie at multiples of what their typedef says. */
function fillsAlignment(s: Sema, { aligned }: NamedTypeInfo, type: Type, span: Span): boolean {
  if (aligned === undefined || layoutOf(type, "natural", s.structs).size % aligned === 0) return true;
  error(s, "XL2020", `an array of what is aligned to ${aligned}, which is not its size`, span);
  return false;
}

/**
 * Applies derivations to the specifier's type. `infer`: pointers without address space may get it from an initialiser. Of variables
 * of functions, and of members, which become such, it can be told where the pointers in arrays point.
 */
export function derive(
  s: Sema,
  base: NamedTypeInfo,
  q: Qualifiers,
  derivations: readonly syntax.Derivation[],
  span: Span,
  infer: boolean | "member" = false,
): DeclaredType | undefined {
  let { type } = base;
  // What is const of a reference is what it refers to (C++14 8.3.2).
  let constant = (q.constant && !base.reference) || base.constant === true;
  let space = q.space ?? base.reference?.space;
  const { volatile } = q;
  let { restrict } = q;
  let [reference, rvalue] = [base.reference !== undefined, base.reference?.rvalue === true];
  let [openSpace, ofFunctions] = [false, false];
  const { references, pointerSpaces, openDimensions } = s.reading.declarations;
  if (isInterface(s, type, span)) return undefined;
  for (const [i, d] of derivations.entries()) {
    if (ofFunctions) {
      ofFunctions = false;
      const own = d.kind === "pointer" ? sortQualifiers(s, d.qualifiers) : undefined;
      [constant, space] = [d.kind === "reference" || own?.constant === true, own?.space ?? space];
      continue;
    }
    if (base.reference && d.kind !== "reference") return error(s, "XL2013", `no ${d.kind} is of references`, d.span);
    switch (d.kind) {
      case "function": {
        const led = functionsLike(s, type, d, derivations[i + 1]?.kind);
        if (!led) return undefined;
        [type, ofFunctions, constant] = [led, true, false];
        break;
      }
      case "array": {
        if (type.kind === "pointer" && type.object && !infer)
          return notYet(s, "an array of buffers as a parameter is", d.span, "hand over its buffers one by one");
        if (holdsPointer(type) && !infer) return notYet(s, "arrays of pointers are", d.span);
        if (type.kind === "void") return error(s, "XL2013", "an array of void", d.span);
        if (d.qualifiers)
          return error(s, "XL2011", "qualifiers stand in the outermost brackets of a parameter only", d.span);
        const length = d.size ? arrayLength(s, d.size) : undefined;
        if ((d.size && length === undefined) || !fillsAlignment(s, base, type, d.span)) return undefined;
        if (openDimensions === "outermost" && type.kind === "array" && type.length === undefined)
          return error(s, "XL2020", "only the outermost dimension may be left open", d.span);
        type = array(type, length, d.size && writtenLength(s, d.size));
        break;
      }
      case "pointer": {
        if (!s.language.pointers) return error(s, "XL2013", `${s.language.name} has no pointers`, d.span);
        if (holdsPointer(type) && !(isOwnPointer(type) && (space ?? "private") === "private"))
          return notYet(s, "such pointers to pointers are", d.span);
        if (space === undefined) {
          if (pointerSpaces === "written" && infer !== true)
            return error(s, "XL2009", "a pointer needs an address space", d.span, {
              help: "write device, constant, threadgroup or thread",
            });
          openSpace = true;
        }
        if (space !== undefined && space !== "private" && holdsMatrix(s, type))
          return notYet(s, "a simdgroup matrix outside of thread memory is", d.span);
        const own = sortQualifiers(s, d.qualifiers);
        type = {
          kind: "pointer",
          pointee: type,
          space: space ?? "private",
          ...(constant ? { readOnly: true } : {}),
          ...(space === undefined && pointerSpaces !== "written" && !holdsPointer(type) ? { open: "" } : {}),
        };
        constant = own.constant;
        restrict = own.restrict || restrict;
        // volatile in front of the star is about what is pointed to; kept on the variable, where its own would mean nothing.
        space = own.space;
        break;
      }
      case "reference":
        if (!references) return error(s, "XL2013", `${s.language.name} has no references`, d.span);
        if (isArrayOfPointers(type)) return notYet(s, "references to arrays of pointers are", d.span);
        if (type.kind === "pointer" && (space ?? "private") !== "private")
          return notYet(s, "references to pointers in such memory are", d.span);
        if (space !== undefined && space !== "private" && holdsMatrix(s, type))
          return notYet(s, "a simdgroup matrix outside of thread memory is", d.span);
        // Of `&` and `&&` together `&` remains (C++14 8.3.2).
        rvalue = d.rvalue === true && (rvalue || !reference);
        reference = true;
        break;
    }
  }
  if (type.kind === "void" && derivations.length > 0)
    return error(s, "XL2013", `${shown(s, type)} cannot be used so`, span);
  return {
    type,
    constant,
    ...(space ? { space } : {}),
    reference,
    ...(rvalue ? { rvalue } : {}),
    volatile,
    restrict,
    ...(openSpace ? { openSpace } : {}),
  };
}

/** DXC calls it an abstract class. */
const isInterface = (s: Sema, type: Type, span: Span): boolean =>
  type.kind === "struct" &&
  s.interfaces.has(type.name) &&
  error(s, "XL2013", `'${type.name}' is an interface, of which there are no objects`, span, {
    help: "name the struct that implements it, or a parameter of a template",
  }) === undefined;

/** Functions that return the type and take what the list says, as what a pointer leads to; `next`: what is made of such. */
function functionsLike(
  s: Sema,
  returnType: Type,
  { parameters, span }: syntax.Derivation & { readonly kind: "function" },
  next: syntax.Derivation["kind"] | undefined,
): Type | undefined {
  if (!s.reading.declarations.lambdas)
    return error(s, "XL2013", `${s.language.name} has no pointers to functions`, span, {
      help: "choose the function by a switch",
    });
  if (next !== "pointer" && next !== "reference") return notYet(s, "such a type of a function is", span);
  const made = parameters.map((p): ParameterInfo | undefined | "void" => {
    const base = resolveSpecifier(s, p.specifier);
    const { derivations, name } = p.declarator;
    if (base?.type.kind === "void" && derivations.length === 0 && !name) return "void";
    const t = base && derive(s, base, sortQualifiers(s, p.qualifiers), derivations, p.span);
    return (
      t && {
        name: name?.name ?? "",
        type: t.type,
        mode: t.reference ? "ref" : "value",
        space: t.reference ? (t.space ?? "private") : "private",
        constant: t.constant || (t.reference && t.space === "constant"),
        volatile: t.volatile,
        restrict: t.restrict,
        span: p.span,
      }
    );
  });
  const taken = made.filter((p) => p !== "void");
  const known = taken.filter((p) => p !== undefined);
  return known.length === taken.length ? pointerToFunctions(s, { returnType, parameters: known }, span) : undefined;
}

/** The parts of a length that names constants: sums, differences and products of them and of plain numbers. */
function writtenLength(s: Sema, size: syntax.Expression): readonly LengthPart[] | undefined {
  const parts = lengthParts(s, size);
  return parts?.some((p) => typeof p !== "string") ? parts : undefined;
}

function lengthParts(s: Sema, e: syntax.Expression): readonly LengthPart[] | undefined {
  const macro = s.expansions.get(`${e.span.start}:${e.span.end}`)?.name;
  if (macro !== undefined) {
    const value = constantInteger(s, e, "the size of an array");
    if (value === undefined || value < 0n || value > 0x7fffffffn) return undefined;
    if (!s.lengthMacros.has(macro)) s.lengthMacros.set(macro, literal("i32", Number(value), e.span));
    return [{ macro }];
  }
  switch (e.kind) {
    case "identifier": {
      const symbol = lookup(s, e.name);
      if (symbol?.kind === "enumerator") return [{ enum: symbol.enum, enumerator: symbol.name }];
      return symbol?.kind === "variable" && s.variables.get(symbol.variable)?.role === "global"
        ? [{ variable: symbol.variable }]
        : undefined;
    }
    case "literal":
      return /^[0-9]+$/.test(e.text) && !e.text.startsWith("0") ? [e.text] : undefined;
    case "parenthesized": {
      const inner = lengthParts(s, e.expression);
      return inner && ["(", ...inner, ")"];
    }
    case "binary": {
      if (e.operator !== "+" && e.operator !== "-" && e.operator !== "*") return undefined;
      const left = lengthParts(s, e.left);
      const right = left && lengthParts(s, e.right);
      return right && [...left, ` ${e.operator} `, ...right];
    }
    default:
      return undefined;
  }
}

function arrayLength(s: Sema, size: syntax.Expression): number | undefined {
  let scoped = false;
  const n = constantInteger(s, size, "the size of an array", (e) => {
    scoped = enumerationOf(e.type)?.scoped === true;
    fixSizes(s, e);
  });
  if (n === undefined) return undefined;
  if (scoped)
    return error(
      s,
      "XL2003",
      "the size of an array must be an integer, which no enumerator with a scope is",
      size.span,
    );
  if (n <= 0n || n > 0x7fffffffn) return error(s, "XL2020", `an array cannot have ${n} elements`, size.span);
  return Number(n);
}

/** What a parameter's declarator makes of its type: an outermost array of a C dialect is a pointer (C99 6.7.5.3 (7)). */
export function parameterDerivations(
  s: Sema,
  { derivations }: syntax.Declarator,
): { readonly derivations: readonly syntax.Derivation[]; readonly decayed: boolean } {
  const last = derivations.at(-1);
  if (s.language.arrays !== "decay" || last?.kind !== "array") return { derivations, decayed: false };
  return {
    derivations: [
      ...derivations.slice(0, -1),
      // `static` promises as many elements (C99 6.7.5.3).
      { kind: "pointer", qualifiers: (last.qualifiers ?? []).filter((w) => w.name !== "static"), span: last.span },
    ],
    decayed: true,
  };
}
