import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as inBrowsers from "../../src/browser.js";
import * as inNode from "../../src/index.js";
import { missingBrowser, startBrowser } from "../support/chromium.js";
import { bundlers } from "../support/bundlers.js";
import { languageFacts } from "../../src/dialects/languages.js";
import { packedPackage } from "../support/packed-package.js";
import { toolTest } from "../support/tool-test.js";

const here = dirname(fileURLToPath(import.meta.url));
const fixtures = join(here, "../../fixtures");
const missing = missingBrowser;

/**
 * As docs/bundlers.md says, in bytes gzipped, without Prettier: what `import "crosslane"` loads, what a page loads in all that translates
 * or simulates one kernel, that of the fixture that needs most too, or verifies one,
 * and one that does everything.
 */
const mostAtFirst = 10_000;
const mostOf = { common: 320_500, any: 417_500, simulate: 320_500, verify: 417_500 };
const mostInAll = 644_500;
/** Of one kernel, as it lies in the package. */
const mostAsPackaged = 413_000;

/** The page whose policy allows WebAssembly, and no code from text. */
const strict = "strict";
const fixture = (file: string): string => readFileSync(join(here, "../../fixtures/reduce_tree", file), "utf8");

test("browsers get every name of the library", () => {
  expect(Object.keys(inBrowsers).sort()).toEqual(Object.keys(inNode).sort());
});

