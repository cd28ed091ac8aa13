/** MSL: ids are attributes of parameters, constants that the host sets are function constants. */
import { isForeign } from "../attributes.js";
import { builtin, convert, element, literal, variablePlace } from "../../ast/builders.js";
import type { BuiltinId, Resource, VarId } from "../../ast/nodes.js";
import type * as syntax from "../../ast/syntax.js";
import { idOfAttribute, idRow, isVectorId } from "../../ops/ids.js";
import { array, bool, sameType, scalar, scalarOf, type Type } from "../../types/types.js";
import { clangCall } from "../clang-builtins.js";
import { classArray, classArrayMethod, insideClassArray } from "../class-arrays.js";
import { evaluate } from "../constants.js";
import {
  carryTrivia,
  error,
  exprValue,
  newVariable,
  leaveOut,
  notYet,
  resourceFor,
  updateVariable,
  useVariable,
  type FunctionState,
  type Sema,
  type Symbol,
  type Value,
} from "../context.js";
import { declareName, lookup } from "../scopes.js";
import { convertTo, read } from "../convert.js";
import type { FileVariable } from "../file-variables.js";
import { addPointer, bindId, type EntryParameter, type EntryParts } from "../entries.js";
import { expression } from "../expressions.js";
import { hostStruct } from "../library-structs.js";
import { addResource, attributeNumber, checkBufferType } from "../interface.js";
import {
  laneElements,
  matrixCall,
  matrixKind,
  matrixNamed,
  matrixProduct,
  matrixTemplate,
  zeroMatrix,
} from "../subgroup-matrices.js";
import { predeclaredValue } from "../predeclared.js";
import { logWord } from "../../dialects/msl/predeclared.js";
import { voteMethod } from "./msl-votes.js";
import { append } from "../../support/append.js";
import type { Span } from "../../support/span.js";
import { takeGiven, takeGivenAgain } from "../given-constants.js";
import type { LibraryCall, SourceReader } from "./reader.js";

export const mslReader: SourceReader = {
  entryParameter,
  fileSpace: (s, t, _q, span) =>
    t.space === "constant"
      ? "constant"
      : error(s, "XL2009", "a variable at file scope must be in the constant address space", span),
  fileVariable: functionConstantDefault,
  fileDeclaration: log,
  method,
  namedType: (s, name, span) => matrixNamed(s, name, span) ?? hostStruct(s, name, span),
  libraryCall,
  operator: matrixProduct,
  zeroMatrix,
  classTemplate,
};

/** `constant os_log mine("subsystem", "category");`: where it goes is not asked, so that it is the one of the library. */
function log(s: Sema, d: syntax.VariableDeclaration): boolean {
  const { specifier } = d;
  if (specifier?.kind !== "named-type" || specifier.name !== "os_log" || lookup(s, "os_log")) return false;
  if (specifier.path.length > (specifier.path[0] === "metal" ? 1 : 0)) return false;
  carryTrivia(s, d);
  for (const { name } of d.declarators)
    if (name)
      declareName(s, name.name, {
        kind: "value",
        make: (span) => predeclaredValue(s, [], logWord, span)!,
        span: name.span,
      });
  return true;
}

/**
 * `make_uniform` says of its argument that it is the same in all invocations, which no value depends on (MSL 2.21); `all` and `any` of one
 * truth value are that value (6.4).
 */
function libraryCall(s: Sema, call: LibraryCall): Value | undefined | "none" {
  const { name, values, span } = call;
  const [only, ...more] = values;
  if ((name === "all" || name === "any") && only && more.length === 0 && sameType(only.type, bool)) return only;
  if (name === "make_uniform" && only && more.length === 0) return readValue(s, only, span);
  const id = headerId(call);
  if (id) return id;
  const own = clangCall(s, name, values, span);
  return own === "none" ? matrixCall(s, call) : own;
}

