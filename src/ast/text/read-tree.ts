/**
 * Reads the text form of a tree (`print-tree.ts`). What the text leaves out (spans, comments, layout) is empty in what
 * comes back. Throws with the place of what it does not understand; whether the tree holds is for `verifyTree` to say.
 */
import { integerAs } from "../builders.js";
import { sourceDialects, targets } from "../../dialects/ids.js";
import { noSpan } from "../../support/span.js";
import type { FloatKind, ScalarType, Type } from "../../types/types.js";
import type { LegalFacts, SlotAssignment, ValueBlock } from "../legal.js";
import {
  type CompiledBarrier,
  noTrivia,
  type Barrier,
  type Block,
  type BuiltinId,
  type Declare,
  type EntryPoint,
  type EnumDeclaration,
  type Expr,
  type ExpressionStatement,
  type FunctionDeclaration,
  type FunctionId,
  type Module,
  type ParameterMode,
  type Resource,
  type Stage,
  type Statement,
  type StructDeclaration,
  type SubgroupMatrixFunction,
  type SwitchCase,
  type TopLevel,
  type UnrollHint,
  type VarId,
} from "../nodes.js";
import type { Profile } from "../profile.js";
import { usualOrder } from "./print-tree.js";
import { ExpressionReader, type Mutable } from "./read-expression.js";
import { plain, readType } from "./scanner.js";

export interface ReadOptions {
  /** Of a tree with facts of legalization, where its target has profiles. */
  readonly profile?: Profile;
}

/** The tree of a text that `printTree` could have written. Comments start with `//`. */
export function readTree(text: string, options: ReadOptions = {}): Module<Stage> {
  return new TreeReader(text, options).module();
}

type AnyExpr = Expr<Stage>;

class TreeReader extends ExpressionReader {
  private readonly resources: Resource<Stage>[] = [];
  private readonly functions: FunctionDeclaration<Stage>[] = [];
  private readonly entries: EntryPoint[] = [];
  private readonly macros: TopLevel<Stage>[] = [];
  private readonly inFile: TopLevel<Stage>[] = [];
  private order: (() => TopLevel<Stage>)[] | undefined;
  private legal: LegalFacts | undefined;

  constructor(
    text: string,
    private readonly options: ReadOptions,
  ) {
    super(text);
  }

  module(): Module<Stage> {
    const { s } = this;
    s.must("module");
    const dialect = s.word(sourceDialects);
    const stage: Stage = s.take("target") ? "target" : "canonical";
    s.must("contraction=");
    const contraction = s.word(["allowed", "off", "marked"]);
    const specialNumbers: FloatKind[] = [];
    if (s.take("special-numbers="))
      do specialNumbers.push(s.word(["f16", "bf16", "f32", "f64"]));
      while (s.take(","));
    this.findNames();
    for (s.blanks(); s.at < s.text.length; s.blanks()) this.declaration();
    const module: Module<Stage> = {
      stage,
      dialect,
      structs: this.structs,
      enums: this.enums,
      variables: this.variables,
      resources: this.resources,
      functions: this.functions,
      entries: this.entries,
      order: [...this.inFile, ...this.macros],
      contraction,
      ...(specialNumbers.length > 0 ? { specialNumbers } : {}),
      trailingComments: [],
      nextVariable: this.variables.size,
      nextFunction: this.headers.size,
      ...(this.legal ? { legal: this.legal } : {}),
    };
    return { ...module, order: this.order?.map((o) => o()) ?? usualOrder(module) };
  }

