/**
 * The text form of a tree, which `read-tree.ts` reads back: for debugging and for the tests of single passes. It holds what
 * the tree means and what passes look at; left out are spans, comments, parentheses of the source and other layout.
 *
 *     module glsl contraction=allowed
 *     resource x: f32[] buffer readwrite path="x" file with {"slot":{"number":0}}
 *     fn half_of(v: f32) -> f32 {
 *       return v * 0.5f32;
 *     }
 *     entry main(x) size 64x1x1 {
 *       let i: u32 = @global_id.x;
 *       x[i] = half_of(x[i]) + subgroup.add<f32>(x[i]);
 *     }
 *
 * A place in the place of a value is a load. `(e).x`, `(e)[i]` take a value apart, `e.x`, `e[i]` a place. `to<T>(e)`
 * converts; `to!<T>(e)` where the source wrote it. After an apostrophe stands what else a node knows: `'made` of an operator
 * that is not the source's, `'contracts` on one that may be contracted, `'edges` and the like of what is relied on (`ExprBase.relies`), `'within:0+2,3+1` or `'moved:` (`ExprBase.within`), `'macro:N`, `'text:0x1f`.
 * Variables and functions of one name are told apart as `v`, `v#2`.
 */
import { assertNever } from "../../support/assert-never.js";
import { isEvent, type PointerType, type Type } from "../../types/types.js";
import type {
  Barrier,
  BinaryOperator,
  Expr,
  FunctionDeclaration,
  FunctionId,
  Literal,
  Module,
  OpCall,
  Place,
  Resource,
  Stage,
  Statement,
  TopLevel,
  Unary,
  UnrollHint,
  Variable,
  VarId,
} from "../nodes.js";
import { showObjects } from "../lookup.js";
import type { NativeCall } from "../target.js";
import { operatorToken } from "../operators.js";
import { walkModule, walkStatement } from "../walk.js";

export interface Naming {
  variable(id: VarId): string;
  fn(id: FunctionId): string;
  type(t: Type): string;
}

export interface PrintOptions {
  /** What the author wrote and what translations made look the same: conversions, marks of nodes. */
  readonly meaningOnly?: boolean;
}

const unaryToken: Readonly<Record<Unary["operator"], string>> = { negate: "-", not: "!", complement: "~", plus: "+" };

/** What a pointer is in the source besides one, in angle brackets; `space` of what it points to comes before. */
function showPointed({ object, block, reference }: Pick<PointerType, "object" | "block" | "reference">): string {
  if (object !== undefined) return `<${object}>`;
  if (block) return `<${block.whole ? "whole " : ""}block ${block.name}>`;
  return reference ? "<reference>" : "";
}

function showTreeType(t: Type): string {
  switch (t.kind) {
    case "void":
      return "void";
    case "scalar":
      if (isEvent(t)) return "event";
      return `${t.minimum ? "min " : ""}${t.size ? "size " : ""}${t.scalar}`;
    case "vector":
      return `${t.minimum ? "min " : ""}${t.packed ? "packed " : ""}${t.scalar}x${t.size}`;
    case "matrix":
      return `${t.minimum ? "min " : ""}${t.scalar}m${t.columns}x${t.rows}`;
    case "array":
      return `${showTreeType(t.element)}[${t.length ?? ""}]`;
    case "struct":
      return `${t.union ? "union" : "struct"} ${quoted(t.name)}`;
    case "pointer":
      return `${t.space} ${t.readOnly ? "const " : ""}${showTreeType(t.pointee)}*${showPointed(t)}`;
    default:
      return assertNever(t);
  }
}

/** Names that would be read as something else stand in backquotes. */
function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !treeWords.has(name) ? name : `\`${name}\``;
}

/** Words the reader takes for something else than a name where a name could stand. */
const treeWords: ReadonlySet<string> = new Set([
  ..."address and atomic barrier break case const constant continue default do else enum false for global if in inout length let".split(
    " ",
  ),
  ..."native null out precise private raw ref restrict return struct switch true var volatile while workgroup".split(
    " ",
  ),
]);

