/**
 * Pointers of OpenCL C, and pointers and references of C++ for OpenCL, that name no address space point into any but constant memory
 * (OpenCL C 3.0 6.7.5; C++ for OpenCL 1.3): a function that takes such is read once more for the spaces that a call gives, where it does
 * not take those as it stands.
 */
import { sameType, type AddressSpace, type Type } from "../types/types.js";
import { placeSpace, type FunctionInfo, type LaterBody, type ParameterInfo, type Sema, type Value } from "./context.js";
import { laterOf, readOnceMore, type ReadAgain } from "./read-again.js";

const words: Partial<Record<AddressSpace, string>> = { global: "global", workgroup: "local", private: "private" };

function spaceGiven(s: Sema, p: ParameterInfo, v: Value): AddressSpace | undefined {
  if (p.mode === "ref") {
    // What is made of an object of another type lies in private memory.
    const refers = sameType(v.type, p.type) || (v.type.kind === "struct" && p.type.kind === "struct");
    const space = v.place && refers ? placeSpace(s, v.place) : undefined;
    return space === p.space ? undefined : space;
  }
  if (v.type.kind === "pointer") return v.type.space;
  return v.type.kind === "array" && v.place ? placeSpace(s, v.place) : undefined;
}

export const inSpace = (type: Type, space: AddressSpace): Type => (type.kind === "pointer" ? { ...type, space } : type);

/** The function for the spaces in which these values lie: itself, where it takes them so. */
export function inSpacesOf(s: Sema, f: FunctionInfo, values: readonly Value[]): FunctionInfo {
  const later = f.inSpaces || f.parameters.every((p) => !p.openSpace) ? undefined : laterOf(f);
  if (!later || f.parameters.length < values.length) return f;
  const spaces = values.map((v, i) => (f.parameters[i]!.openSpace ? spaceGiven(s, f.parameters[i]!, v) : undefined));
  const moved = spaces.filter((x) => x !== undefined);
  if (moved.every((x) => x === "private") || moved.some((x) => !words[x])) return f;
  const key = spaces.map((x) => x ?? "").join();
  return readOnceMore(s, f, later, key, () => inThose(f, later, spaces, moved));
}

function inThose(
  f: FunctionInfo,
  later: LaterBody,
  spaces: readonly (AddressSpace | undefined)[],
  moved: readonly AddressSpace[],
): ReadAgain {
  const parameters = f.parameters.map((p, i): ParameterInfo => {
    const space = spaces[i];
    if (space === undefined) return p;
    return p.mode === "ref" ? { ...p, space, moved: true } : { ...p, type: inSpace(p.type, space), moved: true };
  });
  return {
    name: `${f.name}_${[...new Set(moved)].map((x) => words[x]!).join("_")}`,
    parameters,
    // What a method returns lies where its object does.
    returnType: f.returnsOpen && later.method === undefined ? inSpace(f.returnType, moved[0]!) : f.returnType,
    inSpaces: true,
  };
}
