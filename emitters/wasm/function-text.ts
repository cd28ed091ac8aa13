/** A module while it grows, and one of its functions: imports, locals, labels, and where slots and tables lie. */
import type { Local, LocalId, MachineScalar, MemoryObject, Program } from "../../src/regions/tree.js";
import { settleIndices } from "../../src/regions/settled-indices.js";
import { Work, type Together } from "../../src/regions/work.js";
import {
  Code,
  empty,
  i32,
  i64,
  type FunctionBody,
  type FunctionRef,
  type FunctionType,
  type ValueType,
} from "./bytes.js";
import { mostScreenedLanes, raceScreen, type RaceScreen } from "./race-shadows.js";
import { heldAs, type ColumnPlace, type ImportedFunction, type ImportedGlobal } from "./shape.js";

/** The engine does not encode this; another one runs it. */
export class CannotEncode extends Error {}

export interface EncodeOptions {
  readonly workgroupSize: readonly [number, number, number];
  readonly subgroupSize: number;
  /** A step counter in every loop. */
  readonly steps: boolean;
  /** Lanes are not in the order of the local index. */
  readonly scrambled: boolean;
  /** Locals without a value have fills that can be told apart. */
  readonly localFills: boolean;
  /** The first global id of each workgroup along the first axis is a multiple of a group's lanes. */
  readonly alignedGrid?: boolean;
  /** Runs of lanes as vectors where they can be; what is out of the ordinary there gives the run up. */
  readonly vectors: boolean;
  /** Who writes which element of buffers is noted: the machine's `wrote`. */
  readonly writers?: boolean;
  /** The number of the thread that runs it, over a memory that all share: each has a frame of its own. */
  readonly thread?: number;
  /** Bytes of a frame, where there are several. */
  readonly frameBytes?: number;
  /** What may be a race gives the run up (`race-screen.ts`). */
  readonly screen?: boolean;
}

/** Steps that are left, as a double at the start of memory. */
export const stepsAt = 0;
/** The first component of the place of the workgroup that runs, as an integer. */
export const groupAt = 16;
/** For a screen for races: where the epochs of workgroup memory and of buffers begin, and with which ones the workgroup did. */
export const epochsAt = 20;

/** More locals take JavaScript engines long to compile: the time grows with their number times that of blocks. */
const mostLocals = 3000;

export const slotBytes = (kind: MachineScalar): number => {
  switch (kind) {
    case "bool":
    case "i8":
    case "u8":
      return 1;
    case "i16":
    case "u16":
      return 2;
    case "index":
    case "i64":
    case "u64":
    case "f64":
      return 8;
    default:
      return 4;
  }
};

type TableName = "local_x" | "local_y" | "local_z" | "local_index";

export class ModuleText {
  readonly functionImports: ImportedFunction[] = [];
  readonly globalImports: ImportedGlobal[] = [];
  readonly functions: (FunctionBody | undefined)[] = [];
  readonly limits: { object: number; unit: number; reach: number }[] = [];
  readonly columns: ColumnPlace[] = [];
  readonly tables: { name: TableName; at: number }[] = [];
  /** Without the checks that cannot fail. */
  readonly program: Program;
  readonly work: Work;
  readonly lanes: number;
  readonly width: number;
  readonly subgroups: number;
  readonly flat: boolean;
  vectorised = 0;
  /** Places where vectors of halves are written out. */
  halvesWritten = 0;
  /** Why runs of lanes are not. */
  readonly byLane: string[] = [];
  wait: number | undefined;
  cover: number | undefined;
  readonly screen: RaceScreen | undefined;
  /** Where the frame begins. */
  readonly frame: number;
  private frameEnd: number;
  private readonly importIndex = new Map<string, number>();
  private readonly globalIndex = new Map<string, number>();
  private readonly slots = new Map<LocalId, number>();
  private readonly own = new Map<string, FunctionRef>();
  private readonly given = new Map<LocalId, { readonly value: number; readonly at: number }>();

  constructor(
    given: Program,
    readonly options: EncodeOptions,
  ) {
    const { program, original } = settleIndices(given, options);
    this.program = program;
    this.frame = (options.thread ?? 0) * (options.frameBytes ?? 0);
    this.frameEnd = this.frame + 48;
    this.work = new Work(program, original);
    const [x, y, z] = options.workgroupSize;
    this.lanes = x * y * z;
    this.width = options.subgroupSize;
    this.subgroups = Math.ceil(this.lanes / this.width);
    this.flat = !options.scrambled && y === 1 && z === 1;
    program.values.forEach((v, value) => v.locals?.forEach((l, at) => this.given.set(l, { value, at })));
    if (options.screen) {
      if (this.lanes > mostScreenedLanes) throw new CannotEncode("there are too many lanes to be screened for races");
      this.screen = raceScreen(program);
    }
    if (program.parks) this.wait = this.place(this.lanes);
    if (program.points.length > 0) this.cover = this.place(program.points.length);
  }

