/**
 * Runs of one verification side by side: those that are known to be asked for are begun in threads that have nothing to do, in the
 * order in which they will be asked for, and whoever waits for one carries out the next ones meanwhile. What comes out is the same.
 */
import { begin, hasThreadFor, type Begun, type CompiledKernel, type RunOptions, type RunResult } from "../sim/index.js";
import type { BoundLaunch } from "../launch/bind.js";

/** What a run is known by; `how` says the rest of it. */
export interface RunKey {
  readonly kernel: CompiledKernel;
  readonly launch: BoundLaunch;
  readonly how: string;
}

/** Outcomes that are kept until somebody asks for them: each has the buffers of a launch. */
const mostKept = 4;

export class RunsAhead {
  private waiting: PlannedRun[] = [];
  private begun: PlannedRun[] = [];

  constructor(private readonly threads: number | undefined) {}

  /** Once, however often it is said before it is asked for. */
  plan(key: RunKey, options: RunOptions): void {
    if (this.find(key)) return;
    this.waiting.push(new PlannedRun(key, options));
    this.feed();
  }

  /** Of a run that is planned; `run` gives the same, and its errors. */
  resultOf(key: RunKey): Promise<RunResult> | undefined {
    const run = this.find(key);
    return run && this.wait(run);
  }

  private find(key: RunKey): PlannedRun | undefined {
    return [...this.begun, ...this.waiting].find((r) => r.is(key));
  }

  /** Nobody asks for what is left. */
  end(): void {
    for (const run of this.begun) run.giveUp();
    this.begun = [];
    this.waiting = [];
  }

  private async wait(run: PlannedRun): Promise<RunResult> {
    while (!run.isReady) {
      this.feed();
      // Nothing goes on with it, so that it is done here; or another one is, until it is over.
      const kept = this.begun.filter((r) => r.isReady).length;
      const here = !run.isBegun ? run : kept < mostKept ? this.waiting[0] : undefined;
      if (here) this.begin(here);
      else await run.over;
    }
    this.begun = this.begun.filter((r) => r !== run);
    return run.result();
  }

  /** Of a launch that did not leave this thread the other runs do not either. */
  private feed(): void {
    const leaves = (run: PlannedRun): boolean => !this.begun.some((r) => r.stayed && r.isOfSame(run));
    for (;;) {
      const next = this.waiting.find(leaves);
      if (!next || !hasThreadFor(this.threads)) return;
      this.begin(next);
    }
  }

  private begin(run: PlannedRun): void {
    this.waiting = this.waiting.filter((r) => r !== run);
    this.begun.push(run);
    run.begin();
  }
}

class PlannedRun {
  private begun: Begun | undefined;

  constructor(
    private readonly key: RunKey,
    private readonly options: RunOptions,
  ) {}

  is({ kernel, launch, how }: RunKey): boolean {
    return this.key.kernel === kernel && this.key.launch === launch && this.key.how === how;
  }
  isOfSame({ key: { kernel, launch } }: PlannedRun): boolean {
    return this.is({ kernel, launch, how: this.key.how });
  }

  get isBegun(): boolean {
    return this.begun !== undefined;
  }
  /** No other thread had anything to do with it. */
  get stayed(): boolean {
    return this.begun !== undefined && this.begun.away === undefined;
  }
  /** `result` waits for nobody. */
  get isReady(): boolean {
    return this.begun !== undefined && (this.begun.away?.isOver() ?? true);
  }
  get over(): Promise<void> {
    return this.begun?.away?.ended ?? Promise.resolve();
  }

  begin(): void {
    try {
      this.begun = begin(this.key.kernel, this.options);
    } catch (error) {
      const thrown = error;
      this.begun = {
        away: undefined,
        result: () => {
          throw thrown;
        },
      };
    }
  }
  result(): RunResult {
    if (!this.begun) throw new Error("the run has not begun");
    return this.begun.result();
  }
  giveUp(): void {
    this.begun?.away?.giveUp();
  }
}
