/** The capability decision: what a target does with an op, computed from the row's cells and the profile. */
import type { BarrierDescriptor } from "../ast/nodes.js";
import type { Dialect } from "../dialects/ids.js";
import { enablingLine, typeNeeds, satisfied } from "../ops/features.js";
import type { NativeCell, OpUse, Spelling } from "../ops/row.js";
import { matchCell, spellCell } from "../ops/spell.js";
import { writeBarrier, type WrittenBarrier } from "../ops/barriers.js";
import type { Type } from "../types/types.js";
import { defaultProfile, hasAtom, profileNamed, type Profile } from "./profiles.js";

export type Decision =
  | {
      readonly kind: "native";
      readonly cell: NativeCell;
      readonly spelling: Spelling;
      readonly requires: readonly string[];
    }
  | {
      readonly kind: "recipe";
      readonly recipe: string;
      readonly assumes?: string;
      readonly requires: readonly string[];
    }
  | { readonly kind: "refused"; readonly reason: string };

/** A profile by its id or as it is; without one the dialect's default. */
export function profileOf(dialect: Dialect, profile?: Profile | string): Profile {
  if (typeof profile !== "string") return profile ?? defaultProfile(dialect);
  const found = profileNamed(profile);
  if (!found) throw new Error(`no profile ${profile}`);
  return found;
}

export function decide(use: OpUse, dialect: Dialect, profile?: Profile | string): Decision {
  const p = profileOf(dialect, profile);
  const found = matchCell(dialect, use, (atom) => hasAtom(p, atom));
  if (found.kind === "none") return { kind: "refused", reason: found.reason };
  const { cell, requires } = found;
  switch (cell.kind) {
    case "native":
      return { kind: "native", cell, spelling: spellCell(cell, use), requires };
    case "recipe":
      return {
        kind: "recipe",
        recipe: cell.recipe,
        requires,
        ...(cell.assumes === undefined ? {} : { assumes: cell.assumes }),
      };
    case "refused":
      return { kind: "refused", reason: cell.reason };
  }
}

/** A barrier in a target. `uniform`: it stands in workgroup-uniform flow. */
export function decideBarrier(
  barrier: BarrierDescriptor,
  dialect: Dialect,
  profile?: Profile | string,
  uniform = false,
): WrittenBarrier {
  const p = profileOf(dialect, profile);
  return writeBarrier(dialect, barrier, {
    has: (needs) => satisfied(needs, (atom) => hasAtom(p, atom)) !== undefined,
    uniform,
  });
}

/** What a type needs in a target: atoms, or why it cannot be. */
export function decideType(
  type: Type,
  dialect: Dialect,
  profile?: Profile | string,
): { readonly requires: readonly string[] } | { readonly refused: string } {
  const p = profileOf(dialect, profile);
  const needs = typeNeeds(dialect, type);
  const found = satisfied(needs, (atom) => hasAtom(p, atom));
  return found ? { requires: found } : { refused: `the type needs ${needs}, which ${p.id} does not have` };
}

/** Lines that turn features on in the text: GLSL `#extension`, OpenCL pragmas. */
export function enablingLines(dialect: Dialect, atoms: Iterable<string>): string[] {
  return [...new Set([...atoms].flatMap((a) => enablingLine(dialect, a) ?? []))].sort();
}
