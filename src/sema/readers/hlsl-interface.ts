/** HLSL's interface at file scope: buffer objects, constant buffers, loose uniforms. */
import type { Place, Resource, StructMember, Trivia, VarId } from "../../ast/nodes.js";
import { noTrivia } from "../../ast/nodes.js";
import type * as syntax from "../../ast/syntax.js";
import type { Span } from "../../support/span.js";
import { member, variablePlace } from "../../ast/builders.js";
import { holdsBitFields } from "../bit-fields.js";
import { resourceCounts } from "../block-choice.js";
import { numberedResources, resourceArray, type ResourceCounts } from "../resource-arrays.js";
import { expression } from "../expressions.js";
import { notCarried } from "../attributes.js";
import { layoutOf } from "../../types/layout.js";
import {
  array,
  componentCount,
  scalarOf,
  shaped,
  u32,
  type PointerType,
  type StructType,
  type Type,
} from "../../types/types.js";
import {
  error,
  leaveOut,
  notYet,
  objectPointer,
  takeTrivia,
  useVariable,
  type ResourceObject,
  type Sema,
  type Symbol,
  type Value,
  shown,
} from "../context.js";
import { declareName, lookup } from "../scopes.js";
import type { FileVariable } from "../file-variables.js";
import { resolveTemplateArguments, sortQualifiers, type DeclaredType, type Qualifiers } from "../declared-types.js";
import { areMoved, constantOffsets, holderMembers, nextInGlobals } from "./constant-registers.js";
import { holdsObjects, objectForm, objectNamed } from "./hlsl-object-types.js";
import { addResource, checkBufferType, declareBlockValues, declareValueBlock } from "../interface.js";
import { countedBuffer, objectValueType } from "../counted-buffers.js";
import { exchanged, isOfMatrices, orientation } from "../matrix-rows.js";
import { structMembers, type StoredByRows } from "../structs.js";

const objects =
  /^(RW)?(StructuredBuffer|ByteAddressBuffer|Buffer)$|^(Append|Consume)StructuredBuffer$|^(Constant|Texture)Buffer$/;

/** Buffers of values: a texture buffer lies as a constant buffer does (DXC), in a register of the other class. */
const valueBuffers: ReadonlyMap<string, "b" | "t"> = new Map([
  ["cbuffer", "b"],
  ["ConstantBuffer", "b"],
  ["tbuffer", "t"],
  ["TextureBuffer", "t"],
]);

/** The register of a buffer of values; the class alone, where it is not that of constant buffers. */
function valueSlot(s: Sema, attributes: readonly syntax.Attribute[], register: "b" | "t"): Resource["slot"] {
  return registerOf(s, attributes, register) ?? (register === "t" ? { register } : undefined);
}

export function isHlslObject(specifier: syntax.TypeSpecifier): specifier is syntax.NamedType {
  return specifier.kind === "named-type" && objects.test(specifier.name);
}

export const isHlslValueBuffer = (specifier: syntax.TypeSpecifier): specifier is syntax.NamedType =>
  specifier.kind === "named-type" && valueBuffers.has(specifier.name);

/** `: register(t0, space1)`. */
function registerOf(s: Sema, attributes: readonly syntax.Attribute[], wanted: "b" | "t" | "u"): Resource["slot"] {
  const a = attributes.find((x) => x.name === "register");
  if (!a) return undefined;
  const words = (a.arguments ?? []).map((x) => (x.kind === "identifier" ? x.name : ""));
  const register = /^([a-z])([0-9]+)$/.exec(words[0] ?? "");
  const space = words[1] === undefined ? undefined : /^space([0-9]+)$/.exec(words[1]);
  if (!register || space === null || words.length > 2)
    return error(s, "XL2010", "a register is written as register(t0) or register(t0, space1)", a.span);
  if (register[1] !== wanted)
    return error(s, "XL2010", `this needs a register of class '${wanted}', not '${register[1]}'`, a.span);
  return { register: wanted, number: Number(register[2]), ...(space ? { set: Number(space[1]) } : {}) };
}

