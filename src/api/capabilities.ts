/** The capability table as plain data: what every target and profile does with every op, operand type by operand type. */
import { dialectOf } from "../caps/narrow.js";
import { profileIds, profileNamed } from "../caps/profiles.js";
import type { Profile } from "../caps/profiles.js";
import { targetDialects } from "../dialects/ids.js";
import type { TargetDialect } from "../dialects/ids.js";
import { operandTypes } from "../ops/operands.js";
import type { OpRow } from "../ops/row.js";
import { allRows } from "../ops/table.js";
import { constantOperands, laneOperand, Supports } from "../passes/support.js";
import type { Support, SupportQuery } from "../passes/support.js";
import { componentCount, scalarOf, showType } from "../types/types.js";
import type { Type } from "../types/types.js";
import { barrierForms, barrierRows, type BarrierRow } from "./barrier-capabilities.js";
import { requireKnown } from "./options.js";
import { profileFor, reportOf } from "./profile.js";

export interface CapabilityRow {
  readonly op: string;
  readonly category: string;
  /** One sentence: what it computes. */
  readonly summary: string;
  readonly targets: { readonly [D in TargetDialect]?: TargetCapability };
}

export interface TargetCapability {
  readonly profile: string;
  /** The device the profile was narrowed to. */
  readonly device?: string;
  /** Of the forms: all native, at worst emulated, or refused; `partly` where some are refused and some are not. */
  readonly verdict: "native" | "emulated" | "partly" | "refused";
  readonly forms: readonly CapabilityForm[];
}

/** What a target does with an op on some of its operand types. */
export interface CapabilityForm {
  /** Operand types, e.g. `f32 f16 i32 u32`, `bool scalar`, `i64 x2-4`; empty where the op has no type of its own. */
  readonly types: string;
  /** Where it holds: in divergent control flow only, or in uniform; anywhere if absent. */
  readonly flow?: "uniform" | "divergent";
  /** The lane to read from is a compile-time constant, or is not; either if absent. */
  readonly lane?: "constant" | "computed";
  readonly verdict: "native" | "emulated" | "refused";
  /** Native spellings the output is made of, the op's own first. */
  readonly spellings: readonly string[];
  /** Lowerings that carry it out, outermost first. */
  readonly lowerings: readonly string[];
  readonly cost: Support["cost"];
  /** Feature atoms and version bounds it stands on. */
  readonly requires: readonly string[];
  readonly assumes: readonly string[];
  /** Of a barrier: what it does more than is asked for. */
  readonly strengthened?: string;
  /** Of a barrier in HLSL: the instructions of shader model 5 that do the same. */
  readonly instructions?: readonly string[];
  /** Why it is refused. */
  readonly reason?: string;
}

export interface CapabilityQuery {
  /** An op (`subgroup.add`) or a category (`subgroup`). */
  readonly filter?: string;
  readonly target?: TargetDialect;
  /** A profile of the target; the default one of each otherwise. */
  readonly profile?: string;
  /** The report of a device, as `translate` takes it: only what it has, of its own API's target. */
  readonly deviceProfile?: object;
}

export function capabilities(query: CapabilityQuery = {}): CapabilityRow[] {
  requireKnown(query, { filter: true, target: true, profile: true, deviceProfile: true });
  const profile = query.profile === undefined ? undefined : profileNamed(query.profile);
  if (query.profile !== undefined && profile === undefined)
    throw new TypeError(`there is no profile '${query.profile}'`);
  if (profile && query.target !== undefined && profile.dialect !== query.target) {
    throw new TypeError(`'${profile.id}' is no profile of ${query.target}`);
  }
  const device = query.deviceProfile === undefined ? undefined : reportOf(query.deviceProfile);
  const own = device && dialectOf[device.api];
  const asked = query.target ?? profile?.dialect ?? own;
  if (own !== undefined && asked !== own) throw new TypeError(`the device takes ${own}, not ${asked}`);
  const dialects = targetDialects.filter((d) => (asked ?? d) === d);
  const narrowed = new Map(
    dialects.map((d) => [
      d,
      profileFor(d, {
        ...(profile ? { profile: profile.id } : {}),
        ...(device ? { deviceProfile: device } : {}),
      })!,
    ]),
  );
  return rowsOf(query.filter).map((row) => ({
    op: row.id,
    category: row.family,
    summary: row.summary,
    targets: Object.fromEntries(dialects.map((d) => [d, capability(row, d, narrowed.get(d)!)])),
  }));
}

const rowsOf = (filter: string | undefined): readonly (OpRow | BarrierRow)[] =>
  [...allRows, ...barrierRows].filter((row) => filter === undefined || row.id === filter || row.family === filter);

/** The ops that a filter lets through, in the table's order; of none, there is no such op or category. */
export const capabilityOps = (filter?: string): string[] => rowsOf(filter).map((row) => row.id);