describe("a page", () => {
  let packed: Awaited<ReturnType<typeof packedPackage>>;
  let server: Server;
  let browser: Browser | undefined;
  /** Chunks that pages asked for, by the bundler in their path. */
  const asked = new Map<string, string[]>();
  const folderOf = (bundler: string): string => join(packed.folder, bundler);

  beforeAll(async () => {
    packed = await packedPackage({ smallest: true });
    server = createServer((request, response) => {
      const [, bundler = "", ...rest] = new URL(request.url!, "http://localhost").pathname.split("/");
      if (rest.length === 0) {
        response.setHeader("content-type", "text/html");
        if (bundler === strict) response.setHeader("content-security-policy", "script-src 'self' 'wasm-unsafe-eval'");
        response.end(`<!doctype html><script type="module" src="/${bundler}/app.js"></script>`);
        return;
      }
      asked.set(bundler, [...(asked.get(bundler) ?? []), rest.join("/")]);
      try {
        const text = readFileSync(join(folderOf(bundler), "out", ...rest));
        response.setHeader("content-type", "text/javascript");
        response.end(text);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    packed?.remove();
  });

  const bundle = async (bundler: string): Promise<void> => {
    mkdirSync(folderOf(bundler), { recursive: true });
    cpSync(join(here, "app.js"), join(folderOf(bundler), "app.js"));
    await bundlers[bundler]!(folderOf(bundler));
  };

  const open = async (bundler: string): Promise<{ page: Page; problems: string[] }> => {
    const page = await browser!.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${bundler}`);
    await page.waitForFunction("globalThis.parts !== undefined", undefined, { timeout: 20_000 });
    return { page, problems };
  };
  toolTest(missing, "under a strict content-security policy simulates and verifies", async () => {
    mkdirSync(folderOf(strict), { recursive: true });
    const source = `const source = ${JSON.stringify(fixture("kernel.cl"))}, launch = ${fixture("launch.json")};`;
    writeFileSync(join(folderOf(strict), "app.js"), source + readFileSync(join(here, "strict.js"), "utf8"));
    await bundlers["esbuild"]!(folderOf(strict));
    const page = await browser!.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${strict}`);
    // The page runs by itself: what a test calls in it is free of the policy.
    await page.locator("pre").waitFor({ timeout: 30_000 });
    const found = JSON.parse(await page.locator("pre").innerText()) as {
      readonly eval: string;
      readonly simulated: { readonly engine: object; readonly findings: readonly unknown[]; readonly sum: number };
      readonly verified: readonly string[];
      readonly printed: readonly (readonly [string, string])[];
    };
    expect(found).toMatchObject({ eval: "EvalError" });
    expect(found.simulated.engine).toMatchObject({ engine: "wasm" });
    expect(found.simulated.findings).toEqual([]);
    // Of 16 workgroups each is 256 * 257 / 2, exactly.
    expect(found.simulated.sum).toBe(16 * 32896);
    expect(found.verified).toEqual(["equivalent", "equivalent", "equivalent"]);
    expect(found.printed.map(([code]) => code)).toEqual(["XL5001", "XL5001"]);
    expect(found.printed[0]![1]).toContain("content-security policy");
    await page.close();
  });

  const run = (page: Page, part: string): Promise<never> =>
    page.evaluate(`globalThis.parts.${part}().then((r) => JSON.parse(JSON.stringify(r)))`) as Promise<never>;

  /** Chunks that have been asked for, in all gzipped. */
  const loaded = (bundler: string): number =>
    [...new Set(asked.get(bundler))]
      .filter((file) => file.endsWith(".js"))
      .reduce(
        (sum, file) => sum + gzipSync(readFileSync(join(folderOf(bundler), "out", file)), { level: 9 }).length,
        0,
      );
  const textsOf = (bundler: string): string[] =>
    [...new Set(asked.get(bundler))].map((file) => readFileSync(join(folderOf(bundler), "out", file), "utf8"));
  const hasPrettier = (text: string): boolean => text.includes("trailingComma");

  for (const bundler of Object.keys(bundlers)) {
    toolTest(missing, `bundled by ${bundler} translates, simulates and verifies`, async () => {
      await bundle(bundler);
      const { page, problems } = await open(bundler);
      const atFirst = loaded(bundler);
      expect(atFirst).toBeGreaterThan(100);
      expect(atFirst).toBeLessThan(mostAtFirst);

      expect(textsOf(bundler).some(hasPrettier)).toBe(false);
      const translated: inNode.TranslateResult = await run(page, "translate");
      expect(translated.diagnostics).toEqual([]);
      expect(translated.code).toMatch(/kernel void saxpy\(/);
      expect(translated.code).toContain("y[i] = a * x[i] + y[i]");
      expect(loaded(bundler)).toBeLessThan(mostOf.common);
      expect(textsOf(bundler).some(hasPrettier)).toBe(false);

      const refused: inNode.TranslateResult = await run(page, "refuse");
      expect(refused.code).toBeUndefined();
      expect(refused.diagnostics.map((d) => [d.severity, d.location?.line])).toEqual([["error", 1]]);

      // 2 * x + y by hand.
      expect(await run(page, "simulate")).toEqual({ y: [12, 24, 36], findings: [], diagnostics: [] });

      const verified: inNode.VerifyResult = await run(page, "verify");
      expect(verified.result).toBe("equivalent");

      const judged: inNode.VerifyResult = await run(page, "judge");
      expect(judged.result).toBe("equivalent");
      expect(judged.judged?.verdict).toBe("not-judged");

      const device: inNode.RunOnDeviceResult = await run(page, "device");
      expect(device.diagnostics.map((d) => d.code)).toEqual(["XL7002"]);

      expect(textsOf(bundler).some(hasPrettier)).toBe(false);
      const inAll = loaded(bundler);
      expect(inAll).toBeLessThan(mostInAll);
      const typescript: inNode.TranslateResult = await run(page, "typescript");
      expect(typescript.code).toContain("export function saxpy(launch: Launch, args: SaxpyArgs): void");
      expect(textsOf(bundler).some(hasPrettier)).toBe(true);
      expect(problems).toEqual([]);
      await page.close();
    });
  }

  // Every language on both sides; HLSL to itself is the pair that loads most.
  const pairs = [
    ["msl", "glsl", "reduce", "common"],
    ["glsl", "msl", "reduce", "common"],
    ["opencl", "hlsl", "reduce", "common"],
    ["opencl", "opencl", "reduce", "common"],
    ["hlsl", "ts", "reduce", "common"],
    ["hlsl", "hlsl", "reduce", "common"],
    ["hlsl", "glsl", "quantised_rows", "any"],
    ["opencl", "hlsl", "tensor_copy", "any"],
  ] as const;
  // As the package has it, and by the minifier that makes the most of it.
  test.each(["rollup", "esbuild"])(
    "of %s loads what it does needs, and does what Node does",
    { timeout: 120_000 },
    async (bundler) => {
      const folder = folderOf(`alone-${bundler}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "app.js"), 'export { simulate, translate, verify } from "crosslane";\n');
      await bundlers[bundler]!(folder);
      const out = join(folder, "out");
      const holds = (files: readonly string[], most: number, what: string): void => {
        const sizes = files.map((f) => gzipSync(readFileSync(join(out, f)), { level: 9 }).length);
        const bytes = sizes.reduce((sum, size) => sum + size, 0);
        expect(bytes, what).toBeLessThan(bundler === "rollup" ? Math.min(most, mostAsPackaged) : most);
        expect(bytes).toBeGreaterThan(mostOf.common / 2);
      };
      for (const [from, to, fixture, how] of pairs) {
        const options: inNode.TranslateOptions = {
          from,
          to,
          ...(languageFacts[from].statesSizes ? {} : { workgroupSize: [64, 1, 1] }),
          ...(to === "ts" ? { types: false } : {}),
        };
        const source = readFileSync(join(fixtures, fixture, `kernel.${languageFacts[from].extension}`), "utf8");
        const { result, files } = await onNewPage<inNode.TranslateResult>(out, "translate", source, options);
        const { code, diagnostics } = await inNode.translate(source, options);
        expect({ code: result.code, diagnostics: result.diagnostics }).toEqual({ code, diagnostics });
        expect(code).toBeDefined();
        holds(files, mostOf[how], `${fixture} of ${from} to ${to}`);
      }
      const saxpy = readFileSync(join(fixtures, "saxpy/kernel.cl"), "utf8");
      const numbers = { a: 2, n: 3, x: new Float32Array([1, 2, 3]), y: new Float32Array([10, 20, 30]) };
      const launch = { from: "opencl", workgroups: [1], workgroupSize: [4], args: numbers } as const;
      const simulated = await onNewPage<inNode.SimulateResult>(out, "simulate", saxpy, launch);
      // 2 * x + y by hand.
      expect(simulated.result.buffers["y"]).toEqual(new Float32Array([12, 24, 36]));
      holds(simulated.files, mostOf.simulate, "a simulation");
      const options = { from: "opencl", to: "hlsl", workgroupSize: [64, 1, 1] } as const;
      const verified = await onNewPage<inNode.VerifyResult>(out, "verify", saxpy, options);
      expect(verified.result.result).toBe("equivalent");
      holds(verified.files, mostOf.verify, "a verification");
    },
  );
});

async function onNewPage<Result>(
  out: string,
  name: string,
  source: string,
  options: object,
): Promise<{ readonly result: Result; readonly files: readonly string[] }> {
  const folder = `${pathToFileURL(out).href}/`;
  const workerData = { folder, name, source, options };
  const worker = new Worker(new URL("loads.mjs", import.meta.url), { workerData });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  } finally {
    await worker.terminate();
  }
}
