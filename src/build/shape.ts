/** Shapes of JSON values: what a config may hold is said once, and checked, explained and published as a JSON schema from there. */
import { lineColumn } from "../support/expanded-source.js";
import { assertNever } from "../support/assert-never.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { didYouMean } from "../support/did-you-mean.js";
import type { JsonNode } from "../launch/json.js";

export type Shape =
  /** `problem` says what is wrong with a text. */
  | { readonly kind: "text"; readonly problem?: (value: string) => string | undefined }
  | { readonly kind: "word" }
  | { readonly kind: "number" }
  | { readonly kind: "whole"; readonly least: number; readonly most: number; readonly power?: boolean }
  /** `what` names one of them in messages. */
  | { readonly kind: "choice"; readonly of: readonly string[]; readonly what: string }
  | { readonly kind: "list"; readonly of: Shape; readonly least: number; readonly most?: number }
  | { readonly kind: "map"; readonly of: Shape; readonly key?: (name: string) => string | undefined }
  | ObjectShape<object>
  /** Told apart by the kind of JSON value. */
  | { readonly kind: "either"; readonly of: readonly Shape[] };

export interface ObjectShape<T> {
  readonly kind: "object";
  readonly keys: { readonly [K in keyof Required<T>]: Key };
}

export interface Key {
  readonly shape: Shape;
  readonly doc: string;
  readonly required?: true;
}

/** A text read as JSON, for places in messages; a config that is a program has values without places. */
export interface Checked {
  readonly file: string;
  /** Absent for a program: places are then said as paths of keys. */
  readonly text?: string;
}

/** Everything that is wrong with a value, each at its place. */
export function checkShape(node: JsonNode, shape: Shape, where: Checked): Diagnostic[] {
  const found: Diagnostic[] = [];
  check(node, shape, "", (at, message, help) => found.push(problemAt(where, at.node, at.path, message, help)));
  return found;
}

export function problemAt(
  { file, text }: Checked,
  { start, end }: { readonly start: number; readonly end: number },
  path: string,
  message: string,
  help?: string,
): Diagnostic {
  const common = { severity: "error", code: "XL8011", notes: [], ...(help ? { help } : {}) } as const;
  if (text === undefined) {
    const location = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
    return { ...common, message: path === "" ? message : `${message} (${path})`, location };
  }
  const [from, to] = [lineColumn(text, start), lineColumn(text, end)];
  return {
    ...common,
    message,
    location: { file, line: from.line, column: from.column, endLine: to.line, endColumn: to.column },
  };
}

interface At {
  readonly node: { readonly start: number; readonly end: number };
  readonly path: string;
}
type Report = (at: At, message: string, help?: string) => void;

function check(node: JsonNode, shape: Shape, path: string, report: Report): void {
  const wrong = (): void => report({ node, path }, `this is ${describe(shape)}, not ${kindOf(node)}`);
  switch (shape.kind) {
    case "text": {
      if (node.kind !== "string") return wrong();
      const problem = shape.problem?.(node.value);
      if (problem !== undefined) report({ node, path }, problem);
      return;
    }
    case "word":
      if (node.kind !== "word" || node.value === null) wrong();
      return;
    case "number":
      if (node.kind !== "number") wrong();
      return;
    case "whole":
      if (node.kind !== "number" || !fits(node.value, shape)) wrong();
      return;
    case "choice":
      if (node.kind !== "string") return wrong();
      if (!shape.of.includes(node.value))
        report(
          { node, path },
          `'${node.value}' is no ${shape.what}`,
          didYouMean(node.value, shape.of) ?? `known are ${shape.of.join(", ")}`,
        );
      return;
    case "list":
      if (
        node.kind !== "array" ||
        node.elements.length < shape.least ||
        node.elements.length > (shape.most ?? Infinity)
      )
        return wrong();
      node.elements.forEach((e, i) => check(e, shape.of, `${path}[${i}]`, report));
      return;
    case "map":
      if (node.kind !== "object") return wrong();
      for (const { key, value } of node.members) {
        const objection = shape.key?.(key.value);
        if (objection !== undefined) report({ node: key, path: below(path, key.value) }, objection);
        check(value, shape.of, below(path, key.value), report);
      }
      return;
    case "object":
      return checkObject(node, shape, path, report);
    case "either": {
      const meant = shape.of.find((s) => accepts(s, node));
      if (!meant) return wrong();
      return check(node, meant, path, report);
    }
    default:
      return assertNever(shape);
  }
}

