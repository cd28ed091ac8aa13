/**
 * docs/diagnostics.md lists every code, docs/messages.md shows a message of each; every code is used, and codes the documents name
 * exist. UPDATE_DOCS=1 writes both.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codes, codeStages } from "../src/support/codes.js";
import { repositoryRoot } from "./support/judges/judge.js";

const file = join(repositoryRoot, "docs/diagnostics.md");
const listed = Object.entries(codes);

function text(): string {
  const stages = codeStages.map((stage, digit) => {
    const rows = listed
      .filter(([code]) => Number(code[2]) === digit)
      .map(([code, { what, then }]) => `| ${code} | ${what} | ${then.replaceAll("|", "\\|")} |`);
    return `## XL${digit}: ${stage}\n\n| code | what it says | what to do |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `# Diagnostics

Messages name the construct and the place in the original file; the code says which kind of fault it is. \`crosslane explain <code>\`
prints one of these rows and the message of [messages.md](messages.md) that shows it. Codes do not change their meaning, so that scripts can rely on them.

${stages.join("\n")}`;
}

/** The first message with a code in what the commands of its folder in fixtures/errors print; they have all but what is JSON there. */
function exampleOf(code: string): string | undefined {
  const printed = join(repositoryRoot, "fixtures/errors", code, "expected.txt");
  if (!existsSync(printed)) return undefined;
  return readFileSync(printed, "utf8")
    .split(/\n\n/)
    .find((block) => /^\w+\[/.test(block) && block.includes(`[${code}]`));
}

function messages(): string {
  const shown = listed.flatMap(([code]) => {
    const example = exampleOf(code);
    return example === undefined ? [] : [`## ${code}\n\n\`\`\`text\n${example.trimEnd()}\n\`\`\`\n`];
  });
  return `# A message of each code

As \`crosslane explain <code>\` shows them; [diagnostics.md](diagnostics.md) says what to do. What is said beside errors only with
\`--format json\` has no message here.

${shown.join("\n")}`;
}

const sources = (folder: string): string[] =>
  readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((f) => f.endsWith(".ts") && f !== join("support", "codes.ts"))
    .map((f) => readFileSync(join(repositoryRoot, folder, f), "utf8"));

describe("codes of diagnostics", () => {
  test("the document is up to date", () => {
    if (process.env.UPDATE_DOCS) writeFileSync(file, text());
    expect(readFileSync(file, "utf8")).toBe(text());
  });

  test("the messages are those that the commands print", () => {
    const path = join(repositoryRoot, "docs/messages.md");
    if (process.env.UPDATE_DOCS) writeFileSync(path, messages());
    expect(readFileSync(path, "utf8")).toBe(messages());
    // test/codes.test.ts says which codes have no folder, and why. What is printed as JSON is no message.
    const typed = (code: string): string => join(repositoryRoot, "fixtures/errors", code, "command.txt");
    const shown = listed.filter(
      ([code]) => existsSync(typed(code)) && !readFileSync(typed(code), "utf8").includes("--format json"),
    );
    expect(shown.map(([code]) => code).filter((code) => exampleOf(code) === undefined)).toEqual([]);
    expect(shown.length).toBeGreaterThan(listed.length * 0.9);
  });

  test("are sorted, and each is reported somewhere", () => {
    const names = listed.map(([code]) => code);
    expect(names).toEqual([...names].sort());
    const written = new Set([...sources("src"), ...sources("emitters")].flatMap((t) => t.match(/\bXL\d{4}\b/g) ?? []));
    expect(names.filter((code) => !written.has(code))).toEqual([]);
  });

  test("that documents name exist", () => {
    const documents = [
      "README.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "docs/assumptions.md",
      "docs/devices.md",
      "docs/launch-files.md",
    ];
    const named = documents.flatMap(
      (name) => readFileSync(join(repositoryRoot, name), "utf8").match(/\bXL\d{4}\b/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((code) => !Object.hasOwn(codes, code))).toEqual([]);
  });

  test("of what is not supported yet say what else to write", () => {
    // XL1900 has a way out by itself; another code, or a table's row, has to bring one.
    const wayOut = /"XL1900"|\bnotYet\b|\bhelp\b/;
    const comments = /\/\*[^]*?\*\/|\/\/.*/g;
    const statements = [...sources("src"), ...sources("emitters")].flatMap((text) =>
      text
        .replace(comments, "")
        .split(/;\n|\{\n(?! *(?:help|notYet|error))/)
        .filter((statement) => statement.includes(" supported yet")),
    );
    expect(statements.length).toBeGreaterThan(15);
    expect(statements.filter((statement) => !wayOut.test(statement))).toEqual([]);
  });

  test("are explained in plain sentences of the usual form", () => {
    for (const [code, { what, then }] of listed)
      for (const sentence of [what, then]) {
        expect(sentence, code).toMatch(/^[^A-Z]|^(?:README|OpenCL)/);
        expect(sentence, code).not.toMatch(/\.$/);
      }
  });
});
