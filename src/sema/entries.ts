/** Parameters of entry points: resources, values and ids, by dialect. */
import {
  addressOf,
  construct,
  convert,
  element,
  i32Literal,
  swizzleValue,
  variablePlace,
  builtin,
  declare,
} from "../ast/builders.js";
import type { BuiltinId, Declare, Expr, Resource, SubgroupSizes, VarId } from "../ast/nodes.js";
import { noTrivia } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { idOfAttribute, idOfSemantic, idRow, isVectorId } from "../ops/ids.js";
import { assertNever } from "../support/assert-never.js";
import type { Span } from "../support/span.js";
import { isSubgroupWidth, leastWaveSize } from "../types/subgroup-width.js";
import { array, componentCount, scalarOf, shaped, showType, type StructType, type Type } from "../types/types.js";
import {
  declareName,
  error,
  exprValue,
  newVariable,
  notYet,
  useVariable,
  variableValue,
  type FunctionState,
  type Sema,
  type Value,
} from "./context.js";
import { plainName } from "./attributes.js";
import { derive, resolveSpecifier, sortQualifiers, type DeclaredType, type Qualifiers } from "./declared-types.js";
import { addResource, attributeNumber, checkBufferType } from "./interface.js";

export interface EntryParameters {
  readonly resources: readonly VarId[];
  /** Locals that stand for parameters which are written. */
  readonly declares: readonly Declare[];
}

export function entryParameters(
  s: Sema,
  fn: FunctionState,
  list: readonly syntax.Parameter[],
): EntryParameters | undefined {
  const resources: VarId[] = [];
  const declares: Declare[] = [];
  let fine = true;
  for (const [i, p] of list.entries()) {
    const made = entryParameter(s, fn, p, i, resources, declares);
    if (!made) {
      fine = false;
      if (p.declarator.name) s.scope.symbols.set(p.declarator.name.name, { kind: "error", span: p.span });
    }
  }
  return fine ? { resources, declares } : undefined;
}

interface Parameter {
  readonly name: string;
  readonly span: Span;
  readonly type: DeclaredType;
  readonly qualifiers: Qualifiers;
  readonly attributes: readonly syntax.Attribute[];
  readonly index: number;
}

function entryParameter(
  s: Sema,
  fn: FunctionState,
  p: syntax.Parameter,
  index: number,
  resources: VarId[],
  declares: Declare[],
): true | undefined {
  const q = sortQualifiers(s, p.qualifiers);
  const base = resolveSpecifier(s, p.specifier);
  if (!base) return undefined;
  if (base.type.kind === "void" && p.declarator.derivations.length === 0) return true;
  if (!p.declarator.name) return notYet(s, "unnamed parameters of entry points are", p.span);
  const type = derive(s, base, q, p.declarator.derivations, p.span);
  if (!type) return undefined;
  if (p.declarator.initializer) return error(s, "XL2010", "parameters of entry points have no default", p.span);
  const attributes = [...p.attributes, ...p.declarator.attributes];
  const parameter: Parameter = {
    name: p.declarator.name.name,
    span: p.declarator.name.span,
    type,
    qualifiers: q,
    attributes,
    index,
  };
  switch (s.dialect) {
    case "msl":
      return mslParameter(s, fn, parameter, resources, declares);
    case "opencl":
      return openclParameter(s, fn, parameter, resources, declares);
    case "hlsl":
      return hlslParameter(s, fn, parameter, declares);
    case "glsl":
      return error(s, "XL2010", "main takes no parameters", p.span);
    default:
      return assertNever(s.dialect);
  }
}

// ------------------------------------------------------------------ names that stand for values

/** A parameter that is a value until it is written; then it is a local initialised so. */
function bindValue(
  s: Sema,
  fn: FunctionState,
  p: Parameter,
  type: Type,
  make: (span: Span) => Value,
  declares: Declare[],
): true | undefined {
  if (fn.materialize.has(p.name)) {
    const initial = make(p.span);
    const value =
      initial.expr ??
      (initial.place && ({ kind: "load", place: initial.place, type: initial.type, span: p.span } as Expr));
    const v = newVariable(s, {
      name: p.name,
      type,
      space: "private",
      role: "local",
      constant: p.type.constant,
      span: p.span,
    });
    declares.push(declare(v.id, value, p.span, noTrivia));
    return declareName(s, p.name, { kind: "variable", variable: v.id, span: p.span }) || undefined;
  }
  const reason = p.type.constant ? `'${p.name}' is const` : undefined;
  const onWrite = (): void => void fn.materialize.add(p.name);
  const withWrite = (span: Span): Value => ({ ...make(span), readOnly: reason, onWrite }) as Value;
  return declareName(s, p.name, { kind: "value", make: withWrite, span: p.span }) || undefined;
}

