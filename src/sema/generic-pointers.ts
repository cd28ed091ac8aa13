/**
 * Pointers of OpenCL C that name no address space point into any but constant memory (OpenCL C 3.0 6.7.5): a function that takes
 * such pointers is read once more for the spaces that a call gives, where it does not take those as it stands.
 */
import type { AddressSpace, Type } from "../types/types.js";
import { placeSpace, type FunctionInfo, type Sema, type Value } from "./context.js";

const words: Partial<Record<AddressSpace, string>> = { global: "global", workgroup: "local", private: "private" };

function spaceGiven(s: Sema, v: Value): AddressSpace | undefined {
  if (v.type.kind === "pointer") return v.type.space;
  return v.type.kind === "array" && v.place ? placeSpace(s, v.place) : undefined;
}

const inSpace = (type: Type, space: AddressSpace): Type => (type.kind === "pointer" ? { ...type, space } : type);

/** The function of these whose pointers without a space are in those of the values. */
export function inSpacesOf(s: Sema, overloads: readonly FunctionInfo[], values: readonly Value[]): FunctionInfo[] {
  return overloads.flatMap((f) => {
    if (!f.generic || f.parameters.length !== values.length) return [];
    const spaces = f.parameters.map((p, i) => (p.openSpace ? spaceGiven(s, values[i]!) : undefined));
    const moved = spaces.filter((x) => x !== undefined);
    if (moved.length === 0 || moved.some((x) => !words[x])) return [];
    const key = spaces.map((x) => x ?? "").join();
    const made = f.generic.copies.get(key) ?? copied(s, f, f.generic, spaces, moved);
    f.generic.copies.set(key, made);
    return [made];
  });
}

function copied(
  s: Sema,
  f: FunctionInfo,
  { declaration, scope, returnsOpen }: NonNullable<FunctionInfo["generic"]>,
  spaces: readonly (AddressSpace | undefined)[],
  moved: readonly AddressSpace[],
): FunctionInfo {
  const parameters = f.parameters.map((p, i) => {
    const space = spaces[i];
    return space === undefined ? p : { ...p, type: inSpace(p.type, space) };
  });
  const name = `${f.name}_${[...new Set(moved)].map((x) => words[x]!).join("_")}`;
  const info: FunctionInfo = {
    id: s.functions.length,
    name,
    parameters,
    returnType: returnsOpen ? inSpace(f.returnType, moved[0]!) : f.returnType,
    span: f.span,
    defined: false,
    calls: new Map(),
    inSpaces: true,
    later: {
      declaration,
      outer: declaration,
      scope,
      shown: name,
      visibleBefore: undefined,
    },
  };
  s.functions.push(info);
  return info;
}
