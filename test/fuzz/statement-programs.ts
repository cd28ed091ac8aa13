/**
 * Random statements in each dialect, and the same as JavaScript, which has C's statements: an interpreter that knows
 * nothing of crosslane. Numbers are unsigned 32-bit.
 */
import type { TwoWayDialect } from "../../src/index.js";
import type { Random } from "../mutants/mutate.js";

export interface StatementProgram {
  readonly body: string;
  /** The body of a function of `i` and `src` that returns what is stored. */
  readonly script: string;
}

type Tree =
  | { readonly kind: "leaf"; readonly text: string }
  | { readonly kind: "unary"; readonly operator: "-" | "~" | "+"; readonly of: Tree }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Tree; readonly right: Tree }
  | { readonly kind: "choose"; readonly when: Tree; readonly then: Tree; readonly else: Tree };

/** C's ranks, those of the conditions among them. */
const rank: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "|": 3,
  "^": 4,
  "&": 5,
  "==": 6,
  "!=": 6,
  "<": 7,
  ">": 7,
  "<=": 7,
  ">=": 7,
  "<<": 8,
  ">>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
};
const unaryRank = 11;

/** With no more parentheses than C needs. */
function source(e: Tree, least = 0): string {
  const own = e.kind === "leaf" ? 12 : e.kind === "unary" ? unaryRank : e.kind === "choose" ? 0 : rank[e.operator]!;
  const text = ((): string => {
    switch (e.kind) {
      case "leaf":
        return e.text;
      case "unary": {
        const of = source(e.of, unaryRank);
        return `${e.operator}${of.startsWith(e.operator) && e.operator !== "~" ? " " : ""}${of}`;
      }
      case "binary":
        return `${source(e.left, own)} ${e.operator} ${source(e.right, own + 1)}`;
      case "choose":
        return `${source(e.when, 1)} ? ${source(e.then)} : ${source(e.else)}`;
    }
  })();
  return own < least ? `(${text})` : text;
}

const script = (e: Tree): string => {
  switch (e.kind) {
    case "leaf":
      return e.text.replace(/\b(\d+)u\b/g, "$1");
    case "unary":
      return `((${e.operator}${script(e.of)}) >>> 0)`;
    case "choose":
      return `(${script(e.when)} ? ${script(e.then)} : ${script(e.else)})`;
    case "binary": {
      const [a, b] = [script(e.left), script(e.right)];
      if (e.operator === "*") return `(Math.imul(${a}, ${b}) >>> 0)`;
      if (e.operator === ">>") return `(${a} >>> ${b})`;
      return /^([-+&|^]|<<)$/.test(e.operator) ? `((${a} ${e.operator} ${b}) >>> 0)` : `(${a} ${e.operator} ${b})`;
    }
  }
};

class Generator {
  private readonly out: string[] = [];
  private readonly js: string[] = [];
  /** Variables that have a value here. */
  private names: string[] = ["i", "r"];
  private writable: string[] = ["r"];
  private fresh = 0;
  private loops = 0;
  private switches = 0;
  private budget = 40;

  constructor(
    private readonly next: Random,
    private readonly dialect: TwoWayDialect,
  ) {}

  private nat(n: number): number {
    return Math.floor(this.next() * n);
  }
  private pick<T>(list: readonly T[]): T {
    return list[this.nat(list.length)]!;
  }
  private chance(p: number): boolean {
    return this.next() < p;
  }
  private both(text: string, twin = text): void {
    this.out.push(text);
    this.js.push(twin);
  }

