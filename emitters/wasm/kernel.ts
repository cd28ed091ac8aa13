/**
 * Region trees as WebAssembly: one module per kernel and shape of workgroup. `run(from, to, wy, wz, begins)` runs the workgroups of
 * a part of a row; `begins`: it fills what each of them finds filled. What it imports is listed as data (`shape.ts`). Held to what `emitters/typescript` prints, value by value and finding by finding.
 */
import { languageFacts } from "../../src/dialects/languages.js";
import { assertNever } from "../../src/support/assert-never.js";
import type { BuiltinId } from "../../src/ast/nodes.js";
import { exprsOf, visitCode, visitExpr, writtenBy } from "../../src/regions/machine.js";
import { regionsContinue } from "../../src/regions/queries.js";
import type { Code as RegionCode, LocalId, Program, Region } from "../../src/regions/tree.js";
import { Code, encodeModule, i32, i64 } from "./bytes.js";
import { CollectiveText, type Range } from "./collectives.js";
import { VectorCode } from "./vector-code.js";
import type { Scope } from "./lane-values.js";
import { groupAt, ModuleText, type EncodeOptions } from "./function-text.js";
import { globalType, heldAs, outOfTheOrdinary, typeOfImport, type EncodedKernel } from "./shape.js";

export { CannotEncode, groupAt, stepsAt, type EncodeOptions } from "./function-text.js";

/** Encodes a program; throws `CannotEncode`, with the reason, for what this engine does not have. */
export function encodeKernel(given: Program, options: EncodeOptions): EncodedKernel {
  const module = new ModuleText(given, options);
  const { program } = module;
  for (let i = 0; i < program.helpers.length; i++) module.reserve();
  const run = module.reserve();
  program.helpers.forEach((_, i) => {
    module.functions[i] = new HelperText(module, i).finish();
  });
  module.functions[run.index] = new KernelFunction(module).finish();
  return {
    module: encodeModule({
      functionImports: module.functionImports.map(typeOfImport),
      globalImports: module.globalImports.map(globalType),
      functions: module.functions.map((f) => f!),
      exports: { run: run.index },
      shared: options.thread !== undefined,
    }),
    functions: module.functionImports,
    globals: module.globalImports,
    limits: module.limits,
    frame: {
      start: module.frame,
      bytes: module.frameBytes,
      wait: module.wait,
      cover: module.cover,
      tables: module.tables,
      columns: module.columns,
    },
    shadows: { scale: module.screen?.scale ?? 1, count: module.screen?.shadows ?? 0 },
    vectorised: module.vectorised,
    byLane: module.byLane,
  };
}

class HelperText extends CollectiveText {
  constructor(
    module: ModuleText,
    private readonly index: number,
  ) {
    const h = module.program.helpers[index]!;
    super(module, {
      parameters: [i32, ...h.parameters.map((p) => heldAs(module.local(p).scalar))],
      results: h.result === undefined ? [] : [heldAs(h.result)],
    });
  }

  finish() {
    const h = this.module.program.helpers[this.index]!;
    this.inHelper = true;
    h.parameters.forEach((p, i) => this.wasmLocals.set(p, i + 1));
    const work = this.module.work.ofHelper(this.index);
    if (work !== undefined) this.stepsUsed(work);
    this.list(h.body, { lane: 0, inSubgroup: false });
    if (h.result !== undefined) this.code.get(this.globalLocal({ kind: "fill", scalar: h.result }, heldAs(h.result)));
    return this.body();
  }
}

/** Code that depends on the workgroup by the numbers of its lanes alone. */
function isSameInRow(list: readonly RegionCode[], module: ModuleText): boolean {
  let same = true;
  const isSlot = (l: LocalId): boolean => module.local(l).storage === "slot";
  visitCode(list, (c) => {
    same &&= c.kind !== "fill" && c.kind !== "collective" && !writtenBy(c).some(isSlot);
    for (const e of exprsOf(c))
      visitExpr(e, (x) => {
        if (x.kind === "call" || (x.kind === "local" && isSlot(x.local))) same = false;
        if (x.kind === "builtin")
          same &&= sameInRow.has(x.builtin) || (x.builtin === "workgroup_id" && x.component !== 0);
      });
  });
  return same;
}