  get together(): Together {
    return { workgroup: this.lanes, subgroup: this.width };
  }

  get frameBytes(): number {
    return Math.ceil((this.frameEnd - this.frame) / 1024) * 1024;
  }

  /** Room at the start of memory. */
  place(bytes: number): number {
    const at = this.frameEnd;
    this.frameEnd = Math.ceil((at + bytes) / 16) * 16;
    return at;
  }

  local(id: LocalId): Local {
    return this.program.locals.get(id)!;
  }

  object(id: number): MemoryObject {
    return this.program.objects[id]!;
  }

  slotAt(id: LocalId): number {
    let at = this.slots.get(id);
    if (at === undefined) {
      const { scalar } = this.local(id);
      at = this.place(this.lanes * slotBytes(scalar));
      this.slots.set(id, at);
      this.columns.push({ scalar, at });
    }
    return at;
  }

  tableAt(name: TableName): number {
    let found = this.tables.find((t) => t.name === name);
    if (!found) this.tables.push((found = { name, at: this.place(this.lanes * 4) }));
    return found.at;
  }

  /** What the launch gives a local. */
  givenTo(id: LocalId): { readonly value: number; readonly at: number } | undefined {
    return this.given.get(id);
  }

  importFunction(f: ImportedFunction): FunctionRef {
    const key = JSON.stringify(f);
    let index = this.importIndex.get(key);
    if (index === undefined) {
      index = this.functionImports.push(f) - 1;
      this.importIndex.set(key, index);
    }
    return { from: "import", index };
  }

  importGlobal(g: ImportedGlobal): number {
    const key = JSON.stringify(g);
    let index = this.globalIndex.get(key);
    if (index === undefined) {
      index = this.globalImports.push(g) - 1;
      this.globalIndex.set(key, index);
    }
    return index;
  }

  limit(object: number, unit: number, reach: number): number {
    const found = this.limits.findIndex((l) => l.object === object && l.unit === unit && l.reach === reach);
    return found >= 0 ? found : this.limits.push({ object, unit, reach }) - 1;
  }

  reserve(): FunctionRef {
    this.functions.push(undefined);
    return { from: "own", index: this.functions.length - 1 };
  }

  /** A function of the module itself, made when it is first asked for. */
  ownFunction(name: string, build: () => FunctionBody): FunctionRef {
    let found = this.own.get(name);
    if (!found) {
      this.own.set(name, (found = this.reserve()));
      this.functions[found.index] = build();
    }
    return found;
  }
}

interface Label {
  readonly id: number;
  readonly breakDepth: number;
  readonly continueDepth: number | undefined;
}

/** One function. */
export class FunctionText {
  code = new Code();
  protected readonly prologue = new Code();
  /** What each workgroup begins with. */
  protected readonly groupPrologue = new Code();
  private readonly localTypes: ValueType[] = [];
  /** Locals that nothing uses any more; the fewer there are, the sooner engines have compiled the function. */
  private readonly unused = new Map<ValueType, number[]>();
  /** Locals taken for the region and the statement that are written. */
  private ofRegion: number[] | undefined;
  private ofStatement: number[] | undefined;
  private readonly cachedGlobals = new Map<number, number>();
  protected readonly labels: Label[] = [];
  protected depth = 0;
  /** The counter of steps, in the kernel's own function. */
  protected stepsLocal: number | undefined;

  constructor(
    readonly module: ModuleText,
    protected readonly type: FunctionType,
  ) {}

  /** For the statement that is written; others take it behind that. It holds nothing yet, or what others left. */
  newLocal(type: ValueType): number {
    return this.takeLocal(type, this.ofStatement);
  }

  /** Until the region ends. */
  regionLocal(type: ValueType): number {
    return this.takeLocal(type, this.ofRegion);
  }

  /** As long as the function runs. */
  lastingLocal(type: ValueType): number {
    if (this.localTypes.length >= mostLocals) throw new CannotEncode("the kernel has too many values");
    return this.type.parameters.length + this.localTypes.push(type) - 1;
  }

  private takeLocal(type: ValueType, taken: number[] | undefined): number {
    if (!taken) return this.lastingLocal(type);
    const local = this.unused.get(type)?.pop() ?? this.lastingLocal(type);
    taken.push(local);
    return local;
  }

  private giveBack(taken: readonly number[]): void {
    for (const local of taken) {
      const type = this.localTypes[local - this.type.parameters.length]!;
      const unused = this.unused.get(type);
      if (unused) unused.push(local);
      else this.unused.set(type, [local]);
    }
  }

  /** Writes a region: nothing but slots and what `lastingLocal` gave goes on behind it. */
  protected region(inside: () => void): void {
    const outer = [this.ofRegion, this.ofStatement];
    const taken: number[] = [];
    this.ofRegion = this.ofStatement = taken;
    inside();
    this.giveBack(taken);
    [this.ofRegion, this.ofStatement] = outer;
  }

