/** Objects of memory that pointers to something else point into (views): what they are looked at as, and which are words. */
import {
  assign,
  block,
  construct,
  declare,
  expressionStatement,
  literal,
  load,
  ModuleEditor,
  rootVariable,
  variablePlace,
} from "../../ast/builders.js";
import { bitcastConstant, ConstantScope, type Constant, type ConstantValue } from "../../ast/constant-values.js";
import { functionOf } from "../../ast/lookup.js";
import type { Argument, Expr, Module, Place, Statement, Variable, VarId } from "../../ast/nodes.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import { bufferLayout } from "../../dialects/languages.js";
import { arrayStride, layoutOf, memberOffsets, scalarSize } from "../../types/layout.js";
import {
  array,
  bitWidth,
  isFloat,
  sameType,
  scalar,
  u32,
  type ArrayType,
  type ScalarKind,
  type Type,
} from "../../types/types.js";
import type { PassContext } from "../pass.js";
import { atomicWords } from "./atomic-words.js";

/** What each object is looked at as, beside the type it is declared with. */
export function viewedTypes(module: Module): ReadonlyMap<VarId, readonly Type[]> {
  let found = known.get(module);
  if (!found) {
    const views = new Map<VarId, Type[]>();
    walkModule(module, {
      place: (p) => {
        if (p.kind !== "view" || p.type.kind !== "array") return;
        const root = rootVariable(p.base)!;
        if (p.base.kind !== "variable" && wordsOfOwnUnion(p, module)) return;
        const list = views.get(root) ?? [];
        const { element } = p.type;
        if (!list.some((t) => sameType(t, element))) list.push(element);
        views.set(root, list);
      },
    });
    known.set(module, (found = views));
  }
  return found;
}

/**
 * The words of the union that a place is in, where they are those of a lane's own object or of a constant: they are read and written where they
 * are, the rest of the object stays as it is.
 */
export function wordsOfOwnUnion(p: Place, module: Module): Place | undefined {
  if (p.kind === "variable" || p.kind === "deref") return undefined;
  const within = wordsOfOwnUnion(p.base, module);
  if (within || p.kind !== "view" || p.base.kind === "variable") return within;
  const { type } = p.base;
  const root = module.variables.get(rootVariable(p.base)!)!;
  const isOwn = root.space === "private" || (root.space === "constant" && root.role === "global");
  return isOwn && type.kind === "array" && sameType(type.element, u32) ? p.base : undefined;
}

/** Whether members of such unions are named. */
export function hasOwnUnions(module: Module): boolean {
  let found = false;
  walkModule(module, { place: (p) => void (p.kind === "view" && wordsOfOwnUnion(p, module) && (found = true)) });
  return found;
}

/** Asked for each buffer; a module never changes. */
const known = new WeakMap<Module, ReadonlyMap<VarId, readonly Type[]>>();

/**
 * Workgroup and private objects that are words: those with views or with atomics on words, and those that are handed over to a function whose parameter is.
 */
export function viewedObjects(module: Module, context: PassContext): ReadonlyMap<VarId, Variable> {
  const own = new Map<VarId, Variable>();
  const buffers = new Set(module.resources.filter((r) => r.kind === "buffer").map((r) => r.variable));
  const copied = copiedParameters(module);
  const isWhole = (given: VarId | undefined): given is VarId => given !== undefined && !buffers.has(given);
  for (const id of [...viewedTypes(module).keys(), ...atomicWords(module, context)])
    if (!buffers.has(id)) own.set(id, module.variables.get(id)!);
  for (let before = -1; before !== own.size;) {
    before = own.size;
    walkModule(module, {
      expr: (e) => {
        if (e.kind !== "call") return;
        const { parameters } = functionOf(module, e.function)!;
        e.arguments.forEach((a, i) => {
          const p = parameters[i]!;
          if (!own.has(p) || copied.has(p)) return;
          const given = wholeVariable(a);
          if (isWhole(given)) own.set(given, module.variables.get(given)!);
          else
            context.problems.error(
              "XL4006",
              `${module.variables.get(p)!.name} is looked at as something else, and a part of an object is handed over for it`,
              e.span,
            );
        });
      },
    });
    if (context.problems.hasErrors) break;
  }
  for (const v of own.values())
    if (v.initializer && !valueAsWords(v, module))
      context.problems.error(
        "XL4006",
        `${v.name} has a value from the start, and is looked at as something else`,
        v.span,
      );
  return own;
}

/**
 * Parameters by value that are no words themselves where they are looked at as something else, but are copied to words: what is given for
 * them is no whole object everywhere. Numbers and vectors always are, so that what is given stays what it is.
 */
function copiedParameters(module: Module): ReadonlySet<VarId> {
  const copied = new Set<VarId>();
  walkModule(module, {
    expr: (e) => {
      if (e.kind !== "call") return;
      const { parameters } = functionOf(module, e.function)!;
      e.arguments.forEach((a, i) => {
        if (a.mode !== "value") return;
        const v = module.variables.get(parameters[i]!)!;
        const given = wholeVariable(a);
        const isPart = given === undefined || module.variables.get(given)!.role === "resource";
        if (isPart || (v.type.kind !== "array" && v.type.kind !== "struct")) copied.add(v.id);
      });
    },
  });
  return copied;
}

/** The variable that is handed over as a whole. */
function wholeVariable(a: Argument): VarId | undefined {
  const place = a.mode !== "value" ? a.place : a.value.kind === "load" ? a.value.place : undefined;
  return place?.kind === "variable" ? place.variable : undefined;
}

/** The words an object is, beside those of buffers. */
export function wordsOf(v: Variable, module: Module): Type {
  const { size } = layoutOf(v.type, bufferLayout(module.dialect), module.structs);
  return array(u32, Math.ceil(size / 4));
}

