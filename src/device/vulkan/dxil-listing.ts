/** What is read of the listing that DXC writes beside DXIL. */

/** A row of the table of resource bindings in DXC's listing. */
export interface DxilBinding {
  readonly name: string;
  readonly register: "t" | "u" | "b";
  readonly number: number;
  readonly space: number;
  readonly count: number;
}

/** `outs  UAV  struct  r/w  U0  u2,space1  3` */
export function parseBindings(listing: string): DxilBinding[] {
  const row =
    /^; (\S+)\s+(?:cbuffer|texture|UAV)\s+\S+\s+\S+\s+\S+\s+(cb|t|u)(\d+)(?:,space(\d+))?\s+(\d+|unbounded)\s*$/gm;
  return [...listing.matchAll(row)].map(([, name, register, number, space, count]) => ({
    // As glslang and the interface have it.
    name: name === "$Globals" ? "$Global" : name!,
    register: register === "cb" ? "b" : (register as "t" | "u"),
    number: Number(number),
    space: Number(space ?? 0),
    count: Number(count),
  }));
}

interface Block {
  readonly label: string;
  readonly phis: { readonly name: string; readonly incoming: ReadonlyMap<string, string> }[];
  /** Values used by instructions other than phis. */
  readonly used: Set<string>;
  readonly next: string[];
}

/**
 * vkd3d-shader 2.1 keeps each phi in a variable, and writes those of all successors at the end of a block, one after the
 * other, before the branch. So a phi is lost that is still needed where the branch goes another way, and one that passes
 * its value to another phi of its block. Gives such a phi; a module with one would compute something else, without a word.
 */
export function overwrittenPhi(listing: string): string | undefined {
  for (const [body] of listing.matchAll(/^define [\s\S]*?^}/gm)) {
    const blocks = blocksOf(body);
    const phis = new Set([...blocks.values()].flatMap((b) => b.phis.map((p) => p.name)));
    const live = liveIn(blocks, phis);
    for (const block of blocks.values()) {
      for (const to of new Set(block.next)) {
        const target = blocks.get(to)!;
        const names = new Set(target.phis.map((p) => p.name));
        for (const { name, incoming } of target.phis) {
          const value = incoming.get(block.label);
          if (value === undefined || value === name) continue;
          if (names.has(value)) return value;
          for (const other of block.next) {
            if (other === to) continue;
            const onEdge = blocks.get(other)!.phis.some((p) => p.incoming.get(block.label) === name);
            if (onEdge || live.get(other)!.has(name)) return name;
          }
        }
      }
    }
  }
  return undefined;
}

/** The blocks of a function as LLVM prints it; the first has no label and is called after its phis' predecessor, `%0`. */
function blocksOf(body: string): Map<string, Block> {
  const blocks = new Map<string, Block>();
  let block: Block = { label: "%0", phis: [], used: new Set(), next: [] };
  blocks.set(block.label, block);
  for (const line of body.split("\n").slice(1)) {
    const label = /^(?:; <label>:([\w.]+)|([\w.]+):)/.exec(line);
    if (label) {
      block = { label: `%${label[1] ?? label[2]}`, phis: [], used: new Set(), next: [] };
      blocks.set(block.label, block);
      continue;
    }
    const text = line.replace(/ {2};.*$/, "");
    const phi = /^\s*(%[\w.]+) = phi \S+ (.*)$/.exec(text);
    if (phi) {
      const incoming = [...phi[2]!.matchAll(/\[ (\S+), (%[\w.]+) \]/g)].map((m) => [m[2]!, m[1]!] as const);
      block.phis.push({ name: phi[1]!, incoming: new Map(incoming) });
      continue;
    }
    for (const [, to] of text.matchAll(/\blabel (%[\w.]+)/g)) block.next.push(to!);
    const operands = text.replace(/^\s*%[\w.]+ = /, "").replace(/\blabel %[\w.]+/g, "");
    for (const [name] of operands.matchAll(/%[\w.]+/g)) block.used.add(name);
  }
  return blocks;
}

/** The phis whose value is needed at the start of each block, those of the block itself left out. */
function liveIn(blocks: ReadonlyMap<string, Block>, phis: ReadonlySet<string>): Map<string, Set<string>> {
  const live = new Map([...blocks].map(([label, b]) => [label, new Set([...b.used].filter((n) => phis.has(n)))]));
  for (const [label, b] of blocks) for (const p of b.phis) live.get(label)!.delete(p.name);
  for (let changed = true; changed;) {
    changed = false;
    for (const [label, b] of blocks) {
      const own = live.get(label)!;
      const before = own.size;
      for (const to of b.next) {
        for (const name of live.get(to)!) if (!b.phis.some((p) => p.name === name)) own.add(name);
        for (const p of blocks.get(to)!.phis) {
          const value = p.incoming.get(label);
          if (value !== undefined && phis.has(value) && !b.phis.some((q) => q.name === value)) own.add(value);
        }
      }
      changed ||= own.size > before;
    }
  }
  return live;
}