  /** Writes a statement: behind it nothing is left of its values. */
  protected oneStatement(inside: () => void): void {
    const outer = this.ofStatement;
    const taken: number[] = [];
    this.ofStatement = taken;
    inside();
    this.giveBack(taken);
    this.ofStatement = outer;
  }

  /** A global, read once at the function's start. */
  globalLocal(g: ImportedGlobal, type: ValueType): number {
    const index = this.module.importGlobal(g);
    let local = this.cachedGlobals.get(index);
    if (local === undefined) {
      local = this.lastingLocal(type);
      this.cachedGlobals.set(index, local);
      this.prologue.global(index).set(local);
    }
    return local;
  }

  body(): FunctionBody {
    return { type: this.type, locals: this.localTypes, code: new Code().append(this.prologue).append(this.code) };
  }

  // ---------------------------------------------------------------- structure

  block(inside: () => void, result: ValueType | typeof empty = empty): void {
    this.code.op(0x02, result);
    this.depth++;
    inside();
    this.depth--;
    this.code.op(0x0b);
  }

  loopBlock(inside: () => void): void {
    this.code.op(0x03, empty);
    this.depth++;
    inside();
    this.depth--;
    this.code.op(0x0b);
  }

  /** The condition is on the stack. */
  ifElse(then: () => void, otherwise?: () => void, result: ValueType | typeof empty = empty): void {
    this.code.op(0x04, result);
    this.depth++;
    then();
    if (otherwise) {
      this.code.op(0x05);
      otherwise();
    }
    this.depth--;
    this.code.op(0x0b);
  }

  /** To the end of the block (or the start of the loop) that was opened at this depth. */
  branch(depth: number): void {
    this.code.op(0x0c).unsigned(this.depth - depth);
  }
  branchIf(depth: number): void {
    this.code.op(0x0d).unsigned(this.depth - depth);
  }

  /** Counts `from` to `to` in a local, while the loop's body runs. */
  count(counter: number, to: () => void, by: number | (() => void), inside: () => void): void {
    this.block(() => {
      const out = this.depth;
      this.loopBlock(() => {
        const again = this.depth;
        this.code.get(counter);
        to();
        this.code.op(0x4e);
        this.branchIf(out);
        inside();
        this.code.get(counter);
        if (typeof by === "number") this.code.i32(by);
        else by();
        this.code.op(0x6a).set(counter);
        this.branch(again);
      });
    });
  }

  // ---------------------------------------------------------------- steps

  protected stepsUsed(work: number): void {
    if (!this.module.options.steps) return;
    const { code } = this;
    if (this.stepsLocal === undefined) {
      const left = this.newLocal(i64);
      code
        .i32(0)
        .i32(0)
        .memory(0x2b, this.module.frame + stepsAt)
        .op(0xb0)
        .i64(work)
        .op(0x7d)
        .tee(left)
        .op(0xb9)
        .memory(0x39, this.module.frame + stepsAt);
      code.get(left);
    } else code.get(this.stepsLocal).i64(work).op(0x7d).tee(this.stepsLocal);
    code.i64(0).op(0x53);
    this.ifElse(() => this.outOfSteps());
  }

  protected outOfSteps(): void {
    if (this.module.options.vectors) return this.unfit();
    this.flushSteps();
    this.code.call(
      this.module.importFunction({ on: "machine", name: "outOfSteps", leading: [], parameters: [], result: undefined }),
    );
  }

  /** The counter into memory, where the caller finds it if this call throws. */
  flushSteps(): void {
    if (this.stepsLocal === undefined) return;
    this.code
      .i32(0)
      .get(this.stepsLocal)
      .op(0xb9)
      .memory(0x39, this.module.frame + stepsAt);
  }

  /** The counter out of memory, after what may have counted there. */
  protected readSteps(): void {
    if (this.stepsLocal !== undefined) this.stepsInto(this.code, this.stepsLocal);
  }

  private stepsInto(code: Code, local: number): void {
    code
      .i32(0)
      .memory(0x2b, this.module.frame + stepsAt)
      .op(0xb0)
      .set(local);
  }

  /** The run is given up, to be done by another form or engine. */
  protected unfit(): void {
    this.flushSteps();
    this.code.call(
      this.module.importFunction({ on: "machine", name: "unfit", leading: [], parameters: [], result: undefined }),
    );
    this.code.op(0);
  }

  protected startSteps(): void {
    if (!this.module.options.steps) return;
    this.stepsLocal = this.lastingLocal(i64);
    this.stepsInto(this.prologue, this.stepsLocal);
  }

  // ---------------------------------------------------------------- values

  scratch(kind: MachineScalar): number {
    return this.newLocal(heldAs(kind));
  }

  counter(): number {
    return this.newLocal(i32);
  }
}
