/** Entry points: what their parameters may be made of (resources, values and ids), and what their attributes say. */
import {
  addressOf,
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
import { pointerAs } from "./conversion.js";
import type * as syntax from "../ast/syntax.js";
import { isVectorId } from "../ops/ids.js";
import { assertNever } from "../support/assert-never.js";
import { append } from "../support/append.js";
import type { Comment } from "../support/expanded-source.js";
import type { Span } from "../support/span.js";
import { isSubgroupWidth } from "../types/subgroup-width.js";
import { array, componentCount, scalar, scalarOf, shaped, type ScalarKind, type Type } from "../types/types.js";
import {
  error,
  exprValue,
  newVariable,
  leaveOut,
  notYet,
  updateVariable,
  useVariable,
  type FunctionState,
  type Sema,
  type Value,
  shown,
} from "./context.js";
import { declareName } from "./scopes.js";
import { isForeign, kindOf, noteKept, plainName } from "./attributes.js";
import {
  derive,
  parameterDerivations,
  resolveSpecifier,
  sortQualifiers,
  type DeclaredType,
  type Qualifiers,
  asSeen,
} from "./declared-types.js";
import { addResource, attributeNumber, checkBufferType } from "./interface.js";

/** What the parameters of an entry point are made of, gathered while they are read. */
export interface EntryParts {
  readonly resources: VarId[];
  /** Locals that stand for parameters which are written. */
  readonly declares: Declare[];
  /** Comments of parameters that are no argument of the host. */
  readonly comments: Comment[];
}

export function entryParameters(s: Sema, fn: FunctionState, list: readonly syntax.Parameter[]): EntryParts | undefined {
  const parts: EntryParts = { resources: [], declares: [], comments: [] };
  let fine = true;
  for (const [i, p] of list.entries()) {
    const first = parts.resources.length;
    const made = entryParameter(s, fn, p, i, parts);
    const trivia = s.trivia.of(p);
    const argument = parts.resources[first];
    if (argument === undefined) append(parts.comments, [...trivia.leading, ...trivia.trailing]);
    else if (trivia !== noTrivia) updateVariable(s, argument, { trivia });
    if (!made) {
      fine = false;
      if (p.declarator.name) s.scope.symbols.set(p.declarator.name.name, { kind: "error", span: p.span });
    }
  }
  return fine ? parts : undefined;
}

export interface EntryParameter {
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
  parts: EntryParts,
): true | undefined {
  const q = sortQualifiers(s, p.qualifiers);
  const base = resolveSpecifier(s, p.specifier);
  if (!base) return undefined;
  if (base.type.kind === "void" && p.declarator.derivations.length === 0) return true;
  if (!p.declarator.name) return notYet(s, "unnamed parameters of entry points are", p.span);
  const type = asSeen(derive(s, base, q, parameterDerivations(s, p.declarator).derivations, p.span));
  if (!type) return undefined;
  if (p.declarator.initializer) return error(s, "XL2010", "parameters of entry points have no default", p.span);
  const attributes = [...p.attributes, ...p.declarator.attributes];
  const parameter: EntryParameter = {
    name: p.declarator.name.name,
    span: p.declarator.name.span,
    type,
    qualifiers: q,
    attributes,
    index,
  };
  return s.reader.entryParameter(s, fn, parameter, parts);
}

// ------------------------------------------------------------------ names that stand for values

/** A parameter that is a value until it is written; then it is a local initialised so. */
export function bindValue(
  s: Sema,
  fn: FunctionState,
  p: EntryParameter,
  type: Type,
  make: (span: Span) => Value,
  declares: Declare[],
): true | undefined {
  if (fn.materialize.has(p.name)) {
    const initial = make(p.span);
    const value =
      initial.expr ?? (initial.place && { kind: "load", place: initial.place, type: initial.type, span: p.span });
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
  const withWrite = (span: Span): Value => ({ ...make(span), readOnly: reason, onWrite });
  return declareName(s, p.name, { kind: "value", make: withWrite, span: p.span }) || undefined;
}

/** A pointer parameter is the address of its buffer's first element until it is reassigned. */
function bindPointer(s: Sema, fn: FunctionState, p: EntryParameter, id: VarId, declares: Declare[]): true | undefined {
  const type = p.type.type as Type & { kind: "pointer" };
  const make = (span: Span): Value => {
    useVariable(s, id);
    const place = element(variablePlace(s.variables.get(id)!, span), i32Literal(0, span), span);
    return exprValue(pointerAs(addressOf(place, type.space, span, type.readOnly === true), type, span));
  };
  return bindValue(s, fn, p, type, make, declares);
}

/** The value of an id as a parameter of `type`; a problem where the id has no such form. */
export function idValueAs(
  s: Sema,
  name: string,
  type: Type,
  id: BuiltinId,
  sizes: readonly number[],
  kinds: readonly ScalarKind[],
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
    const forms = `${sizes.join(" or ")} components of type ${kinds.map((kind) => shown(s, scalar(kind))).join(" or ")}`;
    return error(s, "XL2010", `'${name}' cannot be ${shown(s, type)}: this value has ${forms}`, span);
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

export function bindId(
  s: Sema,
  fn: FunctionState,
  p: EntryParameter,
  id: BuiltinId,
  sizes: readonly number[],
  kinds: readonly ScalarKind[],
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

/** A pointer into global, constant or workgroup memory: a buffer, or memory sized at launch. */
export function addPointer(
  s: Sema,
  fn: FunctionState,
  p: EntryParameter,
  type: Type & { kind: "pointer" },
  more: Pick<Resource, "slot" | "coherent" | "givenIf">,
  resources: VarId[],
  declares: Declare[],
): true | undefined {
  if (type.space === "private") return undefined;
  // Memory of no type is bytes.
  const pointee = type.pointee.kind === "void" ? scalar("u8") : type.pointee;
  if (!checkBufferType(s, pointee, p.span)) return undefined;
  if (type.pointee.kind === "array" && type.pointee.length === undefined)
    return error(s, "XL2020", "a pointer to an array without size", p.span);
  const readOnly = type.readOnly === true || type.space === "constant";
  const variable = addResource(
    s,
    {
      name: p.name,
      type: array(pointee, undefined),
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

// ------------------------------------------------------------------ attributes of entries

export interface EntryAttributes {
  workgroupSize?: readonly [number, number, number];
  workgroupSizeHint?: readonly [number, number, number];
  subgroupSizes?: SubgroupSizes;
  maxTotalThreads?: number;
  vendorAttributes?: readonly string[];
}

/** The text of an attribute of a vendor, whose arguments are literals. */
function vendorAttribute(s: Sema, a: syntax.Attribute): string | undefined {
  const name = plainName(a);
  const given = a.arguments ?? [];
  if (!given.every((x) => x.kind === "literal")) return undefined;
  noteKept(s, a);
  return a.arguments ? `${name}(${given.map((x) => x.text).join(", ")})` : name;
}

function threeNumbers(s: Sema, a: syntax.Attribute): readonly [number, number, number] | undefined {
  if (a.arguments?.length !== 3) return error(s, "XL2010", `${a.name} takes three numbers`, a.span);
  const n = [0, 1, 2].map((i) => attributeNumber(s, a, `the size`, i));
  if (n.some((x) => x === undefined)) return undefined;
  if (n.some((x) => x! < 1)) return error(s, "XL2020", `a workgroup cannot be ${n.join(" by ")}`, a.span);
  return n as unknown as readonly [number, number, number];
}

/** One width, or a range of them with the preferred one where the language can ask for one. */
function subgroupSizes(s: Sema, a: syntax.Attribute): SubgroupSizes | undefined {
  const request = s.language.subgroupSize;
  const least = "cannot" in request ? undefined : request.least;
  const most = "cannot" in request || "cannot" in request.range ? 1 : 3;
  const count = a.arguments?.length ?? 0;
  if (count < 1 || count > most)
    return error(s, "XL2010", `${a.name} takes ${most === 1 ? "one number" : "one to three numbers"}`, a.span);
  const numbers: number[] = [];
  for (let i = 0; i < count; i++) {
    const n = attributeNumber(s, a, "the subgroup size", i);
    if (n === undefined) return undefined;
    if (!isSubgroupWidth(n) || (least && n < least.size))
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
    const meaning = s.reading.entryPoint.attributes.get(plainName(a));
    switch (meaning) {
      case "workgroup size":
      case "workgroup size hint": {
        const size = threeNumbers(s, a);
        if (size) out[meaning === "workgroup size" ? "workgroupSize" : "workgroupSizeHint"] = size;
        break;
      }
      case "subgroup sizes": {
        const sizes = subgroupSizes(s, a);
        if (sizes) out.subgroupSizes = sizes;
        break;
      }
      case "most invocations": {
        const n = attributeNumber(s, a, "the number of threads");
        if (n !== undefined) out.maxTotalThreads = n;
        // Which leaves no size to the launch.
        if (n === 1) out.workgroupSize = [1, 1, 1];
        break;
      }
      case "stage":
        if (a.arguments?.[0]?.kind !== "literal" || a.arguments[0].text !== '"compute"')
          notYet(s, "entry points that are not compute shaders are", a.span);
        break;
      case "root signature":
        s.problems.warning("XL2010", "the root signature is not carried over", a.span);
        break;
      case "name":
      case "nothing":
        break;
      case undefined: {
        const kind = kindOf(a);
        if (kind === "advice" || isForeign(s, a)) break;
        const text = kind === "unknown" ? vendorAttribute(s, a) : undefined;
        if (text !== undefined) out.vendorAttributes = [...(out.vendorAttributes ?? []), text];
        else notYet(s, `attribute '${a.name}' of a function is`, a.span, leaveOut);
        break;
      }
      default:
        assertNever(meaning);
    }
  }
  return out;
}
