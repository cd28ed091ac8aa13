/** OpenCL C: arguments are parameters, ids are functions. */
import { error, leaveOut, notYet, type FunctionState, type Sema } from "../context.js";
import { harmless } from "../alignments.js";
import { addPointer, bindValue, type EntryParameter, type EntryParts } from "../entries.js";
import { addResource, checkBufferType, holdsBool } from "../interface.js";
import { openclCall } from "./opencl-calls.js";
import type { SourceReader } from "./reader.js";
import { variableValue } from "../variable-value.js";

export const openclReader: SourceReader = {
  entryParameter,
  libraryCall: openclCall,
  fileSpace: (s, t, _q, span) => {
    if (t.space === "constant" || (t.constant && t.space === undefined)) return "constant";
    if (t.space === "workgroup") return error(s, "XL2009", "local memory is declared in kernels", span);
    // OpenCL C 3.0 6.7.1: where nothing else is said it is in global memory.
    return "program memory";
  },
};

function entryParameter(
  s: Sema,
  fn: FunctionState,
  p: EntryParameter,
  { resources, declares }: EntryParts,
): true | undefined {
  for (const a of p.attributes)
    if (!harmless(s, a)) return notYet(s, `attribute '${a.name}' of a kernel parameter is`, a.span, leaveOut);
  for (const [word, at] of p.qualifiers.words) return notYet(s, `'${word}' of a parameter is`, at.span);
  const { type } = p.type;
  if (p.type.reference) return notYet(s, "a reference as a kernel parameter is", p.span, "hand over a pointer");
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
  if (holdsBool(s, type)) return error(s, "XL2010", "a struct with a bool cannot be a kernel parameter", p.span);
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
