/** Structs and enums of the source. */
import type { StructMember } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { isInteger, scalar, type ScalarType, type Type } from "../types/types.js";
import {
  carryTrivia,
  declareName,
  error,
  notYet,
  takeTrivia,
  uniqueStructName,
  type NamedTypeInfo,
  type Sema,
} from "./context.js";
import { derive, resolveSpecifier, resolveTypeName, sortQualifiers } from "./declared-types.js";
import { constantInteger } from "./expressions.js";
import { exchanged, holdsMatrix, isOfMatrices, orientation } from "./matrix-rows.js";

/** Members of a struct with all structs in it opened: structs of structs double them with each line. */
const mostMembers = 65_536;

function membersOpened(s: Sema, type: Type): number {
  if (type.kind === "array") return membersOpened(s, type.element);
  return type.kind === "struct" ? (s.structMembers.get(type.name) ?? 1) : 1;
}

export function declareStruct(
  s: Sema,
  t: syntax.StructSpecifier,
  owner: object = t,
  typedefName?: string,
  /** Of an instance of a template. */
  instanceName?: string,
): NamedTypeInfo | undefined {
  if (t.keyword === "union") return notYet(s, "unions are", t.span);
  if (t.keyword === "class") return notYet(s, "classes are", t.span);
  for (const a of t.attributes) error(s, "XL1900", `attribute '${a.name}' of a struct is not supported yet`, a.span);
  const own = takeTrivia(s, owner);
  const semantics = new Map<string, string>();
  const byRows: StoredByRows = { names: new Set() };
  const members = structMembers(s, t.members, "struct", byRows, false, semantics);
  const inner = s.trivia.inner(t);
  const label = t.name?.name;
  if (!members) {
    if (label) s.scope.symbols.set(label, { kind: "error", span: t.span });
    return undefined;
  }
  if (members.length === 0) {
    const alone =
      label !== undefined && "declarators" in owner && (owner.declarators as readonly unknown[]).length === 0;
    if (!alone) return notYet(s, "empty structs are", t.span);
    // Left out: nothing is refused where nothing uses it.
    s.pendingComments.push(...own.leading, ...inner, ...own.trailing);
    s.scope.symbols.set(label, { kind: "error", span: t.span, refusal: "empty structs are" });
    return undefined;
  }
  const opened = members.reduce((n, m) => n + membersOpened(s, m.type), 0);
  if (opened > mostMembers) {
    error(
      s,
      "XL2020",
      `the struct has more than ${mostMembers} members, with those of the structs in it`,
      t.name?.span ?? t.span,
    );
    if (label) s.scope.symbols.set(label, { kind: "error", span: t.span });
    return undefined;
  }
  const name = uniqueStructName(s, instanceName ?? label ?? typedefName ?? "Struct");
  s.structMembers.set(name, opened);
  s.structs.set(name, { name, members, span: t.span, trivia: own, innerComments: inner });
  s.order.push({ kind: "struct", name });
  if (byRows.names.size > 0) s.byRows.set(name, byRows.names);
  if (semantics.size > 0) s.semantics.set(name, semantics);
  const info: NamedTypeInfo = { type: { kind: "struct", name } };
  if (label) {
    const tag = s.reading.declarations.tags ? `struct ${label}` : label;
    if (!declareName(s, tag, { kind: "type", info, span: t.name!.span })) return undefined;
    for (const alias of s.awaitedStructs.get(`struct ${label}`) ?? [])
      if (alias.name !== tag) declareName(s, alias.name, { kind: "type", info, span: alias.span });
    s.awaitedStructs.delete(`struct ${label}`);
  }
  return info;
}

/** The members whose matrices are stored by rows; `otherwise`: how those are stored that do not say it. */
export interface StoredByRows {
  readonly names: Set<string>;
  readonly otherwise?: "rows" | "columns" | undefined;
}

/**
 * Members of structs and blocks; undefined where one is wrong. `open`: the last may be a runtime-sized array. `placed`
 * takes the layout words of members, by the number of the first member they stand before; `byRows` the names of members
 * whose matrices are stored by rows: those have the type they are stored as.
 */