function otherAttributes(s: Sema, list: readonly syntax.Attribute[]): void {
  for (const a of list) {
    if (a.name === "register" || a.name === "vk::push_constant") continue;
    if (a.name.startsWith("vk::")) notCarried(s, a);
    else notYet(s, `attribute '${a.name}' of a resource is`, a.span, leaveOut);
  }
}

export function declareHlslObject(s: Sema, d: syntax.VariableDeclaration, t: syntax.NamedType): void {
  const q = sortQualifiers(s, d.qualifiers);
  for (const [word, at] of q.words) {
    if (word !== "globallycoherent" && word !== "uniform") notYet(s, `'${word}' of a buffer is`, at.span);
  }
  otherAttributes(s, d.attributes);
  let trivia = takeTrivia(s, d);
  for (const a of t.templateArguments ?? []) if (saysRows(s, a)) rowsIgnored(s, a.span);
  const types = t.templateArguments ? resolveTemplateArguments(s, t.templateArguments) : [];
  for (const x of d.declarators) {
    if (!x.name) continue;
    const poison = (): void => void s.scope.symbols.set(x.name!.name, { kind: "error", span: x.span });
    otherAttributes(s, x.attributes);
    if (x.initializer) {
      if (!q.static) error(s, "XL2014", "a buffer has no initialiser", x.span);
      if (!types || !q.static || !declareAlias(s, x, x.initializer)) poison();
      continue;
    }
    if (!types) {
      poison();
      continue;
    }
    const push = d.attributes.some((a) => a.name === "vk::push_constant");
    if (!declareObject(s, t, x, types, q, trivia, push)) poison();
    const symbol = q.static ? lookup(s, x.name.name) : undefined;
    if (symbol?.kind === "object") s.staticBuffers.set(symbol.variable, new Map());
    trivia = noTrivia;
  }
}

/** Whether the element of a buffer is a matrix by rows, in its own words or those of a typedef. */
function saysRows(s: Sema, a: syntax.TemplateArgument): boolean {
  if (a.kind === "type-name" && a.qualifiers.some((w) => w.name === "row_major")) return true;
  const name =
    a.kind === "type-name" ? a.specifier.kind === "named-type" && a.specifier.name : a.kind === "identifier" && a.name;
  const named = name ? lookup(s, name) : undefined;
  return named?.kind === "type" && named.info.stored === "rows" && isOfMatrices(named.info.type);
}

function rowsIgnored(s: Sema, span: Span): void {
  s.problems.warning("XL2010", "DXC ignores row_major of a buffer's elements: they lie by columns", span, {
    help: "put the matrix into a struct, whose members lie as they say",
  });
}

