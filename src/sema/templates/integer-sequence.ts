/**
 * `integer_sequence<T, v...>` (C++14 20.5): a struct template like one of the source,
 *
 *     template <typename T, T... v> struct integer_sequence {
 *       typedef T value_type;
 *       static constexpr size_t size() { return sizeof...(v); }
 *     };
 */
import type * as syntax from "../../ast/syntax.js";
import { noSpan } from "../../support/span.js";
import type { Scope } from "../context.js";
import type { StructTemplate } from "./template.js";

const span = noSpan;
const name = (text: string): syntax.Identifier => ({ kind: "identifier", name: text, path: [], span });
const typeOf = (text: string): syntax.NamedType => ({ kind: "named-type", name: text, path: [], span });
const declared = { attributes: [], span };

const size: syntax.FunctionDeclaration = {
  kind: "function",
  ...declared,
  qualifiers: ["static", "constexpr"].map((word) => ({ kind: "qualifier", name: word, span })),
  returnType: typeOf("size_t"),
  returnDerivations: [],
  name: name("size"),
  parameters: [],
  trailingAttributes: [],
  body: {
    kind: "compound",
    statements: [{ kind: "return", value: { kind: "sizeof", word: "sizeof...", operand: name("v"), span }, span }],
    span,
  },
};

const specifier: syntax.StructSpecifier = {
  kind: "struct-specifier",
  keyword: "struct",
  name: name("integer_sequence"),
  ...declared,
  members: [
    {
      kind: "typedef",
      qualifiers: [],
      specifier: typeOf("T"),
      declarators: [{ name: name("value_type"), derivations: [], ...declared }],
      span,
    },
    size,
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
  {
    name: name("v"),
    type: { kind: "type-name", qualifiers: [], specifier: typeOf("T"), derivations: [], span },
    pack: true,
    span,
  },
];
const outer: syntax.TemplateDeclaration = { kind: "template", parameters, declaration, explicit: false, span };

/** The template, declared in this scope as the source would. */
export const integerSequenceTemplate = (scope: Scope): StructTemplate => ({
  kind: "struct",
  name: "integer_sequence",
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

/** `size_t`, as it is written. */
export const sizeName: syntax.TypeName = {
  kind: "type-name",
  qualifiers: [],
  specifier: typeOf("size_t"),
  derivations: [],
  span,
};
