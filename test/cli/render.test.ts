import { describe, expect, test } from "vitest";
import type { Diagnostic, Location } from "../../src/support/diagnostics.js";
import { didYouMean, nearest } from "../../src/support/did-you-mean.js";
import { renderDiagnostic } from "../../src/support/render.js";

const at = (line: number, column: number, endLine: number, endColumn: number): Location => ({
  file: "k.cl",
  line,
  column,
  endLine,
  endColumn,
});
const error = (location: Location, more: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: "error",
  code: "XL2001",
  message: "name 'y' is not declared",
  location,
  notes: [],
  ...more,
});
const render = (diagnostic: Diagnostic, text: string): string => renderDiagnostic(diagnostic, () => text);

describe("code frames", () => {
  test("a place, a note elsewhere, a help", () => {
    const text = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join("\n");
    const notes = [{ message: "first here", location: at(2, 1, 2, 5) }];
    expect(render(error(at(12, 6, 12, 8), { notes, help: "did you mean 'x'?" }), text)).toBe(
      [
        "error[XL2001]: name 'y' is not declared",
        "  --> k.cl:12:6",
        "   |",
        "12 | line 12",
        "   |      ^^",
        "   = note: first here",
        "  --> k.cl:2:1",
        "   |",
        " 2 | line 2",
        "   | ^^^^",
        "   = help: did you mean 'x'?",
      ].join("\n"),
    );
  });

  test("tabs keep carets in place", () => expect(render(error(at(1, 3, 1, 4)), "\t\tx = 1;")).toContain("\n  | \t\t^"));
  test("several lines are marked to the end of the first", () =>
    expect(render(error(at(1, 5, 3, 2)), "int f(\n  a\n)")).toMatch(/\| int f\(\n {2}\| {5}\^\^$/));
  test("an empty place has one caret", () => expect(render(error(at(1, 4, 1, 4)), "abc")).toContain("\n  |    ^"));
  test("a place after the end of the text", () =>
    expect(render(error(at(9, 1, 9, 1)), "abc")).toBe("error[XL2001]: name 'y' is not declared\n --> k.cl:9:1"));
  test("line ends of Windows", () => expect(render(error(at(1, 1, 1, 4)), "abc\r\ndef")).toContain("1 | abc\n"));

  test("of a very long line only the surroundings are shown", () => {
    const shown = render(error(at(1, 500_001, 1, 500_004)), `${"a".repeat(500_000)}xyz${"b".repeat(500_000)}`);
    expect(shown.length).toBeLessThan(1000);
    const [, , , line, carets] = shown.split("\n");
    expect(line!.slice(carets!.indexOf("^"), carets!.lastIndexOf("^") + 1)).toBe("xyz");
  });

  test("control characters of a source do not reach the terminal", () => {
    const shown = render(error(at(1, 1, 1, 2), { message: "bad \u001b[31m \u202e" }), "x\u001b[2J\u0007y");
    // eslint-disable-next-line no-control-regex
    expect(shown).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
  });

  test("without the text of a file, its place", () => {
    expect(renderDiagnostic(error(at(3, 2, 3, 3)), () => undefined)).toBe(
      "error[XL2001]: name 'y' is not declared\n --> k.cl:3:2",
    );
  });
});

describe("did you mean", () => {
  test.each([
    ["wrokgroups", ["workgroups", "gridSize"], "workgroups"],
    ["glsk", ["msl", "glsl"], "glsl"],
    ["x", ["y", "n"], undefined],
    ["input", ["output", "values"], undefined],
    ["n", ["count"], undefined],
    ["Count", ["count"], "count"],
  ])("%s of %j", (name, known, found) => expect(nearest(name, known)).toBe(found));
  test("as a sentence", () => expect(didYouMean("sizw", ["size"])).toBe("did you mean 'size'?"));
});
