/** The text of one kernel while it grows: lines with their source, and the names of locals, memory and the runtime. */
import type { Span } from "../../src/support/span.js";
import type { ScalarKind } from "../../src/types/types.js";
import { exprsOf, someExpr, visitCode } from "../../src/regions/machine.js";
import { localsRead, regionBodies } from "../../src/regions/queries.js";
import type { Code, LocalId, MachineExpr, MemoryObject, Program, Region } from "../../src/regions/tree.js";
import { Expressions, wrapText, type Scope, type Surroundings, type Text } from "./expressions.js";
import { Work, type Together } from "../../src/regions/work.js";
import { Names } from "./names.js";
import { jsType, runtimeWords, slotKind } from "./queries.js";

/** A line of the source as comments show it. */
export interface SourceLine {
  /** Its number; behind the file's name, where that is not the kernel's. */
  readonly place: string;
  readonly text: string;
}
export type LineOf = (span: Span) => SourceLine | undefined;

export interface TypeScriptOptions {
  /** Type annotations. */
  readonly types: boolean;
  /** Bounds checks; without them accesses out of bounds read anything of the object's view. */
  readonly checks: boolean;
  /** What a dialect leaves open, as min and max of a NaN and a number, is chosen by the fill. */
  readonly open?: boolean;
  /** Float arithmetic by routines, all of it: the runtime is one that has them (sim/granted.ts). */
  readonly granted?: boolean;
  /** A step counter in every loop. */
  readonly steps: boolean;
  /** Record the writer of every element. */
  readonly writers: boolean;
  /** Locals without a value have fills that can be told apart. */
  readonly localFills?: boolean;
  /** Lanes are not in the order of the local index: the machine has tables that say which is which. */
  readonly scrambled?: boolean;
  /** Note every access, so that races can be found. */
  readonly races?: boolean;
  /** Lanes, subgroups and workgroups take turns at atomics: the function of a workgroup is a generator. */
  readonly interleaved?: boolean;
  /** Note which lanes come to each point of coverage and to barriers, in order. */
  readonly trace?: boolean;
  /** Known at printing; otherwise read from the launch. */
  readonly workgroupSize?: readonly [number, number, number];
  readonly subgroupSize?: number;
  /** The line a span stands on, for comments. */
  readonly lineOf?: LineOf;
}

/** Lines taken out of the text, with their source. */
export interface Captured {
  readonly lines: readonly string[];
  readonly mapping: readonly { readonly line: number; readonly span: Span }[];
}

export class KernelText implements Surroundings {
  protected lines: string[] = [];
  protected mapping: { line: number; span: Span }[] = [];
  protected depth = 0;
  protected readonly names: Names;
  protected readonly localNames = new Map<LocalId, string>();
  protected readonly views = new Map<string, string>();
  protected readonly viewKinds = new Map<number, Set<ScalarKind>>();
  protected readonly limits = new Map<string, { name: string; check: number }>();
  protected readonly limitList: { object: number; unit: number; reach: number }[] = [];
  protected readonly prologue: string[] = [];
  protected readonly runtimeNames = new Set<string>();
  protected readonly helperNames: string[] = [];
  protected readonly expressions: Expressions;
  protected readonly work: Work;
  /** Steps are counted by the machine, since functions count, too: each in a register would have as many as all. */
  protected readonly countsInMachine: boolean;
  private readonly localsRead: ReadonlySet<LocalId>;
  /** Locals that hold what the launch gives: which value, and which scalar of it. */
  private readonly given = new Map<LocalId, { readonly value: number; readonly at: number }>();
  protected pendingTemporaries: string[] = [];
  /** Slots that a region keeps in registers while it works on one lane. */
  protected registers = new Map<
    LocalId,
    { readonly name: string; readonly written: boolean; readonly declaredHere: boolean; declared: boolean }
  >();
  protected lastPlace = "";
  readonly dimensions: Surroundings["dimensions"];
  readonly checks: boolean;
  readonly open: boolean;
  readonly granted: boolean;
  readonly races: boolean;
  readonly interleaved: boolean;
  /** Helpers in which lanes take turns. */
  private readonly turning: ReadonlySet<number>;

