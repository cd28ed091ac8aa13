/** What threads of the command line do, by the kind of job. */
import type { MessagePort } from "node:worker_threads";
import { Layouts } from "../api/typescript-layout.js";
import { FileView } from "../build/file-view.js";
import { runJob, type BuildJob } from "../build/job.js";
import { serve } from "../build/serve.js";
import { translations } from "../build/workers.js";
import { runTranslateJob, translatedFiles, type TranslateJob } from "./translate-files.js";
import { runVerifyJob, verifications, type VerifyJob } from "./verify-files.js";

export function serveJobs(port: MessagePort): void {
  const views = new Map<string, FileView>();
  const viewOf = (folder: string): FileView => {
    const view = views.get(folder) ?? new FileView(folder);
    views.set(folder, view);
    return view;
  };
  const layouts = new Layouts();
  serve(port, {
    [translations.name](given) {
      const { job, folder } = given as BuildJob;
      return runJob(job, folder, viewOf(folder), layouts);
    },
    [translatedFiles.name](given) {
      const job = given as TranslateJob;
      return runTranslateJob(job, viewOf(job.cwd), layouts);
    },
    [verifications.name]: (given) => runVerifyJob(given as VerifyJob),
  });
}
