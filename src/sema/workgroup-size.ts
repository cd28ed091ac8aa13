/**
 * The size of workgroups where the text may leave it to specialisation (GLSL 4.60 section 4.4.1.5, GL_KHR_vulkan_glsl):
 * what is given for it, what the text states, and constants that share a number with it.
 */
import { builtin, convert, swizzleValue } from "../ast/builders.js";
import type { EntryPoint, Expr, Module, Resource } from "../ast/nodes.js";
import { rewriteModule } from "../ast/walk.js";
import { isFloat, sameType } from "../types/types.js";
import { evaluate } from "./constants.js";
import { notYet, type Sema } from "./context.js";
import { givenSize } from "./given-constants.js";

type Sizes = readonly [number | undefined, number | undefined, number | undefined];

const byDimension = <T>(of: (dimension: number) => T): readonly [T, T, T] => [of(0), of(1), of(2)];

const known = ([x, y, z]: Sizes): readonly [number, number, number] | undefined =>
  x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];

/** The module with what is known of the size, which is about every entry point of the file. */
export function withWorkgroupSize(s: Sema, module: Module<"canonical">): Module<"canonical"> {
  const { tied, defaults } = tiedConstants(s, module);
  const size = workgroupSize(s, defaults);
  const sized = { ...module, entries: module.entries.map((e) => ({ ...e, ...size })) };
  return tied.size === 0 ? sized : withoutTied(sized, tied);
}

function workgroupSize(s: Sema, defaults: Sizes): Partial<EntryPoint> {
  const { size, ids, span } = s.localSize;
  const stated = byDimension((i) => (ids[i] === undefined ? (size[i] ?? 1) : undefined));
  const whole = known(stated);
  if (whole) return { workgroupSize: whole };
  const written = byDimension((i) => stated[i] ?? size[i] ?? defaults[i]);
  const hint = known(written);
  const given = byDimension((i) => givenSize(s, i));
  if (given.some((n) => n !== undefined))
    return {
      workgroupSize: byDimension((i) => {
        const n = given[i] ?? stated[i];
        if (n !== undefined) return n;
        const rest = written[i] ?? 1;
        const message = `gl_WorkGroupSize.${"xyz"[i]} is ${rest}, its default, since another dimension is settled`;
        s.fixed.push({ kind: "specialisation-default", message, spans: span ? [span] : [] });
        return rest;
      }),
    };
  return {
    workgroupSizeIds: [ids[0], ids[1], ids[2]],
    workgroupSizeStated: stated,
    ...(hint ? { workgroupSizeHint: hint } : {}),
  };
}

/** Constants with the number of a dimension: whoever specialises the one gives the other the same value. */
function tiedConstants(s: Sema, module: Module<"canonical">): { tied: Map<number, number>; defaults: Sizes } {
  const tied = new Map<number, number>();
  const defaults: (number | undefined)[] = [];
  for (const r of module.resources) {
    const dimension = r.kind === "specialization" ? s.localSize.ids.indexOf(r.slot?.number) : -1;
    if (dimension < 0 || r.slot?.number === undefined) continue;
    const v = module.variables.get(r.variable)!;
    if (v.type.kind !== "scalar" || v.type.scalar === "bool" || isFloat(v.type.scalar)) {
      notYet(s, "a constant that is no integer and has the number of the workgroup's size is", v.span);
      continue;
    }
    tied.set(v.id, dimension);
    const value = r.defaultValue && evaluate(s, r.defaultValue);
    if (value !== undefined && Number(value) > 0) defaults[dimension] ??= Number(value);
  }
  return { tied, defaults: [defaults[0], defaults[1], defaults[2]] };
}

/** Such constants are read as the workgroup's size, so that no launch can give the two different values. */
function withoutTied(module: Module<"canonical">, tied: ReadonlyMap<number, number>): Module<"canonical"> {
  const read = (e: Expr): Expr => {
    if (e.kind !== "load" || e.place.kind !== "variable") return e;
    const dimension = tied.get(e.place.variable);
    if (dimension === undefined) return e;
    const size = swizzleValue(builtin("workgroup_size", e.span), [dimension], e.span);
    return sameType(size.type, e.type) ? size : convert(size, e.type, true, e.span);
  };
  const stays = (id: number): boolean => !tied.has(id);
  const made = rewriteModule(module, { expr: read });
  return {
    ...made,
    variables: new Map([...made.variables].filter(([id]) => stays(id))),
    resources: made.resources.filter((r: Resource) => stays(r.variable)),
    entries: made.entries.map((e) => ({ ...e, resources: e.resources.filter(stays) })),
    order: made.order.filter((o) => o.kind !== "resource" || stays(o.variable)),
  };
}
