/** What stands around a page: the list of all pages, by folder. */
import { posix } from "node:path";

const folders = {
  "": "Using it",
  capabilities: "Ops by target",
  design: "How it works",
  semantics: "What operations mean",
};

const titleOf = (text) => (/^#\s+(.*)$/m.exec(text)?.[1] ?? "").replaceAll("`", "");
const isFirst = ({ file }) => posix.basename(file) === "index.html";
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Eleventy's address of a folder's own page ends with the folder. */
const fileOf = ({ url }) => (url.endsWith("/") ? `${url}index.html` : url);

export function render({ content, page, collections }) {
  const here = fileOf(page);
  const relative = (file) => posix.relative(posix.dirname(here), file) || posix.basename(file);
  const items = collections.pages.map((p) => ({ file: fileOf(p), title: titleOf(p.rawInput) }));
  const list = Object.entries(folders).map(([folder, heading]) => {
    const own = items
      .filter((i) => posix.dirname(i.file).slice(1) === folder)
      .sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || (a.title < b.title ? -1 : 1));
    const links = own.map(({ file, title }) => {
      const current = file === here ? ' aria-current="page"' : "";
      return `<li><a href="${relative(file)}"${current}>${escaped(title)}</a></li>`;
    });
    return `<h2>${heading}</h2><ul>${links.join("")}</ul>`;
  });
  const title = items.find((i) => i.file === here)?.title ?? "";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title === "crosslane" ? title : `${title} - crosslane`)}</title>
<link rel="stylesheet" href="${relative("/style.css")}">
<nav>${list.join("")}</nav>
<main>
${content}
</main>
</html>
`;
}
