/**
 * What the last whole build came to, in one file: with nothing to do the next one reads it instead of thousands of entries and
 * outputs. It only saves reading: a result is one of the cache's, and is taken where all states are as they were; an output is taken
 * for what it was where nothing touched its file since.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Variant } from "./cache.js";
import { hashOf } from "./file-view.js";
import { writeWhole } from "./output-files.js";

/** A file that was an output, as it was: its signature (`signatureOf`) and the hash of its bytes. */
type Outputs = Readonly<Record<string, readonly [signature: string, hash: string]>>;

interface Stored {
  readonly results: Readonly<Record<string, Variant>>;
  readonly outputs: Outputs;
}

export class BuildIndex {
  private readonly results = new Map<string, Variant>();
  private readonly outputs = new Map<string, readonly [string, string]>();
  private changed = false;

  private constructor(
    private readonly file: string,
    private readonly before: Stored,
  ) {}

  /** The index of one config's builds in a cache's folder; empty where there is none, or none that is whole. */
  static open(folder: string, config: string): BuildIndex {
    const file = join(folder, `index-${hashOf(config).slice(0, 16)}`);
    return new BuildIndex(file, read(file) ?? { results: {}, outputs: {} });
  }

  result(key: string): Variant | undefined {
    return Object.hasOwn(this.before.results, key) ? this.before.results[key] : undefined;
  }

  /** The hash of a file's bytes, where it is as this index saw it. */
  output(file: string, signature: string): string | undefined {
    const known = Object.hasOwn(this.before.outputs, file) ? this.before.outputs[file] : undefined;
    return known?.[0] === signature ? known[1] : undefined;
  }

  noteResult(key: string, variant: Variant): void {
    this.changed ||= this.before.results[key] !== variant;
    this.results.set(key, variant);
  }

  noteOutput(file: string, signature: string, hash: string): void {
    this.changed ||= this.output(file, signature) !== hash;
    this.outputs.set(file, [signature, hash]);
  }

  /** After a whole build: what was noted replaces what there was. */
  save(): void {
    const { results, outputs } = this.before;
    const sizes = [Object.keys(results).length, Object.keys(outputs).length];
    if (!this.changed && sizes[0] === this.results.size && sizes[1] === this.outputs.size) return;
    const json = JSON.stringify({
      results: Object.fromEntries(this.results),
      outputs: Object.fromEntries(this.outputs),
    } satisfies Stored);
    try {
      writeWhole(this.file, `${hashOf(json)}\n${json}`);
    } catch {
      // Without an index the next build reads more.
    }
  }
}

function read(file: string): Stored | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const end = text.indexOf("\n");
  const json = text.slice(end + 1);
  return end > 0 && text.slice(0, end) === hashOf(json) ? (JSON.parse(json) as Stored) : undefined;
}
