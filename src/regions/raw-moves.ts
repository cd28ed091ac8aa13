/**
 * Floats that are only moved (loaded, kept, shuffled, chosen, stored, reinterpreted) become unsigned integers of their size, so
 * that a copy keeps its bits: as numbers, the payloads of NaNs would be at the mercy of the engine.
 */
import { f16Bits, f32Bits, f64Bits } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";
import { childrenOf, exprsOf, visitCode, visitExpr } from "./machine.js";
import type { BoundaryForm, Code, Collective, Helper, Local, LocalId, MachineExpr } from "./tree.js";

const bitsKind = (kind: string): ScalarKind | undefined =>
  kind === "f32" ? "u32" : kind === "f16" ? "u16" : kind === "f64" ? "u64" : undefined;

export function rawMoves(form: BoundaryForm): BoundaryForm {
  const raw = new Set<LocalId>();
  const parameters = new Set(form.helpers.flatMap((h) => h.parameters));
  for (const l of form.locals.values()) if (bitsKind(l.scalar) && !parameters.has(l.id)) raw.add(l.id);
  for (const v of form.values) for (const l of v.locals ?? []) raw.delete(l);
  const lists = [form.body, ...form.helpers.map((h) => h.body)];
  let size: number;
  do {
    size = raw.size;
    for (const list of lists) for (const c of list) narrow(c, raw);
  } while (raw.size !== size);
  const reach = connected(lists, raw);
  for (const l of [...raw]) if (!reach.has(l)) raw.delete(l);
  const rewrite = (list: readonly Code[]): Code[] => list.map((c) => rewriteCode(c, raw, rewrite));
  const locals = new Map<LocalId, Local>();
  for (const [id, l] of form.locals) locals.set(id, raw.has(id) ? { ...l, scalar: bitsKind(l.scalar)! } : l);
  const helpers = form.helpers.map((h): Helper => ({ ...h, body: rewrite(h.body) }));
  return { ...form, locals, helpers, body: rewrite(form.body) };
}

/** A value that is some bits taken from elsewhere, or a constant. */
function movable(e: MachineExpr, raw: ReadonlySet<LocalId>): boolean {
  switch (e.kind) {
    case "load":
    case "constant":
      return bitsKind(e.scalar) !== undefined;
    case "local":
      return raw.has(e.local);
    case "choose":
      return movable(e.whenTrue, raw) && movable(e.whenFalse, raw);
    case "reinterpretation":
      return e.from === bitsKind(e.scalar);
    default:
      return false;
  }
}

/** Takes away what is used as a number anywhere in an expression. `moved`: the whole is taken as bits. */
function useExpr(e: MachineExpr, raw: Set<LocalId>, moved: boolean): void {
  if (moved && movable(e, raw)) {
    switch (e.kind) {
      case "local":
      case "constant":
        return;
      case "choose":
        useExpr(e.condition, raw, false);
        useExpr(e.whenTrue, raw, true);
        useExpr(e.whenFalse, raw, true);
        return;
      default:
        for (const c of childrenOf(e)) useExpr(c, raw, false);
        return;
    }
  }
  if (e.kind === "local") {
    raw.delete(e.local);
    return;
  }
  const reinterprets = e.kind === "reinterpretation" && bitsKind(e.from) !== undefined;
  for (const c of childrenOf(e)) useExpr(c, raw, reinterprets);
}

