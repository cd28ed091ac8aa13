/** `translate --watch`: what changed is translated again. */
import { resolve } from "node:path";
import { Layouts } from "../api/typescript-layout.js";
import type { FileView } from "../build/file-view.js";
import type { SourceInput } from "../build/files.js";
import { baseOf } from "../build/plan.js";
import { findInputs } from "./inputs.js";
import type { SourceFlags } from "./options.js";
import { Reporter } from "./report.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usage-error.js";
import { describeChange } from "./show.js";
import { watchFiles } from "./watch.js";
import type { Change, Watched, WatchMode } from "./watch.js";

/** What one run did. */
export interface Translated {
  /** Files that each input was made of, by its name. */
  readonly reads: ReadonlyMap<string, Iterable<string>>;
  /** Files that were written or were as they should be, by the name of the input. */
  readonly outputs: ReadonlyMap<string, readonly string[]>;
  readonly written: number;
  readonly unchanged: number;
  readonly errors: number;
}

/** What runs have in common. */
export interface Again {
  readonly view: FileView;
  /** Remarks that were shown last, by output. */
  readonly said: Map<string, string>;
  readonly layouts: Layouts;
  /** Outputs of inputs that are not translated this time, with their inputs' names. */
  readonly taken: ReadonlyMap<string, string>;
}

type Translate = (inputs: readonly SourceInput[], all: readonly SourceInput[], again: Again) => Promise<Translated>;

export class TranslateWatch {
  private readonly said = new Map<string, string>();
  private readonly layouts = new Layouts();
  private readonly files = new Map<string, ReadonlySet<string>>();
  private readonly outputs = new Map<string, readonly string[]>();
  private readonly inputs = new Map<string, string>();
  private lastProblem = "";

  constructor(
    private readonly patterns: readonly string[],
    private readonly flags: SourceFlags & { readonly clear: boolean },
    private readonly terminal: Terminal,
    private readonly translate: Translate,
  ) {}

  watch(mode: WatchMode, signal: AbortSignal | undefined): Promise<void> {
    const { terminal } = this;
    return watchFiles((change) => this.run(change), {
      folder: terminal.cwd,
      terminal,
      mode,
      ...(signal ? { signal } : {}),
    });
  }

  private async run({ view, changed }: Change): Promise<Watched> {
    const started = performance.now();
    const found = await this.find();
    const affected = found.filter((i) => this.isAffected(i, changed));
    const gone = [...this.inputs.keys()].filter((name) => !found.some((i) => i.name === name));
    for (const name of gone) {
      this.forget(name);
      this.say(`${name} is gone; what was made of it is left`);
    }
    if (affected.length === 0) return this.watched();
    if (changed && this.flags.clear && this.terminal.interactive) this.terminal.out("\x1b[2J\x1b[H");
    const again = new Set(affected.map((i) => i.name));
    const taken = new Map(
      [...this.outputs].flatMap(([name, files]) => (again.has(name) ? [] : files.map((f) => [f, name] as const))),
    );
    const done = await this.translate(affected, found, { view, said: this.said, taken, layouts: this.layouts });
    for (const input of affected) {
      this.inputs.set(input.name, JSON.stringify(input));
      this.files.set(input.name, new Set(done.reads.get(input.name) ?? (input.path ? [input.path] : [])));
      const outputs = done.outputs.get(input.name) ?? [];
      if (outputs.length > 0) this.outputs.set(input.name, outputs);
    }
    const why = changed && describeChange(changed, affected, this.terminal.cwd);
    const count = `${affected.length} ${affected.length === 1 ? "input" : "inputs"}`;
    const errors =
      done.errors > 0
        ? `, ${done.errors} error${done.errors === 1 ? "" : "s"}; what was good before is left as it is`
        : "";
    const time = Math.round(performance.now() - started);
    this.say(`${why ?? count}: ${done.written} written, ${done.unchanged} unchanged${errors} (${time} ms)`);
    if (!why) this.say(`watching ${count}${this.terminal.interactive ? "; Ctrl-C ends" : ""}`);
    return this.watched();
  }

  /** The inputs there are now. That there are none is said, and waited out. */
  private async find(): Promise<SourceInput[]> {
    try {
      const found = await findInputs(this.patterns, this.flags.from, this.terminal.cwd);
      this.lastProblem = "";
      return found;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (this.lastProblem !== error.message)
        new Reporter(this.terminal, "translate").show([
          {
            severity: "error",
            code: "XL8001",
            message: error.message,
            notes: [],
            ...(error.help ? { help: error.help } : {}),
          },
        ]);
      this.lastProblem = error.message;
      return [];
    }
  }

  private isAffected(input: SourceInput, changed: ReadonlySet<string> | undefined): boolean {
    const files = this.files.get(input.name);
    if (!changed || !files || this.inputs.get(input.name) !== JSON.stringify(input)) return true;
    return [...files].some((f) => changed.has(f));
  }

  private forget(name: string): void {
    this.inputs.delete(name);
    this.files.delete(name);
    this.outputs.delete(name);
  }

  private say(line: string): void {
    if (this.terminal.level === "quiet") return;
    const time = new Date().toTimeString().slice(0, 8);
    this.terminal.err(`${this.terminal.errPaint.faint(`${time} `)}${line}\n`);
  }

  private watched(): Watched {
    return {
      files: new Set([...this.files.values()].flatMap((files) => [...files])),
      roots: this.patterns.map((p) => resolve(this.terminal.cwd, baseOf(p))),
      outputs: new Set([...this.outputs.values()].flat()),
    };
  }
}