  private value(depth: number): Tree {
    const form = depth <= 0 ? 0 : this.nat(9);
    if (form < 3) {
      const text = this.chance(0.3)
        ? `${String(this.pick([0, 1, 2, 3, 7, 255, 4294967295]))}u`
        : this.chance(0.15)
          ? `src[${this.pick(["i & 63u", "(i + 3u) & 63u", "5u"])}]`
          : this.pick(this.names);
      return { kind: "leaf", text };
    }
    if (form === 3) return { kind: "unary", operator: this.pick(["-", "~", "+", "-"]), of: this.value(depth - 1) };
    if (form === 4)
      return {
        kind: "choose",
        when: this.condition(depth - 1),
        then: this.value(depth - 1),
        else: this.value(depth - 1),
      };
    if (form === 5)
      return {
        kind: "binary",
        operator: this.pick(["<<", ">>"]),
        left: this.value(depth - 1),
        right: { kind: "leaf", text: `${String(this.nat(8))}u` },
      };
    return {
      kind: "binary",
      operator: this.pick(["+", "-", "*", "&", "|", "^"]),
      left: this.value(depth - 1),
      right: this.value(depth - 1),
    };
  }
  private condition(depth: number): Tree {
    if (depth > 0 && this.chance(0.25))
      return {
        kind: "binary",
        operator: this.pick(["&&", "||"]),
        left: this.condition(depth - 1),
        right: this.condition(depth - 1),
      };
    return {
      kind: "binary",
      operator: this.pick(["<", ">", "<=", ">=", "==", "!="]),
      left: this.value(depth),
      right: this.value(depth),
    };
  }

  private simple(): void {
    const e = this.value(3);
    const to = this.pick(this.writable);
    const form = this.nat(8);
    if (form === 0) this.both(";");
    else if (form === 1) this.both("{ }");
    else if (form === 2) this.both(this.pick([`${to}++;`, `++${to};`]), `${to} = (${to} + 1) >>> 0;`);
    else if (form === 3) {
      const f = this.value(2);
      this.both(`${to} = ${source(f)}, r ^= ${source(e)};`, `${to} = ${script(f)}, r = (r ^ ${script(e)}) >>> 0;`);
    } else if (form === 4) {
      const op = this.pick(["+", "-", "^", "|", "*"]);
      const twin: Tree = { kind: "binary", operator: op, left: { kind: "leaf", text: to }, right: e };
      this.both(`${to} ${op}= ${source(e)};`, `${to} = ${script(twin)};`);
    } else this.both(`${to} = ${source(e)};`, `${to} = ${script(e)};`);
  }

  /** A variable of this scope. */
  private declare(): void {
    const e = this.value(3);
    const name = `v${String(this.fresh++)}`;
    this.both(
      this.chance(0.2) ? `uint ${name}; ${name} = ${source(e)};` : `uint ${name} = ${source(e)};`,
      `var ${name} = ${script(e)};`,
    );
    this.names.push(name);
    this.writable.push(name);
  }

  private scoped(work: () => void): void {
    const [names, writable] = [this.names, this.writable];
    [this.names, this.writable] = [[...names], [...writable]];
    work();
    [this.names, this.writable] = [names, writable];
  }

  private jump(): boolean {
    if (this.loops > 0 && this.chance(0.4)) this.both("continue;");
    else if (this.loops + this.switches > 0 && this.chance(0.6)) this.both("break;");
    else return false;
    return true;
  }

  /** The body of a loop or an `if`, with braces or without. */
  private body(depth: number): void {
    if (this.chance(0.35)) {
      // Without braces a declaration has no place.
      this.scoped(() => (this.chance(0.2) && this.jump() ? undefined : this.one(depth, false)));
      return;
    }
    this.both("{");
    this.scoped(() => {
      for (let n = this.nat(4); n > 0; n--) this.one(depth, true);
      if (this.chance(0.2)) this.jump();
    });
    this.both("}");
  }

  private one(depth: number, declares: boolean): void {
    this.budget--;
    const form = depth <= 0 || this.budget < 0 ? 0 : this.nat(10);
    if (form < 4) {
      if (declares && this.chance(0.35)) this.declare();
      else this.simple();
    } else if (form < 6) this.choice(depth);
    else if (form < 8) this.loop(depth);
    else if (this.switches + this.loops < 4) this.cases(depth);
    else this.simple();
  }

  private choice(depth: number): void {
    const c = this.condition(2);
    this.both(`if (${source(c)})`, `if (${script(c)})`);
    this.body(depth - 1);
    if (this.chance(0.5)) {
      // Hanging or not, it is the last `if` without one in both languages.
      this.both("else");
      this.body(depth - 1);
    }
  }

