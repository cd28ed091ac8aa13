/** GLSL's interface blocks: storage blocks are buffers, uniform and push-constant blocks are values. */
import type { Place, Resource, StructMember, Trivia, VarId } from "../../ast/nodes.js";
import { noTrivia } from "../../ast/nodes.js";
import type * as syntax from "../../ast/syntax.js";
import {
  arrayStride,
  hasRuntimeTail,
  layoutDifference,
  layoutOf,
  memberOffsets,
  type LayoutRule,
} from "../../types/layout.js";
import {
  array,
  isArrayOfPointers,
  u32,
  type Access,
  type PointerType,
  type StructType,
  type Type,
} from "../../types/types.js";
import { element, literal, member, variablePlace } from "../../ast/builders.js";
import { layoutOfResource } from "../../dialects/languages.js";
import { append } from "../../support/append.js";
import { gcd } from "../../support/gcd.js";
import type { Comment } from "../../support/expanded-source.js";
import type { Span } from "../../support/span.js";
import {
  carryTrivia,
  error,
  newVariable,
  notYet,
  takeTrivia,
  useVariable,
  type Sema,
  type Symbol,
} from "../context.js";
import { declareName, uniqueStructName } from "../scopes.js";
import { declareForward, declareReference } from "./glsl-references.js";
import type { FileVariable } from "../file-variables.js";
import { sortQualifiers, type Qualifiers } from "../declared-types.js";
import { resourceCounts } from "../block-choice.js";
import { numberedResources, resourceArray, type ResourceCounts } from "../resource-arrays.js";
import { constantInteger } from "../expressions.js";
import {
  addResource,
  checkBufferType,
  declareBlockValues,
  declareValueBlock,
  memberSymbol,
  nameBlock,
} from "../interface.js";
import { structMembers, type StoredByRows } from "../structs.js";

/** What the layout of a block says. */
interface BlockLayout {
  readonly slot: { number?: number; set?: number };
  push: boolean;
  /** How matrices are stored that do not say it. */
  otherwise?: StoredByRows["otherwise"];
  rule?: GlslRule;
  /** It declares a type of references, not a buffer. */
  reference?: boolean;
  /** The alignment of what those lead to. */
  align: number;
}

function blockLayout(s: Sema, entries: readonly syntax.LayoutEntry[]): BlockLayout {
  // GL_EXT_buffer_reference: 16 where nothing is said.
  const out: BlockLayout = { slot: {}, push: false, align: 16 };
  for (const l of entries) {
    switch (l.name) {
      case "binding":
      case "set": {
        const n = l.value && constantInteger(s, l.value, `the value of ${l.name}`);
        if (n === undefined || n < 0) error(s, "XL2010", `${l.name} needs a number that is not negative`, l.span);
        else out.slot[l.name === "set" ? "set" : "number"] = Number(n);
        break;
      }
      case "push_constant":
        out.push = true;
        break;
      case "std430":
      case "std140":
      case "scalar":
        out.rule = l.name;
        break;
      case "buffer_reference":
        out.reference = true;
        break;
      case "buffer_reference_align": {
        const n = Number((l.value && constantInteger(s, l.value, `the value of ${l.name}`)) ?? 0);
        if (n <= 0 || (n & (n - 1)) !== 0) error(s, "XL2010", `${l.name} takes a power of two`, l.span);
        else out.align = n;
        break;
      }
      case "column_major":
        out.otherwise = "columns";
        break;
      case "row_major":
        out.otherwise = "rows";
        break;
      default:
        notYet(s, `layout '${l.name}' of a block is`, l.span);
    }
  }
  return out;
}

/** The names of a block that is wrong: their uses are not reported again. */
function poisonBlock(s: Sema, d: syntax.BlockDeclaration): void {
  const declarators = d.members.flatMap((m) => (m.kind === "variable" ? m.declarators : []));
  const names = d.instance?.name ? [d.instance] : declarators;
  for (const x of names) if (x.name) s.scope.symbols.set(x.name.name, { kind: "error", span: x.span });
}

