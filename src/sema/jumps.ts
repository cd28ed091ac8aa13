/** Jumps to labels, as loops and conditions: see gotos.ts. */
import {
  assign,
  boolLiteral,
  declare,
  element,
  expressionStatement,
  i32Literal,
  rootVariable,
  variablePlace,
} from "../ast/builders.js";
import type { Declare, Expr, Place, Statement, VarId } from "../ast/nodes.js";
import type * as syntax from "../ast/syntax.js";
import { rewriteStatements, walkExpr, walkStatement, type Rewriter } from "../ast/walk.js";
import { noSpan, type Span } from "../support/span.js";
import { bool } from "../types/types.js";
import { newVariable, notYet, updateVariable, type Sema } from "./context.js";
import { declareName } from "./scopes.js";
import { mentions, namesOf } from "./mentioned-names.js";
import { partsOf } from "./statement-parts.js";

/** A statement list without jumps to its own labels. */
export interface Structured {
  readonly statements: readonly syntax.Statement[];
  /** Declarations that come first. */
  readonly before: readonly Statement[];
  /** Where the names of variables stand whose declarations are in blocks now. */
  readonly within: ReadonlySet<number>;
}

export const labelIn = (list: readonly syntax.Statement[]): number => list.findIndex((st) => st.kind === "label");

export const jumpsTo = (st: syntax.Statement, label: string): boolean =>
  st.kind === "goto" ? st.label === label : partsOf(st).some((x) => jumpsTo(x, label));

/** The statement, and nothing else, always ends with the jump. */
function endsWith(st: syntax.Statement, label: string): boolean {
  if (st.kind === "goto") return st.label === label;
  const last = st.kind === "compound" ? st.statements.at(-1) : undefined;
  return last !== undefined && endsWith(last, label);
}

export class Jumps {
  readonly before: Statement[] = [];
  readonly within = new Set<number>();

  constructor(
    private readonly s: Sema,
    private readonly outermost: boolean,
  ) {}

  /** The list without its label at `at` and the jumps to it. */
  without(list: readonly syntax.Statement[], at: number): readonly syntax.Statement[] {
    const mark = list[at] as syntax.LabelStatement;
    const { label, span } = mark;
    const over = list.slice(0, at);
    const rest = list.slice(at + 1);
    const labelled = this.replacing(mark, { kind: "empty", span });
    const first = over.findIndex((st) => jumpsTo(st, label));
    // From here on the jumps to the label, if any, are those before it.
    if (rest.some((st) => jumpsTo(st, label))) {
      // The jumps forward are then the only ones to the label itself.
      const loop = this.repeated(over, rest, mark, first < 0 ? label : `${label} again`);
      return first < 0 || !loop ? [...over, labelled, ...(loop ?? rest)] : [...over, mark, ...loop];
    }
    if (first < 0) return [...over, labelled, ...rest];
    const end = this.endOf(rest);
    if (end) return [...over.map((st) => this.with(st, label, () => end)), labelled, ...rest];
    const kept = this.declaredBefore(over.slice(first), rest);
    const flag: Flag = { label, name: `goto ${label}`, used: false, span };
    const made = this.guarded([...over.slice(0, first), ...kept.before, ...kept.over], flag, true);
    if (flag.used) this.declareFlag(flag);
    return [...made, labelled, ...rest];
  }

