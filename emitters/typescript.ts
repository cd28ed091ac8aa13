/**
 * Region trees as TypeScript. Two outputs of one printer: a module for people (types, the source line before each region,
 * imports from `crosslane/runtime`), and the same code without types as the body of a function, which the simulator runs.
 */
import { assertNever } from "../src/support/assert-never.js";
import type { Span } from "../src/support/span.js";
import type { ScalarKind } from "../src/types/types.js";
import { bodiesOf, exprsOf, someExpr, visitCode, writtenBy } from "../src/regions/machine.js";
import type { Atomic, Code, Collective, CollectiveRegion, LabelId, LocalId, LoopCode, MachineExpr, MemoryObject, Program, Region, Store } from "../src/regions/tree.js"; // prettier-ignore
import { atomicValue, canRace, Expressions, scalarSizes, wrapText, type Scope, type Surroundings, type Text } from "./typescript-expressions.js";
import { writeOut, type Written } from "./typescript-collectives.js";
import { Names } from "./typescript-names.js";
import { codeContinues, endsInReturn, jsType, mayBeNaN, regionBodies, regionsContinue, runtimeWords, slotKind } from "./typescript-queries.js"; // prettier-ignore

export interface TypeScriptOptions {
  /** Type annotations. */
  readonly types: boolean;
  /** Bounds checks; without them accesses out of bounds read anything of the object's view. */
  readonly checks: boolean;
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
  /** Known at printing; otherwise read from the launch. */
  readonly workgroupSize?: readonly [number, number, number];
  readonly subgroupSize?: number;
  /** The line a span stands on, for comments. */
  readonly lineOf?: (span: Span) => { readonly line: number; readonly text: string } | undefined;
}

/** What one kernel's code needs at run time, as data. */
export interface KernelShape {
  readonly limits: readonly { readonly object: number; readonly unit: number; readonly reach: number }[];
}

export interface PrintedKernel {
  /** `(m) => (wx, wy, wz) => void` as text. */
  readonly factory: string;
  /** Names taken from the runtime. */
  readonly runtime: readonly string[];
  readonly shape: KernelShape;
  /** Line of the factory's text (from 0) to the source it carries out. */
  readonly lines: readonly { readonly line: number; readonly span: Span }[];
}

/** Prints a program as a factory: given the launch's memory it returns the function that runs one workgroup. */
export function printKernel(program: Program, options: TypeScriptOptions): PrintedKernel {
  return new Printer(program, options).kernel();
}

export const arrayTypes: Readonly<Record<ScalarKind, string>> = {
  bool: "Uint8Array", i8: "Int8Array", u8: "Uint8Array", i16: "Int16Array", u16: "Uint16Array", i32: "Int32Array", u32: "Uint32Array",
  i64: "BigInt64Array", u64: "BigUint64Array", f16: "Uint16Array", f32: "Float32Array", f64: "Float64Array",
}; // prettier-ignore

interface JumpTarget {
  readonly label: LabelId;
  readonly name: string;
  /** A statement of JavaScript `break` without a label would leave. */
  readonly breakable: boolean;
  readonly loop: boolean;
  /** `continue` is written as leaving this block, since the loop's step follows it. */
  readonly continueBlock: string | undefined;
  used: boolean;
  continueUsed: boolean;
}

class Printer implements Surroundings {
  private readonly lines: string[] = [];
  private readonly mapping: { line: number; span: Span }[] = [];
  private depth = 0;
  private readonly names: Names;
  private readonly localNames = new Map<LocalId, string>();
  private readonly views = new Map<string, string>();
  private readonly viewKinds = new Map<number, Set<ScalarKind>>();
  private readonly limits = new Map<string, { name: string; check: number }>();
  private readonly limitList: { object: number; unit: number; reach: number }[] = [];
  private readonly strides = new Map<string, string>();
  private readonly prologue: string[] = [];
  private readonly runtimeNames = new Set<string>();
  private readonly helperNames: string[] = [];
  private readonly targets: JumpTarget[] = [];
  private readonly expressions: Expressions;
  private pendingTemporaries: string[] = [];
  /** How a lane leaves its region. */
  private leaveLane: { readonly name: string; used: boolean } | undefined;
  /** Slots that a region keeps in registers while it works on one lane. */
  private registers = new Map<LocalId, { readonly name: string; readonly written: boolean; readonly declaredHere: boolean; declared: boolean }>();
  private inHelper = false;
  private lastLine = -1;
  readonly dimensions: Surroundings["dimensions"];
  readonly checks: boolean;
  readonly races: boolean;

  constructor(
    private readonly program: Program,
    private readonly options: TypeScriptOptions,
  ) {
    this.names = new Names(runtimeWords);
    this.expressions = new Expressions(this);
    this.checks = options.checks;
    this.races = options.races === true;
    this.dimensions = { size: options.workgroupSize, width: options.subgroupSize, linear: options.scrambled !== true };
    this.findViews();
  }

