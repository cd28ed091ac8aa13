/** `verify` where launches have several sizes of workgroups and the text states one: which text is shown, and what is about it alone. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportProblems } from "../support/schemas.js";
import { crosslane, workspace } from "./command-line.js";

/** Some size is above 100, some below 20, and some between. */
const source = `kernel void k(global int *o) {
  int i = get_global_id(0);
  if (get_local_size(0) > 100)
    o[i] = 4 * i;
  else if (get_local_size(0) < 20)
    o[i] = -i;
  else
    o[i] = i + 1;
}
`;

test("the size of the text that is shown, and the others; in the report and on the page, too", async () => {
  const folder = workspace();
  writeFileSync(join(folder, "k.cl"), source);
  const { code, out } = await crosslane(folder, [
    ...["verify", "k.cl", "--to", "glsl,msl", "--mutants", "5", "--report", "page.html"],
  ]);
  expect(code).toBe(0);
  const said =
    /written for workgroups of (\d+ x 1 x 1); launches of (\d+ x 1 x 1), (\d+ x 1 x 1) ran on texts for those sizes/;
  const [, ...sizes] = said.exec(out)!;
  const [small, middle, large] = sizes.map((s) => parseInt(s)).sort((a, b) => a - b);
  expect([small! < 20, middle! >= 20 && middle! <= 100, large! > 100]).toEqual([true, true, true]);
  expect(out.match(/written for workgroups/g)).toHaveLength(1);
  expect(out).toMatch(new RegExp(`of 5 planted faults? noticed by launches with workgroups of ${sizes[0]}`));
  const page = readFileSync(join(folder, "page.html"), "utf8");
  expect(page).toContain(`is written for workgroups of ${sizes[0]!.replaceAll("x", "×")}`);

  const json = await crosslane(folder, ["verify", "k.cl", "--to", "glsl", "--format", "json"]);
  const report = JSON.parse(json.out) as { results: { workgroupSizes: number[][] }[] };
  expect(reportProblems(report)).toEqual([]);
  expect(report.results[0]!.workgroupSizes.map((s) => s.join(" x "))).toEqual(sizes);
});
