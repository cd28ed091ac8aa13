/**
 * HLSL's matrices of one row or column (`float1x3`, `float3x1`), which no other language has. While functions are read they are
 * matrices, whose shape says what indices, products and conversions mean; then they are vectors, and scalars where they have one
 * element. In structured buffers they lie as those do; in constant buffers each column of one row begins a register (DXC's listing).
 */
import { construct, element, literal, load, splat } from "../ast/builders.js";
import type { Expr, Module, Place, Resource, Variable, VarId } from "../ast/nodes.js";
import { isPure, placeIsPure, rewriteModule, walkModule } from "../ast/walk.js";
import type { Span } from "../support/span.js";
import { memberOffsets } from "../types/layout.js";
import {
  array,
  bitWidth,
  named,
  sameType,
  scalar,
  shaped,
  withLeaves,
  type MatrixType,
  type Type,
} from "../types/types.js";

export type Refuse = (what: string, span: Span, help?: string) => void;

export const isThin = (type: Type): type is MatrixType =>
  type.kind === "matrix" && (type.columns === 1 || type.rows === 1);

const plain = (type: Type): Type =>
  withLeaves(type, (t) => (isThin(t) ? named(shaped(t.scalar, t.columns * t.rows), t) : t));

/** One after the other with a register each, or arrays of such. */
const inRegisters = (type: Type): boolean =>
  type.kind === "array" ? inRegisters(type.element) : isThin(type) && type.columns > 1;

const spreadType = (type: Type): Type =>
  type.kind === "array"
    ? array(spreadType(type.element), type.length)
    : array(scalar((type as MatrixType).scalar), (type as MatrixType).columns);

/** More elements are not copied one by one. */
const mostCopied = 16;

export function withoutThinMatrices(module: Module<"canonical">, refuse: Refuse): Module<"canonical"> {
  if (!mentionsThin(module)) return module;
  const structs = new Map(
    [...module.structs].map(([name, d]) => [
      name,
      { ...d, members: d.members.map((m) => ({ ...m, type: plain(m.type) })) },
    ]),
  );
  const values = module.resources.filter((r) => r.kind === "value" && r.block !== undefined);
  const spread = new Set(values.map((r) => r.variable).filter((id) => inRegisters(module.variables.get(id)!.type)));
  checkBlocks(module, structs, values, refuse);
  const typed = (v: Variable): Type => {
    const type = plain(v.type);
    return spread.has(v.id) ? spreadType(v.type) : type;
  };
  const variables = new Map([...module.variables].map(([id, v]) => [id, { ...v, type: typed(v) }]));
  const index = (e: Expr): void => {
    if (!isPure(e)) refuse("an index with effects of a matrix of one row is", e.span);
  };
  const done = rewriteModule<"canonical">(
    { ...module, variables },
    {
      place: (p) => thinPlace(p, variables, index),
      expr: (e) => thinValue(e, index, refuse),
    },
  );
  const functions = done.functions.map((f) => ({ ...f, returnType: plain(f.returnType) }));
  return { ...done, structs, functions };
}

function mentionsThin(module: Module<"canonical">): boolean {
  let found =
    [...module.variables.values()].some((v) => holdsThin(module, v.type)) ||
    [...module.structs.values()].some((d) => d.members.some((m) => holdsThin(module, m.type)));
  if (!found) walkModule(module, { expr: (e) => !(found ||= isThin(e.type)) });
  return found;
}

function thinPlace(p: Place, variables: ReadonlyMap<VarId, Variable>, index: (e: Expr) => void): Place {
  if (p.kind === "variable") {
    const { type } = variables.get(p.variable)!;
    return sameType(type, p.type) ? p : { ...p, type };
  }
  const elements = p.kind === "element" && p.base.type.kind === "array" && isThinOrArray(p.type);
  const type = elements ? p.base.type.element : plain(p.type);
  if (p.kind === "element" && isOnlyPart(p.base.type, type)) {
    index(p.index);
    return p.base;
  }
  return type === p.type ? p : { ...p, type };
}

const isThinOrArray = (type: Type): boolean => isThin(type) || (type.kind === "array" && isThinOrArray(type.element));

/** Of a matrix of one column that column, of a column of one row its component. */
const isOnlyPart = (base: Type, part: Type): boolean =>
  base.kind === "scalar" || (base.kind === "vector" && sameType(base, part));

/** What lies in registers of its own, as one value. */
function gathered(place: Place, given: Type, refuse: Refuse, span: Span): Expr {
  const at = place.type;
  const type = plain(given);
  if (at.kind !== "array" || (!isThin(given) && given.kind !== "array")) return load(place, span);
  const inner = given.kind === "array" ? given.element : scalar(given.scalar);
  if (at.length! > mostCopied && given.kind === "array")
    refuse(`a copy of more than ${mostCopied} matrices of one row is`, span, "copy them in a loop");
  const parts = Array.from({ length: Math.min(at.length!, mostCopied) }, (_, i) =>
    gathered(element(place, literal("i32", i, span), span), inner, refuse, span),
  );
  return construct(type, parts, span);
}

