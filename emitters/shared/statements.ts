/** Statements, declarations, comments and blank lines of C-like targets. */
import { isOwnText } from "../../src/ast/lookup.js";
import type {
  Block,
  Declare,
  Expr,
  ExpressionStatement,
  FunctionDeclaration,
  Module,
  Statement,
  SwitchCase,
  Trivia,
  Variable,
  VarId,
} from "./tree.js";
import { noTrivia } from "../../src/ast/nodes.js";
import { contractionOf, type Contraction } from "../../src/ast/contraction.js";
import { precedence } from "../../src/ast/operators.js";
import { assertNever } from "../../src/support/assert-never.js";
import type { Comment } from "../../src/support/expanded-source.js";
import { isArrayOfPointers, shaped, type ScalarKind, type Type } from "../../src/types/types.js";
import { ExpressionPrinter, saysConst } from "./expressions.js";
import { memberAttributes, structAttributes } from "./alignments.js";
import { wrap } from "./text.js";
import { LineWriter } from "./line-writer.js";
import type { Names } from "./names.js";
import type { Syntax } from "./syntax.js";

/** A single statement follows its `if` or loop on the same line up to here. */
const sameLineLimit = 96;

export class StatementPrinter {
  readonly expressions: ExpressionPrinter;
  readonly out = new LineWriter();

  constructor(
    readonly module: Module,
    readonly syntax: Syntax,
    readonly names: Names,
  ) {
    const macros = new Map(
      module.order.flatMap((o) => (o.kind === "constant-macro" ? [[o.name, o.value.type] as const] : [])),
    );
    this.expressions = new ExpressionPrinter(module, syntax, names, macros);
  }

  variable(id: VarId): Variable {
    return this.expressions.variable(id);
  }

  // ---------------------------------------------------------------- trivia

  leading(trivia: Trivia): void {
    if (trivia.blankBefore) this.out.blank();
    for (const c of trivia.leading) {
      this.comment(c);
      if (c.gapAfter) this.out.blank();
    }
  }

  comment(c: Comment): void {
    const lines = c.text.split("\n");
    const [first, ...rest] = lines;
    if (c.kind === "line") {
      // Continued by a backslash: each line a comment of its own.
      this.out.comment(ended(first!));
      for (const l of rest) this.out.comment(ended(`// ${l.trim()}`));
      return;
    }
    this.out.comment(first!.trimEnd());
    for (const l of rest) this.out.comment(` ${l.trim()}`.replace(/^ (?!\*)/, "   ").trimEnd());
  }

  trailing(trivia: Trivia): void {
    for (const c of trivia.trailing) {
      if (c.text.includes("\n")) this.comment(c);
      else this.out.append(` ${c.kind === "line" ? ended(c.text) : c.text.trimEnd()}`);
    }
  }

  // ---------------------------------------------------------------- declarators

  /** `T name[2][3]`, with the words before the type. */
  declarator(words: readonly string[], type: Type, name: string): string {
    const { base, suffix } = this.expressions.arrays(type);
    const text = this.expressions.typeText(base);
    const declared = text.endsWith("*") ? `${text}${name}${suffix}` : `${text} ${name}${suffix}`;
    return [...words.filter((w) => w !== ""), declared].join(" ");
  }

  private localWords(v: Variable): string[] {
    const words: string[] = [];
    if (v.space === "workgroup") words.push(this.syntax.spaceWord("workgroup"));
    if (v.precise && this.syntax.preciseWord !== undefined) words.push(this.syntax.preciseWord);
    const volatile = this.volatile(v);
    if (volatile) words.push(volatile);
    if (v.constant && v.type.kind !== "pointer" && !isArrayOfPointers(v.type)) words.push("const");
    return words;
  }

  private initializer(e: Expr): string {
    return wrap(this.expressions.initializer(e), precedence.assignment);
  }

  private oneDeclaration(d: Declare): string {
    const v = this.variable(d.variable);
    const name = this.names.variable(d.variable);
    const start = this.declaredAs(v, name);
    return d.initializer ? `${start} = ${this.initializer(d.initializer)}` : start;
  }

  /** A variable with its type; pointers carry the star at the name, as C programmers write them. */
  declaredAs(v: Variable, name: string): string {
    if (v.type.kind === "pointer") return this.pointerDeclarator(v, v.type, name, v.constant ? "const " : "");
    // In front it would be of what they point to.
    const own = v.constant && isArrayOfPointers(v.type) ? "const " : "";
    return this.declarator(this.localWords(v), v.type, own + name);
  }