export function declareGlslBlock(s: Sema, d: syntax.BlockDeclaration): void {
  const trivia = takeTrivia(s, d);
  const inner = s.trivia.inner(d);
  const q = sortQualifiers(s, d.qualifiers);
  const storage = q.words.has("buffer");
  const kind = q.space === "workgroup" ? "shared" : storage ? "buffer" : "uniform";
  const said = blockLayout(s, [...s.blockDefaults[kind], ...q.layout]);
  const { push, rule } = said;
  if (kind === "shared") return declareSharedBlock(s, d, said, { trivia, inner });
  if (!storage && !q.words.has("uniform")) {
    notYet(s, "interface blocks that are neither buffer, uniform nor shared are", d.span);
    return poisonBlock(s, d);
  }
  for (const [word, at] of q.words) {
    if (!["buffer", "uniform", "readonly", "writeonly", ...beyondWorkgroups, ...withinWorkgroups].includes(word))
      notYet(s, `'${word}' of a block is`, at.span);
  }
  const counts = d.instance && resourceCounts(s, d.instance, "blocks");
  if (counts === "wrong") return poisonBlock(s, d);
  if (said.reference && (!storage || push || d.instance))
    return void error(
      s,
      "XL2010",
      "buffer_reference belongs to a buffer block without instance: it declares a type",
      d.span,
    );
  if (storage && push) return void error(s, "XL2010", "a push-constant block is a uniform block", d.span);
  const standard = storage || push ? "std430" : "std140";
  const access = memberAccess(s, d, q.words);
  const placed = new Map<number, readonly syntax.LayoutEntry[]>();
  const byRows: StoredByRows = { names: new Set(), otherwise: said.otherwise };
  const members = structMembers(s, d.members, "block", byRows, storage, undefined, placed);
  const layout = members && otherLayout(s, members, rule, standard);
  const offsets = members && placesOf(s, members, placed, rule ?? standard, rule !== undefined);
  if (!members || !offsets) return poisonBlock(s, d);
  if (members.length === 0) return void error(s, "XL2010", "a block needs members", d.span);
  const slots = Object.keys(said.slot).length > 0 ? { slot: said.slot } : {};
  const moved = memberOffsets({ members }, layout ?? standard, s.structs).some((o, i) => o !== offsets[i]);
  if (storage) {
    // Words between members would lie 16 bytes apart themselves.
    if (moved && layout === "std140") {
      notYet(s, "offset and align of members of a std140 block that holds arrays, matrices or structs are", d.span);
      return poisonBlock(s, d);
    }
    const held = moved ? withGaps(s, members, offsets, layout ?? standard) : members;
    const parts = { d, q, members, held, byRows, counts, access, slots, layout, trivia, inner };
    return said.reference ? declareReferenceBlock(s, parts, said.align) : declareStorageBlock(s, parts);
  }
  const instance = d.instance?.name;
  if (counts && instance) {
    if (moved || push) return void notYet(s, "arrays of such blocks are", d.span);
    const type = blockStruct(s, { d, held: members, byRows, inner });
    const block = { name: d.name.name, instance, ...slots, ...(layout ? { layout } : {}), trivia, span: d.span };
    return declareBlockValues(s, block, type, counts);
  }
  const block = {
    name: d.name.name,
    ...(instance ? { instance } : {}),
    kind: push ? "push-constant" : "uniform",
    ...slots,
    ...(layout ? { layout } : {}),
    span: d.span,
    trivia,
    inner,
  } as const;
  const stated = moved || members.some((m) => isAddress(m.type));
  declareValueBlock(s, block, members, byRows.names, stated ? offsets : []);
}

/**
 * Words of the block or of a member after which other workgroups see what fences order (GLSL 4.60 section 4.10, GL_KHR_memory_scope_semantics);
 * `nonprivate` has them see what fences make available and visible, which is less. Where there is but one word, it is `coherent`.
 */