/** One op in one target under every profile; profiles with the same answer come together. */
export function capabilityByProfile(
  op: string,
  target: TargetDialect,
): { readonly profiles: readonly string[]; readonly capability: TargetCapability }[] {
  const row = [...allRows, ...barrierRows].find((r) => r.id === op);
  if (!row) throw new TypeError(`there is no op '${op}'`);
  const groups: { profiles: string[]; capability: TargetCapability; key: string }[] = [];
  const supports = new Supports(target);
  for (const id of profileIds(target)) {
    // It has the ops of its version.
    if (profileNamed(id)!.variant === "debug") continue;
    const found = capability(row, target, profileNamed(id)!, supports);
    const key = JSON.stringify(found.forms.map(({ requires: _, ...f }) => f));
    const same = groups.find((g) => g.key === key);
    if (same) same.profiles.push(id);
    else groups.push({ profiles: [id], capability: found, key });
  }
  return groups.map(({ profiles, capability: c }) => ({ profiles, capability: c }));
}

/** Ops and categories, for suggestions. */
export function capabilityNames(): string[] {
  return [...new Set([...allRows, ...barrierRows].flatMap((row) => [row.family, row.id]))];
}

// ------------------------------------------------------------------ one op, one target, one profile

interface Found {
  readonly support: Support;
  readonly type: Type | undefined;
  readonly flow: "uniform" | "divergent";
  readonly lane: "constant" | "computed" | undefined;
}

function capability(
  row: OpRow | BarrierRow,
  target: TargetDialect,
  profile: Profile,
  supports = new Supports(target),
): TargetCapability {
  const forms = "execution" in row ? barrierForms(row, target, profile) : opForms(row, profile, supports);
  const verdicts = new Set(forms.map((f) => f.verdict));
  const verdict = verdicts.has("refused")
    ? verdicts.size === 1
      ? "refused"
      : "partly"
    : verdicts.has("emulated")
      ? "emulated"
      : "native";
  return { profile: profile.id, ...(profile.device ? { device: profile.device.name } : {}), verdict, forms };
}

function opForms(row: OpRow, profile: Profile, supports: Supports): CapabilityForm[] {
  const found: Found[] = [];
  // Flow and constant lanes matter to nothing but what crosses lanes.
  const crosses = row.effect === "crosslane";
  const index = crosses ? laneOperand(row) : undefined;
  for (const type of operandTypes(row)) {
    for (const flow of crosses ? (["uniform", "divergent"] as const) : (["uniform"] as const)) {
      for (const lane of index === undefined ? [undefined] : (["computed", "constant"] as const)) {
        const fixed = constantOperands(row);
        const constants = lane === "constant" ? { ...fixed, [index!]: 1 } : fixed;
        const query: SupportQuery = {
          op: row.id,
          flow,
          ...(type ? { type } : {}),
          ...(constants ? { constants } : {}),
        };
        found.push({ support: supports.of(query, profile), type, flow, lane });
      }
    }
  }
  return grouped(found, crosses, index !== undefined);
}

/** Forms of the same answer together: first what holds wherever the op stands, then what depends on it. */
function grouped(found: readonly Found[], flows: boolean, lanes: boolean): CapabilityForm[] {
  const answers = new Map<Support, string>();
  const answer = ({ support }: Found): string => {
    let text = answers.get(support);
    if (text === undefined) answers.set(support, (text = JSON.stringify(support)));
    return text;
  };
  const byType = new Map<string, Found[]>();
  for (const f of found) {
    const key = f.type ? showType(f.type) : "";
    byType.set(key, [...(byType.get(key) ?? []), f]);
  }
  const groups = new Map<string, { form: Omit<CapabilityForm, "types">; types: Type[] }>();
  for (const variants of byType.values()) {
    const splitFlow =
      flows &&
      ["computed", "constant", undefined].some(
        (lane) => new Set(variants.filter((v) => v.lane === lane).map(answer)).size > 1,
      );
    const splitLane =
      lanes &&
      (["uniform", "divergent"] as const).some(
        (flow) => new Set(variants.filter((v) => v.flow === flow).map(answer)).size > 1,
      );
    for (const v of variants) {
      if (!splitFlow && v.flow === "divergent") continue;
      if (!splitLane && v.lane === "constant") continue;
      const form: Omit<CapabilityForm, "types"> = {
        ...(splitFlow ? { flow: v.flow } : {}),
        ...(splitLane && v.lane ? { lane: v.lane } : {}),
        ...v.support,
      };
      const key = JSON.stringify(form);
      const group = groups.get(key) ?? { form, types: [] };
      groups.set(key, group);
      if (v.type) group.types.push(v.type);
    }
  }
  return [...groups.values()].map(({ form, types }) => ({ types: showTypes(types), ...form }));
}

/** `f32 f16 i32`, `bool scalar`, `i64 u64 x2-4`: kinds of the same sizes together. */
function showTypes(types: readonly Type[]): string {
  const sizes = new Map<string, number[]>();
  const others: string[] = [];
  for (const t of types) {
    const count = t.kind === "matrix" ? undefined : componentCount(t);
    const kind = scalarOf(t);
    if (count === undefined || kind === undefined) others.push(showType(t));
    else sizes.set(kind, [...(sizes.get(kind) ?? []), count]);
  }
  const bySizes = new Map<string, string[]>();
  for (const [kind, list] of sizes) bySizes.set(list.join(), [...(bySizes.get(list.join()) ?? []), kind]);
  const size = (list: string): string =>
    list === "1,2,3,4" ? "" : list === "1" ? " scalar" : list === "2,3,4" ? " x2-4" : ` x${list}`;
  return [...[...bySizes].map(([list, kinds]) => kinds.join(" ") + size(list)), ...others].join(", ");
}