/** A pointer parameter is the address of its buffer's first element until it is reassigned. */
function bindPointer(s: Sema, fn: FunctionState, p: Parameter, id: VarId, declares: Declare[]): true | undefined {
  const type = p.type.type as Type & { kind: "pointer" };
  const make = (span: Span): Value => {
    useVariable(s, id);
    const place = element(variablePlace(s.variables.get(id)!, span), i32Literal(0, span), span);
    return exprValue(addressOf(place, type.space, span, type.readOnly === true));
  };
  return bindValue(s, fn, p, type, make, declares);
}

/** The value of an id as a parameter of `type`; a problem where the id has no such form. */
function idValueAs(
  s: Sema,
  name: string,
  type: Type,
  id: BuiltinId,
  sizes: readonly number[],
  kinds: readonly string[],
  span: Span,
): ((span: Span) => Expr) | undefined {
  const size = componentCount(type);
  const kind = scalarOf(type);
  if (
    size === undefined ||
    kind === undefined ||
    type.kind === "matrix" ||
    !sizes.includes(size) ||
    !kinds.includes(kind)
  ) {
    const forms = `${sizes.join(" or ")} components of type ${kinds.join(" or ")}`;
    return error(s, "XL2010", `'${name}' cannot be ${showType(type)}: this value has ${forms}`, span);
  }
  return (at) => {
    let e: Expr = builtin(id, at);
    if (isVectorId(id) && size < 3) {
      const components = Array.from({ length: size }, (_, i) => i);
      e = swizzleValue(e, components, at);
    }
    return kind === "u32" ? e : convert(e, shaped(kind, size), false, at);
  };
}

function bindId(
  s: Sema,
  fn: FunctionState,
  p: Parameter,
  id: BuiltinId,
  sizes: readonly number[],
  kinds: readonly string[],
  declares: Declare[],
): true | undefined {
  const { type } = p.type;
  const value = idValueAs(s, p.name, type, id, sizes, kinds, p.span);
  if (!value) return undefined;
  if (!fn.builtinNames.has(id)) {
    fn.builtinNames.set(id, p.name);
    fn.builtinTypes.set(id, type);
  }
  return bindValue(s, fn, p, type, (span) => exprValue(value(span)), declares);
}

// ------------------------------------------------------------------ MSL

function mslParameter(
  s: Sema,
  fn: FunctionState,
  p: Parameter,
  resources: VarId[],
  declares: Declare[],
): true | undefined {
  let slot: Resource["slot"];
  let id: BuiltinId | undefined;
  let threadgroup = false;
  for (const a of p.attributes) {
    if (a.name === "buffer" || a.name === "threadgroup") {
      const number = attributeNumber(s, a, `the index of ${a.name}`);
      if (number === undefined) return error(s, "XL2010", `${a.name} needs an index`, a.span);
      slot = { number };
      threadgroup = a.name === "threadgroup";
      continue;
    }
    id = idOfAttribute(a.name);
    if (!id) return error(s, "XL1900", `attribute '${a.name}' of a kernel parameter is not supported yet`, a.span);
  }
  const { type, space } = p.type;
  if (id) {
    if (type.kind === "pointer" || p.type.reference) return error(s, "XL2010", "an id is passed by value", p.span);
    return bindId(s, fn, p, id, idRow(id).msl!.sizes, ["u32", "u16"], declares);
  }
  for (const [word, at] of p.qualifiers.words)
    if (word !== "coherent") return notYet(s, `'${word}' of a parameter is`, at.span);
  const slots = {
    ...(slot ? { slot } : {}),
    ...(p.qualifiers.words.has("coherent") ? { coherent: true } : {}),
  };
  if (type.kind === "pointer") {
    if (type.space === "private") return error(s, "XL2009", "a kernel parameter cannot point to thread memory", p.span);
    if ((type.space === "workgroup") !== threadgroup && slot)
      return error(
        s,
        "XL2010",
        "[[threadgroup(n)]] goes with threadgroup pointers, [[buffer(n)]] with device and constant ones",
        p.span,
      );
    return addPointer(s, fn, p, type, slots, resources, declares);
  }
  if (!p.type.reference) {
    return error(s, "XL2010", `parameter '${p.name}' needs an attribute that says what it is`, p.span, {
      help: "buffers are device or constant pointers or references, ids carry [[thread_position_in_grid]] or the like",
    });
  }
  if (space !== "global" && space !== "constant") {
    if (space === "workgroup") return notYet(s, "references to threadgroup memory as kernel parameters are", p.span);
    return error(s, "XL2009", "a reference as kernel parameter needs device or constant", p.span);
  }
  if (!checkBufferType(s, type, p.span)) return undefined;
  const readOnly = space === "constant" || p.type.constant;
  const variable = addResource(
    s,
    {
      name: p.name,
      type,
      space,
      span: p.span,
      ...(p.type.volatile ? { volatile: true } : {}),
      resource: { kind: space === "constant" ? "value" : "buffer", access: readOnly ? "read" : "readwrite", ...slots },
    },
    false,
  );
  resources.push(variable);
  return declareName(s, p.name, { kind: "variable", variable, span: p.span }) || undefined;
}

