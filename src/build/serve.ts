/** What a thread does: one job after the other, each as its kind says. */
import type { MessagePort } from "node:worker_threads";
import type { WorkerReply, WorkerRequest } from "./workers.js";

/** By the names of kinds: what does a job. A job is what `Workers.run` was given. */
export type Served = Readonly<Record<string, (job: unknown) => Promise<unknown>>>;

export function serve(port: MessagePort, kinds: Served): void {
  port.on("message", ({ id, kind, job }: WorkerRequest) => {
    const answer = (reply: WorkerReply): void => port.postMessage(reply);
    kinds[kind]!(job).then(
      (result) => answer({ id, result }),
      (error: unknown) => {
        const [message, stack] = error instanceof Error ? [error.message, error.stack] : [String(error), undefined];
        answer({ id, error: message, ...(stack === undefined ? {} : { stack }) });
      },
    );
  });
}
