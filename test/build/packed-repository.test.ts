/** What `npm pack` puts into the package says where it came from (`repository`), and package.json is as it was when it is done. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { missingPrograms, repositoryRoot } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

interface Manifest {
  readonly repository?: unknown;
  readonly scripts: Readonly<Record<string, string>>;
}
const read = (file: string): Manifest => JSON.parse(readFileSync(file, "utf8")) as Manifest;

/** The project's package.json and its scripts around packing, in a repository with this remote; the project itself is not built here. */
function packed(remote: string | undefined): { readonly packed: Manifest; readonly unchanged: boolean } {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-pack-"));
  folders.push(folder);
  const manifest = read(join(repositoryRoot, "package.json"));
  const around = Object.entries(manifest.scripts).filter(([name]) => /^(?:pre|post)(?:pack|publish)$/.test(name));
  expect(around.map(([name]) => name).sort()).toEqual(["postpack", "postpublish", "prepack"]);
  const text = `${JSON.stringify({ ...manifest, scripts: Object.fromEntries(around) }, undefined, 2)}\n`;
  writeFileSync(join(folder, "package.json"), text);
  mkdirSync(join(folder, "scripts"));
  cpSync(join(repositoryRoot, "scripts/pack-repository.mjs"), join(folder, "scripts/pack-repository.mjs"));
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run("git", "init", "--quiet");
  if (remote !== undefined) run("git", "remote", "add", "origin", remote);
  run("npm", "pack");
  run("tar", "xzf", "crosslane-0.1.0.tgz");
  return {
    packed: read(join(folder, "package/package.json")),
    unchanged: readFileSync(join(folder, "package.json"), "utf8") === text,
  };
}

const missing = missingPrograms(["git", "npm", "tar"]);

toolTest(missing, "the package says the address of the remote, without an account", () => {
  const { packed: made, unchanged } = packed("https://somebody:secret@example.org/team/crosslane.git");
  expect(made.repository).toEqual({ type: "git", url: "git+https://example.org/team/crosslane.git" });
  expect(unchanged).toBe(true);
});

toolTest(missing, "a clone of a folder says nothing", () => {
  const { packed: made, unchanged } = packed("/srv/git/crosslane.git");
  expect(made.repository).toBeUndefined();
  expect(unchanged).toBe(true);
});

test("addresses as git takes them", async () => {
  const script = (await import(pathToFileURL(join(repositoryRoot, "scripts/pack-repository.mjs")).href)) as {
    repositoryAddress(remote: string): string | undefined;
  };
  const wanted = "git+https://example.org/team/crosslane.git";
  for (const remote of [
    "https://example.org/team/crosslane",
    "https://example.org/team/crosslane.git/",
    "git@example.org:team/crosslane.git",
    "ssh://git@example.org:2222/team/crosslane.git",
    "git://example.org/team/crosslane.git",
  ])
    expect(script.repositoryAddress(remote), remote).toBe(wanted);
  for (const remote of [
    "/srv/git/crosslane",
    "../crosslane",
    "file:///srv/crosslane",
    "C:\\crosslane",
    "",
    "https://example.org/a b",
  ])
    expect(script.repositoryAddress(remote), remote).toBeUndefined();
});
