/** The capability decision: what a target does with an op, computed from the row's cells and the profile. */
import type { BarrierDescriptor } from "../ast/nodes.js";
import type { TargetDialect } from "../dialects/ids.js";
import { storageNeeds, typeNeeds, typeRefusals, satisfied } from "../ops/features.js";
import type { NativeCell, OpUse, Spelling } from "../ops/row.js";
import { matchCell, spellCell } from "../ops/spell.js";
import { writeBarrier, type WrittenBarrier } from "../ops/write-barriers.js";
import { scalarOf, type Type } from "../types/types.js";
import { defaultProfile, hasAtom, isBound, profileNamed, type Profile } from "./profiles.js";

export type Decision =
  | {
      readonly kind: "native";
      readonly cell: NativeCell;
      readonly spelling: Spelling;
      readonly requires: readonly string[];
    }
  | {
      readonly kind: "lowering";
      readonly lowering: string;
      readonly assumes?: string;
      readonly requires: readonly string[];
      /** The device the profile was narrowed to is why: `llvmpipe lacks shaderFloat16`. */
      readonly lacks?: string;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** A profile by its id or as it is; without one the dialect's default. */
export function profileOf(dialect: TargetDialect, profile?: Profile | string): Profile {
  if (typeof profile !== "string") return profile ?? defaultProfile(dialect);
  const found = profileNamed(profile);
  if (!found) throw new Error(`no profile ${profile}`);
  return found;
}

/** What of these the device of a narrowed profile does not have, as a clause; undefined where it is not the device's fault. */
export function lackOf(profile: Profile, atoms: readonly string[]): string | undefined {
  const { device } = profile;
  if (!device) return undefined;
  const missing = atoms.filter((a) => !hasAtom(profile, a) && hasAtom(device.whole, a));
  const reasons = missing.map((a) => device.lacks.get(a) ?? (isBound(a) ? a.replace(">=", " ") : a));
  return reasons.length === 0 ? undefined : `${device.name} lacks ${[...new Set(reasons)].join(", ")}`;
}

export function decide(use: OpUse, dialect: TargetDialect, profile?: Profile | string): Decision {
  const p = profileOf(dialect, profile);
  const found = matchCell(dialect, use, (atom) => hasAtom(p, atom), p.id);
  const { device } = p;
  const whole = device && matchCell(dialect, use, (atom) => hasAtom(device.whole, atom));
  const lacks = whole?.kind === "cell" ? lackOf(p, whole.requires) : undefined;
  if (found.kind === "none") return { kind: "refused", reason: lacks ?? found.reason };
  const { cell, requires } = found;
  switch (cell.kind) {
    case "native":
      return { kind: "native", cell, spelling: spellCell(cell, use), requires };
    case "lowering":
      return {
        kind: "lowering",
        lowering: cell.lowering,
        requires,
        ...(cell.assumes === undefined ? {} : { assumes: cell.assumes }),
        ...(lacks === undefined ? {} : { lacks }),
      };
    case "refused":
      return { kind: "refused", reason: lacks ?? cell.reason };
  }
}

/** A barrier in a target. `uniform`: it stands in workgroup-uniform flow. */
export function decideBarrier(
  barrier: BarrierDescriptor,
  dialect: TargetDialect,
  profile?: Profile | string,
  uniform = false,
): WrittenBarrier {
  const p = profileOf(dialect, profile);
  const write = (has: (atom: string) => boolean): WrittenBarrier =>
    writeBarrier(dialect, barrier, {
      has: (needs) => satisfied(needs, has) !== undefined,
      uniform,
    });
  const written = write((atom) => hasAtom(p, atom));
  if (written.kind !== "refused" || !p.device) return written;
  const { whole } = p.device;
  const otherwise = write((atom) => hasAtom(whole, atom));
  if (otherwise.kind === "refused") return written;
  return { ...written, reason: lackOf(p, otherwise.requires) ?? written.reason };
}

/** Atoms, or why it cannot be; `lacks` where that is only because of the device. */
export type TypeDecision =
  { readonly requires: readonly string[] } | { readonly refused: string; readonly lacks?: string };

/** What a type needs in a target; `stored`: in a buffer. */
export function decideType(
  type: Type,
  dialect: TargetDialect,
  profile?: Profile | string,
  stored?: "stored",
): TypeDecision {
  const p = profileOf(dialect, profile);
  const kind = scalarOf(type);
  const needs = stored && kind ? storageNeeds(dialect, kind) : typeNeeds(dialect, type);
  const found = satisfied(needs, (atom) => hasAtom(p, atom));
  const never = typeRefusals[needs];
  if (never !== undefined) return { refused: never };
  if (found) return { requires: found };
  const whole = p.device && satisfied(needs, (atom) => hasAtom(p.device!.whole, atom));
  const lacks = whole && lackOf(p, whole);
  return lacks === undefined
    ? { refused: `the type needs ${needs}, which ${p.id} does not have` }
    : { refused: lacks, lacks };
}
