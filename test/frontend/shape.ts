/** Writes syntax trees as short lists, so that tests can state the shape they expect on one line. */
import type * as s from "../../src/ast/syntax.js";
import { loadParser, parseWith } from "../../src/frontend/parse.js";
import { preprocess } from "../../src/frontend/preprocess.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";

const { parse: parser } = await loadParser();

export function parseText(text: string, dialect: TwoWayDialect) {
  const { expanded, problems } = preprocess(text, { fileName: "test", form: dialect });
  const result = parseWith(parser, expanded, dialect);
  return { unit: result.unit, problems: [...problems, ...result.problems], expanded };
}

/** The declarations of a text that must parse. */
export function declarations(text: string, dialect: TwoWayDialect): string[] {
  const { unit, problems } = parseText(text, dialect);
  if (problems.length > 0) throw new Error(problems.map((p) => `${p.code} ${p.message} (${p.span?.start})`).join("; "));
  return unit.declarations.map(declaration);
}

/** The one expression `text` in a function of the dialect. */
export function expressionShape(text: string, dialect: TwoWayDialect, before = ""): string {
  const [last] = declarations(`${before} void f() { (${text}); }`, dialect).slice(-1);
  return /\(\(paren ([\s\S]*)\)\)$/.exec(last!)?.[1] ?? last!;
}

/** The statements `text` in a function of the dialect. */
export function statementShapes(text: string, dialect: TwoWayDialect, before = ""): string {
  const [last] = declarations(`${before} void f() { ${text} }`, dialect).slice(-1);
  return /^fn void f\(\) \(([\s\S]*)\)$/.exec(last!)?.[1] ?? last!;
}

const list = (...parts: readonly (string | undefined)[]): string =>
  `(${parts.filter((part) => part !== undefined && part !== "").join(" ")})`;

export function declaration(d: s.Declaration): string {
  switch (d.kind) {
    case "function": {
      const lead = words(d.attributes, d.qualifiers);
      const parameters = d.parameters.map(parameter).join(", ");
      const tail = d.trailingAttributes.map((a) => ` ${attribute(a)}`).join("");
      const type = derived(specifier(d.returnType), d.returnDerivations);
      return `fn ${lead}${type} ${expression(d.name)}(${parameters})${tail}${d.body ? ` ${statement(d.body)}` : ";"}`;
    }
    case "variable":
      return `var ${words(d.attributes, d.qualifiers)}${d.specifier ? specifier(d.specifier) : "-"}${d.declarators.map((x) => ` ${declarator(x)}`).join("")}`;
    case "block-declaration":
      return `block ${words(d.attributes, d.qualifiers)}${d.keyword} ${d.name.name} {${d.members.map(declaration).join("; ")}}${d.instance ? ` ${declarator(d.instance)}` : ""}`;
    case "typedef":
      return `typedef ${words([], d.qualifiers)}${specifier(d.specifier)}${d.declarators.map((x) => ` ${declarator(x)}`).join("")}`;
    case "using":
      if (d.namespace) return `using namespace ${expression(d.namespace)}`;
      return d.alias
        ? `using ${d.alias.name.name} = ${typeName(d.alias.type)}`
        : `using ${d.names!.map((x) => expression(x.name)).join(", ")}`;
    case "namespace":
      return `namespace ${d.name?.name ?? ""} {${d.declarations.map(declaration).join("; ")}}`;
    case "template":
      return `template${d.explicit ? " explicit" : ""}<${d.parameters.map((p) => `${p.type ? typeName(p.type) : "typename"} ${p.name?.name ?? ""}${p.default ? `=${argument(p.default)}` : ""}`.trim()).join(", ")}> ${declaration(d.declaration)}`;
    case "precision":
      return `precision ${d.precision} ${d.type}`;
    case "execution-mode":
      return `execution mode ${d.words.map(expression).join(", ")}`;
    case "static-assert":
      return `static_assert(${d.arguments.map(expression).join(", ")})`;
    case "empty-declaration":
      return "empty";
  }
}

const words = (attributes: readonly s.Attribute[], qualifiers: readonly s.Qualifier[]): string =>
  [...attributes.map(attribute), ...qualifiers.map(qualifier)].map((word) => `${word} `).join("");

function qualifier(q: s.Qualifier): string {
  return q.layout
    ? `layout(${q.layout.map((e) => e.name + (e.value ? `=${expression(e.value)}` : "")).join(",")})`
    : q.name;
}

function attribute(a: s.Attribute): string {
  const marks = { cxx: ["[[", "]]"], gnu: ["__attribute__((", "))"], brackets: ["[", "]"], semantic: [":", ""] }[
    a.form
  ];
  return `${marks[0]}${a.name}${a.arguments ? `(${a.arguments.map(expression).join(",")})` : ""}${marks[1]}`;
}

const scopePath = ({ path, pathArguments }: s.Identifier | s.NamedType): string =>
  path
    .map((name, i) => {
      const args = pathArguments?.[i];
      return `${name}${args ? `<${args.map(argument).join(",")}>` : ""}::`;
    })
    .join("");

function specifier(t: s.TypeSpecifier): string {
  switch (t.kind) {
    case "named-type": {
      const path = scopePath(t);
      return `${t.elaborated ? `${t.elaborated} ` : ""}${path}${t.name}${t.templateArguments ? `<${t.templateArguments.map(argument).join(",")}>` : ""}`;
    }
    case "struct-specifier":
      return `${t.keyword} ${t.attributes.map((a) => `${attribute(a)} `).join("")}${t.name?.name ?? ""}{${t.members.map(declaration).join("; ")}}`;
    case "decltype":
      return `decltype(${expression(t.expression)})`;
    case "enum-specifier":
      return `enum ${t.scoped ? "class " : ""}${t.name?.name ?? ""}${t.underlying ? `:${typeName(t.underlying)}` : ""}{${t.enumerators.map((e) => e.name.name + (e.value ? `=${expression(e.value)}` : "")).join(",")}}`;
  }
}