const beyondWorkgroups: readonly string[] = ["coherent", "devicecoherent", "queuefamilycoherent", "nonprivate"];
/** Those after which a workgroup does, which it does of every buffer here. */
const withinWorkgroups: readonly string[] = ["workgroupcoherent", "subgroupcoherent"];

const isCoherent = (d: syntax.BlockDeclaration, q: Qualifiers): boolean =>
  beyondWorkgroups.some(
    (word) =>
      q.words.has(word) || d.members.some((m) => m.kind === "variable" && m.qualifiers.some((x) => x.name === word)),
  );

interface StorageBlock {
  readonly d: syntax.BlockDeclaration;
  readonly q: Qualifiers;
  readonly members: readonly StructMember[];
  /** With words between them where they are farther apart. */
  readonly held: readonly StructMember[];
  readonly byRows: StoredByRows;
  /** How many blocks an instance that is an array is. */
  readonly counts: ResourceCounts | undefined;
  readonly access: Access;
  readonly slots: Pick<Resource, "slot">;
  /** Where it is not the one of storage blocks. */
  readonly layout: LayoutRule | undefined;
  readonly trivia: Trivia;
  readonly inner: readonly Comment[];
}

const isAddress = (type: Type): boolean => type.kind === "pointer" || isArrayOfPointers(type);

/** A buffer of the type of the only member, or of a struct of all. */
function declareStorageBlock(s: Sema, parts: StorageBlock): void {
  const { d, q, members, held, byRows, counts, access, slots, layout, trivia, inner } = parts;
  const instance = d.instance?.name;
  if (!members.every((m) => checkBufferType(s, m.type, m.span))) return poisonBlock(s, d);
  // A reference alone lies in a struct, as others do.
  const isOnly = held.length === 1 && !counts && !isAddress(members[0]!.type);
  const single = isOnly ? members[0]! : undefined;
  const block = {
    name: d.name.name,
    kind: "storage" as const,
    ...(instance ? { instance: instance.name } : {}),
  };
  const whole: Trivia = single
    ? {
        leading: [...trivia.leading, ...single.trivia.leading],
        trailing: [...single.trivia.trailing, ...inner, ...trivia.trailing],
        blankBefore: trivia.blankBefore,
      }
    : trivia;
  const type = single?.type ?? blockStruct(s, parts);
  const resource = {
    kind: "buffer" as const,
    access,
    ...slots,
    ...(layout ? { layout } : {}),
    ...(isCoherent(d, q) ? { coherent: true } : {}),
  };
  const beside = counts ? undefined : otherBlockOf(s, slots.slot);
  if (beside !== undefined) return declareBlockBeside(s, parts, type, resource, beside);
  const words = { ...(q.restrict ? { restrict: true } : {}), ...(q.volatile ? { volatile: true } : {}) };
  const common = { type, space: "global" as const, span: d.span, ...words };
  if (counts && instance) {
    const elements = numberedResources(instance.name, counts).map(({ name, path, index, count }) => {
      const own = { ...resource, path, block: { ...block, element: { index, count } } };
      return addResource(s, { ...common, name, trivia: index === 0 ? whole : noTrivia, resource: own }, true);
    });
    return declareBlockArray(s, instance, { type, elements, counts }, access, d.span);
  }
  // Blocks with instance names may have members of one name; what the host calls them must differ.
  const names = [single?.name, instance?.name, d.name.name].filter((n) => n !== undefined);
  const name = names.find((n) => !s.resources.some((r) => r.path === n)) ?? d.name.name;
  const id = addResource(s, { ...common, name, trivia: whole, resource: { ...resource, block } }, true);
  const readOnly = access === "read" ? `'${name}' is read-only` : undefined;
  const symbols = new Map<string, Symbol>();
  if (single && byRows.names.has(single.name)) s.variablesByRows.add(id);
  for (const m of members) {
    const symbol: Symbol = single
      ? { kind: "variable", variable: id, span: m.span }
      : memberSymbol(s, id, m, readOnly, byRows.names.has(m.name));
    symbols.set(m.name, symbol);
  }
  nameBlock(s, instance, symbols, d.span);
}

