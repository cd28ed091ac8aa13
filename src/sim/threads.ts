/**
 * Workgroups of one launch in several threads, over one shared memory, where nothing depends on their order: the thread that asks
 * takes its part and waits. Or all of them in one other thread, while the one that asks does something else. What is out of the
 * ordinary in any of them gives the run up, so that one thread does it again.
 */
import { numberModule } from "../../emitters/wasm/number-module.js";
import { once } from "../support/once.js";
import { Unfit } from "./launch-memory.js";
import { bytesOfBase64 } from "./number-functions.js";
import { webAssembly, type LinearMemory } from "./web-assembly.js";

/** Runs workgroups `from` to before `to` of a row; gives the steps that are left. */
export type RunPart = (from: number, to: number, y: number, z: number) => number;

/** All that another thread needs of a launch. */
export interface ThreadCode {
  readonly module: object;
  readonly memory: LinearMemory;
  readonly globals: readonly (number | bigint)[];
  /** The function of numbers that each import is; null: it gives the run up. */
  readonly functions: readonly (string | null)[];
  /** Where its counters of steps lie. */
  readonly steps: number;
}

/** Parts of rows of `width` workgroups, `each` in a part, from part `first` to before `end`; `height` rows before the next layer. */
export interface Parts {
  readonly first: number;
  readonly end: number;
  readonly each: number;
  readonly width: number;
  readonly height: number;
}

interface Message extends ThreadCode, Parts {
  /** Next part, whether the run is given up, and a state for each thread. */
  readonly control: Int32Array;
  readonly used: Float64Array;
  readonly at: number;
  readonly mostSteps: number;
  /** What it says when it has come to its end; 0: nothing. */
  readonly tells: number;
}

/** A launch that another thread runs. */
export interface Away {
  /** Fulfilled when it is over, also where it was given up. */
  readonly ended: Promise<void>;
  isOver(): boolean;
  /** That it used. Throws `Unfit` where it was given up. */
  readonly steps: number;
  /** Nobody wants it any more. */
  giveUp(): void;
}

interface WorkerThread {
  postMessage(message: unknown): void;
  ref(): void;
  unref(): void;
  on(event: "error" | "exit" | "message", listener: (value: unknown) => void): void;
}
interface NodeWorkers {
  readonly isMainThread: boolean;
  readonly Worker: new (code: string, options: { readonly eval: true; readonly workerData: unknown }) => WorkerThread;
}
interface NodeProcess {
  readonly getBuiltinModule?: (name: string) => unknown;
}

const builtin = (name: string): unknown => {
  const { process } = globalThis as { readonly process?: NodeProcess };
  return process?.getBuiltinModule?.(name);
};

/** States of a thread: the run is offered, taken, done, withdrawn. */
const [offered, taken, done, withdrawn] = [0, 1, 2, 3];
const [nextAt, givenUpAt, statesAt] = [0, 1, 2];

/** What a thread does. It has nothing of this project but what messages bring. */
const workerText = `
const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
const own = new WebAssembly.Memory({ initial: 1 });
new Float64Array(own.buffer).set(workerData.tables);
const numbers = new WebAssembly.Instance(new WebAssembly.Module(workerData.numbers), { m: { memory: own } }).exports;
parentPort.on("message", (m) => {
  const { control, at } = m;
  if (Atomics.compareExchange(control, ${statesAt} + at, ${offered}, ${taken}) !== ${offered}) return;
  try {
    const f = {}, g = {};
    m.functions.forEach((name, i) => (f[i] = name === null ? () => { throw new Error("given up"); } : numbers[name]));
    m.globals.forEach((x, i) => (g[i] = x));
    const { run } = new WebAssembly.Instance(m.module, { m: { memory: m.memory }, f, g }).exports;
    const steps = new Float64Array(m.memory.buffer, m.steps, 1);
    const inRow = Math.ceil(m.width / m.each);
    let left = m.mostSteps;
    for (;;) {
      const part = Atomics.add(control, ${nextAt}, 1);
      if (part >= m.end || Atomics.load(control, ${givenUpAt}) !== 0) break;
      const row = Math.floor(part / inRow), from = (part % inRow) * m.each;
      steps[0] = left;
      run(from, Math.min(m.width, from + m.each), row % m.height, Math.floor(row / m.height), 1);
      left = steps[0];
    }
    m.used[at] = m.mostSteps - left;
  } catch {
    Atomics.store(control, ${givenUpAt}, 1);
  } finally {
    Atomics.store(control, ${statesAt} + at, ${done});
    Atomics.notify(control, ${statesAt} + at);
    if (m.tells) parentPort.postMessage(m.tells);
  }
});
`;

/** Another thread, and what it runs by itself. */
class Helper {
  private readonly launches = new Map<number, LaunchAway>();
  private last: LaunchAway | undefined;

  constructor(
    private readonly worker: WorkerThread,
    ended: () => void,
  ) {
    // A thread that cannot be started takes no part.
    worker.on("error", () => undefined);
    worker.on("message", (number) => this.over(number as number));
    worker.on("exit", () => {
      for (const number of [...this.launches.keys()]) this.over(number);
      ended();
    });
    // Nobody waits for it. Whoever listens waits, as Node has it, so that this comes last.
    worker.unref();
  }

  get isIdle(): boolean {
    return this.last?.isOver() ?? true;
  }

  post(message: Message): void {
    this.worker.postMessage(message);
  }

  begin(): LaunchAway {
    const launch = new LaunchAway(() => this.settle());
    this.last = launch;
    this.launches.set(launch.number, launch);
    // Somebody waits for it.
    this.worker.ref();
    return launch;
  }

