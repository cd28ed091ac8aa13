/**
 * Boundary form to region tree: groups what has no boundary into loops over lanes, runs uniform statements once at their
 * level, and decides where each scalar lives.
 */
import type { EntryPoint, Module } from "../ast/nodes.js";
import type { BoundaryChecks } from "./boundary-lowering.js";
import { boundaryForm, type ExpansionOf } from "./boundary-form.js";
import { itemBodies, itemsOf, type Item, type Level } from "./items.js";
import { bodiesOf, exprsOf, local, someExpr, visitCode, visitExpr, writtenBy } from "./machine.js";
import { rawMoves } from "./raw-moves.js";
import { returned } from "./tree.js";
import type { BoundaryForm, Code, Local, LocalId, MachineExpr, Program, Region, Storage } from "./tree.js";
import { uniformity, type Uniformity } from "./uniformity.js";
import { append } from "../support/append.js";
import { dropUnused } from "./unused.js";

export function buildProgram(
  module: Module,
  entry: EntryPoint,
  expansionOf: ExpansionOf,
  checks: BoundaryChecks = {},
): Program {
  return regionsOf(boundaryForm(module, entry, expansionOf, checks), checks.fences === true);
}

function regionsOf(given: BoundaryForm, fences: boolean): Program {
  const form = rawMoves(dropUnused(given, fences));
  const uniform = uniformity(form);
  return new Builder(form, uniform).build(itemsOf(form, uniform, fences));
}

type Over = "workgroup" | "subgroup";

/** Items of one sequence, put into runs. */
type Group =
  | { readonly kind: "lanes"; readonly items: Item[]; readonly id: number }
  | { readonly kind: "subgroups"; readonly items: Item[]; readonly id: number }
  /** Run once at this level. */
  | { readonly kind: "uniform"; readonly item: Item & { kind: "code" } }
  | { readonly kind: "structure"; readonly item: Item };

/** Where a local occurs: in one run of lanes, in one run of subgroups, or in several places. */
interface Occurrence {
  subgroupRun: number | "many" | undefined;
  laneRun: number | "many" | undefined;
}

class Builder {
  private readonly storage = new Map<LocalId, Storage>();
  /** Locals a level runs itself: 2 workgroup, 1 subgroup. */
  private readonly once: { readonly 1: Set<LocalId>; readonly 2: Set<LocalId> } = { 1: new Set(), 2: new Set() };
  private readonly groups = new Map<readonly Item[], Group[]>();
  private readonly occurrences = new Map<LocalId, Occurrence>();
  private readonly columns = new Set<LocalId>();
  private readonly given: ReadonlySet<LocalId>;
  private nextRun = 1;
  private parks = false;
  /** Some lane may have returned, from here on. */
  private lanesGone = false;

  /** How often each local is read anywhere, counted once. */
  private uses: Map<LocalId, number> | undefined;

  constructor(
    private readonly form: BoundaryForm,
    private readonly uniform: Uniformity,
  ) {
    this.given = new Set(form.values.flatMap((v) => v.locals ?? []));
  }

  build(items: readonly Item[]): Program {
    this.findColumns(items);
    this.chooseOnce(items, 2, this.form.locals.keys());
    this.groupAll(items, 2);
    this.groupSubgroups(items);
    this.place(items, 2, undefined);
    for (const l of this.form.locals.keys()) this.storage.set(l, this.storageOf(l));
    for (const v of this.form.values) for (const l of v.locals ?? []) this.storage.set(l, "workgroup");
    this.chooseCheap(items);
    for (const h of this.form.helpers) this.helperLocals(h.parameters, h.body);
    const only = this.groups.get(items)!;
    const single = only.filter((g) => g.kind !== "uniform").length === 1 && only.at(-1)!.kind === "lanes";
    let regions = this.regions(items, 2, false);
    if (single) regions = regions.map(returnsLeave);
    const locals = new Map<LocalId, Local>();
    for (const [id, l] of this.form.locals) locals.set(id, { ...l, storage: this.storage.get(id)! });
    return { ...this.form, locals, regions, parks: !single && this.parks };
  }

