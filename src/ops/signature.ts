/**
 * Signatures of builtins as short strings, for rows (canonical types) and cells (a dialect's types).
 *
 *     T, u32 -> T              operands and result; T is the row's type variable, a scalar or vector
 *     2=B, 1=T, 0=T -> T       a dialect's operand order: the number is the index among the row's values
 *     &T, T -> T               a place (out argument, reference)
 *     T, #4 -> T               an operand of the row that is 4 here: not in the text, written and read only with that value
 *     *T:gw, T, order -> T     a pointer into global or workgroup memory (g w p c), read as the place it points at; it is only
 *                              read through, and may be to const, where it may be one into constant memory, or by r
 *
 * Types: T; S (its scalar); B, I, U, F (bool, i32, u32, f32 of T's shape); Sx4, Mx4 (so many of S, of M's integers); N8, N16, N64 (signed integer of that width and of T's shape); N, M (signed and unsigned integer of T's width
 * and shape, i32 and u32 for bool); W (of T's sign and twice its width); Nt (an OpenCL truth value: i32 0/1 for scalars, 0/-1 of T's width for vectors); H (f16 of T's shape); R (a float of T's width and shape); Z (any integer scalar of 32 bits or more, kept as it is); names
 * such as `u32`, `f32x4`, `void`, and `event`. Words: `order`, `order2` (failure order), `scope`; GLSL's `storage` (which memory is ordered), `semantics` and `semantics2` (orders); `=text` is printed as it stands and not read.
 */
import {
  bitWidth,
  eventType,
  scalarKinds,
  scalar,
  shaped,
  vector,
  voidType,
  type AddressSpace,
  type ScalarKind,
  type Type,
  asSingle,
  isSingle,
} from "../types/types.js";

export interface Parameter {
  readonly mode:
    | "value"
    | "place"
    | "pointer"
    | "order"
    | "order2"
    | "scope"
    | "storage"
    | "semantics"
    | "semantics2"
    | "text"
    | "fixed";
  readonly pattern: string;
  readonly spaces: readonly AddressSpace[];
  /** Of mode "pointer": what it points to is only read. */
  readonly readOnly?: boolean;
  /** Index among the row's values, or among its places. -1 for words and text. */
  readonly index: number;
  /** Of mode "fixed". */
  readonly value?: number;
}

export interface Signature {
  readonly parameters: readonly Parameter[];
  readonly result: string;
  readonly text: string;
  /** True where T occurs: overloads are tried over the operand set. */
  readonly generic: boolean;
}

const spaceLetters: Readonly<Record<string, AddressSpace>> = {
  g: "global",
  w: "workgroup",
  p: "private",
  c: "constant",
};

const words = ["order", "order2", "scope", "storage", "semantics", "semantics2"] as const;

export function parseSignature(text: string): Signature {
  const [left, result] = text.split("->").map((part) => part.trim());
  if (left === undefined || result === undefined) throw new Error(`signature without result: ${text}`);
  let values = 0;
  let places = 0;
  const parameters = (left === "" ? [] : left.split(",")).map((part): Parameter => {
    const piece = part.trim();
    const word = words.find((w) => w === piece);
    if (word) return { mode: word, pattern: "", spaces: [], index: -1 };
    if (piece.startsWith("=")) return { mode: "text", pattern: piece.slice(1), spaces: [], index: -1 };
    if (piece.startsWith("#"))
      return { mode: "fixed", pattern: "u32", spaces: [], index: values++, value: Number(piece.slice(1)) };
    if (piece.startsWith("&")) return { mode: "place", pattern: piece.slice(1), spaces: [], index: places++ };
    if (piece.startsWith("*")) {
      const [pattern, letters] = piece.slice(1).split(":");
      return {
        mode: "pointer",
        pattern: pattern!,
        spaces: [...(letters ?? "gwp")].filter((l) => l !== "r").map((l) => spaceLetters[l]!),
        readOnly: /[cr]/.test(letters ?? ""),
        index: places++,
      };
    }
    const at = piece.match(/^(\d)=(.*)$/);
    if (at) return { mode: "value", pattern: at[2]!, spaces: [], index: Number(at[1]) };
    return { mode: "value", pattern: piece, spaces: [], index: values++ };
  });
  const generic = [...parameters.filter((p) => p.mode !== "text").map((p) => p.pattern), result].some((p) =>
    /^(T|S|B|I|U|F|N|N8|N16|N64|Nt|M|W|H|[SM]x\d+)$/.test(p),
  );
  return { parameters, result, text, generic };
}

const integerOfWidth = (kind: ScalarKind, sign: "i" | "u"): ScalarKind =>
  kind === "bool" ? `${sign}32` : (`${sign}${bitWidth(kind)}` as ScalarKind);

/** The type a pattern stands for, given T. */
export function typeOf(pattern: string, t: Type | undefined): Type {
  const shape = (kind: ScalarKind): Type => {
    if (t?.kind === "scalar") return isSingle(t) ? asSingle(scalar(kind)) : scalar(kind);
    if (t?.kind === "vector") return vector(kind, t.size);
    throw new Error(`pattern ${pattern} without T`);
  };
  const kind = t?.kind === "scalar" || t?.kind === "vector" || t?.kind === "matrix" ? t.scalar : undefined;
  switch (pattern) {
    case "T":
      if (!t) throw new Error("signature needs T");
      return t;
    case "S":
      return scalar(kind!);
    case "B":
      return shape("bool");
    case "I":
      return shape("i32");
    case "U":
      return shape("u32");
    case "F":
      return shape("f32");
    case "H":
      return shape("f16");
    case "R":
      return shape(`f${bitWidth(kind!)}` as ScalarKind);
    case "N":
      return shape(integerOfWidth(kind!, "i"));
    case "Nt":
      return t?.kind === "vector" ? shape(integerOfWidth(kind!, "i")) : scalar("i32");
    case "N8":
    case "N16":
    case "N64":
      return shape(`i${pattern.slice(1)}` as ScalarKind);
    case "M":
      return shape(integerOfWidth(kind!, "u"));
    case "W":
      return shape(`${kind![0]}${2 * bitWidth(kind!)}` as ScalarKind);
    case "void":
      return voidType;
    case "event":
      return eventType;
    default: {
      const [name, size] = pattern.split("x");
      if (name === "S" || name === "M") return shaped(name === "S" ? kind! : integerOfWidth(kind!, "u"), Number(size));
      if (!(scalarKinds as readonly string[]).includes(name!)) throw new Error(`unknown type pattern ${pattern}`);
      return shaped(name as ScalarKind, size === undefined ? 1 : Number(size));
    }
  }
}

/** T, where `type` stands for `pattern`; undefined where the pattern does not determine it. */
export function solve(pattern: string, type: Type): Type | undefined {
  if (pattern !== "T") return undefined;
  return type.kind === "vector" && type.packed ? vector(type.scalar, type.size) : type;
}
