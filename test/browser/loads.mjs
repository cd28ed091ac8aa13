/** A worker that is a new page: one call of a bundled library or none, and the modules that were loaded for it. */
import inspector from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";

const session = new inspector.Session();
session.connect();
const files = [];
session.on("Debugger.scriptParsed", ({ params }) => {
  if (params.url.startsWith(workerData.folder)) files.push(params.url.slice(workerData.folder.length));
});
session.post("Debugger.enable");

const library = await import(`${workerData.folder}${workerData.entry ?? "app.js"}`);
const { name, source, options } = workerData;
const result = name === undefined ? undefined : await library[name](source, options);
parentPort.postMessage({ result, files });