const sameInRow: ReadonlySet<BuiltinId> = new Set<BuiltinId>([
  ...(["global_id", "global_size", "global_offset", "num_workgroups", "workgroup_size"] as const),
  ...(["enqueued_workgroup_size", "work_dim", "num_subgroups", "subgroup_size"] as const),
]);

/** Parameters of `run`. */
const row = { from: 0, to: 1, y: 2, z: 3, begins: 4 };

class KernelFunction extends VectorCode {
  private readonly zero: number;
  private readonly all: number;

  constructor(module: ModuleText) {
    super(module, { parameters: [i32, i32, i32, i32, i32], results: [] });
    this.place = [row.from, row.y, row.z];
    this.zero = this.newLocal(i32);
    this.all = this.newLocal(i32);
    this.prologue.i32(module.lanes).set(this.all);
    this.startSteps();
  }

  finish() {
    // What the regions ask to be known at a workgroup's start is only known once they are encoded.
    const outside = this.code;
    const inside = new Code();
    this.code = inside;
    this.depth = 2;
    this.block(() => {
      this.leaveKernel = this.depth;
      this.regions(this.module.program.regions);
    });
    this.depth = 0;
    this.code = outside;
    const groups = this.counter();
    this.code.i32(1).set(groups);
    if (this.goesThrough()) {
      // As one run of lanes, where the workgroups' lanes follow each other.
      this.code.get(row.to).get(row.from).op(0x6b).i32(1);
      this.code.get(this.field("enqueued_workgroup_size_x")).i32(this.module.lanes).op(0x46, 0x1b).tee(groups);
      this.code.i32(this.module.lanes).op(0x6c).set(this.all);
    }
    this.count(
      row.from,
      () => this.code.get(row.to),
      () => this.code.get(groups),
      () => {
        this.code
          .i32(0)
          .get(row.from)
          .memory(0x36, this.module.frame + groupAt);
        this.screensGroup();
        this.code.get(row.begins);
        this.ifElse(() => this.begin());
        this.code.append(this.groupPrologue).append(inside);
      },
    );
    this.flushSteps();
    return this.body();
  }

  /**
   * Nothing tells the workgroups of a row from each other but where their lanes lie: one region of lanes, which asks for no place in
   * the workgroup and has no memory of it, and comes to nothing that would name a lane.
   */
  private goesThrough(): boolean {
    const { module } = this;
    const { regions, objects, parks } = module.program;
    if (!module.options.vectors || !module.flat || module.screen || parks) return false;
    if (objects.some((o) => o.kind === "workgroup" || o.kind === "private")) return false;
    if (regions.filter((r) => r.kind === "lanes").length !== 1) return false;
    if (module.functionImports.some((f) => f.on !== "runtime" && !outOfTheOrdinary.has(f.name))) return false;
    return regions.every(
      (r) => (r.kind === "lanes" || r.kind === "uniform") && r.over === "workgroup" && isSameInRow(r.code, module),
    );
  }

  /** Nobody waits, and what the workgroup has for itself is filled. */
  private begin(): void {
    const { code, module } = this;
    if (module.wait !== undefined) code.i32(module.wait).i32(0).i32(module.lanes).op(0xfc, 11, 0);
    if (!module.program.objects.some((o) => o.kind === "workgroup" || o.kind === "private")) return;
    const at = this.counter();
    const fill = this.globalLocal({ kind: "fill", scalar: "u64" }, i64);
    code.get(this.globalLocal({ kind: "scratch", bound: "start" }, i32)).set(at);
    this.count(
      at,
      () => code.get(this.globalLocal({ kind: "scratch", bound: "end" }, i32)),
      16,
      () => code.get(at).get(fill).memory(0x37, 0).get(at).get(fill).memory(0x37, 8),
    );
  }

  private leaveKernel = 0;

  private regions(list: readonly Region[]): void {
    for (const r of list) this.oneStatement(() => this.codeOfRegion(r));
  }

  private range(over: "workgroup" | "subgroup"): Range {
    return over === "workgroup" ? { start: this.zero, end: this.all } : this.bounds;
  }

  /** Scope of code run once: slots are read at the first active lane. */
  private uniformScope(over: "workgroup" | "subgroup", masked: boolean): Scope {
    const inSubgroup = over === "subgroup";
    const range = this.range(over);
    const lane = masked && this.module.program.parks ? this.firstActive(range) : range.start;
    return { lane, inSubgroup };
  }