/** Where the storage block that has this binding already stands among the resources: both are one buffer. */
function otherBlockOf(s: Sema, slot: Resource["slot"]): number | undefined {
  if (slot?.number === undefined) return undefined;
  const at = s.resources.findIndex(
    (r) =>
      r.kind === "buffer" &&
      r.block?.kind === "storage" &&
      !r.block.element &&
      r.slot?.number === slot.number &&
      (r.slot?.set ?? 0) === (slot.set ?? 0),
  );
  return at < 0 ? undefined : at;
}

/** How much of the buffer a further block of a binding is. */
function othersOf(s: Sema, first: Resource, type: Type): NonNullable<Resource["others"]> {
  const rule = layoutOfResource("glsl", first);
  const before = first.others ?? { bytes: 0 };
  if (type.kind !== "array" || type.length !== undefined)
    return { ...before, bytes: Math.max(before.bytes, layoutOf(type, rule, s.structs).size) };
  const stride = arrayStride(type.element, rule, s.structs);
  return { ...before, stride: before.stride === undefined ? stride : gcd(before.stride, stride) };
}

/** A second block of a binding: its members are the bytes of the first, as something else. */
function declareBlockBeside(
  s: Sema,
  { d, q, members, held, byRows, access, layout }: StorageBlock,
  type: Type,
  resource: Pick<Resource, "coherent">,
  at: number,
): void {
  const first = s.resources[at]!;
  const base = s.variables.get(first.variable)!;
  const refused = (what: string): void => {
    notYet(s, what, d.span, "give it a binding of its own");
    poisonBlock(s, d);
  };
  if (first.layout !== layout) return refused("two layouts of the blocks of one binding are");
  if (q.volatile) return refused("a volatile block beside another of its binding is");
  if (type.kind === "struct" && hasRuntimeTail(type, s.structs))
    return refused("a block of several members, the last without a length, beside another of its binding is");
  const accesses = new Set([first.access, access]);
  const open = type.kind === "array" && type.length === undefined;
  s.resources[at] = {
    ...first,
    others: othersOf(s, first, type),
    access: accesses.size > 1 ? "readwrite" : access,
    ...(first.coherent || resource.coherent ? { coherent: true } : {}),
  };
  const whole = (span: Span): Place => {
    useVariable(s, base.id);
    const view = {
      kind: "view",
      base: variablePlace(base, span),
      offset: literal("u32", 0, span),
      type: open ? type : array(type, undefined),
      span,
    } as const;
    return open ? view : element(view, literal("i32", 0, span), span);
  };
  const readOnly = access === "read" ? { readOnly: `'${members[0]!.name}' is read-only` } : {};
  const symbols = new Map<string, Symbol>();
  // The block is of the type of its only member, which may be a struct, too.
  const isOnly = held.length === 1 && type === members[0]!.type;
  for (const m of members) {
    const place = (span: Span): Place => (isOnly ? whole(span) : member(whole(span), m.name, m.type, span));
    if (byRows.names.has(m.name)) return refused("a matrix by rows in a block beside another of its binding is");
    symbols.set(m.name, {
      kind: "value",
      make: (span) => ({ type: m.type, place: place(span), ...readOnly }),
      span: m.span,
    });
  }
  nameBlock(s, d.instance?.name, symbols, d.span);
}