function declareObject(
  s: Sema,
  t: syntax.NamedType,
  x: syntax.Declarator,
  types: readonly (Type | number)[],
  q: Qualifiers,
  trivia: Trivia,
  push: boolean,
): true | undefined {
  const name = x.name!.name;
  const given = types[0];
  if (types.length > 1 || typeof given === "number") return error(s, "XL2013", `${t.name} takes one type`, t.span);
  const ofValues = valueBuffers.get(t.name);
  if (ofValues) {
    if (given?.kind !== "struct") return error(s, "XL2013", `${t.name} takes a struct`, t.span);
    if (holdsBitFields(s, given)) return notYet(s, "a struct with bit-fields in a constant buffer is", x.span);
    const slot = valueSlot(s, x.attributes, ofValues);
    const members = s.structs.get(given.name)!.members;
    if (x.derivations.length > 0) return constantBuffers(s, x, given, slot, trivia);
    const offsets = push ? offsetsOf(s, given.name, members) : [];
    if (!offsets) return undefined;
    declareValueBlock(
      s,
      {
        name: given.name,
        instance: x.name!,
        kind: push ? "push-constant" : "uniform",
        ...(slot ? { slot } : {}),
        span: x.name!.span,
        trivia,
        inner: [],
        struct: given,
      },
      members.map((m) => ({ ...m, trivia: noTrivia })),
      s.byRows.get(given.name),
      offsets,
    );
    return true;
  }
  const object = bufferOf(s, t.name, given, t.span);
  if (!object) return undefined;
  const slot = registerOf(s, x.attributes, object.writable ? "u" : "t");
  const counts = resourceCounts(s, x, "buffers");
  if (counts === "wrong") return undefined;
  const coherent = q.words.has("globallycoherent");
  const add = (own: string, path: string, index: number): VarId =>
    addBuffer(s, object, {
      name: own,
      path,
      span: x.name!.span,
      trivia: index === 0 ? trivia : noTrivia,
      ...(slot ? { slot: { ...slot, number: slot.number! + index } } : {}),
      coherent,
    });
  if (counts) {
    const elements = numberedResources(name, counts).map((r) => add(r.name, r.path, r.index));
    const symbol = bufferArray(s, x.name!, objectPointer(object), elements, counts);
    return declareName(s, name, symbol) || undefined;
  }
  const id = add(name, name, 0);
  return (
    declareName(s, name, {
      kind: "object",
      variable: id,
      object,
      span: x.span,
    }) || undefined
  );
}

interface BufferParts {
  readonly name: string;
  readonly path: string;
  readonly span: Span;
  readonly trivia: Trivia;
  readonly slot?: Resource["slot"];
  readonly coherent?: boolean;
}

function addBuffer(s: Sema, object: ResourceObject, { name, path, span, trivia, slot, coherent }: BufferParts): VarId {
  const { view, writable, element } = object;
  return addResource(
    s,
    {
      name,
      type: array(element, undefined),
      space: "global",
      span,
      trivia,
      resource: {
        kind: "buffer",
        path,
        access: writable ? "readwrite" : "read",
        ...(slot ? { slot } : {}),
        ...(view === "structured" ? {} : { view }),
        ...(coherent ? { coherent } : {}),
      },
    },
    true,
  );
}

/** `ConstantBuffer<T> c[3];`: three values of the struct. */
function constantBuffers(
  s: Sema,
  x: syntax.Declarator,
  type: StructType,
  slot: Resource["slot"],
  trivia: Trivia,
): true | undefined {
  const counts = resourceCounts(s, x, "buffers");
  if (!counts || counts === "wrong" || !checkBufferType(s, type, x.span)) return undefined;
  declareBlockValues(s, { name: type.name, instance: x.name!, slot, trivia, span: x.span }, type, counts);
  return true;
}

/** While functions are read the buffers are one array; see block-arrays.ts. */
function bufferArray(
  s: Sema,
  { name, span }: Pick<syntax.Identifier, "name" | "span">,
  one: PointerType,
  elements: readonly VarId[],
  counts: ResourceCounts,
): Symbol {
  const own = { name, span, space: "global", constant: false } as const;
  const v = resourceArray(s, own, one.pointee, elements, counts);
  const nested = counts.lengths.reduceRight<Type>((type, n) => array(type, n), one);
  const readOnly = `'${name}' is an array of buffers of the file`;
  const symbol: Symbol & { readonly kind: "value" } = {
    kind: "value",
    make: (at: Span): Value => ({
      type: nested,
      place: variablePlace(v, at),
      readOnly,
      buffers: { symbol, name, key: String(v.id), ...(counts.open ? { open: true } : {}) },
    }),
    span,
  };
  return symbol;
}