  private codeOfRegion(r: Region): void {
    const { code, module } = this;
    switch (r.kind) {
      case "lanes":
        return this.lanes(r);
      case "subgroups":
        return this.subgroups(r.body);
      case "uniform":
        return this.list(r.code, this.uniformScope(r.over, r.masked));
      case "if":
        this.expr(r.condition, this.uniformScope(r.over, r.masked));
        return this.ifElse(() => this.regions(r.then), r.else.length > 0 ? () => this.regions(r.else) : undefined);
      case "loop":
        return this.loop(r.label, {
          steps: () => this.stepsUsed(module.work.ofRegionLoop(r, module.together)),
          guard: r.whileAny
            ? () => {
                this.anyActive(this.range(r.over));
                code.op(0x45);
              }
            : undefined,
          head: r.head.length === 0 ? undefined : () => this.regions(r.head),
          condition: r.condition ? () => this.expr(r.condition!, this.uniformScope(r.over, r.masked)) : undefined,
          body: () => this.regions(r.body),
          step: () => this.regions(r.step),
          continues: regionsContinue(r.body, r.label),
        });
      case "switch":
        return this.switch(r.label, r.value, r.cases, this.uniformScope(r.over, r.masked), (body) =>
          this.regions(body),
        );
      case "block":
        return this.labelled(r.label, () => this.regions(r.body));
      case "break":
      case "continue":
        return this.jump(r.kind, r.label);
      case "return":
        return this.branch(this.leaveKernel);
      case "barrier": {
        if (r.over === "workgroup") this.screensBarrier(r.barrier);
        const waits = r.over === "workgroup" || languageFacts[module.program.dialect].subgroupBarrier === "all";
        if (!waits || !r.masked || !module.program.parks) return;
        const { start, end } = this.range(r.over);
        code.i32(r.site).get(start).get(end);
        return this.callImport("machine", "barrier", ["i32", "u32", "u32"], undefined);
      }
      case "collective":
        return this.collective(r, this.range(r.over), this.uniformScope(r.over, r.masked));
      case "resume":
        return this.resume(this.range(r.over), r.wait, r.park ?? 0);
      case "if-any":
        this.anyActive(this.range(r.over));
        return this.ifElse(() => this.regions(r.body));
      default:
        return assertNever(r);
    }
  }

  private subgroups(body: readonly Region[]): void {
    const { code, module } = this;
    const subgroup = this.counter();
    Object.assign(this.bounds, { start: this.counter(), end: this.counter(), subgroup });
    code.i32(0).set(subgroup);
    this.count(
      subgroup,
      () => code.i32(module.subgroups),
      1,
      () => {
        const { start, end } = this.bounds;
        code.get(subgroup).i32(module.width).op(0x6c).tee(start).i32(module.width).op(0x6a).tee(end);
        code.i32(module.lanes).get(end).i32(module.lanes).op(0x48, 0x1b).set(end);
        this.regions(body);
      },
    );
  }

  private lanes(r: Region & { kind: "lanes" }): void {
    this.lanesRegion(() => this.lanesOf(r));
  }

  private lanesOf(r: Region & { kind: "lanes" }): void {
    const { code } = this;
    const range = this.range(r.over);
    const lane = this.counter();
    const scope: Scope = { lane, inSubgroup: r.over === "subgroup" };
    if (this.vectorLanes(r, range, scope, () => this.oneLane(r, scope))) return;
    code.get(range.start).set(lane);
    this.count(
      lane,
      () => code.get(range.end),
      1,
      () => this.oneLane(r, scope),
    );
  }

  /** The region's code for one lane. */
  private oneLane(r: Region & { kind: "lanes" }, scope: Scope): void {
    const { code } = this;
    this.block(() => {
      this.leaveDepth = this.depth;
      if (r.masked && this.module.program.parks) {
        code.get(scope.lane).memory(0x2d, this.waitAt);
        this.branchIf(this.leaveDepth);
      }
      this.registers = this.registersFor(r.code);
      this.loadRegisters(scope.lane);
      this.list(r.code, scope);
      this.writeBack(scope.lane);
    });
    this.registers = new Map();
  }
}
