/** What the interface readers of the dialects share. */
import { member, variablePlace } from "../ast/builders.js";
import type { Comment } from "../support/expanded-source.js";
import { noTrivia, type Expr, type Resource, type StructMember, type Trivia, type VarId } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import type { Span } from "../support/span.js";
import { isArrayOfPointers, scalarOf, type PointerType, type StructType, type Type } from "../types/types.js";
import { addressedType, addressOfBuffer } from "./addressed-buffers.js";
import { exprValue, newVariable, notYet, useVariable, type Sema, type Symbol, type Value } from "./context.js";
import { declareName } from "./scopes.js";
import { numberedResources, resourceArray, type ResourceCounts } from "./resource-arrays.js";
import { constantInteger } from "./expressions.js";
import { exchanged } from "./matrix-rows.js";
import { beginning } from "./program-memory.js";
import { staticLocal } from "./static-locals.js";
import { matrixKind } from "./subgroup-matrices.js";
import type { DeclaredType } from "./declared-types.js";

/** Whether a pointer may lie in memory that the host fills: as the address of a buffer. */
const isAddress = (s: Sema, type: PointerType): boolean =>
  s.language.addressesInBuffers === true && (type.space === "global" || type.space === "constant");

/** Why a type cannot be in memory the host shares, or undefined. */
function bufferTypeProblem(s: Sema, type: Type): string | undefined {
  switch (type.kind) {
    case "array":
      return isArrayOfPointers(type) && type.length === undefined
        ? "arrays of pointers without a length in buffers are"
        : bufferTypeProblem(s, type.element);
    case "struct":
      if (matrixKind(s, type) !== undefined) return "simdgroup matrices in buffers are";
      for (const m of s.structs.get(type.name)!.members) {
        const problem = bufferTypeProblem(s, m.type);
        if (problem) return problem;
      }
      return undefined;
    case "scalar":
    case "vector":
    case "matrix":
      return undefined;
    case "pointer":
      if (isAddress(s, type)) return undefined;
      return s.language.addressesInBuffers
        ? "pointers into memory that the host does not share are, in buffers,"
        : "pointers in buffers are";
    case "void":
      return "buffers of void are";
  }
}

/** Whether there is a bool in a value of the type. */
export const holdsBool = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? holdsBool(s, type.element)
    : type.kind === "struct"
      ? s.structs.get(type.name)!.members.some((m) => holdsBool(s, m.type))
      : scalarOf(type) === "bool";

export function checkBufferType(s: Sema, type: Type, span: Span): boolean {
  const problem = bufferTypeProblem(s, type);
  const help =
    problem === "pointers in buffers are"
      ? "keep indices into a buffer: the size of an address is the device's matter"
      : problem?.startsWith("arrays of pointers")
        ? "say how many there are, in the text or with --array-length name=n: each is a buffer that the host gives"
        : undefined;
  if (problem) notYet(s, problem, span, help);
  return !problem;
}

/** A launch would have to say which member it gives. */
const holdsUnion = (s: Sema, type: Type): boolean =>
  type.kind === "array"
    ? holdsUnion(s, type.element)
    : type.kind === "struct" &&
      (type.union === true || s.structs.get(type.name)!.members.some((m) => holdsUnion(s, m.type)));

export interface ResourceParts {
  readonly name: string;
  readonly type: Type;
  readonly space: "global" | "constant" | "workgroup";
  readonly span: Span;
  readonly trivia?: Trivia;
  readonly volatile?: boolean;
  readonly restrict?: boolean;
  readonly resource: Omit<Resource, "variable" | "path"> & { readonly path?: string };
}

/** Adds an interface element with its variable. `fileScope`: it has a place in the order of declarations. */
export function addResource(s: Sema, parts: ResourceParts, fileScope: boolean): VarId {
  if (parts.resource.kind === "value" && holdsUnion(s, parts.type))
    notYet(s, "a union in an argument by value is", parts.span);
  const v = newVariable(s, {
    name: parts.name,
    type: parts.type,
    space: parts.space,
    role: "resource",
    constant: false,
    span: parts.span,
    ...(parts.trivia ? { trivia: parts.trivia } : {}),
    ...(parts.volatile ? { volatile: true } : {}),
    ...(parts.restrict ? { restrict: true } : {}),
  });
  s.resourceAt.set(v.id, s.resources.length);
  s.resources.push({ ...parts.resource, path: parts.resource.path ?? parts.name, variable: v.id });
  if (fileScope) s.order.push({ kind: "resource", variable: v.id });
  return v.id;
}