/** `static RWStructuredBuffer<float> b = a;`: another name of a buffer, as long as nothing is assigned to it. */
function declareAlias(s: Sema, x: syntax.Declarator, given: syntax.Initializer): true | undefined {
  const initializer = given.form === "assign" ? given.value : undefined;
  if (!initializer || initializer.kind === "initializer-list" || x.derivations.length > 0)
    return notYet(s, "such an initialiser of a static buffer is", x.span);
  const value = expression(s, initializer);
  if (!value) return undefined;
  if (!value.object || value.place?.kind !== "variable")
    return notYet(s, "an initialiser of a static buffer that is no buffer of the file is", x.span);
  const { object, place } = value;
  return declareName(s, x.name!.name, { kind: "object", variable: place.variable, object, span: x.span }) || undefined;
}

/** The buffer object that a type with its argument is; `Buffer` alone is one of `float4`. */
function bufferOf(s: Sema, name: string, argument: Type | undefined, span: Span): ResourceObject | undefined {
  const { view } = objectForm(name);
  const given = argument ?? (name === "Buffer" ? shaped("f32", 4) : undefined);
  if (view === "raw" ? given !== undefined : given === undefined) {
    const says = view === "raw" ? `${name} takes no type` : `${name} needs the type of its elements`;
    return error(s, "XL2013", says, span);
  }
  const element = view === "raw" ? u32 : given!;
  if (!checkBufferType(s, element, span)) return undefined;
  if (view === "typed" && scalarOf(element) === "bool") return notYet(s, `${name} of bool is`, span);
  if (view === "typed" && componentCount(element) === undefined)
    return error(s, "XL2013", `${name} does not hold ${shown(s, element)}`, span);
  return { ...objectForm(name), element, typeName: name };
}

/** The type of a buffer as a value: of locals, parameters, results and members. */
export function objectType(s: Sema, name: string, args: readonly (Type | number)[], span: Span): Type | undefined {
  if (!objects.test(name)) return undefined;
  const [given, ...more] = args;
  if (typeof given === "number" || more.length > 0) return error(s, "XL2013", `${name} takes one type`, span);
  // Of locals, parameters and results: nothing changes what is in it, so that a copy is as good.
  if (valueBuffers.has(name))
    return given?.kind === "struct" ? given : error(s, "XL2013", `${name} takes a struct`, span);
  const object = bufferOf(s, name, given, span);
  return object && objectValueType(s, object);
}

/** DXC takes `groupshared` and `static` of a member, which is then no constant of the host. */
function isPlain(s: Sema, d: syntax.BlockDeclaration): boolean {
  const odd = d.members
    .flatMap((m) => (m.kind === "variable" ? m.qualifiers : []))
    .find((q) => q.kind === "qualifier" && (q.name === "groupshared" || q.name === "static"));
  if (odd) notYet(s, `'${odd.name}' of a member of a ${d.keyword} is`, odd.span, "declare it outside of it");
  return !odd;
}

export function declareCbuffer(s: Sema, d: syntax.BlockDeclaration): void {
  const trivia = takeTrivia(s, d);
  const inner = s.trivia.inner(d);
  otherAttributes(s, d.attributes);
  const slot = valueSlot(s, d.attributes, valueBuffers.get(d.keyword)!);
  const byRows: StoredByRows = { names: new Set() };
  const members = isPlain(s, d) ? structMembers(s, d.members, "block", byRows) : undefined;
  if (!members) {
    for (const m of d.members)
      if (m.kind === "variable")
        for (const x of m.declarators) if (x.name) s.scope.symbols.set(x.name.name, { kind: "error", span: x.span });
    return;
  }
  declareValueBlock(
    s,
    { name: d.name.name, kind: "uniform", ...(slot ? { slot } : {}), span: d.span, trivia, inner },
    members,
    byRows.names,
    packOffsets(s, d, members),
  );
}

