/**
 * Matrices that the lanes of a subgroup hold together stay what they are where the target has them, and its functions are
 * called; elsewhere they become structs with the elements of a lane, and functions of plain code with shuffles
 * (docs/design/subgroup-matrices.md). Before all that looks at pointers, types and ops.
 */
import { assign, block, functionCall, ModuleEditor } from "../../ast/builders.js";
import { assumed as assumedTexts } from "../../ast/assumed.js";
import type {
  FunctionDeclaration,
  FunctionId,
  Module,
  StructDeclaration,
  SubgroupMatrixFunction,
  Variable,
} from "../../ast/nodes.js";
import { fixedWidth } from "../../ast/subgroups.js";
import { rewriteModule, walkModule } from "../../ast/walk.js";
import { hasAtom } from "../../caps/profiles.js";
import { writingFacts } from "../../dialects/languages.js";
import { heldBy, matrixFunction, type Lanes } from "../../ops/subgroup-matrices.js";
import { leastWaveSize } from "../../types/subgroup-width.js";
import { array, scalarOf, type ScalarKind, type Type } from "../../types/types.js";
import type { TextContext, TextPass } from "../pass.js";

export const subgroupMatrices: TextPass = {
  name: "subgroup-matrices",
  run(module, context) {
    const matrices = new Map<string, ScalarKind>();
    for (const s of module.structs.values()) if (s.subgroupMatrix) matrices.set(s.name, elementKind(s));
    if (matrices.size === 0) return module;
    return isNative(matrices, context) ? withoutBodies(module) : inPlainCode(module, context, matrices);
  },
};

function elementKind(s: StructDeclaration): ScalarKind {
  const { type } = s.members[0]!;
  if (type.kind !== "array") throw new Error(`${s.name} is no matrix of lanes`);
  return scalarOf(type.element)!;
}

function isNative(matrices: ReadonlyMap<string, ScalarKind>, { target, profile, options }: TextContext): boolean {
  const { subgroupMatrices: needs } = writingFacts(target);
  if (needs === undefined || options.emulateSubgroups !== undefined) return false;
  return [...matrices.values()].every((kind) => needs[kind] !== undefined && hasAtom(profile, needs[kind]));
}

/** What a body means is nothing to the target, which has the function. */
function withoutBodies(module: Module): Module {
  const functions = module.functions.map((f) => (f.library ? { ...f, body: block([]) } : f));
  return new ModuleEditor(module).finish({ functions });
}

function inPlainCode(module: Module, context: TextContext, matrices: ReadonlyMap<string, ScalarKind>): Module {
  const editor = new ModuleEditor(module);
  const lanes = lanesOf(module, context);
  const structs = new Map(module.structs);
  for (const [name, kind] of matrices) {
    const { subgroupMatrix: _marked, ...s } = structs.get(name)!;
    const members = s.members.map((m) => ({
      ...m,
      type: array({ kind: "scalar", scalar: kind }, heldBy(lanes.least)),
    }));
    structs.set(name, { ...s, members });
  }
  const kindOf = (type: Type): ScalarKind =>
    (type.kind === "struct" ? matrices.get(type.name) : undefined) ?? scalarOf(type)!;
  noteCalls(module, context);
  const local = (name: string, type: Type): Variable => editor.addLocal(name, type);
  const functions = module.functions.map((f): FunctionDeclaration => {
    const { library, ...plain } = f;
    if (!library) return f;
    const all = f.parameters.map((p): Variable => module.variables.get(p)!);
    const operands = givesFirst(f) ? all.slice(1) : all;
    const returnType = givesFirst(f) ? all[0]!.type : f.returnType;
    const result = returnType.kind === "void" ? {} : { result: { type: returnType, kind: kindOf(returnType) } };
    const kinds = operands.map((p) => kindOf(p.type));
    const body = block(matrixFunction(library, { operands, kinds, ...result }, lanes, local));
    return { ...plain, parameters: operands.map((p) => p.id), returnType, body };
  });
  return withResults(
    editor.finish({ structs, functions }),
    new Set(module.functions.filter(givesFirst).map((f) => f.id)),
  );
}

/** The matrix that is made is the first parameter, by reference. */
const givesFirst = (f: FunctionDeclaration): boolean =>
  f.library !== undefined && f.library.operation !== "store" && f.returnType.kind === "void";

/** Calls of functions that now return what they stored by a reference. */
function withResults(module: Module, changed: ReadonlySet<FunctionId>): Module {
  return rewriteModule(module, {
    expr(e) {
      if (e.kind === "comma" && e.type !== e.right.type) return { ...e, type: e.right.type };
      if (e.kind !== "call" || !changed.has(e.function)) return e;
      const [into, ...args] = e.arguments;
      if (into?.mode !== "ref") throw new Error("a matrix is given by reference");
      return assign(into.place, functionCall(e.function, args, into.place.type, e.span), e.span);
    },
  });
}

/** What takes elements of other lanes. */
const products: ReadonlySet<SubgroupMatrixFunction["operation"]> = new Set([
  "multiply",
  "multiply-accumulate",
  "product",
]);

function noteCalls(module: Module, context: TextContext): void {
  const library = new Map(module.functions.flatMap((f) => (f.library ? [[f.id, f] as const] : [])));
  walkModule(module, {
    expr(e) {
      const f = e.kind === "call" ? library.get(e.function) : undefined;
      if (!f) return;
      const by = products.has(f.library!.operation) ? "shuffles" : "each lane for its own elements";
      const shown = f.library!.operation === "product" ? "a product" : `${f.name}()`;
      context.note("emulated", f.name, `${shown} is carried out by ${by}`, e.span);
    },
  });
}

/** What is known of the width: what the source or the user asks for, else what a device has; without either it is assumed. */
function lanesOf(module: Module, context: TextContext): Lanes {
  const { options, profile } = context;
  const asked = options.emulateSubgroups ?? options.subgroupSize;
  if (asked !== undefined) return { width: asked, least: asked };
  const sizes = module.entries.map((e) => e.subgroupSizes);
  const widths = new Set(sizes.map(fixedWidth));
  const [width] = widths;
  if (widths.size === 1 && width !== undefined) return { width, least: width };
  const device = profile.device?.subgroupSizes;
  if (device && device.length > 0) {
    const least = Math.min(...device);
    return device.length === 1 ? { width: least, least } : { least };
  }
  if (options.strict) return { least: 1 };
  const given = sizes.map((s) => s?.min);
  if (given.every((n) => n !== undefined)) return { least: Math.min(...given) };
  context.note("assumed", "subgroup-at-least", assumedTexts["subgroup-at-least"]);
  return { least: leastWaveSize };
}
