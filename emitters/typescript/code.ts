/** Code that runs in one lane, or once for all lanes, as statements of JavaScript. */
import { assertNever } from "../../src/support/assert-never.js";
import type { Span } from "../../src/support/span.js";
import type { ScalarKind } from "../../src/types/types.js";
import { bytesOf, exprsOf, someExpr, visitCode, visitExpr, writtenBy } from "../../src/regions/machine.js";
import { codeContinues, mayBeNaN, slotUses } from "../../src/regions/queries.js";
import type { Atomic, Code, LabelId, LocalId, LoopCode, MachineExpr, Store } from "../../src/regions/tree.js";
import { atomicValue, canRace, wrapText, type Scope } from "./expressions.js";
import { jsType } from "./queries.js";
import { KernelText } from "./text.js";

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

export class CodePrinter extends KernelText {
  protected readonly targets: JumpTarget[] = [];
  /** How a lane leaves its region. */
  protected leaveLane: { readonly name: string; used: boolean; readonly returns: boolean } | undefined;
  protected inHelper = false;

  /** Slots a region touches more than once, or in a loop. */
  protected registersFor(code: readonly Code[]): typeof this.registers {
    const { uses, written, declared } = slotUses(this.program, code);
    const found: typeof this.registers = new Map();
    for (const [l, n] of uses) {
      if (n < 3) continue;
      const name = this.names.unique(`${this.localName(l)}_`);
      found.set(l, { name, written: written.has(l), declaredHere: declared.has(l), declared: !declared.has(l) });
    }
    return found;
  }

  protected slotRead(id: LocalId, lane: string): string {
    const name = this.localName(id);
    return this.program.locals.get(id)!.scalar === "bool" ? `${name}[${lane}] !== 0` : this.read(name, lane);
  }

  /** Registers that changed go back to their slots before the lane leaves the region. */
  protected writeBack(): void {
    for (const [id, register] of this.registers) {
      // Before its declaration it holds nothing of this lane's.
      if (!register.written || !register.declared) continue;
      const value = this.program.locals.get(id)!.scalar === "bool" ? `${register.name} ? 1 : 0` : register.name;
      this.put(`${this.localName(id)}[lane] = ${value};`);
    }
  }

  protected code(list: readonly Code[], scope: Scope): void {
    const counters = this.loopCounters(list);
    for (const c of list) {
      if (counters.has(c)) this.loopStart = { code: c as Code & { kind: "declare" }, scope };
      else this.statement(c, scope);
    }
  }

  /** The declaration that becomes the first part of the next `for`. */
  protected loopStart: { readonly code: Code & { kind: "declare" }; readonly scope: Scope } | undefined;

  /** Declarations right before a loop whose step changes them, and that nothing after the loop uses. */
  private loopCounters(list: readonly Code[]): ReadonlySet<Code> {
    const found = new Set<Code>();
    const last = new Map<LocalId, number>();
    const candidates = list.flatMap((c, i) => {
      const next = list[i + 1];
      return next?.kind === "loop" && this.startsLoop(c, next) ? [{ code: c, at: i }] : [];
    });
    if (candidates.length === 0) return found;
    for (const { code } of candidates) last.set(code.local, -1);
    const use = (l: LocalId, at: number): void => void (last.has(l) && last.set(l, at));
    list.forEach((c, at) =>
      visitCode([c], (x) => {
        for (const l of writtenBy(x)) use(l, at);
        for (const e of exprsOf(x)) visitExpr(e, (y) => void (y.kind === "local" && use(y.local, at)));
      }),
    );
    for (const { code, at } of candidates) if (last.get(code.local)! <= at + 1) found.add(code);
    return found;
  }

  private startsLoop(c: Code, next: LoopCode): c is Code & { kind: "declare" } {
    if (c.kind !== "declare" || !c.value || next.head.length > 0 || next.condition === undefined) return false;
    const l = this.program.locals.get(c.local)!;
    if (l.constant || l.storage === "slot" || this.registers.has(c.local)) return false;
    if (next.step.length !== 1 || next.step[0]!.kind !== "set" || next.step[0].local !== c.local) return false;
    return !someExpr(c.value, (e) => e.kind === "checked");
  }

