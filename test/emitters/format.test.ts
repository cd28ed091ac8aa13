/** The same-dialect printer: what it makes of texts, written by hand, and that it never changes what a compiler reads. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { format } from "../../emitters/format/format.js";
import type { TwoWayDialect } from "../../src/dialects/ids.js";
import { repositoryRoot } from "../support/judges/judge.js";
import { judgeable, judgedDialectOf, judgeOutputs, judges, refusals } from "../support/judges/outputs.js";
import { judgeTest } from "../support/tool-test.js";

const dialects = ["msl", "glsl", "opencl", "hlsl"] as const satisfies readonly TwoWayDialect[];

/**
 * Tokens by a lexer of its own: raw strings aside, as C++ and GLSL read them. Comments count as
 * tokens, with the blanks at the beginnings and ends of their lines left out. Line breaks that end directives are marked.
 */
function tokensOf(text: string): string[] {
  const unix = text.replace(/\r\n?/g, "\n");
  const token =
    /(?<directive>(?<=^|\n)[ \t]*#(?:\\\n|\/\*[^]*?\*\/|[^\n])*)|(?<comment>\/\/(?:\\\n|[^\n])*|\/\*[^]*?(?:\*\/|$))|(?<string>"(?:\\[^]|[^"\\\n])*(?:"|(?=\n|$))|'(?:\\[^]|[^'\\\n])*(?:'|(?=\n|$)))|\.?\d(?:[eEpP][-+]|'(?=\w)|[\w.])*|[\p{XID_Start}_$][\p{XID_Continue}$]*|<<=|>>=|\.\.\.|##|<<|>>|<=|>=|==|!=|&&|\|\||\^\^|\+\+|--|->|::|[-+*/%&|^]=|\\\n|\S/gu;
  return [...unix.matchAll(token)].map((match) => {
    const { directive, comment } = match.groups!;
    if (directive !== undefined) return directive.replace(/(?<!\\)[ \t]+$/, "").replace(/^[ \t]+/, "") + "\n";
    if (comment !== undefined) return comment.replace(/[ \t]*\n[ \t]*/g, "\n").trimEnd();
    return match[0];
  });
}

/** Everything but white space. */
const ink = (text: string): string => text.replace(/[\s\ufeff]+/g, "");

function expectSame(source: string, dialect: TwoWayDialect): string {
  const { text } = format(source, dialect);
  expect(ink(text)).toBe(ink(source));
  expect(tokensOf(text)).toEqual(tokensOf(source));
  expect(format(text, dialect).text).toBe(text);
  return text;
}

describe("written by hand", () => {
  interface Pair {
    readonly name: string;
    readonly dialect: TwoWayDialect;
    readonly before: string;
    readonly after: string;
  }
  const pairs: readonly Pair[] = [
    {
      name: "digit separators, and characters",
      dialect: "msl",
      before: "constant int n=1'000'000 ,c='a' ;\n",
      after: "constant int n = 1'000'000, c = 'a';\n",
    },
    {
      name: "parameters and operators below each other",
      dialect: "opencl",
      before: `kernel void k(global const float *a,
              global float       *out,
              const int           n,
              const int m) {
    out[0]=a[n]*2.0f
          + a[m];
  int   first  = 1;
  float second = 2.0f;
  int third=    first;
  foo(a,
      bar(n,
          m),
    first);
}

kernel void l(int n,
           int   m) {
  foo(
   n,
   m);
}
`,
      after: `kernel void k(global const float *a,
              global float       *out,
              const int           n,
              const int m) {
  out[0] = a[n] * 2.0f
         + a[m];
  int   first  = 1;
  float second = 2.0f;
  int third = first;
  foo(a,
      bar(n,
          m),
      first);
}

kernel void l(int n,
    int m) {
  foo(
      n,
      m);
}
`,
    },
    {
      name: "a kernel in a hurry",
      dialect: "msl",
      before: `#include <metal_stdlib>
using namespace metal ;



kernel void saxpy( device const float*x[[buffer(0)]],device float * y [[ buffer(1) ]],
  constant float & a[[buffer(2)]] , uint i[[thread_position_in_grid]] ){
\ty[ i ]=a*x [i]+y[i] ;\t
      if(i==0u){y[0]=-y[0];}
}`,
      after: `#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float *x [[buffer(0)]], device float *y [[buffer(1)]],
    constant float &a [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
  if (i == 0u) { y[0] = -y[0]; }
}
`,
    },
    {
      name: "signs that must stay apart",
      dialect: "opencl",
      before: `void f(int a, int b, int *p) {
a = a - -b;
a = a+ +b;
b = a & &p[0] ? 1 : 2;
a = a / *p;
a = - -b;
b = a- --b;
a = b++ + ++a;
a = !!b;
}
`,
      after: `void f(int a, int b, int *p) {
  a = a - -b;
  a = a + +b;
  b = a & &p[0] ? 1 : 2;
  a = a / *p;
  a = - -b;
  b = a - --b;
  a = b++ + ++a;
  a = !!b;
}
`,
    },
    {
      name: "one sign for a value or for two",
      dialect: "opencl",
      before: `int f(int a, int b) {
  int x=-1, y = a-1;
  return-x*-y+(a)*(-b)-sizeof(int)*2;
  x = (int)-1.5f + (unsigned int) +2;
  return (x<<2|y>>1)&0xff;
}
`,
      after: `int f(int a, int b) {
  int x = -1, y = a - 1;
  return -x * -y + (a)*(-b) - sizeof(int) * 2;
  x = (int)-1.5f + (unsigned int) +2;
  return (x << 2 | y >> 1) & 0xff;
}
`,
    },
    {
      name: "pointers: the author's side, or the name's",
      dialect: "opencl",
      before: `typedef struct { int x; } item;
void f(global float* a, global float *b, global float * c, global float*d, const item*e, float * restrict * g, item (*h)[4]);
void g(int n, int m) {
  item * p = (item*)0;
  item*q = (item *) p, *r;
  private unknown_t *s = &q[n*m];
  n = n*m & ~m;
}
`,
      after: `typedef struct { int x; } item;
void f(global float* a, global float *b, global float *c, global float *d, const item *e, float *restrict *g, item (*h)[4]);
void g(int n, int m) {
  item *p = (item*)0;
  item *q = (item *) p, *r;
  private unknown_t *s = &q[n * m];
  n = n * m & ~m;
}
`,
    },
    {
      name: "templates and comparisons",
      dialect: "msl",
      before: `template <typename T,int N=4>
T total(thread const T *x){
T sum=T( 0 );
for(int i=0;i<N&&i>=0;i++)sum+=x[i];
vec < float , 2 > v = vec<float,2>( 0.0f );
array< array<int,2>,3> a;
bool less = N<3, more = N>2;
array< ::metal::uint,2 > from_outside;
return sum+T(as_type < uint >(v.x)) + T(total<int , 2>(&a[0][0]));
}
`,
      after: `template <typename T, int N = 4>
T total(thread const T *x) {
  T sum = T(0);
  for (int i = 0; i < N && i >= 0; i++) sum += x[i];
  vec<float, 2> v = vec<float, 2>(0.0f);
  array<array<int, 2>, 3> a;
  bool less = N < 3, more = N > 2;
  array< ::metal::uint, 2> from_outside;
  return sum + T(as_type<uint>(v.x)) + T(total<int, 2>(&a[0][0]));
}
`,
    },
    {
      name: "statements without braces, and else",
      dialect: "glsl",
      before: `void main() {
if(a)
if (b)
x = 1;
else
x = 2;
else if (c)
{
x=3;
}
else
for (int i = 0;;i++)
do
x += i;
while (x<3);
y = x
+ 1
- 2;
z = 4;
}
`,
      after: `void main() {
  if (a)
    if (b)
      x = 1;
    else
      x = 2;
  else if (c)
  {
    x = 3;
  }
  else
    for (int i = 0;; i++)
      do
        x += i;
      while (x < 3);
  y = x
      + 1
      - 2;
  z = 4;
}
`,
    },
    {
      name: "switch, labels and conditional values",
      dialect: "opencl",
      before: `int f(int a) {
switch(a){
// Before the first.
case 0:
case A?1:2 : { a=1; break; }
default :
a = a?a : -a;
    // Falls out.
}
again :
if (a<3) goto again;
return a?:1;
}
`,
      after: `int f(int a) {
  switch (a) {
    // Before the first.
    case 0:
    case A ? 1 : 2: { a = 1; break; }
    default:
      a = a ? a : -a;
      // Falls out.
  }
  again:
  if (a < 3) goto again;
  return a ?: 1;
}
`,
    },
    {
      name: "resources of HLSL",
      dialect: "hlsl",
      before: `cbuffer Params:register( b0 ){
uint n ; float2 scale;
}
StructuredBuffer<float>src:register(t0);
RWStructuredBuffer< float4 > dst : register(u0,space1);
groupshared float tile[ 16 ] [17];
[ numthreads( 8,8,1 ) ]
void main(uint3 id:SV_DispatchThreadID,out float x : A){
[unroll]
for(uint i=0;i<4;++i)dst[i]=(float4)src[i];
tile[0][1]=float(id.x)*.5;
static const float w[2]={ .5,1. };
}
`,
      after: `cbuffer Params : register(b0) {
  uint n; float2 scale;
}
StructuredBuffer<float> src : register(t0);
RWStructuredBuffer<float4> dst : register(u0, space1);
groupshared float tile[16][17];
[numthreads(8, 8, 1)]
void main(uint3 id : SV_DispatchThreadID, out float x : A) {
  [unroll]
  for (uint i = 0; i < 4; ++i) dst[i] = (float4)src[i];
  tile[0][1] = float(id.x) * .5;
  static const float w[2] = { .5, 1. };
}
`,
    },
    {
      name: "interfaces of GLSL",
      dialect: "glsl",
      before: `#version   450
  #extension GL_EXT_shader_16bit_storage:require
layout (local_size_x=64,local_size_y=2)in;
layout( std430,binding=0 ) readonly buffer In{ float src[ ]; };
layout(std430, binding = 1)
buffer Out
{
float dst [];
} result;
void main( )
{
result.dst[gl_GlobalInvocationID . x] = src[0]*(src[1])-(src[2])*-1.0;
}
`,
      after: `#version   450
#extension GL_EXT_shader_16bit_storage:require
layout(local_size_x = 64, local_size_y = 2) in;
layout(std430, binding = 0) readonly buffer In { float src[]; };
layout(std430, binding = 1)
buffer Out
{
  float dst[];
} result;
void main()
{
  result.dst[gl_GlobalInvocationID.x] = src[0] * (src[1]) - (src[2]) * -1.0;
}
`,
    },
    {
      name: "directives and conditionals in their places",
      dialect: "opencl",
      before: `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
  #  define  TWICE( x )   ((x)+(x))  \t
   #define LONG(a,b) \\
        do {   \\
   a=b; \\
      }while(0)
#ifdef A
  void f(int a)
#else
void f(int a,int b)
#endif
{
    #if 0
if (broken {
    #endif
a=1;
  #if B
a=2;
    #elif C
if (a) {
    #endif
a=3;
}
`,
      after: `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#  define  TWICE( x )   ((x)+(x))
#define LONG(a,b) \\
        do {   \\
   a=b; \\
      }while(0)
#ifdef A
void f(int a)
#else
void f(int a, int b)
#endif
{
#if 0
  if (broken {
#endif
  a = 1;
#if B
  a = 2;
#elif C
  if (a) {
#endif
  a = 3;
}
`,
    },
    {
      name: "comments",
      dialect: "msl",
      before: `    /* One
         two   three
    four */
// a=b  
struct   S{// first
 int  a;      // column
 int  bcd;    // column
      /** inner
       *  more
       */
 float c/*c*/ ;//tight
     // last
};
int f( /* nothing */ int x,   // why
/* before */ int y );
`,
      after: `/* One
     two   three
four */
// a=b
struct S { // first
  int a;      // column
  int bcd;    // column
  /** inner
   *  more
   */
  float c/*c*/; //tight
  // last
};
int f( /* nothing */ int x,   // why
    /* before */ int y);
`,
    },
    {
      name: "columns that end below each other",
      dialect: "msl",
      before: `kernel void f(
          device float * dst  [[buffer(0)]],
    const device float * src  [[buffer(1)]],
        constant Params & p   [[buffer(2)]])
{
    float x   =   1.0;
    float yy  = -10.0;
    float zzz = 100.0;
    int  i = 0;
    uint ii = 1;
    dst[  0] = x;
    dst[ 10] = yy;
    dst[100] = zzz;
    const float table[6] = {   1.0,  20.0, 300.0,
                             400.0,   5.5,   6.0 };
    x   += src[i];
    zzz  = x + table[ii]
         + zzz;
}
`,
      after: `kernel void f(
          device float *dst [[buffer(0)]],
    const device float *src [[buffer(1)]],
        constant Params &p  [[buffer(2)]])
{
  float x   =   1.0;
  float yy  = -10.0;
  float zzz = 100.0;
  int  i = 0;
  uint ii = 1;
  dst[  0] = x;
  dst[ 10] = yy;
  dst[100] = zzz;
  const float table[6] = {   1.0, 20.0, 300.0,
                           400.0,  5.5,   6.0 };
  x  += src[i];
  zzz = x + table[ii]
      + zzz;
}
`,
    },
    {
      name: "lists, and calls over several lines",
      dialect: "msl",
      before: `constant float weights[2][2]={
{1,2 },
{ 3,4},
};
enum class mode:uint{
one=1,
two,
};
float f(float a){
return max(
min(a,
2.0f),
float4{1,2,3,4}.x
);
}
`,
      after: `constant float weights[2][2] = {
  {1, 2},
  { 3, 4 },
};
enum class mode : uint {
  one = 1,
  two,
};
float f(float a) {
  return max(
      min(a,
          2.0f),
      float4{1, 2, 3, 4}.x
  );
}
`,
    },
    {
      name: "arguments that a macro makes a string of",
      dialect: "opencl",
      before: `#define TEXT(x) #x
#define SHOW(x) printf(TEXT(x))
#define TWICE(x) (x+x)
void f() {
SHOW(a+b  ( c ));
int a = TWICE(a+b);
}
`,
      after: `#define TEXT(x) #x
#define SHOW(x) printf(TEXT(x))
#define TWICE(x) (x+x)
void f() {
  SHOW(a+b ( c ));
  int a = TWICE(a + b);
}
`,
    },
    {
      name: "macros that stand for statements",
      dialect: "msl",
      before: `DECLARE(float)
DECLARE(int)
kernel void f() {
LOOP(int i = 0;i<4;++i){
g(i);
}
MARK(1)
int x = 1;
}
`,
      after: `DECLARE(float)
DECLARE(int)
kernel void f() {
  LOOP(int i = 0; i < 4; ++i) {
    g(i);
  }
  MARK(1)
  int x = 1;
}
`,
    },
    {
      name: "line continuations outside of directives",
      dialect: "opencl",
      before: "int x = 1 +\\\n    2;\nint   y;  \\\n\n",
      after: "int x = 1 +\\\n    2;\nint y;  \\\n",
    },
    {
      name: "line continuations with blanks after the backslash",
      dialect: "opencl",
      before: "#define F(a, \\ \n   b) a + \\ \t\n b\nint   x = 1 + \\ \n    2;\n  int y;\n",
      after: "#define F(a, \\ \n   b) a + \\ \t\n b\nint x = 1 + \\ \n    2;\nint y;\n",
    },
    {
      name: "a backslash that continues nothing",
      dialect: "hlsl",
      before: "int x; // c:\\dir\\ \nint   y;",
      after: "int x; // c:\\dir\\ \nint y;\n",
    },
    {
      name: "line ends of DOS",
      dialect: "glsl",
      before: "int  a;\r\n\r\n\r\n  int b;\r\n",
      after: "int a;\n\nint b;\n",
    },
    { name: "nothing", dialect: "glsl", before: "", after: "" },
    { name: "only blanks", dialect: "glsl", before: " \n\t\n", after: "" },
    {
      name: "brackets that do not match",
      dialect: "glsl",
      before: "}\nvoid f() { x = (1;\n }\n  )y;",
      after: "}\nvoid f() { x = (1;\n}\n)y;\n",
    },
  ];

  test.each(pairs)("$name", ({ dialect, before, after }) => {
    expect(format(before, dialect).text).toBe(after);
    expectSame(before, dialect);
  });
});

describe("the map", () => {
  test("relates each line to the original text", () => {
    const source = "int   a ;\r\n\r\n\r\n  // c\r\nint b;\r\n#define X  1\r\n";
    const { text, map } = format(source, "glsl");
    expect(text).toBe("int a;\n\n// c\nint b;\n#define X  1\n");
    expect(map.map(({ span, start, end }) => [source.slice(span.start, span.end), text.slice(start, end)])).toEqual([
      ["int   a ;", "int a;"],
      ["// c", "// c"],
      ["int b;", "int b;"],
      ["#define X  1", "#define X  1"],
    ]);
  });
});

const fixtures = join(repositoryRoot, "fixtures");

interface Kernel {
  readonly name: string;
  readonly dialect: TwoWayDialect;
  readonly text: string;
}

function kernelsIn(folders: readonly string[]): Kernel[] {
  return folders.flatMap((folder) =>
    readdirSync(join(fixtures, folder), { withFileTypes: true }).flatMap((entry) => {
      const dialect = judgedDialectOf(entry.name);
      if (!entry.isFile() || dialect === undefined) return [];
      const name = join(folder, entry.name);
      return [{ name, dialect, text: readFileSync(join(fixtures, name), "utf8") }];
    }),
  );
}

describe("fixtures", () => {
  const folders = readdirSync(fixtures, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const kernels = kernelsIn(folders.filter((name) => name !== "errors"));
  const samples = kernelsIn(
    ["errors", ...folders.map((name) => join(name, "expected"))].filter((name) => existsSync(join(fixtures, name))),
  );

  test("there are kernels in every dialect", () => {
    for (const dialect of dialects)
      expect(kernels.filter((kernel) => kernel.dialect === dialect).length).toBeGreaterThan(10);
  });

  test.each([...kernels, ...samples])("$name keeps its tokens and comments", ({ text, dialect }) => {
    expectSame(text, dialect);
  });

  /** Lines that differ in how far they are indented, and do not stand below a word of the line before. */
  function moved(text: string, flat: string): string[] {
    const before = flat.split("\n");
    const lines = text.split("\n");
    return lines.filter((line, i) => {
      if (line === before[i]) return false;
      const column = line.search(/\S/);
      const above = lines[i - 1] ?? "";
      return line.trim() !== before[i]?.trim() || !/^[\s([{]\S/.test(above.slice(column - 1, column + 1));
    });
  }

  // A comment before `case` keeps the author's opinion about what it belongs to.
  const indifferent = kernels.filter(({ text }) => !/\/\/.*\n\s*(?:case|default)\b/.test(text));
  test.each(indifferent)("$name needs no indentation of its author", ({ text, dialect }) => {
    const flat = text.replace(/(?<!\\)\n[ \t]+/g, "\n");
    expect(moved(format(text, dialect).text, format(flat, dialect).text)).toEqual([]);
  });

  for (const dialect of dialects) {
    judgeTest(judges[dialect], `the ${dialect} compiler accepts the formatted ${dialect} kernels`, async () => {
      const formatted = kernels
        .filter((kernel) => kernel.dialect === dialect)
        .map(({ name, text }) => judgeable(dialect, name, format(text, dialect).text));
      expect(refusals(await judgeOutputs(formatted))).toBe("");
    });
  }
});

describe("any text", () => {
  const words = [
    "a",
    "b1",
    "T",
    "n",
    "float",
    "if",
    "else",
    "for",
    "while",
    "do",
    "case",
    "default",
    "switch",
    "struct",
    "template",
    "operator",
    "return",
    "const",
    "device",
    "vec",
    "typedef",
    "A",
  ];
  const others = [
    "1",
    "1.5f",
    ".5",
    "0xe",
    "'a'",
    '"s  s"',
    "//c\n",
    "/* c */",
    "/* c\n   d */",
    "\\",
    "\\\n",
    "é",
    "😀",
  ];
  const signs = [
    ..."()[]{}<>=+-*/%&|^~!?:.,;@",
    ">>",
    "<<",
    "<=",
    ">=",
    "==",
    "&&",
    "||",
    "::",
    "->",
    "...",
    "++",
    "--",
    "+=",
    ">>=",
  ];
  const directives = [
    "\n#define A(x) #x\n",
    "\n#define B 1 \\\n 2\n",
    "\n#if 0\n",
    "\n#if A\n",
    "\n#else\n",
    "\n#endif\n",
  ];
  const blanks = fc.constantFrom("", " ", "  ", "\t", "\n", " \n\t ", "\n\n\n", "\r\n", "\f");
  const token = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
    { weight: 6, arbitrary: fc.constantFrom(...signs) },
    { weight: 1, arbitrary: fc.constantFrom(...directives) },
  );
  const soup = fc
    .array(fc.tuple(token, blanks), { minLength: 1, maxLength: 30 })
    .map((pieces) => pieces.flat().join(""));

  test("keeps its tokens, and is formatted once and for all", () => {
    fc.assert(
      fc.property(soup, fc.constantFrom(...dialects), (text, dialect) => {
        const formatted = format(text, dialect).text;
        return (
          ink(formatted) === ink(text) &&
          JSON.stringify(tokensOf(formatted)) === JSON.stringify(tokensOf(text)) &&
          format(formatted, dialect).text === formatted
        );
      }),
      { seed: 167048158, numRuns: 3000 },
    );
  });

  test("a kernel with other blanks is the same kernel", () => {
    const kernels = kernelsIn(["matmul", "reduce", "histogram", "macros"]);
    fc.assert(
      fc.property(
        fc.constantFrom(...kernels),
        fc.array(fc.tuple(fc.nat(), blanks), { maxLength: 20 }),
        ({ text, dialect }, edits) => {
          let edited = text;
          for (const [at, blank] of edits) {
            // Anywhere but in directives, comments and strings: before a line's first token or between a bracket and its neighbour.
            const places = [...edited.matchAll(/(?<=\n)(?![ \t]*#)(?=[ \t]*\w)(?<!\\\n)|(?<=[([{;,])(?=\w)/g)].map(
              (match) => match.index,
            );
            const place = places[at % places.length]!;
            if (isInside(edited, place)) continue;
            edited = edited.slice(0, place) + blank + edited.slice(place);
          }
          expectSame(edited, dialect);
        },
      ),
      { seed: 8, numRuns: 150 },
    );
  });
});

/** Whether a place lies in a directive, a comment or a string. */
function isInside(text: string, place: number): boolean {
  const inside = /(?<=^|\n)[ \t]*#(?:\\\n|[^\n])*|\/\/[^\n]*|\/\*[^]*?\*\/|"[^"\n]*"/g;
  return [...text.matchAll(inside)].some((match) => match.index < place && place <= match.index + match[0].length);
}
