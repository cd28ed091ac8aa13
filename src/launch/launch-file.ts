/**
 * The launch file: what a kernel is run on. This module reads and checks the text; `bind.ts` fits it to a kernel. One
 * file drives a kernel and every translation of it.
 */
import { sourceDialects } from "../dialects/ids.js";
import type { SourceDialect } from "../dialects/ids.js";
import type { Code } from "../support/codes.js";
import type { Diagnostic, Location } from "../support/diagnostics.js";
import { didYouMean } from "../support/did-you-mean.js";
import { lineColumn } from "../support/expanded-source.js";
import { isSubgroupWidth } from "../types/subgroup-width.js";
import { scalarKinds } from "../types/types.js";
import type { ScalarKind } from "../types/types.js";
import type { Initializer } from "./initializers.js";
import { parseJson } from "./json.js";
import type { JsonMember, JsonNode } from "./json.js";
import type { LaunchNumber } from "./scalars.js";

export interface LaunchFile {
  readonly name: string;
  readonly text: string;
  /** The kernel to run: a name, or one per dialect of the source. */
  readonly entry?: string | { readonly [D in SourceDialect]?: string };
  /** One to three numbers: as many dimensions as the launch has. */
  readonly workgroups?: readonly number[];
  readonly gridSize?: readonly number[];
  readonly gridOffset?: readonly number[];
  readonly workgroupSize?: readonly number[];
  readonly subgroupSize?: number;
  /** Values of specialisation constants, by name or number: with them the kernel is read. */
  readonly spec?: Readonly<Record<string, number | bigint | boolean>>;
  /** The widths a kernel is meant for. */
  readonly subgroupSizes?: readonly number[];
  readonly needs: readonly string[];
  readonly scaleAxis?: number;
  readonly contractionSensitive: boolean;
  readonly arguments: readonly LaunchArgument[];
}

/** Host elements: packed components, little-endian. `bytes` are single bytes. */
export interface ElementType {
  readonly text: string;
  readonly scalar: ScalarKind;
  readonly width: number;
}

/** A count or value: fixed, or so many times the number of workgroups. */
export type Scaled = number | { readonly perGroup: number };

/** Numbers are close where one of these holds: units in the last place, difference, difference by the larger magnitude. */
export interface Tolerance {
  readonly ulp?: number;
  readonly abs?: number;
  readonly rel?: number;
}

export type LaunchArgument = BufferArgument | ValueArgument | WorkgroupArgument;

interface ArgumentBase {
  readonly key: string;
  /** Where its key stands. */
  readonly location: Location;
  readonly dialects?: readonly SourceDialect[];
}
export interface BufferArgument extends ArgumentBase {
  readonly kind: "buffer";
  readonly type: ElementType;
  readonly count?: Scaled;
  readonly init: Initializer;
  readonly output: boolean;
  readonly expect?: Initializer;
  readonly tolerance?: Tolerance;
  readonly compare: "ordered" | "multiset";
}
export interface ValueArgument extends ArgumentBase {
  readonly kind: "value";
  readonly type: ElementType;
  readonly value: readonly LaunchNumber[] | { readonly perGroup: number };
}
export interface WorkgroupArgument extends ArgumentBase {
  readonly kind: "workgroup";
  readonly bytes: number;
}

const topKeys = [
  "entry",
  "workgroups",
  "gridSize",
  "gridOffset",
  "workgroupSize",
  "subgroupSize",
  "subgroupSizes",
  "spec",
  "needs",
  "scaleAxis",
  "contractionSensitive",
  "args",
] as const;
const argumentKeys = [
  "type",
  "count",
  "init",
  "value",
  "bytes",
  "output",
  "expect",
  "tolerance",
  "compare",
  "dialects",
] as const;
const initializerKeys = ["values", "fill", "iota", "hash", "ints", "unit", "uninitialized", "file"] as const;

/** The largest buffer and workgroup count a launch may ask for; runs are bounded besides. */
const mostElements = 2 ** 28;

/** Reads a launch file. There is a launch where no diagnostic is an error. */
export function parseLaunchFile(text: string, name: string): { launch?: LaunchFile; diagnostics: Diagnostic[] } {
  const check = new Checker(text, name);
  const parsed = parseJson(text);
  if ("error" in parsed) {
    check.error("XL6001", parsed.error.message, parsed.error);
    return { diagnostics: check.diagnostics };
  }
  const launch = check.launch(parsed.node);
  return check.diagnostics.length > 0 || launch === undefined
    ? { diagnostics: check.diagnostics }
    : { launch, diagnostics: [] };
}