/** A pointer into global, constant or workgroup memory: a buffer, or memory sized at launch. */
function addPointer(
  s: Sema,
  fn: FunctionState,
  p: Parameter,
  type: Type & { kind: "pointer" },
  more: Pick<Resource, "slot" | "coherent">,
  resources: VarId[],
  declares: Declare[],
): true | undefined {
  if (type.space === "private") return undefined;
  if (!checkBufferType(s, type.pointee, p.span)) return undefined;
  if (type.pointee.kind === "array" && type.pointee.length === undefined)
    return error(s, "XL2020", "a pointer to an array without size", p.span);
  const readOnly = type.readOnly === true || type.space === "constant";
  const variable = addResource(
    s,
    {
      name: p.name,
      type: array(type.pointee, undefined),
      space: type.space,
      span: p.span,
      ...(p.type.volatile ? { volatile: true } : {}),
      ...(p.type.restrict ? { restrict: true } : {}),
      resource: {
        kind: type.space === "workgroup" ? "workgroup-sized-at-launch" : "buffer",
        access: readOnly ? "read" : "readwrite",
        ...more,
      },
    },
    false,
  );
  resources.push(variable);
  return bindPointer(s, fn, p, variable, declares);
}

// ------------------------------------------------------------------ OpenCL

function openclParameter(
  s: Sema,
  fn: FunctionState,
  p: Parameter,
  resources: VarId[],
  declares: Declare[],
): true | undefined {
  for (const a of p.attributes)
    return error(s, "XL1900", `attribute '${a.name}' of a kernel parameter is not supported yet`, a.span);
  for (const [word, at] of p.qualifiers.words) return notYet(s, `'${word}' of a parameter is`, at.span);
  const { type } = p.type;
  const slot = { slot: { number: p.index } };
  if (type.kind === "pointer") {
    if (p.type.openSpace || type.space === "private")
      return error(s, "XL2009", "a pointer of a kernel needs __global, __constant or __local", p.span);
    return addPointer(s, fn, p, type, slot, resources, declares);
  }
  if (type.kind === "array") return error(s, "XL2010", "a kernel parameter cannot be an array", p.span);
  if (type.kind === "scalar" && (type.scalar === "bool" || type.size))
    return error(s, "XL2010", `a kernel parameter cannot be ${type.size ? "size_t" : "bool"}`, p.span);
  if (!checkBufferType(s, type, p.span)) return undefined;
  const variable = addResource(
    s,
    {
      name: p.name,
      type,
      space: "constant",
      span: p.span,
      resource: { kind: "value", access: "read", ...slot },
    },
    false,
  );
  resources.push(variable);
  return bindValue(s, fn, p, type, (span) => variableValue(s, variable, span), declares);
}

// ------------------------------------------------------------------ HLSL

const hlslIdKinds = ["u32", "i32"];
const hlslIdSizes = (id: BuiltinId): readonly number[] => (isVectorId(id) ? [1, 2, 3] : [1]);

function hlslParameter(s: Sema, fn: FunctionState, p: Parameter, declares: Declare[]): true | undefined {
  for (const [word, at] of p.qualifiers.words) {
    if (word !== "in") return notYet(s, `'${word}' of a parameter of an entry point is`, at.span);
  }
  const semantic = p.attributes.find((a) => a.form === "semantic");
  if (!semantic) {
    if (p.type.type.kind === "struct") return hlslIdStruct(s, fn, p, p.type.type, declares);
    return error(s, "XL2010", `parameter '${p.name}' needs a semantic`, p.span);
  }
  const id = idOfSemantic(semantic.name);
  if (!id) return error(s, "XL2010", `semantic '${semantic.name}' is not one of a compute shader`, semantic.span);
  return bindId(s, fn, p, id, hlslIdSizes(id), hlslIdKinds, declares);
}