/** Where the members lie. Empty where that is one behind the other. */
function packOffsets(
  s: Sema,
  d: syntax.BlockDeclaration,
  members: readonly StructMember[],
): readonly (number | undefined)[] {
  const written = new Map(
    d.members.flatMap((m) => (m.kind === "variable" ? m.declarators : [])).map((x) => [x.name?.name, x.attributes]),
  );
  const given = members.map((m) =>
    packOffset(
      s,
      written.get(m.name)?.find((y) => y.name === "packoffset"),
    ),
  );
  const bytes = given.map((g) => g?.bytes);
  const at = constantOffsets(s, members, bytes);
  const order = at.map((_, i) => i).sort((a, b) => at[a]! - at[b]!);
  for (const [k, i] of order.entries()) {
    const m = members[i]!;
    const { size, align } = layoutOf(m.type, "cbuffer", s.structs);
    const span = given[i]?.span ?? m.span;
    const inRegister = at[i]! % 16;
    // What is larger than a register (double3) begins one.
    if (at[i]! % align !== 0 || (align < 16 && inRegister !== 0 && inRegister + size > 16))
      error(s, "XL2010", `'${m.name}' does not fit at byte ${at[i]!} of a constant buffer`, span);
    const next = order[k + 1];
    if (next !== undefined && at[next]! < at[i]! + size)
      error(s, "XL2010", `'${m.name}' and '${members[next]!.name}' overlap`, span);
  }
  return areMoved(s, members, bytes) ? at : [];
}

function packOffset(s: Sema, a: syntax.Attribute | undefined): { bytes: number; span: Span } | undefined {
  if (!a) return undefined;
  const at = a.arguments?.[0];
  const [register, component] =
    at?.kind === "member" && at.base.kind === "identifier"
      ? [at.base.name, at.name.name]
      : at?.kind === "identifier"
        ? [at.name, "x"]
        : ["", ""];
  const r = /^c([0-9]+)$/.exec(register);
  const c = component.length === 1 ? Math.max("xyzw".indexOf(component), "rgba".indexOf(component)) : -1;
  if (!r || c < 0) return error(s, "XL2010", "packoffset is written as packoffset(c0) or packoffset(c0.y)", a.span);
  return { bytes: Number(r[1]) * 16 + c * 4, span: a.span };
}

/** `[[vk::push_constant]] Params params;`: the members are arguments, as in a GLSL push-constant block. */
function pushConstants(s: Sema, x: syntax.Declarator, t: DeclaredType, trivia: Trivia, span: Span): VarId | undefined {
  if (t.type.kind !== "struct") return error(s, "XL2010", "push constants are a struct", span);
  const before = s.nextVariable;
  const members = s.structs.get(t.type.name)!.members.map((m) => ({ ...m, trivia: noTrivia }));
  const block = {
    name: t.type.name,
    instance: x.name!,
    kind: "push-constant",
    span: x.name!.span,
    trivia,
    inner: [],
    struct: t.type,
  } as const;
  const offsets = offsetsOf(s, t.type.name, members);
  if (!offsets) return undefined;
  declareValueBlock(s, block, members, s.byRows.get(t.type.name), offsets);
  return s.nextVariable > before ? before : undefined;
}

/** The bytes at which members of push constants lie, where they say it; undefined where that cannot be. */
function offsetsOf(s: Sema, struct: string, members: readonly StructMember[]): readonly number[] | undefined {
  const said = s.saidOffsets.get(struct);
  s.offsetsTaken.add(struct);
  if (!said) return [];
  const out: number[] = [];
  let at = 0;
  for (const m of members) {
    const { size, align } = layoutOf(m.type, "std430", s.structs);
    const given = said.get(m.name);
    const least = Math.ceil(at / align) * align;
    const offset = given?.offset ?? least;
    if (given && (offset < at || offset % align !== 0))
      return error(
        s,
        "XL2010",
        `'${m.name}' cannot lie at byte ${offset}: it is a multiple of ${align} from ${least} on`,
        given.span,
      );
    out.push(offset);
    at = offset + size;
  }
  return out;
}