  constructor(
    protected readonly program: Program,
    protected readonly options: TypeScriptOptions,
  ) {
    this.names = new Names(runtimeWords);
    this.expressions = new Expressions(this);
    this.work = new Work(program);
    this.countsInMachine = program.helpers.some((_, i) => this.work.counts(i));
    this.localsRead = localsRead(program);
    this.checks = options.checks;
    this.open = options.open === true;
    this.granted = options.granted === true;
    this.races = options.races === true;
    this.interleaved = options.interleaved === true;
    this.turning = this.interleaved ? turningHelpers(program) : new Set();
    this.dimensions = { size: options.workgroupSize, width: options.subgroupSize, linear: options.scrambled !== true };
    program.values.forEach((v, value) => v.locals?.forEach((l, at) => this.given.set(l, { value, at })));
    this.findViews();
  }

  /** As far as sizes are known; otherwise those most launches have. */
  protected get together(): Together {
    const { workgroupSize: [x, y, z] = [64, 1, 1], subgroupSize = 32 } = this.options;
    return { workgroup: x * y * z, subgroup: subgroupSize };
  }

  // ---------------------------------------------------------------- lines

  protected put(line: string): void {
    this.lines.push("  ".repeat(this.depth) + line);
  }

  /** What `work` prints, apart. */
  protected capture(work: () => void): Captured {
    const { lines, mapping } = this;
    this.lines = [];
    this.mapping = [];
    work();
    const captured = { lines: this.lines, mapping: this.mapping };
    this.lines = lines;
    this.mapping = mapping;
    return captured;
  }

  protected append(captured: Captured): void {
    const shift = this.lines.length;
    for (const line of captured.lines) this.lines.push(line);
    for (const { line, span } of captured.mapping) this.mapping.push({ line: line + shift, span });
  }

  protected indented(work: () => void): void {
    this.depth++;
    work();
    this.depth--;
  }

  /** Notes the source of the next line; as a comment where lines are known and the line changes. */
  protected source(span: Span): void {
    if (span.end <= span.start) return;
    const found = this.options.lineOf?.(span);
    if (found && found.place !== this.lastPlace) {
      this.lastPlace = found.place;
      this.put(`// ${`${found.place}: ${found.text}`.replace(/[^\x20-\x7e]/g, "?").trim()}`);
    }
    this.mapping.push({ line: this.lines.length, span });
  }

  // ---------------------------------------------------------------- names, memory

  object(id: number): MemoryObject {
    return this.program.objects[id]!;
  }

  readSite(site: number): number {
    return site >= 0 ? site : this.program.sites.length - 1 - site;
  }

  runtime(name: string): string {
    this.runtimeNames.add(name);
    return name;
  }

  helperTurns(index: number): boolean {
    return this.turning.has(index);
  }

  /** Whether lanes take turns in some of it. */
  protected turns(list: readonly Code[]): boolean {
    return this.interleaved && hasAtomics(list, (h) => this.turning.has(h));
  }

  helper(index: number): string {
    return this.helperNames[index]!;
  }

  protected localName(id: LocalId): string {
    let name = this.localNames.get(id);
    if (name === undefined) {
      const l = this.program.locals.get(id)!;
      name = this.names.unique(`v_${l.name}`);
      this.localNames.set(id, name);
      if (l.storage === "slot") {
        const kind = slotKind(l.scalar);
        this.prologue.push(`const ${name} = m.slot_${kind}();`);
      }
      const given = this.given.get(id);
      if (given)
        this.prologue.push(
          `const ${name} = ${this.read("m.values", String(given.value))}[${given.at}]${this.valueCast(l.scalar)};`,
        );
    }
    return name;
  }

  protected valueCast(scalar: string): string {
    if (!this.options.types) return "";
    return ` as ${jsType(scalar)}`;
  }

  readLocal(id: LocalId, scope: Scope): Text {
    const register = this.registers.get(id);
    if (register) return { text: register.name, level: 20 };
    const l = this.program.locals.get(id)!;
    const name = this.localName(id);
    if (l.storage !== "slot") return { text: name, level: 20 };
    return l.scalar === "bool"
      ? { text: `${name}[${scope.lane}] !== 0`, level: 8 }
      : { text: this.read(name, scope.lane), level: 20 };
  }

