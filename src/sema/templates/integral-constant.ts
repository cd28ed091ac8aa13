/**
 * `integral_constant<T, v>` as a type of values (C++14 20.10.3): a struct template like one of the source,
 *
 *     template <typename T, T v> struct integral_constant {
 *       static constexpr constant T value = v;
 *       typedef T value_type;
 *       constexpr operator T() const { return value; }
 *       constexpr T operator()() const { return value; }
 *     };
 */
import type * as syntax from "../../ast/syntax.js";
import { noSpan } from "../../support/span.js";
import type { Scope } from "../context.js";
import type { StructTemplate } from "./template.js";

const span = noSpan;
const name = (text: string): syntax.Identifier => ({ kind: "identifier", name: text, path: [], span });
const type: syntax.NamedType = { kind: "named-type", name: "T", path: [], span };
const words = (text: string): syntax.Qualifier[] =>
  text.split(" ").map((word) => ({ kind: "qualifier", name: word, span }));
const declared = { attributes: [], span };

const gives = (called: syntax.Identifier, special?: "conversion"): syntax.FunctionDeclaration => ({
  kind: "function",
  ...declared,
  qualifiers: words("constexpr"),
  returnType: type,
  returnDerivations: [],
  name: called,
  parameters: [],
  trailingAttributes: [{ kind: "attribute", form: "cxx", name: "const", span }],
  body: { kind: "compound", statements: [{ kind: "return", value: name("value"), span }], span },
  ...(special ? { special } : {}),
});

const specifier: syntax.StructSpecifier = {
  kind: "struct-specifier",
  keyword: "struct",
  name: name("integral_constant"),
  ...declared,
  members: [
    {
      kind: "variable",
      ...declared,
      qualifiers: words("static constexpr constant"),
      specifier: type,
      declarators: [
        { name: name("value"), derivations: [], ...declared, initializer: { form: "assign", value: name("v") } },
      ],
    },
    {
      kind: "typedef",
      qualifiers: [],
      specifier: type,
      declarators: [{ name: name("value_type"), derivations: [], ...declared }],
      span,
    },
    gives(name("T"), "conversion"),
    gives(name("operator()")),
  ],
};
const declaration: syntax.VariableDeclaration = {
  kind: "variable",
  ...declared,
  qualifiers: [],
  specifier,
  declarators: [],
};
const parameters: readonly syntax.TemplateParameter[] = [
  { name: name("T"), span },
  { name: name("v"), type: { kind: "type-name", qualifiers: [], specifier: type, derivations: [], span }, span },
];
const outer: syntax.TemplateDeclaration = { kind: "template", parameters, declaration, explicit: false, span };

/** The template, declared in this scope as the source would. */
export const integralConstantTemplate = (scope: Scope): StructTemplate => ({
  kind: "struct",
  name: "integral_constant",
  parameters,
  declaration,
  outer,
  span,
  scope,
  specifier,
  instances: new Map(),
  specializations: [],
  outside: [],
  guides: [],
});
