/**
 * A TypeScript module of kernels' interfaces: types of their arguments, structs with functions that read and write their bytes
 * (little-endian), and the slots of each target, so that a compiler checks the host's code.
 */
import type { ScalarKind } from "../types/types.js";
import type {
  HostArgument,
  HostEntry,
  HostInterface,
  HostMember,
  HostStruct,
  HostTarget,
  HostType,
} from "./host-interface.js";
import { asciiName } from "../support/ascii-names.js";

interface ScalarForm {
  /** In an interface. */
  readonly type: "number" | "bigint" | "boolean";
  /** `get` and `set` of DataView. */
  readonly access: string;
  readonly array: string;
}

/** Halves and bfloats are their bits: JavaScript has no such numbers everywhere. */
const forms: Readonly<Record<Exclude<ScalarKind, "bool">, ScalarForm>> = {
  i8: { type: "number", access: "Int8", array: "Int8Array" },
  u8: { type: "number", access: "Uint8", array: "Uint8Array" },
  i16: { type: "number", access: "Int16", array: "Int16Array" },
  u16: { type: "number", access: "Uint16", array: "Uint16Array" },
  i32: { type: "number", access: "Int32", array: "Int32Array" },
  u32: { type: "number", access: "Uint32", array: "Uint32Array" },
  i64: { type: "bigint", access: "BigInt64", array: "BigInt64Array" },
  u64: { type: "bigint", access: "BigUint64", array: "BigUint64Array" },
  f16: { type: "number", access: "Uint16", array: "Uint16Array" },
  bf16: { type: "number", access: "Uint16", array: "Uint16Array" },
  f32: { type: "number", access: "Float32", array: "Float32Array" },
  f64: { type: "number", access: "Float64", array: "Float64Array" },
};

const formOf = (scalar: ScalarKind, size: number): ScalarForm =>
  scalar === "bool" ? { ...forms[size === 1 ? "u8" : "u32"], type: "boolean" } : forms[scalar];

/** Words of the language, and globals that the module uses. */
const reserved =
  `Array ArrayBuffer DataView RangeError await break case catch class const continue debugger default delete do else enum export
   extends false finally for function if implements import in instanceof interface let new null package private protected public
   return static super switch this throw true try typeof var void while with yield arguments eval`.split(/\s+/);

export function printTs(host: HostInterface): string {
  const names = new Names();
  for (const s of host.structs) names.of(s);
  const parts = [
    `// Interfaces of ${host.fileName.replace(/[\r\n]/g, " ")}, written by crosslane. Halves and bfloats are their bits.`,
    ...host.structs.map((s) => struct(s, names.of(s), names)),
    ...host.entries.flatMap((e) => entry(e, names)),
  ];
  return `${parts.join("\n\n")}\n`;
}

class Names {
  private readonly taken = new Set(reserved);
  private readonly structs = new Map<string, string>();

  unique(wanted: string): string {
    let free = wanted;
    for (let n = 2; this.taken.has(free); n++) free = `${wanted}${n}`;
    this.taken.add(free);
    return free;
  }

  of({ name }: { readonly name: string }): string {
    let known = this.structs.get(name);
    if (known === undefined) this.structs.set(name, (known = this.unique(pascal(name))));
    return known;
  }
}

function struct(s: HostStruct, name: string, names: Names): string {
  const members = s.members.filter((m) => m.type.kind !== "array" || m.type.length !== undefined);
  const lines = [
    `/** ${s.size} bytes. */`,
    `export interface ${name} {`,
    ...members.map((m) => `  /** At byte ${m.offset}. */\n  readonly ${key(m.name)}: ${typeOf(m.type, names)};`),
    `}`,
    `export const size${name} = ${s.size};`,
    `export const offsets${name} = { ${s.members.map((m) => `${key(m.name)}: ${m.offset}`).join(", ")} } as const;`,
    `export function write${name}(view: DataView, at: number, value: ${name}): void {`,
    ...members.flatMap((m) => write(m.type, `value${access(m)}`, plus("at", m.offset), names, 1)),
    `}`,
    `export function read${name}(view: DataView, at: number): ${name} {`,
    `  return {`,
    ...members.map((m) => `    ${key(m.name)}: ${read(m.type, plus("at", m.offset), names)},`),
    `  };`,
    `}`,
  ];
  return lines.join("\n");
}

function typeOf(type: HostType, names: Names): string {
  switch (type.kind) {
    case "scalar":
      return formOf(type.scalar, type.size).type;
    case "vector": {
      const one = formOf(type.scalar, type.size / type.components).type;
      return `readonly [${Array<string>(type.components).fill(one).join(", ")}]`;
    }
    case "bytes":
      return "Uint8Array";
    case "struct":
      return names.of(type);
    case "array":
      return type.element.kind === "vector" || type.element.kind === "array"
        ? `readonly (${typeOf(type.element, names)})[]`
        : `readonly ${typeOf(type.element, names)}[]`;
  }
}

function write(type: HostType, value: string, at: string, names: Names, depth: number): string[] {
  const indent = "  ".repeat(depth);
  switch (type.kind) {
    case "scalar": {
      const { access: kind, type: shown } = formOf(type.scalar, type.size);
      const number = shown === "boolean" ? `${value} ? 1 : 0` : value;
      return [`${indent}view.set${kind}(${at}, ${number}${type.size > 1 ? ", true" : ""});`];
    }
    case "vector": {
      const unit = type.size / type.components;
      return Array.from({ length: type.components }, (_, i) =>
        write({ kind: "scalar", scalar: type.scalar, size: unit }, `${value}[${i}]`, plus(at, i * unit), names, depth),
      ).flat();
    }
    case "bytes":
      return [`${indent}new Uint8Array(view.buffer, view.byteOffset + ${at}, ${type.size}).set(${value});`];
    case "struct":
      return [`${indent}write${names.of(type)}(view, ${at}, ${value});`];
    case "array": {
      const i = `i${depth}`;
      return [
        `${indent}if (${value}.length !== ${type.length}) throw new RangeError(${JSON.stringify(`${value} has ${type.length} elements`)});`,
        `${indent}for (let ${i} = 0; ${i} < ${type.length}; ${i}++) {`,
        ...write(type.element, `${value}[${i}]!`, `${at} + ${i} * ${type.stride}`, names, depth + 1),
        `${indent}}`,
      ];
    }
  }
}