function narrow(c: Code, raw: Set<LocalId>): void {
  const number = (e: MachineExpr): void => useExpr(e, raw, false);
  switch (c.kind) {
    case "declare":
    case "set":
      if (!c.value) return;
      if (raw.has(c.local) && !movable(c.value, raw)) raw.delete(c.local);
      return useExpr(c.value, raw, raw.has(c.local));
    case "store":
      number(c.address.index);
      if (typeof c.address.object !== "number") number(c.address.object);
      return useExpr(c.value, raw, bitsKind(c.scalar) !== undefined);
    case "collective":
      return narrowCollective(c, raw);
    case "atomic":
      if (c.result !== undefined) raw.delete(c.result);
      number(c.address.index);
      c.operands.forEach(number);
      return;
    case "if":
      number(c.condition);
      [...c.then, ...c.else].forEach((x) => narrow(x, raw));
      return;
    case "loop":
      if (c.condition) number(c.condition);
      [...c.head, ...c.body, ...c.step].forEach((x) => narrow(x, raw));
      return;
    case "switch":
      number(c.value);
      c.cases.forEach((k) => k.body.forEach((x) => narrow(x, raw)));
      return;
    case "block":
      c.body.forEach((x) => narrow(x, raw));
      return;
    case "evaluate":
      return number(c.value);
    case "print":
      return c.arguments.forEach(number);
    case "return":
      return c.value ? number(c.value) : undefined;
    default:
      return;
  }
}

/** Data and fill operands have the result's type; they move together or not at all. */
function narrowCollective(c: Collective, raw: Set<LocalId>): void {
  const data = c.operands.filter((e) => e.scalar === c.scalar);
  const together =
    c.moves && c.results.every((l) => raw.has(l)) && data.every((e) => movable(e, raw) && e.kind !== "load");
  if (!together) c.results.forEach((l) => raw.delete(l));
  for (const e of c.operands) useExpr(e, raw, together && e.scalar === c.scalar);
}

/** Locals that bits from memory or from integers can reach; the rest may stay what they are. */
function connected(lists: readonly (readonly Code[])[], raw: ReadonlySet<LocalId>): Set<LocalId> {
  const found = new Set<LocalId>();
  const carries = (e: MachineExpr): boolean =>
    e.kind === "load" ||
    e.kind === "reinterpretation" ||
    (e.kind === "local" && found.has(e.local)) ||
    (e.kind === "choose" && (carries(e.whenTrue) || carries(e.whenFalse)));
  const neighbours = (e: MachineExpr, visit: (l: LocalId) => void): void => {
    if (e.kind === "local") visit(e.local);
    if (e.kind === "choose") [e.whenTrue, e.whenFalse].forEach((x) => neighbours(x, visit));
  };
  let size: number;
  // Of several locals that are moved as one, all hold bits or none does.
  const moved = (value: MachineExpr): void => {
    if (movable(value, raw) && carries(value)) neighbours(value, (l) => found.add(l));
  };
  const look = (c: Code): void => {
    if ((c.kind === "declare" || c.kind === "set") && c.value && raw.has(c.local)) {
      if (carries(c.value)) found.add(c.local);
      // One type for both ends of a copy.
      if (found.has(c.local)) neighbours(c.value, (l) => raw.has(l) && found.add(l));
    }
    if (c.kind === "store") moved(c.value);
    for (const e of exprsOf(c))
      visitExpr(e, (x) => {
        if (x.kind === "reinterpretation" && bitsKind(x.from) !== undefined) moved(x.operand);
      });
    if (c.kind === "collective" && c.results.every((l) => raw.has(l))) {
      const ends = [...c.results];
      for (const e of c.operands) if (e.scalar === c.scalar) neighbours(e, (l) => ends.push(l));
      if (ends.some((l) => found.has(l))) ends.forEach((l) => found.add(l));
    }
  };
  do {
    size = found.size;
    for (const list of lists) visitCode(list, look);
  } while (found.size !== size);
  return found;
}

// ------------------------------------------------------------------ rewriting

function asBits(e: MachineExpr, raw: ReadonlySet<LocalId>): MachineExpr {
  const kind = bitsKind(e.scalar);
  if (kind === undefined) throw new Error("broken tree: bits of no float");
  switch (e.kind) {
    case "constant": {
      const x = Number(e.value);
      return {
        kind: "constant",
        scalar: kind,
        value: kind === "u32" ? f32Bits(x) : kind === "u16" ? f16Bits(x) : f64Bits(x),
      };
    }
    case "local":
      return { ...e, scalar: kind };
    case "load":
      return { ...e, scalar: kind, address: rewriteAddress(e.address, raw) };
    case "choose":
      return {
        ...e,
        scalar: kind,
        condition: rewriteExpr(e.condition, raw),
        whenTrue: asBits(e.whenTrue, raw),
        whenFalse: asBits(e.whenFalse, raw),
      };
    case "reinterpretation":
      return rewriteExpr(e.operand, raw);
    default:
      throw new Error("broken tree: not a move");
  }
}

