import { describe, expect, test } from "vitest";
import { frontEnd } from "../../src/frontend/index.js";
import { preprocess, type PreprocessOptions } from "../../src/frontend/preprocess.js";
import { readingFacts } from "../../src/dialects/languages.js";
import { locate } from "../../src/support/expanded-source.js";
import { processorTime } from "../support/processor-time.js";

function run(source: string, options: Partial<PreprocessOptions> = {}) {
  const result = preprocess(source, { fileName: "main", form: "opencl", ...options });
  return { ...result, text: result.expanded.text, tokens: squeeze(result.expanded.text) };
}
const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim();
const messages = (problems: readonly { code: string; message: string }[]): string[] =>
  problems.map((p) => `${p.code} ${p.message}`);
const includes = (files: Record<string, string>): Partial<PreprocessOptions> => ({
  include: (path) => (Object.hasOwn(files, path) ? { name: path, text: files[path]! } : undefined),
});

// Expected texts: C11 6.10.3.5, C23 6.10.5, as printed there.
describe("examples of the C standard", () => {
  test("6.10.3.5 example 3: redefinition and reexamination", () => {
    const { tokens, problems } = run(`#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };`);
    expect(problems).toEqual([]);
    expect(tokens).toBe(
      squeeze(`f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
      f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
      int i[] = { 1, 23, 4, 5, };
      char c[2][6] = { "hello", "" };`),
    );
  });

  test("6.10.3.5 example 4: strings and joined tokens", () => {
    const { tokens, problems } = run(
      `#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \\
                      x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\\0d", "abc", '\\4') // this goes away
  == 0) str(: @\\n), s);
#include xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)`,
      includes({ "vers2.h": "included;\n" }),
    );
    expect(problems).toEqual([]);
    expect(tokens).toBe(
      squeeze(`printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
      fputs("strncmp(\\"abc\\\\0d\\", \\"abc\\", '\\\\4') == 0" ": @\\n", s);
      included;
      "hello";
      "hello" ", world"`),
    );
  });

  test("6.10.3.5 example 5: empty arguments beside ##", () => {
    const { tokens } = run(`#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),
            t(10,,), t(,11,), t(,,12), t(,,) };`);
    expect(tokens).toBe("int j[] = { 123, 45, 67, 89, 10, 11, 12, };");
  });

  test("6.10.3.5 example 7: a variable number of arguments", () => {
    const { tokens } = run(`#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test):\\
    printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);`);
    expect(tokens).toBe(
      squeeze(`fprintf(stderr, "Flag"); fprintf(stderr, "X = %d\\n", x);
      puts("The first, second, and third items.");
      ((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));`),
    );
  });

  test("6.10.3.3: ## made by ## is no operator", () => {
    const { tokens } = run(`#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);`);
    expect(tokens).toBe('char p[] = "x ## y";');
  });

  test("C23 6.10.5.1: __VA_OPT__", () => {
    const { tokens } = run(`#define F(...) f(0 __VA_OPT__(,) __VA_ARGS__)
#define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)
#define SDEF(sname, ...) S sname __VA_OPT__(= { __VA_ARGS__ })
#define EMP
#define H2(X, Y, ...) __VA_OPT__(X ## Y,) __VA_ARGS__
#define H5A(...) __VA_OPT__()/**/__VA_OPT__()
#define H5B(X) a ## X ## b
#define H5C(X) H5B(X)
F(a, b, c) F() F(EMP) G(a, b, c) G(a, ) G(a) SDEF(foo); SDEF(bar, 1, 2); H2(a, b, c, d) H5C(H5A())`);
    expect(tokens.replace(/ ?, ?/g, ",").replace(/ ?([)(]) ?/g, "$1")).toBe(
      "f(0,a,b,c)f(0)f(0)f(0,a,b,c)f(0,a)f(0,a)S foo; S bar = { 1,2 }; ab,c,d ab",
    );
  });
});

