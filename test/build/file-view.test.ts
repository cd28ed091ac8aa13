/** What a watch looks at again after the system named files: those, whatever else changed. */
import { rmSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileView } from "../../src/build/file-view.js";
import { project, put } from "./real-command.js";

test("only what is named is looked at again, and only what is another is said", () => {
  const folder = project({ "a.cl": "1", "b.cl": "1", "c.cl": "1" });
  const [a, b, c, d] = ["a.cl", "b.cl", "c.cl", "d.cl"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  const view = new FileView(folder);
  for (const file of [a, b, c, d]) view.look(file);
  put(a, "2");
  put(b, "1");
  put(c, "2");
  put(d, "1");
  expect(view.lookAgain([a, b, d])).toEqual(new Set([a, d]));
  expect([a, b, c, d].map((file) => view.look(file).bytes?.toString())).toEqual(["2", "1", "1", "1"]);
  rmSync(a);
  expect(view.lookAgain([a])).toEqual(new Set([a]));
  expect(view.look(a).state).toBe("-");
});

test("a link that leads elsewhere is another file", () => {
  const folder = project({ "one/x.cl": "1", "two/x.cl": "1" });
  const link = join(folder, "x.cl");
  symlinkSync(join(folder, "one/x.cl"), link);
  const view = new FileView(folder);
  view.look(link);
  unlinkSync(link);
  symlinkSync(join(folder, "two/x.cl"), link);
  expect(view.lookAgain([link])).toEqual(new Set([link]));
  expect(view.real(link)).toBe(view.real(join(folder, "two/x.cl")));
});