  private helperLocals(parameters: readonly LocalId[], body: readonly Code[]): void {
    for (const p of parameters) this.storage.set(p, "lane");
    visitCode(body, (c) => writtenBy(c).forEach((l) => this.storage.set(l, "lane")));
  }

  /** Data operands of collectives have an element per lane. */
  private findColumns(items: readonly Item[]): void {
    for (const i of items) {
      if (i.kind === "collective") {
        const data = i.collective.operands[0];
        if (data?.kind === "local") this.columns.add(data.local);
      }
      for (const b of itemBodies(i)) this.findColumns(b);
    }
  }

  // ---------------------------------------------------------------- what runs once

  /**
   * Those of `locals` whose every write can be run once at `level`: their rank allows it and each writing statement
   * stands in a sequence of the level and writes nothing else. The largest such set, by taking away until nothing changes.
   */
  private chooseOnce(items: readonly Item[], level: 1 | 2, locals: Iterable<LocalId>): void {
    const limit = level === 2 ? 0 : 1;
    const set = new Set<LocalId>();
    for (const l of locals) {
      if (this.uniform.localRank(l) <= limit && !this.columns.has(l) && !this.once[2].has(l)) set.add(l);
    }
    const confined = this.confinedTo(items, level);
    let before: number;
    do {
      before = set.size;
      this.takeAway(items, level, set, confined, true);
    } while (set.size !== before);
    for (const l of set) this.once[level].add(l);
  }

  /** Locals that occur in one group of boundary-free statements only, by a first grouping. */
  private confinedTo(items: readonly Item[], level: 1 | 2): ReadonlySet<LocalId> {
    const home = new Map<LocalId, number>();
    const many = new Set<LocalId>();
    let group = 0;
    const note = (l: LocalId, g: number): void => {
      const old = home.get(l);
      if (old === undefined) home.set(l, g);
      else if (old !== g) many.add(l);
    };
    const walk = (list: readonly Item[]): void => {
      group++;
      for (const i of list) {
        if (i.kind === "code") {
          occurrencesInCode(i.code, (l) => note(l, group));
          continue;
        }
        if (i.level < level) {
          this.eachLocal(i, (l) => note(l, group));
          continue;
        }
        this.ownLocals(i, (l) => many.add(l));
        for (const b of itemBodies(i)) walk(b);
        group++;
      }
    };
    walk(items);
    return new Set([...home.keys()].filter((l) => !many.has(l)));
  }

  private takeAway(
    items: readonly Item[],
    level: 1 | 2,
    set: Set<LocalId>,
    confined: ReadonlySet<LocalId>,
    direct: boolean,
  ): void {
    for (const i of items) {
      if (i.kind === "code") {
        if (direct && this.runsOnce(i.code, level, set, confined)) continue;
        visitCode([i.code], (c) => writtenBy(c).forEach((l) => set.delete(l)));
        continue;
      }
      if (i.kind === "collective") {
        const { scope, uniformResult } = i.collective;
        const fits = uniformResult && i.level === level && (scope === "workgroup") === (level === 2);
        if (!fits) for (const l of i.collective.results) set.delete(l);
        continue;
      }
      // Sequences inside a construct of a lower level are not run at this level.
      const inside = direct && i.level >= level;
      for (const b of itemBodies(i)) this.takeAway(b, level, set, confined, inside);
    }
  }