/** `f32`, `u8`, `f16x4`, `bytes`. */
export function parseElementType(text: string): ElementType | undefined {
  if (text === "bytes") return { text, scalar: "u8", width: 1 };
  const [head, size, ...rest] = text.split("x");
  if (rest.length > 0 || !(scalarKinds as readonly string[]).includes(head ?? "")) return undefined;
  const width = size === undefined ? 1 : ["2", "3", "4", "8", "16"].includes(size) ? Number(size) : undefined;
  return width === undefined ? undefined : { text, scalar: head as ScalarKind, width };
}

type Fields = ReadonlyMap<string, JsonMember>;

class Checker {
  readonly diagnostics: Diagnostic[] = [];

  constructor(
    private readonly text: string,
    private readonly name: string,
  ) {}

  error(code: Code, message: string, at: { start: number; end: number }, help?: string): void {
    const location = this.location(at);
    this.diagnostics.push({
      severity: "error",
      code,
      message,
      location,
      notes: [],
      ...(help ? { help } : {}),
    });
  }

  location(at: { start: number; end: number }): Location {
    const from = lineColumn(this.text, at.start);
    const to = lineColumn(this.text, at.end);
    return { file: this.name, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  }

  launch(node: JsonNode): LaunchFile | undefined {
    const fields = this.fields(node, topKeys, "a launch file");
    if (fields === undefined) return undefined;
    const args = fields.get("args");
    if (args === undefined)
      this.error("XL6003", "a launch file needs 'args'", { start: node.start, end: node.start + 1 });
    const workgroups = this.optional(fields, "workgroups", (v, k) => this.sizes(v, k, 1));
    const gridSize = this.optional(fields, "gridSize", (v, k) => this.sizes(v, k, 1));
    if (workgroups && gridSize) {
      this.error(
        "XL6003",
        "'workgroups' and 'gridSize' say the same thing: one of them is given",
        fields.get("gridSize")!.key,
      );
    } else if (!fields.has("workgroups") && !fields.has("gridSize")) {
      this.error("XL6003", "a launch file needs 'workgroups' or 'gridSize'", {
        start: node.start,
        end: node.start + 1,
      });
    }
    return {
      name: this.name,
      text: this.text,
      entry: this.optional(fields, "entry", (v) => this.entry(v)),
      workgroups,
      gridSize,
      gridOffset: this.optional(fields, "gridOffset", (v, k) => this.sizes(v, k, 0)),
      workgroupSize: this.optional(fields, "workgroupSize", (v, k) => this.sizes(v, k, 1)),
      subgroupSize: this.optional(fields, "subgroupSize", (v) => this.subgroupWidth(v)),
      subgroupSizes: this.optional(fields, "subgroupSizes", (v) =>
        this.list(v, "subgroupSizes", (e) => this.subgroupWidth(e)),
      ),
      spec: this.optional(fields, "spec", (v) => this.spec(v)),
      needs: this.optional(fields, "needs", (v) => this.list(v, "needs", (e) => this.word(e))) ?? [],
      scaleAxis: this.optional(fields, "scaleAxis", (v) => this.integer(v, 0, 2)),
      contractionSensitive: this.optional(fields, "contractionSensitive", (v) => this.boolean(v)) ?? false,
      arguments: args === undefined ? [] : this.arguments(args.value),
    };
  }

  private spec(node: JsonNode): LaunchFile["spec"] {
    if (node.kind !== "object") {
      this.error("XL6003", "'spec' is an object: a number, true or false for each specialisation constant", node);
      return undefined;
    }
    const values = node.members.flatMap(({ key, value }): [string, number | bigint | boolean][] => {
      const number = this.number(value);
      if (number === undefined) return [];
      if (typeof number !== "object") return [[key.value, number]];
      this.error("XL6003", "the bits of a number are no value of a specialisation constant", value);
      return [];
    });
    return Object.fromEntries(values);
  }

  private arguments(node: JsonNode): LaunchArgument[] {
    if (node.kind !== "object") {
      this.error("XL6003", "'args' is an object: one member per argument", node);
      return [];
    }
    return node.members.flatMap((member) => this.argument(member) ?? []);
  }

  private argument(member: JsonMember): LaunchArgument | undefined {
    const fields = this.fields(member.value, argumentKeys, `the argument '${member.key.value}'`);
    if (fields === undefined) return undefined;
    const base = {
      key: member.key.value,
      location: this.location(member.key),
      dialects: this.optional(fields, "dialects", (v) => this.list(v, "dialects", (e) => this.dialect(e))),
    };
    const forms = (["init", "value", "bytes"] as const).filter((key) => fields.has(key));
    if (forms.length !== 1) {
      const message =
        forms.length === 0
          ? `the argument '${base.key}' has none of 'init' (a buffer), 'value' (by value) and 'bytes' (workgroup memory)`
          : `the argument '${base.key}' has both '${forms[0]}' and '${forms[1]}'`;
      this.error("XL6003", message, member.key);
      return undefined;
    }
    const allowed: Record<(typeof forms)[number], readonly string[]> = {
      init: ["type", "count", "init", "output", "expect", "tolerance", "compare", "dialects"],
      value: ["type", "value", "dialects"],
      bytes: ["bytes", "dialects"],
    };
    for (const [key, field] of fields) {
      if (!allowed[forms[0]!].includes(key))
        this.error("XL6003", `'${key}' has no meaning beside '${forms[0]}'`, field.key);
    }
    if (forms[0] === "bytes") {
      const bytes = this.integer(fields.get("bytes")!.value, 1, 2 ** 20);
      return bytes === undefined ? undefined : { ...base, kind: "workgroup", bytes };
    }
    const type = this.type(fields, member);
    if (type === undefined) return undefined;
    if (forms[0] === "value") {
      const value = this.value(fields.get("value")!.value, type);
      return value === undefined ? undefined : { ...base, kind: "value", type, value };
    }
    return this.buffer(base, fields, type, member);
  }

  private type(fields: Fields, member: JsonMember): ElementType | undefined {
    const field = fields.get("type");
    if (field === undefined) {
      this.error("XL6003", `the argument '${member.key.value}' has no 'type'`, member.key);
      return undefined;
    }
    const word = this.word(field.value);
    const type = word === undefined ? undefined : parseElementType(word);
    if (type === undefined && word !== undefined) {
      this.error(
        "XL6003",
        `'${word}' is no element type`,
        field.value,
        didYouMean(word, [...scalarKinds, "bytes"]) ?? `types are written like 'f32', 'u8', 'f16x4' or 'bytes'`,
      );
    }
    return type;
  }

  private buffer(
    base: Pick<BufferArgument, "key" | "location" | "dialects">,
    fields: Fields,
    type: ElementType,
    member: JsonMember,
  ): BufferArgument | undefined {
    const init = this.initializer(fields.get("init")!.value, type);
    if (init === undefined) return undefined;
    const count = this.optional(fields, "count", (v) => this.scaled(v));
    if (!fields.has("count") && init.kind !== "values" && init.kind !== "file") {
      this.error("XL6003", `the buffer '${base.key}' has no 'count'`, member.key);
    }
    const output = this.optional(fields, "output", (v) => this.boolean(v)) ?? false;
    const expect = this.optional(fields, "expect", (v) => this.initializer(v, type));
    if (expect?.kind === "uninitialized")
      this.error("XL6003", "nothing can be expected of uninitialized memory", fields.get("expect")!.value);
    for (const key of ["tolerance", "compare"] as const) {
      const field = fields.get(key);
      if (field && !output && !expect)
        this.error("XL6003", `'${key}' has no meaning for a buffer that is not an output`, field.key);
    }
    const compare = this.optional(fields, "compare", (v) => {
      const word = this.word(v);
      if (word === undefined || word === "multiset" || word === "ordered") return word;
      this.error("XL6003", `'compare' is "multiset" or "ordered"`, v);
      return undefined;
    });
    const tolerance = this.optional(fields, "tolerance", (v) => this.tolerance(v));
    if (tolerance && compare === "multiset") {
      this.error("XL6003", "a multiset is compared exactly: it takes no tolerance", fields.get("tolerance")!.key);
    }
    return {
      ...base,
      kind: "buffer",
      type,
      count,
      init,
      output,
      expect,
      tolerance,
      compare: compare ?? "ordered",
    };
  }

  private initializer(node: JsonNode, type: ElementType): Initializer | undefined {
    if (node.kind === "string" && node.value === "uninitialized") return { kind: "uninitialized" };
    const fields = this.fields(node, initializerKeys, "an initialiser");
    if (fields === undefined) return undefined;
    const [only, second] = [...fields.values()];
    if (only === undefined || second !== undefined) {
      this.error(
        "XL6003",
        `an initialiser has exactly one of ${initializerKeys.map((k) => `'${k}'`).join(", ")}`,
        node,
      );
      return undefined;
    }
    const value = only.value;
    switch (only.key.value as (typeof initializerKeys)[number]) {
      case "values": {
        const values = this.numbers(value, type);
        return values && { kind: "values", values };
      }
      case "fill": {
        const numbers = value.kind === "array" ? this.numbers(value, type) : this.single(value);
        if (numbers === undefined) return undefined;
        if (numbers.length !== 1 && numbers.length !== type.width) {
          this.error("XL6003", `a fill of ${type.text} is one number or ${type.width}`, value);
          return undefined;
        }
        return { kind: "fill", value: numbers };
      }
      case "iota": {
        const inner = this.fields(value, ["start", "step"], "'iota'");
        if (inner === undefined) return undefined;
        const start = this.optional(inner, "start", (v) => this.number(v)) ?? 0;
        const step = this.optional(inner, "step", (v) => this.number(v)) ?? 1;
        return { kind: "iota", start, step };
      }
      case "hash":
      case "unit": {
        const inner = this.fields(value, ["seed"], `'${only.key.value}'`);
        const seed = inner && this.required(inner, "seed", value, (v) => this.integer(v, 0, 2 ** 32 - 1));
        return seed === undefined ? undefined : { kind: only.key.value as "hash" | "unit", seed };
      }
      case "ints": {
        const inner = this.fields(value, ["seed", "mod"], "'ints'");
        const seed = inner && this.required(inner, "seed", value, (v) => this.integer(v, 0, 2 ** 32 - 1));
        const mod = inner && this.required(inner, "mod", value, (v) => this.integer(v, 1, 2 ** 32 - 1));
        return seed === undefined || mod === undefined ? undefined : { kind: "ints", seed, mod };
      }
      case "uninitialized":
        if (this.boolean(value) !== true) this.error("XL6003", "'uninitialized' is true where it stands", value);
        return { kind: "uninitialized" };
      case "file": {
        const path = this.word(value);
        return path === undefined ? undefined : { kind: "file", path };
      }
    }
  }

  /** Scalars in order; elements may be grouped in arrays of the vector's width. */
  private numbers(node: JsonNode, type: ElementType): LaunchNumber[] | undefined {
    if (node.kind !== "array") {
      this.error("XL6003", "an array of numbers is expected", node);
      return undefined;
    }
    const numbers: LaunchNumber[] = [];
    for (const element of node.elements) {
      if (element.kind === "array") {
        if (element.elements.length !== type.width) {
          this.error("XL6003", `an element of ${type.text} has ${type.width} numbers`, element);
          return undefined;
        }
        for (const part of element.elements) {
          const number = this.number(part);
          if (number === undefined) return undefined;
          numbers.push(number);
        }
        continue;
      }
      const number = this.number(element);
      if (number === undefined) return undefined;
      numbers.push(number);
    }
    return numbers;
  }

  private single(node: JsonNode): LaunchNumber[] | undefined {
    const number = this.number(node);
    return number === undefined ? undefined : [number];
  }

  private value(node: JsonNode, type: ElementType): ValueArgument["value"] | undefined {
    if (node.kind === "object") {
      const scaled = this.scaled(node);
      return scaled === undefined || typeof scaled === "number" ? undefined : scaled;
    }
    return node.kind === "array" ? this.numbers(node, type) : this.single(node);
  }

  private tolerance(node: JsonNode): Tolerance | undefined {
    const fields = this.fields(node, ["ulp", "abs", "rel"], "a tolerance");
    if (!fields) return undefined;
    if (fields.size === 0) {
      this.error("XL6003", "a tolerance has 'ulp', 'abs' or 'rel', or several of them", node);
      return undefined;
    }
    const amounts: Record<string, number> = {};
    for (const { key, value } of fields.values()) {
      if (value.kind !== "number" || value.value < 0) {
        this.error("XL6003", "a tolerance is a number that is not negative", value);
        return undefined;
      }
      amounts[key.value] = value.value;
    }
    return amounts;
  }

  /** A number, or a string that says one: "nan", "-inf", "-0", "0x7fc00000" (bits), "18446744073709551615". */
  private number(node: JsonNode): LaunchNumber | undefined {
    if (node.kind === "word" && node.value !== null) return node.value;
    if (node.kind !== "number" && node.kind !== "string") {
      this.error("XL6003", "a number is expected", node);
      return undefined;
    }
    const text = node.kind === "number" ? node.text : node.value;
    if (node.kind === "string") {
      if (/^0x[0-9a-fA-F]{1,16}$/.test(text)) return { bits: BigInt(text) };
      const named = { nan: NaN, inf: Infinity, "+inf": Infinity, "-inf": -Infinity }[text];
      if (named !== undefined) return named;
      if (!/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) {
        this.error(
          "XL6003",
          `'${text}' is no number`,
          node,
          `numbers in quotes are decimal, "nan", "inf", "-inf" or bits like "0x7fc00000"`,
        );
        return undefined;
      }
    }
    if (/^[+-]?[0-9]+$/.test(text) && !/^[+-]?0+$/.test(text)) {
      const whole = BigInt(text.replace(/^\+/, ""));
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
    }
    return Number(text);
  }

  private scaled(node: JsonNode): Scaled | undefined {
    if (node.kind === "object") {
      const fields = this.fields(node, ["perGroup"], "a number that grows with the launch");
      const perGroup = fields && this.required(fields, "perGroup", node, (v) => this.integer(v, 1, mostElements));
      return perGroup === undefined ? undefined : { perGroup };
    }
    return this.integer(node, 1, mostElements);
  }

  private entry(node: JsonNode): LaunchFile["entry"] {
    if (node.kind !== "object") return this.word(node);
    const fields = this.fields(node, sourceDialects, "'entry'");
    const byDialect: { [D in SourceDialect]?: string } = {};
    for (const [key, field] of fields ?? []) byDialect[key as SourceDialect] = this.word(field.value);
    return byDialect;
  }

  private dialect(node: JsonNode): SourceDialect | undefined {
    const word = this.word(node);
    if (word === undefined || (sourceDialects as readonly string[]).includes(word))
      return word as SourceDialect | undefined;
    this.error("XL6003", `'${word}' is no dialect`, node, didYouMean(word, sourceDialects));
    return undefined;
  }

  private sizes(node: JsonNode, key: string, least: number): number[] | undefined {
    if (node.kind !== "array" || node.elements.length < 1 || node.elements.length > 3) {
      this.error("XL6003", `'${key}' is an array of one to three whole numbers`, node);
      return undefined;
    }
    const sizes = node.elements.map((e) => this.integer(e, least, 2 ** 32 - 1));
    return sizes.every((s) => s !== undefined) ? sizes : undefined;
  }

  private subgroupWidth(node: JsonNode): number | undefined {
    const width = this.integer(node, 1, 128);
    if (width === undefined || isSubgroupWidth(width)) return width;
    this.error("XL6003", "a subgroup width is a power of two", node);
    return undefined;
  }

  private integer(node: JsonNode, least: number, most: number): number | undefined {
    if (node.kind === "number" && Number.isInteger(node.value) && node.value >= least && node.value <= most)
      return node.value;
    this.error("XL6003", `a whole number from ${least} to ${most} is expected`, node);
    return undefined;
  }

  private boolean(node: JsonNode): boolean | undefined {
    if (node.kind === "word" && node.value !== null) return node.value;
    this.error("XL6003", "true or false is expected", node);
    return undefined;
  }

  private word(node: JsonNode): string | undefined {
    if (node.kind === "string" && node.value !== "") return node.value;
    this.error("XL6003", "a string is expected", node);
    return undefined;
  }

  private list<T>(node: JsonNode, key: string, read: (node: JsonNode) => T | undefined): T[] | undefined {
    if (node.kind !== "array" || node.elements.length === 0) {
      this.error("XL6003", `'${key}' is an array with at least one element`, node);
      return undefined;
    }
    return node.elements.flatMap((e) => {
      const value = read(e);
      return value === undefined ? [] : [value];
    });
  }

  private optional<T>(
    fields: Fields,
    key: string,
    read: (node: JsonNode, key: string) => T | undefined,
  ): T | undefined {
    const field = fields.get(key);
    return field === undefined ? undefined : read(field.value, key);
  }

  private required<T>(
    fields: Fields,
    key: string,
    at: JsonNode,
    read: (node: JsonNode) => T | undefined,
  ): T | undefined {
    const field = fields.get(key);
    if (field !== undefined) return read(field.value);
    this.error("XL6003", `'${key}' is missing`, at);
    return undefined;
  }

  private fields(node: JsonNode, known: readonly string[], what: string): Fields | undefined {
    if (node.kind !== "object") {
      this.error("XL6003", `${what} is an object`, node);
      return undefined;
    }
    for (const { key } of node.members) {
      if (known.includes(key.value)) continue;
      const help = didYouMean(key.value, known) ?? `known keys are ${known.map((k) => `'${k}'`).join(", ")}`;
      this.error("XL6002", `'${key.value}' is no key of ${what}`, key, help);
    }
    return new Map(node.members.map((m) => [m.key.value, m]));
  }
}
