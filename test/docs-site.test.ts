/** The pages as a site: every link leads to a page and a place on it, and every code and every op has its place. */
import { posix } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { capabilityNames } from "../src/api/capabilities.js";
import { codes } from "../src/support/codes.js";

interface Page {
  readonly text: string;
  readonly ids: ReadonlySet<string>;
  readonly links: readonly string[];
}
/** It brings no types of its own. */
interface Generator {
  readonly Eleventy: new (
    input: string,
    output: undefined,
    options: { readonly configPath: string; readonly quietMode: boolean },
  ) => { toJSON(): Promise<readonly { readonly url: string; readonly content: string }[]> };
}
const { Eleventy } = (await import("@11ty/eleventy" as string)) as Generator;

const pages = new Map<string, Page>();
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((m) => m[1]!);

beforeAll(async () => {
  const site = new Eleventy("docs", undefined, { configPath: "docs/site/eleventy.config.mjs", quietMode: true });
  const made = await site.toJSON();
  for (const { url, content } of made)
    pages.set(url.endsWith("/") ? `${url}index.html` : url, {
      text: content,
      ids: new Set(all(content, / id="([^"]*)"/g)),
      links: all(content, /<a href="([^"]*)"/g),
    });
});

/** The page and the place on it that a link leads to. */
function followed(
  from: string,
  link: string,
): { readonly page: Page | undefined; readonly fragment: string | undefined } {
  const [path, fragment] = link.split("#", 2);
  return { page: pages.get(path === "" ? from : posix.join(posix.dirname(from), path!)), fragment };
}

test("every link leads somewhere", () => {
  const lost: string[] = [];
  for (const [from, { links }] of pages)
    for (const link of links) {
      if (/^https?:/.test(link)) continue;
      const { page, fragment } = followed(from, link);
      if (!page || (fragment !== undefined && !page.ids.has(fragment))) lost.push(`${from}: ${link}`);
    }
  expect(lost).toEqual([]);
});

test("every page can be come to from the first", () => {
  const reached = new Set(["/index.html"]);
  for (const from of reached)
    for (const link of pages.get(from)!.links) {
      const [path] = link.split("#", 1);
      if (path !== "" && !/^https?:/.test(link)) reached.add(posix.join(posix.dirname(from), path!));
    }
  expect([...pages.keys()].filter((page) => !reached.has(page))).toEqual([]);
  expect(pages.size).toBeGreaterThan(50);
});

test("every code has its place, and is a link wherever another page names it", () => {
  const { ids } = pages.get("/diagnostics.html")!;
  expect(Object.keys(codes).filter((code) => !ids.has(code))).toEqual([]);
  for (const [name, { text, links }] of pages) {
    if (name === "/diagnostics.html") continue;
    const prose = text.replace(/<(pre|h\d)[^]*?<\/\1>/g, "");
    const named = new Set(all(prose, /\b(XL\d{4})\b/g).filter((code) => code in codes));
    const linked = new Set(links.flatMap((link) => /#(XL\d{4})$/.exec(link)?.[1] ?? []));
    expect(
      [...named].filter((code) => !linked.has(code)),
      name,
    ).toEqual([]);
  }
});

test("every op has its place, and tables lead there", () => {
  const ops = capabilityNames().filter((name) => name.includes("."));
  expect(ops.length).toBeGreaterThan(400);
  const astray = ops.filter((op) => {
    const place = op.toLowerCase().replace(/[^a-z0-9_-]/g, "");
    const page = pages.get(`/capabilities/${op.slice(0, op.indexOf("."))}.html`);
    return !page?.ids.has(place) || !page.links.includes(`#${place}`);
  });
  expect(astray).toEqual([]);
});
