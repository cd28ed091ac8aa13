import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { dialects } from "../src/dialects/ids.js";

/**
 * What code needs to know of a language is a fact with a name (src/dialects/language.ts) or a hook of its reader
 * (src/sema/readers): code that compares the language's name is code a new language has to be looked for in.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["src/sema", "src/frontend"];

const names = `["'\`](?:${dialects.join("|")})["'\`]`;
const comparisons = [
  new RegExp(`(?:[!=]==?|\\bcase)\\s*${names}`),
  new RegExp(`${names}\\s*[!=]==?`),
  // One of several, by name, and tables by name.
  new RegExp(`\\[(?:\\s*${names}\\s*,?)+\\]`),
  new RegExp(`^\\s*(?:${dialects.join("|")}):`),
];

export const comparesNames = (line: string): boolean => comparisons.some((c) => c.test(line));

describe("languages are told apart by facts", () => {
  test.each([
    'if (s.dialect === "hlsl") return;',
    'case "msl":',
    'if ("glsl" !== dialect) return;',
    'if (["glsl", "hlsl"].includes(dialect)) return;',
    '  glsl: "the entry point is main",',
  ])("%s is a comparison", (line) => {
    expect(comparesNames(line)).toBe(true);
  });

  test.each(folders)("%s compares no names of dialects", (folder) => {
    const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((e) => e.isFile() && e.name.endsWith(".ts"))
      .map((e) => relative(root, join(e.parentPath, e.name)))
      // The tables of parsers and readers, one line for each language.
      .filter((file) => !["src/sema/languages.ts", "src/frontend/parse.ts"].includes(file))
      .flatMap((file) =>
        readFileSync(join(root, file), "utf8")
          .split("\n")
          .flatMap((line) => (comparesNames(line) ? `${file}: ${line.trim()}` : [])),
      );
    expect(found).toEqual([]);
  });
});