  /** Whether a statement of a sequence can be run once: only such locals written, no effects, no lane's own values. */
  private runsOnce(code: Code, level: 1 | 2, set: ReadonlySet<LocalId>, confined: ReadonlySet<LocalId>): boolean {
    const limit = level === 2 ? 0 : 1;
    let fits = true;
    visitCode([code], (c) => {
      if (!onceKinds.has(c.kind)) fits = false;
      if (!fits) return;
      for (const l of writtenBy(c)) if (!set.has(l)) fits = false;
      for (const e of exprsOf(c)) {
        if (this.uniform.rank(e) > limit) fits = false;
        // What can have a finding stays with the lanes, since none of them may be left to run it.
        if (
          someExpr(
            e,
            (x) =>
              x.kind === "call" ||
              x.kind === "load" ||
              x.kind === "checked" ||
              ((x.kind === "operation" || x.kind === "conversion") && x.site !== undefined),
          )
        )
          fits = false;
      }
    });
    if (!fits) return false;
    const written = new Set<LocalId>();
    visitCode([code], (c) => writtenBy(c).forEach((l) => written.add(l)));
    if (written.size === 0) return false;
    if (![...written].some((l) => confined.has(l))) return true;
    // What lives in one group only goes up only where it can stand before the group: a constant made of values above.
    if (code.kind !== "declare" || !this.form.locals.get(code.local)!.constant || !code.value) return false;
    return !someExpr(
      code.value,
      (x) => x.kind === "local" && !set.has(x.local) && !this.once[2].has(x.local) && !this.isGiven(x.local),
    );
  }

  private isGiven(l: LocalId): boolean {
    return this.given.has(l);
  }

  // ---------------------------------------------------------------- grouping

  private isOnce(i: Item, level: Level): i is Item & { kind: "code" } {
    if (i.kind !== "code") return false;
    const written: LocalId[] = [];
    visitCode([i.code], (c) => append(written, writtenBy(c)));
    const set = this.once[level as 1 | 2];
    return written.length > 0 && written.every((l) => set.has(l)) && pure(i.code);
  }

  /** Groups a sequence of `level` and the sequences of its constructs at that level. */
  private groupAll(items: readonly Item[], level: 1 | 2): void {
    const groups: Group[] = [];
    let open: (Group & { kind: "lanes" | "subgroups" }) | undefined;
    let touched = new Touched();
    const close = (): void => {
      open = undefined;
    };
    for (const i of items) {
      if (i.level >= level && i.kind !== "code") {
        close();
        groups.push({ kind: "structure", item: i });
        for (const b of itemBodies(i)) this.groupAll(b, level);
        continue;
      }
      if (this.isOnce(i, level)) {
        if (open && !touched.independent(i.code)) close();
        groups.push({ kind: "uniform", item: i });
        // Before the open group, which then is the last one still.
        if (open) [groups[groups.length - 2], groups[groups.length - 1]] = [groups.at(-1)!, open];
        continue;
      }
      if (!open) {
        open = { kind: "lanes", items: [], id: this.nextRun++ };
        touched = new Touched();
        groups.push(open);
      }
      open.items.push(i);
      touched.add(i);
      if (level === 2 && i.level === 1 && open.kind === "lanes") {
        const changed: Group & { kind: "subgroups" } = { kind: "subgroups", items: open.items, id: open.id };
        // An open group is the last one.
        groups[groups.length - 1] = changed;
        open = changed;
      }
    }
    this.groups.set(items, groups);
  }

  /** Inside each run over subgroups, the same at the subgroup level. */
  private groupSubgroups(items: readonly Item[]): void {
    for (const g of this.groups.get(items)!) {
      if (g.kind === "structure") for (const b of itemBodies(g.item)) this.groupSubgroups(b);
      if (g.kind !== "subgroups") continue;
      const shared = this.sharedLocals();
      const own = [...this.localsInside(g.items)].filter((l) => !shared.has(l));
      this.chooseOnce(g.items, 1, own);
      this.groupAll(g.items, 1);
    }
  }

  private localsInside(items: readonly Item[]): Set<LocalId> {
    const found = new Set<LocalId>();
    for (const i of items) this.eachLocal(i, (l) => found.add(l));
    return found;
  }

  private shared: ReadonlySet<LocalId> | undefined;