  /** `volatile`, of an object others see, or of a pointer to one. */
  protected volatile(v: Variable): string {
    const space = v.type.kind === "pointer" ? v.type.space : v.space;
    return v.volatile && space !== "private" ? "volatile" : "";
  }

  private pointerDeclarator(v: Variable, type: Type & { kind: "pointer" }, name: string, qualifier = ""): string {
    const space = this.syntax.spaceWord(type.space);
    const words = [space, saysConst(type) ? "const" : "", this.volatile(v)].filter((w) => w !== "");
    const { base, suffix } = this.expressions.arrays(type.pointee);
    const star = suffix === "" ? `*${qualifier}${name}` : `(*${qualifier}${name})${suffix}`;
    return [...words, this.expressions.typeText(base), star].join(" ");
  }

  /** Declarations that stood in one: `uint a = s[l], b = s[o]`. */
  private declarations(list: readonly Declare[]): string {
    const [first, ...rest] = list;
    const text = this.oneDeclaration(first!);
    return [
      text,
      ...rest.map((d) => {
        const v = this.variable(d.variable);
        const name = this.names.variable(d.variable);
        const declared =
          v.type.kind === "pointer"
            ? `*${v.constant ? "const " : ""}${name}`
            : name + this.expressions.arrays(v.type).suffix;
        return d.initializer ? `${declared} = ${this.initializer(d.initializer)}` : declared;
      }),
    ].join(", ");
  }

  /** Whether `b` can stand in the same declaration as `a`. */
  private joins(a: Declare, b: Statement | undefined): b is Declare {
    if (b?.kind !== "declare" || a.group === undefined || a.group !== b.group) return false;
    if (b.trivia.leading.length > 0 || b.trivia.blankBefore || a.trivia.trailing.length > 0) return false;
    const [va, vb] = [this.variable(a.variable), this.variable(b.variable)];
    // What stands behind the first name would be arrays of what is pointed to.
    if (isArrayOfPointers(va.type) || isArrayOfPointers(vb.type)) return false;
    const head = (v: Variable): string => {
      const type = v.type.kind === "pointer" ? v.type.pointee : this.expressions.arrays(v.type).base;
      const led = v.type.kind === "pointer" ? `p ${v.type.space} ${saysConst(v.type)} ${this.volatile(v)}` : "";
      return `${led} ${this.localWords(v).join(" ")} ${this.expressions.typeText(type)}`;
    };
    return head(va) === head(vb);
  }

  // ---------------------------------------------------------------- statements

  statements(list: readonly Statement[]): void {
    for (let i = 0; i < list.length; i++) {
      const s = list[i]!;
      if (s.kind !== "declare") {
        this.statement(s);
        continue;
      }
      const group: Declare[] = [s];
      while (this.joins(group.at(-1)!, list[i + 1])) group.push(list[++i] as Declare);
      this.leading(s.trivia);
      this.out.mark({ start: s.span.start, end: group.at(-1)!.span.end }, () =>
        this.out.line(`${this.declarations(group)};`),
      );
      for (const d of group) this.trailing(d.trivia);
    }
  }

  statement(s: Statement): void {
    this.leading(s.trivia);
    this.out.mark(s.span, () => this.statementText(s));
    if (s.kind !== "block") this.trailing(s.trivia);
  }

  private statementText(s: Statement): void {
    const { out, expressions } = this;
    switch (s.kind) {
      case "block":
        out.line("{");
        this.blockBody(s);
        out.line("}");
        return this.trailing(s.trivia);
      case "declare":
        return out.line(`${this.oneDeclaration(s)};`);
      case "expression":
        return out.line(`${expressions.discarded(s.expression)};`);
      case "if": {
        this.ifChain(s, "");
        return;
      }
      case "switch": {
        out.line(`switch (${expressions.text(s.value, "exact")}) {`);
        out.indent(() => s.cases.forEach((c) => this.switchCase(c)));
        return out.line("}");
      }
      case "for": {
        this.unroll(s.unroll);
        const init = this.forInitializer(s.initializer);
        const condition = s.condition ? ` ${expressions.text(s.condition, "condition")}` : "";
        const step = s.step ? ` ${expressions.discarded(s.step)}` : "";
        return this.withBody(`for (${init};${condition};${step})`, s.body);
      }
      case "while":
        this.unroll(s.unroll);
        return this.withBody(`while (${expressions.text(s.condition, "condition")})`, s.body);
      case "do-while": {
        this.unroll(s.unroll);
        this.withBody("do", s.body);
        const tail = `while (${expressions.text(s.condition, "condition")});`;
        return s.body.kind === "block" ? out.append(` ${tail}`) : out.line(tail);
      }
      case "break":
        return out.line("break;");
      case "continue":
        return out.line("continue;");
      case "return":
        return out.line(this.returned(s.value));
      case "native-barrier":
        for (const call of s.calls) out.line(`${call};`);
        return;
      default:
        return assertNever(s);
    }
  }

