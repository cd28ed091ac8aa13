import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { frontEnd } from "../../src/frontend/index.js";
import { locate } from "../../src/support/expanded-source.js";

const fixtures = join(dirname(fileURLToPath(import.meta.url)), "../../fixtures");
const extensions = { metal: "msl", comp: "glsl", cl: "opencl", hlsl: "hlsl" } as const;

describe("every fixture parses", () => {
  for (const name of readdirSync(fixtures).sort()) {
    for (const [extension, dialect] of Object.entries(extensions)) {
      const file = join(fixtures, name, `kernel.${extension}`);
      if (!existsSync(file)) continue;
      test(`${name}, ${dialect}`, async () => {
        const { unit, problems, expanded } = await frontEnd(readFileSync(file, "utf8"), {
          from: dialect,
          fileName: file,
        });
        expect(problems.map((p) => `${p.message} at ${p.span ? locate(expanded, p.span).line : "?"}`)).toEqual([]);
        expect(unit.declarations.length).toBeGreaterThan(0);
      });
    }
  }
});