  /** Locals that occur in more than one run of the workgroup level, or outside all runs. */
  private sharedLocals(): ReadonlySet<LocalId> {
    if (this.shared) return this.shared;
    const shared = new Set<LocalId>();
    const seen = new Set<LocalId>();
    for (const groups of this.groups.values()) {
      for (const g of groups) {
        if (g.kind === "structure") this.ownLocals(g.item, (l) => shared.add(l));
        else if (g.kind === "uniform") this.eachLocal(g.item, (l) => shared.add(l));
        else for (const l of this.localsInside(g.items)) (seen.has(l) ? shared : seen).add(l);
      }
    }
    return (this.shared = shared);
  }

  // ---------------------------------------------------------------- storage

  private place(items: readonly Item[], level: Level, subgroupRun: number | undefined): void {
    for (const g of this.groups.get(items)!) {
      switch (g.kind) {
        case "lanes":
          for (const i of g.items) this.eachLocal(i, (l) => this.note(l, subgroupRun ?? "many", g.id));
          break;
        case "subgroups":
          this.place(g.items, 1, g.id);
          break;
        case "uniform":
          this.eachLocal(g.item, (l) => this.note(l, subgroupRun ?? "many", "many"));
          break;
        case "structure":
          this.ownLocals(g.item, (l) => this.note(l, subgroupRun ?? "many", "many"));
          for (const b of itemBodies(g.item)) this.place(b, level, subgroupRun);
          break;
      }
    }
  }

  private note(l: LocalId, subgroupRun: number | "many", laneRun: number | "many"): void {
    const o = this.occurrences.get(l);
    if (!o) {
      this.occurrences.set(l, { subgroupRun, laneRun });
      return;
    }
    if (o.subgroupRun !== subgroupRun) o.subgroupRun = "many";
    if (o.laneRun !== laneRun) o.laneRun = "many";
  }

  private storageOf(l: LocalId): Storage {
    if (this.once[2].has(l)) return "workgroup";
    if (this.once[1].has(l)) return "subgroup";
    if (this.columns.has(l)) return "slot";
    return this.occurrences.get(l)?.laneRun === "many" ? "slot" : "lane";
  }

  /** Constants that are cheaper to compute again in each region than to keep for every lane. */
  private readonly cheap = new Map<LocalId, Code & { kind: "declare" }>();

  private chooseCheap(items: readonly Item[]): void {
    const above = new Set<LocalId>();
    const noteAbove = (list: readonly Item[]): void => {
      for (const g of this.groups.get(list)!) {
        if (g.kind === "uniform") this.eachLocal(g.item, (l) => above.add(l));
        if (g.kind === "subgroups") noteAbove(g.items);
        if (g.kind !== "structure") continue;
        this.ownLocals(g.item, (l) => above.add(l));
        for (const b of itemBodies(g.item)) noteAbove(b);
      }
    };
    noteAbove(items);
    const changing = declaredOfChanging(this.form.body);
    visitCode(this.form.body, (c) => {
      if (c.kind !== "declare" || !c.value || this.storage.get(c.local) !== "slot" || changing.has(c)) return;
      if (!this.form.locals.get(c.local)!.constant || above.has(c.local)) return;
      if (!this.isCheap(c.value)) return;
      this.cheap.set(c.local, c);
      this.storage.set(c.local, "lane");
    });
  }

  private isCheap(e: MachineExpr): boolean {
    let size = 0;
    return !someExpr(e, (x) => {
      size++;
      if (size > 8 || x.kind === "load" || x.kind === "checked" || x.kind === "call") return true;
      if (x.kind === "operation") return x.site !== undefined || !cheapOps.has(x.op);
      if (x.kind === "conversion") return x.site !== undefined;
      return x.kind === "local" && this.storage.get(x.local) !== "workgroup" && !this.cheap.has(x.local);
    });
  }

