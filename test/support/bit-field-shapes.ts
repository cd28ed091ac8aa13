/** Kernels of MSL with bit-fields (C++14 9.6, Itanium C++ ABI 2.4), which clang runs as C++: see test/templates.test.ts. */
import type { Shape } from "./class-shapes.js";

const four = (of: (i: number) => number): number[] => [0, 1, 2, 3].map(of);

/** Of the bytes of fields, each so many bits wide, one behind the other, from the lowest bit on: of each its times. */
function bytesSum(bytes: number, ...fields: readonly (readonly [value: bigint | number, width: number])[]): number {
  let [all, at] = [0n, 0n];
  for (const [value, width] of fields) {
    all |= BigInt.asUintN(width, BigInt(value)) << at;
    at += BigInt(width);
  }
  let sum = 0;
  for (let k = 0; k < bytes; k++) sum += Number((all >> BigInt(8 * k)) & 255n) * (k * 7 + 1);
  return sum;
}

/** Where fields lie is what clang lists (-fdump-record-layouts), as are the sizes: 5, 8, 12, 8, 8, 8, 8 and 32. */
function packedSum(i: number): number {
  type Fields = readonly (readonly [bigint | number, number])[];
  const a: Fields = [
    [1001 + i, 10],
    [12, 10],
    [-8 - i, 10],
    [(1000 + i) * 2, 10],
  ];
  const second: Fields = [
    [1001 + i, 10],
    [12, 10],
    [100 + i, 10],
    [(1000 + i) * 2, 10],
  ];
  const third: Fields = [
    [1001 + i, 10],
    [12, 10],
    [-8 - i, 10],
    [((1000 + i) * 2) ^ 0x3ff, 10],
  ];
  let sum = bytesSum(5, ...a);
  sum += 3 * bytesSum(8, [200, 8], [9 + i, 4], [3000, 12], [-70000 - i, 20], [0, 4], [40000, 16]);
  sum += 5 * (bytesSum(7, [1, 8], [700000 + i, 20], [700009 + i, 20], [77, 8]) + 123456);
  sum += 7 * bytesSum(8, [5, 8], [0x1234567, 25], [i & 1, 1], [0xabcdef - i, 24]);
  sum += 9 * bytesSum(8, [0x1ffff0000n + BigInt(i), 33], [0x54321, 20], [1, 1], [1000 - i, 10]);
  sum += 11 * bytesSum(5, [0xbeef0 + i, 20], [0xcafe, 20]);
  sum += 13 * bytesSum(7, [3, 8], [0, 5], [0x7654321098an + BigInt(i), 43]);
  sum += 15 * bytesSum(15, ...a, ...second, ...third);
  sum += 17 * (1 + 2 * 2) + ((-8 - i) & 0x3ff) - 3 + 12;
  return sum + 5 + 8 * 3 + 12 * 5 + 8 * 7 + 8 * 9 + 8 * 11 + 8 * 13 + 32 * 15;
}