export interface BlockParts {
  readonly name: string;
  readonly instance?: syntax.Identifier;
  readonly kind: "push-constant" | "uniform";
  readonly slot?: Resource["slot"];
  readonly layout?: Resource["layout"];
  /** What it holds a value of, as which it may be read. */
  readonly struct?: StructType;
  readonly span: Span;
  readonly trivia: Trivia;
  readonly inner: readonly Comment[];
}

/** Blocks of values: every member is an argument of its own. */
export function declareValueBlock(
  s: Sema,
  block: BlockParts,
  members: readonly StructMember[],
  byRows?: ReadonlySet<string>,
  offsets: readonly (number | undefined)[] = [],
): void {
  const symbols = new Map<string, Symbol>();
  for (const [i, m] of members.entries()) {
    if (!checkBufferType(s, m.type, m.span)) {
      symbols.set(m.name, { kind: "error", span: m.span });
      continue;
    }
    const owner = block.instance?.name ?? block.name;
    const path = owner === "$Globals" ? m.name : `${owner}.${m.name}`;
    const trivia: Trivia = {
      leading: [...(i === 0 ? block.trivia.leading : []), ...m.trivia.leading],
      trailing: [...m.trivia.trailing, ...(i === members.length - 1 ? [...block.inner, ...block.trivia.trailing] : [])],
      blankBefore: i === 0 ? block.trivia.blankBefore : m.trivia.blankBefore,
    };
    const held: Resource["block"] = {
      name: block.name,
      kind: block.kind,
      ...(block.instance ? { instance: block.instance.name } : {}),
      ...(offsets[i] === undefined ? {} : { offset: offsets[i] }),
    };
    if (m.type.kind === "pointer" && m.type.block && !s.references.has(m.type.block.name)) {
      notYet(s, "a reference in a block of values before what it leads to is defined is", m.span, "define it first");
      symbols.set(m.name, { kind: "error", span: m.span });
      continue;
    }
    if (m.type.kind === "pointer") {
      symbols.set(m.name, addressSymbol(s, m, m.type, { path, trivia, block: held }));
      continue;
    }
    const id = addResource(
      s,
      {
        name: m.name,
        type: m.type,
        space: "constant",
        span: m.span,
        trivia,
        resource: {
          kind: "value",
          access: "read",
          path,
          block: held,
          ...(block.slot ? { slot: block.slot } : {}),
          ...(block.layout ? { layout: block.layout } : {}),
        },
      },
      true,
    );
    if (byRows?.has(m.name)) s.variablesByRows.add(id);
    symbols.set(m.name, { kind: "variable", variable: id, span: m.span });
  }
  nameBlock(s, block.instance, symbols, block.span, block.struct);
}

/** A reference to a block in a block of values: the host writes the address of a buffer there. */
function addressSymbol(
  s: Sema,
  m: StructMember,
  type: PointerType,
  { path, trivia, block }: { readonly path: string; readonly trivia: Trivia; readonly block: Resource["block"] },
): Symbol {
  const resource = { ...addressedResource(s, type), path, pointerIn: { block: block!, members: [] } };
  const common = { name: m.name, space: "global" as const, span: m.span, trivia };
  const id = addResource(s, { ...common, type: addressedType(type), resource }, true);
  s.references.get(type.block!.name)!.buffers.add(id);
  const make = (span: Span): Value => {
    useVariable(s, id);
    return exprValue(addressOfBuffer(s.variables.get(id)!, type, span));
  };
  return { kind: "value", make, span: m.span };
}

/** What the buffer is that a pointer in memory of the host leads to. */
export const addressedResource = (
  s: Sema,
  type: PointerType,
): Pick<Resource, "kind" | "access" | "layout" | "coherent"> => ({
  kind: "buffer",
  access: type.readOnly || type.space === "constant" ? "read" : "readwrite",
  ...(type.block ? s.references.get(type.block.name)?.resource : {}),
});