  /** The code of a region with the cheap constants it needs before it. */
  private withCheap(code: readonly Code[]): readonly Code[] {
    const declared = new Set<LocalId>();
    visitCode(code, (c) => {
      if (c.kind === "declare") declared.add(c.local);
    });
    const before: Code[] = [];
    const need = (l: LocalId): void => {
      const c = this.cheap.get(l);
      if (!c || declared.has(l)) return;
      declared.add(l);
      localsIn(c.value!, need);
      before.push(c);
    };
    for (const c of code) occurrencesInCode(c, need);
    // A cheap constant nothing here reads is computed where it is read.
    let kept = code;
    for (let size = -1; size !== kept.length;) {
      size = kept.length;
      const read = new Set<LocalId>();
      visitCode(kept, (c) => exprsOf(c).forEach((e) => localsIn(e, (l) => read.add(l))));
      kept = kept.filter((c) => !(c.kind === "declare" && this.cheap.has(c.local) && !read.has(c.local)));
    }
    return [...before, ...kept];
  }

  private eachLocal(i: Item, visit: (l: LocalId) => void): void {
    if (i.kind === "code") return occurrencesInCode(i.code, visit);
    this.ownLocals(i, visit);
    for (const b of itemBodies(i)) for (const x of b) this.eachLocal(x, visit);
  }

  private ownLocals(i: Item, visit: (l: LocalId) => void): void {
    switch (i.kind) {
      case "if":
        return localsIn(i.condition, visit);
      case "loop":
        return i.condition ? localsIn(i.condition, visit) : undefined;
      case "switch":
        return localsIn(i.value, visit);
      case "collective":
        i.collective.operands.forEach((e) => localsIn(e, visit));
        i.collective.results.forEach(visit);
        return;
      default:
        return;
    }
  }

  // ---------------------------------------------------------------- regions

  private regions(items: readonly Item[], level: 1 | 2, masked: boolean): Region[] {
    const over: Over = level === 2 ? "workgroup" : "subgroup";
    const out: Region[] = [];
    for (const g of this.groups.get(items)!) {
      const now = masked || this.lanesGone;
      switch (g.kind) {
        case "lanes": {
          const code = this.withCheap(forward(g.items.map((i) => (i as Item & { kind: "code" }).code)));
          if (code.length > 0) out.push({ kind: "lanes", over, masked: now, code, span: g.items[0]!.span });
          this.noteParks(code);
          break;
        }
        case "subgroups": {
          const body = this.regions(g.items, 1, masked);
          out.push({ kind: "subgroups", body, span: g.items[0]!.span });
          break;
        }
        case "uniform":
          out.push({ kind: "uniform", code: [g.item.code], over, masked: now, span: g.item.span });
          break;
        case "structure":
          out.push(this.structure(g.item, level, over, masked));
          break;
      }
    }
    return this.useColumns(out);
  }

  private noteParks(code: readonly Code[]): void {
    visitCode(code, (c) => {
      if (c.kind !== "park") return;
      this.parks = true;
      if (c.wait === returned) this.lanesGone = true;
    });
  }

