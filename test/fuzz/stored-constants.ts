/** What a compiler has made of the constants that a kernel stores, and what the simulator has. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulate, type SourceDialect } from "../../src/index.js";
import { findProgram } from "../support/judges/judge.js";

/** The bits of what a module stores, where glslang has made a constant of it. */
export function byGlslang(text: string, count: number): readonly (number | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), "constants-"));
  try {
    writeFileSync(join(folder, "k.comp"), text);
    const { stdout, status } = spawnSync(
      findProgram("glslangValidator")!,
      ["-V", "--target-env", "vulkan1.3", "-S", "comp", join(folder, "k.comp"), "-o", join(folder, "k.spv")],
      { encoding: "utf8" },
    );
    if (status !== 0) throw new Error(stdout);
    const bytes = readFileSync(join(folder, "k.spv"));
    return stores(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4), count);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function stores(words: Uint32Array, count: number): readonly (number | undefined)[] {
  const values = new Map<number, number>();
  const places = new Map<number, number>();
  const stored: (number | undefined)[] = Array.from({ length: count }, () => undefined);
  for (let at = 5; at < words.length; at += words[at]! >>> 16) {
    const w = (n: number): number => words[at + n]!;
    switch (w(0) & 0xffff) {
      case 43: // OpConstant
        values.set(w(2), w(3));
        break;
      case 124: // OpBitcast
        if (values.has(w(3))) values.set(w(2), values.get(w(3))!);
        break;
      case 65: // OpAccessChain
        places.set(w(2), values.get(words[at + (w(0) >>> 16) - 1]!)!);
        break;
      case 62: // OpStore
        if (places.has(w(1)) && values.has(w(2))) stored[places.get(w(1))!] = values.get(w(2))!;
    }
  }
  return stored;
}

/** The bits of what a kernel writes to `o` in the simulator, or what stops it. */
export async function simulated(
  text: string,
  from: SourceDialect,
  count: number,
  half: boolean,
): Promise<readonly number[] | string> {
  const { buffers, diagnostics } = await simulate(text, {
    from,
    workgroups: [1],
    workgroupSize: [1],
    findings: "none",
    args: { o: half ? new Uint16Array(count) : new Float32Array(count) },
  });
  const error = diagnostics.find((d) => d.severity === "error");
  if (error) return error.message;
  const { buffer } = buffers["o"] as Float32Array | Uint16Array;
  return [...(half ? new Uint16Array(buffer) : new Uint32Array(buffer))];
}
