import { describe, expect, it } from "vitest";
import { lineBreaks, lineLimit } from "../../emitters/shared/line-breaks.js";
import { LineWriter } from "../../emitters/shared/line-writer.js";

function broken(line: string): string[] {
  let text = "";
  let kept = 0;
  for (const b of lineBreaks(line)) {
    text += `${line.slice(kept, b.at)}\n${" ".repeat(b.indent)}`;
    kept = b.at + b.blanks;
  }
  return (text + line.slice(kept)).split("\n");
}

const long = (n: number, letter = "a"): string => letter.repeat(n);

describe("a line that is too long", () => {
  it("is broken at its outermost operator, as few times as will do", () => {
    const [a, b, c] = [long(50), long(50, "b"), long(50, "c")];
    expect(broken(`  return ${a} + ${b} * d + ${c};`)).toEqual([`  return ${a} + ${b} * d +`, `      ${c};`]);
  });

  it("is broken behind the sign of an assignment where that is enough", () => {
    const [a, b, c] = [long(50), long(50, "b"), long(50, "c")];
    expect(broken(`  ${a} = ${b} + ${c};`)).toEqual([`  ${a} =`, `      ${b} + ${c};`]);
  });

  it("has the coefficients of a polynomial in lines of one indent", () => {
    const c = Array.from({ length: 12 }, (_, i) => `0.${String(i).repeat(9)}`);
    const text = c.slice(0, -1).reduceRight((sum, v) => `${v} - t * (${sum})`, c.at(-1)!);
    const lines = broken(`  double y = a - z * z * (${text});`);
    expect(lines.join(" ").replace(/ +/g, " ")).toBe(` double y = a - z * z * (${text});`);
    expect(lines.slice(1).map((l) => /^ */.exec(l)![0].length)).toEqual(lines.slice(1).map(() => 6));
    for (const l of lines) expect(l.length).toBeLessThanOrEqual(lineLimit);
  });

  it("has the arguments of a call below it, together where they fit", () => {
    const [a, b, c] = [long(50), long(50, "b"), long(60, "c")];
    expect(broken(`x = call(${a}, ${b}, i + 1);`)).toEqual([`x = call(${a}, ${b}, i + 1);`]);
    expect(broken(`value = called(${a}, ${b}, i + 1, j);`)).toEqual(["value = called(", `    ${a}, ${b}, i + 1, j);`]);
    expect(broken(`value = called(${a}, ${b}, ${c});`)).toEqual([
      "value = called(",
      `    ${a},`,
      `    ${b},`,
      `    ${c});`,
    ]);
  });

  it("ends where choices stand in the first arms of choices", () => {
    const part = (letter: string): string => long(60, letter);
    const line = `x = ${part("a")} ? ${part("b")} ? ${part("c")} : ${part("d")} : ${part("e")} ? ${part("f")} : ${part("g")};`;
    const lines = broken(line);
    expect(lines.join(" ").replace(/ +/g, " ")).toBe(line);
    for (const l of lines) expect(l.length).toBeLessThanOrEqual(lineLimit);
  });

  it("has one parameter of a function a line", () => {
    const [a, b] = [long(50), long(50, "b")];
    expect(broken(`void function(uint ${a}, const float *${b}) {`)).toEqual([
      "void function(",
      `    uint ${a},`,
      `    const float *${b}) {`,
    ]);
  });

  it("has short elements of a list side by side", () => {
    const numbers = Array.from({ length: 40 }, (_, i) => String(100 + i));
    const lines = broken(`const float x[40] = {${numbers.join(", ")}};`);
    expect(lines[0]).toBe("const float x[40] = {");
    expect(lines.at(-1)).toBe("};");
    expect(lines.slice(1, -1).every((l) => l.startsWith("  1") && l.length <= lineLimit)).toBe(true);
    expect(
      lines
        .slice(1, -1)
        .map((l) => l.trim())
        .join(" "),
    ).toBe(numbers.join(", "));
  });

  it("lists the cases of choices in a row", () => {
    const [a, b, c] = [long(40), long(40, "b"), long(40, "c")];
    expect(broken(`  x = ${a} ? 1 : ${b} ? 2 : ${c};`)).toEqual([
      `  x = ${a} ? 1`,
      `      : ${b} ? 2`,
      `      : ${c};`,
    ]);
    expect(broken(`  x = ${a} ? ${b} : ${c};`)).toEqual([`  x = ${a}`, `      ? ${b}`, `      : ${c};`]);
  });

  it("is left alone where it is a directive or a comment, whose length does not count behind code", () => {
    const text = Array.from({ length: 30 }, () => "a + b,").join(" ");
    for (const line of [`#define X (${text} c)`, `// f(${text} c)`, `x = f(a, b); // ${text}`])
      expect(lineBreaks(line)).toEqual([]);
  });

  it("keeps types with arguments together", () => {
    const [a, b] = [long(60), long(60, "b")];
    expect(broken(`vec<float, 3> ${a} = ${b} < c;`)).toEqual([`vec<float, 3> ${a} =`, `    ${b} < c;`]);
  });
});

describe("the map from text to nodes", () => {
  it("follows the text over the breaks", () => {
    const out = new LineWriter();
    const [a, b, c] = [long(50), long(50, "b"), long(50, "c")];
    out.comment(`// ${a} ${b} ${c}`);
    out.mark({ start: 1, end: 2 }, () => out.line(`${a} = ${b} + ${c};`));
    out.mark({ start: 3, end: 4 }, () => out.line("x = y;"));
    const { text, map } = out.finish();
    const of = (start: number): string => {
      const r = map.find((m) => m.span.start === start)!;
      return text.slice(r.start, r.end);
    };
    expect(of(1)).toBe(`${a} =\n    ${b} + ${c};`);
    expect(of(3)).toBe("x = y;");
  });
});