  /** Functions may be called, and workgroup memory be named, before the text says what they are. */
  private findNames(): void {
    const { s } = this;
    const start = s.at;
    for (const m of s.text.matchAll(/^(?:(?:unordered )?entry|fn) (`[^`]*`(?:#\d+)?|[\w#]+)\(/gm)) {
      s.at = m.index + m[0].length;
      let returnType: Type = { kind: "void" };
      if (m[0].startsWith("fn")) {
        for (let depth = 1; depth > 0; s.at++) depth += s.text[s.at] === "(" ? 1 : s.text[s.at] === ")" ? -1 : 0;
        s.must("->");
        returnType = this.type();
      }
      this.headers.set(m[1]!, { id: this.headers.size, returnType });
    }
    for (const m of s.text.matchAll(
      /^ +(?:atomic )?workgroup (?:volatile |restrict |precise )*(?:var|let|const) (`[^`]*`(?:#\d+)?|[\w#]+):/gm,
    )) {
      s.at = m.index;
      s.blanks();
      const facts = this.facts("private");
      const word = s.word(["const", "let", "var"]);
      s.name();
      s.must(":");
      this.add(m[1]!, { ...facts, type: this.type(), role: "local", ...declared(word) }, this.fileNames);
    }
    s.at = start;
  }

  private declaration(): void {
    const { s } = this;
    const { at } = s;
    if (s.take("struct")) return this.struct();
    if (s.take("union")) return this.struct({ union: true });
    if (s.take("anonymous")) return this.struct({ anonymous: true, ...(s.take("union") ? { union: true } : {}) });
    if (s.take("matrix")) {
      s.must("struct");
      return this.struct({ subgroupMatrix: true });
    }
    if (s.take("enum")) return this.enum();
    if (s.take("macro")) {
      const named = plain(s.name());
      s.must("=");
      this.macros.push({ kind: "constant-macro", name: named, value: this.open(), trivia: noTrivia });
      return s.must(";");
    }
    if (s.take("order")) return this.readOrder();
    if (s.take("legal")) return this.readLegal();
    if (s.take("fn")) return this.fn();
    if (s.take("entry")) return this.entry();
    if (s.take("unordered")) {
      s.must("entry");
      return this.entry();
    }
    this.facts("private");
    if (s.take("resource")) {
      s.at = at;
      return this.resource();
    }
    s.at = at;
    this.global();
  }

  private struct(words: Pick<StructDeclaration, "union" | "anonymous" | "subgroupMatrix"> = {}): void {
    const { s } = this;
    if (words.anonymous && !words.union) s.must("struct");
    const named = plain(s.name());
    const align = s.take("align") ? { align: s.integer() } : {};
    s.must("{");
    const members: StructDeclaration["members"][number][] = [];
    while (!s.take("}")) {
      const gap = s.take("gap");
      const address = s.take("address") ? { address: this.type() } : {};
      const anonymous = s.take("anonymous");
      const member = plain(s.name());
      s.must(":");
      const aligned = s.take("align") ? { align: s.integer() } : {};
      members.push({
        name: member,
        ...aligned,
        type: this.type(),
        ...(gap ? { gap } : {}),
        ...address,
        ...(anonymous ? { anonymous } : {}),
        trivia: noTrivia,
        span: noSpan,
      });
      s.take(";");
    }
    this.structs.set(named, {
      name: named,
      ...words,
      ...align,
      members,
      span: noSpan,
      trivia: noTrivia,
      innerComments: [],
    });
  }

  private enum(): void {
    const { s } = this;
    const named = s.see(":") ? undefined : plain(s.name());
    s.must(":");
    const type = this.type() as ScalarType;
    s.must("{");
    const enumerators: EnumDeclaration["enumerators"][number][] = [];
    while (!s.take("}")) {
      const enumerator = plain(s.name());
      const explicit = s.word(["=", "at"]) === "=";
      enumerators.push({
        name: enumerator,
        value: integerAs(type.scalar, s.wholeNumber()),
        explicit,
        trivia: noTrivia,
      });
      s.take(";");
    }
    this.enums.push({ name: named, type, enumerators, span: noSpan, trivia: noTrivia });
  }

  private resource(): void {
    const { s } = this;
    const start = s.at;
    this.facts("private");
    s.must("resource");
    const named = s.name();
    s.must(":");
    const type = this.type();
    const kind = s.word(["buffer", "value", "workgroup-sized-at-launch", "specialization", "derived"]);
    const after = s.at;
    s.at = start;
    const usual = kind === "workgroup-sized-at-launch" ? "workgroup" : kind === "buffer" ? "global" : "constant";
    const facts = this.facts(usual);
    s.at = after;
    const access = s.word(["readwrite", "read", "write"]);
    const constant = s.take("constant");
    const variable = this.add(named, { ...facts, type, role: "resource", constant }, this.fileNames);
    s.must("path=");
    const resource: Mutable<Resource<Stage>> = { variable: variable.id, kind, path: s.json<string>(), access };
    if (s.take("file")) this.inFile.push({ kind: "resource", variable: variable.id });
    if (s.take("given-if")) resource.givenIf = this.fileNames.get(s.name())!.id;
    if (s.take("default=")) resource.defaultValue = this.expr();
    if (s.take("address")) {
      const holder = s.take("in") ? { resource: this.fileNames.get(s.name())!.id } : {};
      resource.pointerIn = { ...holder, ...s.json<{ readonly members: readonly (string | number)[] }>() };
    }
    if (s.take("gathers")) {
      const paths: string[] = [];
      for (s.blanks(); s.text[s.at] === '"'; s.blanks()) paths.push(s.json<string>());
      // Gathered resources are no resources of the module any more; a text names them by path only.
      resource.gathered = paths.map((path) => ({ variable: variable.id, kind: "value", path, access }));
    }
    this.resources.push(s.take("with") ? { ...resource, ...s.json<object>() } : resource);
  }

  private global(): void {
    const { s } = this;
    const facts = this.facts("private");
    const word = s.word(["const", "let", "var"]);
    const named = s.name();
    s.must(":");
    const type = this.type();
    const initializer = s.take("=") ? this.open() : undefined;
    s.must(";");
    this.add(
      named,
      { ...facts, type, role: "global", ...declared(word), ...(initializer ? { initializer } : {}) },
      this.fileNames,
    );
  }

  private readOrder(): void {
    const { s } = this;
    this.order = [];
    do {
      if (s.take("struct")) {
        const named = plain(s.name());
        this.order.push(() => ({ kind: "struct", name: named }));
      } else if (s.take("enum")) {
        const index = s.integer();
        this.order.push(() => ({ kind: "enum", index }));
      } else if (s.take("resource")) {
        const named = s.name();
        this.order.push(() => ({ kind: "resource", variable: this.variable(named).id }));
      } else if (s.take("fn")) {
        const named = s.name();
        this.order.push(() => ({ kind: "function", function: this.header(named).id }));
      } else if (s.take("macro")) {
        const named = plain(s.name());
        this.order.push(() => this.macros.find((m) => m.kind === "constant-macro" && m.name === named)!);
      } else {
        const named = s.name();
        this.order.push(() => ({ kind: "variable", variable: this.variable(named).id }));
      }
    } while (s.take(","));
  }

  private readLegal(): void {
    const { s } = this;
    const target = s.word(targets);
    const builtinParameters = new Map<FunctionId, { builtin: BuiltinId; variable: VarId }[]>();
    const valueBlocks: ValueBlock[] = [];
    const slots: SlotAssignment[] = [];
    const atomicMembers = new Set<string>();
    for (;;) {
      if (s.take("@")) {
        const id = this.builtinId();
        s.must("of");
        const fn = this.header(s.name()).id;
        s.must("in");
        const constant = s.take("let");
        const named = s.name();
        s.must(":");
        const variable = this.add(
          named,
          { space: "private", type: this.type(), role: "parameter", constant },
          this.fileNames,
        );
        builtinParameters.set(fn, [...(builtinParameters.get(fn) ?? []), { builtin: id, variable: variable.id }]);
      } else if (s.take("block ")) {
        const block = s.json<Omit<ValueBlock, "members">>();
        const members: VarId[] = [];
        while (!/^\s*(?:\n|$)/.test(s.text.slice(s.at, s.at + 2))) members.push(this.variable(s.name()).id);
        valueBlocks.push({ ...block, members });
      } else if (s.take("slot ")) {
        const variable = this.variable(s.name()).id;
        s.must(":");
        const type = this.type();
        slots.push({ ...s.json<Omit<SlotAssignment, "variable" | "type">>(), variable, type });
      } else if (s.take("atomic ")) {
        for (; s.see('"');) atomicMembers.add(s.json<string>());
      } else break;
    }
    const { profile } = this.options;
    this.legal = {
      target,
      ...(profile ? { profile } : {}),
      slots,
      builtinParameters,
      valueBlocks,
      atomicVariables: this.atomics,
      atomicMembers,
    };
  }

  // ---------------------------------------------------------------- functions

  private fn(): void {
    const { s } = this;
    const named = s.name();
    const { id } = this.header(named);
    this.localNames.clear();
    s.must("(");
    const parameters = this.parameters();
    s.must("->");
    const returnType = this.type();
    const returnsReference = s.take("reference");
    const emulates = s.take("emulates") ? s.json<string>() : undefined;
    const library = s.take("library") ? s.json<SubgroupMatrixFunction>() : undefined;
    this.functions.push({
      id,
      name: plain(named),
      parameters,
      returnType,
      ...(returnsReference ? { returnsReference } : {}),
      body: this.block(),
      isEntry: false,
      ...(emulates === undefined ? {} : { emulates }),
      ...(library ? { library } : {}),
      span: noSpan,
      nameSpan: noSpan,
      trivia: noTrivia,
    });
  }

  private parameters(): VarId[] {
    const { s } = this;
    const parameters: VarId[] = [];
    while (!s.take(")")) {
      const mode: ParameterMode = s.one(["inout", "in", "out", "ref"]) ?? "value";
      const facts = this.facts("private");
      const constant = s.take("let");
      const named = s.name();
      s.must(":");
      parameters.push(
        this.add(named, { ...facts, type: this.type(), role: "parameter", constant, mode }, this.localNames).id,
      );
      s.take(",");
    }
    return parameters;
  }

  private entry(): void {
    const { s } = this;
    const named = s.name();
    const { id, returnType } = this.header(named);
    this.localNames.clear();
    const resources: VarId[] = [];
    s.must("(");
    while (!s.take(")")) {
      resources.push(this.variable(s.name()).id);
      s.take(",");
    }
    let parameters: VarId[] = [];
    if (s.take("takes")) {
      s.must("(");
      parameters = this.parameters();
    }
    const size = s.take("size") ? s.match(/(\d+)x(\d+)x(\d+)/y) : undefined;
    const { builtinNames, builtinTypes, ...more } = s.take("with")
      ? s.json<Partial<EntryPoint> & { builtinNames?: object; builtinTypes?: Record<string, string> }>()
      : {};
    this.entries.push({
      function: id,
      name: plain(named),
      resources,
      ...(size ? { workgroupSize: [Number(size[1]), Number(size[2]), Number(size[3])] as const } : {}),
      builtinNames: new Map(Object.entries(builtinNames ?? {}) as [BuiltinId, string][]),
      ...(builtinTypes
        ? { builtinTypes: new Map(Object.entries(builtinTypes).map(([b, t]) => [b as BuiltinId, readType(t)])) }
        : {}),
      ...more,
    });
    this.functions.push({
      id,
      name: plain(named),
      parameters,
      returnType,
      body: this.block(),
      isEntry: true,
      span: noSpan,
      nameSpan: noSpan,
      trivia: noTrivia,
    });
  }

  // ---------------------------------------------------------------- statements

  private block(): Block<Stage> {
    const { s } = this;
    s.must("{");
    const statements: Statement<Stage>[] = [];
    while (!s.take("}")) statements.push(this.statement());
    return { kind: "block", statements, innerComments: [], span: noSpan, trivia: noTrivia };
  }

  private statement(): Statement<Stage> {
    const { s } = this;
    const at = { span: noSpan, trivia: noTrivia };
    if (s.see("{")) return this.block();
    if (s.take("if")) return this.if();
    if (s.take("switch")) return this.switch();
    if (s.take("for")) return this.for();
    if (s.take("while")) {
      const condition = this.condition();
      const unroll = this.unroll();
      return { kind: "while", condition, body: this.block(), ...unroll, ...at };
    }
    if (s.take("do")) {
      const body = this.block();
      s.must("while");
      const condition = this.condition();
      const unroll = this.unroll();
      s.must(";");
      return { kind: "do-while", body, condition, ...unroll, ...at };
    }
    const simple = this.simple();
    s.must(";");
    return simple;
  }

  private simple(): Statement<Stage> {
    const { s } = this;
    const at = { span: noSpan, trivia: noTrivia };
    if (s.take("return")) return s.see(";") ? { kind: "return", ...at } : { kind: "return", value: this.open(), ...at };
    const jump = s.one(["break", "continue"]);
    if (jump) return { kind: jump, ...at };
    if (s.take("barrier")) return this.barrier();
    if (s.take("native barrier"))
      return { kind: "native-barrier", ...s.json<{ calls: string[]; requires: string[] }>(), ...at };
    return this.declareOrExpression();
  }

  private declareOrExpression(): Declare<Stage> | ExpressionStatement<Stage> {
    const { s } = this;
    const start = s.at;
    const facts = this.facts("private");
    const word = s.one(["const", "let", "var"]);
    if (!word) {
      s.at = start;
      return { kind: "expression", expression: this.open(), span: noSpan, trivia: noTrivia };
    }
    const named = s.name();
    s.must(":");
    const type = this.type();
    const initializer = s.take("=") ? this.open() : undefined;
    const known = facts.space === "workgroup" ? this.fileNames.get(named) : undefined;
    const { id } = known ?? this.add(named, { ...facts, type, role: "local", ...declared(word) }, this.localNames);
    return { kind: "declare", variable: id, ...(initializer ? { initializer } : {}), span: noSpan, trivia: noTrivia };
  }

  private condition(): AnyExpr {
    this.s.must("(");
    const condition = this.open();
    this.s.must(")");
    return condition;
  }

  private unroll(): { readonly unroll?: UnrollHint } {
    if (!this.s.take("unroll=")) return {};
    return { unroll: this.s.take("true") || (this.s.take("false") ? false : this.s.integer()) };
  }

  private if(): Statement<Stage> {
    const condition = this.condition();
    const then = this.block();
    const otherwise = this.s.take("else") ? this.block() : undefined;
    return { kind: "if", condition, then, ...(otherwise ? { else: otherwise } : {}), span: noSpan, trivia: noTrivia };
  }

  private switch(): Statement<Stage> {
    const { s } = this;
    const value = this.condition();
    const cases: SwitchCase<Stage>[] = [];
    s.must("{");
    while (!s.take("}")) {
      s.must("case");
      const labels: (AnyExpr | "default")[] = [];
      do labels.push(s.take("default") ? "default" : this.open());
      while (s.take(","));
      s.must(":");
      const body: Statement<Stage>[] = [];
      while (!s.see("case") && !s.see("}")) body.push(this.statement());
      cases.push({ labels, body, span: noSpan, trivia: noTrivia });
    }
    return { kind: "switch", value, cases, span: noSpan, trivia: noTrivia };
  }

  private for(): Statement<Stage> {
    const { s } = this;
    const initializer: (Declare<Stage> | ExpressionStatement<Stage>)[] = [];
    s.must("(");
    if (!s.see(";")) {
      do initializer.push(this.declareOrExpression());
      while (s.take("and"));
    }
    s.must(";");
    const condition = s.see(";") ? undefined : this.open();
    s.must(";");
    const step = s.see(")") ? undefined : this.open();
    s.must(")");
    const unroll = this.unroll();
    return {
      kind: "for",
      initializer,
      ...(condition ? { condition } : {}),
      ...(step ? { step } : {}),
      body: this.block(),
      ...unroll,
      span: noSpan,
      trivia: noTrivia,
    };
  }

  private barrier(): Barrier {
    const { s } = this;
    s.must("execution=");
    const execution = s.word(["none", "subgroup", "workgroup"]);
    s.must("memory=");
    const memory = { workgroup: false, global: false, image: false };
    if (!s.take("none")) {
      do memory[s.word(["workgroup", "global", "image"])] = true;
      while (s.take("+"));
    }
    s.must("scope=");
    const scope = s.word(["invocation", "subgroup", "workgroup", "device", "system"]);
    s.must("order=");
    const order = s.word(["acquire", "release", "acq_rel", "seq_cst"]);
    const buffers: VarId[] = [];
    if (s.take("buffers="))
      do buffers.push(this.variable(s.name()).id);
      while (s.take("+"));
    const uniform = s.take("uniform");
    const compiled = s.take("compiled=") ? s.json<CompiledBarrier>() : undefined;
    return {
      kind: "barrier",
      barrier: { execution, memory, scope, order, ...(buffers.length > 0 ? { buffers } : {}) },
      ...(uniform ? { uniform } : {}),
      ...(compiled ? { compiled } : {}),
      span: noSpan,
      trivia: noTrivia,
    };
  }
}

const declared = (word: "const" | "let" | "var"): { readonly constant: boolean; readonly compileTime?: boolean } =>
  word === "const" ? { constant: true, compileTime: true } : { constant: word === "let" };
