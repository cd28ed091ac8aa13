/**
 * Arrays of buffers as parameters (HLSL): an array of buffers of the file is no value, each of its elements is a resource. A function that
 * takes one is read once more for each array that calls give, with that in the place of the parameter.
 */
import { isArrayOfPointers, type Type } from "../types/types.js";
import type { FunctionInfo, ParameterInfo, Sema, Symbol, Value } from "./context.js";
import { laterOf, readOnceMore, type ReadAgain } from "./read-again.js";

export const isBufferArray = (type: Type): boolean =>
  isArrayOfPointers(type) && innermost(type).kind === "pointer" && holdsObjects(innermost(type));

const innermost = (type: Type): Type => (type.kind === "array" ? innermost(type.element) : type);

const holdsObjects = (type: Type): boolean => type.kind === "pointer" && type.object !== undefined;

/** The array that stands in the place of a parameter. */
export const arrayFor = (p: ParameterInfo): Symbol | undefined => (p.buffers === "open" ? undefined : p.buffers);

const isOpen = (p: ParameterInfo): boolean => p.buffers === "open";

/** The function for the arrays of buffers that are among these values; itself, where it takes none of the file. */
export function forArraysOf(s: Sema, f: FunctionInfo, values: readonly Value[]): FunctionInfo {
  if (!f.parameters.some(isOpen)) return f;
  const later = laterOf(f);
  const given = f.parameters.map((p, i) => (isOpen(p) ? values[i]?.buffers : undefined));
  if (!later || f.parameters.some((p, i) => isOpen(p) && !given[i])) return f;
  const key = given.map((x) => x?.key ?? "").join();
  return readOnceMore(s, f, later, key, () => withArrays(f, values, given));
}

function withArrays(f: FunctionInfo, values: readonly Value[], given: readonly Value["buffers"][]): ReadAgain {
  const parameters = f.parameters.map((p, i): ParameterInfo => {
    const array = given[i];
    if (!array) return p;
    const open = p.type.kind === "array" && p.type.length === undefined;
    return { ...p, ...(open ? { type: values[i]!.type } : {}), buffers: array.symbol };
  });
  const names = [...new Set(given.flatMap((x) => (x ? [x.name] : [])))];
  const isFirst = f.copies === undefined || f.copies.size === 0;
  return { name: isFirst ? f.name : `${f.name}_${names.join("_")}`, parameters, returnType: f.returnType };
}