const rewriteAddress = <A extends { readonly object: number | MachineExpr; readonly index: MachineExpr }>(
  a: A,
  raw: ReadonlySet<LocalId>,
): A => ({
  ...a,
  index: rewriteExpr(a.index, raw),
  ...(typeof a.object === "number" ? {} : { object: rewriteExpr(a.object, raw) }),
});

function rewriteExpr(e: MachineExpr, raw: ReadonlySet<LocalId>): MachineExpr {
  switch (e.kind) {
    case "constant":
    case "local":
    case "builtin":
    case "length":
      return e;
    case "reinterpretation": {
      const bits = bitsKind(e.from);
      if (bits === undefined || !movable(e.operand, raw)) return { ...e, operand: rewriteExpr(e.operand, raw) };
      const moved = asBits(e.operand, raw);
      return e.scalar === bits ? moved : { ...e, from: bits, operand: moved };
    }
    case "conversion":
      return { ...e, operand: rewriteExpr(e.operand, raw) };
    case "operation":
    case "call":
      return { ...e, arguments: e.arguments.map((a) => rewriteExpr(a, raw)) };
    case "choose":
      return {
        ...e,
        condition: rewriteExpr(e.condition, raw),
        whenTrue: rewriteExpr(e.whenTrue, raw),
        whenFalse: rewriteExpr(e.whenFalse, raw),
      };
    case "lazy":
      return { ...e, left: rewriteExpr(e.left, raw), right: rewriteExpr(e.right, raw) };
    case "load":
    case "checked":
      return { ...e, address: rewriteAddress(e.address, raw) };
  }
}

function rewriteCode(c: Code, raw: ReadonlySet<LocalId>, list: (l: readonly Code[]) => Code[]): Code {
  const expr = (e: MachineExpr): MachineExpr => rewriteExpr(e, raw);
  switch (c.kind) {
    case "declare":
      if (!c.value) return c;
      return { ...c, value: raw.has(c.local) ? asBits(c.value, raw) : expr(c.value) };
    case "set":
      return { ...c, value: raw.has(c.local) ? asBits(c.value, raw) : expr(c.value) };
    case "store": {
      const kind = bitsKind(c.scalar);
      const address = rewriteAddress(c.address, raw);
      // A constant alone is no copy and reads better as it is.
      if (kind && c.value.kind !== "constant" && movable(c.value, raw))
        return { ...c, scalar: kind, address, value: asBits(c.value, raw) };
      return { ...c, address, value: expr(c.value) };
    }
    case "atomic":
      return { ...c, address: rewriteAddress(c.address, raw), operands: c.operands.map(expr) };
    case "collective": {
      const kind = bitsKind(c.scalar);
      if (!kind || !c.results.every((l) => raw.has(l)) || c.results.length === 0)
        return { ...c, operands: c.operands.map(expr) };
      return {
        ...c,
        scalar: kind,
        resultScalar: kind,
        operands: c.operands.map((e) => (e.scalar === c.scalar ? asBits(e, raw) : expr(e))),
      };
    }
    case "evaluate":
      return { ...c, value: expr(c.value) };
    case "print":
      return { ...c, arguments: c.arguments.map(expr) };
    case "if":
      return { ...c, condition: expr(c.condition), then: list(c.then), else: list(c.else) };
    case "loop":
      return {
        ...c,
        ...(c.condition ? { condition: expr(c.condition) } : {}),
        head: list(c.head),
        body: list(c.body),
        step: list(c.step),
      };
    case "switch":
      return { ...c, value: expr(c.value), cases: c.cases.map((k) => ({ ...k, body: list(k.body) })) };
    case "block":
      return { ...c, body: list(c.body) };
    case "return":
      return c.value ? { ...c, value: expr(c.value) } : c;
    default:
      return c;
  }
}