function checkObject(node: JsonNode, shape: ObjectShape<object>, path: string, report: Report): void {
  const keys = shape.keys as Readonly<Record<string, Key>>;
  if (node.kind !== "object") return report({ node, path }, `this is an object with keys, not ${kindOf(node)}`);
  for (const { key, value } of node.members) {
    const known = Object.hasOwn(keys, key.value) ? keys[key.value] : undefined;
    if (known) check(value, known.shape, below(path, key.value), report);
    else
      report(
        { node: key, path: below(path, key.value) },
        `there is no key '${key.value}' here`,
        didYouMean(key.value, Object.keys(keys)) ?? `keys are ${Object.keys(keys).join(", ")}`,
      );
  }
  for (const [name, { required }] of Object.entries(keys))
    if (required && !node.members.some((m) => m.key.value === name))
      report({ node: { start: node.start, end: node.start + 1 }, path }, `the key '${name}' is missing`);
}

const below = (path: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? (path === "" ? key : `${path}.${key}`) : `${path}[${JSON.stringify(key)}]`;

const fits = (n: number, { least, most, power }: Extract<Shape, { kind: "whole" }>): boolean =>
  Number.isInteger(n) && n >= least && n <= most && (!power || Number.isInteger(Math.log2(n)));

/** Whether a value is of the kind a shape is about. */
function accepts(shape: Shape, { kind }: JsonNode): boolean {
  const kinds = {
    text: "string",
    choice: "string",
    word: "word",
    number: "number",
    whole: "number",
    list: "array",
    map: "object",
    object: "object",
  } as const;
  return shape.kind !== "either" && kinds[shape.kind] === kind;
}

function kindOf(node: JsonNode): string {
  switch (node.kind) {
    case "string":
      return `the text '${node.value}'`;
    case "number":
      return node.text;
    case "word":
      return String(node.value);
    case "array":
      return node.elements.length === 0 ? "an empty list" : "a list";
    case "object":
      return "an object";
    default:
      return assertNever(node);
  }
}

/** `a list of texts`, for "this is ..., not ..." */
function describe(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "a text";
    case "word":
      return "true or false";
    case "number":
      return "a number";
    case "whole":
      return `a ${shape.power ? "power of two" : "whole number"} from ${shape.least} to ${shape.most}`;
    case "choice":
      return `the name of a ${shape.what}`;
    case "list":
      return `a list of ${shape.most === undefined ? (shape.least > 0 ? "one or more values" : "values") : `${shape.least} to ${shape.most} values`}, each ${describe(shape.of)}`;
    case "map":
      return "an object with a value for each name";
    case "object":
      return "an object with keys";
    case "either":
      return shape.of.map(describe).join(" or ");
    default:
      return assertNever(shape);
  }
}

/** The same as a JSON schema (draft-07, which editors know). */
export function jsonSchema(shape: Shape): object {
  switch (shape.kind) {
    case "text":
      return { type: "string" };
    case "word":
      return { type: "boolean" };
    case "number":
      return { type: "number" };
    case "whole": {
      const powers = [...Array(32).keys()].map((n) => 2 ** n).filter((n) => n >= shape.least && n <= shape.most);
      return shape.power ? { enum: powers } : { type: "integer", minimum: shape.least, maximum: shape.most };
    }
    case "choice":
      return { enum: shape.of };
    case "list":
      return {
        type: "array",
        items: jsonSchema(shape.of),
        minItems: shape.least,
        ...(shape.most === undefined ? {} : { maxItems: shape.most }),
      };
    case "map":
      return { type: "object", additionalProperties: jsonSchema(shape.of) };
    case "object": {
      const keys = Object.entries(shape.keys as Readonly<Record<string, Key>>);
      const required = keys.flatMap(([name, key]) => (key.required ? [name] : []));
      return {
        type: "object",
        additionalProperties: false,
        ...(required.length > 0 ? { required } : {}),
        properties: Object.fromEntries(
          keys.map(([name, key]) => [name, { description: key.doc, ...jsonSchema(key.shape) }]),
        ),
      };
    }
    case "either":
      return { anyOf: shape.of.map(jsonSchema) };
    default:
      return assertNever(shape);
  }
}

/** The value of a node. Own keys only: `__proto__` is a key like others. */
export function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key.value, valueOf(value)]));
    case "array":
      return node.elements.map(valueOf);
    default:
      return node.value;
  }
}

/** A value of a program, as JSON has it, as nodes without places. */
export function nodeOf(value: unknown): JsonNode {
  const place = { start: 0, end: 0 };
  if (typeof value === "string") return { kind: "string", value, ...place };
  if (typeof value === "number") return { kind: "number", value, text: String(value), ...place };
  if (typeof value === "boolean" || value === null) return { kind: "word", value, ...place };
  if (Array.isArray(value)) return { kind: "array", elements: value.map(nodeOf), ...place };
  const members = Object.entries(value as object).map(([key, v]) => ({
    key: { kind: "string" as const, value: key, ...place },
    value: nodeOf(v),
  }));
  return { kind: "object", members, ...place };
}