/** Components of a swizzle: `xyzw`, and `s` with hexadecimal digits where one is beyond the fourth. */
const showComponents = (components: readonly number[]): string =>
  components.every((c) => c < 4)
    ? components.map((c) => "xyzw"[c]).join("")
    : `s${components.map((c) => c.toString(16)).join("")}`;

export class ExpressionPrinter {
  constructor(
    protected readonly names: Naming,
    protected readonly options: PrintOptions = {},
  ) {}

  /** As it stands where nothing binds to it: operators without parentheses. */
  open(e: Expr<Stage>): string {
    const bare = this.bare(e);
    return bare !== undefined && e.kind !== "comma" && this.marks(e) === "" ? bare : this.expr(e);
  }

  expr(e: Expr<Stage>): string {
    const bare = this.bare(e);
    return `${bare === undefined ? this.closed(e) : `(${bare})`}${this.marks(e)}`;
  }

  private marks(e: Expr<Stage>): string {
    const contracts = (e.kind === "binary" || e.kind === "assign") && e.contracts ? "'contracts" : "";
    return contracts + this.marksOfWriting(e);
  }

  private marksOfWriting(e: Expr<Stage>): string {
    if (this.options.meaningOnly) return "";
    const made = (e.kind === "binary" || e.kind === "logical") && e.grouped === undefined ? "'made" : "";
    const text = e.kind === "literal" && e.text !== undefined && e.text !== digits(e) ? `'text:${e.text}` : "";
    const within = e.within ? `'${e.within.moved ? "moved" : "within"}:${showObjects(e.within)}` : "";
    return `${made}${e.relies ? `'${e.relies}` : ""}${within}${text}${e.macro ? `'macro:${e.macro.name}` : ""}`;
  }

  /** So that `-(2f32)` is not read as the number -2. */
  private negated(operand: Expr<Stage>): string {
    const text = this.expr(operand);
    return operand.kind === "literal" ? `(${text})` : text;
  }

  /** What needs parentheses around it inside another expression. */
  private bare(e: Expr<Stage>): string | undefined {
    switch (e.kind) {
      case "unary":
        return `${unaryToken[e.operator]}${this.negated(e.operand)}`;
      case "binary":
        return `${this.expr(e.left)} ${operatorToken[e.operator]} ${this.expr(e.right)}`;
      case "logical":
        return `${this.expr(e.left)} ${e.operator === "and" ? "&&" : "||"} ${this.expr(e.right)}`;
      case "conditional":
        return `${this.expr(e.condition)} ? ${this.expr(e.whenTrue)} : ${this.expr(e.whenFalse)}`;
      case "assign": {
        const operator: BinaryOperator | undefined = e.operator;
        const compute = e.compute ? ` in ${this.names.type(e.compute)}` : "";
        const value = e.compute ? this.expr(e.value) : this.open(e.value);
        return `${this.place(e.target)} ${operator ? operatorToken[operator] : ""}= ${value}${compute}`;
      }
      case "increment": {
        const sign = e.delta > 0 ? "++" : "--";
        return e.prefix ? `${sign}${this.place(e.place)}` : `${this.place(e.place)}${sign}`;
      }
      case "comma":
        return `${this.expr(e.left)}, ${this.expr(e.right)}`;
      case "address-of": {
        const { space, readOnly, ...rest }: Partial<PointerType> =
          e.type.kind === "pointer" ? e.type : { space: "private" };
        const pointed = showPointed(rest);
        return `&${space} ${readOnly ? "const " : ""}${pointed}${pointed ? " " : ""}${this.place(e.place)}`;
      }
      case "pointer-offset":
        return `${this.expr(e.pointer)} +> ${this.expr(e.offset)}`;
      default:
        return undefined;
    }
  }