describe("macros", () => {
  test.each([
    // Neighbours must not become one token.
    ["#define M -1\nx = -M;", "x = - -1;"],
    ["#define E\nx = -E-y;", "x = - -y;"],
    ["#define A a\nA A", "a a"],
    ["#define P +\n+P+ P", "+ + + +"],
    // A function-like macro without arguments is a name.
    ["#define F(x) x\nint F; F (2) F\n(3)", "int F; 2 3"],
    ["#define F(a, rest...) g(a, ##rest)\nF(1) F(1, 2, 3)", "g(1) g(1, 2, 3)"],
    ["#define EMPTY()\nEMPTY() EMPTY( )", ""],
    ["#define F(x, y) [x|y]\nF((1, 2), {3) F(,)", "[(1, 2)|{3] [|]"],
    ["#define f(x) #x\nf( a  \"b\\n\"  'c' )", '"a \\"b\\\\n\\" \'c\'"'],
    ["#define foo foo + bar\nfoo", "foo + bar"],
    ["#define a b\n#define b a\na b", "a b"],
    ['__LINE__\n\n#line 40 "other"\n__LINE__ __FILE__', '1 40 "other"'],
    ["#define L __LINE__\n\nL", "3"],
    ["#define\\\n N \\\n  4\nN", "4"],
    ["// N\n#define N /* four */ 4 // yes\nN /* N */", "4"],
    // Tokens beside a continued line stay two.
    ["#define F(x) x *\\\n-x /* *\\\n */\nF(\\\n2)", "2 * -2"],
    // As clang has it, which warns of the blanks.
    ["#define F(a, \\ \t\n b) a+\\ \r\n b\n#if 1 && \\ \n 1\nF(1, 2)\n#endif", "1+ 2"],
  ])("%s", (source, expected) => {
    const { tokens, problems } = run(source);
    expect(problems).toEqual([]);
    expect(tokens).toBe(expected);
  });

  test.each([
    [
      "#ifndef WIDTH\n#error no\n#endif",
      "'WIDTH' is not defined; a macro that the host defines is given as -D WIDTH, or -D WIDTH=value",
    ],
    [
      "#define C 1\n#if defined(A) && C\n#elif B > 1\n#else\n#error no\n#endif",
      "'A', 'B' are not defined; a macro that the host defines is given as -D A, or -D A=value",
    ],
    ["#if defined(A)\n#endif\n#error no", undefined],
    ["#if defined(A)\n#else\n#if 1\n#error no\n#endif\n#endif", undefined],
  ])("an #error says which macros are missing: %j", (text, help) => {
    const { problems } = run(text);
    expect(problems.map((p) => [p.code, p.help])).toEqual([["XL0007", help]]);
  });

  test("definitions and uses are kept", () => {
    const { expanded } = run("#define N 16u // lanes\n#define MAX(a,b) ((a)>(b)?(a):(b))\nx[N] = MAX( p,\n q );\n");
    expect(expanded.macros.map(({ name, parameters, body }) => [name, parameters, body])).toEqual([
      ["N", undefined, "16u"],
      ["MAX", ["a", "b"], "((a)>(b)?(a):(b))"],
    ]);
    const uses = expanded.expansions.map((e) => [e.name, e.written, expanded.text.slice(e.span.start, e.span.end)]);
    expect(uses).toEqual([
      ["N", "N", "16u"],
      ["MAX", "MAX( p, q )", "((p)>(q)?(p):(q))"],
    ]);
    expect(expanded.comments.map((c) => [c.text, c.kind, c.ownLine])).toEqual([["// lanes", "line", false]]);
  });

  test.each([
    ["#define F(x) x\nF(1, 2)", "XL0003 macro 'F' takes 1 argument but is given 2"],
    ["#define F(x, y) x\nF(1)", "XL0003 macro 'F' takes 2 arguments but is given 1"],
    ["#define F(x) x\nF(1", "XL0003 the arguments of macro 'F' are never closed"],
    ["#define J(a, b) a ## b\nJ(+, *)", "XL0003 joining '+' and '*' with ## gives no token"],
    ["#define F(x, x) x", "XL0002 parameter 'x' of macro 'F' appears twice"],
    ["#define F(x) #y", "XL0002 # in macro 'F' is not followed by a parameter"],
    ["#define F ## y", "XL0002 ## stands at an end of macro 'F'"],
    ["#define 3", "XL0002 #define needs the name of a macro"],
    ["#define N 1\n#define N 2", "XL0002 macro 'N' is redefined"],
    ["#error no luck", "XL0007 #error no luck"],
    ["#warning careful", "XL0008 #warning careful"],
    ["#frobnicate", "XL0001 '#frobnicate' is no directive of OpenCL C"],
    ["#if 1", "XL0005 the conditional is never closed with #endif"],
    ["#endif", "XL0005 #endif without #if"],
    ["#if 0\n#else\n#else\n#endif", "XL0005 #else after #else"],
    ["#if 1 +\n#endif", "XL0004 the condition is not complete"],
    ["#if\n#endif", "XL0004 the condition is empty"],
    ["#if 1 / 0\n#endif", "XL0004 the condition divides by zero"],
    ["#if INT_MAX > 1\n#endif", "XL0004 the value of 'INT_MAX' is not known here"],
    ['#include "gone.h"', 'XL0006 "gone.h" is not found'],
    ["#include gone", 'XL0001 #include needs "file" or <file>'],
    ["int a; /* oh", "XL0009 the comment is never closed"],
    ["int ab\\\ncd;", "XL0013 a token continues after a line continuation"],
    ["int ab\\ \ncd;", "XL0013 a token continues after a line continuation"],
    ["int ab\\\n\\\ncd;", "XL0013 a token continues after a line continuation"],
    // Other tokens than the two: `a++ + b`, `1 /`, `a && b`, to clang, DXC and glslang.
    ["x = a +\\\n+ + b;", "XL0013 a token continues after a line continuation"],
    ["#define X 1 /\\\n/ 2", "XL0013 a token continues after a line continuation"],
    ["x = a &\\\n\\\r\n& b;", "XL0013 a token continues after a line continuation"],
    ["x = a /\\\n/* b */ c;", "XL0013 a token continues after a line continuation"],
    ["/* a *\\\n/ b = 3; /* c */", "XL0013 this comment ends in a line continuation between `*` and `/`"],
    [
      "#if 0\n/**\\ \n\\\r\n/\n#endif\n/* c */\n#endif",
      "XL0013 this comment ends in a line continuation between `*` and `/`",
    ],
    ["int a; // oh \\ \nint b;", "XL0014 this comment ends in a backslash and blanks: the next line belongs to it"],
    [
      "int a; // what??/\nint b;",
      "XL0014 this comment ends in `??/`, which is a backslash: the next line belongs to it",
    ],
    [
      "#if 0\n// what \\\t\n#endif\nint a;",
      "XL0014 this comment ends in a backslash and blanks: the next line belongs to it",
    ],
    ["  \n ", "XL0010 the file is empty"],
    ["ab\0cd", "XL0010 the file is not a text file"],
  ])("%j: %s", (source, message) => {
    expect(messages(run(source).problems)).toEqual([message]);
  });
});

