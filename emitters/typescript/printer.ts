/**
 * Region trees as TypeScript. Two outputs of one printer: a module for people (types, the source line before each region,
 * imports from `crosslane/runtime`), and the same code without types as the body of a function, which the simulator runs.
 */
import { languageFacts } from "../../src/dialects/languages.js";
import { assertNever } from "../../src/support/assert-never.js";
import type { Span } from "../../src/support/span.js";
import type { ScalarKind } from "../../src/types/types.js";
import { regionsContinue } from "../../src/regions/queries.js";
import type { Collective, CollectiveRegion, LocalId, Program, Region } from "../../src/regions/tree.js";
import { CodePrinter } from "./code.js";
import { writeOut, type Written } from "./collectives.js";
import type { Scope } from "./expressions.js";
import { endsInReturn, jsType, usedIn } from "./queries.js";
import type { TypeScriptOptions } from "./text.js";

export type { TypeScriptOptions } from "./text.js";

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
  bool: "Uint8Array",
  i8: "Int8Array",
  u8: "Uint8Array",
  i16: "Int16Array",
  u16: "Uint16Array",
  i32: "Int32Array",
  u32: "Uint32Array",
  i64: "BigInt64Array",
  u64: "BigUint64Array",
  f16: "Uint16Array",
  bf16: "Uint16Array",
  f32: "Float32Array",
  f64: "Float64Array",
};

class Printer extends CodePrinter {
  kernel(): PrintedKernel {
    const { program } = this;
    const flat =
      this.dimensions.linear && this.dimensions.size && this.dimensions.size[1] === 1 && this.dimensions.size[2] === 1;
    for (const h of program.helpers) this.helperNames.push(this.names.unique(h.name));
    this.depth = 1;
    const helpers = this.capture(() => this.printHelpers());
    this.depth = 2;
    const body = this.capture(() =>
      this.withTemporaries(() => this.regions(program.regions, { lane: "0", inSubgroup: false })),
    );
    this.depth = 0;
    const size = this.dimensions.size;
    this.lines.length = 0;
    this.put(this.options.types ? "(m: Machine) => {" : "(m) => {");
    this.depth = 1;
    const uses = usedIn([...body.lines, ...helpers.lines, ...this.prologue]);
    if (uses("lanes") || uses("subgroups"))
      this.put(`const lanes = ${size ? size[0] * size[1] * size[2] : "m.lanes"};`);
    if (uses("width") || uses("subgroups")) this.put(`const width = ${this.dimensions.width ?? "m.width"};`);
    if (uses("subgroups")) this.put("const subgroups = Math.ceil(lanes / width);");
    const tables = flat ? [] : ["local_x", "local_y", "local_z", "local_index"].filter(uses);
    if (tables.length > 0) this.put(`const { ${tables.join(", ")} } = m;`);
    if (program.parks) this.put("const wait = m.wait;");
    if (program.points.length > 0) this.put("const cover = m.cover;");
    for (const p of this.prologue) this.put(p);
    this.append(helpers);
    const based = ["x", "y", "z"].filter((a) => uses(`base_${a}`));
    const parameters = this.parameters(
      ["wx", "wy", "wz"].map((name) => ({ name, type: "number" })),
      (name) => uses(name) || based.some((a) => name === `w${a}`),
    );
    if (this.interleaved) this.put(`return function* (${parameters}) {`);
    else this.put(`return (${parameters})${this.options.types ? ": void" : ""} => {`);
    this.depth = 2;
    for (const axis of based)
      this.put(`const base_${axis} = m.base_${axis} + w${axis} * m.enqueued_workgroup_size_${axis};`);
    // A register while the workgroup runs, where no function counts.
    const inRegister = this.options.steps && !this.countsInMachine;
    if (inRegister) this.put("const mostSteps = m.steps; let steps = mostSteps; try {");
    this.append(body);
    if (inRegister) this.put("} finally { m.steps -= mostSteps - steps; }");
    this.depth = 1;
    this.put("};");
    this.depth = 0;
    this.put("}");
    return {
      factory: this.lines.join("\n"),
      runtime: [...this.runtimeNames].filter(uses).sort(),
      shape: { limits: this.limitList },
      lines: this.mapping,
    };
  }

  // ---------------------------------------------------------------- helpers

  private printHelpers(): void {
    this.inHelper = true;
    this.program.helpers.forEach((h, i) => {
      this.source(h.span);
      const parameters = h.parameters.map((p) => ({
        name: this.localName(p),
        type: jsType(this.program.locals.get(p)!.scalar),
      }));
      const result = this.options.types ? `: ${h.result === undefined ? "void" : jsType(h.result)}` : "";
      this.depth++;
      const body = this.capture(() => {
        const work = this.options.steps ? this.work.ofHelper(i) : undefined;
        if (work !== undefined) this.put(`if ((m.steps -= ${work}) < 0) m.outOfSteps();`);
        this.withTemporaries(() => this.code(h.body, { lane: "lane", inSubgroup: false }));
        if (h.result !== undefined && !endsInReturn(h.body)) this.put(`return m.fill_${h.result};`);
      });
      this.depth--;
      const list = this.parameters([{ name: "lane", type: "number" }, ...parameters], usedIn(body.lines), true);
      this.put(`function${this.helperTurns(i) ? "*" : ""} ${this.helperNames[i]!}(${list})${result} {`);
      this.append(body);
      this.put("}");
    });
    this.inHelper = false;
  }