  private closed(e: Expr<Stage>): string {
    const { names } = this;
    const written = (explicit: boolean): string => (explicit && !this.options.meaningOnly ? "!" : "");
    switch (e.kind) {
      case "literal":
        return typeof e.value === "boolean"
          ? String(e.value)
          : `${digits(e)}${e.type.minimum ? "min" : ""}${isEvent(e.type) ? "event" : e.type.scalar}`;
      case "enumerator":
        return this.options.meaningOnly ? `${e.value}${names.type(e.type)}` : `enum(${e.enum}.${quoted(e.name)})`;
      case "builtin":
        return `@${e.builtin}`;
      case "load":
        return this.place(e.place);
      case "length":
        return `length(${this.place(e.place)})`;
      case "convert":
        return `to${written(e.explicit)}<${names.type(e.type)}>(${this.open(e.operand)})`;
      case "bitcast":
        return `bits${e.volatile ? "!" : ""}<${names.type(e.type)}>(${this.open(e.operand)})`;
      case "splat":
        return `splat${written(e.explicit)}<${names.type(e.type)}>(${this.open(e.operand)})`;
      case "construct":
        return `make<${names.type(e.type)}>${e.member === undefined ? "" : `[${quoted(e.member)}]`}(${this.list(e.arguments)})`;
      case "print":
        return `print ${JSON.stringify(e.format)}(${this.list(e.arguments)})`;
      case "swizzle-value":
        return `${this.taken(e.operand)}.${showComponents(e.components)}`;
      case "element-value":
        return `${this.taken(e.operand)}[${this.open(e.index)}]`;
      case "member-value":
        return `${this.taken(e.operand)}.${quoted(e.member)}`;
      case "op":
        return this.op(e);
      case "call": {
        const args = e.arguments.map((a) =>
          a.mode === "value" ? this.open(a.value) : `${a.mode} ${this.place(a.place)}`,
        );
        return `${names.fn(e.function)}(${args.join(", ")})`;
      }
      case "null-pointer":
        return `null<${names.type(e.type)}>`;
      case "native-call":
        return this.native(e);
      case "raw-load":
        return `raw<${names.type(e.type)}>(${names.variable(e.buffer)}[${this.open(e.address)}])`;
      case "raw-store":
        return `raw(${names.variable(e.buffer)}[${this.open(e.address)}], ${e.words}, ${this.open(e.value)})`;
      case "unary":
      case "binary":
      case "logical":
      case "conditional":
      case "assign":
      case "increment":
      case "comma":
      case "address-of":
      case "pointer-offset":
        throw new Error(`${e.kind} stands in parentheses`);
      default:
        return assertNever(e);
    }
  }

  private op(e: OpCall<Stage>): string {
    const { meaningOnly } = this.options;
    const facts = [
      e.order && !(meaningOnly && e.order === "relaxed") ? `order=${e.order}` : "",
      ...(meaningOnly ? [] : this.callFacts(e)),
    ].filter(Boolean);
    const places = e.places.map((p) => `&${this.place(p)}`);
    const args = [...places, ...e.arguments.map((a) => this.open(a))];
    return `${e.op}<${this.names.type(e.type)}>${facts.length ? `[${facts.join(" ")}]` : ""}(${args.join(", ")})`;
  }

  private callFacts(e: OpCall<Stage>): readonly string[] {
    return [
      e.failureOrder ? `failure=${e.failureOrder}` : "",
      e.scope ? `scope=${e.scope}` : "",
      e.memory
        ? `memory=${[e.memory.workgroup && "w", e.memory.global && "g", e.memory.image && "i"].filter(Boolean).join("") || "none"}`
        : "",
      e.precondition ? `precondition=${e.precondition}` : "",
      e.plainly ? "plainly" : "",
    ];
  }

  /** The spelling as JSON, types in it as text. */
  private native(e: NativeCall<Stage>): string {
    const { names } = this;
    const spelling = JSON.stringify({ ...e.spelling, requires: e.requires }, (_key, value: unknown) =>
      isType(value) ? names.type(value) : value,
    );
    const args = [...e.places.map((p) => `&${this.place(p)}`), ...e.arguments.map((a) => this.open(a))];
    return `native<${names.type(e.type)}>${spelling}(${args.join(", ")})`;
  }

  place(p: Place<Stage>): string {
    switch (p.kind) {
      case "variable":
        return this.names.variable(p.variable);
      case "deref":
        return `(*${this.expr(p.pointer)})`;
      case "element":
        return `${this.place(p.base)}[${this.open(p.index)}]`;
      case "member":
        return `${this.place(p.base)}.${quoted(p.member)}`;
      case "swizzle":
        return `${this.place(p.base)}.${showComponents(p.components)}`;
      case "view":
        return `view<${this.names.type(p.type)}>(${this.place(p.base)}, ${this.open(p.offset)})`;
      case "raw-word":
        return `raw(${this.names.variable(p.buffer)}[${this.open(p.address)}])`;
      default:
        return assertNever(p);
    }
  }