/** GL_EXT_shared_memory_block: workgroup memory with a layout, which a single block shows nowhere; of several see shared-blocks.ts. */
function declareSharedBlock(
  s: Sema,
  d: syntax.BlockDeclaration,
  { push, reference, otherwise, slot, rule }: BlockLayout,
  { trivia, inner }: Pick<StorageBlock, "trivia" | "inner">,
): void {
  const wrong = (message: string): void => {
    error(s, "XL2010", message, d.span);
    poisonBlock(s, d);
  };
  if (push || reference || slot.number !== undefined || slot.set !== undefined)
    return wrong("a shared block is workgroup memory, which the host does not bind");
  const odd = d.qualifiers.find((x) => x.name !== "shared" && x.layout === undefined);
  if (odd) return wrong(`'${odd.name}' has no meaning of a shared block`);
  if (d.instance && d.instance.derivations.length > 0) {
    notYet(s, "arrays of shared blocks are", d.instance.span, "make the members arrays");
    return poisonBlock(s, d);
  }
  const standard = "std430";
  const byRows: StoredByRows = { names: new Set(), otherwise };
  const placed = new Map<number, readonly syntax.LayoutEntry[]>();
  const members = structMembers(s, d.members, "block", byRows, false, undefined, placed);
  const offsets = members && placesOf(s, members, placed, rule ?? standard, rule !== undefined);
  if (!members || !offsets) return poisonBlock(s, d);
  if (members.length === 0) return void error(s, "XL2010", "a block needs members", d.span);
  const differs = otherLayout(s, members, rule, standard) !== undefined;
  const moved = !differs && memberOffsets({ members }, standard, s.structs).some((o, i) => o !== offsets[i]);
  const held = moved ? withGaps(s, members, offsets, standard) : members;
  const type = blockStruct(s, { d, held, byRows, inner });
  const name = d.instance?.name;
  const v = newVariable(s, {
    name: name?.name ?? d.name.name.replace(/^[A-Z]/, (c) => c.toLowerCase()),
    type,
    space: "workgroup",
    role: "global",
    constant: false,
    span: name?.span ?? d.name.span,
    trivia,
  });
  const elsewhere = `a ${rule} block beside another shared block, whose members lie elsewhere than std430 has them, is`;
  s.sharedBlocks.push({ variable: v.id, ...(differs ? { elsewhere } : {}) });
  s.order.push({ kind: "variable", variable: v.id });
  const symbols = members.map((m) => [m.name, memberSymbol(s, v.id, m, undefined, byRows.names.has(m.name))] as const);
  nameBlock(s, name, new Map(symbols), d.span);
}

/** A type of references to such blocks. */
function declareReferenceBlock(s: Sema, parts: StorageBlock, align: number): void {
  const { d, q, members, held, byRows, access, layout, trivia, inner } = parts;
  if (!members.every((m) => checkBufferType(s, m.type, m.span)))
    return void s.scope.symbols.set(d.name.name, { kind: "error", span: d.span });
  const forward = s.forwardBlocks.get(d.name.name);
  const single = held.length === 1 && !isAddress(members[0]!.type) && !forward;
  if (single) for (const t of [trivia, members[0]!.trivia]) append(s.pendingComments, [...t.leading, ...t.trailing]);
  else append(s.pendingComments, trivia.leading);
  declareReference(s, {
    name: d.name,
    type: single ? members[0]!.type : blockStruct(s, { d, held, byRows, inner }, forward),
    members,
    single,
    byRows: byRows.names,
    resource: { access, ...(layout ? { layout } : {}), ...(isCoherent(d, q) ? { coherent: true } : {}) },
    align,
  });
}

function blockStruct(
  s: Sema,
  { d, held, byRows, inner }: Pick<StorageBlock, "d" | "held" | "byRows" | "inner">,
  forward?: PointerType,
): StructType {
  const name = forward?.pointee.kind === "struct" ? forward.pointee.name : uniqueStructName(s, d.name.name);
  s.structs.set(name, { name, members: held, span: d.span, trivia: noTrivia, innerComments: inner });
  s.order.push({ kind: "struct", name });
  if (byRows.names.size > 0) s.byRows.set(name, byRows.names);
  return { kind: "struct", name };
}

