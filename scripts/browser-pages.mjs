/**
 * What pages load together: which parts of the library for browsers each of a few usual pages asks for (scripts/browser-pages.json, which
 * scripts/find-browser-pages.mjs writes). Chunks that all of these load or leave alike are one chunk: a page fetches some twenty files and
 * not a hundred, and what is alike in them is compressed once.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const list = new URL("browser-pages.json", import.meta.url);

/** By the name of a chunk: the pages that load it, as text. A chunk that none loads, or only those called "seldom", is not there. */
export function pagesOfChunks({ outputs }) {
  const pages = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : {};
  const fileOf = new Map(
    Object.entries(outputs).flatMap(([file, { entryPoint: e }]) => (e === undefined ? [] : [[e, file]])),
  );
  const loadedBy = new Map();
  for (const [page, parts] of Object.entries(pages)) {
    const reached = new Set();
    const reach = (file) => {
      if (file === undefined || reached.has(file)) return;
      reached.add(file);
      for (const { path, kind } of outputs[file].imports) if (kind === "import-statement" && outputs[path]) reach(path);
    };
    for (const part of parts.split(" ")) reach(fileOf.get(part));
    for (const file of reached) loadedBy.set(basename(file), [...(loadedBy.get(basename(file)) ?? []), page]);
  }
  const isUsual = (page) => !page.startsWith("seldom ");
  return new Map([...loadedBy].filter(([, by]) => by.some(isUsual)).map(([file, by]) => [file, by.join(", ")]));
}
