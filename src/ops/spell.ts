/** Which cell of a row decides at a place, and how a native cell is written. */
import type { Dialect } from "../dialects/ids.js";
import { componentCount, componentsOf, scalarOf, type Type } from "../types/types.js";
import { enablingLine, satisfied, subgroupTypeNeeds, typeNeeds, typeRefusals } from "./features.js";
import type { Cell, NativeCell, Operand, OperandSet, OpRow, OpUse, Spelling } from "./row.js";
import { parseSignature, solve, typeOf, type Signature } from "./signature.js";
import { row } from "./table.js";

const parsed = new Map<string, Signature>();
/** Signatures are few and parsed once: the same text always gives the same value. */
export function signatureOf(text: string): Signature {
  let found = parsed.get(text);
  if (!found) parsed.set(text, (found = parseSignature(text)));
  return found;
}

/** The row's T at a use; undefined where its signature has none. */
export function variableOf(r: OpRow, use: Pick<OpUse, "operandTypes" | "placeTypes" | "result">): Type | undefined {
  const signature = signatureOf(r.signature);
  for (const p of signature.parameters) {
    const type = p.mode === "value" ? use.operandTypes[p.index] : use.placeTypes[p.index];
    const found = type && solve(p.pattern, type);
    if (found) return found;
  }
  return solve(signature.result, use.result);
}

/** Longer vectors are taken where those of four are: they are read only where that holds (`sizes.ts`). */
export const inSet = (on: OperandSet, t: Type): boolean => {
  const kind = scalarOf(t);
  const count = componentCount(t);
  return (
    kind !== undefined && count !== undefined && on.scalars.includes(kind) && on.sizes.includes(Math.min(count, 4))
  );
};

/** A cell with the atoms it stands on. */
export type Matched =
  | { readonly kind: "cell"; readonly cell: Cell; readonly requires: readonly string[] }
  | { readonly kind: "none"; readonly reason: string };

function typesNeeded(dialect: Dialect, r: OpRow, use: OpUse): string {
  // Loads and stores of f16 need no half arithmetic.
  if (r.family === "memory") return "";
  const types = [...use.operandTypes, ...use.placeTypes, use.result];
  const needs = new Set<string>();
  const need = (atoms: string): void => {
    if (atoms !== "") for (const atom of atoms.split(" ")) needs.add(atom);
  };
  for (const t of types) need(typeNeeds(dialect, t));
  // Votes and masks move no values of those types.
  if ((r.family === "subgroup" || r.family === "quad") && signatureOf(r.signature).generic)
    for (const t of types) need(subgroupTypeNeeds(dialect, t));
  return [...needs].join(" ");
}

/** Whether the operands that the cell's signature fixes have those values. */
export const fixedOperandsFit = (cell: NativeCell, use: OpUse): boolean =>
  cell.signatures === undefined ||
  signatureOf(cell.signatures[0]!).parameters.every(
    (p) => p.mode !== "fixed" || Number(use.constants[p.index]) === p.value,
  );

/** The first cell whose conditions hold. `has` answers for feature atoms of the profile. */
export function matchCell(
  dialect: Dialect,
  use: OpUse,
  has: (atom: string) => boolean,
  profile = "the profile",
): Matched {
  const found = firstCell(dialect, use, has, profile);
  if (found.kind === "cell" || use.flow === "uniform") return found;
  const inUniformFlow = firstCell(dialect, { ...use, flow: "uniform" }, has, profile);
  return inUniformFlow.kind === "none"
    ? found
    : { kind: "none", reason: `where not all lanes of the subgroup are known to reach it, ${found.reason}` };
}

function firstCell(dialect: Dialect, use: OpUse, has: (atom: string) => boolean, profile: string): Matched {
  const r = row(use.op);
  const t = variableOf(r, use);
  const never = t && typeRefusals[typeNeeds(dialect, t)];
  if (never !== undefined) return { kind: "none", reason: never };
  let lacking: string | undefined;
  let known: string | undefined;
  const ofTypes = (cell: Cell): string => (cell.kind === "native" ? (known ??= typesNeeded(dialect, r, use)) : "");
  for (const cell of r.cells[dialect]) {
    if (cell.kind === "native" && (cell.readOnly || !fixedOperandsFit(cell, use))) continue;
    // A spelling holds for what the row does at most; what carries out another op may come with more.
    const on = cell.on ?? (cell.kind === "native" && t && t.kind !== "matrix" ? r.on : undefined);
    if (on && (!t || !inSet(on, t))) continue;
    if (cell.when && !cell.when(use)) continue;
    if (cell.kind === "refused")
      return lacking === undefined ? { kind: "cell", cell, requires: [] } : { kind: "none", reason: lacking };
    const requires = combine(cell.needs, ofTypes(cell), has);
    if (requires) return { kind: "cell", cell, requires };
    lacking ??= `${use.op} needs ${[cell.needs ?? "", ofTypes(cell)].join(" ").trim()}, which ${profile} does not have`;
  }
  return { kind: "none", reason: lacking ?? `${use.op} has no form in this dialect for these operands` };
}

