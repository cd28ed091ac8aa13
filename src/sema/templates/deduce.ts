/** Arguments of templates that follow from types: C++14 14.8.2.1 (calls) and 14.8.2.5 (types). */
import type * as syntax from "../../ast/syntax.js";
import { sizeType } from "../../dialects/type-names.js";
import { i32, sameType, scalar, type Type, isSingle, withoutSingle } from "../../types/types.js";
import { structMember, type NamedTypeInfo, type Scope, type Sema, type Symbol } from "../context.js";
import { inScopeOf, lookup } from "../scopes.js";
import { sortQualifiers } from "../declared-types.js";
import { classArrayMember, insideClassArray } from "../class-arrays.js";
import { countedBuffer } from "../counted-buffers.js";
import { memberOfPath } from "../namespaces.js";
import { matrixKind } from "../subgroup-matrices.js";
import { inLibrary } from "../type-names.js";
import { isConstant } from "./partial-order.js";
import { flat, keyOfAll, sameArgument, type AliasTemplate, type Template, type TemplateArgument } from "./template.js";

/** What has been found so far, by parameter; `open`: the parameters that are looked for. */
export class Deduction {
  readonly found = new Map<string, TemplateArgument>();
  /** What the types come from that are looked at: a number without a type meets no other (DXC). */
  ofLiteral = false;
  /** What `T &&` stands for of it: of a place a reference to that. */
  forwards: NamedTypeInfo | undefined;
  /** The types are those of a call's arguments, which may inherit what is written. */
  ofCall = false;
  private inList = 0;
  /** Of packs, while one element after the other is looked at. */
  private element: Map<string, TemplateArgument> | undefined;
  private readonly literals = new Map<string, boolean>();
  private readonly open: ReadonlyMap<string, syntax.TemplateParameter>;

  constructor(
    private readonly s: Sema,
    parameters: readonly syntax.TemplateParameter[],
    /** So many have been given, and are not looked for. */
    given = 0,
    /** Where the types are written that are looked at; else where they are asked for. */
    private readonly scope?: Scope,
  ) {
    this.open = new Map(parameters.slice(given).flatMap((p) => (p.name ? [[p.name.name, p] as const] : [])));
  }

  /**
   * Takes a parameter's type, as it is written, for `type`: false where that cannot be. What names no parameter is not
   * compared: conversions decide about it. `constant`: whether an object of
   * the type is read only: a parameter that is not written `const` stands for that, too.
   */
  type(
    { specifier, qualifiers }: Written,
    derivations: readonly syntax.Derivation[],
    type: Type,
    exact = false,
    constant = false,
  ): boolean {
    const written = { specifier, qualifiers };
    const outer = derivations.at(-1);
    const inner = derivations.slice(0, -1);
    if (outer === undefined) return this.specifier(specifier, type, exact, constant && !isConstant(qualifiers));
    switch (outer.kind) {
      case "reference":
        if (outer.rvalue && inner.length === 0 && this.forwards && this.isOpenAlone(written))
          return this.bind((specifier as syntax.NamedType).name, { kind: "type", info: this.forwards });
        return this.type(written, inner, type, true, constant);
      case "pointer":
        if (!this.mentions(specifier, derivations)) return true;
        if (type.kind === "pointer")
          return this.type(written, inner, type.pointee, true, inner.length === 0 && type.readOnly === true);
        return type.kind === "array" ? this.type(written, inner, type.element, true) : false;
      case "array": {
        if (!this.mentions(specifier, derivations)) return true;
        // As a parameter by value it is a pointer; behind a reference, an array.
        if (type.kind === "pointer")
          return this.type(written, inner, type.pointee, true, inner.length === 0 && type.readOnly === true);
        if (type.kind !== "array") return false;
        if (outer.size && type.length !== undefined && !this.number(outer.size, BigInt(type.length))) return false;
        return this.type(written, inner, type.element, true);
      }
      case "function":
        return true;
    }
  }

