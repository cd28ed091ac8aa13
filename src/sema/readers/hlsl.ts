/** HLSL: resources are objects at file scope, ids are parameters with semantics. */
import { notCarried } from "../attributes.js";
import { construct, opCall, rootVariable } from "../../ast/builders.js";
import type { Assumption, BuiltinId, Declare, Expr, Module, Statement } from "../../ast/nodes.js";
import { familyOf } from "../../ast/op-ids.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import { defaultHlslVersion } from "../../dialects/language.js";
import { namesNarrowTypes } from "../../dialects/words.js";
import { atomicBuffers, isLoadedPlainly, keepsLoadsApart, partOf } from "../../ops/coherent-loads.js";
import { Effects, lazyOperands } from "../../ops/effects.js";
import { withoutCoherentViews } from "../../ops/index.js";
import { idOfSemantic, isVectorId } from "../../ops/ids.js";
import type { Span } from "../../support/span.js";
import type { ScalarKind, StructType } from "../../types/types.js";
import { bufferObject } from "../access.js";
import { valueWithCounter } from "./hlsl-counters.js";
import { withReadOnlyObjects } from "../read-only-objects.js";
import { error, exprValue, notYet, type FunctionState, type Sema, type Value } from "../context.js";
import { bindId, bindValue, idValueAs, type EntryParameter, type EntryParts } from "../entries.js";
import { hlslCall, hlslCallBeforeSource } from "./hlsl-calls.js";
import { objectMethod } from "./hlsl-objects.js";
import {
  declareCbuffer,
  declareHlslObject,
  hlslUniform,
  ignoredInitializer,
  isHlslObject,
  isHlslValueBuffer,
  objectType,
} from "./hlsl-interface.js";
import { objectNamed } from "./hlsl-object-types.js";
import type { SourceReader } from "./reader.js";

export const hlslReader: SourceReader = {
  variant: (source, { hlslVersion = defaultHlslVersion, enable16bitTypes }) => ({
    openLiterals: hlslVersion !== "202x",
    eager: Number(hlslVersion) < 2021,
    loopNamesLiveOn: Number(hlslVersion) < 2021,
    conditionalAsCpp: hlslVersion === "202x",
    narrowTypes: enable16bitTypes === true || namesNarrowTypes(source.text),
  }),
  entryParameter,
  fileSpace: (_s, t, q) => (t.space === "workgroup" ? "workgroup" : t.constant && q.static ? "constant" : "private"),
  fileVariable: (s, v) => (v.q.static || v.t.space === "workgroup" ? "none" : hlslUniform(s, v)),
  fileDeclaration: (s, d) => {
    if (!d.specifier || !isHlslObject(d.specifier)) return false;
    declareHlslObject(s, d, d.specifier);
    return true;
  },
  ignoredInitializer,
  block: declareCbuffer,
  callBeforeSource: hlslCallBeforeSource,
  libraryCall: hlslCall,
  method: (s, base, callee, e) => {
    const object = bufferObject(s, base, e.span);
    return object?.object ? objectMethod(s, object, callee, e) : object && "none";
  },
  objectNamed,
  countedValue: valueWithCounter,
  namedType: (s, name, span) => objectType(s, name, [], span),
  classTemplate: objectType,
  // It would be a resource of its own, where structs are copied.
  noMember: (specifier) => (isHlslValueBuffer(specifier) ? `a ${specifier.name}` : undefined),
  finish: (s, given) => {
    for (const [struct, said] of s.saidOffsets)
      if (!s.offsetsTaken.has(struct))
        for (const { span } of said.values()) notCarried(s, { name: "vk::offset", span });
    const module = s.resources.some((r) => r.coherent) ? atomicLoads(given) : workgroupFences(given);
    return {
      ...withReadOnlyObjects(module),
      assumptions: [...(module.assumptions ?? []), ...quadLanes(given), ...lazyOperandsRun(given)],
    };
  },
};

const idKinds: readonly ScalarKind[] = ["u32", "i32"];
const idSizes = (id: BuiltinId): readonly number[] => (isVectorId(id) ? [1, 2, 3] : [1]);

