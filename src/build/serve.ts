/** What a thread of a build does: one job after the other. */
import type { MessagePort } from "node:worker_threads";
import { FileView } from "./file-view.js";
import { runJob } from "./job.js";
import type { WorkerReply, WorkerRequest } from "./workers.js";

export function serve(port: MessagePort): void {
  const views = new Map<string, FileView>();
  port.on("message", ({ id, job, folder }: WorkerRequest) => {
    const view = views.get(folder) ?? new FileView(folder);
    views.set(folder, view);
    const answer = (reply: WorkerReply): void => port.postMessage(reply);
    runJob(job, folder, view).then(
      (result) => answer({ id, result }),
      (error: unknown) => {
        const [message, stack] = error instanceof Error ? [error.message, error.stack] : [String(error), undefined];
        answer({ id, error: message, ...(stack === undefined ? {} : { stack }) });
      },
    );
  });
}