export const bitFieldShapes: readonly Shape[] = [
  {
    name: "where bit-fields lie, and what is computed with them",
    before: `enum Mode { off, on, both };
      struct B { uint a : 3; int b : 6; uint c : 23; ushort d : 4; ushort e : 12; bool f : 1; uchar g : 6; bool h : 1; Mode m : 2;
        uint : 0; uint n : 1; uint : 4; uint o : 27; float w; };`,
    body: `device B* b = (device B*)(x + i * 4);
      b->a = 9; b->b = -3; b->c = 5; b->d = 7; b->e = 0xabc; b->f = true; b->g = 33; b->h = false; b->m = both; b->n = 3; b->o = 1;
      int numbers = (b->a - 8 < 0 ? 1000 : 0) + b->b + b->m * 10 + b->g * 100 + b->d / -2 + sizeof(B) * 10000 + (true ? b->a : -2);
      y[i] = i == 3 ? numbers : x[i * 5];`,
    // 1, 61 << 3, 5 << 9; 7, 0xabc << 4, 1 << 16, 33 << 17, 2 << 24; of 20 bits 1 to 4 stay, 1 << 5. A uint of three bits is computed as an int.
    y: [
      1 + 488 + 2560,
      7 + 0xabc0 + 0x10000 + 0x420000 + 0x2000000,
      1 + 20 + 32,
      1000 - 3 + 20 + 3300 - 3 + 160000 + 1,
    ],
  },
  {
    name: "bit-fields in lists, constructors, methods and templates",
    before: `struct C { uint n : 4; uint k : 12; int q; C(uint v) : n(v), k(v + 1), q(3) { n += 14; } C(int a, int b) : k(a) { n = b; q = 1; }
        uint both() const { return n * 100 + k; } };
      struct L { uint a : 3; int b : 5; bool c : 1; int d; };
      template <int N> struct P { uint lo : N; uint hi : 32 - N; };
      template <typename T> T same(T v) { return v; }
      struct W { uint a : 20; uint b : 20; int c : 4; };
      int parts(int v) { W w; w.a = v - 1; w.b = 5; w.c = -1; auto [a, b, c] = w; return a % 1000 + b + c; }`,
    body: `C c = C(uint(i)); C d(5, 20); L l = {1, -2, true, i}; l.a--; l.a--; auto z = l.a; z += 1; P<5> p; p.lo = 33 + i; p.hi = 7;
      y[i] = c.both() + c.q * 10000 + d.both() * 100000 + l.b + l.c + same(z) * 10 + l.d + p.lo * 2 + same(p.hi) + parts(i);`,
    // n is i + 14 in four bits, 20 is 4 there; a is 7 after 0; lo is i + 1. Of 20 bits -1 is 1048575.
    y: four(
      (i) =>
        ((i + 14) % 16) * 100 + i + 1 + 30000 + 40500000 - 2 + 1 + 80 + i + (i + 1) * 2 + 7 + (i > 0 ? i - 1 : 575) + 4,
    ),
  },
  {
    name: "values of assignments to bit-fields",
    before: `struct B { uint a : 3; int b : 9; uint c : 20; };
      int set(thread B* p, int i) { int v = (p[i].b = i * 300); return v + (p[0].a += 3); }
      uint bump(thread B& q) { q.b = 6; return 2; }`,
    body: `B l[4]; for (int k = 0; k < 4; k++) { l[k].a = 1; l[k].b = -2; l[k].c = 5; }
      int v = set(l, i); B m = l[1]; m.a = m.b = 11; int w = m.b * 100000; w += m.a++ * 10; w += m.a-- * 100; w += --m.c * 1000;
      m.a = 7; w += m.a++ * 10000; w += m.a-- * 3;
      device B* d = (device B*)(x + i) + 1; d[-1].a = 6; int z = (d[-1].b = 300); z += d[-1].a; m.a = bump(m);
      for (int k = 0; k < 2; m.c++, k++) z += m.c;
      y[i] = v + w + z + m.b * 7 + m.a;`,
    // In nine bits 0, 300, 600 and 900 are 0, -212, 88 and -124, and 4 of 1 + 3. 11 is 3 in three bits: 30, 400, 4000; 7 and the 0 behind it.
    // -212 + 6; 4 and 5; 42 and 2.
    y: [0, -212, 88, -124].map((b) => b + 4 + 1_100_000 + 4430 + 70_000 - 206 + 9 + 44),
  },
  {
    name: "bit-fields in words of 64 bits",
    before: `struct B { ulong a : 40; ulong b : 24; uint c : 20; long d : 33; ulong e : 12; ulong f : 64; };
      struct C { ulong n : 36; long k : 28; C(uint v) : n(v), k(-5) { n -= 7; } };
      template <typename T> int size(T) { return sizeof(T); }`,
    body: `device B* b = (device B*)x;
      if (i == 0) { b->a = 0x123456789abul; b->b = 0xfedcba; b->c = 0x98765; b->d = -2; b->e = 0xabc; b->f = 0; b->f -= 3; b->a += 0x5500000000ul; }
      B m; m.a = 0x8000000000ul + i; m.b = 5; m.c = 3; m.d = -7 - i; m.e = 6; m.f = 1; C c(2u + i);
      int numbers = int(m.a >> 36) + m.d * 10 + (m.b - 6 < 0 ? 1000 : 0) + (m.a - m.a - 1 > 0 ? 20000 : 0) + int(m.f << 3)
        + int(c.n >> 32) * 100000 + int(c.k) * 1000000 + size(+m.b) * 10000000 + size(+m.d) * 100000000;
      if (i == 0) { y[0] = x[0]; y[1] = x[1]; y[2] = x[3]; }
      if (i == 3) y[3] = numbers + int(sizeof(B)) * 1000000;`,
    // Of 40 bits 0x123456789ab + 0x5500000000 is 0x78456789ab, with 0xfedcba above. `c` and `d` take 53 bits, so that `e` begins the next
    // word, and the upper half has bits 12 to 32 of -2. Of lane 3: 8, -10 * 10, 1000 as `m.b` is an int, 20000 as `m.a` is a ulong, 8; 5 - 7
    // in 36 bits has 15 above 32; -5; an int and a long; four words.
    y: [0x456789ab, 0xfedcba78 | 0, 0x1fffff, 20_916 + 1_500_000 - 5_000_000 + 40_000_000 + 800_000_000 + 32_000_000],
  },
  {
    name: "bit-fields behind what a struct inherits, and inherited",
    before: `struct Q { int n; Q(int v) : n(v) {} };
      struct U : Q { uint a : 5; uint b : 27; uchar d; U(int v) : Q(v), a(9), b(v), d(7) {} };
      struct P { uint a : 5; int f() const { return a; } };
      struct T : P { ushort c; ushort e : 4; ushort g : 12; };`,
    body: `U u(i + 3); u.a += 30; u.b--; U v = u; T q; q.a = 33; q.c = 4; q.e = 17; q.g = i;
      y[i] = v.n + v.a * 10 + v.b * 1000 + v.d * 10000 + q.f() * 100000 + q.c * 1000000 + q.e * 10000000 + q.g * 100
        + int(sizeof(U) + sizeof(T)) * 100000000;`,
    // 39 of 5 bits is 7; 33 is 1, 17 of 4 bits 1; 12 and 8 bytes.
    y: four((i) => i + 3 + 70 + (i + 2) * 1000 + 70_000 + 100_000 + 4_000_000 + 10_000_000 + i * 100 + 2_000_000_000),
  },
  {
    name: "words without a named bit-field in lists and bindings",
    before: `struct R { uint a : 1; uint : 32; uint b : 5; uint : 32; int d; };`,
    body: `R r = {1, 2, 3}; auto [first, second, third] = r; R z = {};
      y[i] = r.a * 100 + r.b * 10 + r.d + first + second + third + z.b + z.d + sizeof(R) * 1000;`,
    // Four words and an int.
    y: four(() => 100 + 20 + 3 + 1 + 2 + 3 + 20000),
  },
  {
    name: "bit-fields of unions, each at the first bit",
    before: `union U { uint a : 4; int b : 6; uint w; uchar c : 3; ushort h[2]; };
      union V { ulong a : 40; uint n[2]; };
      struct S { uint k : 4; union { int low : 5; uint all; }; uchar e; };
      union F { uint first : 3; uint whole; };
      int size(U) { return sizeof(U); }`,
    body: `U u; u.w = 0xfedcba98u - i; u.c = 1; int was = u.a + u.b * 100; u.b = -1 - i; V v; v.n[0] = 5; v.n[1] = 0x123; v.a += 0x100000000ul;
      S s; s.all = 0xffffffffu; s.low = i; s.k = 3; s.e = 1; F f = {12}; F g = {9u + i};
      y[i] = i == 3 ? int(u.w) : was + u.a * 10000 + u.h[1] % 10 * 1000000 + int(v.n[1] - 0x123) * 10000000;
      if (i == 2) y[i] = int(s.all) + f.whole * 100 + g.first * 1000 + int(sizeof(S)) * 10000 + int(sizeof(V)) * 1000000 + size(u) * 10000000;`,
    // 0xfedcba98 - i ends with 98, 97, 95 and 1 in the low three bits makes 99, 91, 91: 9, 1, 1 of four bits, 25, 17, 17 of six.
    // Then six bits are 63 - i: of four 15 - i. 0xfedc is 65244. Of 40 bits one more at 32: 0x24 of 0x23, and 0x124 in the word.
    // Of lane 2: all bits but those of 2 in five: -1 - 29; 12 is 4 in three bits, 11 is 3; 12, 8 and 4 bytes. Of lane 3: 0xfedcba95 with
    // 1 below is 91, whose six bits become 60.
    y: [
      9 + 2500 + 150000 + 4000000 + 10000000,
      1 + 1700 + 140000 + 4000000 + 10000000,
      -30 + 400 + 3000 + 120000 + 8000000 + 40000000,
      0xfedcbabc | 0,
    ],
  },
  {
    // clang's records: x is bits 8 to 12 of C, y 16 to 22, z 23 to 60; of E f is bit 24, m 25, w 40 to 48. Each has the size of its greatest type.
    name: "bit-fields beside other members in a word",
    before: `struct A { int a : 8; char b; };
      struct D { int n : 24; uchar k; };
      struct C { uchar t; uint x : 5; ushort y : 7; ulong z : 38; };
      struct E { uchar t[3]; bool f : 1; uint m : 2; uchar u; uint w : 9; uchar last; };
      struct G { uint v : 20; uchar k; G(uint n) : v(n), k(3) { v += 1; } uint sum() const { return v + k; } };
      int bump(thread E& e) { e.w = 300; return 5; }
      template <typename T> int size(T) { return sizeof(T); }`,
    body: `device A* a = (device A*)(x + i * 4); a->a = -5 - i; a->b = 7;
      device D* d = (device D*)(x + i * 4 + 1); d->n = -3; d->n += i; d->k = 200;
      device C* c = (device C*)(x + i * 4 + 2); c->t = 1; c->x = 33 + i; c->y = 99 + i; c->z = 0x2345678901ul; c->y++; c->z += i; C copy = *c; ++copy.t;
      E e = {{1, 2, 3}, true, 2, 9, 7, 5}; int n = bump(e) + i; e.w += n; e.t[2] = e.m; e.m = e.u = 11; E l[2] = {e, {{}, false, 1}}; l[1].w = l[0].w--; G g(i);
      uint sum = uint(x[i * 4]) + uint(x[i * 4 + 1]) * 3u + uint(x[i * 4 + 2]) * 5u + uint(x[i * 4 + 3]) * 7u + uint(copy.z >> 20) + uint(copy.t);
      sum += l[0].w + l[1].w * 1000u + l[0].t[2] * 10000u + l[0].m * 100000u + (l[0].f ? 1000000u : 0u) + l[0].last * 10000000u + uint(d->n + a->a) + g.sum();
      y[i] = int(sum * 64u + uint(size(A(*a)) + size(D(*d)) * 2 + size(copy) * 3 + size(e) * 4 + size(g)));`,
    y: four((i) => {
      const c = 1n | (BigInt(1 + i) << 8n) | (BigInt(100 + i) << 16n) | ((0x2345678901n + BigInt(i)) << 23n);
      const words = [
        BigInt(251 - i + 7 * 256),
        BigInt(((i - 3) & 0xffffff) + 200 * 2 ** 24),
        c & 0xffffffffn,
        c >> 32n,
      ];
      const [p, q, r, t] = words as [bigint, bigint, bigint, bigint];
      const w = BigInt(305 + i);
      let sum = p + q * 3n + r * 5n + t * 7n + ((0x2345678901n + BigInt(i)) >> 20n) + 2n;
      sum +=
        w - 1n + w * 1000n + 20000n + 3n * 100000n + 1000000n + 50000000n + BigInt(i - 3 - 5 - i) + BigInt(i + 1 + 3);
      return Number(BigInt.asIntN(32, sum * 64n + BigInt(4 + 8 + 24 + 32 + 4)));
    }),
  },
  {
    name: "bit-fields of packed structs, and of as many bytes as no type has",
    before: `struct Bytes5 { int own; };
      struct __attribute__((packed)) A { uint a : 10, b : 10; int c : 10; uint d : 10; };
      struct __attribute__((packed)) B { uchar t; uint a : 4; uint b : 12; int c : 20; ushort n; };
      #pragma pack(push, 2)
      struct C { uchar t; uint a : 20; uint b : 36 - 16; uchar z; uint w; };
      struct __attribute__((packed)) D { uchar t; ulong a : 25; bool f : 1; ulong b : 24; };
      #pragma pack(pop)
      #pragma pack(push, 4)
      struct E { ulong a : 33; uint b : 20; bool f : 1; ulong c : 10; };
      #pragma pack(pop)
      struct __attribute__((packed, aligned(4))) H { uint a : 20; uint b : 20; };
      struct S { uchar t; uint : 5; ulong b : 43; };
      struct L { A a[3]; H h; S s; };
      uint sum(thread const uchar* p, int n) { uint s = 0; for (int k = 0; k < n; k++) s += p[k] * (k * 7 + 1); return s; }
      void clear(thread uchar* p, int n) { for (int k = 0; k < n; k++) p[k] = 0; }
      constant A fixed = {1, 2, -3, 4};`,
    body: `A a = {uint(1000 + i), 5, -7 - i, 300}; a.b += 7; a.c--; a.d = a.a++ * 2;
      B b; clear((thread uchar*)&b, sizeof(b)); b.t = 200; b.a = 9 + i; b.b = 3000; b.c = -70000 - i; b.n = 40000;
      C c; clear((thread uchar*)&c, sizeof(c)); c.t = 1; c.a = 700000 + i; c.b = c.a + 9; c.z = 77; c.w = 123456;
      D d; clear((thread uchar*)&d, sizeof(d)); d.t = 5; d.a = 0x1234567; d.f = i & 1; d.b = 0xabcdef - i;
      E e; clear((thread uchar*)&e, sizeof(e)); e.a = 0x1ffff0000 + i; e.b = 0x54321; e.f = true; e.c = 1000 - i;
      H h; clear((thread uchar*)&h, sizeof(h)); h.a = 0xbeef0 + i; h.b = 0xcafe; S s; clear((thread uchar*)&s, sizeof(s)); s.t = 3; s.b = 0x7654321098a + i;
      L l = {{a, a, a}, h, s}; int at = 0; l.a[at++ + 1].c = 100 + i; uint got = (l.a[at++].c == 100 + i) + at * 2; l.a[at].d ^= 0x3ff;
      device A* m = (device A*)x + i; *m = a; m->b = m->c & 0x3ff; A n = *m;
      y[i] = int(sum((thread const uchar*)&a, sizeof(a)) + 3 * sum((thread const uchar*)&b, sizeof(b)) + 5 * (sum((thread const uchar*)&c, 7) + c.w) + 7 * sum((thread const uchar*)&d, sizeof(d)) + 9 * sum((thread const uchar*)&e, sizeof(e))
        + 11 * sum((thread const uchar*)&h, 5) + 13 * sum((thread const uchar*)&s, 7) + 15 * sum((thread const uchar*)&l.a[0], 15) + 17 * got + n.b + fixed.c + fixed.d * 3
        + sizeof(A) + sizeof(B) * 3 + sizeof(C) * 5 + sizeof(D) * 7 + sizeof(E) * 9 + sizeof(H) * 11 + sizeof(S) * 13 + sizeof(L) * 15);`,
    y: four(packedSum),
  },
];

