/** A worker that is a new page: one call of a bundled library, and the modules that were loaded for it. */
import inspector from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";

const session = new inspector.Session();
session.connect();
const files = [];
session.on("Debugger.scriptParsed", ({ params }) => {
  if (params.url.startsWith(workerData.folder)) files.push(params.url.slice(workerData.folder.length));
});
session.post("Debugger.enable");

const library = await import(`${workerData.folder}app.js`);
const result = await library[workerData.name](workerData.source, workerData.options);
parentPort.postMessage({ result, files });