describe("conditionals", () => {
  test.each([
    ["1 + 2 * 3 == 7", true],
    ["-1 > 0u", true], // usual arithmetic conversions to uintmax_t
    ["-1 < 0", true],
    ["0xFFFFFFFFFFFFFFFF == -1", true], // does not fit intmax_t, so it is unsigned
    ["(2 || 1 / 0) && !(0 && 1 / 0)", true],
    ["1 ? 2 : 1 / 0", true],
    ["(1 << 40) >> 38 == 4", true],
    ["-8 >> 1 == -4", true],
    ["-7 / 2 == -3 && -7 % 2 == -1", true],
    ["~0u == 0xFFFFFFFFFFFFFFFFu", true],
    ["'A' == 65 && '\\n' == 10", true],
    ["010 == 8 && 0b101 == 5", true],
    ["defined N && defined(N) && !defined M", true],
    ["N == 4 && F(3) == 6", true],
    ["undefined_name", false],
    ['__has_include("a.h") && !__has_include("b.h")', true],
    ["1 == 1 > 0", true],
    ["5 & 3 ^ 1 | 8", true],
  ])("#if %s", (condition, expected) => {
    const { tokens, problems } = run(
      `#define N 4\n#define F(x) (x * 2)\n#if ${condition}\nyes\n#else\nno\n#endif`,
      includes({ "a.h": "" }),
    );
    expect(problems).toEqual([]);
    expect(tokens).toBe(expected ? "yes" : "no");
  });

  test("arms, nested and dropped", () => {
    const source =
      "#ifdef A\na\n# if X\n don't '\n# else\n# endif\n#elif 1 // c\nb\n#elif garbage(\n#else\nc\n#endif\n#ifndef A\nd\n#endif";
    const { tokens, problems, expanded } = run(source);
    expect(problems).toEqual([]);
    expect(tokens).toBe("b d");
    expect(expanded.directives.filter((d) => d.kind === "conditional-dropped").map((d) => squeeze(d.text))).toEqual(
      ["a # if X don't ' # else # endif", "#elif garbage(", "c"].filter((text) => !text.startsWith("#elif")),
    );
    expect(run(source, { defines: { A: "1" } }).tokens).toBe("a");
  });

  test("true is 1 in the dialects that are C++", () => {
    expect(run("#if true\nyes\n#endif", { form: "msl" }).tokens).toBe("yes");
    expect(run("#if true\nyes\n#endif", { form: "opencl" }).tokens).toBe("");
  });
});

