import { watch } from "chokidar";
import type { Terminal } from "./terminal.js";

/** Runs once, then again whenever one of the files that were read changes; ends with the signal or Ctrl-C. */
export async function watchInputs(
  run: () => Promise<readonly string[]>,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<void> {
  const watcher = watch([], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 40, pollInterval: 10 },
  });
  let running = false;
  let again = false;
  const once = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    do {
      again = false;
      watcher.add([...(await run())]);
    } while (again);
    running = false;
    if (terminal.interactive) terminal.err(terminal.errPaint.faint("watching for changes; Ctrl-C ends\n"));
  };
  await once();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      process.off("SIGINT", stop);
      watcher.close().then(resolve, reject);
    };
    watcher.on(
      "all",
      () => void once().catch((error: unknown) => void watcher.close().then(() => reject(error as Error), reject)),
    );
    signal?.addEventListener("abort", stop, { once: true });
    process.on("SIGINT", stop);
    if (signal?.aborted) stop();
  });
}
