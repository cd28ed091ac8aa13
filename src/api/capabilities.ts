/** The capability table as plain data: what every target and profile does with every op. */
import { defaultProfile, hasAtom, profileNamed } from "../caps/profiles.js";
import type { Profile } from "../caps/profiles.js";
import { sourceDialects } from "../dialects/ids.js";
import type { Dialect } from "../dialects/ids.js";
import { satisfied } from "../ops/features.js";
import type { Cell } from "../ops/row.js";
import { allRows } from "../ops/table.js";

export interface CapabilityRow {
  readonly op: string;
  readonly category: string;
  /** One sentence: what it computes. */
  readonly summary: string;
  readonly targets: { readonly [D in Dialect]?: TargetCapability };
}

export interface TargetCapability {
  readonly profile: string;
  /** What the profile has for the first of its operand types that it has anything for. */
  readonly verdict: "native" | "emulated" | "refused";
  /** In the order in which they are looked at; the first that fits a use decides. */
  readonly cells: readonly CapabilityCell[];
}

export interface CapabilityCell {
  readonly kind: "native" | "emulated" | "refused";
  /** Spellings; the name of the recipe; the reason. */
  readonly text: string;
  /** Operand kinds and sizes, where the cell is not for all of the op's. */
  readonly on?: string;
  readonly needs?: string;
  /** The profile has what it needs. */
  readonly available: boolean;
  /** It depends on the use (flow, constants, unused results). */
  readonly conditional: boolean;
  /** Where its truth comes from. */
  readonly seen?: string;
}

export interface CapabilityQuery {
  /** An op (`subgroup.add`) or a category (`subgroup`). */
  readonly filter?: string;
  readonly target?: Dialect;
  /** A profile of the target; the default one of each otherwise. */
  readonly profile?: string;
}

export function capabilities(query: CapabilityQuery = {}): CapabilityRow[] {
  const profile = query.profile === undefined ? undefined : profileNamed(query.profile);
  if (query.profile !== undefined && profile === undefined)
    throw new TypeError(`there is no profile '${query.profile}'`);
  if (profile && query.target !== undefined && profile.dialect !== query.target) {
    throw new TypeError(`'${profile.id}' is no profile of ${query.target}`);
  }
  const dialects = sourceDialects.filter((d) => (query.target ?? profile?.dialect ?? d) === d);
  return allRows
    .filter((row) => query.filter === undefined || row.id === query.filter || row.family === query.filter)
    .map((row) => ({
      op: row.id,
      category: row.family,
      summary: row.summary,
      targets: Object.fromEntries(
        dialects.map((d) => [d, capability(row.cells[d], profile ?? defaultProfile(d))]),
      ),
    }));
}

/** Ops and categories, for suggestions. */
export function capabilityNames(): string[] {
  return [...new Set(allRows.flatMap((row) => [row.family, row.id]))];
}

function capability(cells: readonly Cell[], profile: Profile): TargetCapability {
  const shown = cells.filter((c) => c.kind !== "native" || !c.readOnly).map((c) => describe(c, profile));
  const first = shown.find((c) => c.available);
  return { profile: profile.id, verdict: first?.kind ?? "refused", cells: shown };
}

function describe(cell: Cell, profile: Profile): CapabilityCell {
  const needs = cell.kind === "refused" ? undefined : cell.needs;
  const on = cell.on
    ? `${cell.on.scalars.join(" ")}${cell.on.sizes.length === 4 ? "" : ` x${cell.on.sizes.join(",")}`}`
    : undefined;
  const text =
    cell.kind === "native" ? cell.names.join(", ") : cell.kind === "recipe" ? cell.recipe : cell.reason;
  return {
    kind: cell.kind === "recipe" ? "emulated" : cell.kind,
    text,
    ...(on ? { on } : {}),
    ...(needs ? { needs } : {}),
    available: satisfied(needs, (atom) => hasAtom(profile, atom)) !== undefined,
    conditional: cell.when !== undefined,
    ...(cell.kind !== "refused" ? { seen: cell.seen } : {}),
  };
}