  kernel(): PrintedKernel {
    const { program } = this;
    const flat = this.dimensions.linear && this.dimensions.size && this.dimensions.size[1] === 1 && this.dimensions.size[2] === 1;
    for (const h of program.helpers) this.helperNames.push(this.names.unique(h.name));
    this.depth = 1;
    const helpers = this.capture(() => this.printHelpers());
    this.depth = 2;
    const body = this.capture(() =>
      this.withTemporaries(() => this.regions(program.regions, { lane: "0", inSubgroup: false })),
    );
    this.depth = 0;
    const size = this.dimensions.size;
    const number = this.options.types ? ": number" : "";
    this.lines.length = 0;
    this.put(this.options.types ? "(m: Machine) => {" : "(m) => {");
    this.depth = 1;
    const used = [...body.lines, ...helpers.lines, ...this.prologue].join("\n");
    const uses = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(used);
    if (uses("lanes") || uses("subgroups")) this.put(`const lanes = ${size ? size[0] * size[1] * size[2] : "m.lanes"};`);
    if (uses("width") || uses("subgroups")) this.put(`const width = ${this.dimensions.width ?? "m.width"};`);
    if (uses("subgroups")) this.put("const subgroups = Math.ceil(lanes / width);");
    const tables = flat ? [] : ["local_x", "local_y", "local_z", "local_index"].filter(uses);
    if (tables.length > 0) this.put(`const { ${tables.join(", ")} } = m;`);
    if (program.parks) this.put("const wait = m.wait;");
    for (const p of this.prologue) this.put(p);
    const shift = this.lines.length;
    this.lines.push(...helpers.lines);
    this.mapping.push(...helpers.mapping.map((x) => ({ ...x, line: x.line + shift })));
    this.put(`return (wx${number}, wy${number}, wz${number})${this.options.types ? ": void" : ""} => {`);
    this.depth = 2;
    for (const axis of ["x", "y", "z"].filter((a) => uses(`base_${a}`))) this.put(`const base_${axis} = m.base_${axis} + w${axis} * m.enqueued_workgroup_size_${axis};`);
    // A register while the workgroup runs; helpers count in the machine, and the lower count stays.
    if (this.options.steps) this.put("let steps = m.steps;");
    const offset = this.lines.length;
    this.lines.push(...body.lines);
    this.mapping.push(...body.mapping.map((x) => ({ ...x, line: x.line + offset })));
    if (this.options.steps) this.put(keepSteps);
    this.depth = 1;
    this.put("};");
    this.depth = 0;
    this.put("}");
    return { factory: this.lines.join("\n"), runtime: [...this.runtimeNames].sort(), shape: { limits: this.limitList }, lines: this.mapping };
  }

  // ---------------------------------------------------------------- lines

  private put(line: string): void {
    this.lines.push("  ".repeat(this.depth) + line);
  }

  private capture(work: () => void): { lines: string[]; mapping: { line: number; span: Span }[] } {
    const lines = this.lines.splice(0);
    const mapping = this.mapping.splice(0);
    work();
    const result = { lines: this.lines.splice(0), mapping: this.mapping.splice(0) };
    this.lines.push(...lines);
    this.mapping.push(...mapping);
    return result;
  }

  private indented(work: () => void): void {
    this.depth++;
    work();
    this.depth--;
  }

