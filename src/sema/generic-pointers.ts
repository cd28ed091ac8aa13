/**
 * Pointers of OpenCL C, and pointers and references of C++ for OpenCL, that name no address space point into any but constant memory
 * (OpenCL C 3.0 6.7.5; C++ for OpenCL 1.3): a function that takes such is read once more for the spaces that a call gives, where it does
 * not take those as it stands. What else is declared as such a pointer (a variable, a member, the elements of an array, a result, what a
 * pointer to a pointer leads to) leads where it is set to; one that has only been null so far is into private memory until the file is
 * read again with what was found (`Sema.led`, by declarations). The types of such pointers say what they are declared as (`open`).
 */
import { bitcast, nullPointer } from "../ast/builders.js";
import type { Expr } from "../ast/nodes.js";
import { sameType, type AddressSpace, type PointerType, type Type } from "../types/types.js";
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
  // Null gives none, nor does a pointer that has only been null so far.
  if (v.expr?.kind === "null-pointer") return undefined;
  if (innermost(v.type)) return settledSpace(s, v.type);
  return v.type.kind === "array" && v.place ? placeSpace(s, v.place) : undefined;
}

/** The pointer at the end of pointers to pointers and arrays of them: the others lead to private memory. */
export function innermost(type: Type): PointerType | undefined {
  if (type.kind === "array") return innermost(type.element);
  return type.kind === "pointer" ? (innermost(type.pointee) ?? type) : undefined;
}

function withInnermost(type: Type, change: (p: PointerType) => PointerType): Type {
  if (type.kind === "array") return { ...type, element: withInnermost(type.element, change) };
  if (type.kind !== "pointer") return type;
  return innermost(type.pointee) ? { ...type, pointee: withInnermost(type.pointee, change) } : change(type);
}

export const inSpace = (type: Type, space: AddressSpace): Type => withInnermost(type, (p) => ({ ...p, space }));

/** The type of a pointer into that memory, unless it was found to lead elsewhere. */
export const inSpaceUnlessLed = (s: Sema, type: Type, space: AddressSpace): Type =>
  withInnermost(type, (p) => (p.open && ledSpace(s, p.open) ? p : { ...p, space }));

/** Where what is declared so leads, as far as it was found. */
const ledSpace = (s: Sema, declaration: string): AddressSpace | undefined =>
  s.led.get(declaration) ?? s.begun.get(declaration);

/** Whether it is, or leads to, a pointer that names no address space. */
export const isOpenPointer = (type: Type): boolean => innermost(type)?.open !== undefined;

/** The type of what is declared with such a pointer, which leads where it was found to lead, else to `space`. */
export function openAs(s: Sema, type: Type, declaration: string, space: AddressSpace = "private"): Type {
  if (!isOpenPointer(type)) return type;
  return withInnermost(type, (p) => ({ ...p, space: s.led.get(declaration) ?? space, open: declaration }));
}

/** It has only been null so far. What a function returns is first taken to lead where its first argument does. */
const isUnset = (s: Sema, { open, space }: PointerType): boolean =>
  !!open && ledSpace(s, open) === undefined && space === "private";

/** Where a pointer leads, unless it has only been null so far. */
export function settledSpace(s: Sema, type: Type): AddressSpace | undefined {
  const p = innermost(type);
  return p && isUnset(s, p) ? undefined : p?.space;
}

/** The type of a pointer that leads there for good. */
export const ledTo = (type: Type, space: AddressSpace): Type =>
  withInnermost(type, (p) => ({ ...p, space, ...(p.open === undefined ? {} : { open: "" }) }));

/** The type of a variable that begins as a pointer into that memory, unless it was found to lead elsewhere. */
export function begunIn(s: Sema, type: Type, space: AddressSpace): Type {
  const open = innermost(type)?.open;
  if (!open) return ledTo(type, space);
  if (s.led.has(open)) return type;
  s.begun.set(open, space);
  return inSpace(type, space);
}

/** What is declared in the function that is being read, as often as that is read. */
export function declaredHere(s: Sema, span: Span): string {
  const info = s.fn?.info;
  return `${info ? `${info.span.start} ${info.name} ${info.inSpaces ?? ""} ` : ""}${span.start}`;
}

/** Where something is declared to lead to another space than a pointer that is given for it: whether one of them can lead where the other does. */
export function mayMeet(from: Type, to: Type): boolean {
  const [a, b] = [innermost(from), innermost(to)];
  if (!a || !b || a.space === b.space || (!a.open && !b.open)) return false;
  return words[a.space] !== undefined && words[b.space] !== undefined;
}

/**
 * A pointer where one into another space is wanted: null is in any; one that has only been null leads where the other does from the next
 * reading on, and nothing is made now; else it leads into two: the tree has a cast from one to the other. "other" where this says nothing of it.
 */