/** While functions are read the instance is one array; see block-arrays.ts. */
function declareBlockArray(
  s: Sema,
  { name }: syntax.Identifier,
  of: { readonly type: Type; readonly elements: readonly VarId[]; readonly counts: ResourceCounts },
  access: Access,
  span: Span,
): void {
  const v = resourceArray(s, { name, span, space: "global", constant: false }, of.type, of.elements, of.counts);
  const readOnly = access === "read" ? { readOnly: `'${name}' is read-only` } : {};
  declareName(s, name, {
    kind: "value",
    make: (at) => ({ type: v.type, place: variablePlace(v, at), ...readOnly }),
    span,
  });
}

/** `layout(local_size_x = 64) in;`, `layout(...) buffer;` and the like. */
export function layoutOnly(s: Sema, d: syntax.VariableDeclaration): boolean {
  if (d.specifier) return false;
  const isForward = d.qualifiers.some((x) => x.layout?.some((l) => l.name === "buffer_reference"));
  if (isForward && d.declarators.every((x) => x.name)) {
    declareForward(s, d);
    return true;
  }
  if (d.declarators.length > 0) return false;
  const q = sortQualifiers(s, d.qualifiers);
  carryTrivia(s, d);
  const blocks =
    q.space === "workgroup"
      ? "shared"
      : q.words.has("uniform")
        ? "uniform"
        : q.words.has("buffer")
          ? "buffer"
          : undefined;
  if (blocks) {
    for (const l of q.layout)
      if (!/^(std140|std430|scalar|row_major|column_major)$/.test(l.name))
        error(s, "XL2010", `layout '${l.name}' is no default of blocks`, l.span);
    append(s.blockDefaults[blocks], q.layout);
    return true;
  }
  if (!q.words.has("in")) {
    error(s, "XL2010", "this declares nothing", d.span);
    return true;
  }
  for (const l of q.layout) {
    const m = /^local_size_([xyz])(_id)?$/.exec(l.name);
    if (!m || !l.value) {
      if (/^derivative_group_(quads|linear)/.test(l.name))
        error(s, "XL1900", `layout '${l.name}' says which threads are a quad, which is not supported`, l.span, {
          help: "leave it out: no derivatives are taken",
        });
      else error(s, "XL2010", `layout '${l.name}' has no meaning here`, l.span);
      continue;
    }
    const n = constantInteger(s, l.value, `the value of ${l.name}`);
    if (n === undefined) continue;
    if (n < 0n || (!m[2] && n === 0n)) error(s, "XL2020", `${l.name} cannot be ${n}`, l.span);
    const dimension = "xyz".indexOf(m[1]!);
    (m[2] ? s.localSize.ids : s.localSize.size)[dimension] = Number(n);
  }
  s.localSize.span = d.span;
  return true;
}

/** `uniform float dt;`: a value the host sets, as OpenGL has them outside blocks. */
export function glslUniform(s: Sema, { x, t, q, trivia }: FileVariable): VarId | undefined {
  const name = x.name!;
  for (const [word, at] of q.words) if (word !== "uniform") return notYet(s, `'${word}' of a uniform is`, at.span);
  for (const l of q.layout) if (l.name !== "location") return notYet(s, `layout '${l.name}' of a uniform is`, l.span);
  if (x.initializer)
    s.problems.warning(
      "XL2010",
      `'${name.name}' is an argument: the value it begins with is to be given with each launch`,
      x.span,
      {
        help: `write 'const' if no host sets '${name.name}'`,
      },
    );
  const before = s.nextVariable;
  declareValueBlock(s, { name: "$Globals", kind: "uniform", span: x.span, trivia, inner: [] }, [
    { name: name.name, type: t.type, trivia: noTrivia, span: name.span },
  ]);
  return s.nextVariable > before ? before : undefined;
}

/**
 * The layout of a block that lays a member out in another way than the blocks of its kind: std430 for buffers and push
 * constants, std140 for uniform blocks.
 */
function otherLayout(
  s: Sema,
  members: readonly StructMember[],
  said: GlslRule | undefined,
  standard: GlslRule,
): LayoutRule | undefined {
  const given = said ?? standard;
  if (given === standard || !members.every((m) => checkBufferType(s, m.type, m.span))) return undefined;
  // Members that only stand farther apart have words between them.
  const align = (m: StructMember, rule: LayoutRule): number => layoutOf(m.type, rule, s.structs).align;
  const differs = members.some(
    (m) => layoutDifference(m.type, given, standard, s.structs) !== undefined || align(m, given) < align(m, standard),
  );
  return differs ? given : undefined;
}

