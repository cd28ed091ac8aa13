/** The page of `verify --report`, as a browser shows it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { compile } from "../../src/api/compile.js";
import { reportedFile } from "../../src/api/verification-report.js";
import { prepareVerification, verifyTarget } from "../../src/api/verify.js";
import { verificationPage } from "../../src/report/verification-page.js";
import { crosslane, workspace } from "../cli/command-line.js";
import { missingBrowser, startBrowser } from "../support/chromium.js";
import { toolTest } from "../support/tool-test.js";

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await startBrowser();
}, 60_000);
afterAll(() => browser?.close());

/** Lanes 0, 1 and 2 of eight go one way; a loop of lane i turns i times; nothing comes to the last branch. */
const source = `// </script><img src="x" onerror="document.title = 'run'">
__attribute__((reqd_work_group_size(8, 1, 1)))
kernel void parts(global int *x, int n) {
  local int t[8];
  int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  if (l < 3)
    sum = t[7 - l];
  for (int i = 6; i < l; i++)
    sum += i;
  if (n == 12345)
    sum = 0;
  x[get_global_id(0)] = sum;
}
`;
const launch = {
  workgroups: [2],
  subgroupSize: 4,
  subgroupSizes: [4],
  args: { x: { type: "i32", count: 16, init: { iota: {} }, output: true }, n: { type: "i32", value: 1 } },
};

async function show(path: string): Promise<{ page: Page; asked: string[]; problems: string[] }> {
  const page = await browser!.newPage();
  const [asked, problems]: [string[], string[]] = [[], []];
  page.on("request", (r) => asked.push(r.url()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
  await page.goto(pathToFileURL(path).href);
  return { page, asked, problems };
}

toolTest(missingBrowser, "both texts with what was run, and lanes over time", async () => {
  const folder = workspace();
  writeFileSync(join(folder, "parts.cl"), source);
  writeFileSync(join(folder, "parts.launch.json"), JSON.stringify(launch));
  const { code } = await crosslane(folder, ["verify", "parts.cl", "--to", "glsl,hlsl", "--report", "page.html"]);
  expect(code).toBe(0);
  const { page, asked, problems } = await show(join(folder, "page.html"));
  // One file that asks for nothing, and what a kernel's text says is text.
  expect(asked).toHaveLength(1);
  expect(problems).toEqual([]);
  expect(await page.title()).toBe("parts in parts.cl: verification");
  expect(await page.locator("img").count()).toBe(0);
  const line = (n: number) =>
    page
      .locator("div:not([hidden]) > .sides figure")
      .first()
      .locator("tr")
      .nth(n - 1);
  expect(await line(1).innerText()).toContain(source.split("\n")[0]!);
  const classes = await Promise.all([6, 10, 14, 15].map((n) => line(n).getAttribute("class")));
  expect(classes.map((c) => c!.split(" ")[0])).toEqual(["run", "run", "missed", "run"]);
  const translation = (): Promise<string> => page.locator("div:not([hidden]) > .sides figure").nth(1).innerText();
  expect(await translation()).toContain("#version");
  await page.selectOption("#f0-target", { label: "hlsl" });
  expect(await translation()).toContain("numthreads(8, 1, 1)");
  // All statements but one.
  const verdict = await page.locator("div:not([hidden]) > .verdict").innerText();
  const [, run, of] = /^equivalent where run, 2 runs, (\d+) of (\d+) statements run/.exec(verdict)!;
  expect(Number(of) - Number(run)).toBe(1);

  const rows = (): Promise<(readonly [string, string | null])[]> =>
    page
      .locator("div:not([hidden]) > .picture g")
      .evaluateAll((all) =>
        all.map((g) => [g.querySelector("text")!.textContent!, g.getAttribute("data-lanes")] as const),
      );
  const lanesOf = async (start: string): Promise<(string | null)[]> =>
    (await rows()).filter(([label]) => label.startsWith(start)).map(([, lanes]) => lanes);
  expect(await lanesOf("barrier")).toEqual([null]);
  expect(await lanesOf("9 (true)")).toEqual(["0 1 2"]);
  expect(await lanesOf("9 (false)")).toEqual(["3 4 5 6 7"]);
  // Only lane 7 has a turn.
  expect(await lanesOf("12 sum += i")).toEqual(["7"]);
  // What is not in a way of a condition all lanes come to.
  expect((await rows())[0]![1]).toBe("0 1 2 3 4 5 6 7");
  expect(await page.locator("#f0-workgroup option").allInnerTexts()).toEqual([
    "workgroup 0, 0, 0",
    "workgroup 1, 0, 0",
  ]);
  await page.selectOption("#f0-workgroup", "1");
  expect(await lanesOf("9 (true)")).toEqual(["0 1 2"]);
  await page.close();
});

toolTest(missingBrowser, "the first difference with its lanes and workgroups", async () => {
  const compilation = await compile(source, { from: "opencl", fileName: "parts.cl" });
  const { ready } = await prepareVerification(compilation, { launches: [] });
  const { result, ...rest } = await verifyTarget(ready!, "msl", {});
  const writer = { workgroup: [1, 0, 0] as const, lane: 5 };
  const firstDifference = {
    run: result.runs[0]!,
    buffer: "x",
    index: 13,
    type: "i32",
    source: { value: "7", hex: "0x7", writer },
    translation: { value: "9", hex: "0x9", writer },
    count: 1,
    multiset: false,
  };
  const reported = await reportedFile(ready!, [
    { result: { ...result, result: "different", firstDifference }, ...rest },
  ]);
  const path = join(workspace(), "page.html");
  writeFileSync(path, verificationPage([reported], "crosslane"));
  expect(readFileSync(path, "utf8")).not.toMatch(/<(?:link|img|iframe|object)\b|https?:\/\//);
  const { page } = await show(path);
  expect(await page.locator(".difference").innerText()).toContain(
    "x[13] is 7 in the source, written by lane 5 of workgroup 1, 0, 0, and 9 in the translation, written by lane 5 of workgroup 1, 0, 0",
  );
  await page.close();
});
