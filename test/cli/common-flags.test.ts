/** What every command understands, what --help shows, and what shells are told. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examples } from "../../src/cli/examples.js";
import { wantsColor } from "../../src/cli/terminal.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { commandFile, project } from "../build/real-command.js";
import { crosslane, workspace } from "./command-line.js";

describe("--cwd, --quiet and --verbose", () => {
  const saxpy = { "saxpy.metal": "saxpy/kernel.metal", "saxpy.launch.json": "saxpy/launch.json" };
  test("run elsewhere, and say nothing but errors", async () => {
    const folder = workspace(saxpy);
    const args = ["translate", "saxpy.metal", "--to", "opencl", "-o", "o.cl"];
    const loud = await crosslane("/", [...args, "--cwd", folder]);
    expect(loud).toMatchObject({ code: 0, err: "opencl: assumed: accesses are in bounds (saxpy.metal:6)\n" });
    expect(await crosslane("/", [...args, `--cwd=${folder}`, "-q"])).toEqual({ code: 0, out: "", err: "" });
    writeFileSync(join(folder, "saxpy.metal"), "kernel void k() { x = 1; }\n");
    expect((await crosslane("/", [...args, "--cwd", folder, "--quiet"])).err).toContain("error[");
  });

  test("stand before the command, too", async () => {
    const folder = workspace(saxpy);
    const args = ["translate", "saxpy.metal", "--to", "opencl", "-o", "o.cl"];
    expect(await crosslane("/", ["--cwd", folder, "-q", ...args])).toEqual({ code: 0, out: "", err: "" });
    expect(await crosslane("/", [`--cwd=${folder}`, "--verbose", ...args, "--quiet"])).toMatchObject({ code: 2 });
    expect((await crosslane("/", ["--cwd", folder])).code).toBe(2);
    expect((await crosslane("/", ["--quiet", "--cwd", "/no/such/folder", "devices"])).err).toContain(
      "there is no folder",
    );
    expect((await crosslane("/", ["--to", "opencl", "translate", "k.metal"])).code).toBe(2);
  });

  test("that make no sense are wrong usage", async () => {
    expect((await crosslane("/", ["devices", "--cwd", "/no/such/folder"])).code).toBe(2);
    expect((await crosslane("/", ["devices", "-q", "--verbose"])).code).toBe(2);
  });
});

test("colour: FORCE_COLOR decides, then NO_COLOR, then the terminal", () => {
  expect(wantsColor(true, {})).toBe(true);
  expect(wantsColor(false, {})).toBe(false);
  expect(wantsColor(true, { NO_COLOR: "1" })).toBe(false);
  expect(wantsColor(true, { NO_COLOR: "" })).toBe(true);
  expect(wantsColor(false, { FORCE_COLOR: "1" })).toBe(true);
  expect(wantsColor(true, { FORCE_COLOR: "0" })).toBe(false);
  expect(wantsColor(false, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(true);
  expect(wantsColor(true, { TERM: "dumb" })).toBe(false);
});

describe("examples of --help", () => {
  test.each(Object.values(examples).flatMap((list) => list.map(([line]) => [line])))("%s", async (line) => {
    const folder = workspace({
      "reduce.metal": "saxpy/kernel.metal",
      "reduce.launch.json": "saxpy/launch.json",
    });
    mkdirSync(join(folder, "kernels"));
    writeFileSync(join(folder, "kernels/k.metal"), "kernel void k(device int *x [[buffer(0)]]) { x[0] = 1; }\n");
    const { code, err } = await crosslane(folder, line.split(" "));
    expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
    expect((await crosslane(folder, [line.split(" ")[0]!, "--help"])).out).toContain(`crosslane ${line}`);
  });
});

describe("completion", () => {
  test("names commands, options and values in each form", async () => {
    for (const shell of ["bash", "zsh", "fish"]) {
      const { code, out } = await crosslane("/", ["completion", shell]);
      expect(code).toBe(0);
      for (const word of ["translate", "build", "completion", "target-profile", "out-dir", "vulkan1.2"])
        expect(out, shell).toContain(word);
    }
    const of = async (shell: string): Promise<string> => (await crosslane("/", ["completion", shell])).out;
    expect(await of("zsh")).toContain(":value:_values -s , value msl glsl opencl hlsl ts'");
    expect(await of("zsh")).toContain("'*:argument:(bash zsh fish)';;");
    expect(await of("fish")).toContain(`(__fish_complete_list , "printf '\\''%s\\n'\\'' msl glsl opencl hlsl ts")`);
    expect(await of("fish")).toContain("__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'");
    expect((await crosslane("/", ["completion", "tcsh"])).code).toBe(2);
  });

  toolTest(missingPrograms(["bash"]), "bash completes", async () => {
    const { out } = await crosslane("/", ["completion", "bash"]);
    const complete = (...words: string[]): string[] => {
      const script = `${out}\nCOMP_WORDS=(${words.map((w) => `'${w}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _crosslane; echo "\${COMPREPLY[*]}"`;
      return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim().split(" ");
    };
    expect(complete("crosslane", "tr")).toEqual(["translate"]);
    expect(complete("crosslane", "translate", "--to", "h")).toEqual(["hlsl"]);
    expect(complete("crosslane", "build", "--no")).toEqual(["--no-cache"]);
    expect(complete("crosslane", "translate", "--to", "glsl,h")).toEqual(["glsl,hlsl"]);
    expect(complete("crosslane", "run", "--findings", "all,data-")).toEqual(["all,data-race"]);
    expect(complete("crosslane", "explain", "XL900")).toEqual(["XL9001"]);
    expect(complete("crosslane", "completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(complete("crosslane", "translate", "--to", "=", "glsl,h")).toEqual(["glsl,hlsl"]);
    expect(complete("crosslane", "build", "--watch", "=")).toEqual(["stdin"]);
    expect(complete("crosslane", "build", "--watch", "s")).toEqual([""]);
    // Of files nothing is said: the shell itself knows how names with blanks are written.
    expect(complete("crosslane", "translate", "a")).toEqual([""]);
  });
});

describe("completion in other shells", () => {
  toolTest(missingPrograms(["fish"]), "fish completes", async () => {
    const folder = project({ "c.fish": (await crosslane("/", ["completion", "fish"])).out });
    const complete = (line: string): string[] => {
      const script = `source c.fish; complete -C '${line}'`;
      const { stdout } = spawnSync("fish", ["--no-config", "-c", script], { cwd: folder, encoding: "utf8" });
      return stdout.split("\n").flatMap((l) => (l === "" ? [] : [l.split("\t")[0]!]));
    };
    expect(complete("crosslane tr")).toEqual(["translate"]);
    expect(complete("crosslane translate --to h")).toEqual(["hlsl"]);
    expect(complete("crosslane translate --to=glsl,h")).toEqual(["--to=glsl,hlsl"]);
    expect(complete("crosslane build --watch=")).toEqual(["--watch=stdin"]);
    expect(complete("crosslane explain XL900")).toEqual(["XL9001"]);
  });

  toolTest(missingPrograms(["zsh"]), "zsh completes", async () => {
    const folder = project({ "c.zsh": (await crosslane("/", ["completion", "zsh"])).out });
    // In a terminal that zsh makes itself: a line and a tab, and what is there then; a line that is not made waits for ever.
    const lines = [
      ["crosslane translate --to=gl", "translate --to=glsl"],
      ["crosslane translate --to glsl,h", "glsl,hlsl"],
      ["crosslane build --watch=", "--watch=stdin"],
      ["crosslane explain XL900", "XL9001"],
    ];
    const script = `zmodload zsh/zpty; zpty z zsh -f -i
zpty -w z 'PROMPT=; autoload -U compinit; compinit -u -D; source ./c.zsh; bindkey "^I" complete-word; print rea""dy'
zpty -r -m z all '*ready*'
for line expected in "$@"; do
  zpty -w -n z "$line"$'\\t'; zpty -r -m z all "*$expected*"; print -r -- "$expected"; zpty -w -n z $'\\C-u'
done`;
    const run = ["-f", "-c", script, "zsh", ...lines.flat()];
    const { stdout } = spawnSync("zsh", run, { cwd: folder, encoding: "utf8", timeout: 20_000, killSignal: "SIGKILL" });
    expect(stdout.trim().split("\n")).toEqual(lines.map(([, made]) => made));
  });
});

test("an output that cannot be written is said in one line, and a reader that went away is none", async () => {
  const folder = project({ "k.metal": "kernel void k(device int *x [[buffer(0)]]) { x[0] = 1; }\n" });
  const command = `"${process.execPath}" "${await commandFile()}" translate k.metal --to opencl`;
  const run = (line: string): { status: number | null; stderr: string } =>
    spawnSync("bash", ["-c", line], { cwd: folder, encoding: "utf8" });
  const full = run(`${command} > /dev/full`);
  expect(full.status).toBe(1);
  expect(full.stderr).toContain("error[XL8002]: standard output cannot be written: the disk is full\n");
  expect(full.stderr).not.toContain("    at ");
  expect(run(`${command} | true`).stderr).not.toContain("    at ");
});
