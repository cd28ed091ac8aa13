import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { glslPrograms } from "../src/judges/glsl.js";
import { hlslEntries } from "../src/judges/hlsl.js";
import { askGlslService, missingForGlslService } from "./support/judges/glsl-service.js";
import { repositoryRoot } from "./support/judges/judge.js";
import { judgeable, judgedDialectOf, judgeOutputs, judges, refusals } from "./support/judges/outputs.js";
import type { Judgeable, JudgedDialect } from "./support/judges/outputs.js";
import { summary } from "./support/not-run.js";
import { judgeTest, toolTest } from "./support/tool-test.js";

const fixtures = join(repositoryRoot, "fixtures");
const dialects: readonly JudgedDialect[] = ["msl", "glsl", "opencl", "hlsl"];

/** Texts under fixtures/<kernel>/[folder] that a judge takes. */
function texts(folder: string, wanted: (file: string) => boolean): Judgeable[] {
  return readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "errors")
    .flatMap(({ name }) => {
      const path = join(fixtures, name, folder);
      if (!existsSync(path)) return [];
      return readdirSync(path)
        .filter(wanted)
        .flatMap((file) => {
          const dialect = judgedDialectOf(file);
          return dialect === undefined
            ? []
            : [judgeable(dialect, join(name, folder, file), readFileSync(join(path, file), "utf8"))];
        });
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

describe("fixtures", () => {
  const sources = texts("", (file) => file.startsWith("kernel."));
  const expected = texts("expected", () => true);

  test("there are sources in every dialect", () => {
    for (const dialect of dialects)
      expect(sources.filter((source) => source.dialect === dialect).length).toBeGreaterThan(10);
  });

  for (const dialect of dialects) {
    judgeTest(judges[dialect], `the ${dialect} compiler accepts the ${dialect} sources`, async () => {
      expect(refusals(await judgeOutputs(sources.filter((source) => source.dialect === dialect)))).toBe("");
    });
    judgeTest(judges[dialect], `the ${dialect} compiler accepts the ${dialect} texts in expected/`, async () => {
      expect(refusals(await judgeOutputs(expected.filter((output) => output.dialect === dialect)))).toBe("");
    });
  }

  judgeTest(judges.hlsl, "DXC accepts the HLSL texts in expected/ as HLSL 2018 and 202x, too", async () => {
    // Before 2018 there are no 16-bit types, and in 2016 no enumerations. 2021, which brought templates and operators, is above.
    const versions = ["2018", "202x"] as const;
    const asked = versions.flatMap((hlslVersion) =>
      expected.flatMap((output) =>
        output.dialect === "hlsl" && !(hlslVersion === "2018" && /\b(template|operator)\b/.test(output.text))
          ? [{ ...output, name: `${output.name} in ${hlslVersion}`, options: { ...output.options, hlslVersion } }]
          : [],
      ),
    );
    expect(refusals(await judgeOutputs(asked))).toBe("");
  });

  judgeTest(judges.hlsl, "DXC is asked in the version that is named", async () => {
    const text =
      "template <typename T> T twice(T x) { return x + x; }\n[numthreads(1, 1, 1)] void k() { twice(1u); }\n";
    const asked = (["2018", "2021"] as const).map((hlslVersion) => ({
      name: hlslVersion,
      text,
      options: { hlslVersion },
    }));
    expect((await judges.hlsl.accept(asked)).map((v) => v.ok)).toEqual([false, true]);
  });
});

describe("judges refuse", () => {
  const glsl = (body: string, head = "") => `#version 460
${head}
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
void main() { uint i = gl_GlobalInvocationID.x; ${body} }
`;
  const opencl = (body: string) =>
    `__kernel void k(__global uint *data, __global const float *x) { size_t i = get_global_id(0); ${body} }\n`;
  const hlsl = (body: string) => `RWStructuredBuffer<uint> data : register(u0);
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) { uint i = id.x; ${body} }
`;
  const right: readonly Judgeable[] = [
    { dialect: "glsl", name: "store", text: glsl("data[i] = i;") },
    {
      dialect: "glsl",
      name: "subgroup",
      text: glsl("data[i] = subgroupAdd(i);", "#extension GL_KHR_shader_subgroup_arithmetic : require"),
    },
    { dialect: "opencl", name: "store", text: opencl("data[i] = (uint)x[i];") },
    { dialect: "opencl", name: "sub-group", text: opencl("data[i] = sub_group_reduce_add((uint)i);") },
    {
      dialect: "opencl",
      name: "1.2",
      text: opencl("data[i] = mul_hi(data[i], 3u);"),
      options: { version: "1.2" },
    },
    { dialect: "hlsl", name: "store", text: hlsl("data[i] = i;") },
    {
      dialect: "hlsl",
      name: "wave",
      text: hlsl("data[i] = WaveActiveSum(i);"),
      options: { profile: "cs_6_0" },
    },
    {
      dialect: "hlsl",
      name: "wave sizes",
      text: "RWStructuredBuffer<uint> data : register(u0);\n[WaveSize(4, 16, 8)]\n[numthreads(64, 1, 1)]\nvoid k(uint3 i : SV_DispatchThreadID) { data[i.x] = WaveActiveSum(i.x); }\n",
      options: { profile: "cs_6_8" },
    },
    {
      dialect: "hlsl",
      name: "16-bit",
      text: hlsl("uint16_t s = (uint16_t)i; data[i] = s;"),
      options: { profile: "cs_6_2", native16Bit: true },
    },
  ];
  const wrong: readonly (Judgeable & { readonly says: RegExp })[] = [
    {
      dialect: "glsl",
      name: "missing extension",
      text: glsl("data[i] = subgroupAdd(i);"),
      says: /required extension|no matching|not supported/,
    },
    {
      dialect: "glsl",
      name: "narrowing without a cast",
      text: glsl("int n = data[i];"),
      says: /cannot convert/,
    },
    { dialect: "glsl", name: "undeclared name", text: glsl("data[i] = j;"), says: /undeclared/ },
    {
      dialect: "glsl",
      name: "a function of HLSL",
      text: glsl("data[i] = asuint(1.0);"),
      says: /no matching overloaded function/,
    },
    {
      dialect: "glsl",
      name: "write to readonly",
      text: glsl("c[i] = 1u;", "layout(std430, binding = 1) readonly buffer C { uint c[]; };"),
      says: /can't modify/,
    },
    {
      dialect: "glsl",
      name: "layout that only spirv-val refuses",
      text: glsl(
        "data[i] = a[i].y;",
        "layout(push_constant) uniform P { uint y; } p;\nlayout(push_constant) uniform Q { uint z; } q;\nstruct S { uint y; };\nlayout(std430, binding = 2) buffer A { S a[]; };",
      ).replace("a[i].y", "a[i].y + p.y + q.z"),
      says: /push_constant|PushConstant/i,
    },
    {
      dialect: "opencl",
      name: "missing address space",
      text: "__kernel void k(uint *data) { data[0] = 1; }\n",
      says: /address space|__global/,
    },
    {
      dialect: "opencl",
      name: "address spaces mixed",
      text: opencl("__local uint s[4]; __global uint *p = s;"),
      says: /address space/,
    },
    {
      dialect: "opencl",
      name: "vectors of different types",
      text: opencl("float4 v = (int4)(1);"),
      says: /incompatible type|initializing/,
    },
    {
      dialect: "opencl",
      name: "unknown function",
      text: opencl("data[i] = asuint(x[i]);"),
      says: /undeclared|implicit declaration/,
    },
    {
      dialect: "opencl",
      name: "a declaration after a label",
      text: opencl("switch (i) { case 0: uint t = 1u; data[i] = t; break; default: break; }"),
      says: /C23 extension/,
    },
    {
      dialect: "opencl",
      name: "a label before a brace",
      text: opencl("switch (i) { case 0: data[i] = 1u; break; default: }"),
      says: /C23 extension/,
    },
    {
      dialect: "opencl",
      name: "an initializer that holds nothing",
      text: opencl("uint a[2] = {}; data[i] = a[0];"),
      says: /C23 extension/,
    },
    {
      dialect: "opencl",
      name: "an empty struct",
      text: opencl("struct { } s; data[i] = sizeof s;"),
      says: /GNU extension/,
    },
    {
      dialect: "opencl",
      name: "sub-groups in 1.2",
      text: opencl("data[i] = sub_group_reduce_add((uint)i);"),
      options: { version: "1.2" },
      says: /undeclared|implicit declaration/,
    },
    { dialect: "hlsl", name: "undeclared name", text: hlsl("data[i] = j;"), says: /undeclared identifier/ },
    {
      dialect: "hlsl",
      name: "intrinsic above the profile",
      text: hlsl("data[i] = WaveMatch(i).x;"),
      options: { profile: "cs_6_0" },
      says: /6\.5|not valid|unsupported|requires/,
    },
    {
      dialect: "hlsl",
      name: "16-bit types without the option",
      text: hlsl("uint16_t s = (uint16_t)i; data[i] = s;"),
      options: { profile: "cs_6_2", native16Bit: false },
      says: /unknown type name|16/,
    },
    {
      dialect: "hlsl",
      name: "write to a read-only buffer",
      text: `StructuredBuffer<uint> c : register(t0);\n${hlsl("c[i] = 1;")}`,
      says: /const|lvalue|not assignable/,
    },
    { dialect: "hlsl", name: "no entry point", text: "void helper() {}\n", says: /numthreads/ },
    {
      dialect: "hlsl",
      name: "a function of GLSL",
      text: hlsl("data[i] = floatBitsToUint(1.0);"),
      says: /undeclared identifier/,
    },
  ];

  for (const dialect of ["glsl", "opencl", "hlsl"] as const) {
    judgeTest(judges[dialect], `what is wrong in ${dialect}, and nothing else`, async () => {
      expect(refusals(await judgeOutputs(right.filter((text) => text.dialect === dialect)))).toBe("");
      const mine = wrong.filter((text) => text.dialect === dialect);
      const judged = await judgeOutputs(mine);
      judged.forEach(({ name, ok, log }, i) => {
        expect({ name, ok }).toEqual({ name, ok: false });
        expect(log, name).toMatch(mine[i]!.says);
      });
    });
  }
});

describe("glslang's libraries in a process of their own", () => {
  const head =
    "#version 460\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer Data { uint data[]; };\n";
  const main = (body: string): string => `void main() { uint i = gl_GlobalInvocationID.x; ${body} }\n`;
  const pushed = (name: string): string => `layout(push_constant) uniform ${name} { uint x; } of${name};\n`;
  const scalar = head.replace("std430", "scalar").replace("uint data[]", "vec3 a; vec4 data");
  const texts: Readonly<Record<string, string>> = {
    store: `${head}${main("data[i] = i;")}`,
    "after others of the same process": `${head}${main("data[i] = i + 1u;")}`,
    "another version": `${head.replace("460", "450")}${main("data[i] = i;")}`,
    "no version": head.replace(/^.*\n/, "") + main("data[i] = i;"),
    "warnings alone": `${head}#extension GL_NO_such_thing : enable\n${main("data[i] = 1u << 40;")}`,
    "several errors": `${head}${main('data[i] = j; data[i] = vec2(1.0); k(); "text";')}`,
    "an error, and one of linking": `${head}uint f(uint x);\n${main("data[i] = f(j);")}`,
    "no body": `${head}uint f(uint x);\n${main("data[i] = f(i);")}`,
    recursion: `${head}uint f(uint x) { return f(x - 1u); }\n${main("data[i] = f(i);")}`,
    "no entry point": `${head}void other() {}\n`,
    "an end in a comment": `${head}${main("data[i] = i; /* é")}`,
    "a layout that only spirv-val refuses": `${head}${pushed("P")}${pushed("Q")}${main("data[i] = ofP.x + ofQ.x;")}`,
    "a layout of scalars": `#version 460\n#extension GL_EXT_scalar_block_layout : require\n${scalar.replace(/^.*\n/, "")}${main("data.x = a.x;")}`,
    "a subgroup's sum": `#version 460\n#extension GL_KHR_shader_subgroup_arithmetic : require\n${head.replace(/^.*\n/, "")}${main("data[i] = subgroupAdd(i);")}`,
    nothing: "",
  };
  toolTest([...glslPrograms.missing(), ...missingForGlslService()], "say what the programs say", async () => {
    const statuses = new Set<string>();
    for (const [n, [name, text]] of Object.entries(texts).entries())
      for (const scalar of /scalar/.test(text) ? [true, false] : [false]) {
        const request = [text, (["vulkan1.1", "vulkan1.2", "vulkan1.3"] as const)[n % 3]!, scalar] as const;
        const programs = await glslPrograms.compile(...request);
        expect(await askGlslService(...request), name).toEqual(programs);
        statuses.add(`${programs.compiled.status} ${programs.validated?.status}`);
      }
    expect([...statuses].sort()).toEqual(["0 0", "0 1", "2 undefined", "3 undefined"]);
  });
});

describe("helpers of the judges", () => {
  test("entry points of HLSL are found behind comments and other attributes", () => {
    const text = `
      // [numthreads(1, 1, 1)] void no() {}
      [numthreads(8, 8, 1)]
      void first(uint3 id : SV_DispatchThreadID) {}
      void helper(uint a) {}
      [WaveSize(32)] [numthreads(64, 1, 1)] [shader("compute")] void second() {}
    `;
    expect(hlslEntries(text)).toEqual(["first", "second"]);
  });

  test("the closing summary counts tests by tool", () => {
    const record = (tool: string, name: string) => JSON.stringify({ tool, name });
    const records = [record("wine", "a"), record("clang-19", "b"), record("clang-19", "c"), ""].join("\n");
    expect(summary(records)).toEqual(["not run: wine missing (1 test)", "not run: clang-19 missing (2 tests)"]);
  });
});
