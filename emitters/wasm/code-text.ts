/** Code that runs in one lane, or once for all lanes, as instructions. */
import { assertNever } from "../../src/support/assert-never.js";
import { bytesOf } from "../../src/regions/machine.js";
import { codeContinues, mayBeNaN, slotUses } from "../../src/regions/queries.js";
import type { Address, Atomic, Code, LabelId, LocalId, MachineExpr, Store } from "../../src/regions/tree.js";
import type { ScalarKind } from "../../src/types/types.js";
import { i32, i64 } from "./bytes.js";
import { Expressions } from "./expressions.js";
import { type Scope } from "./lane-values.js";
import { CannotEncode } from "./function-text.js";
import { comparison, floatOp, integerOp, loadOp, normalise, storeOp } from "./operations.js";
import { heldAs } from "./shape.js";

/** Bytes that are filled without a loop. */
const mostUnrolled = 64;

interface JumpTarget {
  readonly label: LabelId;
  readonly breakDepth: number;
  continueDepth: number | undefined;
}

export class CodeText extends Expressions {
  protected readonly targets: JumpTarget[] = [];
  /** Depth of the block a lane leaves its region by. */
  protected leaveDepth: number | undefined;
  protected inHelper = false;

  // ---------------------------------------------------------------- slots in locals

  /** Slots a region touches more than once, or in a loop, are kept in locals while it works on one lane. */
  protected registersFor(code: readonly Code[]): typeof this.registers {
    const { uses, written, declared } = slotUses(this.module.program, code);
    const found: typeof this.registers = new Map();
    for (const [l, n] of uses) {
      if (n < 2) continue;
      const local = this.newLocal(heldAs(this.module.local(l).scalar));
      found.set(l, { local, written: written.has(l), declaredHere: declared.has(l), declared: !declared.has(l) });
    }
    return found;
  }

  protected loadRegisters(lane: number): void {
    for (const [id, r] of this.registers) {
      if (r.declaredHere) continue;
      this.readSlot(id, lane);
      this.code.set(r.local);
    }
  }

  /** Registers that changed go back to their slots before the lane leaves the region. */
  protected writeBack(lane: number): void {
    for (const [id, r] of this.registers) {
      // Before its declaration it holds nothing of this lane's.
      if (!r.written || !r.declared) continue;
      this.writeSlot(id, lane, () => this.code.get(r.local));
    }
  }

  // ---------------------------------------------------------------- statements

  list(list: readonly Code[], scope: Scope): void {
    for (const c of list) this.statement(c, scope);
  }

  protected statement(c: Code, scope: Scope): void {
    this.oneStatement(() => this.codeOf(c, scope));
  }

  private codeOf(c: Code, scope: Scope): void {
    switch (c.kind) {
      case "declare":
      case "set":
        return this.assign(
          c.local,
          () => (c.value ? this.expr(c.value, scope) : this.fill(c.local)),
          scope,
          c.kind === "declare",
        );
      case "store":
        return this.store(c, scope);
      case "atomic":
        return this.atomic(c, scope);
      case "evaluate":
        this.expr(c.value, scope);
        this.code.op(0x1a);
        return;
      case "if":
        this.expr(c.condition, scope);
        if (c.then.length === 0) this.code.op(0x45);
        return this.ifElse(
          () => this.list(c.then.length === 0 ? c.else : c.then, scope),
          c.then.length > 0 && c.else.length > 0 ? () => this.list(c.else, scope) : undefined,
        );
      case "loop":
        return this.loop(c.label, {
          steps: () => this.stepsUsed(this.module.work.ofLoop(c)),
          guard: undefined,
          head: c.head.length === 0 ? undefined : () => this.list(c.head, scope),
          condition: c.condition ? () => this.expr(c.condition!, scope) : undefined,
          body: () => this.list(c.body, scope),
          step: () => this.list(c.step, scope),
          continues: codeContinues(c),
        });
      case "switch":
        return this.switch(c.label, c.value, c.cases, scope, (body) => this.list(body, scope));
      case "block":
        return this.labelled(c.label, () => this.list(c.body, scope));
      case "break":
      case "continue":
        return this.jump(c.kind, c.label);
      case "return":
        if (this.inHelper) {
          if (c.value) this.expr(c.value, scope);
          this.code.op(0x0f);
        } else this.leave(scope);
        return;
      case "park":
        this.code.get(scope.lane).i32(c.wait).memory(0x3a, this.waitAt);
        return this.leave(scope);
      case "fill":
        return this.fillPrivate(c.object, scope);
      case "print":
        this.code.get(scope.lane);
        for (const e of c.arguments) this.pass(e, scope);
        return this.callImport("machine", "print", ["u32", ...c.arguments.map((e) => e.scalar)], undefined, [c.format]);
      case "cover":
        this.code
          .i32(0)
          .i32(1)
          .memory(0x3a, this.module.cover! + c.point);
        return;
      case "barrier":
        // A fence, which orders nothing where memory operations happen in the order they are run.
        return;
      case "collective":
        throw new Error(`broken tree: ${c.kind} inside lanes`);
      default:
        return assertNever(c);
    }
  }

