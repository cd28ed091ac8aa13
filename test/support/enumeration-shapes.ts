/** Kernels of MSL about enumerations, which are types of their own (C++14 4.5, 5, 7.2, 13.3.3.2): see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

export const enumerationShapes: readonly Shape[] = [
  {
    name: "headers that C has, too: a typedef of an enumeration by its own name",
    before: `typedef enum Slot { source = 0, target = 7 } Slot; typedef enum Slot Slot; typedef Slot Slot; typedef enum : ushort { one = 1 } Count;
      int f(Slot) { return 1; } int f(int) { return 2; } enum Slot other(Slot s) { return s == source ? target : source; }`,
    body: `Slot s = target; enum Slot o = other(s); Count c = one; y[i] = f(s) + f(s + 0) * 10 + other(o) * 100 + c * 1000 + i;`,
    y: four((i) => 1 + 20 + 700 + 1000 + i),
  },
  {
    name: "overloads on enumerations and integers",
    before: `enum Mode { first, second }; enum Other { third = 4 }; enum class Kind { round, square = 5 };
      int f(Mode) { return 1; } int f(int) { return 2; } int f(Other) { return 3; } int f(Kind) { return 4; } int f(float) { return 5; }
      int g(int) { return 1; } int g(float) { return 2; } int h(thread const Mode&) { return 1; } int h(thread const int&) { return 2; }
      int p(thread Mode*) { return 1; } int p(thread int*) { return 2; }`,
    body: `Mode m = first; int n = m;
      y[i] = f(first) + f(0) * 10 + f(third) * 100 + f(Kind::square) * 1000 + f(1.0f) * 10000 + f(first + 1) * 100000 + f(-second) * 1000000 + f(m == first ? m : second) * 10000000;
      y[i] += i * (g(second) + h(m) * 10 + h(n) * 100 + p(&m) * 1000 + p(&n) * 10000);`,
    y: four((i) => 12254321 + i * (1 + 10 + 200 + 1000 + 20000)),
  },
  {
    name: "overloads on enumerations of small integers",
    before: `enum Small : uchar { a = 200, b }; enum class Tiny : char { c = -3, d };
      int f(uchar) { return 1; } int f(int) { return 2; } int f(uint) { return 3; }
      int g(int) { return 1; } int g(uint) { return 2; } int g(float) { return 3; } int s(short) { return 1; } int s(int) { return 2; }`,
    body: `y[i] = f(a) + f(+a) * 10 + f(a + b) * 100 + g(a) * 1000 + s(b) * 10000 + (a + b == 401 ? 100000 : 0) + (~a < 0 ? 1000000 : 0) + int(Tiny::d) + int(sizeof(Small) + sizeof(Tiny)) * 10000000 + (i > 2 ? f(i > 1 ? a : b) : 0);`,
    y: four((i) => 1 + 20 + 200 + 1000 + 20000 + 100000 + 1000000 - 2 + 20000000 + (i > 2 ? 1 : 0)),
  },
  {
    name: "templates and traits of enumerations",
    before: `enum Mode { off, on }; enum class Kind : short { p = 3, q }; enum class Big { z };
      template <typename T> int is_int(T) { return is_same<T, int>::value ? 1 : 2; }
      template <typename T> struct Of { static constant constexpr int number = 1; }; template <> struct Of<Mode> { static constant constexpr int number = 2; };
      template <Kind k> int chosen(int v) { if constexpr (k == Kind::p) return v; else return v * 2; }
      template <Mode m = on> struct Step { int by(int v) { return m == on ? v + 1 : v; } };
      template <typename T> enable_if_t<is_enum<T>::value, int> sort(T) { return 1; } template <typename T> enable_if_t<!is_enum<T>::value, int> sort(T) { return 2; }
      template <typename T> int underlying(T v) { underlying_type_t<T> u = static_cast<underlying_type_t<T>>(v); return is_same<underlying_type_t<T>, short>::value ? u : u + 10; }`,
    body: `Step<> s; Step<off> o;
      y[i] = is_int(on) + is_int(1) * 10 + is_int(on + 0) * 100 + Of<int>::number * 1000 + Of<Mode>::number * 10000 + chosen<Kind::p>(i) * 100000 + chosen<Kind::q>(i) * 1000000
        + s.by(1) + o.by(1) * 10 + sort(off) * 100 + sort(0) * 1000 + underlying(Kind::q) + underlying(Big::z)
        + (is_integral<Mode>::value || is_arithmetic<Kind>::value || is_unsigned<Kind>::value ? 50000 : 0) + (is_same<Mode, Kind>::value ? 50000 : 0);`,
    y: four((i) => 2 + 10 + 100 + 1000 + 20000 + i * 100000 + i * 2000000 + 2 + 10 + 100 + 2000 + 4 + 10),
  },
  {
    name: "operators of enumerations",
    before: `enum class Flags : uint { none = 0, read = 1, write = 2, both = read | write };
      constexpr Flags operator|(Flags a, Flags b) { return Flags(uint(a) | uint(b)); }
      constexpr bool operator&(Flags a, Flags b) { return (uint(a) & uint(b)) != 0; }
      thread Flags& operator|=(thread Flags& a, Flags b) { a = a | b; return a; }
      namespace shape { enum Side { left, right }; Side operator!(Side s) { return s == left ? right : left; } int number(Side s) { return s + 40; } }`,
    body: `Flags f = Flags::none; f |= Flags::read; if (i > 1) f |= Flags::write; shape::Side s = !shape::left;
      y[i] = int(uint(f)) + (f & Flags::write ? 10 : 0) + (f == Flags::both ? 100 : 0) + (f < Flags::both ? 1000 : 0) + number(s) * 10000 + number(!s) * 1000000;`,
    y: four((i) => (i > 1 ? 3 + 10 + 100 : 1 + 1000) + 410000 + 40000000),
  },
  {
    name: "enumerations in structs, arrays, switches and conditions",
    before: `enum Op { add = 1, mul = 2, twice = mul * 2 }; enum class Unit : char { m = 7, cm };
      struct Step { Op op; Unit unit; int by; }; enum { width = 3, height = width + 1 };
      int run(Step s, int v) { switch (s.op) { case add: return v + s.by; case mul: return v * s.by; case 4: return v + v; } return 0; }
      int scale(Unit u) { switch (u) { case Unit::m: return 100; case Unit::cm: return 1; default: return 0; } }`,
    body: `Step steps[3] = {{add, Unit::m, 2}, {mul, Unit::cm, 5}, {twice}}; Op ops[] = {mul, twice}; int grid[height][width] = {};
      int v = i; for (int k = 0; k < 3; k++) v = run(steps[k], v); Op last = static_cast<Op>(x[0] - 8); Op zero{}; grid[add][mul] = 9;
      y[i] = v * 1000 + scale(steps[0].unit) + scale(Unit(8)) + (last ? 20 : 0) + (zero ? 5 : 0) + (last == mul && !zero ? 200 : 0) + x[ops[0]] + grid[1][2] * 1000000 + int(sizeof(grid)) / 48 * 100000000;`,
    // ((i + 2) * 5) * 2; x[2] is 12
    y: four((i) => (i + 2) * 10 * 1000 + 101 + 20 + 200 + 12 + 9000000 + 100000000),
  },
];

/** What the wrong statements below speak of. */
export const wrongEnumerationsBefore = `enum Mode { off, on }; enum Other { z }; enum class Kind : uchar { p = 3, q };
  template <Kind k> int chosen() { return 1; } int written(thread Mode& m) { return 1; } int at(thread int* p) { return *p; }`;

/** Statements that no compiler of C++ takes. */
export const wrongEnumerations: readonly string[] = [
  "Mode m = 1; y[i] = m;",
  "Mode m = off; m += 1;",
  "Mode m = off; m++;",
  "Mode m = off | on;",
  "Mode m = z;",
  "int v = Kind::p;",
  "int v[Kind::p]; v[0] = 1;",
  "y[i] = Kind::p + 1;",
  "if (Kind::p) y[i] = 1;",
  "Kind k = off;",
  "y[i] = Kind::p < off;",
  "y[i] = chosen<3>();",
  "y[i] = chosen<on>();",
  "Mode m = off; y[i] = at(&m);",
  "y[i] = x[Kind::p];",
  "switch (Kind::p) { case 3: y[i] = 1; }",
  "y[i] = i > 1 ? Kind::p : 3;",
  "y[i] = !Kind::p;",
  "y[i] = Kind::p && Kind::q;",
  "y[i] = written(i);",
];
