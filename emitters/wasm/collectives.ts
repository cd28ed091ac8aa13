/** Cross-lane routines: the common ones as loops over columns, the others as calls. Both as `emitters/typescript/collectives.ts` has them. */
import { CannotEncode } from "./function-text.js";
import { startOf } from "../../src/ops/folds.js";
import type { CollectiveRegion, LocalId, MachineExpr, MachineScalar } from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { CodeText } from "./code-text.js";
import { f32, f64, i32, i64 } from "./bytes.js";
import type { Scope } from "./lane-values.js";
import { heldAs, type ColumnPlace } from "./shape.js";

/** Kinds whose folds and moves are written out. */
const numbers: ReadonlySet<ScalarKind> = new Set(["i32", "u32", "f32", "i16", "u16", "i8", "u8"]);

/** The lane that is read: the operand itself, or by it and the lane that reads; `keeps`: which lanes keep their own. */
interface Shuffle {
  readonly from: "operand" | "xor" | "minus" | "plus";
  readonly keeps?: "below" | "beyond";
}
const shuffles: ReadonlyMap<string, Shuffle> = new Map<string, Shuffle>([
  ["shuffle", { from: "operand" }],
  ["shuffle_xor", { from: "xor" }],
  ["shuffle_up", { from: "minus" }],
  ["shuffle_down", { from: "plus" }],
  ["shuffle_up_keep", { from: "minus", keeps: "below" }],
  ["shuffle_down_keep", { from: "plus", keeps: "beyond" }],
]);

