/** Threads that take jobs. They give what this thread would, in no order of their own. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** A job as data; `kind` says who does it (`serve`). */
export interface WorkerRequest {
  readonly id: number;
  readonly kind: string;
  readonly job: unknown;
}
export type WorkerReply = { readonly id: number } & (
  { readonly result: unknown } | { readonly error: string; readonly stack?: string }
);

export interface Workers<Job, Result> {
  readonly run: (job: Job) => Promise<Result>;
  readonly close: () => void;
}

/** One kind of job, by its name in `serve`. */
export interface JobKind {
  readonly name: string;
  /** Of fewer jobs than this for each thread starting threads takes longer than they save. */
  readonly worthwhile: number;
}

/** Of `build`: counted by texts. */
export const translations: JobKind = { name: "build", worthwhile: 48 };

/** Workers for so many jobs; absent where one thread is as fast, or where the program is not built. */
export function makeWorkers<Job, Result>(
  { name, worthwhile }: JobKind,
  pieces: number,
  jobs: number | undefined,
): Workers<Job, Result> | undefined {
  const script = fileURLToPath(new URL("../../bin/build-worker.js", import.meta.url));
  const count = Math.min(
    jobs ?? availableParallelism(),
    Math.ceil(jobs === undefined ? (2 * pieces) / worthwhile : pieces),
  );
  if (count < 2 || (jobs === undefined && pieces < worthwhile)) return undefined;
  if (!fileURLToPath(import.meta.url).endsWith("main.cjs") || !existsSync(script)) return undefined;
  return new Pool<Job, Result>(script, name, count);
}

interface Task {
  readonly request: WorkerRequest;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

class Pool<Job, Result> implements Workers<Job, Result> {
  private readonly waiting: Task[] = [];
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private next = 0;

  constructor(
    private readonly script: string,
    private readonly kind: string,
    count: number,
  ) {
    for (let i = 0; i < count; i++) this.start();
  }

  async run(job: Job): Promise<Result> {
    const result = await new Promise((resolve, reject) => {
      this.waiting.push({ request: { id: this.next++, kind: this.kind, job }, resolve, reject });
      this.feed();
    });
    // Who serves the kind gives this: both are one program.
    return result as Result;
  }

  close(): void {
    for (const worker of this.all) void worker.terminate();
    this.all.clear();
  }

  private start(): void {
    const worker = new Worker(this.script);
    // Of one that ends with nothing to do; whose job it takes with it hears of it (`give`).
    worker.on("error", () => undefined);
    this.all.add(worker);
    this.idle.push(worker);
  }

  private feed(): void {
    while (this.idle.length > 0 && this.waiting.length > 0) this.give(this.idle.shift()!, this.waiting.shift()!);
  }

  private give(worker: Worker, { request, resolve, reject }: Task): void {
    const message = (reply: WorkerReply): void => {
      settle();
      this.idle.push(worker);
      if ("result" in reply) resolve(reply.result);
      else reject(Object.assign(new Error(reply.error), reply.stack ? { stack: reply.stack } : {}));
      this.feed();
    };
    // A thread that ends takes its job with it; another goes on with the rest.
    const ended = (error: Error): void => {
      settle();
      this.all.delete(worker);
      reject(error);
      this.start();
      this.feed();
    };
    const exit = (): void => ended(new Error("a thread ended"));
    const settle = (): void => {
      worker.off("message", message).off("error", ended).off("exit", exit);
    };
    worker.on("message", message).on("error", ended).on("exit", exit);
    worker.postMessage(request);
  }
}
