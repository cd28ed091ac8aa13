/**
 * Buffers of vectors that the source packs, and OpenCL C would lay out otherwise: they are buffers of scalars there, whose elements
 * `vload3` and `vstore3` load and store. What is used in another way stays, and becomes words (raw-buffers.ts).
 */
import { isOwnText } from "../../ast/lookup.js";
import {
  binary,
  constantOf,
  convert,
  element,
  expressionStatement,
  i32Literal,
  literalValue,
  ModuleEditor,
  opCall,
  swizzleValue,
  variablePlace,
} from "../../ast/builders.js";
import type { Expr, Module, Place, Resource, Statement, VarId } from "../../ast/nodes.js";
import { isPure, rewriteExpr, rewriteModule, type Rewriter } from "../../ast/walk.js";
import type { Dialect } from "../../dialects/ids.js";
import { layoutOfResource } from "../../dialects/languages.js";
import { typeIn } from "../../dialects/show-type.js";
import { arrayStride, scalarSize } from "../../types/layout.js";
import { array, bitWidth, i32, sameType, scalar, scalarOf, type Type, type VectorType } from "../../types/types.js";
import { isBoundAsWords } from "../interface/buffer-layouts.js";
import { bufferDifference } from "../interface/layout-differences.js";
import type { PassContext, TextPass } from "../pass.js";
import { atomicWords } from "./atomic-words.js";
import { viewedTypes } from "./viewed-objects.js";

export const packedElements: TextPass = {
  name: "packed-elements",
  requires: ["sizes-settled"],
  run(module, context) {
    if (isOwnText(module, context.target)) return module;
    const packed = new Map<VarId, VectorType>();
    for (const r of module.resources) {
      const type = isBoundAsWords(r, module, context) && packedVector(module, r, context);
      if (type) packed.set(r.variable, type);
    }
    while (packed.size > 0) {
      const elements = new PackedElements(module, packed);
      const next = elements.rewritten();
      if (elements.others.size === 0) {
        for (const [id, type] of packed) noteLayout(module, context, id, type);
        return next;
      }
      for (const id of elements.others) packed.delete(id);
    }
    return module;
  },
};

/** The vectors that a buffer has one behind the other. */
function packedVector(module: Module, r: Resource, context: PassContext): VectorType | undefined {
  const { type } = module.variables.get(r.variable)!;
  const vector = type.kind === "array" ? type.element : undefined;
  if (vector?.kind !== "vector" || vector.scalar === "bool") return undefined;
  const layout = layoutOfResource(module.dialect, r);
  const isTight = arrayStride(vector, layout, module.structs) === vector.size * scalarSize(vector.scalar, layout);
  if (!isTight || viewedTypes(module).has(r.variable) || atomicWords(module, context).has(r.variable)) return undefined;
  return bufferDifference(r, module, context.target as Dialect) === undefined ? undefined : vector;
}

function noteLayout(module: Module, context: PassContext, id: VarId, type: VectorType): void {
  const { name, span } = module.variables.get(id)!;
  const [own, one] = [typeIn(module.dialect, type), typeIn(context.target as Dialect, scalar(type.scalar))];
  context.note("emulated", "layout", `${name} has elements of ${one}, of which ${type.size} each are a ${own}`, span);
}

/** A vector in such a buffer: which, and its number. */
interface At {
  readonly variable: VarId;
  readonly vector: VectorType;
  readonly index: Expr;
}

class PackedElements {
  /** Buffers that are used in another way, too. */
  readonly others = new Set<VarId>();
  private readonly editor: ModuleEditor;

  constructor(
    private readonly module: Module,
    private readonly packed: ReadonlyMap<VarId, VectorType>,
  ) {
    this.editor = new ModuleEditor(module);
  }

  rewritten(): Module {
    for (const [id, { scalar: kind }] of this.packed)
      this.editor.setVariable({ ...this.module.variables.get(id)!, type: array(scalar(kind), undefined) });
    const next = rewriteModule(this.module, this.rewriter);
    return this.editor.finish({ functions: next.functions });
  }

  private readonly rewriter: Rewriter = {
    enterStatement: (s) => this.stored(s),
    enterExpr: (e) => (e.kind === "load" ? this.loaded(e.place) : undefined),
    enterPlace: (p) => this.component(p),
    place: (p) => {
      if (p.kind === "variable" && this.packed.has(p.variable)) this.others.add(p.variable);
      return p;
    },
  };
  private readonly inside = (e: Expr): Expr => rewriteExpr(e, this.rewriter);

  private at(p: Place): At | undefined {
    if (p.kind !== "element" || p.base.kind !== "variable") return undefined;
    const vector = this.packed.get(p.base.variable);
    return vector && { variable: p.base.variable, vector, index: this.inside(p.index) };
  }

  private scalars({ variable, vector }: At, index: Expr): Place {
    return element(variablePlace({ id: variable, type: array(scalar(vector.scalar), undefined) }), index);
  }

  /** What the buffer points to. */
  private start(at: At): Place {
    return this.scalars(at, i32Literal(0, at.index.span));
  }

  private vloaded(at: At, type: Type): Expr {
    return opCall("memory.vload", [at.index], type, at.index.span, { places: [this.start(at)] });
  }

  private loaded(p: Place): Expr | undefined {
    const at = this.at(p);
    if (at) return this.vloaded(at, p.type);
    const of = p.kind === "swizzle" && p.components.length > 1 ? this.at(p.base) : undefined;
    return of && p.kind === "swizzle" ? swizzleValue(this.vloaded(of, p.base.type), p.components, p.span) : undefined;
  }

  /** `p[i].y`, `p[i][c]`: one of the scalars. */
  private component(p: Place): Place | undefined {
    if (p.kind !== "element" && !(p.kind === "swizzle" && p.components.length === 1)) return undefined;
    const at = this.at(p.base);
    if (!at) return undefined;
    const which = p.kind === "element" ? this.inside(p.index) : i32Literal(p.components[0]!, p.span);
    // Of fewer bits than 32 a product would wrap.
    const type = bitWidth(scalarOf(at.index.type)!) < 32 ? i32 : at.index.type;
    const first = binary("mul", convert(at.index, type), constantOf(type, at.vector.size, p.span), p.span);
    const known = literalValue(which);
    const part = known === undefined ? convert(which, type, false, p.span) : constantOf(type, Number(known), p.span);
    return this.scalars(at, Number(known) === 0 ? first : binary("add", first, part, p.span));
  }

  private stored(s: Statement): Statement | undefined {
    if (s.kind !== "expression" || s.expression.kind !== "assign") return undefined;
    const e = s.expression;
    const at = this.at(e.target);
    // The number is read before the value, and by a sum twice.
    if (!at || !isPure(at.index) || !isPure(e.value)) return undefined;
    const value = this.inside(e.value);
    const type = e.compute ?? e.target.type;
    const as = (x: Expr, to: Type): Expr => (sameType(x.type, to) ? x : convert(x, to, true));
    const sum = e.operator
      ? as(
          {
            kind: "binary",
            operator: e.operator,
            left: as(this.vloaded(at, e.target.type), type),
            right: value,
            type,
            span: e.span,
          },
          e.target.type,
        )
      : value;
    const call = opCall("memory.vstore", [sum, at.index], { kind: "void" }, e.span, { places: [this.start(at)] });
    return { ...expressionStatement(call, s.span), trivia: s.trivia };
  }
}