  private over(number: number): void {
    this.launches.get(number)?.end();
    this.launches.delete(number);
    this.settle();
  }

  /** A process does not wait for what nobody wants. */
  private settle(): void {
    if ([...this.launches.values()].every((l) => l.isGivenUp)) this.worker.unref();
  }
}

class Threads {
  private readonly helpers: Helper[] = [];

  /** One of at most so many that does nothing. */
  idle(count: number): Helper | undefined {
    const started = this.helpers.slice(0, count).find((h) => h.isIdle);
    return started ?? (this.helpers.length < count ? this.take(this.helpers.length + 1).at(-1) : undefined);
  }

  /** Other threads, started where there are not as many. */
  take(count: number): readonly Helper[] {
    const { Worker } = builtin("node:worker_threads") as NodeWorkers;
    const { code, tables } = numberModule();
    const workerData = { numbers: bytesOfBase64(code), tables };
    while (this.helpers.length < count) {
      const helper: Helper = new Helper(new Worker(workerText, { eval: true, workerData }), () =>
        this.helpers.splice(this.helpers.indexOf(helper), 1),
      );
      this.helpers.push(helper);
    }
    return this.helpers.slice(0, count);
  }
}

/** Kept for the next launch: starting a thread takes longer than most launches. */
const threads = once(() => new Threads());

/** Threads that launches take where nothing is said: as many as there are processors, at most 8. */
const usualThreads = once((): number => {
  const os = builtin("node:os") as { readonly availableParallelism: () => number } | undefined;
  const workers = builtin("node:worker_threads") as NodeWorkers | undefined;
  // A thread that is one of several has a processor of its own, and no more.
  return os && workers?.isMainThread ? Math.min(8, os.availableParallelism()) : 1;
});

/** Threads for a launch that asks for some; one where there are none. */
export const threadsOf = (asked: number | undefined): number =>
  builtin("node:worker_threads") === undefined ? 1 : (asked ?? usualThreads());

/** A memory that threads share; it grows to at most so many pages. */
export function sharedMemory(pages: number, most: number): LinearMemory {
  return new (webAssembly().Memory)({ initial: pages, maximum: most, shared: true });
}

/** Runs the parts in this thread and others; gives the steps that all have used, and how many took part. Throws `Unfit` where it is given up. */
export function runParts(
  parts: Parts,
  run: RunPart,
  codes: readonly ThreadCode[],
  mostSteps: number,
): { readonly used: number; readonly count: number } {
  const control = new Int32Array(new SharedArrayBuffer(4 * (statesAt + codes.length)));
  const used = new Float64Array(new SharedArrayBuffer(8 * codes.length));
  control[nextAt] = parts.first;
  threads()
    .take(codes.length)
    .forEach((helper, at) =>
      helper.post({ ...codes[at]!, ...parts, control, used, at, mostSteps, tells: 0 } satisfies Message),
    );
  const inRow = Math.ceil(parts.width / parts.each);
  let left = mostSteps;
  let count = 1;
  try {
    for (;;) {
      const part = Atomics.add(control, nextAt, 1);
      if (part >= parts.end || Atomics.load(control, givenUpAt) !== 0) break;
      const row = Math.floor(part / inRow);
      const from = (part % inRow) * parts.each;
      left = run(from, Math.min(parts.width, from + parts.each), row % parts.height, Math.floor(row / parts.height));
    }
  } catch (e) {
    Atomics.store(control, givenUpAt, 1);
    throw e;
  } finally {
    codes.forEach((_, at) => {
      const state = statesAt + at;
      const was = Atomics.compareExchange(control, state, offered, withdrawn);
      if (was !== offered) count++;
      if (was === taken) Atomics.wait(control, state, taken);
    });
  }
  if (Atomics.load(control, givenUpAt) !== 0) throw new Unfit("a thread came to what one alone does");
  return { used: mostSteps - left + used.reduce((a, b) => a + b, 0), count };
}

/** Whether one of so many threads, this one among them, does nothing. */
export const hasIdleThread = (count: number): boolean => count > 1 && threads().idle(count - 1) !== undefined;

/** Has another of so many threads run all parts, where one does nothing. */
export function runAway(parts: Parts, code: ThreadCode, mostSteps: number, count: number): Away | undefined {
  const helper = threads().idle(count - 1);
  if (!helper) return undefined;
  const launch = helper.begin();
  const { control, used, number } = launch;
  helper.post({ ...code, ...parts, control, used, at: 0, mostSteps, tells: number });
  return launch;
}

class LaunchAway implements Away {
  private static last = 0;
  readonly number = ++LaunchAway.last;
  readonly control = new Int32Array(new SharedArrayBuffer(4 * (statesAt + 1)));
  readonly used = new Float64Array(new SharedArrayBuffer(8));
  private resolve: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.resolve = resolve));

  constructor(private readonly givenUp: () => void) {}

  /** Its thread said so, or ended with it. */
  end(): void {
    if (!this.isOver()) this.giveUp();
    Atomics.store(this.control, statesAt, done);
    this.resolve();
  }

  isOver(): boolean {
    return Atomics.load(this.control, statesAt) === done;
  }

  get steps(): number {
    if (!this.isOver() || this.isGivenUp) throw new Unfit("another thread came to what one alone does");
    return this.used[0]!;
  }

  get isGivenUp(): boolean {
    return Atomics.load(this.control, givenUpAt) !== 0;
  }

  giveUp(): void {
    Atomics.store(this.control, givenUpAt, 1);
    this.givenUp();
  }
}