function entryParameter(s: Sema, fn: FunctionState, p: EntryParameter, { declares }: EntryParts): true | undefined {
  for (const [word, at] of p.qualifiers.words) {
    if (word !== "in") return notYet(s, `'${word}' of a parameter of an entry point is`, at.span);
  }
  const semantic = p.attributes.find((a) => a.form === "semantic");
  if (!semantic) {
    if (p.type.type.kind === "struct") return idStruct(s, fn, p, p.type.type, declares);
    return error(s, "XL2010", `parameter '${p.name}' needs a semantic`, p.span);
  }
  const id = idOfSemantic(semantic.name);
  if (!id) return error(s, "XL2010", `semantic '${semantic.name}' is not one of a compute shader`, semantic.span);
  return bindId(s, fn, p, id, idSizes(id), idKinds, declares);
}

/** A struct whose members are ids: a value made of them. */
function idStruct(
  s: Sema,
  fn: FunctionState,
  p: EntryParameter,
  type: StructType,
  declares: Declare[],
): true | undefined {
  const semantics = s.semantics.get(type.name);
  const parts: ((span: Span) => Expr)[] = [];
  for (const m of s.structs.get(type.name)!.members) {
    const id = idOfSemantic(semantics?.get(m.name) ?? "");
    if (!id) return error(s, "XL2010", `member '${m.name}' of parameter '${p.name}' needs a semantic`, p.span);
    const value = idValueAs(s, m.name, m.type, id, idSizes(id), idKinds, p.span);
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

/** HLSL does not say which lanes form a quad in compute shaders; drivers take consecutive ones. */
function quadLanes(module: Module): Assumption[] {
  const spans: Span[] = [];
  walkModule(module, {
    expr: (e) => {
      if (e.kind === "op" && familyOf(e.op) === "quad") spans.push(e.span);
      return true;
    },
  });
  const message = "a quad is four consecutive lanes, which HLSL leaves open in compute shaders";
  return spans.length > 0 ? [{ kind: "quad-lanes", message, spans }] : [];
}

/** Version 2021 of HLSL skips operands of `&&`, `||` and `?:` as C does; the versions before evaluate all of them. */
function lazyOperandsRun(module: Module): Assumption[] {
  const effects = new Effects(module);
  const spans: Span[] = [];
  walkModule(module, {
    expr: (e) => {
      for (const operand of lazyOperands(e)) if (effects.of(operand)) spans.push(operand.span);
    },
  });
  const message = "operands of &&, || and ?: are skipped as in HLSL 2021; versions before it run their effects always";
  return spans.length > 0 ? [{ kind: "lazy-operand", message, spans }] : [];
}

/**
 * A load of a word of a globallycoherent buffer is atomic (D3D11.3 7.14.2). It is read as such where atomics act on the same part of the
 * buffer's elements; with a fence behind it, which keeps it from being made one with others (22.17.7), wherever the buffer has atomics.
 * Elsewhere loads stay what they are, which is less.
 */
function atomicLoads(module: Module<"canonical">): Module<"canonical"> {
  const atomic = atomicBuffers(module);
  const buffers = new Set(module.resources.flatMap((r) => (r.coherent && atomic.has(r.variable) ? [r.variable] : [])));
  if (buffers.size === 0) return module;
  const asAtomic = (e: Expr | undefined): Expr | undefined =>
    e?.kind === "load" && isLoadedPlainly(e.type) && buffers.has(rootVariable(e.place) ?? -1)
      ? opCall("atomic.load", [], e.type, e.span, { places: [e.place], order: "relaxed", plainly: true })
      : undefined;
  const inList = (x: Statement, next: Statement | undefined): Statement => {
    if (next?.kind !== "barrier" || !keepsLoadsApart(next.barrier)) return x;
    if (x.kind === "declare") {
      const initializer = asAtomic(x.initializer);
      return initializer ? { ...x, initializer } : x;
    }
    if (x.kind !== "expression" || x.expression.kind !== "assign" || x.expression.operator) return x;
    const value = asAtomic(x.expression.value);
    return value ? { ...x, expression: { ...x.expression, value } } : x;
  };
  return rewriteModule(module, {
    enterList: (list) => list.map((x, i) => inList(x, list[i + 1])),
    expr: (e) =>
      (e.kind === "load" && atomic.get(rootVariable(e.place) ?? -1)?.has(partOf(e.place)) && asAtomic(e)) || e,
  });
}

/** Without a globallycoherent view HLSL's device fences reach the workgroup only (memory.md 3.4). */
function workgroupFences(module: Module<"canonical">): Module<"canonical"> {
  return rewriteModule(module, {
    statement: (x) => (x.kind === "barrier" ? { ...x, barrier: withoutCoherentViews(x.barrier) } : x),
  });
}