  protected get waitAt(): number {
    return (this.module.wait ??= this.module.place(this.module.lanes));
  }

  /** What `value` leaves on the stack goes where the local lives. */
  protected assign(id: LocalId, value: () => void, scope: Scope, declares: boolean): void {
    const register = this.registers.get(id);
    if (register) {
      value();
      if (declares) register.declared = true;
      this.code.set(register.local);
    } else if (this.module.local(id).storage === "slot") this.writeSlot(id, scope.lane, value);
    else {
      value();
      this.code.set(this.localOf(id));
    }
  }

  protected leave(scope: Scope): void {
    this.writeBack(scope.lane);
    this.branch(this.leaveDepth!);
  }

  /** What a local without a value holds. */
  protected fill(id: LocalId): void {
    const { scalar } = this.module.local(id);
    if (scalar === "index") this.code.i64(0);
    else if (scalar === "bf16") throw new CannotEncode("bfloat16");
    else if (this.module.options.localFills) {
      this.code.i32(id);
      this.callImport("machine", "fillOfLocal", ["u32"], scalar, [scalar]);
    } else this.code.get(this.globalLocal({ kind: "fill", scalar }, heldAs(scalar)));
  }

  /** A lane's copy of a private object, which is a whole number of words of 64 bits, as it comes into scope. */
  protected fillPrivate(object: number, scope: Scope): void {
    const { code } = this;
    const at = this.newLocal(i32);
    const bytes = this.laneStride(object);
    const word = this.globalLocal({ kind: "pattern", object }, i64);
    code.get(scope.lane).i32(bytes).op(0x6c).get(this.base(object)).op(0x6a).set(at);
    const words = (n: number): void => {
      for (let i = 0; i < n; i++)
        code
          .get(at)
          .get(word)
          .memory(0x37, 8 * i);
    };
    if (bytes <= mostUnrolled) return words(bytes / 8);
    const end = this.newLocal(i32);
    code
      .get(at)
      .i32(bytes - (bytes % mostUnrolled))
      .op(0x6a)
      .set(end);
    this.count(
      at,
      () => code.get(end),
      mostUnrolled,
      () => words(mostUnrolled / 8),
    );
    words((bytes % mostUnrolled) / 8);
  }

  // ---------------------------------------------------------------- memory

  protected store(c: Store, scope: Scope): void {
    const a = c.address;
    const moved = this.movedBits(c, scope);
    const scalar = moved?.scalar ?? c.scalar;
    if (scalar === "bf16") throw new CannotEncode("bfloat16 in memory");
    const offset = this.address(a, scalar, scope);
    if (offset === undefined) {
      this.notScreened();
      this.passObject(a, scope);
      this.passBytes(a, scope);
      if (moved) moved.value();
      else this.expr(c.value, scope);
      this.siteAndLane(c.site, scope);
      return this.callImport("machine", `store_${scalar}`, ["u32", "index", scalar, "i32", "u32"], undefined);
    }
    this.noteAddress("write", a.object, bytesOf(scalar), offset, scope.lane);
    if (this.notesWriter(a.object)) {
      const at = this.newLocal(i32);
      this.code.set(at);
      this.noteWriter(c, at, offset, scope);
      this.code.get(at);
    }
    if (moved) moved.value();
    else this.stored(c.scalar, c.value, scope);
    this.code.memory(storeOp[scalar]!, offset);
  }

  private notesWriter(object: Address["object"]): object is number {
    return (
      this.module.options.writers === true && typeof object === "number" && this.module.object(object).kind === "buffer"
    );
  }

  /** Who writes the element at the address in a local and `offset` more. */
  private noteWriter({ address: a, scalar, site }: Store | Atomic, at: number, offset: number, scope: Scope): void {
    if (!this.notesWriter(a.object)) return;
    const { code } = this;
    const size = bytesOf(scalar);
    code.i32(a.object);
    code
      .get(at)
      .i32(offset)
      .op(0x6a)
      .get(this.globalLocal({ kind: "base", object: a.object }, i32))
      .op(0x6b, 0xb7);
    code.f64(size).op(0xa3).i32(size).get(scope.lane).i32(site);
    this.callImport("machine", "wrote", ["u32", "index", "u32", "u32", "i32"], undefined);
  }