  private unroll(hint: boolean | number | undefined): void {
    if (hint === undefined) return;
    const text = this.syntax.unroll(hint);
    if (text) this.out.line(text);
  }

  private forInitializer(list: readonly (Declare | ExpressionStatement)[]): string {
    if (list.length === 0) return "";
    const declares = list.filter((d): d is Declare => d.kind === "declare");
    if (declares.length === list.length) return this.declarations(declares);
    if (declares.length > 0) throw new Error("declarations and expressions mixed in a for statement");
    const texts = list.map((s) => this.expressions.unused((s as ExpressionStatement).expression));
    return texts.length === 1 ? texts[0]!.text : texts.map((t) => wrap(t, precedence.assignment)).join(", ");
  }

  private ifChain(s: Statement & { kind: "if" }, before: string): void {
    const { out, expressions } = this;
    const head = `${before}if (${expressions.text(s.condition, "condition")})`;
    // `if (a) if (b) x; else y;` would bind the else to the inner if.
    const then = s.else && dangles(s.then) ? asBlock(s.then) : s.then;
    this.withBody(head, then);
    if (!s.else) return;
    const joined = then.kind === "block";
    if (s.else.kind === "if" && s.else.trivia.leading.length === 0) {
      if (joined) {
        out.reopen();
        return this.elseIf(s.else, " else ");
      }
      return this.ifChain(s.else, "else ");
    }
    if (joined && s.else.kind === "block") {
      out.append(" else {");
      this.blockBody(s.else);
      out.line("}");
      return this.trailing(s.else.trivia);
    }
    if (joined) {
      const single = this.sameLine(" else", s.else);
      if (single !== undefined) return out.append(single);
      out.append(" else");
      return out.indent(() => this.statement(s.else!));
    }
    this.withBody("else", s.else);
  }

  /** After `}`: the line is open. */
  private elseIf(s: Statement & { kind: "if" }, before: string): void {
    const { out, expressions } = this;
    const head = `${before}if (${expressions.text(s.condition, "condition")})`;
    const then = s.else && dangles(s.then) ? asBlock(s.then) : s.then;
    if (then.kind === "block") {
      out.append(`${head} {`);
      this.blockBody(then);
      out.line("}");
    } else {
      const single = this.sameLine(head, then);
      if (single !== undefined) out.append(single);
      else {
        out.append(head);
        out.indent(() => this.statement(then));
      }
    }
    if (!s.else) return this.trailing(s.trivia);
    if (s.else.kind === "if" && s.else.trivia.leading.length === 0) {
      if (then.kind === "block") {
        out.reopen();
        return this.elseIf(s.else, " else ");
      }
      return this.ifChain(s.else, "else ");
    }
    if (then.kind === "block" && s.else.kind === "block") {
      out.append(" else {");
      this.blockBody(s.else);
      return out.line("}");
    }
    this.withBody("else", s.else);
  }

  private withBody(head: string, body: Statement): void {
    const { out } = this;
    if (body.kind === "block") {
      this.leadingOfBody(body.trivia);
      out.line(`${head} {`);
      this.blockBody(body);
      out.line("}");
      return this.trailing(body.trivia);
    }
    const single = this.sameLine(head, body);
    if (single !== undefined) {
      const start = body.span;
      out.mark(start, () => out.line(single));
      return this.trailing(body.trivia);
    }
    out.line(head);
    out.indent(() => this.statement(body));
  }

  /** Comments between `)` and `{` go before the statement's head. */
  private leadingOfBody(trivia: Trivia): void {
    for (const c of trivia.leading) this.comment(c);
  }