  /**
   * `L: A; if (c) goto L; B;` is `for (;;) { A; if (c) goto L; B; break; L: ; }`, with the label at the end of the loop. What
   * left or continued a loop around does so behind this one.
   */
  private repeated(
    over: readonly syntax.Statement[],
    rest: readonly syntax.Statement[],
    { label, span }: syntax.LabelStatement,
    again: string,
  ): readonly syntax.Statement[] | undefined {
    const inside = rest.flatMap((st) => (st.kind === "label" ? [st.label] : []));
    if (over.some((st) => inside.some((x) => jumpsTo(st, x)))) {
      notYet(this.s, "goto back to a label over which others lead to labels behind it is", span, "write a loop");
      return undefined;
    }
    for (const st of rest)
      if (declares(st) && st.declaration.kind === "variable")
        for (const x of st.declaration.declarators) if (x.name) this.within.add(x.name.span.start);
    const exits = new Map<ExitKind, Flag>();
    const jumping =
      again === label ? rest : rest.map((st) => this.with(st, label, () => ({ kind: "goto", label: again, span })));
    const kept = jumping.map((st) =>
      this.withExits(st, (kind, at) => {
        const exit = exits.get(kind) ?? { label: `${label} ${kind}`, name: `goto ${label} ${kind}`, used: false, span };
        exits.set(kind, exit);
        return { kind: "goto", label: exit.label, span: at };
      }),
    );
    const end = { start: rest.at(-1)!.span.end, end: rest.at(-1)!.span.end };
    const falls: syntax.Statement[] = neverEnds(kept.at(-1)!) ? [] : [{ kind: "break", span: end }];
    const all = { start: rest[0]!.span.start, end: end.end };
    const body: syntax.Statement = {
      kind: "compound",
      statements: [...kept, ...falls, { kind: "label", label: again, span: end }],
      span: all,
    };
    let loop: syntax.Statement = { kind: "for", body, span: all };
    const behind: syntax.Statement[] = [];
    for (const [kind, exit] of exits) {
      loop = this.leaving(loop, exit, false);
      this.declareFlag(exit);
      behind.push({ kind: "if", condition: flagName(exit), then: { kind, span }, span });
    }
    return [loop, ...behind];
  }

  /** A statement in which what leaves or continues a loop or switch around it is another. */
  private withExits(
    st: syntax.Statement,
    made: (kind: ExitKind, at: Span) => syntax.Statement,
    switched = false,
  ): syntax.Statement {
    const each = (x: syntax.Statement): syntax.Statement => this.withExits(x, made, switched);
    switch (st.kind) {
      case "break":
        return switched ? st : this.replacing(st, made(st.kind, st.span));
      case "continue":
        return this.replacing(st, made(st.kind, st.span));
      case "compound":
        return this.replacing(st, { ...st, statements: st.statements.map(each) });
      case "if":
        return this.replacing(st, { ...st, then: each(st.then), ...(st.else ? { else: each(st.else) } : {}) });
      case "switch": {
        const statements = st.body.statements.map((x) => this.withExits(x, made, true));
        return this.replacing(st, { ...st, body: this.replacing(st.body, { ...st.body, statements }) });
      }
      default:
        return st;
    }
  }

  /** What a label stands for behind which a function only returns. */
  private endOf(rest: readonly syntax.Statement[]): syntax.ReturnStatement | undefined {
    const [only, ...more] = rest.filter((st) => st.kind !== "empty" && st.kind !== "label");
    if (more.length > 0) return undefined;
    if (only?.kind === "return" && (!only.value || only.value.kind === "literal")) return only;
    const span = rest[0]?.span ?? { start: 0, end: 0 };
    return !only && this.outermost ? { kind: "return", span } : undefined;
  }

  /** A list in which what follows a jump is only run where it was not taken. `falls`: its end leads to the label. */
  private guarded(list: readonly syntax.Statement[], flag: Flag, falls: boolean): syntax.Statement[] {
    const at = list.findIndex((st) => jumpsTo(st, flag.label));
    if (at < 0) return [...list];
    const st = list[at]!;
    const out = list.slice(0, at);
    const rest = list.slice(at + 1);
    // What follows is never reached.
    if (st.kind === "goto") return [...out, falls ? this.nothing(st) : this.leaving(st, flag, false)];
    const branch = falls ? this.asBranches(st, rest, flag) : undefined;
    if (branch) return [...out, branch];
    out.push(this.leaving(st, flag, false));
    if (rest.length > 0) out.push(ifNot(flag, this.guarded(rest, flag, falls)));
    return out;
  }

  private nothing(st: syntax.Statement): syntax.Statement {
    return this.replacing(st, { kind: "empty", span: st.span });
  }

