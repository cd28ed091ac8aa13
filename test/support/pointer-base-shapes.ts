/** Kernels of MSL about pointers to bases, long arrays of objects, and operators that are rare: see test/templates.test.ts. Expected values are those of clang's program. */
import type { Shape } from "./class-shapes.js";

export const pointerBaseShapes: readonly Shape[] = [
  {
    name: "derived null to base",
    before: `struct B { int v; }; struct D : B { int w; };`,
    body: `D d; d.v = 2; d.w = 3; thread D* q = i > 1 ? &d : nullptr; thread B* p = q; y[i] = p ? p->v : 7;`,
    y: [7, 7, 2, 2],
  },
  {
    name: "null that is cast and compared at once",
    before: `struct A { int u; }; struct B { int v; }; struct D : A, B { int w; }; int get(thread B* b) { return b ? b->v : -7; }`,
    body: `D d; d.u = 1; d.v = 2 + i; d.w = 3; thread D* q = 0; thread B* p = q; if (i & 1) { q = &d; p = q; }
      y[i] = ((thread B*)(thread D*)0 == 0) + (static_cast<thread B*>((thread D*)nullptr) == nullptr) * 2 + ((thread int*)(thread char*)0 != 0) * 4 + get(p) * 10 + get((thread D*)0) * 1000 + (p == 0) * 10000;`,
    y: [2933, -6967, 2933, -6947],
  },
  {
    name: "null of a derived object is null of its second base",
    before: `struct A { int u; }; struct B { int v; }; struct D : A, B { int w; }; int get(thread const B* b) { return b == nullptr ? 9 : b->v; }`,
    body: `D d; d.u = 1; d.v = 2; d.w = 3; thread D* q = i > 1 ? &d : nullptr; thread B* p = q; y[i] = (p ? p->v : 7) + get(q) * 10 + get(&d) * 100 + (nullptr == p) * 1000;`,
    y: [1297, 1297, 222, 222],
  },
  {
    name: "compare pointers to base and derived",
    before: `struct B { int v; }; struct D : B { int w; };`,
    body: `D d[3]; for (int k = 0; k < 3; k++) { d[k].v = i + k; d[k].w = 0; } thread B* p = &d[1]; thread const D* q = &d[2]; thread const B* r = i > 1 ? p : q; y[i] = (p < q) + (q >= p) * 10 + (p == &d[1]) * 100 + (q != p) * 1000 + r->v * 10000;`,
    y: [21111, 31111, 31111, 41111],
  },
  {
    name: "device pointers to base",
    before: `struct B { int v; }; struct D : B { int w; }; int get(device B* p) { return p->v; }`,
    body: `device D* d = (device D*)x; device B* b = &d[1]; y[i] = get(d + i) + (b == d + 1) * 100 + (i > 1 ? b : d)->v * 1000 + (i < 1 ? d : b)->v * 100000;`,
    y: [1010110, 1210112, 1212114, 1212116],
  },
  {
    name: "assign through",
    before: `struct B { int v; void add(int k) { v += k; } }; struct D : B { int w; D() : w(1) { v = 5; } };`,
    body: `D a, c; B b{4}; thread B* p = i == 0 ? &b : i == 1 ? (thread B*)&a : &c; p->add(i + 1); (i > 1 ? p : &a)->add(10); y[i] = b.v + a.v * 100 + c.v * 10000;`,
    y: [51505, 51704, 180504, 190504],
  },
  {
    name: "enumerations that are declared with a member",
    before: `struct S { enum K { a, b = 5 } k; int f() const { return b + k; } }; struct T { struct In { int q; } in[2]; int z; };`,
    body: `S s{S::b}; T::In n{3}; T u; u.in[1] = n; u.z = S::a; y[i] = s.k + i + s.f() * 10 + u.in[1].q * 1000 + u.z;`,
    y: [3105, 3106, 3107, 3108],
  },
  {
    name: "commas that the source declares",
    before: `struct V { int x; V operator,(V o) const { return {x * 10 + o.x}; } }; struct W { int x; }; int operator,(W a, int b) { return a.x * 100 + b; } template <typename... T> V all(T... v) { return (v, ...); }`,
    body: `W w{i}; V a{1}, b{2}; int k = (w, 7); y[i] = (a, b).x + k * 100 + all(a, b, V{i}).x * 100000 + (k, 1);`,
    y: [3000713, 3110713, 3220713, 3330713],
  },
  {
    name: "a long array of objects with a constructor",
    before: `struct S { int v; S() : v(3) {} };`,
    body: `S s[100]; s[5].v = i; int n = 0; for (int k = 0; k < 100; k++) n += s[k].v; y[i] = n;`,
    y: [297, 298, 299, 300],
  },
  {
    name: "a long array of such in an object",
    before: `struct S { int v = 4; }; struct T { S s[100]; int w; T() : w(2) {} };`,
    body: `T u0; u0.s[5].v = i; int n = 0; for (int k = 0; k < 100; k++) n += u0.s[k].v; y[i] = n + u0.w * 1000;`,
    y: [2396, 2397, 2398, 2399],
  },
  {
    name: "long arrays of arrays of such",
    before: `struct S { int v = 4; };`,
    body: `S q[20][10]; q[5][3].v = i; int n = 0; for (int k = 0; k < 20; k++) for (int l = 0; l < 10; l++) n += q[k][l].v; y[i] = n;`,
    y: [796, 797, 798, 799],
  },
  {
    name: "a long array of such whose first are given",
    before: `struct S { int v = 4; S() {} S(int a) : v(a) {} };`,
    body: `S q[100] = {1, 2}; q[5].v = i; int n = 0; for (int l = 0; l < 100; l++) n += q[l].v; y[i] = n;`,
    y: [391, 392, 393, 394],
  },
];