export function inOtherSpace(s: Sema, e: Expr, to: Type, span: Span): Expr | undefined | "other" {
  const [a, b] = [innermost(e.type), innermost(to)];
  if (!a || !b || a.space === b.space || (a.open === undefined && b.open === undefined)) return "other";
  if (e.kind === "null-pointer" && to.kind === "pointer") return nullPointer(to, e.span);
  if (leads(s, a, b)) {
    s.leftOut ??= span;
    return undefined;
  }
  if (b.open !== undefined && a === e.type && b === to && words[a.space] && words[b.space])
    return bitcast(e, { ...a, space: b.space, open: "" }, span);
  if (meet(s, a, b)) {
    s.leftOut ??= span;
    return undefined;
  }
  return intoTwoSpaces(s, to, e.type, span) ? undefined : "other";
}

/**
 * Of two pointers that pointers to them may not tell apart one is declared to lead where the other does, from the next reading on: what it
 * is given then is cast. It is the one that comes later among the memories, so that readings come to an end.
 */
function meet(s: Sema, a: PointerType, b: PointerType): boolean {
  const rank = ({ space }: PointerType): number => memories.indexOf(space);
  const [first, later] = rank(a) < rank(b) ? [a, b] : [b, a];
  if (rank(first) < 0 || !later.open || !sameType(a.pointee, b.pointee)) return false;
  s.led.set(later.open, first.space);
  s.met.add(`${later.open} ${first.space}`);
  return true;
}
const memories: readonly AddressSpace[] = ["global", "workgroup", "private"];

/** Of a pointer and of what it is given for one leads where the other does, from the next reading on. */
function leads(s: Sema, a: PointerType, b: PointerType): boolean {
  // Found by this reading: what it leads to is said by the next.
  if ([a, b].some(({ open, space }) => open && (ledSpace(s, open) ?? space) !== space)) return true;
  const isLeft = ({ open }: PointerType): boolean => !!open && ledSpace(s, open) === undefined;
  const [one, other] = isLeft(b) ? [b, a] : [a, b];
  if (!isLeft(one) || (one === a && !isUnset(s, a)) || !words[other.space]) return false;
  s.led.set(one.open!, other.space);
  return true;
}

/** The function for the spaces in which these values lie: itself, where it takes them so. */
export function inSpacesOf(s: Sema, f: FunctionInfo, values: readonly Value[]): FunctionInfo {
  const later = f.inSpaces || f.parameters.every((p) => !p.openSpace) ? undefined : laterOf(f);
  if (!later || f.parameters.length < values.length) return f;
  const spaces = values.map((v, i) => (f.parameters[i]!.openSpace ? spaceGiven(s, f.parameters[i]!, v) : undefined));
  const moved = spaces.filter((x) => x !== undefined);
  if (moved.every((x) => x === "private") || moved.some((x) => !words[x])) return f;
  const key = spaces.map((x) => x ?? "").join();
  return readOnceMore(s, f, later, key, () => inThose(s, f, later, spaces, moved, key));
}

function inThose(
  s: Sema,
  f: FunctionInfo,
  later: LaterBody,
  spaces: readonly (AddressSpace | undefined)[],
  moved: readonly AddressSpace[],
  key: string,
): ReadAgain {
  const own = (part: string | number): string => `${f.span.start} ${f.name} ${key} ${part}`;
  const parameters = f.parameters.map((p, i): ParameterInfo => {
    const space = spaces[i];
    if (space === undefined) return p.mode === "ref" ? p : { ...p, type: openAs(s, p.type, own(i)) };
    return p.mode === "ref" ? { ...p, space, moved: true } : { ...p, type: ledTo(p.type, space), moved: true };
  });
  // Null fits all of them: those of several pointers are told apart by what each leads to.
  const led = parameters.flatMap((p, i) =>
    p.mode === "ref" ? (spaces[i] ?? []) : f.parameters[i]!.openSpace ? (innermost(p.type)?.space ?? []) : [],
  );
  return {
    name: `${f.name}_${[...(new Set(led).size > 1 ? led : new Set(led))].map((x) => words[x]!).join("_")}`,
    parameters,
    // What a method returns lies where its object does.
    returnType:
      f.returnsOpen && later.method === undefined
        ? f.returnsReference
          ? inSpace(f.returnType, moved[0]!)
          : openAs(s, f.returnType, own("result"), moved[0])
        : f.returnType,
    inSpaces: key,
  };
}

/**
 * A pointer that names no address space and leads into one or the other when the kernel runs, which is refused: a problem says so, where the
 * two types are of such.
 */
export function intoTwoSpaces(s: Sema, first: Type, second: Type, span: Span): boolean {
  const [a, b] = [innermost(first), innermost(second)];
  if (s.reading.declarations.pointerSpaces === "written" || !a || !b) return false;
  const [one, other] = [words[a.space], words[b.space]];
  if (!one || !other || one === other || !sameType(a.pointee, b.pointee)) return false;
  const help = "choose between the values, or call a function once for each";
  notYet(s, `a pointer that leads into ${one} or into ${other} memory is`, span, help);
  return true;
}
