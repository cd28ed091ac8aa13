/**
 * Floats that are only moved (loaded, kept, given to and by functions, shuffled, chosen, stored, reinterpreted) become unsigned
 * integers of their size, so that a copy keeps its bits: as numbers, the payloads of NaNs would be at the mercy of the engine. What
 * is a number anywhere is one everywhere: a NaN of it has the canonical bits wherever it is stored or reinterpreted.
 */
import { f16Bits, f32Bits, f64Bits } from "../types/numeric.js";
import type { ScalarKind } from "../types/types.js";
import { childrenOf, exprsOf, visitCode, visitExpr } from "./machine.js";
import type { BoundaryForm, Code, Collective, Helper, HelperCall, Local, LocalId, MachineExpr } from "./tree.js";

const bitsKind = (kind: string): ScalarKind | undefined =>
  kind === "f32" ? "u32" : kind === "f16" ? "u16" : kind === "f64" ? "u64" : undefined;

/** What a helper gives stands among the locals, as one that each `return` sets and each call reads. */
const resultOf = (helper: number): LocalId => -1 - helper;

/** Locals and results of helpers that hold bits, and the parameters by which bits come in. */
interface Raw {
  readonly held: Set<LocalId>;
  readonly helpers: readonly Helper[];
}

/** Code and the result that its `return` sets. */
interface Part {
  readonly body: readonly Code[];
  readonly result: LocalId | undefined;
}

export function rawMoves(form: BoundaryForm): BoundaryForm {
  const { helpers } = form;
  const held = new Set<LocalId>();
  for (const l of form.locals.values()) if (bitsKind(l.scalar)) held.add(l.id);
  for (const v of form.values) for (const l of v.locals ?? []) held.delete(l);
  helpers.forEach((h, i) => h.result !== undefined && bitsKind(h.result) && held.add(resultOf(i)));
  const raw: Raw = { held, helpers };
  const parts: Part[] = [
    { body: form.body, result: undefined },
    ...helpers.map((h, i): Part => ({ body: h.body, result: resultOf(i) })),
  ];
  let size: number;
  do {
    size = held.size;
    for (const part of parts) for (const c of part.body) narrow(c, raw, part.result);
  } while (held.size !== size);
  const reach = connected(parts, raw);
  for (const l of [...held]) if (!reach.has(l)) held.delete(l);
  const rewritten = (part: Part): Code[] => {
    const list = (l: readonly Code[]): Code[] => l.map((c) => rewriteCode(c, raw, part.result, list));
    return list(part.body);
  };
  const [body, ...bodies] = parts.map(rewritten);
  const locals = new Map<LocalId, Local>();
  for (const [id, l] of form.locals) locals.set(id, held.has(id) ? { ...l, scalar: bitsKind(l.scalar)! } : l);
  return {
    ...form,
    locals,
    helpers: helpers.map((h, i): Helper => ({
      ...h,
      body: bodies[i]!,
      result: h.result !== undefined && held.has(resultOf(i)) ? bitsKind(h.result) : h.result,
    })),
    body: body!,
  };
}

/** A value that is some bits taken from elsewhere, or a constant. */
function movable(e: MachineExpr, raw: Raw): boolean {
  switch (e.kind) {
    case "load":
    case "constant":
      return bitsKind(e.scalar) !== undefined;
    case "local":
      return raw.held.has(e.local);
    case "call":
      return raw.held.has(resultOf(e.helper));
    case "choose":
      return movable(e.whenTrue, raw) && movable(e.whenFalse, raw);
    case "reinterpretation":
      return e.from === bitsKind(e.scalar);
    default:
      return false;
  }
}

/** Takes away what is used as a number anywhere in an expression. `moved`: the whole is taken as bits. */
function useExpr(e: MachineExpr, raw: Raw, moved: boolean): void {
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
      case "call":
        return useArguments(e, raw);
      default:
        for (const c of childrenOf(e)) useExpr(c, raw, false);
        return;
    }
  }
  if (e.kind === "local") {
    raw.held.delete(e.local);
    return;
  }
  if (e.kind === "call") {
    raw.held.delete(resultOf(e.helper));
    return useArguments(e, raw);
  }
  const reinterprets = e.kind === "reinterpretation" && bitsKind(e.from) !== undefined;
  for (const c of childrenOf(e)) useExpr(c, raw, reinterprets);
}

/** A parameter holds bits where all calls give it some. */
function useArguments(e: HelperCall, raw: Raw): void {
  e.arguments.forEach((a, i) => take(raw.helpers[e.helper]!.parameters[i]!, a, raw));
}

/** `to` becomes `value`. */
function take(to: LocalId, value: MachineExpr, raw: Raw): void {
  if (raw.held.has(to) && !movable(value, raw)) raw.held.delete(to);
  useExpr(value, raw, raw.held.has(to));
}

/** `result`: what a `return` sets. */
function narrow(c: Code, raw: Raw, result: LocalId | undefined): void {
  const list = (l: readonly Code[]): void => {
    for (const x of l) narrow(x, raw, result);
  };
  const number = (e: MachineExpr): void => useExpr(e, raw, false);
  switch (c.kind) {
    case "declare":
    case "set":
      return c.value ? take(c.local, c.value, raw) : undefined;
    case "store":
      number(c.address.index);
      if (typeof c.address.object !== "number") number(c.address.object);
      return useExpr(c.value, raw, bitsKind(c.scalar) !== undefined);
    case "collective":
      return narrowCollective(c, raw);
    case "atomic":
      if (c.result !== undefined) raw.held.delete(c.result);
      number(c.address.index);
      c.operands.forEach(number);
      return;
    case "if":
      number(c.condition);
      return list([...c.then, ...c.else]);
    case "loop":
      if (c.condition) number(c.condition);
      return list([...c.head, ...c.body, ...c.step]);
    case "switch":
      number(c.value);
      return c.cases.forEach((k) => list(k.body));
    case "block":
      return list(c.body);
    case "evaluate":
      return c.value.kind === "call" ? useArguments(c.value, raw) : number(c.value);
    case "print":
      return c.arguments.forEach(number);
    case "return":
      if (!c.value) return;
      return result === undefined ? number(c.value) : take(result, c.value, raw);
    default:
      return;
  }
}

