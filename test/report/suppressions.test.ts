import { describe, expect, test } from "vitest";
import { suppressionsOf } from "../../src/report/suppressions.js";

/** `line: codes` of each line, then the file's codes, then what is wrong. */
function read(...lines: string[]): string[] {
  const { file, lines: places, problems } = suppressionsOf("k.cl", lines.join("\n"));
  return [
    ...[...places].map(([line, codes]) => `${line}: ${[...codes].join(" ")}`),
    ...[...file].map((code) => `file: ${code}`),
    ...problems.map((p) => `${p.location!.line}:${p.location!.column} ${p.message}`),
  ];
}

describe("comments that suppress", () => {
  test("behind code: that line", () => {
    expect(read("int a;", "int b = a << 3; // crosslane-suppress XL5014: three is less than 32", "int c;")).toEqual([
      "2: XL5014",
    ]);
    expect(read("f(); /* crosslane-suppress XL5014 */ g();")).toEqual(["1: XL5014"]);
  });
  test("on lines of its own: the next line of code, over comments and empty lines", () => {
    expect(read("// crosslane-suppress XL5014, XL5002", "", "// why", "int b;")).toEqual(["4: XL5014 XL5002"]);
    expect(read("/*", " * crosslane-suppress XL5014", " */", "int b;")).toEqual(["4: XL5014"]);
    expect(read("int a;", "// crosslane-suppress XL5014", "// crosslane-suppress XL5002", "int b;")).toEqual([
      "4: XL5014 XL5002",
    ]);
  });
  test("of the whole file, wherever it stands", () => {
    expect(read("int a;", "int b; // crosslane-suppress-file XL0008 XL6015")).toEqual(["file: XL0008", "file: XL6015"]);
  });
  test("with line ends of Windows", () => {
    expect(read("// crosslane-suppress XL5014\r", "int b;\r")).toEqual(["2: XL5014"]);
  });
  test("not in strings, and not where the word is part of another", () => {
    expect(read('char *s = "crosslane-suppress XL5014";', "int my_crosslane-suppress;")).toEqual([]);
    expect(read("// xcrosslane-suppress XL5014", "int b;")).toEqual([]);
  });
  test("codes in small letters", () => expect(read("int b; // crosslane-suppress xl5014")).toEqual(["1: XL5014"]));
  test("nothing follows: nothing is suppressed", () => {
    expect(read("int b;", "// crosslane-suppress XL5014")).toEqual([]);
  });
  test("what names no code is said, at its place", () => {
    expect(read("int b; // crosslane-suppress")).toEqual(["1:11 the comment names no code to suppress"]);
    expect(read("// crosslane-suppress: XL5014", "int b;")).toEqual(["1:4 the comment names no code to suppress"]);
    expect(read("int b; // crosslane-suppress XL5014 XL0000")).toEqual([
      "1: XL5014",
      "1:11 there is no code 'XL0000' to suppress",
    ]);
    expect(read("// crosslane-suppress-line XL5014", "int b;")).toEqual(["1:4 there is no 'crosslane-suppress-line'"]);
    const near = suppressionsOf("k.cl", "int b; // crosslane-suppress XL50145").problems[0]!;
    expect(near).toMatchObject({ severity: "warning", code: "XL0015", help: "did you mean 'XL5014'?" });
  });
});
