/** Questions about region trees and code that every engine asks. */
import type { BuiltinId } from "../ast/nodes.js";
import { bodiesOf, exprsOf, someExpr, visitCode, visitExpr, writtenBy } from "./machine.js";
import type { Code, LabelId, LocalId, LoopCode, MachineExpr, Program, Region } from "./tree.js";

export function regionBodies(r: Region): readonly (readonly Region[])[] {
  switch (r.kind) {
    case "subgroups":
    case "block":
    case "if-any":
      return [r.body];
    case "if":
      return [r.then, r.else];
    case "loop":
      return [r.head, r.body, r.step];
    case "switch":
      return r.cases.map((c) => c.body);
    default:
      return [];
  }
}

/** Expressions that a region itself evaluates. */
export function regionExprs(r: Region): readonly MachineExpr[] {
  switch (r.kind) {
    case "if":
      return [r.condition];
    case "loop":
      return r.condition ? [r.condition] : [];
    case "switch":
      return [r.value];
    case "collective":
      return r.collective.operands;
    default:
      return [];
  }
}

export function regionsContinue(list: readonly Region[], label: LabelId): boolean {
  return list.some(
    (r) => (r.kind === "continue" && r.label === label) || regionBodies(r).some((b) => regionsContinue(b, label)),
  );
}

export function codeContinues(c: LoopCode): boolean {
  let found = false;
  visitCode(c.body, (x) => {
    if (x.kind === "continue" && x.label === c.label) found = true;
  });
  return found;
}

const ofSubgroups: ReadonlySet<BuiltinId> = new Set<BuiltinId>([
  ...([
    "lane_id",
    "subgroup_size",
    "subgroup_id",
    "subgroup_lanes",
    "num_subgroups",
    "enqueued_num_subgroups",
  ] as const),
  ...(["quad_lane_id", "quad_id", "num_quads"] as const),
]);

/** Whether a program asks for subgroups in any way: without, its code is the same at every width. */
export function asksForSubgroups(program: Program): boolean {
  const expr = (e: MachineExpr): boolean => someExpr(e, (x) => x.kind === "builtin" && ofSubgroups.has(x.builtin));
  const code = (list: readonly Code[]): boolean => {
    let found = false;
    visitCode(list, (c) => {
      found ||= c.kind === "collective" || exprsOf(c).some(expr);
    });
    return found;
  };
  const regions = (list: readonly Region[]): boolean =>
    list.some(
      (r) =>
        r.kind === "subgroups" ||
        r.kind === "collective" ||
        ("over" in r && r.over === "subgroup") ||
        ("code" in r && code(r.code)) ||
        regionExprs(r).some(expr) ||
        regionBodies(r).some(regions),
    );
  return regions(program.regions) || program.helpers.some((h) => code(h.body));
}

/** Locals whose value something uses. */
export function localsRead(program: Program): ReadonlySet<LocalId> {
  const found = new Set<LocalId>();
  const expr = (e: MachineExpr): void => visitExpr(e, (x) => void (x.kind === "local" && found.add(x.local)));
  const code = (list: readonly Code[]): void => visitCode(list, (c) => exprsOf(c).forEach(expr));
  const regions = (list: readonly Region[]): void => {
    for (const r of list) {
      if (r.kind === "lanes" || r.kind === "uniform") code(r.code);
      regionExprs(r).forEach(expr);
      regionBodies(r).forEach(regions);
    }
  };
  for (const h of program.helpers) code(h.body);
  regions(program.regions);
  return found;
}

/** Only arithmetic makes NaNs; constants and integers made floats do not. */
export function mayBeNaN(e: MachineExpr): boolean {
  if (e.kind === "constant") return e.value !== e.value;
  if (e.kind === "conversion") return e.from[0] === "f";
  if (e.kind === "choose") return mayBeNaN(e.whenTrue) || mayBeNaN(e.whenFalse);
  return true;
}

/** How often a region of lanes names each slot, those in loops several times over, and which of them it writes and declares. */
export interface SlotUses {
  readonly uses: ReadonlyMap<LocalId, number>;
  readonly written: ReadonlySet<LocalId>;
  /** At the top of the region, so that nothing before is read. */
  readonly declared: ReadonlySet<LocalId>;
}

export function slotUses(program: Program, code: readonly Code[]): SlotUses {
  const uses = new Map<LocalId, number>();
  const written = new Set<LocalId>();
  const declared = new Set<LocalId>();
  const note = (l: LocalId, n: number): void => {
    if (program.locals.get(l)!.storage === "slot") uses.set(l, (uses.get(l) ?? 0) + n);
  };
  const count = (list: readonly Code[], weight: number, top: boolean): void => {
    for (const c of list) {
      const inner = c.kind === "loop" ? 4 : weight;
      for (const e of exprsOf(c))
        someExpr(e, (x) => {
          if (x.kind === "local") note(x.local, inner);
          return false;
        });
      for (const l of writtenBy(c)) {
        note(l, weight);
        written.add(l);
        if (top && c.kind === "declare") declared.add(l);
      }
      for (const b of bodiesOf(c)) count(b, inner, false);
    }
  };
  count(code, 1, true);
  return { uses, written, declared };
}

/** Locals that code gives a value. */
export function writtenIn(list: readonly Code[]): ReadonlySet<LocalId> {
  const found = new Set<LocalId>();
  visitCode(list, (c) => writtenBy(c).forEach((l) => found.add(l)));
  return found;
}

export function writtenInRegions(list: readonly Region[]): ReadonlySet<LocalId> {
  const found = new Set<LocalId>();
  const walk = (regions: readonly Region[]): void => {
    for (const r of regions) {
      if (r.kind === "lanes" || r.kind === "uniform") for (const l of writtenIn(r.code)) found.add(l);
      if (r.kind === "collective") for (const l of r.collective.results) found.add(l);
      regionBodies(r).forEach(walk);
    }
  };
  walk(list);
  return found;
}
