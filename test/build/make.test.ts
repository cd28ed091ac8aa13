/** Real `make` and `ninja` with the files that --depfile writes: what changed is made again, and nothing else. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { adding, commandFile, config, crosslane, project, put } from "./real-command.js";

const kernels = {
  "kernels/one two.metal": '#include "lib/a.h"\n' + adding("STEP", "one"),
  "kernels/plain.metal": adding(3, "plain"),
  "kernels/lib/a.h": '#include "b $x.h"\n',
  "kernels/lib/b $x.h": "#define STEP 100\n",
};

/** Times of make and ninja are whole steps: what is written now is made later than what was. */
function later(folder: string, name: string, text: string, seconds: number): void {
  put(join(folder, name), text);
  const time = Date.now() / 1000 + seconds;
  utimesSync(join(folder, name), time, time);
}

describe("make", () => {
  toolTest(missingPrograms(["make"]), "makes again what an include changes", async () => {
    const command = `${process.execPath} ${await commandFile()}`;
    const folder = project({
      ...kernels,
      Makefile: `all: one.cl plain.cl
one.cl: kernels/one\\ two.metal
\t@echo making $@
\t@${command} translate "$<" --to opencl -o $@ --depfile $@.d -q
\t@touch $@
plain.cl: kernels/plain.metal
\t@echo making $@
\t@${command} translate "$<" --to opencl -o $@ --depfile $@.d -q
\t@touch $@
-include one.cl.d plain.cl.d
`,
    });
    const make = (): string => {
      const { stdout, stderr, status } = spawnSync("make", [], { cwd: folder, encoding: "utf8" });
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
      return stdout.replace(/^make.*\n/gm, "");
    };
    expect(make()).toBe("making one.cl\nmaking plain.cl\n");
    expect(make()).toBe("");
    later(folder, "kernels/lib/b $x.h", "#define STEP 101\n", 2);
    expect(make()).toBe("making one.cl\n");
    expect(readFileSync(join(folder, "one.cl"), "utf8")).toContain("STEP 101");
    // An include that is gone is no target without a rule.
    put(join(folder, "kernels/one two.metal"), adding(7, "one"));
    rmSync(join(folder, "kernels/lib"), { recursive: true });
    expect(make()).toContain("making one.cl\n");
    expect(readFileSync(join(folder, "one.cl"), "utf8")).toContain("7");
  });
});

describe("make and a build", () => {
  toolTest(missingPrograms(["make"]), "one rule for a stamp, which is made of all kernels and includes", async () => {
    const command = `${process.execPath} ${await commandFile()}`;
    const folder = project({
      ...kernels,
      "crosslane.config.json": config({ targets: ["opencl"] }),
      Makefile: `out.stamp: crosslane.config.json
\t@echo building
\t@${command} build -q --depfile out.d --depfile-target $@
\t@touch $@
-include out.d
`,
    });
    const make = (): string => {
      const { stdout, stderr, status } = spawnSync("make", [], { cwd: folder, encoding: "utf8" });
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
      return stdout.replace(/^make.*\n/gm, "");
    };
    expect(make()).toBe("building\n");
    expect(make()).toBe("");
    later(folder, "kernels/lib/b $x.h", "#define STEP 101\n", 2);
    expect(make()).toBe("building\n");
    expect(readFileSync(join(folder, "out/opencl/one two.cl"), "utf8")).toContain("STEP 101");
    expect((await crosslane(folder, ["build", "--depfile-target", "out.stamp"])).code).toBe(2);
  });
});

describe("ninja", () => {
  toolTest(
    missingPrograms(["ninja"]),
    "builds what changed, and nothing behind outputs that stay the same",
    async () => {
      const command = `${process.execPath} ${await commandFile()}`;
      const folder = project({
        ...kernels,
        "crosslane.config.json": config({ targets: ["opencl"] }),
        "build.ninja": `rule crosslane
  command = ${command} build -q --depfile out.d
  depfile = out.d
  restat = 1
rule copy
  command = cp $in $out
build out/opencl/one$ two.cl | out/opencl/plain.cl: crosslane crosslane.config.json
build copy.txt: copy out/opencl/plain.cl
`,
      });
      const ninja = (): string => {
        const { stdout, status } = spawnSync("ninja", ["-v", "-d", "explain"], { cwd: folder, encoding: "utf8" });
        expect({ status, stdout: status === 0 ? "" : stdout }).toEqual({ status: 0, stdout: "" });
        return stdout;
      };
      expect(ninja()).toContain("cp out/opencl/plain.cl copy.txt");
      expect(ninja()).toContain("no work to do");
      later(folder, "kernels/lib/b $x.h", "#define STEP 101\n", 2);
      const again = ninja();
      expect(again).toContain("build -q --depfile");
      expect(again).not.toContain("cp out/opencl");
      expect(readFileSync(join(folder, "out/opencl/one two.cl"), "utf8")).toContain("STEP 101");
    },
  );
});

test("names are written as gcc writes them", async () => {
  const folder = project({ "a b#$c.metal": adding(1) });
  await crosslane(folder, ["translate", "a b#$c.metal", "--to", "opencl", "-o", "o.cl", "--depfile", "d", "-q"]);
  // GNU make, "Rule Syntax" and "Using Wildcard Characters": $$ for $, a backslash before blanks and #.
  expect(readFileSync(join(folder, "d"), "utf8")).toBe("o.cl: a\\ b\\#$$c.metal\n\na\\ b\\#$$c.metal:\n");
});