  /** A simple statement on the line of its head, if it is short. */
  private sameLine(head: string, body: Statement): string | undefined {
    if (body.trivia.leading.length > 0 || body.trivia.below) return undefined;
    const { expressions } = this;
    let text: string;
    switch (body.kind) {
      case "expression":
        text = `${expressions.discarded(body.expression)};`;
        break;
      case "return":
        text = this.returned(body.value);
        break;
      case "break":
        text = "break;";
        break;
      case "continue":
        text = "continue;";
        break;
      default:
        return undefined;
    }
    const line = `${head} ${text}`;
    return line.length + this.out.column <= sameLineLimit ? line : undefined;
  }

  /** What holds where the text is printed, of a module that says it block by block. */
  private contraction: Contraction = "allowed";

  blockBody(b: Block): void {
    const outside = this.contraction;
    const wanted = this.module.contraction === "marked" ? contractionOf(b) : undefined;
    this.out.indent(() => {
      if (wanted && wanted !== outside && this.syntax.contraction) {
        this.out.line(this.syntax.contraction(wanted));
        this.contraction = wanted;
      }
      this.statements(b.statements);
      b.innerComments.forEach((c) => this.comment(c));
    });
    this.contraction = outside;
  }

  private switchCase(c: SwitchCase): void {
    this.leading(c.trivia);
    const [only] = c.body;
    // `case 2: {` where the author put the body in braces.
    const braced =
      c.body.length === 1 &&
      only?.kind === "block" &&
      only.trivia.leading.length === 0 &&
      c.trivia.trailing.length === 0
        ? only
        : undefined;
    c.labels.forEach((label, i) => {
      const text = label === "default" ? "default:" : `case ${this.expressions.label(label)}:`;
      this.out.line(braced && i + 1 === c.labels.length ? `${text} {` : text);
    });
    if (braced) {
      this.blockBody(braced);
      this.out.line("}");
      return this.trailing(braced.trivia);
    }
    this.trailing(c.trivia);
    this.out.indent(() => this.statements(c.body));
  }

  // ---------------------------------------------------------------- functions

  /** `spoken`: what is said of the parameters, by their place in the list, which stand on lines of their own then. */
  signature(head: string, parameters: readonly string[], tail: string, spoken?: ReadonlyMap<number, Trivia>): void {
    const { out } = this;
    if (!spoken || spoken.size === 0) return out.line(`${head}(${parameters.join(", ")})${tail}`);
    out.line(`${head}(`);
    out.indent(() =>
      out.indent(() => {
        for (const [i, parameter] of parameters.entries()) {
          const { leading, trailing } = spoken.get(i) ?? noTrivia;
          leading.forEach((c) => this.comment(c));
          out.line(i + 1 < parameters.length ? `${parameter},` : parameter);
          this.trailing({ ...noTrivia, trailing });
        }
      }),
    );
    const last = spoken.get(parameters.length - 1);
    if (last && last.trailing.length > 0) out.line(`)${tail}`);
    else out.append(`)${tail}`);
  }

  /** Of the function that is being printed. */
  private returnsReference = false;

  private returned(value: Expr | undefined): string {
    if (!value) return "return;";
    if (!this.returnsReference) return `return ${this.expressions.text(value, "return")};`;
    if (value.kind === "address-of") return `return ${this.expressions.place(value.place).text};`;
    const type = value.type.kind === "pointer" ? value.type.pointee : value.type;
    return `return ${this.expressions.place({ kind: "deref", pointer: value, type, span: value.span }).text};`;
  }

  /** Of the words of the table, `u32x4`, what the language calls these types. */
  private inOwnTypes(text: string): string {
    return text.replace(
      /\b(an? )?([iuf](?:8|16|32|64))(?:x([2-4]))?\b/g,
      (_, article?: string, kind = "", size?: string) => {
        const name = this.expressions.typeText(shaped(kind as ScalarKind, Number(size ?? 1)));
        return article === undefined ? name : `${name.startsWith("i") ? "an" : "a"} ${name}`;
      },
    );
  }

  /** A helper function. */
  helper(f: FunctionDeclaration, words = ""): void {
    this.leading(f.trivia);
    if (f.emulates) this.out.line(`// ${this.inOwnTypes(f.emulates)}`);
    this.out.mark(f.span, () => {
      this.returnsReference = this.expressions.places.returnsReference(f.id);
      const type = this.expressions.typeText(f.returnType);
      const name = this.names.function(f.id);
      // `int (*row(int (*of)[3]))[3]`: what stands behind the name of a variable stands behind the parameters.
      const [before, behind] = type.split("(*)") as [string, string?];
      const returned = this.returnsReference ? type.replace(/ ?\*$/, " &") : `${type} `;
      this.signature(
        words + (behind === undefined ? `${returned}${name}` : `${before}(*${name}`),
        f.parameters.map((p) => this.parameter(this.variable(p))),
        behind === undefined ? " {" : `)${behind} {`,
      );
      this.blockBody(f.body);
      this.out.line("}");
    });
    this.trailing(f.trivia);
  }

