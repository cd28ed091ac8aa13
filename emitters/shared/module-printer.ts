/** The top level of a C-like module: the order of the source, with what each target says at each kind of declaration. */
import { isOwnText } from "../../src/ast/lookup.js";
import type { EntryPoint, FunctionDeclaration, Module, Resource, TopLevel, Trivia, Variable, VarId } from "./tree.js";
import { literal } from "../../src/ast/builders.js";
import { assertNever } from "../../src/support/assert-never.js";
import { bitWidth, type Type } from "../../src/types/types.js";
import type { Printed } from "./line-writer.js";
import type { Names } from "./names.js";
import { literalFits } from "./rules.js";
import { StatementPrinter } from "./statements.js";
import type { Syntax } from "./syntax.js";

export abstract class ModulePrinter extends StatementPrinter {
  protected readonly resources: ReadonlyMap<VarId, Resource>;
  private readonly functions: ReadonlyMap<number, FunctionDeclaration>;
  private readonly entries: ReadonlyMap<number, EntryPoint>;

  constructor(module: Module, syntax: Syntax, names: Names) {
    super(module, syntax, names);
    this.resources = new Map(module.resources.map((r) => [r.variable, r]));
    this.functions = new Map(module.functions.map((f) => [f.id, f]));
    this.entries = new Map(module.entries.map((e) => [e.function, e]));
  }

  protected abstract entry(f: FunctionDeclaration, entry: EntryPoint): void;
  /** A resource that stands at file scope in the target. */
  protected abstract fileResource(r: Resource): void;
  /** Words before the type of a file-scope constant or variable. */
  protected abstract globalWords(v: Variable): readonly string[];

  protected structMember(_struct: string, type: Type, name: string, _member: string): string {
    return this.declarator([], type, name);
  }

  protected skipStruct(_name: string): boolean {
    return false;
  }

  /** What is said of the arguments of a kernel that is a function of them, by their place. */
  protected spokenOf(resources: readonly VarId[]): ReadonlyMap<number, Trivia> {
    return new Map(
      resources.flatMap((id, i) => {
        const { trivia } = this.variable(id);
        return trivia && trivia.leading.length + trivia.trailing.length > 0 ? [[i, trivia] as const] : [];
      }),
    );
  }

  protected functionOf(id: number): FunctionDeclaration {
    const f = this.functions.get(id);
    if (!f) throw new Error(`function ${id} is not in the module`);
    return f;
  }

  /** The file's own comment; an empty line on both sides. */
  protected header(): void {
    const { header } = this.module;
    if (!header) return;
    this.out.blank();
    this.leading({ leading: header, trailing: [], blankBefore: false });
    this.out.blank();
  }

  /** Everything after the preamble. */
  protected rest(): Printed {
    const { order } = this.module;
    if (order.length > 0) this.out.blank();
    const own = isOwnText(this.module, this.syntax.dialect);
    order.forEach((item, i) => {
      // Types, constants and the interface stand apart, unless the author laid the file out.
      const before = order[i - 1];
      if (!own && before && this.sort(before) !== this.sort(item)) this.out.blank();
      this.topLevel(item);
    });
    this.end();
    return this.out.finish();
  }

  private sort(item: TopLevel): "type" | "macro" | "constant" | "interface" | "function" {
    switch (item.kind) {
      case "struct":
        return "type";
      case "enum":
      case "variable":
        return item.kind === "enum" || this.variable(item.variable).constant ? "constant" : "interface";
      case "resource":
        return this.resources.get(item.variable)?.kind === "specialization" ? "constant" : "interface";
      case "function":
        return "function";
      case "constant-macro":
        return "macro";
      default:
        return assertNever(item);
    }
  }

  protected topLevel(item: TopLevel): void {
    switch (item.kind) {
      case "struct":
        if (this.skipStruct(item.name)) return;
        if (this.module.structs.get(item.name)?.anonymous && this.expressions.hasAnonymousMembers) return;
        return this.struct(item.name, (type, name, member) => this.structMember(item.name, type, name, member));
      case "enum":
        return this.enumeration(item.index);
      case "variable":
        return this.globalVariable(this.variable(item.variable));
      case "resource": {
        const r = this.resources.get(item.variable);
        if (r) this.fileResource(r);
        return;
      }
      case "function": {
        const f = this.functionOf(item.function);
        // A blank line before each function, unless the text is the source's own dialect laid out by its author.
        if (!isOwnText(this.module, this.syntax.dialect)) this.out.blank();
        const entry = this.entries.get(f.id);
        return entry ? this.entry(f, entry) : this.helperFunction(f);
      }
      case "constant-macro":
        return this.macro(item);
      default:
        return assertNever(item);
    }
  }

  protected helperFunction(f: FunctionDeclaration): void {
    this.helper(f);
  }

  protected globalVariable(v: Variable): void {
    if (v.trivia) this.leading(v.trivia);
    const value = v.initializer ? ` = ${this.expressions.initializer(v.initializer).text}` : "";
    this.out.mark(v.span, () =>
      this.out.line(`${this.declarator(this.globalWords(v), v.type, this.names.variable(v.id))}${value};`),
    );
    if (v.trivia) this.trailing(v.trivia);
    const { narrowLengths = true } = this.syntax;
    const writesLengths = narrowLengths || (v.type.kind === "scalar" && bitWidth(v.type.scalar) === 32);
    if (v.compileTime && v.type.kind === "scalar" && writesLengths)
      this.expressions.declareConstant({ variable: v.id });
  }

  /** What stands between the name of an enumeration and its list. */
  protected underlying(_e: Module["enums"][number]): string {
    return "";
  }

  /** As C writes it. */
  protected enumeration(index: number): void {
    const e = this.module.enums[index]!;
    const name = this.names.enum(index);
    const value = (n: number | bigint): string =>
      typeof n === "number" || literalFits(n, "i32") ? String(n) : this.syntax.literal(literal(e.type.scalar, n)).text;
    this.leading(e.trivia);
    this.out.mark(e.span, () => {
      this.out.line(`enum ${name ? `${name} ` : ""}${this.underlying(e)}{`);
      this.out.indent(() =>
        e.enumerators.forEach((x) => {
          this.leading(x.trivia);
          this.out.line(`${this.names.enumerator(index, x.name)}${x.explicit ? ` = ${value(x.value)}` : ""},`);
          this.expressions.declareConstant({ enum: index, enumerator: x.name });
          this.trailing(x.trivia);
        }),
      );
      this.out.line("};");
    });
    this.trailing(e.trivia);
  }

  /** As a constant per enumerator, where the target has no enumerations. */
  protected enumerationAsConstants(index: number, words: readonly string[]): void {
    const e = this.module.enums[index]!;
    this.leading(e.trivia);
    for (const x of e.enumerators) {
      this.leading(x.trivia);
      const value = this.syntax.literal({ kind: "literal", type: e.type, value: x.value, span: e.span });
      this.out.line(`${this.declarator(words, e.type, this.names.enumerator(index, x.name))} = ${value.text};`);
      this.expressions.declareConstant({ enum: index, enumerator: x.name });
      this.trailing(x.trivia);
    }
    this.trailing(e.trivia);
  }
}