/** An array of blocks of values: each is a value of the struct. While functions are read they are one array (block-arrays.ts). */
export function declareBlockValues(
  s: Sema,
  {
    name,
    instance,
    slot,
    layout,
    trivia,
    span,
  }: Omit<BlockParts, "kind" | "inner"> & { readonly instance: syntax.Identifier },
  type: StructType,
  counts: ResourceCounts,
): void {
  // Registers count on; one binding has all of them, which this does not say again.
  const slotOf = (k: number): Pick<Resource, "slot"> =>
    slot?.register && slot.number !== undefined
      ? { slot: { ...slot, number: slot.number + k } }
      : slot && k === 0
        ? { slot }
        : {};
  const elements = numberedResources(instance.name, counts).map(({ name: own, path, index, count }) =>
    addResource(
      s,
      {
        name: own,
        type,
        space: "constant",
        span: instance.span,
        trivia: index === 0 ? trivia : noTrivia,
        resource: {
          kind: "value",
          access: "read",
          path,
          block: { name: `${name}_${index}`, kind: "uniform", element: { index, count } },
          ...slotOf(index),
          ...(layout ? { layout } : {}),
        },
      },
      true,
    ),
  );
  const own = { name: instance.name, span: instance.span, space: "constant", constant: true } as const;
  const v = resourceArray(s, own, type, elements, counts);
  const make = (at: Span): Value => ({
    type: v.type,
    place: variablePlace(v, at),
    readOnly: `'${instance.name}' is an array of blocks of the host`,
  });
  declareName(s, instance.name, { kind: "value", make, span });
}

/** Members become names of their own, or parts of the instance. */
export function nameBlock(
  s: Sema,
  instance: syntax.Identifier | undefined,
  symbols: ReadonlyMap<string, Symbol>,
  span: Span,
  struct?: StructType,
): void {
  if (instance) declareName(s, instance.name, { kind: "block", members: symbols, ...(struct ? { struct } : {}), span });
  else for (const [name, symbol] of symbols) declareName(s, name, symbol);
}

/** A symbol for `member` of a block held by one variable of struct type. */
export function memberSymbol(
  s: Sema,
  variable: VarId,
  m: StructMember,
  readOnly: string | undefined,
  byRows: boolean,
): Symbol {
  const make = (span: Span): Value => {
    useVariable(s, variable);
    const place = member(variablePlace(s.variables.get(variable)!, span), m.name, m.type, span);
    return {
      type: byRows ? exchanged(s, m.type) : m.type,
      place,
      ...(byRows ? { byRows } : {}),
      ...(readOnly ? { readOnly } : {}),
    };
  };
  return { kind: "value", make, span: m.span };
}

export function attributeNumber(s: Sema, a: syntax.Attribute, what: string, at = 0): number | undefined {
  const argument = a.arguments?.[at];
  if (!argument) return undefined;
  const n = constantInteger(s, argument, what);
  return n === undefined ? undefined : Number(n);
}

/**
 * Global memory of the program that kernels write: a buffer, which the host keeps from launch to launch. `begins`: a constant; without it zeros (OpenCL C 3.0 6.7.1, C99 6.7.8 (10)).
 */
export function programBuffer(
  s: Sema,
  name: syntax.Identifier,
  {
    type,
    begins,
    constant,
    volatile,
    trivia,
  }: Pick<DeclaredType, "constant" | "volatile"> & {
    readonly type: Type;
    readonly begins: Expr | undefined;
    readonly trivia: Trivia;
  },
): VarId | undefined {
  const { span } = name;
  if (!checkBufferType(s, type, span)) return undefined;
  const bytes = begins ? beginning(s, begins, s.language.buffers) : "zeros";
  if (bytes === undefined)
    return notYet(s, "such an initialiser of global memory is", span, "let a kernel write what it begins as");
  if (!s.fixed.some((a) => a.kind === "program-memory" && a.spans[0]?.start === span.start))
    s.fixed.push({
      kind: "program-memory",
      message: `the host keeps '${name.name}' as a buffer, which begins as ${bytes === "zeros" ? "zeros" : "its initialiser says"} and stays from launch to launch`,
      spans: [span],
      always: true,
    });
  const id = staticLocal(s, name.name, span, "kept", () => {
    const taken = (path: string): boolean => s.resources.some((r) => r.path === path);
    const first = s.fn ? `${s.fn.info.name}.${name.name}` : name.name;
    let path = first;
    for (let n = 2; taken(path); n++) path = `${first}.${n}`;
    return addResource(
      s,
      {
        name: name.name,
        type,
        space: "global",
        span,
        trivia,
        ...(volatile ? { volatile: true } : {}),
        resource: { kind: "buffer", access: constant ? "read" : "readwrite", path, begins: bytes },
      },
      true,
    );
  });
  if (id === undefined) return undefined;
  return declareName(s, name.name, { kind: "variable", variable: id, span }) ? id : undefined;
}