  private list(items: readonly Expr<Stage>[]): string {
    return items.map((i) => this.open(i)).join(", ");
  }

  /** What a value is taken out of: in parentheses where it would be read as a place. */
  private taken(e: Expr<Stage>): string {
    return e.kind === "load" ? `(${this.expr(e)})` : this.expr(e);
  }
}

function isType(value: unknown): value is Type {
  const kinds = ["void", "scalar", "vector", "matrix", "array", "struct", "pointer"];
  return typeof value === "object" && value !== null && "kind" in value && kinds.includes(value.kind as string);
}

function digits({ value }: Literal): string {
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "number" || Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "nan_" : value > 0 ? "inf_" : "-inf_";
}

/** What is said of a variable before its name; `space` is left out where it is the usual one of its role. */
function variableFacts(v: Variable<Stage>, usual: Variable["space"], module?: Module<Stage>): string {
  return [
    module?.legal?.atomicVariables.has(v.id) ? "atomic" : "",
    v.space === usual ? "" : v.space,
    v.volatile ? "volatile" : "",
    v.restrict ? "restrict" : "",
    v.precise ? "precise" : "",
  ]
    .filter(Boolean)
    .map((word) => `${word} `)
    .join("");
}

/** Statements, a line each. */
export class StatementPrinter extends ExpressionPrinter {
  readonly lines: string[] = [];

  constructor(
    private readonly module: Module<Stage>,
    names: Naming,
    options: PrintOptions = {},
  ) {
    super(names, options);
  }

  line(indent: string, text: string): void {
    this.lines.push(indent + text);
  }

  private unroll(hint: UnrollHint | undefined): string {
    return hint === undefined || this.options.meaningOnly ? "" : ` unroll=${String(hint)}`;
  }

  private body(s: Statement<Stage>, indent: string): void {
    for (const x of s.kind === "block" ? s.statements : [s]) this.statement(x, `${indent}  `);
  }

  declaration(id: VarId, initializer: Expr<Stage> | undefined): string {
    const v = this.module.variables.get(id)!;
    const value = initializer ? ` = ${this.open(initializer)}` : "";
    if (this.options.meaningOnly) return `var ${this.names.variable(id)}: ${this.names.type(v.type)}${value}`;
    const word = v.compileTime ? "const" : v.constant ? "let" : "var";
    return `${variableFacts(v, "private", this.module)}${word} ${this.names.variable(id)}: ${this.names.type(v.type)}${value}`;
  }

  statement(s: Statement<Stage>, indent: string): void {
    switch (s.kind) {
      case "block":
        this.line(indent, "{");
        this.body(s, indent);
        return this.line(indent, "}");
      case "declare":
        return this.line(indent, `${this.declaration(s.variable, s.initializer)};`);
      case "expression":
        return this.line(indent, `${this.open(s.expression)};`);
      case "if":
        this.line(indent, `if (${this.open(s.condition)}) {`);
        this.body(s.then, indent);
        if (s.else) {
          this.line(indent, "} else {");
          this.body(s.else, indent);
        }
        return this.line(indent, "}");
      case "switch":
        this.line(indent, `switch (${this.open(s.value)}) {`);
        for (const c of s.cases) {
          const labels = c.labels.map((l) => (l === "default" ? l : this.open(l)));
          this.line(indent, `  case ${labels.join(", ")}:`);
          for (const x of c.body) this.statement(x, `${indent}    `);
        }
        return this.line(indent, "}");
      case "for": {
        const first = s.initializer.map((i) =>
          i.kind === "declare" ? this.declaration(i.variable, i.initializer) : this.open(i.expression),
        );
        const condition = s.condition ? ` ${this.open(s.condition)}` : "";
        const step = s.step ? ` ${this.open(s.step)}` : "";
        this.line(indent, `for (${first.join(" and ")};${condition};${step})${this.unroll(s.unroll)} {`);
        this.body(s.body, indent);
        return this.line(indent, "}");
      }
      case "while":
        this.line(indent, `while (${this.open(s.condition)})${this.unroll(s.unroll)} {`);
        this.body(s.body, indent);
        return this.line(indent, "}");
      case "do-while":
        this.line(indent, "do {");
        this.body(s.body, indent);
        return this.line(indent, `} while (${this.open(s.condition)})${this.unroll(s.unroll)};`);
      case "return":
        return this.line(indent, s.value ? `return ${this.open(s.value)};` : "return;");
      case "break":
      case "continue":
        return this.line(indent, `${s.kind};`);
      case "barrier":
        return this.line(
          indent,
          `barrier ${barrierFacts(s, this.names)}${this.options.meaningOnly ? "" : barrierNotes(s)};`,
        );
      case "native-barrier":
        return this.line(indent, `native barrier ${JSON.stringify({ calls: s.calls, requires: s.requires })};`);
      default:
        return assertNever(s);
    }
  }
}

