/** How uniform the flow is at a cross-lane operation: 2 for the whole workgroup, 0 where lanes may be missing. By the rules of C's statements. */
import { expect, test } from "vitest";
import { compile } from "../../src/api/compile.js";
import type { OpCall } from "../../src/ast/nodes.js";
import { walkModule } from "../../src/ast/walk.js";
import { analyseFlow } from "../../src/passes/analysis/flow.js";

async function levels(body: string): Promise<number[]> {
  const text = `#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : require\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer X { uint x[]; };\nvoid main() {\nuint i = gl_LocalInvocationIndex;\nuint r = 0u;\n${body}\nx[i] = r;\n}\n`;
  const { module, diagnostics } = await compile(text, { from: "glsl" });
  expect(diagnostics).toEqual([]);
  const flow = analyseFlow(module!);
  const found: OpCall[] = [];
  walkModule(module!, { expr: (e) => void (e.kind === "op" && e.op === "subgroup.add" && found.push(e)) });
  return found.map((e) => flow.of(e));
}

const loop = (inside: string): string => `for (uint a = 0u; a < 4u; a++) {\n${inside}\n}`;

test.each<[string, string, readonly number[]]>([
  ["plain", "r = subgroupAdd(i);", [2]],
  ["a loop all take", loop("r += subgroupAdd(a);"), [2]],
  ["a loop each takes at its own length", "for (uint a = 0u; a < x[i]; a++) r += subgroupAdd(a);", [0]],
  ["a loop that some leave at its end", loop("r += subgroupAdd(a); if (x[i] == a) break;"), [0]],
  [
    "a loop inside one that some leave",
    loop("for (uint b = 0u; b < 4u; b++) r += subgroupAdd(b); if (x[i] == a) break;"),
    [0],
  ],
  ["a switch all take alike", loop("switch (a) { case 0u: break; default: r += subgroupAdd(a); }"), [2]],
  ["a switch by each lane", "switch (x[i]) { case 0u: r = 1u; break; default: r += subgroupAdd(i); }", [0]],
  [
    "after a switch by each lane",
    "switch (x[i]) { case 0u: r = 1u; break; default: r = 2u; } r += subgroupAdd(i);",
    [2],
  ],
  [
    "a case that some have left",
    loop("switch (a) { case 0u: if (x[i] == 1u) break; r += subgroupAdd(a); break; default: break; }"),
    [0],
  ],
  [
    "a loop whose next round some have gone to from a switch",
    loop("switch (x[i]) { case 0u: continue; default: break; } r += subgroupAdd(a);"),
    [0],
  ],
  ["after a return of some", "if (x[i] == 1u) return; r = subgroupAdd(i);", [0]],
  ["&& after what lanes disagree on", "if (x[i] > 1u && subgroupAdd(i) > 1u) r = 1u;", [0]],
  [
    "&& after what all agree on, and then not",
    "bool w = gl_WorkGroupID.x > 1u && subgroupAdd(i) > 1u && x[i] > 2u && subgroupAdd(r) > 1u; r = uint(w);",
    [2, 0],
  ],
  [
    "under what lanes disagree on, grown by what they agree on",
    "uint y = i; if (((y += 3u) & 4u) != 0u) r = subgroupAdd(i);",
    [0],
  ],
  ["under what lanes agree on, and grow", "uint y = 1u; if (((y += 3u) & 4u) != 0u) r = subgroupAdd(i);", [2]],
])("%s", async (_, body, expected) => expect(await levels(body)).toEqual(expected));

test("thirty loops in each other are looked at as often as one", async () => {
  const open = Array.from({ length: 30 }, (_, k) => `for (uint a${k} = 0u; a${k} < 2u; a${k}++)`).join(" ");
  expect(await levels(`${open} r += subgroupAdd(i);`)).toEqual([2]);
});

test("what settles after many rounds counts as divergent", async () => {
  const n = 100;
  const declared = Array.from({ length: n + 1 }, (_, k) => `uint v${k} = 0u;`).join(" ");
  const moved = Array.from({ length: n }, (_, k) => `v${k} = v${k + 1};`).join(" ");
  expect(
    await levels(
      `${declared} for (uint a = 0u; a < 4u; a++) { ${moved} v${n} = x[i]; }\nif (v0 > 1u) r = subgroupAdd(i);`,
    ),
  ).toEqual([0]);
});