  /** A copy from memory to memory moves bits, not numbers. */
  protected movedBits(c: Store, scope: Scope): { readonly scalar: ScalarKind; readonly value: () => void } | undefined {
    const bits = c.scalar === "f32" ? "u32" : c.scalar === "f16" ? "u16" : c.scalar === "f64" ? "u64" : undefined;
    if (bits === undefined) return undefined;
    const v = c.value;
    if (v.kind === "load") return { scalar: bits, value: () => this.load(v, scope, bits) };
    if (v.kind === "reinterpretation" && v.scalar === c.scalar && v.from === bits)
      return { scalar: bits, value: () => this.expr(v.operand, scope) };
    return undefined;
  }

  /** A value as it is stored. Floats that may be a NaN made by arithmetic are given its canonical bits. */
  protected stored(scalar: ScalarKind, e: MachineExpr, scope: Scope): void {
    this.expr(e, scope);
    if (scalar === "f16") this.bitsOfHalf();
    else if ((scalar === "f32" || scalar === "f64") && mayBeNaN(e)) this.canonical(scalar);
  }

  protected atomic(c: Atomic, scope: Scope): void {
    const { code } = this;
    const { scalar, address: a } = c;
    if (scalar === "bf16") throw new CannotEncode("bfloat16 in memory");
    const held = heldAs(scalar);
    const offset = this.address(a, scalar, scope);
    if (offset === undefined) {
      this.notScreened();
      this.passObject(a, scope);
      this.passBytes(a, scope);
      this.siteAndLane(c.site, scope);
      for (const o of c.operands) this.pass(o, scope);
      const kinds = c.operands.map((o) => o.scalar);
      const call = (): void =>
        this.callImport("machine", `atomic_${scalar}`, ["u32", "index", "i32", "u32", ...kinds], scalar, [c.op]);
      if (c.result === undefined) {
        call();
        code.op(0x1a);
      } else {
        const old = this.newLocal(held);
        call();
        code.set(old);
        this.assign(c.result, () => code.get(old), scope, true);
      }
      return;
    }
    const [at, old] = [this.newLocal(i32), this.newLocal(held)];
    code.set(at);
    this.noteAccess("atomic", a.object, bytesOf(scalar), at, offset, scope.lane);
    if (c.op !== "load") this.noteWriter(c, at, offset, scope);
    code.get(at).memory(loadOp[scalar]!, offset);
    if (scalar === "f16") this.halfOfBits();
    code.set(old);
    if (c.result !== undefined) this.assign(c.result, () => code.get(old), scope, true);
    if (c.op === "load") return;
    const put = (value: () => void): void => {
      code.get(at);
      value();
      if (scalar === "f16") this.bitsOfHalf();
      else if (scalar[0] === "f" && c.op !== "compare_exchange") this.canonical(scalar);
      code.memory(storeOp[scalar]!, offset);
    };
    if (c.op === "compare_exchange") {
      this.sameBits(
        scalar,
        () => code.get(old),
        () => this.expr(c.operands[0]!, scope),
      );
      this.ifElse(() => put(() => this.storedExchange(scalar, c.operands[1]!, scope)));
    } else put(() => this.atomicValue(c, old, scope));
  }

  /** The typed array of the other engine takes a NaN as it is: one pattern, which is the canonical one. */
  private storedExchange(scalar: ScalarKind, e: MachineExpr, scope: Scope): void {
    this.expr(e, scope);
    if (scalar === "f32" || scalar === "f64") this.canonical(scalar);
  }

  private sameBits(scalar: ScalarKind, a: () => void, b: () => void): void {
    const { code } = this;
    const held = heldAs(scalar);
    if (scalar[0] !== "f") {
      a();
      b();
      code.op(comparison(held, scalar, "eq")!);
      return;
    }
    for (const x of [a, b]) {
      x();
      if (scalar === "f16") this.bitsOfHalf();
      else {
        this.canonical(scalar);
        code.op(scalar === "f32" ? 0xbc : 0xbd);
      }
    }
    code.op(scalar === "f64" ? 0x51 : 0x46);
  }

