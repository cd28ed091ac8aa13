/**
 * A C header (C11, C++11) of kernels' interfaces: structs with the bytes the kernels see, padding written out and asserted, and
 * the slots of each target as constants.
 */
import type { Target } from "../dialects/ids.js";
import { asciiName } from "../support/ascii-names.js";
import type { ScalarKind } from "../types/types.js";
import type { HostBlock, HostEntry, HostInterface, HostStruct, HostTarget, HostType } from "./host-interface.js";

/** What C has for a scalar in memory; floats it has none for are their bits. */
const scalarNames: Readonly<Record<Exclude<ScalarKind, "bool">, string>> = {
  i8: "int8_t",
  u8: "uint8_t",
  i16: "int16_t",
  u16: "uint16_t",
  i32: "int32_t",
  u32: "uint32_t",
  i64: "int64_t",
  u64: "uint64_t",
  f16: "uint16_t",
  bf16: "uint16_t",
  f32: "float",
  f64: "double",
};

/** Of C11 and C++17: members and types of kernels may be called so. */
const keywords = new Set(
  `alignas alignof and asm auto bool break case catch char class const constexpr continue default delete do double else enum explicit
   export extern false float for friend goto if inline int long mutable namespace new not nullptr operator or private protected public
   register restrict return short signed sizeof static struct switch template this throw true try typedef typeid typename union
   unsigned using virtual void volatile wchar_t while xor`.split(/\s+/),
);

export function printC(host: HostInterface): string {
  const stem = identifier(host.fileName.replace(/\.[^.]*$/, ""));
  const guard = `CROSSLANE_${stem.toUpperCase()}_H`;
  const header = new Header(stem);
  for (const s of host.structs) header.struct(s, `struct ${s.name} of ${host.fileName}`);
  for (const e of host.entries) header.entry(e);
  return `/* Interfaces of ${host.fileName}, written by crosslane. */
#ifndef ${guard}
#define ${guard}

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define ${guard}_ASSERT(condition) static_assert(condition, #condition)
#else
#define ${guard}_ASSERT(condition) _Static_assert(condition, #condition)
#endif
${header.text().replaceAll("@ASSERT", `${guard}_ASSERT`)}
#endif
`;
}

class Header {
  private readonly parts: string[] = [];
  private readonly taken = new Set<string>();

  constructor(private readonly stem: string) {}

  text(): string {
    return this.parts.map((p) => `\n${p}\n`).join("");
  }

  /** A struct of `structs`, under a name of the file's own. */
  private structName(name: string): string {
    return `${this.stem}_${identifier(name)}`;
  }

  private unique(name: string): string {
    let free = name;
    for (let n = 2; this.taken.has(free); n++) free = `${name}_${n}`;
    this.taken.add(free);
    return free;
  }

  struct(s: HostStruct, about: string, name = this.structName(s.name)): void {
    const lines: string[] = [];
    const asserts: string[] = [];
    const used = new Set<string>();
    let at = 0;
    let pads = 0;
    const pad = (to: number): void => {
      if (to > at) lines.push(`  uint8_t pad_${pads++}[${to - at}];`);
    };
    let open = false;
    for (const m of s.members) {
      pad(m.offset);
      let member = memberName(m.name);
      while (used.has(member)) member += "_";
      used.add(member);
      lines.push(`  ${this.declare(m.type, member)};`);
      asserts.push(`@ASSERT(offsetof(${name}, ${member}) == ${m.offset});`);
      open = m.type.kind === "array" && m.type.length === undefined;
      at = m.offset + (open ? 0 : m.type.size);
    }
    // Behind an array as long as the buffer nothing follows.
    if (!open) pad(s.size);
    this.parts.push(
      [
        `/* ${about.replaceAll("*/", "* /")} */`,
        `typedef struct ${name} {`,
        ...lines,
        `} ${name};`,
        ...(open ? [] : [`@ASSERT(sizeof(${name}) == ${s.size});`]),
        ...asserts,
      ].join("\n"),
    );
  }

  /** `type` in C, as the declaration of `name`. */
  private declare(type: HostType, name: string): string {
    switch (type.kind) {
      case "scalar":
        return `${scalarName(type.scalar, type.size)} ${name}`;
      case "vector":
        return `${scalarName(type.scalar, type.size / type.components)} ${name}[${type.components}]`;
      case "bytes":
        return `uint8_t ${name}[${type.size}]`;
      case "struct":
        return `${this.structName(type.name)} ${name}`;
      case "array": {
        const count = type.length === undefined ? "[]" : `[${type.length}]`;
        if (type.stride === type.element.size) return this.declare(type.element, `${name}${count}`);
        // Elements lie further apart than they are long.
        const value = this.declare(type.element, "value");
        return `struct { ${value}; uint8_t pad[${type.stride - type.element.size}]; } ${name}${count}`;
      }
    }
  }

  entry(entry: HostEntry): void {
    const prefix = identifier(entry.name);
    for (const t of entry.targets) for (const b of t.blocks) this.block(prefix, t.target, b);
    const lines = [`/* kernel ${entry.name} */`];
    const define = (name: string, value: number | string): void =>
      void lines.push(`#define ${this.unique(name.toUpperCase())} ${value}`);
    entry.workgroupSize?.forEach((n, i) => define(`${prefix}_WORKGROUP_SIZE_${"XYZ"[i]!}`, n));
    for (const t of entry.targets) this.slots(prefix, t, define);
    this.parts.push(lines.join("\n"));
  }

  private block(prefix: string, target: Target, block: HostBlock): void {
    const name = `${prefix}_${target}_${identifier(block.name)}`;
    this.struct(block, `${block.kind} ${block.name} of ${prefix} in ${target}`, name);
  }

  private slots(
    prefix: string,
    { target, entry, slots, blocks }: HostTarget,
    define: (name: string, value: number | string) => void,
  ): void {
    const of = (path: string): string => `${prefix}_${target}_${identifier(path)}`;
    define(`${prefix}_${target}_ENTRY`, JSON.stringify(entry));
    for (const s of slots) {
      if (s.slot !== undefined) define(of(s.path), s.slot);
      if (s.set !== undefined) define(`${of(s.path)}_SET`, s.set);
      if (s.register !== undefined) define(`${of(s.path)}_REGISTER`, `'${s.register}'`);
    }
    for (const b of blocks) {
      if (b.slot !== undefined) define(of(b.name), b.slot);
      if (b.set !== undefined) define(`${of(b.name)}_SET`, b.set);
      define(`${of(b.name)}_BYTES`, b.size);
    }
  }
}

function scalarName(scalar: ScalarKind, size: number): string {
  return scalar === "bool" ? `uint${size * 8}_t` : scalarNames[scalar];
}

const identifier = (name: string): string =>
  asciiName(name)
    .replace(/\W+/g, "_")
    .replace(/^(?=\d)/, "_")
    .replace(/_+$/, "") || "_";

function memberName(name: string): string {
  const word = identifier(name);
  return keywords.has(word) || word.startsWith("pad_") ? `${word}_` : word;
}