function combine(
  needs: string | undefined,
  types: string,
  has: (atom: string) => boolean,
): readonly string[] | undefined {
  const first = satisfied(needs, has);
  const second = satisfied(types, has);
  return first && second ? [...new Set([...first, ...second])] : undefined;
}

/** `vload#` with the component count, `vload_half#` of a scalar without. */
export const sizedName = (name: string, t: Type | undefined): string => {
  const count = t ? componentsOf(t) : 1;
  return name.replace("#", count === 1 ? "" : String(count));
};

/** What a dialect calls an op, as its users know it: the name of its function, or the op's own where it has none. */
export function calledIn(dialect: Dialect, use: OpUse): string {
  const found = matchCell(dialect, { ...use, flow: "uniform" }, () => true);
  const spelling = found.kind === "cell" && found.cell.kind === "native" ? spellCell(found.cell, use) : undefined;
  if (spelling?.kind === "call") return spelling.name;
  // What is only read has a name all the same.
  const read = row(use.op).cells[dialect].find((cell) => cell.kind === "native" && cell.readOnly === true);
  const name = read?.kind === "native" ? read.names[0] : undefined;
  return name !== undefined && /^\w+$/.test(name) ? name : use.op;
}

/** How a native cell writes a use. */
export function spellCell(cell: NativeCell, use: OpUse): Spelling {
  if (cell.write) return cell.write(use);
  const r = row(use.op);
  const t = variableOf(r, use);
  const own = signatureOf(r.signature);
  const texts = cell.signatures ?? [r.signature];
  const signature = chooseSignature(texts, use);
  const result = typeOf(signature.result, t);
  const name = sizedName(cell.names[0]!, t);
  const operands = signature.parameters.flatMap((p): Operand | readonly Operand[] => {
    switch (p.mode) {
      case "value": {
        const type = p.pattern === "Z" ? use.operandTypes[p.index]! : typeOf(p.pattern, t);
        return { kind: "value", index: p.index, type };
      }
      case "place":
        return { kind: "place", index: p.index, addressOf: false };
      case "pointer":
        return { kind: "place", index: p.index, addressOf: true, ...(r.vector ? { elements: true } : {}) };
      case "order":
        return { kind: "text", text: `memory_order_${use.order ?? "relaxed"}` };
      case "order2":
        return { kind: "text", text: `memory_order_${use.failureOrder ?? "relaxed"}` };
      case "scope":
        return { kind: "text", text: `memory_scope_${use.scope === "workgroup" ? "work_group" : "device"}` };
      case "text":
        return { kind: "text", text: p.pattern };
      case "storage":
      case "semantics":
      case "semantics2":
        throw new Error(`${name} writes its words itself`);
      case "fixed":
        return [];
    }
  });
  if (own.parameters.length === 0 && name.startsWith("gl_"))
    return { kind: "text", pieces: [name], precedence: 17, result };
  return { kind: "call", name, operands, result };
}

/** The first signature, or the one that takes scalars where all of those operands are implicit splats. */
function chooseSignature(texts: readonly string[], use: OpUse): Signature {
  const first = signatureOf(texts[0]!);
  if (!use.splats?.some(Boolean)) return first;
  for (const text of texts.slice(1)) {
    const other = signatureOf(text);
    const scalars = other.parameters.filter((p) => p.mode === "value" && p.pattern === "S");
    const fits = other.parameters.length === first.parameters.length && other.result === first.result;
    if (fits && scalars.length > 0 && scalars.every((p) => use.splats![p.index])) return other;
  }
  return first;
}

/** How `dialect` writes a use, where a native cell decides. */
export function spell(dialect: Dialect, use: OpUse, has: (atom: string) => boolean): Spelling | undefined {
  const found = matchCell(dialect, use, has);
  return found.kind === "cell" && found.cell.kind === "native" ? spellCell(found.cell, use) : undefined;
}

/** Atoms a use stands on in a dialect, and the lines that turn them on in the text. */
export function requirements(
  dialect: Dialect,
  use: OpUse,
  has: (atom: string) => boolean,
): { readonly atoms: readonly string[]; readonly lines: readonly string[] } {
  const found = matchCell(dialect, use, has);
  const atoms = found.kind === "cell" ? found.requires : [];
  const lines = atoms.flatMap((a) => enablingLine(dialect, a) ?? []);
  return { atoms, lines: [...new Set(lines)] };
}