  /** `if (c) { A; goto L; } B; L:` is `if (c) { A; } else { B; }`. */
  private asBranches(
    st: syntax.Statement,
    rest: readonly syntax.Statement[],
    flag: Flag,
  ): syntax.Statement | undefined {
    const { label } = flag;
    if (st.kind === "compound")
      return rest.length > 0
        ? undefined
        : this.replacing(st, { ...st, statements: this.guarded(st.statements, flag, true) });
    if (st.kind !== "if" || st.constexpr) return undefined;
    const { then, else: otherwise, ...base } = st;
    const first = endsWith(then, label);
    const [jumping, going] = first ? [then, otherwise] : [otherwise, then];
    if (!jumping || !endsWith(jumping, label)) return undefined;
    const before = this.withoutEnd(jumping, label);
    if (before.some((x) => jumpsTo(x, label))) return undefined;
    const inGoing = !going ? [] : going.kind === "compound" ? going.statements : [going];
    if (rest.length > 0 && inGoing.some(declares)) return undefined;
    const done: syntax.Statement = { kind: "compound", statements: before, span: jumping.span };
    if (jumping.kind === "compound") this.replacing(jumping, done);
    const after = this.guarded([...inGoing, ...rest], flag, true);
    const on: syntax.Statement = { kind: "compound", statements: after, span: (going ?? st).span };
    if (going?.kind === "compound") this.replacing(going, on);
    if (before.length > 0 || after.length === 0)
      return this.replacing(st, { ...base, then: first ? done : on, else: first ? on : done });
    const { condition } = st;
    const { span } = condition;
    const inner: syntax.Expression = { kind: "parenthesized", expression: condition, span };
    const not: syntax.Expression = { kind: "unary", operator: "!", operand: inner, span };
    return this.replacing(st, { ...base, condition: first ? not : condition, then: on });
  }

  /** The statements of one that ends with the jump, without it; a comment at the jump stays. */
  private withoutEnd(st: syntax.Statement, label: string): readonly syntax.Statement[] {
    if (st.kind === "goto") {
      const { leading, trailing } = this.s.trivia.of(st);
      return leading.length + trailing.length > 0 ? [this.nothing(st)] : [];
    }
    if (st.kind !== "compound") return [st];
    const last = st.statements.at(-1)!;
    const inner = this.withoutEnd(last, label);
    const kept =
      last.kind === "compound" && inner.length > 0 ? [this.replacing(last, { ...last, statements: inner })] : inner;
    return [...st.statements.slice(0, -1), ...kept];
  }

  /** A statement in which jumps to the label note that they are taken, and leave the loops and switches in it. */
  private leaving(st: syntax.Statement, flag: Flag, inside: boolean): syntax.Statement {
    if (!jumpsTo(st, flag.label)) return st;
    const { span } = st;
    switch (st.kind) {
      case "goto": {
        flag.used = true;
        const taken = this.replacing(st, noted(flag));
        return inside ? { kind: "compound", statements: [taken, { kind: "break", span }], span } : taken;
      }
      case "compound":
        return this.replacing(st, { ...st, statements: this.list(st.statements, flag, inside) });
      case "if":
        return this.replacing(st, {
          ...st,
          then: this.body(st.then, flag, inside),
          ...(st.else ? { else: this.body(st.else, flag, inside) } : {}),
        });
      case "switch": {
        const statements = this.list(st.body.statements, flag, true);
        return this.replacing(st, { ...st, body: this.replacing(st.body, { ...st.body, statements }) });
      }
      case "while":
      case "do":
      case "for":
      case "range-for":
        return this.replacing(st, { ...st, body: this.body(st.body, flag, true) });
      default:
        return st;
    }
  }

  /** What is left in it is left around it, too. */
  private body(st: syntax.Statement, flag: Flag, inside: boolean): syntax.Statement {
    const alone = inside && isLeft(st) && jumpsTo(st, flag.label);
    return alone
      ? { kind: "compound", statements: this.list([st], flag, true), span: st.span }
      : this.leaving(st, flag, inside);
  }

  private list(list: readonly syntax.Statement[], flag: Flag, inside: boolean): syntax.Statement[] {
    if (!inside) return this.guarded(list, flag, false);
    return list.flatMap((st) => {
      if (st.kind === "goto" && st.label === flag.label) {
        const left = this.leaving(st, flag, true);
        return left.kind === "compound" ? left.statements : [left];
      }
      const made = this.leaving(st, flag, true);
      const { span } = st;
      if (made === st || !isLeft(st)) return [made];
      // Out of the loop or switch in it, and on out of this one.
      const on: syntax.Statement = { kind: "if", condition: flagName(flag), then: { kind: "break", span }, span };
      return [made, on];
    });
  }