/** Innermost first: `T *a[4]` is `T ptr arr(4)`. */
function derived(type: string, derivations: readonly s.Derivation[]): string {
  return [
    type,
    ...derivations.map((d) => {
      switch (d.kind) {
        case "pointer":
          return ["ptr", ...d.qualifiers.map(qualifier)].join(" ");
        case "reference":
          return "ref";
        case "array":
          return `arr(${d.size ? expression(d.size) : ""})`;
        case "function":
          return `func(${d.parameters.map(parameter).join(", ")})`;
      }
    }),
  ].join(" ");
}

function declarator(d: s.Declarator): string {
  const init = d.initializer;
  const value = !init
    ? ""
    : init.form === "assign"
      ? `=${expression(init.value)}`
      : init.form === "brace"
        ? expression(init.value)
        : `(${init.values.map(expression).join(",")})`;
  const attributes = d.attributes.map((a) => ` ${attribute(a)}`).join("");
  return (
    derived(d.name ? expression(d.name) : "_", d.derivations) +
    attributes +
    (d.bitWidth ? ` :${expression(d.bitWidth)}` : "") +
    value
  );
}

function parameter(p: s.Parameter): string {
  return `${words(p.attributes, p.qualifiers)}${specifier(p.specifier)} ${declarator(p.declarator)}`;
}

function typeName(t: s.TypeName): string {
  return words([], t.qualifiers) + derived(specifier(t.specifier), t.derivations);
}

const argument = (a: s.TemplateArgument): string => (a.kind === "type-name" ? typeName(a) : expression(a));

export function expression(e: s.Expression): string {
  switch (e.kind) {
    case "identifier":
      return `${scopePath(e)}${e.name}${e.templateArguments ? `<${e.templateArguments.map(argument).join(",")}>` : ""}`;
    case "literal":
      return e.text;
    case "parenthesized":
      return list("paren", expression(e.expression));
    case "call":
      return list("call", expression(e.callee), ...e.arguments.map(expression));
    case "brace-construct":
      return list("brace", typeName(e.type.type), expression(e.list));
    case "cast":
      return list("cast", `'${typeName(e.type)}'`, expression(e.operand));
    case "index":
      return list("index", expression(e.base), expression(e.index));
    case "member":
      return list(e.arrow ? "->" : ".", expression(e.base), expression(e.name));
    case "unary":
      return list(`${e.operator}_`, expression(e.operand));
    case "postfix":
      return list(`_${e.operator}`, expression(e.operand));
    case "binary":
      return list(e.operator, expression(e.left), expression(e.right));
    case "assignment":
      return list(e.operator, expression(e.target), expression(e.value));
    case "conditional":
      return list("?", expression(e.condition), e.whenTrue ? expression(e.whenTrue) : "", expression(e.whenFalse));
    case "comma":
      return list(",", expression(e.left), expression(e.right));
    case "sizeof":
      return list(e.word, e.operand.kind === "type-name" ? `'${typeName(e.operand)}'` : expression(e.operand));
    case "initializer-list":
      return `{${e.elements.map((x) => x.designators.map((d) => ("member" in d ? `.${d.member}` : `[${expression(d.index)}]`)).join("") + (x.designators.length > 0 ? "=" : "") + expression(x.value)).join(",")}}`;
    case "statement-expression":
      return list("({})", statement(e.body));
    case "generic-selection": {
      const ways = e.associations.map((a) => list(a.type ? typeName(a.type) : "default", expression(a.value)));
      return list("generic", expression(e.operand), ...ways);
    }
    case "type-expression":
      return `'${typeName(e.type)}'`;
    case "pack-expansion":
    case "pack-element":
    case "fold":
    case "lambda":
      return e.kind;
  }
}

export function statement(x: s.Statement): string {
  const attributes = (x.attributes ?? []).map((a) => `${attribute(a)} `).join("");
  return attributes + plainStatement(x);
}

function plainStatement(x: s.Statement): string {
  switch (x.kind) {
    case "compound":
      return list(...x.statements.map(statement));
    case "declaration-statement":
      return `[${declaration(x.declaration)}]`;
    case "expression-statement":
      return expression(x.expression);
    case "if":
      return list("if", expression(x.condition), statement(x.then), x.else && `else ${statement(x.else)}`);
    case "switch":
      return list("switch", expression(x.value), statement(x.body));
    case "case":
      return x.value ? `case ${expression(x.value)}:` : "default:";
    case "while":
      return list("while", expression(x.condition), statement(x.body));
    case "do":
      return list("do", statement(x.body), expression(x.condition));
    case "for":
      return list(
        "for",
        x.initializer ? statement(x.initializer) : ";",
        x.condition ? expression(x.condition) : ";",
        x.step ? expression(x.step) : ";",
        statement(x.body),
      );
    case "range-for":
      return list("range-for", declaration(x.declaration), expression(x.range), statement(x.body));
    case "break":
    case "continue":
    case "discard":
      return x.kind;
    case "return":
      return list("return", x.value && expression(x.value));
    case "goto":
      return `goto ${x.label}`;
    case "label":
      return `${x.label}:`;
    case "empty":
      return ";";
  }
}