function barrierFacts({ barrier }: Barrier, names: Naming): string {
  const { execution, memory, scope, order, buffers } = barrier;
  const alone = buffers ? ` buffers=${buffers.map((b) => names.variable(b)).join("+")}` : "";
  const fenced = (["workgroup", "global", "image"] as const).filter((m) => memory[m]);
  return `execution=${execution} memory=${fenced.join("+") || "none"} scope=${scope} order=${order}${alone}`;
}

/** Known of a barrier besides its meaning. */
const barrierNotes = ({ uniform, compiled }: Barrier): string =>
  `${uniform ? " uniform" : ""}${compiled ? ` compiled=${JSON.stringify(compiled)}` : ""}`;

/** The whole module; two modules whose texts are the same are the same but for layout. */
export function printTree(module: Module<Stage>, options: PrintOptions = {}): string {
  return new TreePrinter(module, options).run();
}

class TreePrinter {
  private readonly out: StatementPrinter;
  private readonly names: Naming;

  constructor(
    private readonly module: Module<Stage>,
    options: PrintOptions,
  ) {
    this.names = sourceNames(module);
    this.out = new StatementPrinter(module, this.names, options);
  }

  private line(text: string): void {
    this.out.line("", text);
  }

  run(): string {
    const { module, names, out } = this;
    this.line(
      `module ${module.dialect}${module.stage === "target" ? " target" : ""} contraction=${module.contraction}${module.specialNumbers ? ` special-numbers=${module.specialNumbers.join(",")}` : ""}`,
    );
    for (const s of module.structs.values()) {
      const members = s.members.map(
        (m) =>
          `${m.gap ? "gap " : ""}${m.address ? `address ${names.type(m.address)} ` : ""}${m.anonymous ? "anonymous " : ""}${quoted(m.name)}: ${m.align === undefined ? "" : `align ${m.align} `}${names.type(m.type)}`,
      );
      const words = `${s.anonymous ? "anonymous " : ""}${s.subgroupMatrix ? "matrix " : ""}${s.union ? "union" : "struct"}`;
      const aligned = s.align === undefined ? "" : `align ${s.align} `;
      this.line(`${words} ${quoted(s.name)} ${aligned}{ ${members.join("; ")} }`);
    }
    for (const e of module.enums) {
      const members = e.enumerators.map((m) => `${quoted(m.name)} ${m.explicit ? "=" : "at"} ${m.value}`);
      this.line(
        `enum ${e.name === undefined ? "" : `${quoted(e.name)}`}: ${names.type(e.type)} { ${members.join("; ")} }`,
      );
    }
    for (const item of module.order)
      if (item.kind === "constant-macro") this.line(`macro ${quoted(item.name)} = ${out.open(item.value)};`);
    for (const r of module.resources) this.resource(r);
    for (const v of module.variables.values())
      if (v.role === "global") this.line(`${out.declaration(v.id, v.initializer)};`);
    this.order();
    this.legal();
    for (const f of module.functions) this.fn(f);
    return `${out.lines.join("\n")}\n`;
  }