  private local(c: Code & { kind: "declare" | "set" }, scope: Scope): void {
    this.source(c.span);
    const l = this.program.locals.get(c.local)!;
    const printed = c.value
      ? this.expressions.print(c.value, scope)
      : { text: this.fill(l.scalar, c.local), level: 20 };
    const value = wrapText(printed, 1);
    if (this.isUnread(c.local)) {
      if (c.value) this.put(`${value};`);
      return;
    }
    const name = this.localName(c.local);
    const register = this.registers.get(c.local);
    if (register) {
      const typed = this.options.types ? `: ${jsType(l.scalar)}` : "";
      if (c.kind === "declare") register.declared = true;
      this.put(
        c.kind === "declare" && register.declaredHere
          ? `let ${register.name}${typed} = ${value};`
          : `${register.name} = ${value};`,
      );
    } else if (l.storage === "slot") {
      this.put(`${name}[${scope.lane}] = ${l.scalar === "bool" ? `${wrapText(printed, 3)} ? 1 : 0` : value};`);
    } else if (c.kind === "declare") {
      // Of a number alone the compiler would take it to be that number, and say so of each comparison with another.
      const typed = this.options.types && (!l.constant || c.value?.kind === "constant");
      this.put(`${l.constant ? "const" : "let"} ${name}${typed ? `: ${jsType(l.scalar)}` : ""} = ${value};`);
    } else {
      this.put(`${name} = ${value};`);
    }
  }

  protected statement(c: Code, scope: Scope): void {
    switch (c.kind) {
      case "declare":
      case "set":
        return this.local(c, scope);
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
          work: this.work.ofLoop(c),
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
        this.source(c.span);
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
      case "print":
        this.source(c.span);
        this.put(`m.print(${[c.format, scope.lane, ...c.arguments.map((e) => this.expr(e, scope, 1))].join(", ")});`);
        return;
      case "cover":
        this.put(`cover[${c.point}] = 1;`);
        if (this.options.trace)
          this.put(`m.came(${c.point}, ${scope.together ?? `${scope.lane}, ${scope.lane} + 1`});`);
        if (c.compared) this.put(`m.near(${[c.point, ...c.compared.map((e) => this.expr(e, scope))].join(", ")});`);
        return;
      case "barrier":
        if (this.races) this.put(`m.fenced(${scope.lane}, ${c.site});`);
        return;
      case "collective":
        throw new Error(`broken tree: ${c.kind} inside lanes`);
      default:
        return assertNever(c);
    }
  }

  protected leave(): void {
    this.leaveLane!.used = true;
    this.writeBack();
    this.put(this.leaveLane!.returns ? "return;" : `continue ${this.leaveLane!.name};`);
  }

  protected fill(scalar: string, local: LocalId): string {
    if (scalar === "index") return "0";
    if (this.options.localFills) return `m.fillOfLocal("${scalar}", ${local})`;
    return `m.fill_${scalar}`;
  }

  protected store(c: Store, scope: Scope): void {
    this.source(c.span);
    const a = c.address;
    const moved = this.movedBits(c, scope);
    const scalar = moved?.scalar ?? c.scalar;
    const element = this.expressions.element(a, scalar, scope);
    if (element === undefined) {
      const value = moved?.text ?? this.expr(c.value, scope, 1);
      this.put(
        `m.store_${scalar}(${this.expressions.objectId(a, scope)}, ${this.expressions.bytes(a, scope)}, ${value}, ${c.site}, ${scope.lane});`,
      );
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
      if (this.options.writers && object.kind === "buffer")
        this.put(`m.wrote(${a.object as number}, ${index}, ${bytesOf(scalar)}, ${scope.lane}, ${c.site});`);
    }
    const stores = `${view}[${index}] = ${moved?.text ?? this.stored(c.scalar, c.value, scope)};`;
    if (!races) return this.put(stores);
    const place = `${object.id}, ${index}, ${bytesOf(scalar)}`;
    const before = this.names.unique("before");
    this.put(`const ${before} = m.bits(${place});`);
    this.put(stores);
    this.put(`m.accessed(${place}, ${scope.lane}, ${c.site}, m.bits(${place}) === ${before} ? "rewrite" : "write");`);
  }

