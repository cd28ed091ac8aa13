/** Structures and constants described as data are those of the C headers: a C compiler says what it makes of them. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { cl, cl_name_version } from "../../src/device/opencl/api.js";
import { sizeOf } from "../../src/device/structures.js";
import type { Fields, Structure } from "../../src/device/structures.js";
import { vk } from "../../src/device/vulkan/api.js";
import * as vulkan from "../../src/device/vulkan/structures.js";
import { findProgram } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";

const compiler = ["gcc", "clang-19", "cc"].map(findProgram).find((c) => c !== undefined);

const missing = (header: string): string[] => [
  ...(compiler === undefined ? ["gcc"] : []),
  ...(existsSync(`/usr/include/${header}`) ? [] : [header]),
];

/** What a C program prints: one line per expression, as a whole number. */
function compute(
  headers: readonly string[],
  lines: readonly { readonly name: string; readonly expression: string }[],
): Map<string, bigint> {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-headers-"));
  try {
    const body = lines.map(({ name, expression }) => `  printf("${name} %lld\\n", (long long)(${expression}));`);
    writeFileSync(
      join(folder, "a.c"),
      `#define CL_TARGET_OPENCL_VERSION 300\n${headers.map((h) => `#include <${h}>\n`).join("")}#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n${body.join("\n")}\n}\n`,
    );
    execFileSync(compiler!, ["-o", join(folder, "a"), join(folder, "a.c")], { stdio: "pipe" });
    const out = execFileSync(join(folder, "a"), { encoding: "utf8" });
    return new Map(
      out
        .trim()
        .split("\n")
        .map((l) => [l.split(" ")[0]!, BigInt(l.split(" ")[1]!)]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function questions(structures: readonly Structure<Fields>[]): { name: string; expression: string; value: bigint }[] {
  return structures.flatMap((s) => [
    { name: s.name, expression: `sizeof(${s.name})`, value: BigInt(s.size) },
    ...Object.values(s.fields).flatMap((f) => [
      { name: `${s.name}.${f.name}`, expression: `offsetof(${s.name}, ${f.name})`, value: BigInt(f.offset) },
      {
        name: `${s.name}.${f.name}:size`,
        expression: `sizeof(((${s.name}*)0)->${f.name})`,
        value: BigInt(sizeOf(f.type) * f.count),
      },
    ]),
  ]);
}

function compare(
  headers: readonly string[],
  asked: readonly { name: string; expression: string; value: bigint }[],
): void {
  const found = compute(headers, asked);
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.map((q) => `${q.name} ${q.value}`)).toEqual(asked.map((q) => `${q.name} ${found.get(q.name)}`));
}

/** `VkBufferCreateInfo` -> `VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO`, which is how the headers name them. */
function structureTypeName(name: string): string {
  const [, base, suffix] = /^Vk(.*?)(EXT|KHR)?$/.exec(name)!;
  const words = base!
    .replace(/(\d+)Bit/, "_$1bit_")
    .replace(/Float16Int8/, "_Float16_Int8_")
    .replace(/Int64/, "_Int64_")
    .replace(/Maintenance4/, "_Maintenance_4_")
    .replace(/2(?=Features$|$)/, "_2_")
    .replace(/_$/, "")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/_+/g, "_");
  return `VK_STRUCTURE_TYPE_${words.toUpperCase()}${suffix ? `_${suffix}` : ""}`;
}

const structures = Object.values(vulkan) as readonly Structure<Fields>[];

toolTest(missing("vulkan/vulkan.h"), "Vulkan's structures", () => {
  const types = structures
    .filter((s) => s.structureType !== undefined)
    .map((s) => ({
      name: `${s.name}:type`,
      expression: structureTypeName(s.name),
      value: BigInt(s.structureType!),
    }));
  expect(types.length).toBeGreaterThan(30);
  compare(["vulkan/vulkan.h"], [...questions(structures), ...types]);
});

toolTest(missing("vulkan/vulkan.h"), "Vulkan's constants", () => {
  compare(
    ["vulkan/vulkan.h"],
    Object.entries(vk).map(([name, value]) => ({ name, expression: name, value: BigInt(value) })),
  );
});

toolTest(missing("CL/cl.h"), "OpenCL's structures and constants", () => {
  const constants = Object.entries(cl).map(([name, value]) => ({
    name,
    expression: name,
    value: BigInt(value),
  }));
  compare(["CL/cl.h", "CL/cl_ext.h"], [...questions([cl_name_version]), ...constants]);
});