function read(type: HostType, at: string, names: Names, depth = 1): string {
  switch (type.kind) {
    case "scalar": {
      const { access: kind, type: shown } = formOf(type.scalar, type.size);
      const number = `view.get${kind}(${at}${type.size > 1 ? ", true" : ""})`;
      return shown === "boolean" ? `${number} !== 0` : number;
    }
    case "vector": {
      const unit = type.size / type.components;
      const parts = Array.from({ length: type.components }, (_, i) =>
        read({ kind: "scalar", scalar: type.scalar, size: unit }, plus(at, i * unit), names),
      );
      return `[${parts.join(", ")}]`;
    }
    case "bytes":
      return `new Uint8Array(view.buffer, view.byteOffset + ${at}, ${type.size}).slice()`;
    case "struct":
      return `read${names.of(type)}(view, ${at})`;
    case "array":
      return `Array.from({ length: ${type.length} }, (_, i${depth}) => ${wrapped(read(type.element, `${at} + i${depth} * ${type.stride}`, names, depth + 1), type.element, names)})`;
  }
}

/** A list of numbers is a tuple only where it is said to be one. */
const wrapped = (text: string, type: HostType, names: Names): string =>
  type.kind === "vector" ? `${text} as ${typeOf(type, names)}` : text;

function entry(e: HostEntry, names: Names): string[] {
  const name = names.unique(pascal(e.name));
  const blocks = e.targets.flatMap((t) =>
    t.blocks.map((b) => {
      const own = names.unique(`${name}${pascal(t.target)}${pascal(b.name)}`);
      return { target: t, block: b, own };
    }),
  );
  const given = e.arguments.filter((a) => a.kind !== "derived");
  const args = [
    `/** What a launch of ${e.name} is given. Typed arrays are the bytes of a buffer, gaps between vectors included. */`,
    `export interface ${name}Args {`,
    ...given.map((a) => `  readonly ${key(a.path)}${a.kind === "specialization" ? "?" : ""}: ${argumentType(a)};`),
    `}`,
  ].join("\n");
  const targets = e.targets.map((t) =>
    target(
      t,
      blocks.filter((b) => b.target === t),
    ),
  );
  const described = [
    `export const ${names.unique(camel(e.name))} = {`,
    `  name: ${JSON.stringify(e.name)},`,
    ...(e.workgroupSize ? [`  workgroupSize: [${e.workgroupSize.join(", ")}],`] : []),
    `  targets: {`,
    ...targets,
    `  },`,
    `} as const;`,
  ].join("\n");
  return [...blocks.map((b) => struct(b.block, b.own, names)), args, described];
}

function target(
  t: HostTarget,
  blocks: readonly { readonly block: HostTarget["blocks"][number]; readonly own: string }[],
): string {
  const facts = (of: Readonly<Record<string, string | number | undefined>>): string =>
    Object.entries(of)
      .flatMap(([k, v]) => (v === undefined ? [] : [`${k}: ${JSON.stringify(v)}`]))
      .join(", ");
  const slots = t.slots.map(
    ({ path, kind, slot, set, register }) => `        ${key(path)}: { ${facts({ kind, slot, set, register })} },`,
  );
  const shown = blocks.map(
    ({ block: { name, kind, slot, set, register, size } }) =>
      `        ${key(name)}: { ${facts({ kind, slot, set, register, size })} },`,
  );
  return [
    `    ${t.target}: {`,
    `      entry: ${JSON.stringify(t.entry)},`,
    ...record("slots", slots),
    ...record("blocks", shown),
    `    },`,
  ].join("\n");
}

const record = (name: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [`      ${name}: {},`] : [`      ${name}: {`, ...lines, `      },`];

function argumentType({ kind, type }: HostArgument): string {
  if (kind === "workgroup") return "{ readonly byteLength: number }";
  const inner = numbersOf(type);
  if (kind === "buffer")
    return inner === undefined ? "ArrayBuffer | Uint8Array" : formOf(inner.scalar, inner.size).array;
  if (type.kind === "scalar") return formOf(type.scalar, type.size).type;
  return inner === undefined ? "Uint8Array" : `readonly ${formOf(inner.scalar, inner.size).type}[]`;
}

/** The scalar that the bytes are rows of, where nothing lies between. */
function numbersOf(type: HostType): { readonly scalar: ScalarKind; readonly size: number } | undefined {
  if (type.kind === "scalar") return type;
  if (type.kind === "vector") return { scalar: type.scalar, size: type.size / type.components };
  if (type.kind === "array") return numbersOf(type.element);
  return undefined;
}

const key = (name: string): string =>
  name === "__proto__" ? `["__proto__"]` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
const access = ({ name }: HostMember): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
const plus = (at: string, n: number): string => (n === 0 ? at : `${at} + ${n}`);
const camel = (name: string): string => {
  const word = asciiName(name).replace(/[^A-Za-z0-9]+(.)?/g, (_, c: string | undefined) => c?.toUpperCase() ?? "");
  return /^[A-Za-z]/.test(word) ? word : `_${word}`;
};
const pascal = (name: string): string => camel(name).replace(/^[a-z]/, (c) => c.toUpperCase());