/** Data and fill operands have the result's type; they move together or not at all. */
function narrowCollective(c: Collective, raw: Raw): void {
  const data = c.operands.filter((e) => e.scalar === c.scalar);
  const together =
    c.moves && c.results.every((l) => raw.held.has(l)) && data.every((e) => movable(e, raw) && e.kind !== "load");
  if (!together) c.results.forEach((l) => raw.held.delete(l));
  for (const e of c.operands) useExpr(e, raw, together && e.scalar === c.scalar);
}

/** Locals that bits from memory or from integers can reach; the rest may stay what they are. */
function connected(parts: readonly Part[], raw: Raw): Set<LocalId> {
  const found = new Set<LocalId>();
  const carries = (e: MachineExpr): boolean =>
    e.kind === "load" ||
    e.kind === "reinterpretation" ||
    (e.kind === "local" && found.has(e.local)) ||
    (e.kind === "call" && found.has(resultOf(e.helper))) ||
    (e.kind === "choose" && (carries(e.whenTrue) || carries(e.whenFalse)));
  const neighbours = (e: MachineExpr, visit: (l: LocalId) => void): void => {
    if (e.kind === "local") visit(e.local);
    if (e.kind === "call") visit(resultOf(e.helper));
    if (e.kind === "choose") [e.whenTrue, e.whenFalse].forEach((x) => neighbours(x, visit));
  };
  let size: number;
  // Of several locals that are moved as one, all hold bits or none does.
  const moved = (value: MachineExpr): void => {
    if (movable(value, raw) && carries(value)) neighbours(value, (l) => found.add(l));
  };
  const copied = (to: LocalId, value: MachineExpr): void => {
    if (!raw.held.has(to)) return;
    if (carries(value)) found.add(to);
    // One type for both ends of a copy.
    if (found.has(to)) neighbours(value, (l) => raw.held.has(l) && found.add(l));
  };
  const look = (c: Code, result: LocalId | undefined): void => {
    if ((c.kind === "declare" || c.kind === "set") && c.value) copied(c.local, c.value);
    if (c.kind === "return" && c.value && result !== undefined) copied(result, c.value);
    if (c.kind === "store") moved(c.value);
    for (const e of exprsOf(c))
      visitExpr(e, (x) => {
        if (x.kind === "reinterpretation" && bitsKind(x.from) !== undefined) moved(x.operand);
        if (x.kind === "call") x.arguments.forEach((a, i) => copied(raw.helpers[x.helper]!.parameters[i]!, a));
      });
    if (c.kind === "collective" && c.results.every((l) => raw.held.has(l))) {
      const ends = [...c.results];
      for (const e of c.operands) if (e.scalar === c.scalar) neighbours(e, (l) => ends.push(l));
      if (ends.some((l) => found.has(l))) ends.forEach((l) => found.add(l));
    }
  };
  do {
    size = found.size;
    for (const part of parts) visitCode(part.body, (c) => look(c, part.result));
  } while (found.size !== size);
  return found;
}

// ------------------------------------------------------------------ rewriting

function asBits(e: MachineExpr, raw: Raw): MachineExpr {
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
    case "call":
      return rewriteCall(e, raw);
    default:
      throw new Error("broken tree: not a move");
  }
}

const rewriteAddress = <A extends { readonly object: number | MachineExpr; readonly index: MachineExpr }>(
  a: A,
  raw: Raw,
): A => ({
  ...a,
  index: rewriteExpr(a.index, raw),
  ...(typeof a.object === "number" ? {} : { object: rewriteExpr(a.object, raw) }),
});

function rewriteCall(e: HelperCall, raw: Raw): MachineExpr {
  const { parameters } = raw.helpers[e.helper]!;
  return {
    ...e,
    scalar: raw.held.has(resultOf(e.helper)) ? bitsKind(e.scalar)! : e.scalar,
    arguments: e.arguments.map((a, i) => (raw.held.has(parameters[i]!) ? asBits(a, raw) : rewriteExpr(a, raw))),
  };
}

function rewriteExpr(e: MachineExpr, raw: Raw): MachineExpr {
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
    case "call":
      return rewriteCall(e, raw);
    case "operation":
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

function rewriteCode(c: Code, raw: Raw, result: LocalId | undefined, list: (l: readonly Code[]) => Code[]): Code {
  const expr = (e: MachineExpr): MachineExpr => rewriteExpr(e, raw);
  switch (c.kind) {
    case "declare":
      if (!c.value) return c;
      return { ...c, value: raw.held.has(c.local) ? asBits(c.value, raw) : expr(c.value) };
    case "set":
      return { ...c, value: raw.held.has(c.local) ? asBits(c.value, raw) : expr(c.value) };
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
      if (!kind || !c.results.every((l) => raw.held.has(l)) || c.results.length === 0)
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
      if (!c.value) return c;
      return { ...c, value: result !== undefined && raw.held.has(result) ? asBits(c.value, raw) : expr(c.value) };
    default:
      return c;
  }
}
