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
 * As docs/bundlers.md says, in bytes gzipped, without Prettier: what `import "crosslane"` loads, what a translation loads of a common
 * kernel and of the fixture that needs most, and all that is loaded.
 */
const mostAtFirst = 10_000;
const mostOf = { common: 420_000, any: 475_000 };
const mostInAll = 700_000;

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
  }, 120_000);

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
  ] as const;
  test(
    "loads for a translation what it needs, and writes the text that Node writes",
    { timeout: 120_000 },
    async () => {
      const folder = folderOf("alone");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "app.js"), 'export { translate } from "crosslane";\n');
      await bundlers["esbuild"]!(folder);
      for (const [from, to, fixture, how] of pairs) {
        const options: inNode.TranslateOptions = {
          from,
          to,
          ...(languageFacts[from].statesSizes ? {} : { workgroupSize: [64, 1, 1] }),
          ...(to === "ts" ? { types: false } : {}),
        };
        const source = readFileSync(join(fixtures, fixture, `kernel.${languageFacts[from].extension}`), "utf8");
        const { code, diagnostics, files } = await onNewPage(join(folder, "out"), source, options);
        const inNodeToo = await inNode.translate(source, options);
        expect({ code, diagnostics }).toEqual({ code: inNodeToo.code, diagnostics: inNodeToo.diagnostics });
        expect(code).toBeDefined();
        const bytes = files.reduce(
          (sum, f) => sum + gzipSync(readFileSync(join(folder, "out", f)), { level: 9 }).length,
          0,
        );
        expect(bytes, `${fixture} of ${from} to ${to}`).toBeLessThan(mostOf[how]);
        expect(bytes).toBeGreaterThan(mostOf.common / 2);
      }
    },
  );
});

async function onNewPage(
  out: string,
  source: string,
  options: inNode.TranslateOptions,
): Promise<Pick<inNode.TranslateResult, "code" | "diagnostics"> & { readonly files: readonly string[] }> {
  const folder = `${pathToFileURL(out).href}/`;
  const worker = new Worker(new URL("loads.mjs", import.meta.url), { workerData: { folder, source, options } });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  } finally {
    await worker.terminate();
  }
}
