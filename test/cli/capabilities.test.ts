/** What `crosslane capabilities` says, held against the tables of the dialects' specifications. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { capabilities, capabilityByProfile } from "../../src/api/capabilities.js";
import { capabilityDocuments } from "../../src/cli/capability-markdown.js";

const formOf = (op: string, profile: string, type: string) =>
  capabilities({ filter: op, profile })
    .flatMap((row) => Object.values(row.targets))
    .flatMap((t) => t.forms)
    .find((f) => new RegExp(`\\b${type}\\b`).test(f.types) || f.types === "");

describe("one op, one target, one profile", () => {
  test("native, with what it stands on", () => {
    expect(formOf("subgroup.add", "vulkan1.1", "f32")).toMatchObject({
      verdict: "native",
      spellings: ["subgroupAdd"],
      requires: ["glsl.KHR_shader_subgroup_arithmetic"],
      cost: "native",
    });
    expect(formOf("subgroup.add", "sm6.0", "u32")).toMatchObject({
      verdict: "native",
      spellings: ["WaveActiveSum"],
    });
  });

  test("emulated, with the lowering, what it is made of and its cost", () => {
    // HLSL has no scan of minima: a loop over the ballot (cross-lane.md 1.6).
    const scan = formOf("subgroup.inclusive_min", "sm6.6", "i32")!;
    expect(scan).toMatchObject({ verdict: "emulated", cost: "loop" });
    expect(scan.spellings).toEqual(expect.arrayContaining(["WaveActiveBallot", "WaveReadLaneAt"]));
    // The edge rule of MSL's shuffles is a comparison around the native shuffle elsewhere.
    expect(formOf("subgroup.shuffle_up_keep", "vulkan1.3", "f32")).toMatchObject({
      verdict: "emulated",
      cost: "composed",
    });
  });

  test("refused, with a reason", () => {
    expect(formOf("subgroup.add", "sm5.0", "u32")).toMatchObject({
      verdict: "refused",
      cost: "refused",
      spellings: [],
    });
    // SIMD-group reductions came to iOS with MSL 2.3, to macOS with 2.1 (MSL specification, 6.9).
    expect(formOf("subgroup.add", "msl2.1-ios", "u32")?.verdict).toBe("refused");
    // Votes and shuffles came with 2.2: a loop over the lanes until then.
    expect(formOf("subgroup.add", "msl2.2-ios", "u32")).toMatchObject({ verdict: "emulated", cost: "loop" });
    expect(formOf("subgroup.add", "msl2.2-macos", "u32")?.verdict).toBe("native");
    expect(formOf("subgroup.add", "msl2.3-ios", "u32")?.verdict).toBe("native");
  });

  test("flow decides where OpenCL's base operations may stand", () => {
    const forms = capabilities({ filter: "subgroup.add", profile: "opencl3.0" })[0]!.targets.opencl!.forms;
    const scalar = forms.filter((f) => f.types.startsWith("f32") && f.types.endsWith("scalar"));
    expect(scalar.map((f) => [f.flow, f.spellings[0]])).toEqual([
      ["uniform", "sub_group_reduce_add"],
      ["divergent", "sub_group_non_uniform_reduce_add"],
    ]);
  });

  test("a broadcast from a computed lane needs SPIR-V 1.5", () => {
    const forms = capabilities({ filter: "subgroup.broadcast", profile: "vulkan1.1" })[0]!.targets.glsl!.forms;
    const of = (lane: string) => forms.find((f) => f.types.startsWith("f32") && f.lane === lane);
    expect(of("constant")).toMatchObject({ verdict: "native", spellings: ["subgroupBroadcast"] });
    expect(of("computed")).toMatchObject({ verdict: "emulated", spellings: ["subgroupShuffle"] });
  });
});

test("profiles with the same answer come together", () => {
  const groups = capabilityByProfile("subgroup.add", "glsl");
  const plain = ["vulkan1.1", "vulkan1.2", "vulkan1.3", "vulkan1.4"];
  expect(groups.map((g) => g.profiles)).toEqual([[...plain, ...plain.map((p) => `${p}-nv`)]]);
});

test("docs/capabilities.md and its pages are what the passes say, and their links lead somewhere", () => {
  const docs = new URL("../../docs/", import.meta.url);
  const pages = capabilityDocuments();
  const folder = new URL("capabilities/", docs);
  if (process.env.UPDATE_GOLDEN === "1") {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [path, text] of pages) writeFileSync(new URL(path, docs), text);
  }
  for (const [path, text] of pages)
    expect(readFileSync(new URL(path, docs), "utf8"), `${path}: regenerate with UPDATE_GOLDEN=1`).toBe(text);
  expect(readdirSync(folder).sort()).toEqual(
    [...pages.keys()].flatMap((p) => (p.startsWith("capabilities/") ? [p.slice("capabilities/".length)] : [])).sort(),
  );
  const titles = new Map(
    [...pages].map(([path, text]) => [
      new URL(path, docs).href,
      // As GitHub makes anchors of headings.
      new Set(
        [...text.matchAll(/^#+ (.*)$/gm)].map(([, t]) =>
          t!
            .toLowerCase()
            .replace(/[^\w -]/g, "")
            .replaceAll(" ", "-"),
        ),
      ),
    ]),
  );
  const broken = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)]*)\)/g)].flatMap(([, link]) => {
      const { href, hash } = new URL(link!, new URL(path, docs));
      const found = titles.get(href.slice(0, href.length - hash.length));
      return found && (hash === "" || found.has(hash.slice(1))) ? [] : [`${path}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
  // Every op is on the page of its category, and the summary alone is what one reads through.
  for (const row of capabilities({ filter: "quad" }))
    expect(pages.get("capabilities/quad.md")).toContain(`## ${row.op}\n`);
  for (const [path, text] of pages) expect(text.length, path).toBeLessThan(200_000);
});
