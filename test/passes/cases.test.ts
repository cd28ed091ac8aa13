/**
 * What single passes do: `cases/<pass>.tree` has small trees before and after it, in the text form of
 * src/ast/text/print-tree.ts.
 *
 *     pass tidy for glsl {"strict":true}
 *     // What is shown.
 *     --- before
 *     module ...
 *     --- after
 *     module ...
 *     --- says
 *     assumed shift-count: ...
 *
 * Trees hold before and after, and both do the same in the simulator, on numbers at the edges; a case that cannot be run,
 * or does something else on purpose, says so: `--- runs no` or `--- runs otherwise`, which have to be true. With
 * UPDATE_GOLDEN=1 what comes after is written, for whoever reviews it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Module, Resource, Stage } from "../../src/ast/nodes.js";
import { printTree } from "../../src/ast/text/print-tree.js";
import { readTree } from "../../src/ast/text/read-tree.js";
import { defaultProfile, profileNamed } from "../../src/caps/profiles.js";
import { byDialect, targets, type Target } from "../../src/dialects/ids.js";
import { legalize, select } from "../../src/passes/index.js";
import { mustHold } from "../../src/passes/tree-check.js";
import { PassContext, TextContext, type LegalizeOptions, type Pass } from "../../src/passes/pass.js";
import { textPasses } from "../../src/passes/pipelines/texts.js";
import { ts } from "../../src/passes/pipelines/ts.js";
import { scalarOf, type ScalarKind, type Type } from "../../src/types/types.js";
import { compile, run } from "../../src/sim/index.js";

const pipelines = { ...byDialect(textPasses), ts };

const folder = join(import.meta.dirname, "cases");
const update = process.env["UPDATE_GOLDEN"] === "1";

interface Case {
  readonly head: string;
  readonly pass: string;
  readonly target: Target;
  readonly options: LegalizeOptions;
  readonly sections: Map<string, string>;
}

function casesOf(text: string): Case[] {
  return text
    .split(/^(?=pass )/m)
    .filter((part) => part.startsWith("pass "))
    .map((part) => {
      const [first = "", ...rest] = part.split(/^--- /m);
      const found = /^pass ([\w-]+) for (\w+)(?: (\{.*\}))?$/m.exec(first);
      if (!found || !targets.includes(found[2] as Target)) throw new Error(`a case begins: ${first}`);
      const { profile, ...options } = JSON.parse(found[3] ?? "{}") as Record<string, unknown>;
      const chosen = typeof profile === "string" ? { profile: profileNamed(profile)! } : {};
      return {
        head: first.trimEnd(),
        pass: found[1]!,
        target: found[2] as Target,
        options: { ...options, ...chosen },
        sections: new Map(
          rest.map((s) => {
            const line = s.indexOf("\n");
            return [s.slice(0, line).trim(), s.slice(line + 1).trimEnd()] as const;
          }),
        ),
      };
    });
}

const written = (cases: readonly Case[]): string =>
  cases
    .map(({ head, sections }) =>
      [head, ...[...sections].map(([name, body]) => (body ? `--- ${name}\n${body}` : `--- ${name}`))].join("\n"),
    )
    .join("\n\n") + "\n";

function passOf(target: Target, name: string): Pass<never> {
  const found = (pipelines[target] as readonly Pass<never>[]).find((p) => p.name === name);
  if (!found) throw new Error(`${target} has no pass ${name}`);
  return found;
}

/** The tree after the pass, and what the pass had to say. */
function after(c: Case, before: Module): { readonly tree: Module<Stage>; readonly says: string } {
  if (c.pass === "select") return { tree: select(before), says: "" };
  const context =
    c.target === "ts"
      ? new PassContext(c.target, undefined, c.options)
      : new TextContext(c.target, c.options.profile ?? defaultProfile(c.target), c.options);
  const tree = passOf(c.target, c.pass).run(before, context as never);
  const says = [
    ...context.problems.list.map((p) => `${p.code} ${p.message}`),
    ...context.notes.map((n) => `${n.kind} ${n.op}: ${n.message}`),
  ];
  return { tree, says: says.join("\n") };
}

/** Bytes of every buffer. */
function canonicalTree(text: string, options: Parameters<typeof readTree>[1]): Module {
  const module = readTree(text, options);
  const isCanonical = (m: Module<Stage>): m is Module => m.stage === "canonical";
  if (!isCanonical(module)) throw new Error("this is a target tree");
  return module;
}

const size = 256;

/**
 * What is in memory after a launch of 8 invocations in subgroups of 4, all of whose numbers are near the edges; nothing where
 * the simulator does not take the tree. Buffers hold what `like` declares.
 */
