/**
 * The pages of docs/ and the README as a site: `npm run docs` writes it to dist/site, where any browser opens it from disk. What the
 * pages say stays readable as it lies there; links are added here: other pages where they are named, every code (`XL3001`) and every
 * op (`subgroup.add`).
 */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { capabilityNames } from "../../dist/src/api/capabilities.js";
import { codes } from "../../dist/src/support/codes.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Beside docs/, as pages of the site. */
const outside = ["README.md", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/** `docs/capabilities/math.md` is the page `capabilities/math.html`, a README the page of its folder. */
const pageOf = (path) =>
  path
    .replace(/^docs\//, "")
    .replace(/(^|\/)README\.md$/, "$1index.md")
    .replace(/\.md$/, ".html");

/** As GitHub names headings. */
const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

/** Where a page tells of an op. */
const ops = new Map(
  capabilityNames()
    .filter((name) => name.includes("."))
    .map((op) => [op, `capabilities/${op.slice(0, op.indexOf("."))}.html#${slug(op)}`]),
);

/** What a text names, and the page that tells of it. */
function linkOf(name, pages) {
  // A code that is no more has no place.
  if (/^XL\d{4}$/.test(name)) return Object.hasOwn(codes, name) ? `diagnostics.html#${name}` : undefined;
  return ops.get(name) ?? (pages.has(pageOf(name)) ? pageOf(name) : undefined);
}

const named = /\bXL\d{4}\b|(?<![\w./-])(?:docs\/[\w./-]+|README|CHANGELOG|ARCHITECTURE|CONTRIBUTING)\.md\b/g;

/** A link as a page writes it, seen from the site's top; undefined where it leads out of the site. */
function placeOf(href, from, pages) {
  const [path, fragment] = href.split("#", 2);
  const page = path === "" ? from : pageOf(posix.join(posix.dirname(from), path.replace(/^docs\//, "")));
  return pages.has(page) ? `${page}${fragment === undefined ? "" : `#${fragment}`}` : undefined;
}

const relativeTo = (from, place) => posix.relative(posix.dirname(from), place) || posix.basename(place);

/** The tokens of a line with links where it names something. */
function linked(token, Token, from, pages) {
  const link = (text, place) => {
    const open = new Token("link_open", "a", 1);
    open.attrSet("href", relativeTo(from, place));
    return [open, text, new Token("link_close", "a", -1)];
  };
  const textToken = (content) => Object.assign(new Token("text", "", 0), { content });
  const tag = (content) => Object.assign(new Token("html_inline", "", 0), { content });
  const namedParts = (content) => {
    const parts = [];
    let end = 0;
    for (const match of content.matchAll(named)) {
      const place = linkOf(match[0], pages);
      if (place === undefined || place === from) continue;
      parts.push(textToken(content.slice(end, match.index)), ...link(textToken(match[0]), place));
      end = match.index + match[0].length;
    }
    return [...parts, textToken(content.slice(end))];
  };
  let inLink = 0;
  return token.children.flatMap((child) => {
    inLink += child.type === "link_open" ? 1 : child.type === "link_close" ? -1 : 0;
    if (inLink > 0) return [child];
    if (child.type === "text") return namedParts(child.content);
    if (child.type !== "code_inline") return [child];
    const place = linkOf(child.content, pages);
    if (place !== undefined && place !== from) return link(child, place);
    const parts = namedParts(child.content);
    return parts.length === 1 ? [child] : [tag("<code>"), ...parts, tag("</code>")];
  });
}

/** Headings, and the rows of the codes, get names; links lead to pages. */
function prepare(state, pages) {
  const from = pageOf(state.env.page.inputPath.replace(/^\.\//, ""));
  const taken = new Map();
  state.tokens.forEach((token, at) => {
    const before = state.tokens[at - 1];
    if (token.type !== "inline") return;
    const text = token.children.map((c) => c.content).join("");
    if (before?.type === "heading_open") {
      const name = slug(text);
      const times = taken.get(name) ?? 0;
      taken.set(name, times + 1);
      before.attrSet("id", times === 0 ? name : `${name}-${times}`);
    }
    if (from === "diagnostics.html" && before?.type === "td_open" && /^XL\d{4}$/.test(text)) {
      before.attrSet("id", text);
      return;
    }
    const links = token.children.filter((c) => c.type === "link_open");
    for (const link of links) {
      const href = link.attrGet("href");
      if (/^[a-z]+:/.test(href)) continue;
      const place = placeOf(href, from, pages);
      // A file of the source: it is named, and not part of the site.
      if (place === undefined) link.attrs = [];
      else link.attrSet("href", place.startsWith(`${from}#`) ? place.slice(from.length) : relativeTo(from, place));
    }
    token.children = linked(token, state.Token, from, pages);
  });
}

export default function (config) {
  const pages = new Set();
  for (const name of outside)
    config.addTemplate(name === "README.md" ? "index.md" : name, readFileSync(root + name, "utf8"));
  config.on("eleventy.before", () => pages.clear());
  config.addGlobalData("layout", "page.11ty.mjs");
  config.addGlobalData("permalink", () => (data) => pageOf(data.page.inputPath.replace(/^\.\//, "")));
  config.addCollection("pages", (all) => {
    for (const { inputPath } of all.getAll()) pages.add(pageOf(inputPath.replace(/^\.\//, "")));
    return all.getAll();
  });
  config.amendLibrary("md", (markdown) => {
    markdown.set({ html: false, linkify: false });
    markdown.core.ruler.push("links", (state) => prepare(state, pages));
  });
  config.addPassthroughCopy({ "docs/site/style.css": "style.css" });
  config.setInputDirectory("docs");
  config.setIncludesDirectory("site");
  config.setOutputDirectory("dist/site");
  config.setTemplateFormats(["md"]);
  return { markdownTemplateEngine: false };
}
