/** HLSL: resources are objects at file scope, ids are parameters with semantics. */
import { construct } from "../../ast/builders.js";
import type { BuiltinId, Declare, Expr } from "../../ast/nodes.js";
import { defaultHlslVersion } from "../../dialects/language.js";
import { namesNarrowTypes } from "../../dialects/words.js";
import { idOfSemantic, isVectorId } from "../../ops/ids.js";
import type { Span } from "../../support/span.js";
import type { StructType } from "../../types/types.js";
import { error, exprValue, notYet, type FunctionState, type Sema, type Value } from "../context.js";
import { bindId, bindValue, idValueAs, type EntryParameter, type EntryParts } from "../entries.js";
import { declareCbuffer, declareHlslObject, hlslUniform, isHlslObject } from "./hlsl-interface.js";
import type { SourceReader } from "./reader.js";

export const hlslReader: SourceReader = {
  variant: (source, { hlslVersion = defaultHlslVersion }) => ({
    openLiterals: hlslVersion !== "202x",
    eager: Number(hlslVersion) < 2021,
    conditionalAsCpp: hlslVersion === "202x",
    narrowTypes: namesNarrowTypes(source.text),
  }),
  entryParameter,
  fileSpace: (_s, t, q) => (t.space === "workgroup" ? "workgroup" : t.constant && q.static ? "constant" : "private"),
  fileVariable: (s, v) => (v.q.static || v.t.space === "workgroup" ? "none" : hlslUniform(s, v)),
  fileDeclaration: (s, d) => {
    if (!d.specifier || !isHlslObject(d.specifier)) return false;
    declareHlslObject(s, d, d.specifier);
    return true;
  },
  block: declareCbuffer,
};

const idKinds = ["u32", "i32"];
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
