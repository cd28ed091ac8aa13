/**
 * Arrays of buffers as parameters (HLSL): an array of buffers of the file is no value, each of its elements is a resource. A function that
 * takes one is read once more for each array that calls give, with that in the place of the parameter.
 */
import type { Type } from "../types/types.js";
import { objectPointer, type FunctionInfo, type ParameterInfo, type Sema, type Symbol, type Value } from "./context.js";
import { countedBuffer } from "./counted-buffers.js";
import { laterOf, readOnceMore, type ReadAgain } from "./read-again.js";

export const isBufferArray = (s: Sema, type: Type): boolean =>
  type.kind === "array" && (holdsObjects(innermost(type)) || countedBuffer(s, innermost(type)) !== undefined);

/** The type that such an array of the file has, whose buffers are values of another where they have counters. */
function ofFile(s: Sema, type: Type): Type {
  if (type.kind === "array") return { ...type, element: ofFile(s, type.element) };
  const counted = countedBuffer(s, type);
  return counted ? objectPointer(counted) : type;
}

const innermost = (type: Type): Type => (type.kind === "array" ? innermost(type.element) : type);

const holdsObjects = (type: Type): boolean => type.kind === "pointer" && type.object !== undefined;

/** The array that stands in the place of a parameter. */
export const arrayFor = (p: ParameterInfo): Symbol | undefined => (p.buffers === "open" ? undefined : p.buffers);

const isOpen = (p: ParameterInfo): boolean => p.buffers === "open";

/** What an array of buffers of the file, or the value of one of a function's own, is called by among copies of a function. */
const keyOf = ({ buffers, type }: Value): string => buffers?.key ?? (type.kind === "array" ? `of ${type.length}` : "");

/** The function for the arrays of buffers that are among these values; itself, where it takes none. */
export function forArraysOf(s: Sema, f: FunctionInfo, values: readonly Value[]): FunctionInfo {
  const open = f.parameters.map((p, i) => (isOpen(p) ? values[i] : undefined));
  if (!f.parameters.some(isOpen)) return f;
  const later = laterOf(f);
  if (!later || f.parameters.some((p, i) => isOpen(p) && !(open[i] && isBufferArray(s, open[i].type)))) return f;
  const key = open.map((v) => (v ? keyOf(v) : "")).join();
  return readOnceMore(s, f, later, key, () => withArrays(s, f, open));
}

function withArrays(s: Sema, f: FunctionInfo, given: readonly (Value | undefined)[]): ReadAgain {
  const parameters = f.parameters.map((p, i): ParameterInfo => {
    const value = given[i];
    if (!value) return p;
    const { buffers: _open, ...own } = p;
    const declared = value.buffers ? ofFile(s, p.type) : p.type;
    const type = p.type.kind === "array" && p.type.length === undefined ? value.type : declared;
    // One of a function's own is a value like others.
    return { ...own, type, ...(value.buffers ? { buffers: value.buffers.symbol } : {}) };
  });
  const names = [...new Set(given.flatMap((v) => (v?.buffers ? [v.buffers.name] : [])))];
  const isFirst = f.copies === undefined || f.copies.size === 0;
  const name = isFirst || names.length === 0 ? f.name : `${f.name}_${names.join("_")}`;
  return { name, parameters, returnType: f.returnType };
}