/** A struct whose members are ids: a value made of them. */
function hlslIdStruct(
  s: Sema,
  fn: FunctionState,
  p: Parameter,
  type: StructType,
  declares: Declare[],
): true | undefined {
  const semantics = s.semantics.get(type.name);
  const parts: ((span: Span) => Expr)[] = [];
  for (const m of s.structs.get(type.name)!.members) {
    const id = idOfSemantic(semantics?.get(m.name) ?? "");
    if (!id) return error(s, "XL2010", `member '${m.name}' of parameter '${p.name}' needs a semantic`, p.span);
    const value = idValueAs(s, m.name, m.type, id, hlslIdSizes(id), hlslIdKinds, p.span);
    if (!value) return undefined;
    if (!fn.builtinNames.has(id)) {
      fn.builtinNames.set(id, m.name);
      fn.builtinTypes.set(id, m.type);
    }
    parts.push(value);
  }
  const make = (span: Span): Value =>
    exprValue(
      construct(
        type,
        parts.map((part) => part(span)),
        span,
      ),
    );
  return bindValue(s, fn, p, type, make, declares);
}

// ------------------------------------------------------------------ attributes of entries

export interface EntryAttributes {
  workgroupSize?: readonly [number, number, number];
  workgroupSizeHint?: readonly [number, number, number];
  subgroupSizes?: SubgroupSizes;
  maxTotalThreads?: number;
}

function threeNumbers(s: Sema, a: syntax.Attribute): readonly [number, number, number] | undefined {
  if (a.arguments?.length !== 3) return error(s, "XL2010", `${a.name} takes three numbers`, a.span);
  const n = [0, 1, 2].map((i) => attributeNumber(s, a, `the size`, i));
  if (n.some((x) => x === undefined)) return undefined;
  if (n.some((x) => x! < 1)) return error(s, "XL2020", `a workgroup cannot be ${n.join(" by ")}`, a.span);
  return n as unknown as readonly [number, number, number];
}

/** One width; in HLSL also a range of them with the preferred one (Shader Model 6.8). */
function subgroupSizes(s: Sema, a: syntax.Attribute): SubgroupSizes | undefined {
  const most = s.dialect === "hlsl" ? 3 : 1;
  const count = a.arguments?.length ?? 0;
  if (count < 1 || count > most)
    return error(s, "XL2010", `${a.name} takes ${most === 1 ? "one number" : "one to three numbers"}`, a.span);
  const numbers: number[] = [];
  for (let i = 0; i < count; i++) {
    const n = attributeNumber(s, a, "the subgroup size", i);
    if (n === undefined) return undefined;
    if (!isSubgroupWidth(n) || (s.dialect === "hlsl" && n < leastWaveSize))
      return error(s, "XL2020", `a subgroup cannot have ${n} lanes`, a.span);
    numbers.push(n);
  }
  const [min, max = min, preferred] = numbers as [number, number?, number?];
  if (count > 1 && min >= max)
    return error(s, "XL2020", `a range of subgroup sizes does not go from ${min} to ${max}`, a.span);
  if (preferred !== undefined && (preferred < min || preferred > max))
    return error(s, "XL2020", `the preferred subgroup size ${preferred} is not in the range`, a.span);
  return { min, max, ...(preferred === undefined ? {} : { preferred }) };
}

export function entryAttributes(s: Sema, list: readonly syntax.Attribute[]): EntryAttributes {
  const out: EntryAttributes = {};
  for (const a of list) {
    switch (`${s.dialect} ${plainName(a)}`) {
      case "opencl reqd_work_group_size":
      case "hlsl numthreads": {
        const size = threeNumbers(s, a);
        if (size) out.workgroupSize = size;
        break;
      }
      case "opencl work_group_size_hint": {
        const size = threeNumbers(s, a);
        if (size) out.workgroupSizeHint = size;
        break;
      }
      case "opencl intel_reqd_sub_group_size":
      case "hlsl WaveSize": {
        const sizes = subgroupSizes(s, a);
        if (sizes) out.subgroupSizes = sizes;
        break;
      }
      case "msl max_total_threads_per_threadgroup": {
        const n = attributeNumber(s, a, "the number of threads");
        if (n !== undefined) out.maxTotalThreads = n;
        break;
      }
      // Hints and marks without meaning for what a kernel computes.
      case "opencl vec_type_hint":
      case "msl kernel":
        break;
      case "hlsl shader":
        if (a.arguments?.[0]?.kind !== "literal" || a.arguments[0].text !== '"compute"')
          notYet(s, "entry points that are not compute shaders are", a.span);
        break;
      case "hlsl RootSignature":
        s.problems.warning("XL2010", "the root signature is not carried over", a.span);
        break;
      default:
        error(s, "XL1900", `attribute '${a.name}' of a function is not supported yet`, a.span);
    }
  }
  return out;
}