  private atomicValue(c: Atomic, old: number, scope: Scope): void {
    const { code } = this;
    const { scalar } = c;
    const held = heldAs(scalar);
    const operand = c.operands[0]!;
    if (c.op === "store" || c.op === "exchange") return this.expr(operand, scope);
    if (c.op === "min" || c.op === "max") {
      const x = this.newLocal(held);
      this.expr(operand, scope);
      code.set(x);
      // Of a number and a NaN the number.
      if (scalar[0] === "f") code.get(x);
      this.leastOf(scalar, c.op, old, x);
      if (scalar[0] === "f")
        code
          .get(old)
          .get(old)
          .op(comparison(held, scalar, "ne")!, 0x1b);
      return;
    }
    code.get(old);
    this.expr(operand, scope);
    this.foldOp(scalar, c.op);
  }

  /** The lesser or greater of two locals, the first where they are equal or not ordered. */
  protected leastOf(scalar: ScalarKind, op: "min" | "max", a: number, b: number): void {
    const [less, than] = op === "min" ? [b, a] : [a, b];
    this.code
      .get(b)
      .get(a)
      .get(less)
      .get(than)
      .op(comparison(heldAs(scalar), scalar, "lt")!, 0x1b);
  }

  /** `a op b` of two values on the stack, as folds have it. */
  protected foldOp(scalar: ScalarKind, op: string): void {
    const held = heldAs(scalar);
    if (scalar[0] === "f") {
      this.code.op(floatOp(held, op)!);
      if (scalar === "f16") this.toHalf();
      return;
    }
    this.code.op(integerOp(held, scalar, op)!);
    normalise(this.code, scalar);
  }

  // ---------------------------------------------------------------- control flow

  protected loop(
    label: LabelId,
    parts: {
      /** Counts the steps of one pass. */
      readonly steps: () => void;
      readonly guard: (() => void) | undefined;
      readonly head: (() => void) | undefined;
      readonly condition: (() => void) | undefined;
      readonly body: () => void;
      readonly step: () => void;
      readonly continues: boolean;
    },
  ): void {
    const { code } = this;
    const inHeader = parts.head === undefined && parts.guard === undefined;
    this.block(() => {
      const target: JumpTarget = { label, breakDepth: this.depth, continueDepth: undefined };
      this.targets.push(target);
      const leaveUnless = (): void => {
        parts.condition!();
        code.op(0x45);
        this.branchIf(target.breakDepth);
      };
      this.loopBlock(() => {
        const again = this.depth;
        if (inHeader && parts.condition) leaveUnless();
        parts.steps();
        if (parts.guard) {
          parts.guard();
          this.branchIf(target.breakDepth);
        }
        parts.head?.();
        if (!inHeader && parts.condition) leaveUnless();
        if (parts.continues)
          this.block(() => {
            target.continueDepth = this.depth;
            parts.body();
          });
        else parts.body();
        target.continueDepth = undefined;
        parts.step();
        this.branch(again);
      });
      this.targets.pop();
    });
  }

  protected switch<T>(
    label: LabelId,
    value: MachineExpr,
    cases: readonly {
      readonly labels: readonly (number | bigint)[];
      readonly isDefault: boolean;
      readonly body: readonly T[];
    }[],
    scope: Scope,
    print: (body: readonly T[]) => void,
  ): void {
    const { code } = this;
    const held = heldAs(value.scalar);
    const chosen = this.newLocal(held);
    this.expr(value, scope);
    code.set(chosen);
    this.block(() => {
      const out = this.depth;
      this.targets.push({ label, breakDepth: out, continueDepth: undefined });
      const nested = (i: number): void => {
        if (i < 0) {
          // Innermost: block k from inside ends where case k begins.
          cases.forEach((c, k) => {
            for (const l of c.labels) {
              code.get(chosen);
              if (held === i64) code.i64(BigInt(l)).op(0x51);
              else code.i32(Number(l)).op(0x46);
              this.branchIf(out + cases.length - k);
            }
          });
          const otherwise = cases.findIndex((c) => c.isDefault);
          this.branch(otherwise < 0 ? out : out + cases.length - otherwise);
          return;
        }
        this.block(() => nested(i - 1));
        print(cases[i]!.body);
      };
      nested(cases.length - 1);
      this.targets.pop();
    });
  }

  protected labelled(label: LabelId, body: () => void): void {
    this.block(() => {
      this.targets.push({ label, breakDepth: this.depth, continueDepth: undefined });
      body();
      this.targets.pop();
    });
  }

  protected jump(kind: "break" | "continue", label: LabelId): void {
    const target = this.targets.findLast((t) => t.label === label);
    if (!target) throw new Error(`broken tree: jump to label ${label}`);
    this.branch(kind === "break" ? target.breakDepth : target.continueDepth!);
  }
}