  /** A statement in which each jump to the label is another statement. */
  with(st: syntax.Statement, label: string, made: () => syntax.Statement): syntax.Statement {
    if (!jumpsTo(st, label)) return st;
    const each = (x: syntax.Statement): syntax.Statement => this.with(x, label, made);
    switch (st.kind) {
      case "goto":
        return this.replacing(st, { ...made(), span: st.span });
      case "compound":
        return this.replacing(st, { ...st, statements: st.statements.map(each) });
      case "if":
        return this.replacing(st, { ...st, then: each(st.then), ...(st.else ? { else: each(st.else) } : {}) });
      case "switch":
        return this.replacing(st, { ...st, body: each(st.body) as syntax.CompoundStatement });
      case "while":
      case "do":
      case "for":
      case "range-for":
        return this.replacing(st, { ...st, body: each(st.body) });
      default:
        return st;
    }
  }

  /** Variables that are declared in what is jumped over, and named behind it: the jump leaves them without a value. */
  declaredBefore(
    over: readonly syntax.Statement[],
    rest: readonly syntax.Statement[],
  ): { readonly before: readonly syntax.Statement[]; readonly over: readonly syntax.Statement[] } {
    const before: syntax.Statement[] = [];
    const kept = over.flatMap((st, at): readonly syntax.Statement[] => {
      if (!declares(st)) return [st];
      const d = st.declaration;
      if (d.kind !== "variable") {
        this.checkMeaning(namesOf(d), over.slice(0, at), st.span);
        before.push(st);
        return [];
      }
      const plain = d.specifier?.kind === "named-type" && d.qualifiers.length === 0;
      const later = namesOf(d).filter((name) => mentions(rest, name));
      if (later.length === 0) {
        for (const x of d.declarators) if (x.name) this.within.add(x.name.span.start);
        return [st];
      }
      this.checkMeaning(namesOf(d), over.slice(0, at), st.span);
      const given = d.declarators.flatMap((x): syntax.Statement[] => {
        const init = x.initializer;
        if (!plain || !x.name || (init && (init.form !== "assign" || init.value.kind === "initializer-list"))) {
          notYet(this.s, `goto over the declaration of '${later[0]!}', which is used behind its label, is`, x.span);
          return [];
        }
        if (!init) return [];
        const { span } = x;
        const value: syntax.Expression = { kind: "assignment", operator: "=", target: x.name, value: init.value, span };
        return [{ kind: "expression-statement", expression: value, span }];
      });
      const declarators = d.declarators.map(({ initializer: _initializer, ...x }) => x);
      before.push(this.replacing(st, { ...st, declaration: { ...d, declarators } }));
      return given;
    });
    return { before, over: kept };
  }

  /** What is declared earlier than the source has it must not take the names of what is named in between. */
  private checkMeaning(names: readonly string[], between: readonly syntax.Statement[], span: Span): void {
    const taken = names.find((name) => mentions(between, name));
    if (taken !== undefined)
      notYet(
        this.s,
        `goto over the declaration of '${taken}', before which the name is that of something else, is`,
        span,
      );
  }

  private declareFlag({ label, name, span }: Flag): void {
    const v = newVariable(this.s, {
      name: label.replace(/ \d+$/, "").replaceAll(" ", "_"),
      type: bool,
      space: "private",
      role: "local",
      constant: false,
      span: noSpan,
    });
    declareName(this.s, name, { kind: "variable", variable: v.id, span });
    this.before.push(declare(v.id, boolLiteral(false, span), span));
  }

  private replacing<T extends syntax.Statement>(st: syntax.Statement, made: T): T {
    this.s.trivia.standFor(made, st);
    return made;
  }
}

/** The variable that says that a jump was taken; no name of the source is like its own. */
interface Flag {
  readonly label: string;
  readonly name: string;
  readonly span: syntax.LabelStatement["span"];
  used: boolean;
}

const flagName = ({ name, span }: Flag): syntax.Identifier => ({ kind: "identifier", name, path: [], span });

function noted(flag: Flag): syntax.Statement {
  const { span } = flag;
  const yes: syntax.Expression = { kind: "literal", form: "boolean", text: "true", span };
  const expression: syntax.Expression = { kind: "assignment", operator: "=", target: flagName(flag), value: yes, span };
  return { kind: "expression-statement", expression, span };
}

