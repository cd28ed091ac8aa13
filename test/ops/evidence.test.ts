/**
 * Every entry of the capability table says where its truth comes from, in a form that leads somewhere: a section of
 * docs/semantics, a section of a specification, an extension by name, or a compiler or driver that docs/semantics/README.md
 * names with its version. References in the code resolve likewise.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rows } from "../../src/ops/table.js";
import { lowerings } from "../../src/passes/lowerings/index.js";
import { repositoryRoot } from "../support/judges/judge.js";

const page = (name: string): string => readFileSync(join(repositoryRoot, "docs/semantics", name), "utf8");
const pages = new Map(["cross-lane.md", "data.md", "memory.md", "lowerings.md"].map((name) => [name, page(name)]));

/** Ids a page can be cited by: numbers of headings, `R-...` and other ids in the first column of a table. */
const ids = new Map(
  [...pages].map(([name, text]) => {
    const headings = [...text.matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map((m) => m[1]!);
    const firsts = [...text.matchAll(/^\| `?([^|`]+?)`?(?: \([^|]*\))? \|/gm)].flatMap((m) => m[1]!.split(" "));
    // A lowering may be described in a sentence of its own: `R-SGB (no subgroup barrier): ...`.
    const lines = [...text.matchAll(/(?:^|[ ,(])(R-[A-Z0-9]+)(?: \([^)]*\))?\)?: /gm)].map((m) => m[1]!);
    return [name, new Set([...headings, ...firsts, ...lines])] as const;
  }),
);

/** Names of docs/semantics/README.md under Evidence. */
const sources = [
  ...page("README.md")
    .split("## Evidence")[1]!
    .matchAll(/^\| ([^|]+) \| /gm),
]
  .map((m) => m[1]!.trim())
  .filter((n) => n !== "name" && !n.startsWith("-"));
const specifications = ["MSL", "GLSL", "OpenCL C", "Vulkan"];
const tools = sources.filter((s) => !specifications.includes(s));

/** `data.md section 9`, `data.md sections 10 and 11`, `cross-lane.md 1.8, 1.9`, `memory.md 6.3 R-SUB`, `lowerings.md clz`. */
const reference =
  /\b(cross-lane|data|memory)\.md((?:(?:,| and| to)?(?: sections?)? (?:R-[A-Z0-9]+|\d+(?:\.\d+)*))*)|\b(lowerings)\.md(?! \$)( [a-z0-9-]+)?/g;

/** What of a page is cited and is not there. */
function unresolved(text: string): string[] {
  // Comments go on in the next line.
  const joined = text.replace(/\n\s*\* /g, " ");
  return [...joined.matchAll(reference)].flatMap((m) => {
    const name = `${m[1] ?? m[3]!}.md`;
    const known = ids.get(name)!;
    const cited = m[3] ? [m[4]?.trim() ?? ""] : [...m[2]!.matchAll(/R-[A-Z0-9]+|\d+(?:\.\d+)*/g)].map((c) => c[0]);
    if (cited.length === 0 || cited[0] === "") return [`${m[0]}: no section`];
    return cited.filter((c) => !known.has(c)).map((c) => `${name} ${c}`);
  });
}

/** Why a piece of evidence leads nowhere; undefined where it does. */
function objection(evidence: string): string | undefined {
  if (evidence === "by definition") return undefined;
  if (/\.md\b/.test(evidence)) {
    const missing = unresolved(evidence);
    return missing.length === 0 ? undefined : missing.join(", ");
  }
  for (const part of evidence.split(/[;,] /)) {
    const text = part.split(": ")[0]!;
    const ok =
      specifications.some((s) => new RegExp(`^${s} \\d+\\.\\d+ \\d+(\\.\\d+)*$`).test(text)) ||
      /^\d+(\.\d+)*$/.test(text) ||
      /^(GL_[A-Z]+_\w+|cl_\w+)$/.test(text) ||
      tools.some((t) => text === t || text.startsWith(`${t} `));
    if (!ok) return `'${part}' names no section, extension or tool`;
  }
  return undefined;
}

describe("evidence", () => {
  test("of every entry leads somewhere", () => {
    const wrong = new Map<string, string>();
    for (const row of rows.values())
      for (const cells of Object.values(row.cells))
        for (const cell of cells) {
          const said = cell.kind === "refused" ? undefined : cell.evidence;
          const reason = said === undefined ? undefined : objection(said);
          if (reason) wrong.set(`${row.id}: ${said}`, reason);
        }
    expect(Object.fromEntries(wrong)).toEqual({});
  });

  test("of what dialects leave open leads somewhere", () => {
    const wrong = [...rows.values()].flatMap(({ id, open }) =>
      (open ?? [])
        .flatMap((o) => Object.values(o.in))
        .flatMap((said) => (objection(said) === undefined ? [] : [`${id}: ${said}`])),
    );
    expect(wrong).toEqual([]);
  });

  test("of every lowering stands in lowerings.md, and nothing else does", () => {
    const named = [...pages.get("lowerings.md")!.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map((m) => m[1]!);
    expect(named.sort()).toEqual(Object.keys(lowerings).sort());
    const said = [...pages.get("lowerings.md")!.matchAll(/^\| `([a-z0-9-]+)` \| [^|]+ \| ([^|]+) \|$/gm)];
    expect(said.length).toBe(named.length);
    expect(said.flatMap((m) => unresolved(m[2]!))).toEqual([]);
  });

  test("references in the code to docs/semantics resolve", () => {
    const wrong: string[] = [];
    let seen = 0;
    for (const folder of ["src", "emitters", "grammars"]) {
      for (const file of readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" })) {
        if (!/\.(ts|peggy|mjs)$/.test(file) || file.includes("generated")) continue;
        const text = readFileSync(join(repositoryRoot, folder, file), "utf8");
        seen += [...text.matchAll(reference)].length;
        wrong.push(...unresolved(text).map((u) => `${folder}/${file}: ${u}`));
      }
    }
    expect(seen).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  test.each(["data.md", "data.md section 99", "DirectX", "MSL 3.1", "seen on a machine"])(
    "%s leads nowhere",
    (text) => {
      expect(objection(text)).toBeDefined();
    },
  );
});
