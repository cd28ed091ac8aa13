/** `--format json` and `--format sarif` for every outcome, and which messages count. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reportProblems, sarifProblems } from "../support/schemas.js";
import { crosslane, workspace } from "./command-line.js";
import type { Ran } from "./command-line.js";

interface Diagnostic {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly location?: { readonly file: string; readonly line: number };
}
interface Report {
  readonly command?: string;
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly omittedErrors?: number;
  readonly suppressed?: readonly { readonly by: string; readonly diagnostic: Diagnostic }[];
  readonly outputs?: readonly { readonly code?: string; readonly refused: boolean }[];
}
interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly suppressions?: readonly { readonly kind: string }[];
  readonly locations?: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: Readonly<Record<string, number>>;
    };
  }[];
  readonly relatedLocations?: readonly unknown[];
}
interface Sarif {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly invocations: readonly [
        {
          readonly executionSuccessful: boolean;
          readonly exitCode: number;
          readonly toolConfigurationNotifications?: readonly { readonly descriptor: { readonly id: string } }[];
        },
      ];
      readonly results: readonly SarifResult[];
    },
  ];
}

const report = ({ out }: Ran): Report => JSON.parse(out) as Report;

/** Two names that are not there, on lines 2 and 3, and a warning of the preprocessor on line 4. */
const wrong = `kernel void k(device int *x, uint i [[thread_position_in_grid]]) {
  x[i] = missing;
  x[i + 1] = absent;
#warning "old"
}
`;
const warned = `kernel void k(device int *x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
#warning "old"
  x[i] = 1;
}
`;
/** Reads beyond its buffer of four: XL5002 on line 2. */
const beyond = `kernel void k(__global int *x, __global int *y) {
  y[get_global_id(0)] = x[get_global_id(0) + 1];
}
`;
const launch = JSON.stringify({
  workgroups: [1],
  workgroupSize: [4],
  args: {
    x: { type: "i32", count: 4, init: { fill: 1 } },
    y: { type: "i32", count: 4, init: { fill: 0 }, output: true },
  },
});

