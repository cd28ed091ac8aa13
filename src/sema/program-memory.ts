/**
 * Global memory of the program (OpenCL C 3.0 6.7.1): variables at file scope that begin as their initialisers say, or as zeros, and last
 * from launch to launch. Those that no kernel of the file changes are constants, others buffers (file-variables.ts). Whether one does is
 * asked of the whole text, since kernels are read one by one and what one writes another would read in a later launch.
 */
import { ConstantScope, type ConstantValue } from "../ast/constant-values.js";
import type { Expr } from "../ast/nodes.js";
import type { Span } from "../support/span.js";
import { arrayStride, layoutOf, memberOffsets, type LayoutRule } from "../types/layout.js";
import { bitsOfFloat } from "../types/numeric.js";
import { wordPattern, wordUses } from "../support/scan.js";
import { bitWidth, isFloat, type ScalarKind, type Type } from "../types/types.js";
import type { Sema } from "./context.js";

/** The type of a struct's member. */
type MemberType = (struct: string, member: string) => Type | undefined;

/**
 * Whether a variable, by name and type, may be written, or its address taken, anywhere but at its declaration: too often rather than
 * too seldom.
 */
export function mayChange(
  text: string,
  { name, span: declared }: { readonly name: string; readonly span: Span },
  type: Type,
  memberType: MemberType,
): boolean {
  for (const { index } of wordUses(text, name)) {
    if (index === declared.start) continue;
    const { at, named } = behind(text, index + name.length, type, memberType);
    const rest = text.slice(at, at + 4);
    if (/^(?:=(?!=)|\+\+|--|(?:[-+*/%&|^]|<<|>>)=)/.test(rest)) return true;
    // An array itself is the address of its first element.
    if (named?.kind === "array") return true;
    if (isChangedBy(text.slice(Math.max(0, index - 200), index))) return true;
  }
  return false;
}

const memberName = new RegExp(String.raw`^\.\s*(${wordPattern})`, "u");

/** The end of what is named, behind indices, members and parentheses that close, and its type; undefined: no whole object. */
function behind(
  text: string,
  from: number,
  type: Type,
  memberType: MemberType,
): { readonly at: number; readonly named: Type | undefined } {
  let at = from;
  let named: Type | undefined = type;
  for (;;) {
    at += /^\s*/.exec(text.slice(at, at + 200))![0].length;
    const member = memberName.exec(text.slice(at, at + 200));
    if (text[at] === "[") {
      named = named?.kind === "array" ? named.element : undefined;
      at = closing(text, at) + 1;
    } else if (member) {
      named = named?.kind === "struct" ? memberType(named.name, member[1]!) : undefined;
      at += member[0].length;
    } else if (text[at] === ")") at++;
    else return { at, named };
  }
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && --depth === 0) return at;
  }
  return text.length;
}

/** `&x`, `++x`, `--(x)`: a `&` behind a name, a number or an index joins two values. */
function isChangedBy(before: string): boolean {
  const plain = before.replace(/[\s(]+$/, "");
  if (/(?:\+\+|--)$/.test(plain)) return true;
  if (!/&$/.test(plain) || /&&$/.test(plain)) return false;
  const left = plain.slice(0, -1).trimEnd();
  return !/[\p{XID_Continue}$\]]$/u.test(left) || /\b(?:return|case|sizeof)$/.test(left);
}

/** The bytes of a constant as it lies in memory, in hexadecimal digits; undefined where its value is not known here. */
export function beginning(s: Pick<Sema, "constants" | "structs">, e: Expr, rule: LayoutRule): string | undefined {
  const value = new ConstantScope(s.constants, s.structs).valueOf(e);
  if (value === undefined) return undefined;
  const bytes = new Uint8Array(layoutOf(e.type, rule, s.structs).size);
  const view = new DataView(bytes.buffer);
  const put = (v: ConstantValue, type: Type, at: number): boolean => {
    if (type.kind === "scalar") return !Array.isArray(v) && putScalar(view, at, type.scalar, v as never);
    if (!Array.isArray(v)) return false;
    const parts = v as readonly ConstantValue[];
    switch (type.kind) {
      case "array": {
        const stride = arrayStride(type.element, rule, s.structs);
        return parts.length === type.length && parts.every((x, i) => put(x, type.element, at + i * stride));
      }
      case "vector": {
        const one: Type = { kind: "scalar", scalar: type.scalar };
        return parts.length === type.size && parts.every((x, i) => put(x, one, at + (i * bitWidth(type.scalar)) / 8));
      }
      case "struct": {
        const declared = s.structs.get(type.name)!;
        if (type.union || parts.length !== declared.members.length) return false;
        const offsets = memberOffsets(declared, rule, s.structs);
        return parts.every((x, i) => put(x, declared.members[i]!.type, at + offsets[i]!));
      }
      default:
        return false;
    }
  };
  if (!put(value, e.type, 0)) return undefined;
  if (bytes.every((b) => b === 0)) return "zeros";
  return `0x${Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("")}`;
}

function putScalar(view: DataView, at: number, kind: ScalarKind, value: number | bigint | boolean): boolean {
  const bits = isFloat(kind) ? bitsOfFloat(kind, Number(value)) : value;
  const bytes = kind === "bool" ? 1 : bitWidth(kind) / 8;
  let rest = BigInt.asUintN(8 * bytes, BigInt(bits));
  for (let i = 0; i < bytes; i++, rest >>= 8n) view.setUint8(at + i, Number(rest & 255n));
  return true;
}