function memoryAfter(module: Module, like: Module): string | undefined {
  const { workgroupSize } = module.entries[0]!;
  const settled = workgroupSize ? {} : { workgroupSize: [8, 1, 1] as const };
  const local = Object.fromEntries(
    module.resources.flatMap((r) => (r.kind === "workgroup-sized-at-launch" ? [[r.path, 64]] : [])),
  );
  const legal = legalize(module, "ts", { ...settled, local });
  if (!legal.module) return undefined;
  const { kernel } = compile(legal.module, legal.module.entries[0]!, { findings: "none" });
  if (!kernel) return undefined;
  const args = new Map<string, Uint8Array | number>();
  for (const r of module.resources) {
    const declared = like.resources.find((x) => x.path === r.path);
    const type = like.variables.get(declared?.variable ?? -1)?.type;
    // What was handed over by value, and is in memory now.
    const value = declared && declared.kind !== "buffer" ? valuesOf(declared, like)[0]?.[1] : undefined;
    if (typeof value === "object") args.set(r.path, value);
    else if (value !== undefined && r.kind === "buffer") args.set(r.path, new Uint8Array(Int32Array.of(value).buffer));
    else if (r.kind === "buffer")
      args.set(r.path, edges(scalarWithin(type ?? module.variables.get(r.variable)!.type, like)));
    else for (const [path, value] of valuesOf(r, module)) args.set(path, value);
  }
  const { buffers } = run(kernel, {
    args,
    workgroups: [1],
    ...settled,
    subgroupSize: 4,
    maxSteps: 1e6,
    workgroupBytes: new Map(Object.entries(local)),
  });
  return [...buffers]
    .filter(([path]) => like.resources.some((r) => r.kind === "buffer" && r.path === path))
    .map(([path, bytes]) => `${path.replace(/\W.*/, "")} ${Buffer.from(bytes).toString("hex")}`)
    .sort()
    .join("\n");
}

/** 3 for every number that is handed over by value; lengths of what they are lengths of. */
function valuesOf(r: Resource, module: Module): readonly (readonly [string, Uint8Array | number])[] {
  if (r.kind === "workgroup-sized-at-launch") return [];
  const { type } = module.variables.get(r.variable)!;
  const { derived } = r;
  if (derived)
    return [
      [
        r.path,
        typeof derived === "object" && "lengthOf" in derived ? Math.floor((size - derived.offset) / derived.stride) : 1,
      ],
    ];
  if (type.kind === "struct")
    return module.structs.get(type.name)!.members.map((m) => [`${r.path}.${m.name}`, 3] as const);
  return [[r.path, type.kind === "scalar" ? 3 : new Uint8Array(Int32Array.from({ length: 8 }, (_, i) => i).buffer)]];
}

function scalarWithin(t: Type, module: Module): ScalarKind {
  switch (t.kind) {
    case "array":
      return scalarWithin(t.element, module);
    case "struct":
      return scalarWithin(module.structs.get(t.name)!.members[0]!.type, module);
    default:
      return scalarOf(t) ?? "u32";
  }
}

/** Numbers of 32 bits: small ones first, since kernels use them as indices, then the ends of the range. */
function edges(kind: ScalarKind): Uint8Array {
  const small = [0, 1, 2, 3, 5, 7, 4, 6];
  const numbers = (ends: readonly number[]): number[] =>
    Array.from({ length: size / 4 }, (_, i) => (i < 32 ? small : ends)[i % 8]!);
  if (kind === "f32" || kind === "f16")
    return new Uint8Array(Float32Array.from(numbers([0.5, -0, -1.5, 3.75, 1e30, -7, 0.25, 255.5])).buffer);
  if (kind === "i32")
    return new Uint8Array(Int32Array.from(numbers([-1, 2 ** 31 - 1, -(2 ** 31), 33, -7, 31, 32, 8])).buffer);
  return new Uint8Array(Uint32Array.from(numbers([2 ** 32 - 1, 2 ** 31, 31, 32, 33, 64, 255, 8])).buffer);
}

const files = readdirSync(folder).filter((f) => f.endsWith(".tree"));

describe.each(files)("%s", (file) => {
  const text = readFileSync(join(folder, file), "utf8");
  const cases = casesOf(text);

  test.each(cases.map((c) => [c.head.split("\n").slice(1).join(" ").replaceAll("// ", "") || c.head, c] as const))(
    "%s",
    (_what, c) => {
      expect(c.pass, "the file is named after the pass").toBe(file.replace(".tree", ""));
      const profile = c.target === "ts" ? undefined : (c.options.profile ?? defaultProfile(c.target));
      const before = canonicalTree(c.sections.get("before")!, profile ? { profile } : {});
      mustHold(before, "whoever wrote the case");
      const { tree, says } = after(c, before);
      if (update) {
        c.sections.set("after", printTree(tree).trimEnd());
        if (says) c.sections.set("says", says);
        else c.sections.delete("says");
        writeFileSync(join(folder, file), written(cases));
      }
      mustHold(tree, c.pass);
      expect(`${c.sections.get("after")}\n`).toBe(printTree(tree));
      expect(c.sections.get("says") ?? "").toBe(says);
      // What is written down is the tree, and not only its looks.
      expect(printTree(readTree(c.sections.get("after")!))).toBe(printTree(tree));
      if (c.pass === "select" || says.startsWith("XL")) return;
      const ran = memoryAfter(before, before);
      const runsAfter = memoryAfter(tree as Module, before);
      if (c.sections.has("runs no")) expect(ran === undefined || runsAfter === undefined).toBe(true);
      else {
        expect(ran, "it runs").toBeDefined();
        if (c.sections.has("runs otherwise")) expect(runsAfter).not.toBe(ran);
        else expect(runsAfter).toBe(ran);
      }
    },
  );
});

test("every pass has a case", () => {
  const names = new Set(Object.values(pipelines).flatMap((list) => list.map((p) => p.name)));
  const shown = new Set(files.map((f) => f.replace(".tree", "")));
  expect([...names].filter((n) => !shown.has(n))).toEqual([]);
  expect([...shown].filter((n) => !names.has(n) && n !== "select")).toEqual([]);
});