function kernels(files: Readonly<Record<string, string>>): string {
  const folder = workspace();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const outcomes: readonly (readonly [what: string, args: readonly string[], code: number, codes: readonly string[]])[] =
  [
    ["a translation", ["translate", "good.cl", "--to", "glsl", "--workgroup-size", "4"], 0, []],
    ["one into a folder", ["translate", "good.cl", "--to", "msl,ts", "--out-dir", "out"], 0, []],
    ["errors of the source", ["translate", "wrong.metal", "--to", "glsl"], 1, ["XL0008", "XL2001", "XL2001"]],
    ["a target that refuses", ["translate", "bare.cl", "--to", "hlsl"], 1, ["XL4003"]],
    ["a check", ["check", "good.cl", "warned.metal"], 0, ["XL0008"]],
    ["a verification", ["verify", "good.cl", "--to", "msl"], 4, ["XL6011", "XL5002"]],
    [
      "one that is right",
      ["verify", "safe.cl", "--to", "msl,ts", "--launch", "good.launch.json", "--mutants", "3"],
      0,
      [],
    ],
    ["several verifications", ["verify", "s*.cl", "good.cl", "--to", "msl"], 4, ["XL6011", "XL5002"]],
    ["a run", ["run", "safe.cl", "--launch", "good.launch.json", "--coverage"], 0, []],
    ["capabilities", ["capabilities", "subgroup.add"], 0, []],
    ["a run with a finding", ["run", "good.cl"], 4, ["XL5002"]],
    ["a run without a launch file", ["run", "warned.metal"], 1, ["XL0008", "XL6012"]],
    ["a reflection", ["reflect", "good.cl"], 0, []],
    ["stale output", ["translate", "good.cl", "--to", "msl", "-o", "old.metal", "--check"], 3, ["XL8004"]],
    ["output over an input", ["translate", "good.cl", "--to", "opencl", "-o", "good.cl"], 2, ["XL8003"]],
    ["a folder in place of a file", ["translate", "folder.cl", "--to", "msl"], 1, ["XL8002"]],
    ["a file that is not there", ["check", "nowhere.cl"], 1, ["XL8002"]],
    ["a pattern that no file fits", ["check", "*.comp"], 2, ["XL8001"]],
    ["a folder whose name says no dialect", ["check", "."], 2, ["XL8001"]],
    ["an unknown option", ["check", "good.cl", "--strickt"], 2, ["XL8001"]],
    ["a missing argument", ["check"], 2, ["XL8001"]],
    ["a missing option", ["translate", "good.cl"], 2, ["XL8001"]],
    ["a wrong value", ["translate", "good.cl", "--to", "metal"], 2, ["XL8001"]],
    ["an unknown code", ["check", "good.cl", "--suppress", "XL9999"], 2, ["XL8001"]],
    ["a device profile that is not there", ["check", "good.cl", "--device-profile", "none.json"], 1, ["XL8002"]],
    ["an unknown command", ["chekc", "good.cl"], 2, ["XL8001"]],
  ];

describe("reports for machines", () => {
  const files = {
    "good.cl": beyond,
    "bare.cl": beyond,
    "safe.cl": beyond.replace(" + 1", ""),
    "good.launch.json": launch,
    "wrong.metal": wrong,
    "warned.metal": warned,
  };

  test.each(outcomes)("%s: JSON of the schema, and nothing else", async (_, args, code, codes) => {
    const folder = kernels({ ...files, "old.metal": "old" });
    mkdirSync(join(folder, "folder.cl"));
    const ran = await crosslane(folder, [...args, "--format", "json"]);
    const json = report(ran);
    expect(reportProblems(json)).toEqual([]);
    expect({ code: ran.code, exit: json.exitCode, err: ran.err }).toEqual({ code, exit: code, err: "" });
    expect(json.diagnostics.map((d) => d.code)).toEqual(codes);
    expect(json.command).toBe(args[0] === "chekc" ? undefined : args[0]);
  });

  // `capabilities` has tables of its own, and JSON.
  test.each(outcomes.filter(([what]) => what !== "capabilities"))(
    "%s: SARIF that its schema takes",
    async (_, args, code, codes) => {
      const folder = kernels({ ...files, "old.metal": "old" });
      mkdirSync(join(folder, "folder.cl"));
      const ran = await crosslane(folder, [...args, "--format=sarif"]);
      const sarif = JSON.parse(ran.out) as Sarif;
      expect(sarifProblems(sarif)).toEqual([]);
      expect({ code: ran.code, err: ran.err }).toEqual({ code, err: "" });
      const [{ invocations, results, tool }] = sarif.runs;
      const told = [
        ...results.map((r) => r.ruleId),
        ...(invocations[0].toolConfigurationNotifications ?? []).map((n) => n.descriptor.id),
      ];
      expect(told).toEqual([...codes].sort((a, b) => Number(a.startsWith("XL8")) - Number(b.startsWith("XL8"))));
      for (const r of results) expect(tool.driver.rules[r.ruleIndex]!.id).toBe(r.ruleId);
      expect(invocations[0]).toMatchObject({
        exitCode: code,
        executionSuccessful: !codes.some((c) => c.startsWith("XL8") && c !== "XL8004"),
      });
    },
  );

  test("the schemas are no rubber stamps", () => {
    expect(reportProblems({ version: 1 })).not.toEqual([]);
    expect(reportProblems({ version: 1, crosslane: "1", exitCode: 5, diagnostics: [] })).not.toEqual([]);
    expect(sarifProblems({ version: "2.1.0" })).not.toEqual([]);
    expect(sarifProblems({ version: "2.1.0", runs: [{ tool: { driver: { name: "x" } }, results: [{}] }] })).not.toEqual(
      [],
    );
  });

  test("places in SARIF: files by URI, columns behind the last, notes as related locations", async () => {
    const folder = workspace();
    mkdirSync(join(folder, "a b"));
    const text = "kernel void k(__global int *x) {\n  int größe = 1;\n  int größe = 2;\n}\n".replaceAll(
      "größe",
      "size",
    );
    writeFileSync(join(folder, "a b", "ü.cl"), text);
    const sarif = JSON.parse((await crosslane(folder, ["check", "a b/ü.cl", "--format", "sarif"])).out) as Sarif;
    const [result] = sarif.runs[0].results;
    expect(result).toMatchObject({ ruleId: "XL2002", level: "error" });
    const { artifactLocation, region } = result!.locations![0]!.physicalLocation;
    expect(artifactLocation.uri).toBe("a%20b/%C3%BC.cl");
    expect(new URL(artifactLocation.uri, "file:///here/").pathname).toBe("/here/a%20b/%C3%BC.cl");
    // `size` is characters 7 to 10 of line 3.
    expect(region).toEqual({ startLine: 3, startColumn: 7, endLine: 3, endColumn: 11 });
    expect(result!.relatedLocations).toHaveLength(1);
  });
});

describe("which messages count", () => {
  const translate = ["translate", "warned.metal", "--to", "opencl"];

  test("warnings as errors, by code or all: the text is not written", async () => {
    const folder = kernels({ "warned.metal": warned });
    const plain = await crosslane(folder, translate);
    expect(plain.code).toBe(0);
    expect(plain.err).toContain("warning[XL0008]");
    expect(plain.out).toContain("__kernel");
    for (const codes of ["XL0008", "xl0008", "all", "XL6015,XL0008"]) {
      const ran = await crosslane(folder, [...translate, "--error-on", codes]);
      expect(ran.code).toBe(1);
      expect(ran.err).toContain("error[XL0008]");
      expect(ran.out).toBe("");
    }
    expect((await crosslane(folder, [...translate, "--error-on", "XL6015"])).code).toBe(0);
    expect((await crosslane(folder, ["check", "warned.metal", "--error-on", "all"])).code).toBe(1);
  });

  test("a warning of the verification keeps a text from being written where it counts", async () => {
    // Right at a width of 32 only: XL6015.
    const wide = `#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out { uint sums[]; };
shared uint partial[2];
void main() {
  uint i = gl_LocalInvocationIndex;
  uint sum = subgroupAdd(1u);
  if ((i & 31u) == 0u) partial[i / 32u] = sum;
  barrier();
  if (i == 0u) sums[gl_WorkGroupID.x] = partial[0] + partial[1];
}
`;
    const args = { sums: { type: "u32", count: 1, init: { fill: 0 }, output: true } };
    const folder = kernels({ "w.comp": wide, "w.launch.json": JSON.stringify({ workgroups: [1], args }) });
    const command = ["translate", "w.comp", "--to", "opencl", "--verify"];
    const plain = await crosslane(folder, command);
    expect(plain.err).toContain("warning[XL6015]");
    expect(plain.out).toContain("sub_group_reduce_add");
    const strict = await crosslane(folder, [...command, "--error-on", "XL6015"]);
    expect(strict.err).toContain("error[XL6015]");
    expect({ code: strict.code, out: strict.out }).toEqual({ code: 1, out: "" });
  });

  test("silence by code, which the report tells of", async () => {
    const folder = kernels({ "warned.metal": warned, "wrong.metal": wrong });
    const ran = await crosslane(folder, [...translate, "--suppress", "XL0008", "--error-on", "all"]);
    expect({ code: ran.code, warned: ran.err.includes("XL0008") }).toEqual({ code: 0, warned: false });
    const json = report(await crosslane(folder, [...translate, "--suppress", "XL0008", "--format", "json"]));
    expect(reportProblems(json)).toEqual([]);
    expect(json.diagnostics).toEqual([]);
    expect(json.suppressed).toMatchObject([{ by: "option", diagnostic: { code: "XL0008", severity: "warning" } }]);
    const sarif = JSON.parse(
      (await crosslane(folder, [...translate, "--suppress", "XL0008", "--format", "sarif"])).out,
    ) as Sarif;
    expect(sarifProblems(sarif)).toEqual([]);
    expect(sarif.runs[0].results).toMatchObject([{ ruleId: "XL0008", suppressions: [{ kind: "external" }] }]);
    // Errors stay.
    const errors = await crosslane(folder, ["check", "wrong.metal", "--suppress", "XL2001"]);
    expect(errors.code).toBe(1);
    expect(errors.err.match(/error\[XL2001\]/g)).toHaveLength(2);
  });

  test("a number of errors", async () => {
    const folder = kernels({ "wrong.metal": wrong });
    const { code, err } = await crosslane(folder, ["check", "wrong.metal", "--max-errors", "1"]);
    expect(code).toBe(1);
    expect(err.match(/error\[/g)).toHaveLength(1);
    expect(err).toContain("1 more error is not shown (--max-errors 1)");
    const json = report(await crosslane(folder, ["check", "wrong.metal", "--max-errors", "1", "--format", "json"]));
    expect(json.diagnostics.filter((d) => d.severity === "error")).toHaveLength(1);
    expect(json.omittedErrors).toBe(1);
    expect((await crosslane(folder, ["check", "wrong.metal", "--max-errors", "0"])).code).toBe(2);
  });

  test("a finding that a comment suppresses does not count", async () => {
    const silent = beyond.replace("+ 1];", "+ 1]; // crosslane-suppress XL5002: on purpose");
    const folder = kernels({ "good.cl": silent, "good.launch.json": launch });
    const ran = await crosslane(folder, ["run", "good.cl"]);
    expect({ code: ran.code, found: ran.err }).toEqual({ code: 0, found: "" });
    // It says nothing about a translation: the source still has the finding.
    expect((await crosslane(folder, ["verify", "good.cl", "--to", "msl"])).code).toBe(4);
  });

  test("comments in an included file, and what is wrong with one", async () => {
    const folder = kernels({
      "main.cl": '#include "part.h"\n__kernel void k(__global int *x) { x[0] = 1; }\n',
      "part.h": '// crosslane-suppress XL0008\n#warning "one"\n#warning "two"\n// crosslane-suppress XL008\n',
    });
    const json = report(await crosslane(folder, ["check", "main.cl", "--format", "json"]));
    expect(json.diagnostics.map((d) => [d.code, d.location?.file, d.location?.line])).toEqual([
      ["XL0015", "part.h", 4],
      ["XL0008", "part.h", 3],
    ]);
    expect(json.suppressed).toMatchObject([{ by: "comment", diagnostic: { location: { line: 2 } } }]);
  });
});
