/**
 * Arguments by value that pointers to something else lead to: `(constant uint *)&t` of MSL's `constant S &t`. Where arguments by value are no
 * memory the kernel looks at a copy of its own, which can be words.
 */
import { declare, ModuleEditor, load, rootVariable, variablePlace } from "../../ast/builders.js";
import { variableOf } from "../../ast/lookup.js";
import type { FunctionDeclaration, Module, Place, Statement, Variable, VarId } from "../../ast/nodes.js";
import { rewriteFunction, walkModule } from "../../ast/walk.js";
import { showType, type Type } from "../../types/types.js";
import type { Pass } from "../pass.js";
import { lowerPointers } from "./lower-pointers.js";
import { constantPointee, handedOn } from "./references.js";

export const viewedValues: Pass = {
  name: "viewed-values",
  requires: ["entries-selected"],
  run: (module) => withCopies(module, viewed(module)),
};

/**
 * For a language with pointers that has arguments by value in other memory than pointers into constant memory lead into: where those lead to
 * structs by value and elsewhere, they become places and indices.
 */
export const valuesElsewhere: Pass = {
  name: "values-elsewhere",
  requires: ["entries-selected"],
  run(module, context) {
    const values = new Set(module.resources.filter((r) => r.kind === "value").map((r) => r.variable));
    const { mine, elsewhere } = handedOn(module, values);
    const isStruct = (id: VarId): boolean => variableOf(module, id).type.kind === "struct";
    // Numbers and arrays of the kernel can lie in constant memory.
    let found = elsewhere.some((x) => isStruct(x.root));
    walkModule(module, {
      expr(e) {
        if (found || e.kind !== "address-of" || constantPointee(e.type) === undefined) return;
        const root = rootVariable(e.place);
        if (root !== undefined) found = mine.has(root) || (values.has(root) && isStruct(root));
      },
    });
    return found ? lowerPointers.run(withCopies(module, viewed(module)), context) : module;
  },
};

/** What a pointer leads to that may lead to an argument by value: into constant memory, or to what is the kernel's own (`value-pointers`). */
function readPointee(type: Type): string | undefined {
  if (type.kind === "pointer" && type.space === "private" && type.readOnly) return showType(type.pointee);
  return constantPointee(type);
}

/** Arguments by value with an address, of which some part has a type that pointers are cast from. */
function viewed(module: Module): ReadonlySet<VarId> {
  const values = new Set(module.resources.filter((r) => r.kind === "value").map((r) => r.variable));
  const cast = new Set<string>();
  const named = new Set<VarId>();
  const name = (place: Place): void => {
    const root = rootVariable(place);
    if (root !== undefined && values.has(root)) named.add(root);
  };
  walkModule(module, {
    expr(e) {
      if (e.kind === "bitcast") {
        const key = readPointee(e.operand.type);
        if (key !== undefined && e.type.kind === "pointer") cast.add(key);
      } else if (e.kind === "address-of") {
        if (readPointee(e.type) !== undefined) name(e.place);
      } else if (e.kind === "call") for (const a of e.arguments) if (a.mode === "ref") name(a.place);
    },
  });
  const isCast = (type: Type): boolean =>
    cast.has(showType(type)) ||
    (type.kind === "array" && isCast(type.element)) ||
    (type.kind === "struct" && module.structs.get(type.name)!.members.some((m) => isCast(m.type)));
  return new Set([...named].filter((id) => isCast(variableOf(module, id).type)));
}

function withCopies(module: Module, values: ReadonlySet<VarId>): Module {
  if (values.size === 0) return module;
  const editor = new ModuleEditor(module);
  const entries = new Set(module.entries.map((e) => e.function));
  const functions = module.functions.map((f): FunctionDeclaration => {
    if (!entries.has(f.id)) return f;
    const copies = new Map<VarId, Variable>();
    const copyOf = (id: VarId): Variable => {
      let copy = copies.get(id);
      if (!copy) {
        const { name, type, span } = variableOf(module, id);
        copies.set(id, (copy = editor.addLocal(name, type, span)));
      }
      return copy;
    };
    const ofCopy = (place: Place): Place => {
      if (place.kind === "variable")
        return values.has(place.variable) ? variablePlace(copyOf(place.variable), place.span) : place;
      if (place.kind === "deref") return place;
      const base = ofCopy(place.base);
      return base === place.base ? place : { ...place, base };
    };
    const { body } = rewriteFunction(f, {
      expr: (e) => {
        if (e.kind === "address-of") return { ...e, place: ofCopy(e.place) };
        if (e.kind !== "call") return e;
        return { ...e, arguments: e.arguments.map((a) => (a.mode === "ref" ? { ...a, place: ofCopy(a.place) } : a)) };
      },
      keepsMeaning: true,
    });
    const declared = [...copies].map(([id, copy]): Statement =>
      declare(copy.id, load(variablePlace(variableOf(module, id), copy.span))),
    );
    return copies.size === 0 ? f : { ...f, body: { ...f.body, statements: [...declared, ...body.statements] } };
  });
  return editor.finish({ functions });
}