function thinValue(e: Expr, index: (e: Expr) => void, refuse: Refuse): Expr {
  const type = plain(e.type);
  switch (e.kind) {
    case "load": {
      const { place } = e;
      if (sameType(place.type, type) || !inRegisters(e.type)) break;
      if (!placeIsPure(place)) refuse("an index with effects of a matrix of one row is", e.span);
      return gathered(place, e.type, refuse, e.span);
    }
    case "element-value":
      if (!isOnlyPart(e.operand.type, type)) break;
      index(e.index);
      return e.operand;
    case "construct": {
      const [only, ...more] = e.arguments;
      if (e.type.kind === "matrix" && only && more.length === 0 && sameType(only.type, type)) return only;
      break;
    }
    case "binary": {
      // A matrix may be multiplied by a number; the operands of a vector are of one type.
      if (type === e.type || type.kind !== "vector") break;
      const [left, right] = [e.left, e.right].map((part) => (part.type.kind === "scalar" ? splat(part, type) : part));
      return { ...e, type, left: left!, right: right! };
    }
    case "op": {
      const [only] = e.arguments;
      const same = e.op === "geometry.transpose" || e.op === "geometry.determinant";
      if (same && only && only.type.kind !== "matrix") return only;
      break;
    }
    default:
      break;
  }
  return type === e.type ? e : ({ ...e, type } as Expr);
}

/** In constant buffers: where DXC reads from what its listing says. `structs` have vectors for them. */
function checkBlocks(
  module: Module<"canonical">,
  structs: Module["structs"],
  values: readonly Resource[],
  refuse: Refuse,
): void {
  const blocks = new Map<string, Resource[]>();
  for (const r of values) {
    const key = `${r.block!.name} ${r.block!.instance ?? ""}`;
    blocks.set(key, [...(blocks.get(key) ?? []), r]);
  }
  for (const members of blocks.values()) {
    const typed = members.map((r) => {
      const { type } = module.variables.get(r.variable)!;
      return { name: r.path, type: inRegisters(type) ? type : plain(type), offset: r.block!.offset };
    });
    const offsets = memberOffsets({ members: typed }, "cbuffer", structs);
    for (const [i, r] of members.entries()) {
      const { type, span } = module.variables.get(r.variable)!;
      const narrow = holdsThin(module, type, (t) => bitWidth(t.scalar) === 16) ? narrowProblem : undefined;
      const problem = narrow ?? (inRegisters(type) ? undefined : blockProblem(module, structs, type, offsets[i]!));
      if (problem) refuse(problem.what, span, problem.help);
    }
  }
}

interface BlockProblem {
  readonly what: string;
  readonly help: string;
}

const narrowProblem: BlockProblem = {
  what: "a matrix of one row or column of 16-bit components, which DXC gives the room of wider ones in a constant buffer, is",
  help: "make it a vector",
};

/**
 * Members of structs and elements of arrays lie as vectors do. What begins in the middle of a register is read from the register's
 * beginning by DXC, which is not where its listing says that it lies.
 */
function blockProblem(
  module: Pick<Module, "structs">,
  structs: Module["structs"],
  type: Type,
  offset: number,
): BlockProblem | undefined {
  if (!holdsThin(module, type)) return undefined;
  if (inRegisters(type))
    return {
      what: "a matrix of one row (or row_major, of one column) in an array of structs or a struct of a constant buffer is",
      help: "make it a vector",
    };
  if (isThin(type))
    return offset % 16 === 0
      ? undefined
      : {
          what: "a matrix of one column (or row_major, of one row) in the middle of a register, which DXC reads elsewhere, is",
          help: "make it a vector, or begin a register with it: packoffset(c1)",
        };
  // Arrays, their elements and structs begin a register.
  if (type.kind === "array") return blockProblem(module, structs, type.element, 0);
  if (type.kind !== "struct") return undefined;
  const offsets = memberOffsets(structs.get(type.name)!, "cbuffer", structs);
  return module.structs
    .get(type.name)!
    .members.map((m, i) => blockProblem(module, structs, m.type, offsets[i]!))
    .find((p) => p !== undefined);
}

const holdsThin = (
  { structs }: Pick<Module, "structs">,
  type: Type,
  which: (t: MatrixType) => boolean = () => true,
): boolean =>
  type.kind === "array" || type.kind === "pointer"
    ? holdsThin({ structs }, type.kind === "array" ? type.element : type.pointee, which)
    : type.kind === "struct"
      ? structs.get(type.name)!.members.some((m) => holdsThin({ structs }, m.type, which))
      : isThin(type) && which(type);