/** `__metal_get_thread_index_in_simdgroup(ushort())`: an id as Apple's headers ask for it; the argument, which is not used, gives the type. */
function headerId({ name, values, span }: LibraryCall): Value | undefined {
  const asked = /^__metal_get_(\w+)$/.exec(name)?.[1];
  const id = asked && idOfAttribute(asked === "simdgroup_size" ? "threads_per_simdgroup" : asked);
  const [tag, ...more] = values;
  const kind = tag?.type.kind === "scalar" && more.length === 0 ? tag.type.scalar : undefined;
  if (!id || isVectorId(id) || (kind !== "u16" && kind !== "u32")) return undefined;
  return exprValue(convert(builtin(id, span), scalar(kind)));
}

function classTemplate(s: Sema, name: string, args: readonly (Type | number)[], span: Span): Type | undefined {
  if (name === "simdgroup_matrix") return matrixTemplate(s, args, span);
  const [element, length, ...more] = args;
  return name === "array" &&
    more.length === 0 &&
    typeof element === "object" &&
    typeof length === "number" &&
    length > 0 &&
    element.kind !== "void"
    ? classArray(s, element, length, span)
    : undefined;
}

function entryParameter(
  s: Sema,
  fn: FunctionState,
  p: EntryParameter,
  { resources, declares }: EntryParts,
): true | undefined {
  let slot: Resource["slot"];
  let id: BuiltinId | undefined;
  let threadgroup = false;
  let condition: syntax.Attribute | undefined;
  for (const a of p.attributes) {
    if (a.name === "buffer" || a.name === "threadgroup") {
      const number = attributeNumber(s, a, `the index of ${a.name}`);
      if (number === undefined) return error(s, "XL2010", `${a.name} needs an index`, a.span);
      slot = { number };
      threadgroup = a.name === "threadgroup";
      continue;
    }
    if (a.name === "function_constant") {
      condition = a;
      continue;
    }
    // A name for the stages of a pipeline: it says nothing of a kernel's.
    if (a.name === "user") {
      s.problems.warning("XL2010", `attribute '${a.name}' is not carried over`, a.span);
      continue;
    }
    id = idOfAttribute(a.name);
    // Else nothing would say what it is.
    const isBuffer = p.type.type.kind === "pointer" || p.type.reference;
    if (!id && isBuffer && isForeign(s, a, "buffer")) continue;
    if (!id) return notYet(s, `attribute '${a.name}' of a kernel parameter is`, a.span, leaveOut);
  }
  const { type, space } = p.type;
  if (id) {
    // Where the constant is false it has no value that a kernel may ask for (MSL 5.8.1), so that any will do.
    if (condition && !namesBool(s, condition)) return undefined;
    if (type.kind === "pointer" || p.type.reference) return error(s, "XL2010", "an id is passed by value", p.span);
    return bindId(s, fn, p, id, idRow(id).msl!.sizes, ["u32", "u16"], declares);
  }
  const givenIf = condition && functionConstant(s, condition);
  if (condition && givenIf === undefined) return undefined;
  for (const [word, at] of p.qualifiers.words)
    if (word === "coherent(system)")
      return notYet(
        s,
        "memory that is coherent with the host is",
        at.span,
        "'coherent(device)' does, where the host waits",
      );
    else if (word !== "coherent") return notYet(s, `'${word}' of a parameter is`, at.span);
  const slots = {
    ...(slot ? { slot } : {}),
    ...(p.qualifiers.words.has("coherent") ? { coherent: true } : {}),
    ...(givenIf === undefined ? {} : { givenIf }),
  };

  if (type.kind === "pointer") {
    if (type.space === "private") return error(s, "XL2009", "a kernel parameter cannot point to thread memory", p.span);
    if ((type.space === "workgroup") !== threadgroup && slot) return error(s, "XL2010", slotKinds, p.span);
    return addPointer(s, fn, p, type, slots, resources, declares);
  }
  if (!p.type.reference) {
    if (insideClassArray(s, type)?.element.kind === "pointer")
      return notYet(s, "an array of buffers as a parameter is", p.span, "hand over its buffers one by one");
    return error(s, "XL2010", `parameter '${p.name}' needs an attribute that says what it is`, p.span, {
      help: "buffers are device or constant pointers or references, ids carry [[thread_position_in_grid]] or the like",
    });
  }
  if (space !== "global" && space !== "constant" && space !== "workgroup")
    return error(s, "XL2009", "a reference as kernel parameter needs device, constant or threadgroup", p.span);
  if (slot && threadgroup !== (space === "workgroup")) return error(s, "XL2010", slotKinds, p.span);
  if (!checkBufferType(s, type, p.span)) return undefined;
  if (space === "workgroup") return addWorkgroupReference(s, p, slots, resources);
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

const slotKinds =
  "[[threadgroup(n)]] goes with threadgroup pointers and references, [[buffer(n)]] with device and constant ones";

/** `threadgroup T &x`: the first element of memory that the launch sizes, as behind a pointer. */
function addWorkgroupReference(
  s: Sema,
  p: EntryParameter,
  slots: Pick<Resource, "slot">,
  resources: VarId[],
): true | undefined {
  const { type, constant, volatile } = p.type;
  const memory = addResource(
    s,
    {
      name: p.name,
      type: array(type, undefined),
      space: "workgroup",
      span: p.span,
      ...(volatile ? { volatile } : {}),
      resource: { kind: "workgroup-sized-at-launch", access: constant ? "read" : "readwrite", ...slots },
    },
    false,
  );
  resources.push(memory);
  const make = (span: Span): Value => {
    useVariable(s, memory);
    const place = element(variablePlace(s.variables.get(memory)!, span), literal("i32", 0, span), span);
    return { type, place, ...(constant ? { readOnly: `'${p.name}' is const` } : {}) };
  };
  return declareName(s, p.name, { kind: "value", make, span: p.span }) || undefined;
}

/** Whether it names a constant that is true or false. */
function namesBool(s: Sema, a: syntax.Attribute): true | undefined {
  const { name, symbol } = constantNamed(s, a);
  const value = name && symbol && expression(s, name);
  if (!value) return notYet(s, "such a function_constant of a parameter is", a.span, "name a constant of the file");
  return sameType(value.type, bool) || error(s, "XL2010", boolNeeded, a.span);
}

const boolNeeded = "the function constant of a parameter must be a bool";

function constantNamed(
  s: Sema,
  a: syntax.Attribute,
): { readonly name?: syntax.Identifier | undefined; readonly symbol?: Symbol | undefined } {
  const [given] = a.arguments ?? [];
  const name = given?.kind === "identifier" ? given : undefined;
  return { name, symbol: name && lookup(s, name.name) };
}

/** The constant that says whether the host gives a buffer: MSL 5.8.1. */
function functionConstant(s: Sema, a: syntax.Attribute): VarId | undefined {
  const { name, symbol } = constantNamed(s, a);
  const id = symbol?.kind === "variable" ? symbol.variable : name && symbol && computedConstant(s, name, symbol);
  if (id === undefined || (resourceFor(s, id)?.kind !== "specialization" && s.variables.get(id)!.role !== "global"))
    return notYet(s, "such a function_constant of a parameter is", a.span, "name a constant of the file");
  if (scalarOf(s.variables.get(id)!.type) !== "bool") return error(s, "XL2010", boolNeeded, a.span);
  useVariable(s, id);
  return id;
}

/** `constant bool both = a && b;`, of function constants: elsewhere it stands for its value, here a constant of its own is needed. */
function computedConstant(s: Sema, { name }: syntax.Identifier, symbol: Symbol): VarId | undefined {
  const value = symbol.kind === "value" ? symbol.make(symbol.span)?.expr : undefined;
  if (!value) return undefined;
  for (const v of s.variables.values()) if (v.role === "global" && v.span === symbol.span) return v.id;
  const v = newVariable(s, {
    name,
    type: value.type,
    space: "constant",
    role: "global",
    constant: true,
    span: symbol.span,
    initializer: value,
  });
  s.order.push({ kind: "variable", variable: v.id });
  return v.id;
}

/** What a function constant is where it is not given: `given(N) ? N : e`, `given(N) && N`, `!given(N) || N`. */
function testOfGiven(e: syntax.Expression):
  | {
      readonly test: syntax.Expression;
      readonly value: syntax.Expression | undefined;
      readonly otherwise: syntax.Expression | boolean;
    }
  | undefined {
  if (e.kind === "conditional") return { test: e.condition, value: e.whenTrue, otherwise: e.whenFalse };
  if (e.kind !== "binary") return undefined;
  if (e.operator === "&&") return { test: e.left, value: e.right, otherwise: false };
  if (e.operator === "||" && e.left.kind === "unary" && e.left.operator === "!")
    return { test: e.left.operand, value: e.right, otherwise: true };
  return undefined;
}

/**
 * `constant T N = is_function_constant_defined(given) ? given : value;` gives a function constant a default: both names
 * are one specialisation constant, known by the name the kernel uses.
 */
function functionConstantDefault(s: Sema, { x, t, trivia }: FileVariable): VarId | undefined | "none" {
  const init = x.initializer;
  const given = init?.form === "assign" ? testOfGiven(init.value) : undefined;
  if (!given) return "none";
  const { test: condition, value: whenTrue, otherwise: whenFalse } = given;
  if (condition.kind !== "call" || condition.callee.kind !== "identifier") return "none";
  if (condition.callee.name !== "is_function_constant_defined") return "none";
  const [tested] = condition.arguments;
  append(s.pendingComments, trivia.leading);
  append(s.pendingComments, trivia.trailing);
  const symbol = tested?.kind === "identifier" ? lookup(s, tested.name) : undefined;
  const resource = symbol?.kind === "variable" ? resourceFor(s, symbol.variable) : undefined;
  const settled = symbol?.kind === "variable" && !resource && s.settledConstants.has(symbol.variable);
  const sameName = tested?.kind === "identifier" && whenTrue?.kind === "identifier" && whenTrue.name === tested.name;
  if ((resource?.kind !== "specialization" && !settled) || !sameName || symbol?.kind !== "variable") {
    return notYet(s, "such a test of a function constant is", condition.span);
  }
  const v = s.variables.get(symbol.variable)!;
  if (!sameType(v.type, t.type)) {
    return notYet(s, "a function constant of another type than its default is", x.span);
  }
  const span = typeof whenFalse === "boolean" ? condition.span : whenFalse.span;
  const value = typeof whenFalse === "boolean" ? exprValue(literal("bool", whenFalse, span)) : expression(s, whenFalse);
  const defaultValue = value && convertTo(s, value, t.type, "initializer", span, "the default");
  if (!defaultValue) return undefined;
  if (evaluate(s, defaultValue) === undefined) {
    return error(s, "XL2007", "the default of a specialisation constant must be constant", span);
  }
  updateVariable(s, v.id, { name: x.name!.name });
  if (resource) {
    s.resources[s.resources.indexOf(resource)] = { ...resource, defaultValue, path: x.name!.name };
    if (v.type.kind === "scalar") takeGiven(s, v.id, x.name!.name, v.type.scalar);
  } else if (v.type.kind === "scalar") takeGivenAgain(s, v.id, x.name!.name, v.type.scalar);
  return declareName(s, x.name!.name, { kind: "variable", variable: v.id, span: x.name!.span }) ? v.id : undefined;
}

function readValue(s: Sema, v: Value, span: Span): Value | undefined {
  const e = read(s, v, span);
  return e && exprValue(e);
}

/** Methods of `array<T, N>` and of votes. */
function method(s: Sema, base: Value, callee: syntax.Member, e: syntax.Call): Value | undefined | "none" {
  const inner = insideClassArray(s, base.type);
  if (inner) return classArrayMethod(s, inner, callee.name.name, e.span, callee.name.span);
  if (matrixKind(s, base.type) !== undefined && callee.name.name === "thread_elements")
    return laneElements(s, base, e.arguments.length, callee.name.span);
  if (e.arguments.length > 0) return "none";
  const operand = read(s, base, e.span);
  const answer = operand && voteMethod(operand, callee.name.name, e.span);
  return answer ? exprValue(answer) : "none";
}