  private resource(r: Resource<Stage>): void {
    const { names, out, module } = this;
    const v = module.variables.get(r.variable)!;
    const file = module.order.some((o) => o.kind === "resource" && o.variable === r.variable);
    const { variable: _v, kind: _k, access: _a, path: _p, defaultValue, gathered, givenIf, pointerIn, ...rest } = r;
    const usual = r.kind === "workgroup-sized-at-launch" ? "workgroup" : r.kind === "buffer" ? "global" : "constant";
    this.line(
      [
        `${variableFacts(v, usual, module)}resource ${names.variable(v.id)}: ${names.type(v.type)} ${r.kind} ${r.access}`,
        v.constant ? "constant" : "",
        `path=${JSON.stringify(r.path)}`,
        file ? "file" : "",
        givenIf === undefined ? "" : `given-if ${names.variable(givenIf)}`,
        defaultValue ? `default=${out.expr(defaultValue)}` : "",
        pointerIn ? this.pointerIn(pointerIn) : "",
        gathered ? `gathers ${gathered.map((g) => JSON.stringify(g.path)).join(" ")}` : "",
        Object.keys(rest).length > 0 ? `with ${JSON.stringify(rest)}` : "",
      ]
        .filter(Boolean)
        .join(" "),
    );
  }

  /** Where the host writes the address of a buffer: in which resource, and the rest as JSON. */
  private pointerIn({ resource, ...rest }: NonNullable<Resource["pointerIn"]>): string {
    return `address ${resource === undefined ? "" : `in ${this.names.variable(resource)} `}${JSON.stringify(rest)}`;
  }

  /** Where it is not the usual one. */
  private order(): void {
    const { module } = this;
    const actual = module.order.map((o) => this.topLevel(o));
    if (
      actual.join() !==
      usualOrder(module)
        .map((o) => this.topLevel(o))
        .join()
    )
      this.line(`order ${actual.join(", ")}`);
  }

  private topLevel(o: TopLevel<Stage>): string {
    switch (o.kind) {
      case "struct":
        return `struct ${quoted(o.name)}`;
      case "enum":
        return `enum ${o.index}`;
      case "variable":
        return this.names.variable(o.variable);
      case "resource":
        return `resource ${this.names.variable(o.variable)}`;
      case "function":
        return `fn ${this.names.fn(o.function)}`;
      case "constant-macro":
        return `macro ${quoted(o.name)}`;
    }
  }

  private legal(): void {
    const { module, names } = this;
    const { legal } = module;
    if (!legal) return;
    this.line(`legal ${legal.target}`);
    for (const [fn, list] of legal.builtinParameters)
      for (const { builtin, variable } of list)
        this.line(`  @${builtin} of ${names.fn(fn)} in ${this.builtinParameter(module.variables.get(variable)!)}`);
    for (const { members, ...block } of legal.valueBlocks)
      this.line(`  block ${JSON.stringify(block)} ${members.map((m) => names.variable(m)).join(" ")}`);
    for (const { variable, type, ...slot } of legal.slots)
      this.line(`  slot ${names.variable(variable)}: ${names.type(type)} ${JSON.stringify(slot)}`);
    if (legal.atomicMembers.size > 0)
      this.line(`  atomic ${[...legal.atomicMembers].map((m) => JSON.stringify(m)).join(" ")}`);
  }

  private builtinParameter(v: Variable<Stage>): string {
    return `${v.constant ? "let " : ""}${this.names.variable(v.id)}: ${this.names.type(v.type)}`;
  }

  private fn(f: FunctionDeclaration<Stage>): void {
    const { module, names, out } = this;
    const parameters = f.parameters.map((id) => {
      const v = module.variables.get(id)!;
      const mode = v.mode && v.mode !== "value" ? `${v.mode} ` : "";
      return `${mode}${variableFacts(v, "private", module)}${v.constant ? "let " : ""}${names.variable(id)}: ${names.type(v.type)}`;
    });
    const emulates = f.emulates === undefined ? "" : ` emulates ${JSON.stringify(f.emulates)}`;
    const reference = f.returnsReference ? " reference" : "";
    const library = f.library ? ` library ${JSON.stringify(f.library)}` : "";
    if (!f.isEntry)
      this.line(
        `fn ${names.fn(f.id)}(${parameters.join(", ")}) -> ${names.type(f.returnType)}${reference}${emulates}${library} {`,
      );
    else this.line(this.entry(f, parameters));
    for (const s of f.body.statements) out.statement(s, "  ");
    this.line("}");
  }