/** Where lanes begin and end, as locals. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export class CollectiveText extends CodeText {
  protected isColumn(e: MachineExpr): e is MachineExpr & { kind: "local" } {
    return e.kind === "local" && this.module.local(e.local).storage === "slot";
  }

  private columnOf(id: LocalId): ColumnPlace {
    return { scalar: this.module.local(id).scalar, at: this.module.slotAt(id) };
  }

  /** Loads, of a lane held in a local. */
  private element(id: LocalId, lane: number): void {
    this.readSlot(id, lane);
  }

  /** Runs `inside` for each active lane from the one in `lane` on. */
  protected eachLane(lane: number, end: number, masked: boolean, inside: () => void): void {
    this.count(
      lane,
      () => this.code.get(end),
      1,
      () => {
        if (!masked) return inside();
        this.code.get(lane).memory(0x2d, this.waitAt).op(0x45);
        this.ifElse(inside);
      },
    );
  }

  /** The first active lane, or the first of all where none is. */
  protected firstActive(range: Range): number {
    const { code } = this;
    const lane = this.counter();
    code.get(range.start).set(lane);
    this.block(() => {
      const out = this.depth;
      this.loopBlock(() => {
        const again = this.depth;
        code.get(lane).memory(0x2d, this.waitAt).op(0x45);
        this.branchIf(out);
        code.get(lane).i32(1).op(0x6a).tee(lane).get(range.end).op(0x48);
        this.branchIf(again);
        code.get(range.start).set(lane);
      });
    });
    return lane;
  }

  protected anyActive(range: Range): void {
    const { code } = this;
    const [lane, found] = [this.counter(), this.counter()];
    code.i32(0).set(found).get(range.start).set(lane);
    this.block(() => {
      const out = this.depth;
      this.loopBlock(() => {
        const again = this.depth;
        code.get(lane).memory(0x2d, this.waitAt).op(0x45).tee(found);
        this.branchIf(out);
        code.get(lane).i32(1).op(0x6a).tee(lane).get(range.end).op(0x48);
        this.branchIf(again);
      });
    });
    code.get(found);
  }

  protected resume(range: Range, wait: number, park: number): void {
    const { code } = this;
    const [lane, now] = [this.counter(), this.counter()];
    code.get(range.start).set(lane);
    this.count(
      lane,
      () => code.get(range.end),
      1,
      () => {
        code.get(lane).memory(0x2d, this.waitAt).tee(now).i32(wait).op(0x46);
        this.ifElse(
          () => code.get(lane).i32(0).memory(0x3a, this.waitAt),
          () => {
            if (park === 0) return;
            code.get(now).op(0x45);
            this.ifElse(() => code.get(lane).i32(park).memory(0x3a, this.waitAt));
          },
        );
      },
    );
  }

  // ---------------------------------------------------------------- a collective

  protected collective(r: CollectiveRegion, range: Range, scope: Scope): void {
    const c = r.collective;
    if (this.module.screen && c.routine === "async_copy")
      throw new CannotEncode("asynchronous copies are not screened for races");
    const masked = r.masked && this.module.program.parks;
    this.preconditions(r, range, masked);
    if (this.writtenOut(r, range, scope, masked)) return;
    const values: MachineExpr[] = [];
    const operands = c.operands.map((e) => {
      if (this.isColumn(e)) return this.columnOf(e.local);
      values.push(e);
      return { value: e.scalar };
    });
    const many = c.uniformResult && c.results.length > 1;
    const words = many ? this.module.place(16) : undefined;
    const [first] = c.results;
    const column = !c.uniformResult && first !== undefined ? this.columnOf(first) : undefined;
    const result: MachineScalar | undefined =
      c.uniformResult && c.results.length === 1 ? this.module.local(first!).scalar : undefined;
    this.flushSteps();
    this.code.get(range.start).get(range.end);
    for (const v of values) this.pass(v, scope);
    this.code.call(
      this.module.importFunction({
        on: "routine",
        name: `${c.scope}_${c.routine}`,
        scalar: c.scalar,
        words,
        site: c.site,
        masked,
        column,
        operands,
        result,
      }),
    );
    if (result === "index") this.code.op(0xfc, 6);
    if (many)
      c.results.forEach((l, i) =>
        this.assignUniform(l, () => this.code.i32(words! + 4 * i).memory(0x28, 0), masked, range),
      );
    else if (result !== undefined) {
      const kept = this.newLocal(heldAs(result));
      this.code.set(kept);
      this.assignUniform(first!, () => this.code.get(kept), masked, range);
    }
  }

  private preconditions(r: CollectiveRegion, range: Range, masked: boolean): void {
    const c = r.collective;
    const check = (name: string, scalar: string, operands: readonly ColumnPlace[]): void => {
      this.flushSteps();
      this.code.get(range.start).get(range.end);
      this.code.call(
        this.module.importFunction({
          on: "lanes",
          name,
          scalar,
          words: undefined,
          site: c.site,
          masked,
          column: undefined,
          operands,
          result: undefined,
        }),
      );
    };
    if (c.reachedByAll && masked) check("reachedByAll", c.scope, []);
    if (c.precondition !== "uniform-operands") return;
    c.operands.forEach((o, i) => {
      if (i > 0 && this.isColumn(o)) check("sameInAll", "", [this.columnOf(o.local)]);
    });
  }

  /** A result that is the same in all active lanes, kept wherever its local lives. */
  private assignUniform(id: LocalId, value: () => void, masked: boolean, range: Range): void {
    if (this.module.local(id).storage !== "slot") {
      value();
      this.code.set(this.localOf(id));
      return;
    }
    const lane = this.counter();
    this.code.get(range.start).set(lane);
    this.eachLane(lane, range.end, masked, () => this.writeSlot(id, lane, value));
  }

  private writtenOut(r: CollectiveRegion, range: Range, scope: Scope, masked: boolean): boolean {
    const c = r.collective;
    if (c.operands.some((e) => e.kind === "local" && this.module.local(e.local).scalar === "index")) return false;
    const [data, second] = c.operands;
    if (!data || !this.isColumn(data)) return false;
    const [result] = c.results;
    if (c.scalar === "bool") return this.predicate(r, data.local, range, masked);
    if (!numbers.has(c.scalar)) return false;
    if (c.uniformResult || result === undefined) {
      if (result === undefined) return false;
      const lane = masked ? this.firstActive(range) : range.start;
      if (c.routine === "broadcast_first") {
        this.assignUniform(result, () => this.element(data.local, lane), masked, range);
        return true;
      }
      if (c.routine === "broadcast" && second && !this.isColumn(second)) {
        this.broadcast(r, data.local, second, range, scope, masked);
        return true;
      }
      if (!this.folds(c.scalar, c.routine)) return false;
      const sum = this.newLocal(heldAs(c.scalar));
      const at = this.startFold(c.scalar, c.routine, data.local, sum, lane, range);
      this.eachLane(at, range.end, masked, () => this.addTo(sum, c.scalar, c.routine, data.local, at));
      this.assignUniform(result, () => this.code.get(sum), masked, range);
      return true;
    }
    const move = shuffles.get(c.routine);
    if (move && second) {
      this.shuffle(move, r, data.local, second, range, scope, masked);
      return true;
    }
    if (c.fold?.form !== "inclusive" || !(c.fold.over === "subgroup" || c.fold.over === "workgroup") || masked)
      return false;
    const { operation } = c.fold;
    if (!this.folds(c.scalar, operation)) return false;
    const sum = this.newLocal(heldAs(c.scalar));
    const at = this.startFold(c.scalar, operation, data.local, sum, range.start, range, result);
    this.eachLane(at, range.end, false, () => {
      this.addTo(sum, c.scalar, operation, data.local, at);
      this.writeSlot(result, at, () => this.code.get(sum));
    });
    return true;
  }

  private folds(scalar: ScalarKind, op: string): boolean {
    if (op === "min" || op === "max") return true;
    if (scalar === "f32") return op === "add";
    return (scalar === "i32" || scalar === "u32") && ["add", "and", "or", "xor"].includes(op);
  }

  /** The fold's begin into `sum`; gives a counter at the first lane that is still to be added. */
  private startFold(
    scalar: ScalarKind,
    op: string,
    data: LocalId,
    sum: number,
    first: number,
    range: Range,
    result?: LocalId,
  ): number {
    const at = this.counter();
    const identity = startOf(op, scalar);
    if (identity !== undefined) {
      this.constant({ kind: "constant", scalar, value: identity });
      this.code.set(sum).get(range.start).set(at);
      return at;
    }
    this.element(data, first);
    this.code.set(sum);
    if (result !== undefined) this.writeSlot(result, first, () => this.code.get(sum));
    this.code.get(first).i32(1).op(0x6a).set(at);
    return at;
  }

  private addTo(sum: number, scalar: ScalarKind, op: string, data: LocalId, lane: number): void {
    if (op === "min" || op === "max") {
      const x = this.newLocal(heldAs(scalar));
      this.element(data, lane);
      this.code.set(x);
      this.leastOf(scalar, op, sum, x);
    } else {
      this.code.get(sum);
      this.element(data, lane);
      this.foldOp(scalar, op);
    }
    this.code.set(sum);
  }

  /** What a lane that is not there, or takes no part, gives. */
  private missing(r: CollectiveRegion, data: LocalId, from: number, lane: number, range: Range, masked: boolean): void {
    const c = r.collective;
    this.flushSteps();
    this.code.get(range.start).get(range.end).get(from).op(0xb9).get(lane);
    this.code.call(
      this.module.importFunction({
        on: "routine",
        name: "taken",
        scalar: c.scalar,
        words: undefined,
        site: c.site,
        masked,
        column: undefined,
        operands: [this.columnOf(data), { value: "index" }, { value: "u32" }],
        result: c.scalar,
      }),
    );
  }

  /** Whether lane `from` (an i64, counted from the range's start) is there and active; leaves its number in `source`. */
  private isThere(from: number, source: number, range: Range, masked: boolean): void {
    const { code } = this;
    code.get(from).get(range.end).get(range.start).op(0x6b, 0xad);
    // Where it cannot be below zero an unsigned comparison is the same.
    code.op(0x54);
    code.get(from).op(0xa7).get(range.start).op(0x6a).set(source);
    if (!masked) return;
    this.ifElse(
      () => code.get(source).memory(0x2d, this.waitAt).op(0x45),
      () => code.i32(0),
      i32,
    );
  }

  /** What `lane` gets of lane `from` (an i64, counted from the range's start); `source` is for its number. */
  private taken(
    r: CollectiveRegion,
    data: LocalId,
    { from, source, lane }: { readonly from: number; readonly source: number; readonly lane: number },
    range: Range,
    masked: boolean,
  ): void {
    this.isThere(from, source, range, masked);
    this.ifElse(
      () => this.element(data, source),
      () => this.missing(r, data, from, lane, range, masked),
      heldAs(r.collective.scalar),
    );
  }

  private broadcast(
    r: CollectiveRegion,
    data: LocalId,
    k: MachineExpr,
    range: Range,
    scope: Scope,
    masked: boolean,
  ): void {
    const { code } = this;
    const { scalar } = r.collective;
    const [from, source, value] = [this.newLocal(i64), this.counter(), this.newLocal(heldAs(scalar))];
    this.laneNumber(k, scope);
    code.set(from);
    this.taken(r, data, { from, source, lane: range.start }, range, masked);
    code.set(value);
    this.assignUniform(r.collective.results[0]!, () => code.get(value), masked, range);
  }

  /** A lane's number as a 64-bit integer. */
  private laneNumber(k: MachineExpr, scope: Scope): void {
    this.expr(k, scope);
    const held = heldAs(k.scalar);
    if (held === i32) this.code.op(k.scalar[0] === "u" ? 0xad : 0xac);
    else if (held === f32 || held === f64) throw new Error("broken tree: a lane's number that is no integer");
  }

  private shuffle(
    move: Shuffle,
    r: CollectiveRegion,
    data: LocalId,
    k: MachineExpr,
    range: Range,
    scope: Scope,
    masked: boolean,
  ): void {
    const { code } = this;
    const result = r.collective.results[0]!;
    const [lane, from, source] = [this.counter(), this.newLocal(i64), this.counter()];
    let each: number | undefined;
    if (!this.isColumn(k)) {
      each = this.newLocal(i64);
      this.laneNumber(k, scope);
      code.set(each);
    }
    code.get(range.start).set(lane);
    this.eachLane(lane, range.end, masked, () => {
      const by = (): void => void (each === undefined ? this.laneNumber(k, { ...scope, lane }) : code.get(each));
      if (move.from === "operand") by();
      else if (move.from === "xor") {
        code.get(lane).get(range.start).op(0x6b);
        by();
        code.op(0xa7, 0x73, 0xad);
      } else {
        code.get(lane).get(range.start).op(0x6b, 0xad);
        by();
        code.op(move.from === "minus" ? 0x7d : 0x7c);
      }
      code.set(from);
      const taken = (): void => this.taken(r, data, { from, source, lane }, range, masked);
      this.writeSlot(result, lane, () => {
        if (move.keeps === undefined) return taken();
        if (move.keeps === "below") code.get(from).i64(0).op(0x53);
        else code.get(from).i64(this.module.width).op(0x59);
        this.ifElse(() => this.element(data, lane), taken, heldAs(r.collective.scalar));
      });
    });
  }

  private predicate(r: CollectiveRegion, data: LocalId, range: Range, masked: boolean): boolean {
    const { code } = this;
    const { routine, results } = r.collective;
    const [lane, found] = [this.counter(), this.counter()];
    if (!["all", "any", "count_true", "prefix_count_true", "ballot"].includes(routine)) return false;
    if (routine === "ballot" && this.module.width > 32) return false;
    code.i32(routine === "all" ? 1 : 0).set(found);
    code.get(range.start).set(lane);
    this.eachLane(lane, range.end, masked, () => {
      if (routine === "prefix_count_true") this.writeSlot(results[0]!, lane, () => code.get(found));
      this.element(data, lane);
      if (routine === "all") code.get(found).op(0x71).set(found);
      else if (routine === "any") code.get(found).op(0x72).set(found);
      else if (routine === "ballot") code.get(lane).get(range.start).op(0x6b, 0x74).get(found).op(0x72).set(found);
      else code.get(found).op(0x6a).set(found);
    });
    if (routine === "prefix_count_true") return true;
    results.forEach((l, i) => this.assignUniform(l, () => (i === 0 ? code.get(found) : code.i32(0)), masked, range));
    return true;
  }
}