describe("text and places", () => {
  test("without macros the text keeps its length and lines", () => {
    const source = "#pragma once\n/* a\n b */ int x; // c\n#define N 1\n\n\tint y;\r\n";
    const { text, expanded } = run(source);
    expect(text.length).toBe(source.length);
    expect(text.split("\n").length).toBe(source.split("\n").length);
    expect(text).toBe("            \n    \n      int x;     \n           \n\n\tint y;\r\n");
    expect(expanded.comments.map((c) => source.slice(c.offset, c.end))).toEqual(["/* a\n b */", "// c"]);
    expect(expanded.segments.length).toBe(1);
  });

  test("locate leads through macros and includes", () => {
    const { expanded, text } = run(
      'int a;\n#include "b.h"\nint c = TWO + d;\n',
      includes({ "b.h": "#define TWO (1+1)\nint b;\n" }),
    );
    const at = (word: string) => {
      const start = text.indexOf(word);
      const { file, line, column, endColumn } = locate(expanded, { start, end: start + word.length });
      return `${file}:${line}:${column}-${endColumn}`;
    };
    expect([at("a;"), at("b;"), at("c ="), at("1+1"), at("d;")]).toEqual([
      "main:1:5-7",
      "b.h:2:5-7",
      "main:3:5-8",
      "main:3:9-12",
      "main:3:15-17",
    ]);
  });

  test("directives with a meaning of their own are kept", () => {
    const { expanded, problems } = run(
      "#version 460 core\n#extension GL_KHR_shader_subgroup_basic : require\n#pragma unroll\n#include <x>\n#if __VERSION__ == 460\nint a;\n#endif\n",
      { form: "glsl", predefined: readingFacts("glsl").macros, ...includes({ x: "" }) },
    );
    expect(problems).toEqual([]);
    expect(expanded.directives.map((d) => `${d.kind}: ${d.text}`)).toEqual([
      "version: #version 460 core",
      "extension: #extension GL_KHR_shader_subgroup_basic : require",
      "pragma: #pragma unroll",
      "include: #include <x>",
    ]);
    expect(squeeze(expanded.text)).toBe("int a;");
    const pragma = run('#define U _Pragma("unroll 4")\nU for (;;) _Pragma("x") ;');
    expect(pragma.tokens).toBe("for (;;) ;");
    expect(pragma.expanded.directives.map((d) => d.text)).toEqual(["#pragma unroll 4", "#pragma x"]);
  });

  test("included files: once, guards, library headers, waiting for the resolver", async () => {
    const files: Record<string, string> = {
      "a.h": '#pragma once\n#include "b.h"\nint a;\n',
      "b.h": "#ifndef B\n#define B\nint b;\n#endif\n",
    };
    const asked: string[] = [];
    const { expanded, problems } = await frontEnd(
      '#include <metal_stdlib>\n#include "a.h"\n#include "a.h"\n#include "b.h"\nint c;\n',
      {
        from: "msl",
        fileName: "main.metal",
        include: (path, from) => {
          asked.push(`${from}: ${path}`);
          return Promise.resolve(files[path] === undefined ? undefined : { name: path, text: files[path] });
        },
      },
    );
    expect(problems).toEqual([]);
    expect(squeeze(expanded.text)).toBe("int b; int a; int c;");
    expect(asked.sort()).toEqual(["a.h: b.h", "main.metal: a.h", "main.metal: b.h"]);
  });
});