  private entry(f: FunctionDeclaration<Stage>, parameters: readonly string[]): string {
    const { module, names } = this;
    const entry = module.entries.find((e) => e.function === f.id);
    if (!entry) return `unordered entry ${names.fn(f.id)}() {`;
    const { function: _f, name, resources, workgroupSize, builtinNames, builtinTypes, ...rest } = entry;
    const more = {
      ...(name === f.name ? {} : { name }),
      ...(builtinNames.size > 0 ? { builtinNames: Object.fromEntries(builtinNames) } : {}),
      ...(builtinTypes && builtinTypes.size > 0
        ? { builtinTypes: Object.fromEntries([...builtinTypes].map(([b, t]) => [b, showTreeType(t)])) }
        : {}),
      ...rest,
    };
    return [
      `entry ${names.fn(f.id)}(${resources.map((r) => names.variable(r)).join(", ")})`,
      parameters.length > 0 ? `takes (${parameters.join(", ")})` : "",
      workgroupSize ? `size ${workgroupSize.join("x")}` : "",
      Object.keys(more).length > 0 ? `with ${JSON.stringify(more)}` : "",
      "{",
    ]
      .filter(Boolean)
      .join(" ");
  }
}

/** What stands where at file scope, where a module does not say otherwise. */
export function usualOrder(module: Module<Stage>): readonly TopLevel<Stage>[] {
  const inFile = new Set(module.order.flatMap((o) => (o.kind === "resource" ? [o.variable] : [])));
  return [
    ...[...module.structs.keys()].map((name) => ({ kind: "struct", name }) as const),
    ...module.enums.map((_, index) => ({ kind: "enum", index }) as const),
    ...module.order.filter((o) => o.kind === "constant-macro"),
    ...module.resources
      .filter((r) => inFile.has(r.variable))
      .map(({ variable }) => ({ kind: "resource", variable }) as const),
    ...[...module.variables.values()]
      .filter((v) => v.role === "global")
      .map(({ id }) => ({ kind: "variable", variable: id }) as const),
    ...module.functions.map((f) => ({ kind: "function", function: f.id }) as const),
  ];
}

/** Whether a variable is known in the whole file, wherever it is declared. */
const isFileWide = (v: Variable<Stage>): boolean =>
  v.role === "global" || v.role === "resource" || (v.space === "workgroup" && v.role !== "parameter");

/** The source's names, numbered where several things have one: in the whole file, or in one function. */
function sourceNames(module: Module<Stage>): Naming {
  const variables = new Map<VarId, string>();
  const taken = new Map<string, number>();
  const name = (wanted: string, counts: Map<string, number>): string => {
    const count = (counts.get(wanted) ?? 0) + 1;
    counts.set(wanted, count);
    return count === 1 ? quoted(wanted) : `${quoted(wanted)}#${count}`;
  };
  const builtins = new Set([...(module.legal?.builtinParameters.values() ?? [])].flat().map((b) => b.variable));
  const used = new Set([...module.resources.map((r) => r.variable), ...builtins]);
  walkModule<Stage>(module, { statement: (s) => void (s.kind === "declare" && used.add(s.variable)) });
  for (const v of module.variables.values())
    if (v.role === "global" || (used.has(v.id) && (isFileWide(v) || builtins.has(v.id))))
      variables.set(v.id, name(v.name, taken));
  const fns = new Map<FunctionId, string>();
  const takenByFunctions = new Map<string, number>();
  for (const f of module.functions) fns.set(f.id, name(f.name, takenByFunctions));
  for (const f of module.functions) {
    const locals = new Map(taken);
    const own = (id: VarId): void => {
      const v = module.variables.get(id);
      if (v && !variables.has(id)) variables.set(id, name(v.name, locals));
    };
    f.parameters.forEach(own);
    walkStatement<Stage>(f.body, {
      statement: (s) => void (s.kind === "declare" && own(s.variable)),
    });
  }
  return {
    type: showTreeType,
    fn: (id) => fns.get(id) ?? `?${id}`,
    variable: (id) => variables.get(id) ?? `?${module.variables.get(id)?.name ?? ""}${id}`,
  };
}