/** What stands before, the body of the kernel, what is said of it. */
export const refusedBitFields: readonly (readonly [string, string, RegExp])[] = [
  [
    "#pragma pack(push, 1)\nstruct B { uint a : 20; uint : 0; uint b : 20; };\n#pragma pack(pop)",
    "B q; q.b = i; y[i] = q.b + sizeof(B);",
    /^XL1900 a bit-field of no bits in a packed struct/,
  ],
  [
    "struct __attribute__((packed)) B { uint a : 30; uint b : 30; uint c : 30; };",
    "B q; q.b = i; y[i] = q.b + sizeof(B);",
    /^XL1900 a bit-field that shares a word/,
  ],
  ["struct B { ulong b : 65; };", "B q; q.b = i; y[i] = q.b;", /^XL2013 a bit-field of this type has 1 to 64 bits/],
  [
    "union B { uint b : 4; uint : 3; uint c; };",
    "B q; q.b = i; y[i] = q.b;",
    /^XL1900 a bit-field without a name in a/,
  ],
  [
    "struct A { uint b : 4; A() {} }; struct B : A { uchar c; };",
    "B q; q.c = i; y[i] = q.c;",
    /^XL1900 inheriting from a struct that ends with padding/,
  ],
  ["struct B { uint b : 40; };", "B q; q.b = i; y[i] = q.b;", /^XL2013 a bit-field of this type has 1 to 32 bits/],
  ["struct B { bool b : 2; };", "B q; q.b = i; y[i] = q.b;", /^XL2013 a bit-field of this type has 1 bit/],
  [
    "struct B { uint b : 4; }; void f(thread uint& v) { v = 1; }",
    "B q; f(q.b); y[i] = q.b;",
    /^XL1900 a bit-field as an arg/,
  ],
  ["struct B { uint b : 4; };", "B q; q.b = i; y[i] = (i, q.b) - 8;", /^XL1900 a bit-field behind a comma/],
];