  private loop(depth: number): void {
    const k = `k${String(this.fresh++)}`;
    const rounds = `${String(1 + this.nat(3))}u`;
    const bare = rounds.slice(0, -1);
    this.loops++;
    const switches = this.switches;
    this.switches = 0;
    const form = this.nat(5);
    const within = (): void => {
      this.scoped(() => {
        this.names.push(k);
        this.body(depth - 1);
      });
    };
    if (form < 2) {
      const m = `m${String(this.fresh++)}`;
      if (form === 0)
        this.both(
          `for (uint ${k} = 0u; ${k} < ${rounds}; ${this.pick([`${k}++`, `++${k}`, `${k} += 1u`])})`,
          `for (var ${k} = 0; ${k} < ${bare}; ${k}++)`,
        );
      else
        this.both(
          `for (uint ${k} = 0u, ${m} = ${rounds}; ${k} < ${m}; ${k}++, r += ${m})`,
          `for (var ${k} = 0, ${m} = ${bare}; ${k} < ${m}; ${k}++, r = (r + ${m}) >>> 0)`,
        );
      within();
    } else {
      // The counter moves first, so that no jump passes it by.
      this.both("{");
      this.both(`uint ${k} = 0u;`, `var ${k} = 0;`);
      if (form === 2) {
        this.both(`while (${k}++ < ${rounds})`, `while (${k}++ < ${bare})`);
        within();
      } else if (form === 3) {
        this.both("do");
        within();
        this.both(`while (++${k} < ${rounds});`, `while (++${k} < ${bare});`);
      } else {
        this.both("for (;;) {");
        this.both(`if (++${k} > ${rounds}) break;`, `if (++${k} > ${bare}) break;`);
        within();
        this.both("}");
      }
      this.both("}");
    }
    this.switches = switches;
    this.loops--;
  }

  private cases(depth: number): void {
    const e = this.value(2);
    const shared = this.chance(0.4) ? `s${String(this.fresh++)}` : undefined;
    this.both(
      `switch (${source({ kind: "binary", operator: "&", left: e, right: { kind: "leaf", text: "3u" } })}) {`,
      `switch ((${script(e)}) & 3) {`,
    );
    this.switches++;
    const labels = ["0u", "1u", "2u", ...(this.chance(0.7) ? ["default"] : ["3u"])];
    for (let k = labels.length - 1; k > 0; k--) {
      const j = this.nat(k + 1);
      [labels[k], labels[j]] = [labels[j]!, labels[k]!];
    }
    // C takes the label before a statement only, C++ and HLSL no jump past an initialiser.
    const afterLabel = this.dialect === "glsl";
    labels.forEach((label, n) => {
      this.both(
        label === "default" ? "default:" : `case ${label}:`,
        label === "default" ? "default:" : `case ${label.slice(0, -1)}:`,
      );
      const last = n + 1 === labels.length;
      if (!last && !(n === 0 && shared !== undefined) && this.chance(0.15)) return;
      this.scoped(() => {
        if (shared !== undefined) {
          const first = this.value(1);
          if (n === 0)
            this.both(
              afterLabel ? `uint ${shared} = ${source(first)};` : `; uint ${shared}; ${shared} = ${source(first)};`,
              `var ${shared} = ${script(first)};`,
            );
          else this.both(`${shared} = ${source(first)};`, `${shared} = ${script(first)};`);
          this.names.push(shared);
          this.writable.push(shared);
        }
        const braces = !afterLabel && this.chance(0.5);
        if (braces) this.both("{");
        for (let m = this.nat(3) + (shared === undefined ? 1 : 0); m > 0; m--)
          this.one(depth - 1, braces || afterLabel);
        if (braces) this.both("}");
      });
      // DXC and C++ see no difference between falling into a case and its own.
      const falls = !last && this.dialect !== "hlsl" && this.chance(0.3);
      if (!falls && !(last && this.chance(0.5))) this.both(this.loops > 0 && this.chance(0.2) ? "continue;" : "break;");
      else if (last) this.both(";");
    });
    this.switches--;
    this.both("}");
  }

  program(): StatementProgram {
    for (let n = 3 + this.nat(4); n > 0; n--) this.one(3, true);
    // What was declared at the top counts.
    for (const name of this.names.slice(2))
      this.both(`r = r * 31u + ${name};`, `r = (Math.imul(r, 31) + ${name}) >>> 0;`);
    return { body: this.out.join("\n  "), script: `var r = 0; ${this.js.join("\n")} return r;` };
  }
}

export function statementProgram(next: Random, dialect: TwoWayDialect): StatementProgram {
  return new Generator(next, dialect).program();
}