  private structure(i: Item, level: 1 | 2, over: Over, masked: boolean): Region {
    // Lanes that return inside a loop are gone when its beginning runs again.
    if (i.kind === "loop" && returnsInside(i)) this.lanesGone = true;
    const now = masked || this.lanesGone;
    switch (i.kind) {
      case "if":
        return {
          kind: "if",
          condition: i.condition,
          then: this.regions(i.then, level, masked),
          else: this.regions(i.else, level, masked),
          over,
          masked: now,
          span: i.span,
        };
      case "loop": {
        const inner = masked || i.whileAny;
        const head = this.regions(i.head, level, inner);
        const body = this.regions(i.body, level, inner);
        const step = this.regions(i.step, level, inner);
        return {
          kind: "loop",
          label: i.label,
          head,
          body,
          step,
          over,
          span: i.span,
          // Without lanes nobody might ever change what the condition reads.
          whileAny: i.whileAny || now,
          masked: now || i.whileAny,
          ...(i.condition ? { condition: i.condition } : {}),
        };
      }
      case "switch": {
        const cases = i.cases.map((c) => ({
          labels: c.labels,
          isDefault: c.isDefault,
          body: this.regions(c.body, level, masked),
        }));
        return { kind: "switch", label: i.label, value: i.value, cases, over, masked: now, span: i.span };
      }
      case "block":
        return { kind: "block", label: i.label, body: this.regions(i.body, level, masked), span: i.span };
      case "break":
      case "continue":
        return { kind: i.kind, label: i.label, span: i.span };
      case "return":
        return { kind: "return", span: i.span };
      case "barrier":
        return { kind: "barrier", barrier: i.barrier, over, masked: now, site: i.site, span: i.span };
      case "collective":
        return { kind: "collective", collective: i.collective, over, masked: now, span: i.span };
      case "resume":
        this.parks = true;
        return { kind: "resume", over, wait: i.wait, ...(i.park === undefined ? {} : { park: i.park }), span: i.span };
      case "if-any":
        return { kind: "if-any", over, body: this.regions(i.body, level, true), span: i.span };
      case "code":
        throw new Error("broken tree: code above the lanes");
    }
  }

  /** A column that only copies a slot is that slot: drops the copy made for a collective right after it. */
  private useColumns(list: readonly Region[]): Region[] {
    const out: Region[] = [];
    list.forEach((r) => {
      const before = out.at(-1);
      if (r.kind === "collective" && before?.kind === "lanes") {
        const renamed = new Map<LocalId, LocalId>();
        const code = [...before.code];
        for (const e of r.collective.operands) {
          if (e.kind !== "local") continue;
          const at = code.findIndex((c) => c.kind === "declare" && c.local === e.local);
          const copy = code[at];
          if (copy?.kind !== "declare" || copy.value?.kind !== "local") continue;
          const source = copy.value.local;
          if (this.storage.get(source) !== "slot" || code.slice(at + 1).some((c) => writtenBy(c).includes(source)))
            continue;
          if (this.usedOften(e.local)) continue;
          renamed.set(e.local, source);
          code.splice(at, 1);
        }
        if (renamed.size > 0) {
          out.pop();
          if (code.length > 0) out.push({ ...before, code });
          const operands = r.collective.operands.map((e) =>
            e.kind === "local" && renamed.has(e.local) ? local(renamed.get(e.local)!, e.scalar) : e,
          );
          out.push({ ...r, collective: { ...r.collective, operands } });
          return;
        }
      }
      out.push(r);
    });
    return out;
  }

  /** Read anywhere but by one collective. */
  private usedOften(l: LocalId): boolean {
    if (!this.uses) {
      const uses = (this.uses = new Map<LocalId, number>());
      visitCode(this.form.body, (c) =>
        exprsOf(c).forEach((e) => localsIn(e, (x) => uses.set(x, (uses.get(x) ?? 0) + 1))),
      );
    }
    return this.uses.get(l) !== 1;
  }
}

const cheapOps: ReadonlySet<string> = new Set("add sub mul and or xor shl shr neg not eq ne lt le gt ge".split(" "));

/**
 * Declarations of which the value names what is written later, while the local is known: computed again there it would be another one.
 * What only the step of a loop writes is written when the locals of its body are no more.
 */
function declaredOfChanging(code: readonly Code[]): ReadonlySet<Code> {
  const found = new Set<Code>();
  const walk = (list: readonly Code[], after: ReadonlySet<LocalId>): ReadonlySet<LocalId> => {
    const later = new Set<LocalId>();
    for (let i = list.length - 1; i >= 0; i--) {
      const c = list[i]!;
      if (c.kind === "declare" && c.value) localsIn(c.value, (l) => (later.has(l) || after.has(l)) && found.add(c));
      writtenBy(c).forEach((l) => later.add(l));
      const inside = new Set<LocalId>();
      for (const body of [...bodiesOf(c)].reverse()) {
        const written = walk(body, inside);
        written.forEach((l) => later.add(l));
        if (!(c.kind === "loop" && body === c.step)) written.forEach((l) => inside.add(l));
      }
    }
    return later;
  };
  walk(code, new Set());
  return found;
}