  parameter(v: Variable): string {
    const name = this.names.variable(v.id);
    const type = v.type;
    if (type.kind === "pointer") {
      const restrict = v.restrict && this.syntax.restrictWord !== undefined ? `${this.syntax.restrictWord} ` : "";
      return this.pointerDeclarator(v, type, name, `${v.constant ? "const " : ""}${restrict}`);
    }
    const constant = v.constant ? "const" : "";
    if (v.mode === "ref") {
      const space = this.syntax.spaceWord(v.space);
      const words = [space === "" ? "" : space, v.space === "constant" ? "" : constant, this.volatile(v)];
      if (type.kind === "array") {
        const { base, suffix } = this.expressions.arrays(type.element);
        const at = suffix === "" ? `*${name}` : `(*${name})${suffix}`;
        return [...words.filter((w) => w !== ""), this.expressions.typeText(base), at].join(" ");
      }
      return [
        ...words.filter((w) => w !== ""),
        this.expressions.typeText(type),
        this.syntax.references ? `&${name}` : `*${name}`,
      ].join(" ");
    }
    const mode =
      v.mode === "out" || v.mode === "inout"
        ? v.mode
        : v.mode === "in" && isOwnText(this.module, this.syntax.dialect)
          ? "in"
          : "";
    return this.declarator([constant, mode, v.precise ? "precise" : ""], type, name);
  }

  struct(name: string, member: (type: Type, name: string, member: string) => string): void {
    const s = this.module.structs.get(name);
    if (!s) throw new Error(`struct ${name} is not in the module`);
    const clang = this.syntax.placesMembers;
    this.leading(s.trivia);
    this.out.mark(s.span, () => {
      const isAnonymous = s.anonymous && this.expressions.hasAnonymousMembers;
      const aligned = clang ? structAttributes(s, this.module.structs) : "";
      this.out.line(`${s.union ? "union" : "struct"}${aligned} ${isAnonymous ? "" : `${this.names.struct(name)} `}{`);
      this.out.indent(() => {
        for (const m of s.members) {
          if (m.anonymous && m.type.kind === "struct" && this.expressions.hasAnonymousMembers) {
            this.struct(m.type.name, member);
            continue;
          }
          this.leading(m.trivia);
          const aligned = clang ? memberAttributes(s, m, this.module.structs) : "";
          this.out.line(`${member(m.type, this.names.member(name, m.name), m.name)}${aligned};`);
          this.trailing(m.trivia);
        }
        s.innerComments.forEach((c) => this.comment(c));
      });
      this.out.line("};");
    });
    this.trailing(s.trivia);
  }

  macro(item: { readonly name: string; readonly value: Expr; readonly trivia: Trivia }): void {
    this.leading(item.trivia);
    const value = this.expressions.initializer(item.value);
    this.out.line(`#define ${this.names.macro(item.name)} ${wrap(value, precedence.unary)}`);
    this.expressions.declareConstant({ macro: item.name });
    this.trailing(item.trivia);
  }

  end(): void {
    if (this.module.trailingComments.length > 0) this.out.blank();
    this.module.trailingComments.forEach((c) => this.comment(c));
  }
}

/** C++ and OpenCL C have no arrays of unknown size in structs: the one at the end of a buffer is declared with one element. */
export const withLength = (type: Type): Type =>
  type.kind === "array" && type.length === undefined ? { ...type, length: 1 } : type;

/** A line comment that takes no compiler into the next line: a backslash at its end would, and so would `??/` in C. */
function ended(text: string): string {
  return text.replace(/(?:\s|\\|\?\?\/)+$/, "");
}

/** Whether the statement ends in an `if` without `else`. */
function dangles(s: Statement): boolean {
  switch (s.kind) {
    case "if":
      return s.else ? dangles(s.else) : true;
    case "for":
    case "while":
      return dangles(s.body);
    default:
      return false;
  }
}

function asBlock(s: Statement): Block {
  return {
    kind: "block",
    statements: [s],
    span: s.span,
    trivia: { leading: [], trailing: [], blankBefore: false },
    innerComments: [],
  };
}