/** As DXC does: the value of a variable the host sets is the host's. */
export function ignoredInitializer(s: Sema, name: string, span: Span): void {
  s.problems.warning("XL2010", `the host sets '${name}': its initialiser is ignored`, span, {
    help: `write 'static const' if '${name}' is a constant of the shader`,
  });
}

const plainBuffer = (type: Type): ResourceObject | undefined =>
  type.kind === "pointer" && type.object !== undefined ? objectNamed(type.object, type.pointee) : undefined;

/** `A a : register(u5) : register(t3);` of a struct that holds buffers, which are then resources that count on from there. */
class HeldBuffers {
  private readonly slots = new Map<string, NonNullable<Resource["slot"]>>();
  /** The first that was declared. */
  first: VarId | undefined;

  constructor(
    private readonly s: Sema,
    private readonly x: syntax.Declarator,
    private trivia: Trivia,
  ) {
    for (const a of x.attributes.filter((y) => y.name === "register")) {
      const [at] = a.arguments ?? [];
      const letter = at?.kind === "identifier" && at.name.startsWith("t") ? "t" : "u";
      const slot = registerOf(s, [a], letter);
      if (slot?.set !== undefined) error(s, "XL2010", "a register of a struct's buffers has no space", a.span);
      else if (slot) this.slots.set(letter, slot);
    }
  }

  private buffer(object: ResourceObject, path: string): VarId {
    const letter = object.writable ? "u" : "t";
    const slot = this.slots.get(letter);
    if (slot) this.slots.set(letter, { ...slot, number: slot.number! + 1 });
    return this.added((common) => addBuffer(this.s, object, { ...common, path, ...(slot ? { slot } : {}) }), path);
  }

  private added(add: (common: { name: string; span: Span; trivia: Trivia }) => VarId, path: string): VarId {
    const id = add({ name: path.replace(/\W+/g, "_").replace(/_$/, ""), span: this.x.name!.span, trivia: this.trivia });
    this.trivia = noTrivia;
    this.first ??= id;
    return id;
  }

  /** What a member of this type is to who names it. */
  private member(type: Type, path: string, byRows: boolean, offset: number): Symbol | undefined {
    const { s, x } = this;
    const { span } = x.name!;
    const of = type.kind === "array" ? (countedBuffer(s, type.element) ?? plainBuffer(type.element)) : undefined;
    if (type.kind === "array" && of) {
      const elements = Array.from({ length: type.length ?? 0 }, (_, k) => this.buffer(of, `${path}[${k}]`));
      return bufferArray(s, { name: path, span }, objectPointer(of), elements, { lengths: [elements.length] });
    }
    const object = countedBuffer(s, type) ?? plainBuffer(type);
    if (object) return { kind: "object", variable: this.buffer(object, path), object, span };
    if (type.kind === "struct" && holdsObjects(s, type)) return this.struct(type, path, offset);
    if (holdsObjects(s, type))
      return notYet(s, "an array of structs that hold buffers is", x.span, "declare the structs one by one");
    if (!checkBufferType(s, type, span)) return undefined;
    const block = { name: "$Globals", kind: "uniform", offset } as const;
    const variable = this.added(
      (common) =>
        addResource(
          s,
          { ...common, type, space: "constant", resource: { kind: "value", access: "read", path, block } },
          true,
        ),
      path,
    );
    if (byRows) s.variablesByRows.add(variable);
    return { kind: "variable", variable, span };
  }