export function structMembers(
  s: Sema,
  list: readonly syntax.Declaration[],
  kind: "struct" | "block",
  byRows: StoredByRows,
  open = false,
  semantics = new Map<string, string>(),
  placed?: Map<number, readonly syntax.LayoutEntry[]>,
): StructMember[] | undefined {
  const { storageReachesIn, stageAttributes } = s.reading.declarations;
  const members: StructMember[] = [];
  const names = new Set<string>();
  let fine = true;
  for (const [i, d] of list.entries()) {
    if (d.kind === "empty-declaration") {
      carryTrivia(s, d);
      continue;
    }
    if (d.kind === "function") {
      notYet(s, "methods are", d.name.span);
      fine = false;
      continue;
    }
    if (d.kind !== "variable" || !d.specifier) {
      notYet(s, "such a member is", d.span);
      fine = false;
      continue;
    }
    const trivia = takeTrivia(s, d);
    const q = sortQualifiers(s, d.qualifiers);
    const base = resolveSpecifier(s, d.specifier);
    if (!base) {
      fine = false;
      continue;
    }
    // Only matrices have rows; the other words are checked against the layout by who knows it.
    const others = q.layout.filter((l) => l.name !== "column_major" && l.name !== "row_major");
    const rows =
      (orientation(s, q, base, d.span) ?? byRows.otherwise) === "rows" &&
      (storageReachesIn ? holdsMatrix(s, base.type) : isOfMatrices(base.type));
    if (kind === "struct" && q.layout.length > others.length) {
      error(s, "XL2010", "a layout belongs to the members of blocks, not of structs", d.span);
      fine = false;
    }
    if (others.length > 0 && (!placed || d.declarators.length > 1)) {
      notYet(s, "an explicit layout of a member is", d.span);
      fine = false;
    }
    if (placed && others.length > 0) placed.set(members.length, others);
    for (const a of d.attributes) {
      if (stageAttributes?.has(a.name)) continue;
      error(s, "XL1900", `attribute '${a.name}' of a member is not supported yet`, a.span);
      fine = false;
    }
    if (d.declarators.length === 0) {
      notYet(s, "a member without a name is", d.span);
      fine = false;
    }
    for (const [k, declarator] of d.declarators.entries()) {
      const t = derive(s, base, q, declarator.derivations, declarator.span);
      if (!t || !declarator.name) {
        fine = false;
        continue;
      }
      for (const a of declarator.attributes) {
        if (kind === "block" && a.name === "packoffset") continue;
        // Semantics matter where the struct is a parameter of an entry.
        if (kind === "struct" && a.form === "semantic") {
          semantics.set(declarator.name.name, a.name);
          continue;
        }
        if (stageAttributes?.has(a.name)) continue;
        error(s, "XL1900", `attribute '${a.name}' of a member is not supported yet`, a.span);
        fine = false;
      }
      if (declarator.bitWidth) {
        notYet(s, "bit-fields are", declarator.span);
        fine = false;
      }
      if (declarator.initializer) {
        notYet(s, "default values of members are", declarator.span);
        fine = false;
      }
      if (t.type.kind === "pointer" || t.reference) {
        notYet(s, "pointers in structs are", declarator.span);
        fine = false;
      }
      const lastOne = i === list.length - 1 && k === d.declarators.length - 1;
      if (t.type.kind === "array" && t.type.length === undefined && !(open && lastOne)) {
        error(s, "XL2020", `member '${declarator.name.name}' needs a size`, declarator.span);
        fine = false;
      }
      if (t.type.kind === "void") {
        error(s, "XL2013", "a member cannot be void", declarator.span);
        fine = false;
      }
      const name = declarator.name.name;
      if (names.has(name)) {
        error(s, "XL2002", `member '${name}' is declared twice`, declarator.span);
        fine = false;
      }
      names.add(name);
      if (rows) byRows.names.add(name);
      members.push({
        name,
        type: rows ? exchanged(s, t.type) : t.type,
        trivia: k === 0 ? trivia : { leading: [], trailing: [], blankBefore: false },
        span: declarator.span,
      });
    }
  }
  return fine ? members : undefined;
}

export function declareEnum(
  s: Sema,
  t: syntax.EnumSpecifier,
  owner: object = t,
  typedefName?: string,
): NamedTypeInfo | undefined {
  let type: ScalarType = scalar("i32");
  if (t.underlying) {
    const given = resolveTypeName(s, t.underlying);
    if (!given) return undefined;
    if (given.type.kind !== "scalar" || !isInteger(given.type.scalar))
      return error(s, "XL2013", "the type of an enum must be an integer", t.underlying.span);
    type = given.type;
  }
  const index = s.enums.length;
  const trivia = takeTrivia(s, owner);
  const enumerators: {
    name: string;
    value: number;
    explicit: boolean;
    trivia: ReturnType<typeof takeTrivia>;
  }[] = [];
  s.enums.push({ name: t.name?.name ?? typedefName, type, enumerators, span: t.span, trivia });
  s.scopedEnums.set(index, t.scoped);
  let next = 0n;
  for (const e of t.enumerators) {
    if (e.value) {
      const given = constantInteger(s, e.value, "the value of an enumerator");
      if (given === undefined) return undefined;
      next = given;
    }
    const value = Number(next);
    enumerators.push({ name: e.name.name, value, explicit: e.value !== undefined, trivia: takeTrivia(s, e) });
    if (!t.scoped)
      declareName(s, e.name.name, {
        kind: "enumerator",
        enum: index,
        name: e.name.name,
        value,
        span: e.name.span,
      });
    next++;
  }
  // An enum without a given type is unsigned where a value needs it.
  if (!t.underlying && enumerators.some((e) => e.value > 0x7fffffff))
    s.enums[index] = { ...s.enums[index]!, type: scalar("u32") };
  s.order.push({ kind: "enum", index });
  if (t.name) {
    const tag = s.reading.declarations.tags ? `enum ${t.name.name}` : t.name.name;
    declareName(s, tag, { kind: "enum", index, scoped: t.scoped, span: t.name.span });
  }
  return { type: enumerationType(s, index) };
}

/** The type of an enumeration: of its kind, in some languages one of its own. */
export function enumerationType(s: Sema, index: number): ScalarType {
  const { type } = s.enums[index]!;
  return s.language.distinctEnumerations
    ? { ...type, distinct: { enumeration: index, scoped: s.scopedEnums.get(index) ?? false } }
    : type;
}
