/**
 * cl_intel_subgroups, _char, _short and _long: values go from lane to lane, and in a block of memory lie the first components of all
 * lanes, then the second ones, and so on.
 */
import {
  assign,
  binary,
  builtin,
  comma,
  construct,
  literal,
  load,
  opCall,
  pointerElement,
  swizzleValue,
} from "../../ast/builders.js";
import type { Expr, Place } from "../../ast/nodes.js";
import { isPure, walkExpr } from "../../ast/walk.js";
import type { Span } from "../../support/span.js";
import {
  componentCount,
  isNumeric,
  scalar,
  scalarOf,
  shaped,
  u32,
  type Numeric,
  type ScalarKind,
} from "../../types/types.js";
import { throughPointer } from "../access.js";
import { error, exprValue, shown, type Sema, type Value } from "../context.js";
import { after, kept } from "../held-values.js";
import { convertTo, read } from "../convert.js";
import type { LibraryCall } from "./reader.js";

/** The end of a name says what is in the block. */
const blockKinds: Readonly<Record<string, ScalarKind>> = { "": "u32", _ui: "u32", _uc: "u8", _us: "u16", _ul: "u64" };

export function intelSubgroupCall(
  s: Sema,
  { name, values, span }: Pick<LibraryCall, "name" | "values" | "span">,
): Value | undefined | "none" {
  const block = /^intel_sub_group_block_(read|write)(|_ui|_uc|_us|_ul)(2|4|8|16|)$/.exec(name);
  if (block && values.length === (block[1] === "read" ? 1 : 2))
    return blockAccess(s, values, shaped(blockKinds[block[2]!]!, Number(block[3] || 1)), name, span);
  const way = /^intel_sub_group_shuffle(|_xor|_up|_down)$/.exec(name)?.[1];
  const two = way === "_up" || way === "_down";
  if (way === undefined || values.length !== (two ? 3 : 2)) return "none";
  const x = read(s, values[0]!, span);
  if (!x) return undefined;
  if (!isNumeric(x.type)) return "none";
  const n = values.length;
  const lane = convertTo(s, values[n - 1]!, u32, "argument", span, `argument ${n} of '${name}'`);
  if (!lane) return undefined;
  const first: Expr[] = [];
  const given = two ? convertTo(s, values[1]!, x.type, "argument", span, `argument 2 of '${name}'`) : x;
  if (!given) return undefined;
  const wide = (componentCount(x.type) ?? 1) > 4;
  const held = (e: Expr): Expr => (isPure(e) && !wide ? e : kept(s, e, first, span));
  const [low, high, by] = two ? [held(x), held(given), held(lane)] : [wide ? held(x) : x, x, wide ? held(lane) : lane];
  const shuffled = (part: (e: Expr) => Expr, type: Numeric): Expr => {
    switch (way) {
      case "":
        return opCall("subgroup.shuffle", [part(low), by], type, span);
      case "_xor":
        return opCall("subgroup.shuffle_xor", [part(low), by], type, span);
      // What is moved is the first value or the second one, and the other fills.
      case "_down":
        return opCall("subgroup.shuffle_down_fill_all", [part(low), part(high), by], type, span);
      default:
        return opCall("subgroup.shuffle_up_fill_all", [part(high), part(low), by], type, span);
    }
  };
  if (!wide)
    return exprValue(
      after(
        first,
        shuffled((e) => e, x.type),
        span,
      ),
    );
  const quarter = shaped(scalarOf(x.type)!, 4);
  const parts = Array.from({ length: componentCount(x.type)! / 4 }, (_, i) =>
    shuffled((e) => swizzleValue(e, [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3], span), quarter),
  );
  return exprValue(after(first, construct(x.type, parts, span), span));
}

/** What the stores of a block cannot change: it reads nothing but variables of the lane and where buffers begin. */
function staysTheSame(s: Sema, e: Expr): boolean {
  let same = isPure(e);
  walkExpr(e, {
    expr: (part) => {
      if (part.kind !== "load") return;
      let { place } = part;
      while (place.kind === "element" || place.kind === "member" || place.kind === "swizzle") place = place.base;
      const variable = place.kind === "variable" ? s.variables.get(place.variable)! : undefined;
      if (variable?.space !== "private" && part.type.kind !== "pointer") same = false;
      if (!variable) same = false;
    },
  });
  return same;
}

function blockAccess(s: Sema, values: readonly Value[], type: Numeric, name: string, span: Span): Value | undefined {
  const p = read(s, values[0]!, span);
  if (!p) return undefined;
  const kind = scalarOf(type)!;
  if (p.type.kind !== "pointer" || p.type.pointee.kind !== "scalar" || p.type.pointee.scalar !== kind)
    return error(s, "XL2005", `'${name}' takes a pointer to ${shown(s, scalar(kind))}, not ${shown(s, p.type)}`, span);
  const count = componentCount(type)!;
  const first: Expr[] = [];
  const held = (e: Expr, asIs: boolean): Expr => (asIs ? e : kept(s, e, first, span));
  const base = held(p, values.length === 1 ? isPure(p) : staysTheSame(s, p));
  const place = (i: number): Place => {
    const lane = builtin("lane_id", span);
    if (i === 0) return pointerElement(base, lane, span);
    const lanes = builtin("subgroup_size", span);
    const skipped = i === 1 ? lanes : binary("mul", lanes, literal("u32", i, span), span);
    return pointerElement(base, binary("add", lane, skipped, span), span);
  };
  const all = Array.from({ length: count }, (_, i) => i);
  if (values.length === 1) {
    const parts = all.map((i) => load(place(i), span));
    return exprValue(after(first, count === 1 ? parts[0]! : construct(type, parts, span), span));
  }
  const readOnly = throughPointer(p.type);
  if (readOnly) return error(s, "XL2006", `this cannot be written: ${readOnly}`, span);
  const given = convertTo(s, values[1]!, type, "argument", span, `argument 2 of '${name}'`);
  if (!given) return undefined;
  const value = held(given, count === 1 || staysTheSame(s, given));
  const stores = all.map((i) => assign(place(i), count === 1 ? value : swizzleValue(value, [i], span), span));
  const whole = [...first, ...stores].reduce((left, right) => comma(left, right, span));
  return { type: { kind: "void" }, expr: whole };
}
