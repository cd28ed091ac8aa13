/** The text form of trees by its parts: names, numbers, types, JSON. */
import {
  array,
  matrix,
  pointer,
  eventType,
  scalar,
  scalarKinds,
  struct,
  vector,
  type AddressSpace,
  type PointerType,
  type Type,
  type VectorType,
} from "../../types/types.js";

export const spaces: readonly AddressSpace[] = ["global", "workgroup", "private", "constant"];
const name = /`[^`]*`(#\d+)?|[A-Za-z_]\w*(#\d+)?/y;

/** Text by characters: blanks and comments between what is asked for are passed over. */
export class Scanner {
  at = 0;
  constructor(readonly text: string) {}

  fail(message: string): never {
    const before = this.text.slice(0, this.at).split("\n");
    const found = this.text.slice(this.at, this.at + 30).split("\n")[0];
    throw new Error(`${before.length}:${before.at(-1)!.length + 1}: ${message}, and there is ${found || "the end"}`);
  }

  blanks(): void {
    const blank = /(?:\s+|\/\/[^\n]*)*/y;
    blank.lastIndex = this.at;
    blank.exec(this.text);
    this.at = blank.lastIndex;
  }

  match(pattern: RegExp): RegExpExecArray | undefined {
    this.blanks();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }

  /** A sign or a whole word. */
  take(expected: string): boolean {
    this.blanks();
    if (!this.text.startsWith(expected, this.at)) return false;
    if (/\w$/.test(expected) && /\w/.test(this.text[this.at + expected.length] ?? "")) return false;
    this.at += expected.length;
    return true;
  }

  see(expected: string): boolean {
    const { at } = this;
    const found = this.take(expected);
    this.at = at;
    return found;
  }

  must(expected: string): void {
    if (!this.take(expected)) this.fail(`${expected} is wanted`);
  }

  one<const T extends string>(words: readonly T[]): T | undefined {
    return words.find((w) => this.take(w));
  }

  word<const T extends string>(words: readonly T[]): T {
    return this.one(words) ?? this.fail(`one of ${words.join(", ")} is wanted`);
  }

  name(): string {
    return this.match(name)?.[0] ?? this.fail("a name is wanted");
  }

  integer(): number {
    return Number(this.wholeNumber());
  }

  /** Of any size. */
  wholeNumber(): bigint {
    return BigInt(this.match(/-?\d+/y)?.[0] ?? this.fail("a whole number is wanted"));
  }

  /** A string, a list or an object of JSON. */
  json<T>(revive?: (key: string, value: unknown) => unknown): T {
    this.blanks();
    const start = this.at;
    let depth = 0;
    do {
      const piece = this.match(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]|[^"[\]{}]+/y)?.[0] ?? this.fail("JSON is wanted");
      if (piece === "{" || piece === "[") depth++;
      else if (piece === "}" || piece === "]") depth--;
    } while (depth > 0);
    return JSON.parse(this.text.slice(start, this.at), revive) as T;
  }
}

/** The name without its number and backquotes. */
export const plain = (text: string): string => text.replace(/#\d+$/, "").replace(/^`(.*)`$/, "$1");

export function readType(text: string): Type {
  return typeFrom(new Scanner(text));
}

export function typeFrom(s: Scanner): Type {
  let type = baseType(s);
  while (s.text[s.at] === "[") {
    s.at++;
    const length = s.see("]") ? undefined : s.integer();
    s.must("]");
    type = array(type, length);
  }
  return type;
}

/** `<StructuredBuffer>` of a buffer as a value, `<block Numbers>` of a reference to a block, `<reference>` of a member that is one. */
export function pointedFrom(s: Scanner): Pick<PointerType, "object" | "block" | "reference"> {
  if (!s.take("<")) return {};
  const [, before, name] =
    s.match(/((?:whole )?block )?([^<>]+)>/y) ?? s.fail("what a pointer is in the source is wanted");
  if (before) return { block: { name: name!, whole: before.startsWith("whole") } };
  return name === "reference" ? { reference: true } : { object: name! };
}

function baseType(s: Scanner): Type {
  const space = s.one(spaces);
  if (space) {
    const readOnly = s.take("const");
    const pointee = typeFrom(s);
    s.must("*");
    return { ...pointer(pointee, space, readOnly), ...pointedFrom(s) };
  }
  if (s.take("struct")) return struct(plain(s.name()));
  if (s.take("union")) return { ...struct(plain(s.name())), union: true };
  if (s.take("void")) return { kind: "void" };
  if (s.take("event")) return eventType;
  const minimum = s.take("min");
  const size = s.take("size");
  const packed = s.take("packed");
  const found = s.match(/(bool|bf16|[iuf]\d+)(?:x(\d+)|m(\d)x(\d))?(?!\w)/y) ?? s.fail("a type is wanted");
  const kind = scalarKinds.find((k) => k === found[1]) ?? s.fail("a type is wanted");
  const marks = minimum ? { minimum } : {};
  if (found[2]) return { ...vector(kind, Number(found[2]) as VectorType["size"], packed), ...marks };
  if (found[3]) return { ...matrix(kind, Number(found[3]) as 2, Number(found[4]) as 2), ...marks };
  return { ...scalar(kind), ...marks, ...(size ? { size } : {}) };
}