/** Where the members of a block are; they may be at other places than its layout gives them. */
function placesOf(
  s: Sema,
  members: readonly StructMember[],
  placed: ReadonlyMap<number, readonly syntax.LayoutEntry[]>,
  given: LayoutRule,
  said: boolean,
): readonly number[] | undefined {
  if (!members.every((m) => checkBufferType(s, m.type, m.span))) return undefined;
  const offsets: number[] = [];
  let end = 0;
  for (const [i, m] of members.entries()) {
    const { size, align } = layoutOf(m.type, given, s.structs);
    let at = Math.ceil(end / align) * align;
    // The offset comes first, whatever their order; then the alignment.
    for (const l of [...(placed.get(i) ?? [])].sort((a, b) => (a.name < b.name ? 1 : -1))) {
      const n = l.value && constantInteger(s, l.value, `the value of ${l.name}`);
      if (n === undefined) return undefined;
      if (l.name === "align") {
        if (!said)
          return notYet(
            s,
            "align in a block that does not say its layout, where glslang ignores it, is",
            l.span,
            "write std430 or std140 before the block",
          );
        if (n <= 0n || (n & (n - 1n)) !== 0n) return error(s, "XL2010", "align takes a power of two", l.span);
        at = Math.ceil(at / Number(n)) * Number(n);
      } else if (l.name === "offset") {
        at = Number(n);
        if (at % align !== 0)
          return error(s, "XL2010", `'${m.name}' needs an offset that is a multiple of ${align}`, l.span);
        if (at < end)
          return error(s, "XL2010", `'${m.name}' overlaps what is before it, which ends at byte ${end}`, l.span);
      } else return notYet(s, `layout '${l.name}' of a member is`, l.span);
    }
    offsets.push(at);
    end = at + size;
  }
  return offsets;
}

/** The members with words between them where they are farther apart than the standard layout has them. */
function withGaps(
  s: Sema,
  members: readonly StructMember[],
  offsets: readonly number[],
  rule: LayoutRule,
): StructMember[] {
  const out: StructMember[] = [];
  for (const [i, m] of members.entries()) {
    const before = out.length === 0 ? 0 : memberOffsets({ members: [...out, m] }, rule, s.structs).at(-1)!;
    if (before !== offsets[i]) {
      const last = out.at(-1);
      const end = last
        ? memberOffsets({ members: out }, rule, s.structs).at(-1)! + layoutOf(last.type, rule, s.structs).size
        : 0;
      const from = Math.ceil(end / 4) * 4;
      let name = `gap${i}`;
      while (members.some((x) => x.name === name)) name += "_";
      out.push({ name, type: array(u32, (offsets[i]! - from) / 4), gap: true, trivia: noTrivia, span: m.span });
    }
    out.push(m);
  }
  return out;
}

type GlslRule = "std430" | "std140" | "scalar";

/** Access from the block's qualifiers, or from those all members share. */
function memberAccess(s: Sema, d: syntax.BlockDeclaration, words: ReadonlyMap<string, syntax.Qualifier>): Access {
  const of = (has: (w: string) => boolean): Access | undefined => {
    if (has("readonly") && has("writeonly")) error(s, "XL2010", "a block cannot be readonly and writeonly", d.span);
    return has("readonly") ? "read" : has("writeonly") ? "write" : undefined;
  };
  const own = of((w) => words.has(w));
  if (own) return own;
  const members = d.members
    .filter((m) => m.kind === "variable")
    .map((m) => of((w) => m.qualifiers.some((q) => q.name === w)));
  return members.length > 0 && members[0] !== undefined && members.every((m) => m === members[0])
    ? members[0]
    : "readwrite";
}