function ifNot(flag: Flag, statements: readonly syntax.Statement[]): syntax.Statement {
  const span = { start: statements[0]!.span.start, end: statements.at(-1)!.span.end };
  const condition: syntax.Expression = { kind: "unary", operator: "!", operand: flagName(flag), span };
  return { kind: "if", condition, then: { kind: "compound", statements, span }, span };
}

type ExitKind = "break" | "continue";

/** What follows is not reached. */
const neverEnds = (st: syntax.Statement): boolean =>
  st.kind === "goto" ||
  st.kind === "return" ||
  (st.kind === "compound" && st.statements.length > 0 && neverEnds(st.statements.at(-1)!));

/** Whether `break` in it leaves it, and not what is around. */
const isLeft = (st: syntax.Statement): boolean =>
  st.kind === "switch" || st.kind === "while" || st.kind === "do" || st.kind === "for" || st.kind === "range-for";

const declares = (st: syntax.Statement): st is syntax.DeclarationStatement => st.kind === "declaration-statement";

/** The labels that a statement jumps to. */
export const targetsOf = (st: syntax.Statement): readonly string[] =>
  st.kind === "goto" ? [st.label] : partsOf(st).flatMap(targetsOf);

/**
 * A variable that is declared in what is jumped over may be pointed to behind the label: it lives as long as the block in which
 * it was declared. `within`: where the names of such variables stand.
 */
export function outliving(s: Sema, list: readonly Statement[], within: ReadonlySet<number>): Statement[] {
  const inside = new Map<VarId, Declare>();
  const kept = new Set<VarId>();
  const pointedTo = (e: Expr | undefined): void => {
    if (e?.type.kind !== "pointer" && e?.type.kind !== "struct") return;
    walkExpr(e, {
      expr: (x) => {
        const root = x.kind === "address-of" ? rootVariable(x.place) : undefined;
        if (root !== undefined) kept.add(root);
      },
    });
  };
  for (const outer of list)
    walkStatement(outer, {
      statement: (st) => {
        if (st.kind !== "declare") return;
        pointedTo(st.initializer);
        const v = s.variables.get(st.variable)!;
        if (st !== outer && v.space === "private" && within.has(v.span.start)) inside.set(v.id, st);
      },
      expr: (e) => void (e.kind === "assign" && pointedTo(e.value)),
    });
  const moved = new Map([...inside].filter(([id]) => kept.has(id)));
  if (moved.size === 0) return [...list];
  const first: Statement[] = [];
  const given = new Map<VarId, readonly Statement[]>();
  for (const [id, { initializer, ...declared }] of moved) {
    const v = s.variables.get(id)!;
    if (!initializer || isConstant(initializer)) {
      first.push({ ...declared, ...(initializer ? { initializer } : {}) });
      given.set(id, []);
      continue;
    }
    const filled = filling(variablePlace(v, v.span), initializer, v.span);
    if (!filled) notYet(s, `goto over the declaration of '${v.name}', whose address is kept, is`, v.span);
    updateVariable(s, id, { constant: false });
    first.push(declared);
    given.set(id, filled?.map((e) => expressionStatement(e, v.span)) ?? []);
  }
  const own: Rewriter = { statement: (st) => (st.kind === "declare" ? (given.get(st.variable) ?? st) : st) };
  return [...first, ...rewriteStatements(list, own)];
}

/** Whether a value is made of numbers alone. */
function isConstant(e: Expr): boolean {
  let fine = true;
  walkExpr(e, { expr: (x) => void (fine &&= x.kind === "literal" || x.kind === "construct" || x.kind === "convert") });
  return fine;
}

/** Assignments that give a place what an initialiser gives it; arrays by their elements, since not all languages assign them. */
export function filling(place: Place, value: Expr, span: Span): readonly Expr[] | undefined {
  const { type } = place;
  if (type.kind !== "array") return [assign(place, value, span)];
  if (value.kind !== "construct" || value.arguments.length !== type.length) return undefined;
  const parts = value.arguments.map((x, i) => filling(element(place, i32Literal(i, span), span), x, span));
  return parts.every((x) => x !== undefined) ? parts.flat() : undefined;
}