  /** `offset`: where it begins in `$Globals`. */
  struct(type: StructType, path: string, offset: number): (Symbol & { readonly kind: "block" }) | undefined {
    const { s, x } = this;
    const symbols = new Map<string, Symbol>();
    const bases = s.methods.get(type.name)?.bases ?? [];
    const { members } = s.structs.get(type.name)!;
    const { offsets } = holderMembers(s, members);
    for (const [i, m] of members.entries()) {
      const base = bases.find((b) => b.member === m.name);
      const rows = s.byRows.get(type.name)?.has(m.name) ?? false;
      const own = base ? path : `${path}.${m.name}`;
      if (!base && s.resources.some((r) => isWithin(r.path, own)))
        return notYet(
          s,
          `'${own}' twice, of the struct and of one that it inherits, is`,
          x.span,
          "rename one of the two",
        );
      const symbol = this.member(m.type, own, rows, offset + offsets[i]!);
      if (!symbol) return undefined;
      symbols.set(m.name, symbol);
      // What is inherited is named like the struct's own.
      for (const [n, v] of base ? inheritedFrom(s, symbol, m.type) : []) if (!symbols.has(n)) symbols.set(n, v);
    }
    return { kind: "block", members: symbols, struct: type, span: x.name!.span };
  }
}

/** The members of what a struct inherits, which is a value of the host's where it holds no buffer. */
function inheritedFrom(s: Sema, symbol: Symbol, type: Type): readonly (readonly [string, Symbol])[] {
  if (symbol.kind === "block") return [...symbol.members];
  if (symbol.kind !== "variable" || type.kind !== "struct") return [];
  const { variable, span } = symbol;
  const within = (of: StructType, place: (at: Span) => Place): readonly (readonly [string, Symbol])[] =>
    s.structs.get(of.name)!.members.flatMap((m) => {
      const make = (at: Span): Place => member(place(at), m.name, m.type, at);
      const isBase = s.methods.get(of.name)?.bases?.some((b) => b.member === m.name) === true;
      if (isBase && m.type.kind === "struct") return within(m.type, make);
      return [
        [m.name, { kind: "value", make: (at: Span): Value => ({ type: m.type, place: make(at) }), span }] as const,
      ];
    });
  return within(type, (at) => (useVariable(s, variable), variablePlace(s.variables.get(variable)!, at)));
}

/** Whether a path is that of an object or of a part of it. */
const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);

function structOfBuffers(s: Sema, type: Type, x: syntax.Declarator, trivia: Trivia): VarId | undefined {
  const held = new HeldBuffers(s, x, trivia);
  if (type.kind !== "struct")
    return notYet(s, "an array of structs that hold buffers is", x.span, "declare the structs one by one");
  const symbol = held.struct(type, x.name!.name, nextInGlobals(s, type).offset);
  return symbol && declareName(s, x.name!.name, symbol) ? held.first : undefined;
}

/** A variable at file scope that is not static is a constant the host sets, in the block `$Globals`. */
export function hlslUniform(s: Sema, { declaration, x, t, base, q, trivia }: FileVariable): VarId | undefined {
  const { attributes } = declaration;
  for (const [word, at] of q.words)
    if (!/^(uniform|column_major|row_major)$/.test(word)) return notYet(s, `'${word}' of a variable is`, at.span);
  const push = attributes.find((a) => a.name === "vk::push_constant");
  if (push) return pushConstants(s, x, t, trivia, push.span);
  if (x.initializer) ignoredInitializer(s, x.name!.name, x.span);
  otherAttributes(s, [...attributes, ...x.attributes]);
  if (holdsObjects(s, t.type)) return structOfBuffers(s, t.type, x, trivia);
  if (x.attributes.some((a) => a.name === "register")) return notYet(s, "a register of a loose uniform is", x.span);
  const before = s.nextVariable;
  const name = x.name!.name;
  const rows = orientation(s, q, base, x.span) === "rows" && isOfMatrices(t.type);
  const type = rows ? exchanged(s, t.type) : t.type;
  const member = { name, type, trivia: noTrivia, span: x.name!.span };
  const { offset, moved } = nextInGlobals(s, type);
  declareValueBlock(
    s,
    { name: "$Globals", kind: "uniform", span: x.span, trivia, inner: [] },
    [member],
    new Set(rows ? [name] : []),
    moved ? [offset] : [],
  );
  return s.nextVariable > before ? before : undefined;
}
