/** `build --watch` and `translate --watch`: the real command, and files changed as editors and people change them. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adding, config, project, put, putByRename, start, textsBelow, until } from "./real-command.js";
import type { Running } from "./real-command.js";

const read = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** A watch that has begun, and what to wait for. */
async function watching(
  folder: string,
  args: readonly string[] = ["build", "--watch"],
): Promise<
  Running & {
    /** Waits until an output has a text. */
    readonly shows: (file: string, text: string) => Promise<void>;
    readonly says: (text: string) => Promise<void>;
  }
> {
  const running = await start(folder, args);
  const says = (text: string): Promise<void> =>
    until(
      () => running.said().includes(text),
      () => `never said '${text}':\n${running.said()}`,
    );
  await says("watching");
  return {
    ...running,
    says,
    shows: (file, text) =>
      until(
        () => read(join(folder, file)).includes(text),
        () => `'${file}' has no '${text}':\n${read(join(folder, file))}\n${running.said()}`,
      ),
  };
}

async function stop({ child, ended }: Running): Promise<void> {
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
}

describe("build --watch", () => {
  test("ways of saving: in place, renamed over, truncated first, removed and written again", async () => {
    const folder = project({
      "crosslane.config.json": config(),
      "kernels/k.metal": adding(100),
      "kernels/other.metal": adding(1),
    });
    const watch = await watching(folder);
    const kernel = join(folder, "kernels/k.metal");
    await watch.shows("out/hlsl/k.hlsl", "100");
    put(kernel, adding(101));
    await watch.shows("out/hlsl/k.hlsl", "101");
    putByRename(kernel, adding(102));
    await watch.shows("out/hlsl/k.hlsl", "102");
    writeFileSync(kernel, "");
    await new Promise((resolve) => setTimeout(resolve, 50));
    writeFileSync(kernel, adding(103));
    await watch.shows("out/hlsl/k.hlsl", "103");
    rmSync(kernel);
    await watch.says("kernels/k.metal is gone");
    expect(read(join(folder, "out/hlsl/k.hlsl"))).toContain("103");
    put(kernel, adding(104));
    await watch.shows("out/opencl/k.cl", "104");
    // What is gone is no reason to build, and to say so.
    expect(watch.said()).not.toMatch(/\b0 inputs|k\.metal changed\n/);
    // The other kernel had nothing to do with it.
    expect(watch.said()).not.toMatch(/[2-9] inputs: [1-9]\d* written.*\n[^]*[2-9] inputs: [1-9]/);
    await stop(watch);
  });

  test("a thousand saves in a row: the last one wins", async () => {
    const folder = project({ "crosslane.config.json": config(), "kernels/k.metal": adding(1) });
    const watch = await watching(folder);
    for (let n = 1; n <= 1000; n++) {
      (n % 3 === 0 ? putByRename : put)(join(folder, "kernels/k.metal"), adding(`${5000 + n}u`));
      if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await watch.shows("out/hlsl/k.hlsl", "6000u");
    await watch.shows("out/opencl/k.cl", "6000u");
    await stop(watch);
    expect(read(join(folder, "out/hlsl/k.hlsl"))).toContain("6000u");
  });

  test("chains of includes, one that goes and comes back, and one that takes another's place", async () => {
    const folder = project({
      "crosslane.config.json": config({ includeDirs: ["lib"] }),
      "kernels/k.metal": '#include "a.h"\n' + adding("STEP"),
      "kernels/plain.metal": adding(1),
      "lib/a.h": '#include "deep/b.h"\n',
      "lib/deep/b.h": "#define STEP 200\n",
    });
    const watch = await watching(folder);
    await watch.shows("out/opencl/k.cl", "200");
    put(join(folder, "lib/deep/b.h"), "#define STEP 201\n");
    await watch.shows("out/opencl/k.cl", "201");
    rmSync(join(folder, "lib/deep"), { recursive: true });
    await watch.says("error[XL0006]");
    expect(read(join(folder, "out/opencl/k.cl"))).toContain("201");
    put(join(folder, "lib/deep/b.h"), "#define STEP 202\n");
    await watch.shows("out/opencl/k.cl", "202");
    put(join(folder, "kernels/a.h"), "#define STEP 203\n");
    await watch.shows("out/opencl/k.cl", "203");
    rmSync(join(folder, "kernels/a.h"));
    await watch.shows("out/opencl/k.cl", "202");
    expect(watch.said()).not.toMatch(/plain\.metal/);
    await stop(watch);
  });

  test("links: what they lead to is saved elsewhere, and they are led elsewhere", async () => {
    const folder = project({
      "crosslane.config.json": config({ includeDirs: ["deep"] }),
      "shared/one.metal": '#include "step.h"\n' + adding("STEP + 900u"),
      "shared/two.metal": adding(950),
      "deep/step.h": "#define STEP 0u\n",
      "kernels/plain.metal": adding(1),
    });
    const led = (to: string, name: string): void => {
      symlinkSync(to, join(folder, `${name}~`));
      renameSync(join(folder, `${name}~`), join(folder, name));
    };
    led("shared/one.metal", "between.metal");
    led("../between.metal", "kernels/k.metal");
    led("../deep/step.h", "shared/step.h");
    led("../deep/step.h", "kernels/step.h");
    const watch = await watching(folder);
    await watch.shows("out/hlsl/k.hlsl", "STEP + 900u");
    put(join(folder, "shared/one.metal"), '#include "step.h"\n' + adding("STEP + 901u"));
    await watch.shows("out/hlsl/k.hlsl", "901u");
    for (const n of [902, 903]) {
      putByRename(join(folder, "shared/one.metal"), '#include "step.h"\n' + adding(`STEP + ${n}u`));
      await watch.shows("out/hlsl/k.hlsl", `${n}u`);
    }
    putByRename(join(folder, "deep/step.h"), "#define STEP 7u\n");
    await watch.shows("out/hlsl/k.hlsl", "STEP 7u");
    led("shared/two.metal", "between.metal");
    await watch.shows("out/hlsl/k.hlsl", "950");
    put(join(folder, "shared/two.metal"), adding(951));
    await watch.shows("out/hlsl/k.hlsl", "951");
    // A link to nothing waits for it.
    rmSync(join(folder, "shared/two.metal"));
    await watch.says("kernels/k.metal");
    put(join(folder, "shared/two.metal"), adding(952));
    await watch.shows("out/hlsl/k.hlsl", "952");
    expect(watch.said()).not.toMatch(/plain\.metal/);
    await stop(watch);
  });

  test("errors are said, the last good output stays, and the next save mends it", async () => {
    const folder = project({ "crosslane.config.json": config(), "kernels/k.metal": adding(300) });
    const watch = await watching(folder);
    put(join(folder, "kernels/k.metal"), adding("nothing"));
    await watch.says("1 error; what was good before is left as it is");
    expect(watch.said()).toContain("--> kernels/k.metal:1:");
    expect(read(join(folder, "out/hlsl/k.hlsl"))).toContain("300");
    put(join(folder, "kernels/k.metal"), adding(301));
    await watch.shows("out/hlsl/k.hlsl", "301");
    await stop(watch);
  });

  test("edits of the config, new files and folders, folders that move, the last input gone", async () => {
    const folder = project({
      "crosslane.config.json": config({ targets: ["opencl"] }),
      "kernels/k.metal": adding(400),
    });
    const watch = await watching(folder);
    put(join(folder, "crosslane.config.json"), config({ targets: ["opencl", "glsl"], workgroupSize: [32] }));
    await watch.shows("out/glsl/k.comp", "local_size_x = 32");
    put(join(folder, "crosslane.config.json"), config({ targets: ["opencl", "gsl"] }));
    await watch.says("error[XL8011]: 'gsl' is no target");
    // A kernel that is saved meanwhile, and looked at to the last time, is built when the config is right again.
    put(join(folder, "kernels/k.metal"), adding(410));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(watch.said().match(/is no target/g)).toHaveLength(1);
    put(join(folder, "crosslane.config.json"), config({ targets: ["opencl", "glsl"], workgroupSize: [32] }));
    await watch.shows("out/glsl/k.comp", "410");
    put(join(folder, "crosslane.config.json"), config({ targets: ["hlsl"] }));
    await watch.shows("out/hlsl/k.hlsl", "410");
    put(join(folder, "kernels/new/deep/n.metal"), adding(401));
    await watch.shows("out/hlsl/new/deep/n.hlsl", "401");
    renameSync(join(folder, "kernels/new"), join(folder, "kernels/moved"));
    await watch.shows("out/hlsl/moved/deep/n.hlsl", "401");
    rmSync(join(folder, "kernels"), { recursive: true });
    await watch.says("no file fits 'kernels/**/*.metal'");
    mkdirSync(join(folder, "kernels"));
    put(join(folder, "kernels/k.metal"), adding(402));
    await watch.shows("out/hlsl/k.hlsl", "402");
    await stop(watch);
  });

  test("a config that is a program, and what it imports", async () => {
    const folder = project({
      "crosslane.config.js": `import { n } from "./n.js";\nexport default { ...${config()}, defines: { N: n } };\n`,
      "n.js": "export const n = 800;\n",
      "package.json": '{ "type": "module" }',
      "kernels/k.metal": adding("N"),
    });
    const watch = await watching(folder);
    await watch.shows("out/hlsl/k.hlsl", "800");
    put(join(folder, "n.js"), "export const n = 801;\n");
    await watch.shows("out/hlsl/k.hlsl", "801");
    await stop(watch);
  });

  test("two watchers on one folder of outputs", async () => {
    const folder = project({ "crosslane.config.json": config(), "kernels/k.metal": adding(500) });
    const [one, two] = [await watching(folder), await watching(folder)];
    for (let n = 501; n < 540; n++) {
      put(join(folder, "kernels/k.metal"), adding(n));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await one.shows("out/hlsl/k.hlsl", "539");
    await two.shows("out/opencl/k.cl", "539");
    // Either may have written that: a run that each begins now is of the last text, and the last of its own.
    put(join(folder, "kernels/last.metal"), adding(1));
    for (const { said } of [one, two])
      await until(() => /last\.metal appeared; 1 input|changed; 2 inputs/.test(said()), said);
    await stop(one);
    await stop(two);
    const files = ["hlsl/k.hlsl", "hlsl/last.hlsl", "opencl/k.cl", "opencl/last.cl"];
    expect(Object.keys(textsBelow(join(folder, "out")))).toEqual(files);
    expect(read(join(folder, "out/hlsl/k.hlsl"))).toContain("539");
  });

  test("ends with SIGINT, and with standard input where that is asked for", async () => {
    const folder = project({ "crosslane.config.json": config(), "kernels/k.metal": adding(1) });
    const first = await watching(folder);
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(0);
    const second = await watching(folder, ["build", "--watch=stdin"]);
    second.child.stdin.end();
    expect(await second.ended).toBe(0);
  });
});

describe("translate --watch", () => {
  const args = ["translate", "kernels/*.metal", "--to", "opencl", "--out-dir", "out", "--watch"];

  test("a pattern's new files, the last one gone and back, and remarks said once", async () => {
    const folder = project({ "kernels/k.metal": adding(600) });
    const watch = await watching(folder, args);
    await watch.shows("out/k.cl", "600");
    put(join(folder, "kernels/k.metal"), adding(601));
    await watch.shows("out/k.cl", "601");
    expect(watch.said().match(/assumed: accesses are in bounds/g)).toHaveLength(1);
    put(join(folder, "kernels/n.metal"), adding(602));
    await watch.shows("out/n.cl", "602");
    await watch.says("kernels/n.metal appeared; 1 input: 1 written, 0 unchanged");
    rmSync(join(folder, "kernels/k.metal"));
    rmSync(join(folder, "kernels/n.metal"));
    await watch.says("no file fits 'kernels/*.metal'");
    put(join(folder, "kernels/k.metal"), adding(603));
    await watch.shows("out/k.cl", "603");
    await stop(watch);
  });

  test("an include that was missing appears, and a launch file changes", async () => {
    const folder = project({ "kernels/k.metal": '#include "step.h"\n' + adding("STEP") });
    const watch = await watching(folder, [
      "translate",
      // What stands behind it is a file, and no mode.
      "--watch",
      "kernels/k.metal",
      "--to",
      "glsl",
      "-o",
      "out/k.comp",
    ]);
    await watch.says("error[XL0006]");
    put(join(folder, "kernels/step.h"), "#define STEP 700\n");
    await watch.says("error[XL4003]");
    put(join(folder, "kernels/k.launch.json"), '{ "workgroups": [1], "workgroupSize": [16], "args": {} }');
    await watch.shows("out/k.comp", "local_size_x = 16");
    await watch.shows("out/k.comp", "700");
    await stop(watch);
  });
});