  /** Notes the source of the next line; as a comment where lines are known and the line changes. */
  private source(span: Span): void {
    if (span.end <= span.start) return;
    const found = this.options.lineOf?.(span);
    if (found && found.line !== this.lastLine) {
      this.lastLine = found.line;
      this.put(`// ${found.line}: ${found.text.replace(/[^\x20-\x7e]/g, "?").trim()}`);
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

  helper(index: number): string {
    return this.helperNames[index]!;
  }

  private localName(id: LocalId): string {
    let name = this.localNames.get(id);
    if (name === undefined) {
      const l = this.program.locals.get(id)!;
      name = this.names.unique(`v_${l.name}`);
      this.localNames.set(id, name);
      if (l.storage === "slot") {
        const kind = slotKind(l.scalar);
        this.prologue.push(`const ${name} = m.slot_${kind}();`);
      }
      const given = this.program.values.findIndex((v) => v.locals?.includes(id));
      if (given >= 0) {
        this.prologue.push(`const ${name} = m.values[${given}][${this.program.values[given]!.locals!.indexOf(id)}]${this.valueCast(l.scalar)};`);
      }
    }
    return name;
  }

  private valueCast(scalar: string): string {
    if (!this.options.types) return "";
    return ` as ${jsType(scalar)}`;
  }

  readLocal(id: LocalId, scope: Scope): Text {
    const register = this.registers.get(id);
    if (register) return { text: register.name, level: 20 };
    const l = this.program.locals.get(id)!;
    const name = this.localName(id);
    if (l.storage !== "slot") return { text: name, level: 20 };
    const read = `${name}[${scope.lane}]`;
    return l.scalar === "bool" ? { text: `${read} !== 0`, level: 8 } : { text: read, level: 20 };
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
  private findViews(): void {
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

  private expr(e: MachineExpr, scope: Scope, level = 0): string {
    return wrapText(this.expressions.print(e, scope), level);
  }

  /** Prints what uses temporaries, with their declaration before it. */
  private withTemporaries(work: () => void): void {
    const saved = this.pendingTemporaries;
    this.pendingTemporaries = [];
    const { lines, mapping } = this.capture(work);
    if (this.pendingTemporaries.length > 0) this.put(`let ${this.pendingTemporaries.map((t) => `${t} = 0`).join(", ")};`);
    const shift = this.lines.length;
    this.lines.push(...lines);
    this.mapping.push(...mapping.map((x) => ({ ...x, line: x.line + shift })));
    this.pendingTemporaries = saved;
  }

  // ---------------------------------------------------------------- helpers

  private printHelpers(): void {
    this.inHelper = true;
    this.program.helpers.forEach((h, i) => {
      this.source(h.span);
      const number = this.options.types ? ": number" : "";
      const parameters = h.parameters.map((p) => `${this.localName(p)}${this.options.types ? `: ${jsType(this.program.locals.get(p)!.scalar)}` : ""}`);
      const result = this.options.types ? `: ${h.result === undefined ? "void" : jsType(h.result)}` : "";
      this.put(`function ${this.helperNames[i]!}(${[`lane${number}`, ...parameters].join(", ")})${result} {`);
      this.indented(() => {
        this.withTemporaries(() => this.code(h.body, { lane: "lane", inSubgroup: false }));
        if (h.result !== undefined && !endsInReturn(h.body)) this.put(`return m.fill_${h.result};`);
      });
      this.put("}");
    });
    this.inHelper = false;
  }

  // ---------------------------------------------------------------- regions

  private regions(list: readonly Region[], scope: Scope): void {
    for (const r of list) this.region(r, scope);
  }

  private range(over: "workgroup" | "subgroup"): string {
    return over === "workgroup" ? "0, lanes" : "start, end";
  }

  /** Scope of code run once: slots are read at the first active lane. */
  private uniformScope(over: "workgroup" | "subgroup", masked: boolean): Scope {
    const inSubgroup = over === "subgroup";
    if (!masked || !this.program.parks) return { lane: inSubgroup ? "start" : "0", inSubgroup };
    return { lane: `${this.runtime("firstActive")}(wait, ${this.range(over)})`, inSubgroup };
  }

  private region(r: Region, scope: Scope): void {
    switch (r.kind) {
      case "lanes":
        return this.lanes(r);
      case "subgroups":
        this.put("for (let subgroup = 0; subgroup < subgroups; subgroup++) {");
        this.indented(() => {
          this.put("const start = subgroup * width;");
          this.put(`const end = ${this.runtime("min")}(start + width, lanes);`);
          this.regions(r.body, { lane: "start", inSubgroup: true });
        });
        this.put("}");
        return;
      case "uniform":
        this.withTemporaries(() => this.code(r.code, this.uniformScope(r.over, r.masked)));
        return;
      case "if": {
        this.source(r.span);
        const inner = this.uniformScope(r.over, r.masked);
        this.withTemporaries(() => {
          this.put(`if (${this.expr(r.condition, inner)}) {`);
          this.indented(() => this.regions(r.then, scope));
          if (r.else.length > 0) {
            this.put("} else {");
            this.indented(() => this.regions(r.else, scope));
          }
          this.put("}");
        });
        return;
      }
      case "loop": {
        const inner = this.uniformScope(r.over, r.masked);
        this.loop(r.label, r.span, {
          guard: r.whileAny ? `!${this.runtime("anyActive")}(wait, ${this.range(r.over)})` : undefined,
          head: r.head.length === 0 ? undefined : () => this.regions(r.head, scope),
          condition: r.condition ? () => this.expr(r.condition!, inner) : undefined,
          body: () => this.regions(r.body, scope),
          step: r.step.length === 0 ? undefined : () => this.regions(r.step, scope),
          stepText: r.step.every((s) => s.kind === "uniform") ? this.stepText(r.step.flatMap((s) => (s.kind === "uniform" ? s.code : [])), inner) : undefined,
          continues: regionsContinue(r.body, r.label),
        });
        return;
      }
      case "switch": {
        const inner = this.uniformScope(r.over, r.masked);
        this.switch(r.label, r.span, this.expr(r.value, inner), r.cases, (body) => this.regions(body, scope));
        return;
      }
      case "block":
        return this.labelled(r.label, r.span, () => this.regions(r.body, scope));
      case "break":
      case "continue":
        return this.jump(r.kind, r.label);
      case "return":
        if (this.options.steps) this.put(keepSteps);
        this.put("return;");
        return;
      case "barrier": {
        if (this.races) {
          const { workgroup, global } = r.barrier.memory;
          this.put(`m.passed(${r.over === "subgroup" ? "subgroup" : "undefined"}, ${workgroup}, ${global});`);
        }
        const all = r.masked && this.program.parks ? `m.barrier(${r.site}, ${this.range(r.over)});` : "";
        this.source(r.span);
        if (all) this.put(all);
        else if (this.options.lineOf) this.put(`// all lanes of the ${r.over} are here`);
        return;
      }
      case "collective":
        return this.collective(r);
      case "resume":
        this.put(`${this.runtime("resume")}(wait, ${this.range(r.over)}, ${r.wait}, ${r.park ?? 0});`);
        return;
      case "if-any":
        this.put(`if (${this.runtime("anyActive")}(wait, ${this.range(r.over)})) {`);
        this.indented(() => this.regions(r.body, scope));
        this.put("}");
        return;
      default:
        return assertNever(r);
    }
  }

  private lanes(r: Region & { kind: "lanes" }): void {
    const name = this.names.unique("next");
    const leave = { name, used: false };
    const saved = this.leaveLane;
    this.leaveLane = leave;
    this.registers = this.registersFor(r.code);
    const inSubgroup = r.over === "subgroup";
    this.depth++;
    const { lines, mapping } = this.capture(() =>
      this.withTemporaries(() => {
        if (r.masked && this.program.parks) this.put("if (wait[lane] !== 0) continue;");
        for (const [id, register] of this.registers) {
          if (register.declaredHere) continue;
          this.put(`${register.written ? "let" : "const"} ${register.name} = ${this.slotRead(id, "lane")};`);
        }
        this.code(r.code, { lane: "lane", inSubgroup });
        this.writeBack();
      }),
    );
    this.depth--;
    this.registers = new Map();
    this.leaveLane = saved;
    const header = inSubgroup ? "for (let lane = start; lane < end; lane++) {" : "for (let lane = 0; lane < lanes; lane++) {";
    this.put(leave.used ? `${name}: ${header}` : header);
    const shift = this.lines.length;
    this.lines.push(...lines);
    this.mapping.push(...mapping.map((x) => ({ ...x, line: x.line + shift })));
    this.put("}");
  }

  /** Slots a region touches more than once, or in a loop. */
  private registersFor(code: readonly Code[]): typeof this.registers {
    const uses = new Map<LocalId, number>();
    const written = new Set<LocalId>();
    const declared = new Set<LocalId>();
    const count = (list: readonly Code[], weight: number, top: boolean): void => {
      for (const c of list) {
        const note = (l: LocalId): void => {
          if (this.program.locals.get(l)!.storage === "slot") uses.set(l, (uses.get(l) ?? 0) + weight);
        };
        const inner = c.kind === "loop" ? 4 : weight;
        for (const e of exprsOf(c)) {
          someExpr(e, (x) => {
            if (x.kind === "local") uses.set(x.local, (uses.get(x.local) ?? 0) + (c.kind === "loop" ? 4 : weight));
            return false;
          });
        }
        for (const l of writtenBy(c)) {
          note(l);
          written.add(l);
          if (top && c.kind === "declare") declared.add(l);
        }
        for (const b of bodiesOf(c)) count(b, inner, false);
      }
    };
    count(code, 1, true);
    const found: typeof this.registers = new Map();
    for (const [l, n] of uses) {
      if (n < 3 || this.program.locals.get(l)?.storage !== "slot") continue;
      const name = this.names.unique(`${this.localName(l)}_`);
      found.set(l, { name, written: written.has(l), declaredHere: declared.has(l), declared: !declared.has(l) });
    }
    return found;
  }

  private slotRead(id: LocalId, lane: string): string {
    const read = `${this.localName(id)}[${lane}]`;
    return this.program.locals.get(id)!.scalar === "bool" ? `${read} !== 0` : read;
  }

  /** Registers that changed go back to their slots before the lane leaves the region. */
  private writeBack(): void {
    for (const [id, register] of this.registers) {
      // Before its declaration it holds nothing of this lane's.
      if (!register.written || !register.declared) continue;
      const value = this.program.locals.get(id)!.scalar === "bool" ? `${register.name} ? 1 : 0` : register.name;
      this.put(`${this.localName(id)}[lane] = ${value};`);
    }
  }

  private collective(r: CollectiveRegion): void {
    const c = r.collective;
    this.source(r.span);
    const scope = this.uniformScope(r.over, r.masked);
    const wait = r.masked && this.program.parks ? "wait" : "null";
    const operands = c.operands.map((e) => {
      if (e.kind === "local" && this.program.locals.get(e.local)!.storage === "slot") return this.localName(e.local);
      return this.expr(e, scope, 1);
    });
    this.promised(c, wait, r, operands);
    const written = this.options.types ? undefined : this.writtenOut(r, operands);
    if (written) {
      for (const line of written.lines) this.put(line);
      if (c.uniformResult) c.results.forEach((l, i) => this.assignUniform(l, written.values[i]!, r, true));
      return;
    }
    const routine = this.runtime(`${c.scope}_${c.routine}`);
    const kinds = `"${c.scalar}"`;
    const common = [`m`, kinds, String(c.site), wait, this.range(r.over)];
    const perLane = !c.uniformResult;
    if (perLane) {
      const [result] = c.results;
      this.put(`${routine}(${[...common, this.localName(result!), ...operands].join(", ")});`);
      return;
    }
    if (c.results.length > 1) {
      this.put(`${routine}(${[...common, ...operands].join(", ")});`);
      c.results.forEach((l, i) => this.assignUniform(l, `m.words[${i}]`, r, true));
      return;
    }
    this.assignUniform(c.results[0]!, `${routine}(${[...common, ...operands].join(", ")})`, r, true);
  }

  /** The engine's own form of a common routine. */
  private writtenOut(r: CollectiveRegion, operands: readonly string[]): Written | undefined {
    const c = r.collective;
    const isColumn = (i: number): boolean => {
      const e = c.operands[i]!;
      return e.kind === "local" && this.program.locals.get(e.local)!.storage === "slot";
    };
    const [result] = c.results;
    const column = !c.uniformResult && result !== undefined ? this.localName(result) : undefined;
    if (c.operands.some((e) => e.kind === "local" && this.program.locals.get(e.local)!.scalar === "index")) return undefined;
    const [start, end] = this.range(r.over).split(", ") as [string, string];
    return writeOut({
      routine: c.routine, scalar: c.scalar, operands: operands.map((text, i) => ({ text, column: isColumn(i) })), result: column, site: c.site,
      range: [start, end], masked: r.masked && this.program.parks, width: this.dimensions.width,
      unique: (name) => this.names.unique(name), runtime: (name) => this.runtime(name),
    }); // prettier-ignore
  }

  /** What the op asks for or the source promised of the call: that all lanes come, the same second operand in all of them. */
  private promised(c: Collective, wait: string, r: CollectiveRegion, operands: readonly string[]): void {
    if (!this.checks) return;
    const at = `${c.site}, ${wait}, ${this.range(r.over)}`;
    if (c.reachedByAll && wait !== "null") this.put(`m.reachedByAll(${at}, "${c.scope}");`);
    if (c.promise !== "uniform") return;
    const second = c.operands.at(-1)!;
    if (c.operands.length > 1 && second.kind === "local" && this.program.locals.get(second.local)!.storage === "slot") {
      this.put(`m.sameInAll(${at}, ${operands.at(-1)!});`);
    }
  }

  /** A result that is the same in all active lanes, kept wherever its local lives. */
  private assignUniform(l: LocalId, value: string, r: CollectiveRegion, declare: boolean): void {
    const found = this.program.locals.get(l)!;
    const cast = this.options.types ? ` as ${jsType(found.scalar)}` : "";
    if (found.storage === "slot") {
      const wait = r.masked && this.program.parks ? "wait" : "null";
      this.put(`${this.runtime("spread")}(${this.localName(l)}, ${value}, ${wait}, ${this.range(r.over)});`);
    } else {
      this.put(`${declare ? "const " : ""}${this.localName(l)} = ${value}${cast};`);
    }
  }

  // ---------------------------------------------------------------- code

  private code(list: readonly Code[], scope: Scope): void {
    list.forEach((c, i) => {
      const next = list[i + 1];
      if (next?.kind === "loop" && this.countsLoop(c, next, list.slice(i + 2))) this.loopStart = { code: c, scope };
      else this.statement(c, scope);
    });
  }

  /** The declaration that becomes the first part of the next `for`. */
  private loopStart: { readonly code: Code & { kind: "declare" }; readonly scope: Scope } | undefined;

  /** A declaration right before a loop whose step changes it, and that nothing after the loop uses. */
  private countsLoop(c: Code, next: LoopCode, after: readonly Code[]): c is Code & { kind: "declare" } {
    if (c.kind !== "declare" || !c.value || next.head.length > 0 || next.condition === undefined) return false;
    const l = this.program.locals.get(c.local)!;
    if (l.constant || l.storage === "slot" || this.registers.has(c.local)) return false;
    if (next.step.length !== 1 || next.step[0]!.kind !== "set" || next.step[0]!.local !== c.local) return false;
    if (someExpr(c.value, (e) => e.kind === "checked")) return false;
    let used = false;
    visitCode(after, (x) => {
      if (writtenBy(x).includes(c.local)) used = true;
      for (const e of exprsOf(x)) if (someExpr(e, (y) => y.kind === "local" && y.local === c.local)) used = true;
    });
    return !used;
  }

  private statement(c: Code, scope: Scope): void {
    switch (c.kind) {
      case "declare":
      case "set": {
        this.source(c.span);
        const l = this.program.locals.get(c.local)!;
        const value = c.value ? this.expr(c.value, scope, 1) : this.fill(l.scalar, c.local);
        const name = this.localName(c.local);
        const register = this.registers.get(c.local);
        if (register) {
          const typed = this.options.types ? `: ${jsType(l.scalar)}` : "";
          if (c.kind === "declare") register.declared = true;
          this.put(c.kind === "declare" && register.declaredHere ? `let ${register.name}${typed} = ${value};` : `${register.name} = ${value};`);
        } else if (l.storage === "slot") {
          this.put(`${name}[${scope.lane}] = ${l.scalar === "bool" ? `${wrapText({ text: value, level: c.value ? this.expressions.print(c.value, scope).level : 20 }, 3)} ? 1 : 0` : value};`);
        } else if (c.kind === "declare") {
          this.put(`${l.constant ? "const" : "let"} ${name}${this.options.types && !l.constant ? `: ${jsType(l.scalar)}` : ""} = ${value};`);
        } else {
          this.put(`${name} = ${value};`);
        }
        return;
      }
      case "store":
        return this.store(c, scope);
      case "atomic":
        return this.atomic(c, scope);
      case "evaluate":
        this.source(c.span);
        this.put(`${this.expr(c.value, scope)};`);
        return;
      case "if": {
        this.source(c.span);
        if (c.then.length === 0) {
          this.put(`if (!${this.expr(c.condition, scope, 14)}) {`);
          this.indented(() => this.code(c.else, scope));
          this.put("}");
          return;
        }
        this.put(`if (${this.expr(c.condition, scope)}) {`);
        this.indented(() => this.code(c.then, scope));
        if (c.else.length > 0) {
          this.put("} else {");
          this.indented(() => this.code(c.else, scope));
        }
        this.put("}");
        return;
      }
      case "loop":
        this.loop(c.label, c.span, {
          guard: undefined,
          head: c.head.length === 0 ? undefined : () => this.code(c.head, scope),
          condition: c.condition ? () => this.expr(c.condition!, scope) : undefined,
          body: () => this.code(c.body, scope),
          step: c.step.length === 0 ? undefined : () => this.code(c.step, scope),
          stepText: this.stepText(c.step, scope),
          continues: codeContinues(c),
        });
        return;
      case "switch":
        this.switch(c.label, c.span, this.expr(c.value, scope), c.cases, (body) => this.code(body, scope));
        return;
      case "block":
        return this.labelled(c.label, c.span, () => this.code(c.body, scope));
      case "break":
      case "continue":
        return this.jump(c.kind, c.label);
      case "return":
        if (this.inHelper) {
          this.put(c.value ? `return ${this.expr(c.value, scope)};` : "return;");
        } else this.leave();
        return;
      case "park":
        this.put(`wait[lane] = ${c.wait};`);
        this.leave();
        return;
      case "fill":
        this.put(`m.fillPrivate(${c.object}, ${scope.lane});`);
        return;
      case "barrier":
      case "collective":
        throw new Error(`broken tree: ${c.kind} inside lanes`);
      default:
        return assertNever(c);
    }
  }

  private leave(): void {
    this.leaveLane!.used = true;
    this.writeBack();
    this.put(`continue ${this.leaveLane!.name};`);
  }

  private fill(scalar: string, local: LocalId): string {
    if (scalar === "index") return "0";
    if (this.options.localFills) return `m.fillOfLocal("${scalar}", ${local})`;
    return `m.fill_${scalar}`;
  }

  private store(c: Store, scope: Scope): void {
    this.source(c.span);
    const a = c.address;
    const moved = this.movedBits(c, scope);
    const scalar = moved?.scalar ?? c.scalar;
    const element = this.expressions.element(a, scalar, scope);
    if (element === undefined) {
      const value = moved?.text ?? this.expr(c.value, scope, 1);
      this.put(`m.store_${scalar}(${this.expressions.objectId(a, scope)}, ${this.expressions.bytes(a, scope)}, ${value}, ${c.site}, ${scope.lane});`);
      return;
    }
    const view = this.view(a.object as number, scalar);
    let index = element.text;
    const object = this.object(a.object as number);
    const races = this.races && canRace(object);
    if (races || (this.options.writers && object.kind === "buffer")) {
      if (!/^[a-z_0-9]+$/i.test(index)) {
        const name = this.names.unique("to");
        this.put(`const ${name} = ${index};`);
        index = name;
      }
      if (races) this.put(`m.accessed(${object.id}, ${index}, ${scalarSizes[scalar]}, ${scope.lane}, ${c.site}, "write");`);
      if (this.options.writers && object.kind === "buffer") this.put(`m.wrote(${a.object as number}, ${index}, ${scalarSizes[scalar]}, ${scope.lane}, ${c.site});`);
    }
    this.put(`${view}[${index}] = ${moved?.text ?? this.stored(c.scalar, c.value, scope)};`);
  }

  /** A copy from memory to memory moves bits, not numbers. */
  private movedBits(c: Store, scope: Scope): { readonly scalar: ScalarKind; readonly text: string } | undefined {
    const bits = c.scalar === "f32" ? "u32" : c.scalar === "f16" ? "u16" : c.scalar === "f64" ? "u64" : undefined;
    if (bits === undefined) return undefined;
    const v = c.value;
    if (v.kind === "load") return { scalar: bits, text: this.expressions.load(v, scope, bits).text };
    if (v.kind === "operation" && v.op === `${c.scalar}.bits_${bits}`) return { scalar: bits, text: this.expr(v.arguments[0]!, scope, 1) };
    return undefined;
  }

  /** A value as the view's element. Floats that may be a NaN made by arithmetic are given its canonical bits. */
  private stored(scalar: ScalarKind, e: MachineExpr, scope: Scope): string {
    const value = this.expr(e, scope, 1);
    if (scalar === "f16") return `${this.runtime("f16Bits")}(${value})`;
    if ((scalar === "f32" || scalar === "f64") && mayBeNaN(e)) return `${this.runtime("canonical")}(${value})`;
    return value;
  }

  private atomic(c: Atomic, scope: Scope): void {
    this.source(c.span);
    const a = c.address;
    const float = c.scalar[0] === "f";
    const element = this.expressions.element(a, c.scalar, scope);
    const operands = c.operands.map((e) => this.expr(e, scope, 1));
    if (element === undefined) {
      const call = `m.atomic_${c.scalar}("${c.op}", ${this.expressions.objectId(a, scope)}, ${this.expressions.bytes(a, scope)}, ${c.site}, ${scope.lane}, ${operands.join(", ")})`;
      this.putResult(c.result, call, scope);
      return;
    }
    const view = this.view(a.object as number, c.scalar);
    const index = this.names.unique("at");
    this.put(`const ${index} = ${element.text};`);
    if (this.races && canRace(this.object(a.object as number))) {
      this.put(`m.accessed(${a.object as number}, ${index}, ${scalarSizes[c.scalar]}, ${scope.lane}, ${c.site}, "atomic");`);
    }
    if (this.options.writers && c.op !== "load" && this.object(a.object as number).kind === "buffer") {
      this.put(`m.wrote(${a.object as number}, ${index}, ${scalarSizes[c.scalar]}, ${scope.lane}, ${c.site});`);
    }
    const old = c.scalar === "f16" ? `${this.runtime("halves")}[${view}[${index}]]` : `${view}[${index}]`;
    const kept = c.result === undefined ? old : this.putResult(c.result, old, scope);
    const value = atomicValue(c, kept, operands, (name) => this.runtime(name));
    if (value === undefined) return;
    const stored = c.scalar === "f16" ? `${this.runtime("f16Bits")}(${value})` : float && c.op !== "compare_exchange" ? `${this.runtime("canonical")}(${value})` : value;
    if (c.op === "compare_exchange") {
      const same = float ? `${this.runtime("sameBits")}("${c.scalar}", ${kept}, ${operands[0]!})` : `${kept} === ${operands[0]!}`;
      this.put(`if (${same}) ${view}[${index}] = ${stored};`);
    } else this.put(`${view}[${index}] = ${stored};`);
  }

  private putResult(result: LocalId | undefined, value: string, scope: Scope): string {
    if (result === undefined) {
      this.put(`${value};`);
      return value;
    }
    const l = this.program.locals.get(result)!;
    const name = this.localName(result);
    const register = this.registers.get(result);
    if (register) {
      this.put(`${register.name} = ${value};`);
      return register.name;
    }
    if (l.storage === "slot") {
      this.put(`${name}[${scope.lane}] = ${value};`);
      return `${name}[${scope.lane}]`;
    }
    this.put(`const ${name} = ${value};`);
    return name;
  }

  // ---------------------------------------------------------------- control flow

  /** A step of plain assignments, for the head of a `for`. */
  private stepText(step: readonly Code[], scope: Scope): string | undefined {
    if (step.length === 0 || step.length > 2) return undefined;
    const parts: string[] = [];
    for (const s of step) {
      if (s.kind !== "set" || someExpr(s.value, (e) => e.kind === "checked")) return undefined;
      const register = this.registers.get(s.local);
      if (!register && this.program.locals.get(s.local)!.storage === "slot") return undefined;
      parts.push(`${register?.name ?? this.localName(s.local)} = ${this.expr(s.value, scope, 1)}`);
    }
    return parts.join(", ");
  }

  private loop(
    label: LabelId,
    span: Span,
    parts: {
      readonly guard: string | undefined;
      readonly head: (() => void) | undefined;
      readonly condition: (() => string) | undefined;
      readonly body: () => void;
      readonly step: (() => void) | undefined;
      readonly stepText: string | undefined;
      readonly continues: boolean;
    },
  ): void {
    this.source(span);
    const first = this.loopStart;
    this.loopStart = undefined;
    const inHeader = parts.head === undefined && parts.guard === undefined;
    const stepInside = parts.step !== undefined && parts.stepText === undefined;
    const target: JumpTarget = {
      label, name: this.names.unique("loop"), breakable: true, loop: true, used: false, continueUsed: false,
      continueBlock: stepInside && parts.continues ? this.names.unique("step") : undefined,
    }; // prettier-ignore
    this.targets.push(target);
    const header = inHeader && parts.condition ? parts.condition() : "";
    this.depth++;
    const { lines, mapping } = this.capture(() => {
      if (this.options.steps) this.put(this.inHelper ? "if (--m.steps < 0) m.outOfSteps();" : "if (--steps < 0) m.outOfSteps();");
      if (parts.guard) this.put(`if (${parts.guard}) break;`);
      parts.head?.();
      if (!inHeader && parts.condition) this.put(`if (!(${parts.condition()})) break;`);
      if (target.continueBlock) {
        this.put(`${target.continueBlock}: {`);
        this.targets.push({ label: -1, name: target.continueBlock, breakable: false, loop: false, continueBlock: undefined, used: false, continueUsed: false });
        this.indented(parts.body);
        this.targets.pop();
        this.put("}");
      } else parts.body();
      if (stepInside) parts.step!();
    });
    this.depth--;
    this.targets.pop();
    const prefix = target.used ? `${target.name}: ` : "";
    const step = parts.stepText ?? "";
    const start = first ? `let ${this.localName(first.code.local)} = ${this.expr(first.code.value!, first.scope, 1)}` : "";
    if (step === "" && header !== "" && start === "") this.put(`${prefix}while (${header}) {`);
    else this.put(`${prefix}for (${start}; ${header}; ${step}) {`.replace("for (; ; )", "for (;;)"));
    const shift = this.lines.length;
    this.lines.push(...lines);
    this.mapping.push(...mapping.map((x) => ({ ...x, line: x.line + shift })));
    this.put("}");
  }

  private switch<T>(
    label: LabelId,
    span: Span,
    value: string,
    cases: readonly { readonly labels: readonly (number | bigint)[]; readonly isDefault: boolean; readonly body: readonly T[] }[],
    print: (body: readonly T[]) => void,
  ): void {
    this.source(span);
    const target: JumpTarget = {
      label, name: this.names.unique("choice"), breakable: true, loop: false, continueBlock: undefined, used: false, continueUsed: false,
    }; // prettier-ignore
    this.targets.push(target);
    this.depth++;
    const { lines, mapping } = this.capture(() => {
      for (const c of cases) {
        for (const l of c.labels) this.put(`case ${typeof l === "bigint" ? `${l}n` : l}:`);
        if (c.isDefault) this.put("default:");
        this.indented(() => print(c.body));
      }
    });
    this.depth--;
    this.targets.pop();
    this.put(`${target.used ? `${target.name}: ` : ""}switch (${value}) {`);
    const shift = this.lines.length;
    this.lines.push(...lines);
    this.mapping.push(...mapping.map((x) => ({ ...x, line: x.line + shift })));
    this.put("}");
  }

  private labelled(label: LabelId, span: Span, body: () => void): void {
    this.source(span);
    const target: JumpTarget = {
      label, name: this.names.unique("call"), breakable: false, loop: false, continueBlock: undefined, used: false, continueUsed: false,
    }; // prettier-ignore
    this.targets.push(target);
    this.put(`${target.name}: {`);
    this.indented(body);
    this.put("}");
    this.targets.pop();
  }

  private jump(kind: "break" | "continue", label: LabelId): void {
    const at = this.targets.findLastIndex((t) => t.label === label);
    if (at < 0) throw new Error(`broken tree: jump to label ${label}`);
    const target = this.targets[at]!;
    const inner = this.targets.slice(at + 1);
    if (kind === "continue") {
      if (target.continueBlock) {
        this.put(`break ${target.continueBlock};`);
        return;
      }
      if (inner.some((t) => t.loop)) {
        target.used = true;
        this.put(`continue ${target.name};`);
      } else this.put("continue;");
      return;
    }
    if (!target.breakable || inner.some((t) => t.breakable)) {
      target.used = true;
      this.put(`break ${target.name};`);
    } else this.put("break;");
  }
}

const keepSteps = "m.steps = steps < m.steps ? steps : m.steps;";