  /** It is no variable of the text. */
  protected isUnread(id: LocalId): boolean {
    return this.program.locals.get(id)!.storage !== "slot" && !this.localsRead.has(id);
  }

  read(array: string, index: string): string {
    return `${array}[${index}]${this.options.types ? "!" : ""}`;
  }

  view(id: number, scalar: ScalarKind): string {
    const stored = scalar === "bool" ? "u8" : scalar;
    const key = `${id}.${stored === "f16" ? "u16" : stored}`;
    let name = this.views.get(key);
    if (name === undefined) {
      const single = (this.viewKinds.get(id)?.size ?? 0) <= 1;
      const base = this.object(id).name;
      name = this.names.unique(single ? base : `${base}_${stored}`);
      this.views.set(key, name);
      this.prologue.push(`const ${name} = m.view_${stored === "f16" ? "u16" : stored}(${id});`);
    }
    return name;
  }

  /** Which kinds of views an object needs, for shorter names where it is one. */
  protected findViews(): void {
    const note = (object: unknown, scalar: ScalarKind): void => {
      if (typeof object !== "number") return;
      const set = this.viewKinds.get(object) ?? new Set();
      set.add(scalar === "f16" ? "u16" : scalar);
      this.viewKinds.set(object, set);
    };
    const expr = (e: MachineExpr): void => {
      someExpr(e, (x) => {
        if (x.kind === "load") note(x.address.object, x.scalar);
        return false;
      });
    };
    const code = (list: readonly Code[]): void =>
      visitCode(list, (c) => {
        exprsOf(c).forEach(expr);
        if (c.kind === "store" || c.kind === "atomic") note(c.address.object, c.scalar);
      });
    for (const h of this.program.helpers) code(h.body);
    const walk = (list: readonly Region[]): void => {
      for (const r of list) {
        if (r.kind === "lanes" || r.kind === "uniform") code(r.code);
        if ((r.kind === "if" || r.kind === "loop") && r.condition) expr(r.condition);
        for (const b of regionBodies(r)) walk(b);
      }
    };
    walk(this.program.regions);
  }

  limit(object: number, unit: number, reach: number): { name: string; check: number } {
    const key = `${object}.${unit}.${reach}`;
    let found = this.limits.get(key);
    if (!found) {
      const check = this.limitList.length;
      this.limitList.push({ object, unit, reach });
      found = { name: this.names.unique(`${this.object(object).name}_length`), check };
      this.limits.set(key, found);
      this.prologue.push(`const ${found.name} = m.limit(${object}, ${unit}, ${reach});`);
    }
    return found;
  }

  laneStride(id: number, bytes: number): string {
    const o = this.object(id);
    return String((Math.ceil(o.bytes! / 8) * 8) / bytes);
  }

  temporary(): string {
    const name = this.names.unique("at");
    this.pendingTemporaries.push(name);
    return name;
  }

  protected expr(e: MachineExpr, scope: Scope, level = 0): string {
    return wrapText(this.expressions.print(e, scope), level);
  }

  /** Prints what uses temporaries, with their declaration before it. */
  protected withTemporaries(work: () => void): void {
    const saved = this.pendingTemporaries;
    this.pendingTemporaries = [];
    const inside = this.capture(work);
    if (this.pendingTemporaries.length > 0)
      this.put(`let ${this.pendingTemporaries.map((t) => `${t} = 0`).join(", ")};`);
    this.append(inside);
    this.pendingTemporaries = saved;
  }
}

function hasAtomics(list: readonly Code[], turns: (helper: number) => boolean): boolean {
  let found = false;
  visitCode(list, (c) => {
    if (c.kind === "atomic") found = true;
    for (const e of exprsOf(c)) found ||= someExpr(e, (x) => x.kind === "call" && turns(x.helper));
  });
  return found;
}

/** Helpers with atomics, their own or of those that they call. */
function turningHelpers({ helpers }: Program): ReadonlySet<number> {
  const found = new Set<number>();
  for (let before = -1; before !== found.size;) {
    before = found.size;
    helpers.forEach((h, i) => hasAtomics(h.body, (x) => found.has(x)) && found.add(i));
  }
  return found;
}