  /** T, with no word that says more of it (C++14 14.8.2.1 (3)): `const T &&` is no forwarding reference. */
  private isOpenAlone({ specifier: t, qualifiers }: Written): boolean {
    if (t.kind !== "named-type" || t.path.length > 0 || t.templateArguments || isConstant(qualifiers)) return false;
    const parameter = this.open.get(t.name);
    return parameter !== undefined && !parameter.type && !parameter.template;
  }

  private specifier(specifier: syntax.TypeSpecifier, type: Type, exact: boolean, constant: boolean): boolean {
    if (specifier.kind !== "named-type") return true;
    const isNested = inLibrary(this.s, specifier.path).length > 0;
    // What a struct that is looked for has says nothing of that one's arguments (C++14 14.8.2.5 (5)).
    if (isNested && (!specifier.templateArguments || this.isOf(specifier))) return true;
    const parameter = isNested ? undefined : this.open.get(specifier.name);
    if (parameter && !specifier.templateArguments) {
      if (parameter.type) return true;
      // By value an array is a pointer, which the caller has made of it.
      const info = { type: plain(type), ...(constant ? { constant } : {}) };
      return this.bind(specifier.name, { kind: "type", info });
    }
    if (!specifier.templateArguments) return true;
    if (parameter?.template) {
      const instance = type.kind === "struct" ? this.s.templates.structs.get(type.name) : undefined;
      if (!instance) return false;
      if (!this.bind(specifier.name, { kind: "template", template: instance.template })) return false;
      return this.list(specifier.templateArguments, flat(instance.arguments));
    }
    const template = this.templateNamed(specifier);
    if (template?.kind === "alias") return this.throughAlias(template, specifier.templateArguments, type, exact);
    const parts = this.partsOf(specifier, template, type) ?? this.partsOfBase(specifier, template, type);
    if (parts === undefined) return !exact || !this.mentions(specifier, []);
    return this.list(specifier.templateArguments, parts);
  }

  /** The template of the source that a type with arguments names. */
  private templateNamed(t: syntax.NamedType): Template | undefined {
    const found = (): Symbol | undefined => (t.path.length > 0 ? memberOfPath(this.s, t) : lookup(this.s, t.name));
    const symbol = this.scope ? inScopeOf(this.s, this.scope, found) : found();
    return symbol?.kind === "template" ? symbol.template : undefined;
  }

  /** `V<U>` of `template <typename T> using V = vec<T, 4>;`: what the alias stands for tells its arguments. */
  private throughAlias(
    alias: AliasTemplate,
    written: readonly syntax.TemplateArgument[],
    type: Type,
    exact: boolean,
  ): boolean {
    const inner = new Deduction(this.s, alias.parameters, 0, alias.scope);
    inner.ofCall = this.ofCall;
    inner.inList = this.inList;
    const meant = alias.declaration.alias!.type;
    if (!inner.type(meant, meant.derivations, type, exact)) return false;
    return alias.parameters.every((p, i) => {
      const found = p.name && inner.found.get(p.name.name);
      if (found?.kind === "pack") return this.each(written.slice(i), found.elements);
      const a = written[i];
      return !found || !a || this.argument(a, found);
    });
  }

  /** Of what a call hands over, the one base that is an instance of the template (C++14 14.8.2.1 (4)). */
  private partsOfBase(
    specifier: syntax.NamedType,
    template: Template | undefined,
    type: Type,
  ): readonly TemplateArgument[] | undefined {
    if (!this.ofCall || this.inList > 0 || type.kind !== "struct") return undefined;
    const found = new Map<string, readonly TemplateArgument[]>();
    const left = [type.name];
    for (let struct = left.pop(); struct !== undefined; struct = left.pop())
      for (const { type: base } of this.s.methods.get(struct)?.bases ?? []) {
        const parts = this.partsOf(specifier, template, base);
        if (parts) found.set(keyOfAll(parts), parts);
        else left.push(base.name);
      }
    return found.size === 1 ? [...found.values()][0] : undefined;
  }