  /** A copy from memory to memory moves bits, not numbers. */
  protected movedBits(c: Store, scope: Scope): { readonly scalar: ScalarKind; readonly text: string } | undefined {
    const bits = c.scalar === "f32" ? "u32" : c.scalar === "f16" ? "u16" : c.scalar === "f64" ? "u64" : undefined;
    if (bits === undefined) return undefined;
    const v = c.value;
    if (v.kind === "load") return { scalar: bits, text: this.expressions.load(v, scope, bits).text };
    if (v.kind === "reinterpretation" && v.scalar === c.scalar && v.from === bits)
      return { scalar: bits, text: this.expr(v.operand, scope, 1) };
    return undefined;
  }

  /** A value as the view's element. Floats that may be a NaN made by arithmetic are given its canonical bits. */
  protected stored(scalar: ScalarKind, e: MachineExpr, scope: Scope): string {
    const value = this.expr(e, scope, 1);
    if (scalar === "f16") return `${this.runtime("f16Bits")}(${value})`;
    if ((scalar === "f32" || scalar === "f64") && mayBeNaN(e)) return `${this.runtime("canonical")}(${value})`;
    return value;
  }

  protected atomic(c: Atomic, scope: Scope): void {
    this.source(c.span);
    const a = c.address;
    const float = c.scalar[0] === "f";
    const changed = (value: string): string =>
      `if (${view}[${index}] !== ${value}) m.changed(${a.object as number}, ${index} * ${size}, ${scope.lane});`;
    const element = this.expressions.element(a, c.scalar, scope);
    const operands = c.operands.map((e) => this.expr(e, scope, 1));
    if (element === undefined) {
      if (this.interleaved)
        this.put(
          `yield m.comes(${this.expressions.objectId(a, scope)}, ${this.expressions.bytes(a, scope)}, ${c.site});`,
        );
      const call = `m.atomic_${c.scalar}("${c.op}", ${this.expressions.objectId(a, scope)}, ${this.expressions.bytes(a, scope)}, ${c.site}, ${scope.lane}, ${operands.join(", ")})`;
      this.putResult(c.result, call, scope);
      return;
    }
    const view = this.view(a.object as number, c.scalar);
    const index = this.names.unique("at");
    this.put(`const ${index} = ${element.text};`);
    const size = bytesOf(c.scalar);
    if (this.interleaved) this.put(`yield m.comes(${a.object as number}, ${index} * ${size}, ${c.site});`);
    const accessed = (how: string): void => {
      if (!this.races || !canRace(this.object(a.object as number))) return;
      this.put(`m.accessed(${a.object as number}, ${index}, ${bytesOf(c.scalar)}, ${scope.lane}, ${c.site}, ${how});`);
    };
    if (c.op !== "compare_exchange") accessed(c.op === "load" ? '"load"' : '"atomic"');
    if (this.options.writers && c.op !== "load" && this.object(a.object as number).kind === "buffer") {
      this.put(`m.wrote(${a.object as number}, ${index}, ${bytesOf(c.scalar)}, ${scope.lane}, ${c.site});`);
    }
    const found = this.read(view, index);
    const old = c.scalar === "f16" ? this.read(this.runtime("halves"), found) : found;
    const used = c.result !== undefined && (c.op === "load" || !this.isUnread(c.result));
    const kept = used ? this.putResult(c.result, old, scope) : old;
    const value = atomicValue(c, kept, operands, (name) => this.runtime(name));
    if (value === undefined) return;
    const stored =
      c.scalar === "f16"
        ? `${this.runtime("f16Bits")}(${value})`
        : float && c.op !== "compare_exchange"
          ? `${this.runtime("canonical")}(${value})`
          : value;
    if (c.op === "compare_exchange") {
      const same = float
        ? `${this.runtime("sameBits")}("${c.scalar}", ${kept}, ${operands[0]!})`
        : `${kept} === ${operands[0]!}`;
      accessed(`${same} ? "atomic" : "failed"`);
      const changes = this.interleaved ? changed(operands[1]!) : "";
      this.put(
        `if (${same}) ${changes === "" ? "" : `{ ${changes} `}${view}[${index}] = ${stored};${changes === "" ? "" : " }"}`,
      );
    } else {
      if (this.interleaved) this.put(changed(stored));
      this.put(`${view}[${index}] = ${stored};`);
    }
  }

  protected putResult(result: LocalId | undefined, value: string, scope: Scope): string {
    if (result === undefined || this.isUnread(result)) {
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
      return this.read(name, scope.lane);
    }
    this.put(`const ${name} = ${value};`);
    return name;
  }

  // ---------------------------------------------------------------- control flow

  /** A step of plain assignments, for the head of a `for`. */
  protected stepText(step: readonly Code[], scope: Scope): string | undefined {
    if (step.length === 0 || step.length > 2) return undefined;
    const parts: string[] = [];
    for (const s of step) {
      if (s.kind !== "set" || someExpr(s.value, (e) => e.kind === "checked")) return undefined;
      const register = this.registers.get(s.local);
      if (!register && (this.program.locals.get(s.local)!.storage === "slot" || this.isUnread(s.local)))
        return undefined;
      parts.push(`${register?.name ?? this.localName(s.local)} = ${this.expr(s.value, scope, 1)}`);
    }
    return parts.join(", ");
  }

  protected loop(
    label: LabelId,
    span: Span,
    parts: {
      /** Steps of one pass. */
      readonly work: number;
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
      label,
      name: this.names.unique("loop"),
      breakable: true,
      loop: true,
      used: false,
      continueUsed: false,
      continueBlock: stepInside && parts.continues ? this.names.unique("step") : undefined,
    };
    this.targets.push(target);
    const header = inHeader && parts.condition ? parts.condition() : "";
    this.depth++;
    const inside = this.capture(() => {
      if (this.options.steps) {
        const left = this.countsInMachine ? "m.steps" : "steps";
        this.put(`if (${parts.work === 1 ? `--${left}` : `(${left} -= ${parts.work})`} < 0) m.outOfSteps();`);
      }
      if (parts.guard) this.put(`if (${parts.guard}) break;`);
      parts.head?.();
      if (!inHeader && parts.condition) this.put(`if (!(${parts.condition()})) break;`);
      if (target.continueBlock) {
        this.put(`${target.continueBlock}: {`);
        this.targets.push({
          label: -1,
          name: target.continueBlock,
          breakable: false,
          loop: false,
          continueBlock: undefined,
          used: false,
          continueUsed: false,
        });
        this.indented(parts.body);
        this.targets.pop();
        this.put("}");
      } else parts.body();
      if (stepInside) parts.step();
    });
    this.depth--;
    this.targets.pop();
    const prefix = target.used ? `${target.name}: ` : "";
    const step = parts.stepText ?? "";
    const start = first
      ? `let ${this.localName(first.code.local)} = ${this.expr(first.code.value!, first.scope, 1)}`
      : "";
    if (step === "" && header !== "" && start === "") this.put(`${prefix}while (${header}) {`);
    else this.put(`${prefix}for (${start}; ${header}; ${step}) {`.replace("for (; ; )", "for (;;)"));
    this.append(inside);
    this.put("}");
  }

  protected switch<T>(
    label: LabelId,
    span: Span,
    value: string,
    cases: readonly {
      readonly labels: readonly (number | bigint)[];
      readonly isDefault: boolean;
      readonly body: readonly T[];
    }[],
    print: (body: readonly T[]) => void,
  ): void {
    this.source(span);
    const target: JumpTarget = {
      label,
      name: this.names.unique("choice"),
      breakable: true,
      loop: false,
      continueBlock: undefined,
      used: false,
      continueUsed: false,
    };
    this.targets.push(target);
    this.depth++;
    const inside = this.capture(() => {
      for (const c of cases) {
        for (const l of c.labels) this.put(`case ${typeof l === "bigint" ? `${l}n` : l}:`);
        if (c.isDefault) this.put("default:");
        this.indented(() => print(c.body));
      }
    });
    this.depth--;
    this.targets.pop();
    this.put(`${target.used ? `${target.name}: ` : ""}switch (${value}) {`);
    this.append(inside);
    this.put("}");
  }

  protected labelled(label: LabelId, span: Span, body: () => void): void {
    this.source(span);
    const target: JumpTarget = {
      label,
      name: this.names.unique("call"),
      breakable: false,
      loop: false,
      continueBlock: undefined,
      used: false,
      continueUsed: false,
    };
    this.targets.push(target);
    this.put(`${target.name}: {`);
    this.indented(body);
    this.put("}");
    this.targets.pop();
  }

  protected jump(kind: "break" | "continue", label: LabelId): void {
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
