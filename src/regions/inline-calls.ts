/**
 * Calls of short helpers written out for engines that run them often: `t = f(x)` becomes the helper's code with locals of its own. The
 * region tree keeps such functions where a reader wants them; a call costs more than what they do.
 */
import { addressWith, bodiesOf, exprsOf, visitCode, visitExpr, withParts } from "./machine.js";
import type { Code, Declare, Helper, HelperCall, LabelId, Local, LocalId, MachineExpr, Program, Set } from "./tree.js";
import { Work } from "./work.js";

/** Expressions of a helper that is written out, calls in it counted as they stand. */
const mostExpressions = 128;
/** Statements that calls become in one program. */
const mostStatements = 4_000;

type Assignment = (Declare | Set) & { readonly value: HelperCall };

export class Inlining {
  /** Those of the program and of the calls that are written out. */
  readonly locals: Map<LocalId, Local>;
  private readonly made = new Map<Code, readonly Code[]>();
  private readonly short = new Map<Helper, boolean>();
  private nextLocal: LocalId;
  private nextLabel: LabelId;
  private statements = 0;
  private readonly work: Work;

  constructor(private readonly program: Program) {
    this.work = new Work(program);
    this.locals = new Map(program.locals);
    this.nextLocal = 0;
    for (const id of program.locals.keys()) this.nextLocal = Math.max(this.nextLocal, id + 1);
    // Labels count from 0; so many no program has.
    this.nextLabel = 2 ** 24;
  }

  /** What stands for a statement, the same each time it is asked for; lists in it are looked at where they are read. */
  of(c: Code): readonly Code[] {
    if ((c.kind !== "declare" && c.kind !== "set") || c.value?.kind !== "call") return [c];
    let found = this.made.get(c);
    if (!found) {
      const written = this.written({ ...c, value: c.value });
      found = written ? written.flatMap((x) => this.of(x)) : [c];
      this.made.set(c, found);
    }
    return found;
  }

  private written(c: Assignment): readonly Code[] | undefined {
    const helper = this.program.helpers[c.value.helper]!;
    if (!this.isShort(helper, c.value.helper)) return undefined;
    const renamed = new Map<LocalId, LocalId>();
    const changed = new Map<LocalId, true>();
    visitCode(helper.body, (x) => void (x.kind === "set" && changed.set(x.local, true)));
    const fresh = (id: LocalId): LocalId => {
      const to = this.nextLocal++;
      const from = this.locals.get(id)!;
      const constant = from.constant || (helper.parameters.includes(id) && !changed.has(id));
      this.locals.set(to, { ...from, id: to, constant });
      renamed.set(id, to);
      return to;
    };
    const { span } = c;
    const given = helper.parameters.map((p, i): Code => {
      const value = c.value.arguments[i]!;
      return { kind: "declare", local: fresh(p), value, span };
    });
    visitCode(helper.body, (x) => void (x.kind === "declare" && fresh(x.local)));
    const last = helper.body.at(-1);
    const labels = new Map<LabelId, LabelId>();
    visitCode(helper.body, (x) => {
      if (x.kind === "loop" || x.kind === "block") labels.set(x.label, this.nextLabel++);
    });
    const copy = new Copy(renamed, labels);
    // One way out, at the end: what it returns is the value.
    if (last?.kind === "return" && last.value && !helper.body.slice(0, -1).some(returns)) {
      const body = [...given, ...helper.body.slice(0, -1).map((x) => copy.code(x))];
      return this.noted([...body, { ...c, value: copy.expr(last.value) }]);
    }
    const result = this.nextLocal++;
    const label = this.nextLabel++;
    this.locals.set(result, { id: result, name: "t", scalar: c.value.scalar, storage: "lane", constant: false });
    const leaving = new Copy(renamed, labels, { result, label });
    return this.noted([
      { kind: "declare", local: result, span },
      { kind: "block", label, body: [...given, ...helper.body.flatMap((x) => leaving.list([x]))], span },
      { ...c, value: { kind: "local", scalar: c.value.scalar, local: result } },
    ]);
  }

  private noted(list: readonly Code[]): readonly Code[] {
    visitCode(list, () => void this.statements++);
    return list;
  }

  /** Calls of what is long with what it calls are steps, which stay where they are counted: in a function. */
  private isShort(h: Helper, index: number): boolean {
    if (this.statements > mostStatements) return false;
    let found = this.short.get(h);
    if (found === undefined)
      this.short.set(h, (found = h.result !== undefined && isPlain(h) && this.work.ofHelper(index) === undefined));
    return found;
  }
}

const plainKinds: Readonly<Partial<Record<Code["kind"], true>>> = {
  ...{ declare: true, set: true, store: true, if: true },
  ...{ block: true, loop: true, break: true, continue: true, return: true },
};

/** Values in, one out, and nothing that only code of a region may do. */
function isPlain(h: Helper): boolean {
  let expressions = 0;
  let plain = true;
  visitCode(h.body, (c) => {
    plain &&= plainKinds[c.kind] === true;
    if (c.kind === "return") plain &&= c.value !== undefined;
    for (const e of exprsOf(c)) visitExpr(e, () => void expressions++);
  });
  return plain && expressions <= mostExpressions;
}

const returns = (c: Code): boolean => c.kind === "return" || bodiesOf(c).some((b) => b.some(returns));

/** Code with other names for its locals, and jumps for its returns. */
class Copy {
  constructor(
    private readonly locals: ReadonlyMap<LocalId, LocalId>,
    private readonly labels: ReadonlyMap<LabelId, LabelId>,
    private readonly out?: { readonly result: LocalId; readonly label: LabelId },
  ) {}

  list(list: readonly Code[]): readonly Code[] {
    return list.flatMap((c) => {
      if (c.kind !== "return" || !this.out) return [this.code(c)];
      const { result, label } = this.out;
      const { span } = c;
      return [
        { kind: "set", local: result, value: this.expr(c.value!), span },
        { kind: "break", label, span },
      ];
    });
  }

  code(c: Code): Code {
    switch (c.kind) {
      case "declare":
        return { ...c, local: this.local(c.local), ...(c.value ? { value: this.expr(c.value) } : {}) };
      case "set":
        return { ...c, local: this.local(c.local), value: this.expr(c.value) };
      case "store":
        return { ...c, address: addressWith(c.address, (x) => this.expr(x)), value: this.expr(c.value) };
      case "if":
        return { ...c, condition: this.expr(c.condition), then: this.list(c.then), else: this.list(c.else) };
      case "block":
        return { ...c, label: this.label(c.label), body: this.list(c.body) };
      case "loop":
        return {
          ...c,
          label: this.label(c.label),
          head: this.list(c.head),
          ...(c.condition ? { condition: this.expr(c.condition) } : {}),
          body: this.list(c.body),
          step: this.list(c.step),
        };
      case "break":
      case "continue":
        return { ...c, label: this.label(c.label) };
      default:
        throw new Error(`broken tree: ${c.kind} in a helper that is written out`);
    }
  }

  private label(id: LabelId): LabelId {
    return this.labels.get(id) ?? id;
  }

  private local(id: LocalId): LocalId {
    return this.locals.get(id) ?? id;
  }

  expr(e: MachineExpr): MachineExpr {
    return e.kind === "local" ? { ...e, local: this.local(e.local) } : withParts(e, (x) => this.expr(x));
  }
}
