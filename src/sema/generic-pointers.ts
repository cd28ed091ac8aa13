/**
 * Pointers of OpenCL C, and pointers and references of C++ for OpenCL, that name no address space point into any but constant memory
 * (OpenCL C 3.0 6.7.5; C++ for OpenCL 1.3): a function that takes such is read once more for the spaces that a call gives, where it does
 * not take those as it stands.
 */
import type { Module, Place } from "../ast/nodes.js";
import { rewriteModule } from "../ast/walk.js";
import { sameType, type AddressSpace, type Type } from "../types/types.js";
import {
  notYet,
  placeSpace,
  type FunctionInfo,
  type LaterBody,
  type ParameterInfo,
  type Sema,
  type Value,
} from "./context.js";
import type { Span } from "../support/span.js";
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

/**
 * A pointer that names no address space and leads into one or the other when the kernel runs, which is refused: a problem says so, where the
 * two types are of such.
 */
export function intoTwoSpaces(s: Sema, a: Type, b: Type, span: Span): boolean {
  if (s.reading.declarations.pointerSpaces === "written" || a.kind !== "pointer" || b.kind !== "pointer") return false;
  const [one, other] = [words[a.space], words[b.space]];
  if (!one || !other || one === other || !sameType(a.pointee, b.pointee)) return false;
  const help = "choose between the values, or call a function once for each";
  notYet(s, `a pointer that leads into ${one} or into ${other} memory is`, span, help);
  return true;
}

/** A pointer that names no address space, leads nowhere from the start, and is named here for the first time: it leads where what it is set to does. */
export function inFirstSpace(s: Sema, place: Place & { kind: "variable" }, given: Type): Place & { kind: "variable" } {
  const { type } = place;
  const isFirst = s.openPointers.get(place.variable) === 1;
  if (!isFirst || type.kind !== "pointer" || given.kind !== "pointer" || !words[given.space]) return place;
  const led = inSpace(type, given.space);
  s.variables.set(place.variable, { ...s.variables.get(place.variable)!, type: led });
  return { ...place, type: led };
}

/** What such pointers begin as, where they have been led elsewhere. */
export function withNullsInSpaces(s: Sema, module: Module<"canonical">): Module<"canonical"> {
  if (s.openPointers.size === 0) return module;
  return rewriteModule(module, {
    statement(st) {
      if (st.kind !== "declare" || st.initializer?.kind !== "null-pointer") return st;
      const { type } = module.variables.get(st.variable)!;
      return sameType(type, st.initializer.type) ? st : { ...st, initializer: { ...st.initializer, type } };
    },
  });
}