  /** Arguments as they are written, of which the last may be an expansion that stands for all that are left. */
  list(written: readonly syntax.TemplateArgument[], parts: readonly TemplateArgument[]): boolean {
    this.inList++;
    const fits = this.each(written, parts);
    this.inList--;
    return fits;
  }

  private each(written: readonly syntax.TemplateArgument[], parts: readonly TemplateArgument[]): boolean {
    return written.every((a, i) => {
      if (a.kind === "pack-expansion") {
        const { pattern } = a;
        const rest = parts.slice(i);
        return this.pack(rest.length, (k) => this.argument(pattern, rest[k]!));
      }
      const part = parts[i];
      if (part === undefined) return true;
      return this.argument(a, part);
    });
  }

  /** What packs stand for, element by element. */
  pack(count: number, each: (index: number) => boolean): boolean {
    const lists = new Map<string, TemplateArgument[]>();
    const outer = this.element;
    let fits = true;
    for (let i = 0; i < count && fits; i++) {
      this.element = new Map();
      fits = each(i);
      for (const [name, a] of this.element) lists.set(name, [...(lists.get(name) ?? []), a]);
    }
    this.element = outer;
    return fits && [...lists].every(([name, elements]) => this.bindWhole(name, { kind: "pack", elements }));
  }

  /** The arguments that a type has where it is an instance of the template, or in a form such as `vec<T, N>`. */
  private partsOf(
    { name: form, path }: syntax.NamedType,
    template: Template | undefined,
    type: Type,
  ): readonly TemplateArgument[] | undefined {
    const instance = type.kind === "struct" ? this.s.templates.structs.get(type.name) : undefined;
    if (template?.kind === "struct")
      return instance?.template.instances === template.instances ? flat(instance.arguments) : undefined;
    if (inLibrary(this.s, path).length > 0) return undefined;
    const number = (n: number): TemplateArgument => ({ kind: "constant", value: BigInt(n), type: i32 });
    const named = (t: Type): TemplateArgument => ({ kind: "type", info: { type: t } });
    switch (form) {
      case "vec":
      case "vector":
        if (isSingle(type)) return [named(withoutSingle(type)), number(1)];
        return type.kind === "vector" && !type.packed ? [named(scalar(type.scalar)), number(type.size)] : undefined;
      case "packed_vec":
        return type.kind === "vector" && type.packed ? [named(scalar(type.scalar)), number(type.size)] : undefined;
      case "matrix": {
        if (type.kind !== "matrix") return undefined;
        const counts = [type.columns, type.rows];
        if (this.s.language.matricesByRows) counts.reverse();
        return [named(scalar(type.scalar)), ...counts.map(number)];
      }
      case "array": {
        const inner = insideClassArray(this.s, type);
        const member = inner && structMember(this.s, type, classArrayMember);
        return member?.kind === "array" ? [named(member.element), number(member.length!)] : undefined;
      }
    }
    const counted = countedBuffer(this.s, type);
    if (counted) return counted.typeName === form ? [named(counted.element)] : undefined;
    // `StructuredBuffer<T>`.
    if (type.kind === "pointer" && type.object !== undefined) {
      const { pointee } = type;
      return type.object === form ? [named(pointee.kind === "array" ? pointee.element : pointee)] : undefined;
    }
    if (form === "simdgroup_matrix") {
      const kind = matrixKind(this.s, type);
      return kind && [named(scalar(kind)), number(8), number(8)];
    }
    if (instance && form === "index_sequence" && instance.template === this.s.templates.integerSequence) {
      const [counted, ...numbers] = flat(instance.arguments);
      return counted?.kind === "type" && sameType(counted.info.type, sizeType) ? numbers : undefined;
    }
    // In an instance the template's name is the instance.
    return instance?.template.name === form ? flat(instance.arguments) : undefined;
  }

