/** GLSL: everything of the interface stands at file scope, in blocks and layouts. */
import { binary, convert, lengthOf, literal, rootVariable } from "../../ast/builders.js";
import type { Expr, Module, Place } from "../../ast/nodes.js";
import type { Span } from "../../support/span.js";
import { arrayStride } from "../../types/layout.js";
import type * as syntax from "../../ast/syntax.js";
import { withPlainTypes } from "../../ast/plain-types.js";
import { isCounter, scalar, type Type } from "../../types/types.js";
import { error, exprValue, notYet, resourceFor, type Sema, type Value } from "../context.js";
import { showGiven } from "../open-literals.js";
import { declareGlslBlock, glslUniform, layoutOnly } from "./glsl-blocks.js";
import { glslCall } from "./glsl-calls.js";
import { mayHandOver, castReference, neighbour, referencedMember, steps } from "./glsl-references.js";
import { executionMode } from "./glsl-execution-modes.js";
import { withSharedBlocks } from "../shared-blocks.js";
import { withWorkgroupSize } from "../workgroup-size.js";
import { withZeroedWorkgroup } from "../zeroed-workgroup.js";
import type { SourceReader } from "./reader.js";

export const glslReader: SourceReader = {
  entryParameter: (s, _fn, p) => error(s, "XL2010", "main takes no parameters", p.span),
  fileSpace: (_s, t) => (t.space === "workgroup" ? "workgroup" : t.constant ? "constant" : "private"),
  fileVariable: (s, v) => (v.q.words.has("uniform") ? glslUniform(s, v) : "none"),
  fileDeclaration: layoutOnly,
  block: declareGlslBlock,
  referencedMember,
  castReference,
  neighbour,
  mayHandOver,
  referenceSteps: steps,
  executionMode,
  otherFunctions: new Set(["nonuniformEXT", "assumeEXT", "expectEXT"]),
  libraryCall: glslCall,
  method: lengthMethod,
  finish(s, module) {
    const counted = withPlainCounters(withSharedBlocks(s, module));
    return withZeroedWorkgroup(s, withWorkgroupSize(s, counted));
  },
};

/** Counters are words from here on. */
const withPlainCounters = (module: Module<"canonical">): Module<"canonical"> =>
  [...module.variables.values()].some((v) => v.role === "resource" && holdsCounter(module, v.type))
    ? withPlainTypes(module, isCounter)
    : module;

const holdsCounter = (module: Module<"canonical">, type: Type): boolean =>
  type.kind === "array"
    ? holdsCounter(module, type.element)
    : type.kind === "struct"
      ? module.structs.get(type.name)!.members.some((m) => holdsCounter(module, m.type))
      : isCounter(type);

function isReferenced(s: Sema, p: Place): boolean {
  const root = rootVariable(p);
  return root === undefined || resourceFor(s, root)?.pointerIn !== undefined;
}

/** Of the elements of a second block of a binding: as many as those of the first are. */
function lengthBeside(s: Sema, view: Place & { readonly kind: "view" }, span: Span): Expr | undefined {
  const { type } = view.base;
  const rule = s.resources.find((r) => r.variable === rootVariable(view))?.layout ?? s.language.buffers;
  const strides = [type, view.type].map((t) => (t.kind === "array" ? arrayStride(t.element, rule, s.structs) : 0));
  const [first, own] = strides as [number, number];
  if (type.kind !== "array" || type.length !== undefined || first === 0 || own % first !== 0)
    return notYet(s, "the length of this block, beside the first of its binding, is", span, "ask the first block");
  const count = lengthOf(view.base, span);
  return own === first ? count : binary("div", count, literal("u32", own / first, span), span);
}

/** `.length()` of arrays, vectors and matrices (GLSL 4.60 4.1.9, 5.5, 5.6). */
function lengthMethod(s: Sema, base: Value, callee: syntax.Member, e: syntax.Call): Value | undefined | "none" {
  if (callee.name.name !== "length") return "none";
  // GL_EXT_buffer_reference: nobody knows how long the buffer is.
  if (base.type.kind === "array" && base.type.length === undefined && base.place && isReferenced(s, base.place))
    return error(s, "XL2012", "an array behind a reference has no length()", callee.name.span);
  if (base.type.kind === "array" && base.type.length === undefined && base.place) {
    const count = base.place.kind === "view" ? lengthBeside(s, base.place, e.span) : lengthOf(base.place, e.span);
    return count && exprValue(convert(count, scalar("i32"), true, e.span));
  }
  const root = base.place?.kind === "variable" ? base.place.variable : undefined;
  if (s.blockArrays.some((a) => a.open && a.variable === root))
    return error(s, "XL2012", "an array of blocks that states no length has no length()", callee.name.span);
  const length =
    base.type.kind === "array"
      ? base.type.length
      : base.type.kind === "vector"
        ? base.type.size
        : base.type.kind === "matrix"
          ? base.type.columns
          : undefined;
  if (length === undefined) return error(s, "XL2012", `${showGiven(s, base)} has no length()`, callee.name.span);
  return exprValue({ kind: "literal", type: scalar("i32"), value: length, span: e.span });
}