describe("hostile input ends quickly with a diagnostic", () => {
  const timed = (source: string, options: Partial<PreprocessOptions> = {}): string[] => {
    const start = processorTime();
    const { problems } = run(source, options);
    expect(processorTime() - start).toBeLessThan(2000);
    return problems.map((p) => p.code);
  };

  test("a macro that doubles at every level", () => {
    const lines = Array.from({ length: 40 }, (_, i) => `#define M${i + 1} M${i} M${i}`);
    expect(timed(`#define M0 x\n${lines.join("\n")}\nM40\n`)).toEqual(["XL0012"]);
    const calls = Array.from({ length: 40 }, (_, i) => `#define F${i + 1}(x) F${i}(x x)`);
    expect(timed(`#define F0(x) x\n${calls.join("\n")}\nF40(a)\n`)).toEqual(["XL0012"]);
    const nested = `${"F(".repeat(5000)}1${")".repeat(5000)}`;
    expect(timed(`#define F(x) x x\n${nested}\n`)).toEqual(["XL0012"]);
    const glued = Array.from({ length: 40 }, (_, i) => `#define G${i + 1}(x) G${i}(x ## x)`);
    expect(timed(`#define G0(x) x\n${glued.join("\n")}\nG40(a)\n`)).toEqual(["XL0012"]);
  });

  test("a file that includes itself", () => {
    expect(timed('#include "self"\n', includes({ self: '#include "self"\n#include "self"\nint x;\n' }))).toEqual([
      "XL0011",
    ]);
  });

  test("5 MB, and bytes that are no text", () => {
    expect(timed("int x;\n".repeat(800_000))).toEqual(["XL0011"]);
    expect(timed(String.fromCharCode(...Array.from({ length: 2000 }, (_, i) => (i * 7919) % 256)))).toEqual(["XL0010"]);
  });

  test("headers that guard themselves count once, until they are read too often", () => {
    const guarded = `#ifndef H\n#define H\n${"int x; // ......................................................\n".repeat(15_000)}#endif\n`;
    const often = (times: number): string => '#include "h"\n'.repeat(times);
    // 0.9 MB each: 10 of them are more than a source may have, 80 more than is read.
    expect(timed(often(10), includes({ h: guarded }))).toEqual([]);
    expect(timed(often(80), includes({ h: guarded }))).toEqual(["XL0012"]);
  });

  test("deep conditionals and conditions", () => {
    expect(timed("#if 1\n".repeat(10_000))).toEqual(["XL0011"]);
    expect(timed(`#if 0\n${"#elif 0\n".repeat(100_000)}#endif\nint x;\n`)).toEqual([]);
    expect(timed(`#if ${"(".repeat(20_000)}1${")".repeat(20_000)}\n#endif\n`)).toEqual(["XL0004"]);
  });
});