  argument(a: syntax.TemplateArgument, value: TemplateArgument): boolean {
    if (a.kind === "type-name") {
      // A name of a number may be read as that of a type.
      const { specifier } = a;
      const parameter = specifier.kind === "named-type" ? this.open.get(specifier.name) : undefined;
      if (parameter && a.derivations.length === 0 && value.kind !== "type")
        return this.bind((specifier as syntax.NamedType).name, value);
      return value.kind === "type" ? this.typeArgument(a, value.info) : true;
    }
    if (a.kind === "type-expression") return this.argument(a.type, value);
    if (a.kind === "identifier" && a.path.length === 0 && this.open.has(a.name)) return this.bind(a.name, value);
    return true;
  }

  /** `T &` in a list stands for references alone, as T does for all that T may be. */
  private typeArgument(a: syntax.TypeName, info: NamedTypeInfo): boolean {
    const { type, constant = false, reference } = info;
    const outer = a.derivations.at(-1);
    if (outer?.kind === "reference") {
      const space = sortQualifiers(this.s, a.qualifiers).space;
      const fits = reference && (reference.rvalue ?? false) === (outer.rvalue ?? false);
      if (!fits || (space !== undefined && space !== (reference.space ?? "private"))) return false;
    } else if (reference) {
      if (a.derivations.length > 0 || !this.isOpenAlone(a)) return !this.mentions(a.specifier, a.derivations);
      return this.bind((a.specifier as syntax.NamedType).name, { kind: "type", info });
    }
    return this.type(a, a.derivations, type, true, constant);
  }

  private number(size: syntax.Expression, value: bigint): boolean {
    if (size.kind !== "identifier" || !this.open.has(size.name)) return true;
    return this.bind(size.name, { kind: "constant", value, type: i32 });
  }

  private bind(name: string, a: TemplateArgument): boolean {
    if (!this.open.get(name)?.pack) return this.bindWhole(name, a);
    // Named without dots: no element of it.
    if (!this.element) return false;
    const before = this.element.get(name);
    this.element.set(name, a);
    return !before || sameArgument(before, a);
  }

  private bindWhole(name: string, a: TemplateArgument): boolean {
    const before = this.found.get(name);
    if (before) return sameArgument(before, a) && this.literals.get(name) === this.ofLiteral;
    this.literals.set(name, this.ofLiteral);
    this.found.set(name, a);
    return true;
  }

  /** Whether what leads to the type names a parameter that is looked for: `typename A<T>::template B<U>`. */
  private isOf({ path, pathArguments }: syntax.NamedType): boolean {
    return this.open.has(path[0]!) || (pathArguments !== undefined && namesOneOf(pathArguments, this.open));
  }

  /** Whether the type names a parameter that is looked for. */
  mentions(specifier: syntax.TypeSpecifier, derivations: readonly syntax.Derivation[]): boolean {
    if (derivations.some((d) => d.kind === "array" && d.size?.kind === "identifier" && this.open.has(d.size.name)))
      return true;
    if (specifier.kind !== "named-type") return false;
    if (specifier.path.length === 0 && this.open.has(specifier.name)) return true;
    return (specifier.templateArguments ?? []).some((a) => {
      if (a.kind === "type-name") return this.mentions(a.specifier, a.derivations);
      if (a.kind === "type-expression") return this.mentions(a.type.specifier, a.type.derivations);
      return a.kind === "identifier" && this.open.has(a.name);
    });
  }
}

function namesOneOf(part: unknown, names: ReadonlyMap<string, unknown>): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { kind, name, path } = part as Partial<syntax.NamedType | syntax.Identifier>;
  const isName = kind === "identifier" || kind === "named-type";
  if (isName && names.has(path?.[0] ?? name!)) return true;
  return Object.values(part).some((x) => namesOneOf(x, names));
}

/** A type without its derivations, as it is written. */
export type Written = Pick<syntax.TypeName, "specifier" | "qualifiers">;

/** Without what is no part of a type. */
function plain(type: Type): Type {
  if (type.kind !== "array") return type;
  const { written: _, ...rest } = type;
  return rest;
}