const onceKinds = new Set<Code["kind"]>([
  "declare",
  "set",
  "if",
  "loop",
  "switch",
  "block",
  "break",
  "continue",
  "cover",
]);

function pure(code: Code): boolean {
  let fits = true;
  visitCode([code], (c) => {
    if (!onceKinds.has(c.kind)) fits = false;
  });
  return fits;
}

function localsIn(e: MachineExpr, visit: (l: LocalId) => void): void {
  visitExpr(e, (x) => {
    if (x.kind === "local") visit(x.local);
  });
}

function occurrencesInCode(code: Code, visit: (l: LocalId) => void): void {
  visitCode([code], (c) => {
    writtenBy(c).forEach(visit);
    exprsOf(c).forEach((e) => localsIn(e, visit));
  });
}

/** What the items of an open group read and write, gathered as they come. */
class Touched {
  private readonly occurring = new Set<LocalId>();
  private readonly written = new Set<LocalId>();

  add(i: Item): void {
    if (i.kind === "code") {
      occurrencesInCode(i.code, (l) => this.occurring.add(l));
      visitCode([i.code], (c) => writtenBy(c).forEach((l) => this.written.add(l)));
      return;
    }
    const read = (e: MachineExpr): void => localsIn(e, (l) => this.occurring.add(l));
    if (i.kind === "collective") {
      for (const l of i.collective.results) {
        this.occurring.add(l);
        this.written.add(l);
      }
      i.collective.operands.forEach(read);
    }
    if (i.kind === "if" || i.kind === "switch" || i.kind === "loop") {
      const e = i.kind === "switch" ? i.value : i.condition;
      if (e) read(e);
    }
    for (const b of itemBodies(i)) for (const inner of b) this.add(inner);
  }

  /** Whether a statement that is run once may move before the items. */
  independent(code: Code): boolean {
    let free = true;
    visitCode([code], (c) => {
      if (writtenBy(c).some((l) => this.occurring.has(l))) free = false;
      exprsOf(c).forEach((e) => localsIn(e, (l) => (free = free && !this.written.has(l))));
    });
    return free;
  }
}

function returnsInside(i: Item): boolean {
  let found = false;
  const walk = (x: Item): void => {
    if (x.kind === "code") {
      visitCode([x.code], (c) => {
        if (c.kind === "park" && c.wait === returned) found = true;
      });
    }
    for (const b of itemBodies(x)) b.forEach(walk);
  };
  walk(i);
  return found;
}

/** Tidies one run: nothing is reachable after a park at its top level. */
function forward(code: readonly Code[]): readonly Code[] {
  const end = code.findIndex((c) => c.kind === "park");
  return end < 0 ? code : code.slice(0, end + 1);
}

/** Where the kernel is one region, a lane that returns just leaves it. */
function returnsLeave(r: Region): Region {
  if (r.kind !== "lanes") return r;
  const rewrite = (c: Code): Code => {
    switch (c.kind) {
      case "park":
        return { kind: "return", span: c.span };
      case "if":
        return { ...c, then: c.then.map(rewrite), else: c.else.map(rewrite) };
      case "loop":
        return { ...c, head: c.head.map(rewrite), body: c.body.map(rewrite), step: c.step.map(rewrite) };
      case "switch":
        return { ...c, cases: c.cases.map((k) => ({ ...k, body: k.body.map(rewrite) })) };
      case "block":
        return { ...c, body: c.body.map(rewrite) };
      default:
        return c;
    }
  };
  return { ...r, code: r.code.map(rewrite) };
}