  /** Those that nothing uses are left out at the end, unless calls give all, and named `_x` before others, as compilers know them. */
  private parameters(
    list: readonly { readonly name: string; readonly type: string }[],
    uses: (name: string) => boolean,
    all = false,
  ): string {
    const last = all ? list.length - 1 : list.findLastIndex((p) => uses(p.name));
    return list
      .slice(0, last + 1)
      .map(({ name, type }) => {
        const shown = uses(name) || uses(`_${name}`) ? name : `_${name}`;
        return `${shown}${this.options.types ? `: ${type}` : ""}`;
      })
      .join(", ");
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
    const together = this.range(over);
    if (!masked || !this.program.parks) return { lane: inSubgroup ? "start" : "0", inSubgroup, together };
    return { lane: `${this.runtime("firstActive")}(wait, ${together})`, inSubgroup, together };
  }

  private region(r: Region, scope: Scope): void {
    switch (r.kind) {
      case "lanes":
        return this.lanes(r);
      case "subgroups":
        if (this.interleaved) this.put("yield* m.interleaveSubgroups(subgroups, function* (subgroup) {");
        else this.put("for (let subgroup = 0; subgroup < subgroups; subgroup++) {");
        this.indented(() => {
          this.put("const start = subgroup * width;");
          this.put(`const end = ${this.runtime("min")}(start + width, lanes);`);
          this.regions(r.body, { lane: "start", inSubgroup: true });
        });
        this.put(this.interleaved ? "});" : "}");
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
          work: this.work.ofRegionLoop(r, this.together),
          guard: r.whileAny ? `!${this.runtime("anyActive")}(wait, ${this.range(r.over)})` : undefined,
          head:
            r.head.length === 0 && !this.interleaved
              ? undefined
              : () => {
                  if (this.interleaved) this.put("yield* m.again();");
                  this.regions(r.head, scope);
                },
          condition: r.condition ? () => this.expr(r.condition!, inner) : undefined,
          body: () => this.regions(r.body, scope),
          step: r.step.length === 0 ? undefined : () => this.regions(r.step, scope),
          stepText: r.step.every((s) => s.kind === "uniform")
            ? this.stepText(
                r.step.flatMap((s) => (s.kind === "uniform" ? s.code : [])),
                inner,
              )
            : undefined,
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
        this.put("return;");
        return;
      case "barrier": {
        if (this.options.trace) this.put(`m.came(-1, ${this.range(r.over)});`);
        if (this.races) this.put(`m.passed(${r.over === "subgroup" ? "subgroup" : "undefined"}, ${r.site});`);
        const waits = r.over === "workgroup" || languageFacts[this.program.dialect].subgroupBarrier === "all";
        const all = waits && r.masked && this.program.parks ? `m.barrier(${r.site}, ${this.range(r.over)});` : "";
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
    const turns = this.turns(r.code);
    const leave = { name, used: false, returns: turns };
    const saved = this.leaveLane;
    this.leaveLane = leave;
    this.registers = this.registersFor(r.code);
    const inSubgroup = r.over === "subgroup";
    this.depth++;
    const inside = this.capture(() =>
      this.withTemporaries(() => {
        if (r.masked && this.program.parks) this.put(`if (wait[lane] !== 0) ${turns ? "return" : "continue"};`);
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
    if (turns) {
      this.put(`yield* m.interleave(${this.range(r.over)}, function* (lane) {`);
      this.append(inside);
      this.put("});");
      return;
    }
    const header = inSubgroup
      ? "for (let lane = start; lane < end; lane++) {"
      : "for (let lane = 0; lane < lanes; lane++) {";
    this.put(leave.used ? `${name}: ${header}` : header);
    this.append(inside);
    this.put("}");
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
    this.preconditions(c, wait, r, operands);
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
      c.results.forEach((l, i) => this.isUnread(l) || this.assignUniform(l, `m.words[${i}]`, r, true));
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
    if (c.operands.some((e) => e.kind === "local" && this.program.locals.get(e.local)!.scalar === "index"))
      return undefined;
    const [start, end] = this.range(r.over).split(", ") as [string, string];
    return writeOut({
      routine: c.routine,
      fold: c.fold,
      scalar: c.scalar,
      operands: operands.map((text, i) => ({ text, column: isColumn(i) })),
      result: column,
      site: c.site,
      range: [start, end],
      masked: r.masked && this.program.parks,
      width: this.dimensions.width,
      unique: (name) => this.names.unique(name),
      runtime: (name) => this.runtime(name),
    });
  }

  /** The preconditions of the op, and of the call by its name: that all lanes come, the same further operands in all of them. */
  private preconditions(c: Collective, wait: string, r: CollectiveRegion, operands: readonly string[]): void {
    if (!this.checks) return;
    const at = `${c.site}, ${wait}, ${this.range(r.over)}`;
    if (c.reachedByAll && wait !== "null") this.put(`m.reachedByAll(${at}, "${c.scope}");`);
    if (c.precondition !== "uniform-operands") return;
    c.operands.forEach((o, i) => {
      if (i > 0 && o.kind === "local" && this.program.locals.get(o.local)!.storage === "slot")
        this.put(`m.sameInAll(${at}, ${operands[i]!});`);
    });
  }

  /** A result that is the same in all active lanes, kept wherever its local lives. */
  private assignUniform(l: LocalId, value: string, r: CollectiveRegion, declare: boolean): void {
    const found = this.program.locals.get(l)!;
    const cast = this.options.types ? ` as ${jsType(found.scalar)}` : "";
    if (found.storage === "slot") {
      const wait = r.masked && this.program.parks ? "wait" : "null";
      this.put(`${this.runtime("spread")}(${this.localName(l)}, ${value}, ${wait}, ${this.range(r.over)});`);
    } else if (this.isUnread(l)) {
      this.put(`${value};`);
    } else {
      this.put(`${declare ? "const " : ""}${this.localName(l)} = ${value}${cast};`);
    }
  }
}
