/** A whole TypeScript module: per kernel an exported function `(launch, args) => void` with the type of its arguments. */
import { append } from "../../src/support/append.js";
import type { LaunchValue, MemoryObject, Program } from "../../src/regions/tree.js";
import type { Span } from "../../src/support/span.js";
import type { LineOf } from "./text.js";
import type { ScalarKind, Type } from "../../src/types/types.js";
import { arrayTypes, printKernel, type PrintedKernel } from "./printer.js";
import { jsType } from "./queries.js";
import { Names } from "./names.js";

export interface ModuleOptions {
  /** Without types the text is JavaScript. */
  readonly types: boolean;
  /** The line a span stands on in the source, for comments. */
  readonly lineOf?: LineOf;
}

export interface PrintedModule {
  readonly text: string;
  /** Lines of the text (from 1) and the source they carry out. */
  readonly map: readonly { readonly line: number; readonly span: Span }[];
  /** What the module exports, as declarations; `Launch` is of `crosslane/runtime`. */
  readonly declarations: string;
}

export function printModule(programs: readonly Program[], options: ModuleOptions): PrintedModule {
  const names = new Names(["defineKernel", "Launch", "Machine"], "module");
  const kernels = programs.map((program) => ({
    program,
    printed: printKernel(program, {
      types: options.types,
      checks: true,
      steps: false,
      writers: false,
      ...(program.workgroupSize ? { workgroupSize: program.workgroupSize } : {}),
      ...(program.subgroupSize === undefined ? {} : { subgroupSize: program.subgroupSize }),
      ...(options.lineOf ? { lineOf: options.lineOf } : {}),
    }),
  }));
  const runtime = [...new Set(kernels.flatMap((k) => k.printed.runtime))];
  for (const r of runtime) names.unique(r);
  const lines: string[] = [];
  const declared: string[] = [];
  const map: { line: number; span: Span }[] = [];
  const imports = ["defineKernel", ...(options.types ? ["type Launch", "type Machine"] : []), ...runtime.sort()];
  lines.push(`import { ${imports.join(", ")} } from "crosslane/runtime";`);
  for (const { program, printed } of kernels) {
    const name = names.unique(program.name);
    const upper = `${name[0]!.toUpperCase()}${name.slice(1)}`;
    lines.push("");
    const interfaceName = names.unique(`${upper}Args`);
    const argumentLines = argumentsInterface(program, interfaceName);
    if (options.types) append(lines, [...argumentLines, ""]);
    const kernel = names.unique(`${name}Kernel`);
    lines.push(`const ${kernel} = defineKernel(`, `  ${description(program, printed)},`);
    const start = lines.length;
    const body = printed.factory.split("\n");
    for (const l of printed.lines) map.push({ line: start + l.line + 1, span: l.span });
    // One by one: a call takes no hundred thousand arguments.
    for (const l of body) lines.push(l === "" ? l : `  ${l}`);
    lines[lines.length - 1] += ",";
    lines.push(");", "");
    const comment = `/** Runs the kernel on the workgroups of \`launch\`; buffers in \`args\` are written in place. */`;
    const typed = `launch: Launch, args: ${interfaceName}): void`;
    const signature = options.types ? typed : "launch, args)";
    append(declared, [...argumentLines, comment, `export function ${name}(${typed};`]);
    lines.push(
      comment,
      `export function ${name}(${signature} {`,
      `  ${kernel}(launch, ${options.types ? "{ ...args }" : "args"});`,
      "}",
    );
  }
  return { text: `${lines.join("\n")}\n`, map, declarations: `${declared.join("\n")}\n` };
}

/** What the runtime needs to lay out and fill memory, as a literal. */
function description(program: Program, printed: PrintedKernel): string {
  const object = (o: MemoryObject): unknown => ({
    id: o.id,
    name: o.name,
    kind: o.kind,
    path: o.path,
    bytes: o.bytes,
    written: o.written,
    zone: o.zone,
    data: o.data?.map((d) => ({ offset: d.offset, scalar: d.scalar, value: bare(d.value) })),
  });
  const value = (v: LaunchValue): unknown => ({
    path: v.path,
    scalar: v.scalar,
    count: v.count,
    object: v.object,
    defaults: v.defaults?.map(bare),
    derived: v.derived,
  });
  const whole = {
    name: program.name,
    workgroupSize: program.workgroupSize,
    subgroupSize: program.subgroupSize,
    objects: program.objects.map(object),
    values: program.values.map(value),
    limits: printed.shape.limits,
    formats: program.formats.length > 0 ? program.formats.map(({ pieces }) => ({ pieces })) : undefined,
  };
  return literalOf(whole);
}

/** Marks what JSON has no literal for. */
const bare = (x: number | bigint | boolean): unknown =>
  typeof x === "bigint" || (typeof x === "number" && (!Number.isFinite(x) || Object.is(x, -0))) ? new Bare(x) : x;

class Bare {
  constructor(readonly value: number | bigint) {}
  toString(): string {
    return typeof this.value === "bigint" ? `${this.value}n` : Object.is(this.value, -0) ? "-0" : String(this.value);
  }
}

function literalOf(x: unknown): string {
  if (x instanceof Bare) return x.toString();
  if (Array.isArray(x)) return `[${x.map(literalOf).join(", ")}]`;
  if (typeof x === "object" && x !== null) {
    const entries = Object.entries(x).filter(([, v]) => v !== undefined);
    return `{ ${entries.map(([k, v]) => `${k}: ${literalOf(v)}`).join(", ")} }`;
  }
  return JSON.stringify(x);
}

function argumentsInterface(program: Program, name: string): string[] {
  const lines = [`export interface ${name} {`];
  const key = (path: string): string => (/^[A-Za-z_$][A-Za-z0-9_$]*$/.test(path) ? path : JSON.stringify(path));
  for (const o of program.objects) {
    const path = o.path ?? o.name;
    if (o.kind === "buffer") lines.push(`  ${o.written ? "" : "readonly "}${key(path)}: ${arrayOf(o.type)};`);
    if (o.kind === "workgroup" && o.bytes === undefined)
      lines.push(`  readonly ${key(path)}: { readonly byteLength: number };`);
  }
  for (const v of program.values) {
    if (v.derived !== undefined) continue;
    const scalar = jsType(v.scalar);
    const type = v.count === 1 ? scalar : v.scalar === "bool" ? "readonly boolean[]" : `readonly ${scalar}[]`;
    lines.push(`  readonly ${key(v.path)}${v.defaults ? "?" : ""}: ${type};`);
  }
  lines.push("}");
  return lines;
}

/** The typed array for a buffer of one kind of scalar; bytes for structs of several. */
function arrayOf(type: Type): string {
  const scalar = (t: Type): ScalarKind | undefined => {
    if (t.kind === "array") return scalar(t.element);
    return t.kind === "scalar" || t.kind === "vector" || t.kind === "matrix" ? t.scalar : undefined;
  };
  const found = scalar(type);
  return found === undefined || found === "bool" ? "Uint8Array" : arrayTypes[found];
}