/** The value of a constant as the words it is; undefined where it is no constant, or has other parts than numbers. */
export function valueAsWords(v: Variable, module: Module): Expr | undefined {
  if (!v.initializer || !v.constant) return undefined;
  const initializers = { get: (id: VarId) => module.variables.get(id)?.initializer };
  const value = new ConstantScope(initializers, module.structs).valueOf(v.initializer);
  const type = wordsOf(v, module) as ArrayType;
  const words = Array.from({ length: type.length! }, () => 0n);
  if (value === undefined || !putBits(value, v.type, 0, words, module)) return undefined;
  return construct(
    type,
    words.map((w) => literal("u32", Number(w))),
    v.span,
  );
}

/** Puts the bits of a value that begins at a byte; false where it has none of its own. */
function putBits(value: ConstantValue, type: Type, at: number, words: bigint[], module: Module): boolean {
  const rule = bufferLayout(module.dialect);
  const parts = Array.isArray(value) ? (value as readonly ConstantValue[]) : undefined;
  const each = (typeOf: (i: number) => Type, offset: (i: number) => number): boolean =>
    parts !== undefined && parts.every((x, i) => putBits(x, typeOf(i), at + offset(i), words, module));
  switch (type.kind) {
    case "scalar": {
      if (parts || type.scalar === "bool") return false;
      const bits = bitsOf(value as Constant, type.scalar);
      if (bits === undefined) return false;
      for (let rest = bits << BigInt(8 * (at % 4)), i = Math.floor(at / 4); rest > 0n; rest >>= 32n, i++)
        words[i]! |= BigInt.asUintN(32, rest);
      return true;
    }
    case "vector":
      return each(
        () => scalar(type.scalar),
        (i) => i * scalarSize(type.scalar, rule),
      );
    case "array": {
      const stride = arrayStride(type.element, rule, module.structs);
      return each(
        () => type.element,
        (i) => i * stride,
      );
    }
    case "struct": {
      const declared = module.structs.get(type.name)!;
      const offsets = memberOffsets(declared, rule, module.structs);
      return (
        !declared.union &&
        each(
          (i) => declared.members[i]!.type,
          (i) => offsets[i]!,
        )
      );
    }
    default:
      return false;
  }
}

function bitsOf(value: Constant, kind: ScalarKind): bigint | undefined {
  const width = bitWidth(kind);
  if (!isFloat(kind)) return BigInt.asUintN(width, BigInt(value));
  const bits = bitcastConstant(value, kind, `u${width}` as ScalarKind);
  return bits === undefined ? undefined : BigInt(bits);
}

/**
 * The module and its objects before they are words. Words are declared without a value, and written then; they are handed over as they are to
 * those who take words. Parameters that are copied are objects of the function from here on.
 */
export function preparedForWords(
  given: Module,
  viewed: ReadonlyMap<VarId, Variable>,
): { readonly module: Module; readonly objects: ReadonlyMap<VarId, Variable> } {
  if (viewed.size === 0) return { module: given, objects: viewed };
  const { module, objects } = withCopies(given, viewed);
  const asWords = (a: Argument): Argument => {
    const id = wholeVariable(a)!;
    const place = variablePlace({ id, type: wordsOf(objects.get(id)!, module) });
    return a.mode === "value" ? { mode: "value", value: load(place, a.value.span) } : { ...a, place };
  };
  const prepared = rewriteModule(module, {
    expr: (e) => {
      if (e.kind !== "call") return e;
      const { parameters } = functionOf(module, e.function)!;
      if (!parameters.some((p) => objects.has(p))) return e;
      return { ...e, arguments: e.arguments.map((a, i) => (objects.has(parameters[i]!) ? asWords(a) : a)) };
    },
    statement: (s): Statement | readonly Statement[] => {
      // Of a loop's head, which has no place for what writes words: before the loop.
      if (s.kind === "for" && s.initializer.some((i) => i.kind === "declare" && objects.has(i.variable)))
        return block([...s.initializer, { ...s, initializer: [] }], s.span);
      if (s.kind !== "declare" || !s.initializer || !objects.has(s.variable)) return s;
      const { initializer, ...rest } = s;
      const place = variablePlace(objects.get(s.variable)!, s.span);
      return [rest, expressionStatement(assign(place, initializer, s.span), s.span)];
    },
  });
  return { module: prepared, objects };
}

/** Parameters of which copies are words are given under their own names, and their objects are local ones. */
function withCopies(
  module: Module,
  viewed: ReadonlyMap<VarId, Variable>,
): { readonly module: Module; readonly objects: ReadonlyMap<VarId, Variable> } {
  const copied = copiedParameters(module);
  const editor = new ModuleEditor(module);
  const objects = new Map(viewed);
  const functions = module.functions.map((f) => {
    const own = f.parameters.filter((p) => viewed.has(p) && copied.has(p));
    if (own.length === 0) return f;
    const given = new Map(own.map((p) => [p, editor.addVariable({ ...viewed.get(p)!, constant: true })]));
    const copies = own.map((p) => {
      const { mode: _mode, ...parameter } = viewed.get(p)!;
      const object: Variable = { ...parameter, name: `${parameter.name}_words`, role: "local", constant: false };
      objects.set(p, object);
      editor.setVariable(object);
      return declare(p, load(variablePlace(given.get(p)!), object.span));
    });
    return {
      ...f,
      parameters: f.parameters.map((p) => given.get(p)?.id ?? p),
      body: { ...f.body, statements: [...copies, ...f.body.statements] },
    };
  });
  return { module: editor.finish({ functions }), objects };
}
