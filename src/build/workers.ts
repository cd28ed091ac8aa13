/** Threads that translate. They give what this thread would, in no order of their own. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { InputJob, JobResult } from "./job.js";

export interface WorkerRequest {
  readonly id: number;
  readonly job: InputJob;
  readonly folder: string;
}
export type WorkerReply = { readonly id: number } & (
  { readonly result: JobResult } | { readonly error: string; readonly stack?: string }
);

export interface Workers {
  readonly run: (job: InputJob, folder: string) => Promise<JobResult>;
  readonly close: () => void;
}

/** Below this many translations starting threads takes longer than they save. */
const worthwhile = 48;

/** Workers for so many translations; absent where one thread is as fast, or where the program is not built. */
export function makeWorkers(translations: number, jobs: number | undefined): Workers | undefined {
  const script = fileURLToPath(new URL("../../bin/build-worker.js", import.meta.url));
  const count = Math.min(
    jobs ?? availableParallelism(),
    Math.ceil(translations / (jobs === undefined ? worthwhile / 2 : 1)),
  );
  if (count < 2 || (jobs === undefined && translations < worthwhile)) return undefined;
  if (!fileURLToPath(import.meta.url).endsWith("main.cjs") || !existsSync(script)) return undefined;
  return new Pool(script, count);
}

interface Task {
  readonly request: WorkerRequest;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: Error) => void;
}

class Pool implements Workers {
  private readonly waiting: Task[] = [];
  private readonly idle: Worker[] = [];
  private readonly all = new Set<Worker>();
  private next = 0;

  constructor(
    private readonly script: string,
    count: number,
  ) {
    for (let i = 0; i < count; i++) this.start();
  }

  run(job: InputJob, folder: string): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request: { id: this.next++, job, folder }, resolve, reject });
      this.feed();
    });
  }

  close(): void {
    for (const worker of this.all) void worker.terminate();
    this.all.clear();
  }

  private start(): void {
    const worker = new Worker(this.script);
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
    const exit = (): void => ended(new Error("a thread of the build ended"));
    const settle = (): void => {
      worker.off("message", message).off("error", ended).off("exit", exit);
    };
    worker.on("message", message).on("error", ended).on("exit", exit);
    worker.postMessage(request);
  }
}
