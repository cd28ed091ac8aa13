/**
 * What a user reads who meets a code: for each, fixtures/errors/<code> has the files, the command as one types it, and all that it
 * prints on standard error. UPDATE_GOLDEN=1 writes what is printed; a part that a driver says in its own words stands as <...>.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { codes } from "../src/support/codes.js";
import { isOfDevice } from "../src/support/problem-kinds.js";
import type { Code } from "../src/support/codes.js";
import { crosslane } from "./cli/command-line.js";
import { buildHost } from "./device/build-host.js";
import { deviceTest } from "./device/device-test.js";
import { fixturesFolder } from "./support/expectations.js";

const folder = join(fixturesFolder, "errors");
const update = process.env.UPDATE_GOLDEN === "1";
const all = Object.keys(codes) as Code[];

/** Nobody meets these but by a fault of crosslane, of a driver or of an installation, which no files and command bring about. */
const notByCommand: Partial<Record<Code, string>> = {
  XL4007: "a guard: no source is known that comes to it",
  XL6010: "a translation that computes something else: a bug",
  XL6020: "every language that is written is read, too; one that is not would say so",
  XL7001: "koffi is not installed (test/device/failures.test.ts)",
  XL7008: "a driver that fails (test/device/failures.test.ts)",
  XL7011: "a driver that sees another interface: a bug, or the driver's (test/device/interface.test.ts)",
  XL7012: "a validator that objects (test/device/validation.test.ts)",
  XL7013: "what vkd3d-shader does not read of DXC's output, which is another with each version of the two",
  XL9001: "a bug (test/cli/reports.test.ts)",
};

const made: string[] = [];
afterAll(() => made.forEach((f) => rmSync(f, { recursive: true, force: true })));

/** Runs a line such as `PATH=./bin crosslane check input.cl` in a copy of the folder. */
async function typed(code: Code): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), "crosslane-code-"));
  made.push(cwd);
  cpSync(join(folder, code), cwd, { recursive: true });
  const words = readFileSync(join(cwd, "command.txt"), "utf8").trim().split(" ");
  const at = words.indexOf("crosslane");
  const settings = words.slice(0, at).map((w) => w.split("=") as [string, string]);
  const before = settings.map(([name]) => [name, process.env[name]] as const);
  try {
    for (const [name, value] of settings) process.env[name] = value.startsWith(".") ? resolve(cwd, value) : value;
    const { code: exit, out, err } = await crosslane(cwd, words.slice(at + 1));
    // Of a report it is the messages.
    const said = out.startsWith("{")
      ? `${JSON.stringify((JSON.parse(out) as { diagnostics: unknown }).diagnostics, null, 2)}\n`
      : err;
    return `${said}exit code ${exit}\n`;
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
const fits = (said: string, golden: string): boolean =>
  new RegExp(`^${golden.split("<...>").map(quoted).join(".*")}$`, "u").test(said);

async function compare(code: Code): Promise<void> {
  const said = await typed(code);
  const file = join(folder, code, "expected.txt");
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (update && !fits(said, before)) writeFileSync(file, said);
  const golden = readFileSync(file, "utf8");
  if (!fits(said, golden)) expect(said).toBe(golden);
  expect(golden).toContain(code);
}

/** Without a driver there is nothing to meet but that it is missing. */
const needsDriver = (code: Code): boolean => isOfDevice(code) && code !== "XL7002";
const apiOf = (code: Code): "opencl" | "vulkan" =>
  readFileSync(join(folder, code, "command.txt"), "utf8").includes("--device opencl") ? "opencl" : "vulkan";

describe("codes", async () => {
  const there = all.filter((code) => existsSync(join(folder, code)));

  test("each has files that bring it about, or a reason why none do", () => {
    expect(all.filter((code) => !there.includes(code)).sort()).toEqual(Object.keys(notByCommand).sort());
    expect(readdirSync(folder).filter((name) => /^XL/.test(name) && !Object.hasOwn(codes, name))).toEqual([]);
  });

  buildHost();
  for (const code of there)
    if (needsDriver(code)) await deviceTest(apiOf(code), code, () => compare(code));
    else test(code, () => compare(code));
});
