/**
 * Pointers that are cast to point to something else: kernels of OpenCL C and MSL in the way tensor libraries write them, with
 * results worked out here by the bytes of memory, through every dialect and its compiler, at two widths.
 */
import { describe, expect, test } from "vitest";
import { literal } from "../src/ast/builders.js";
import { simulate, translate, verify } from "../src/index.js";
import { byteRemainder } from "../src/passes/memory/byte-remainder.js";
import { bitsOfHalf, given, half, size, testShapes, type Shape } from "./support/byte-shapes.js";

const shapes: readonly Shape[] = [
  {
    name: "the lower bits of addresses",
    body: `GP(char) p = y + i * stride + i; GP(uchar) u = (GP(uchar))y + i * stride;
  int head = (int)((8 - ((size_t)p & 7)) & 7);
  u[0] = (uchar)head; u[1] = (uchar)((ulong)(p + 3) % 4); u[2] = ((size_t)(p + 8 - i) & 15) == 8 ? 1 : 2; u[3] = (uchar)((uint)(size_t)(x + 35 * i) & 63u);`,
    does: ({ y }, i) => {
      y.setUint8(32 * i, (8 - (i & 7)) & 7);
      y.setUint8(32 * i + 1, (i + 3) % 4);
      y.setUint8(32 * i + 2, 1);
      y.setUint8(32 * i + 3, (35 * i) & 63);
    },
  },
  {
    name: "floats by 64-bit strides",
    body: "GC(float) p = (GC(float))(x + i * stride); GP(float) q = (GP(float))(y + i * stride); for (int k = 0; k < 8; k++) q[k] = p[7 - k];",
    does: ({ x, y }, i) => {
      for (let k = 0; k < 8; k++) y.setUint32(32 * i + 4 * k, x.getUint32(32 * i + 4 * (7 - k), true), true);
    },
  },
  {
    name: "vectors, stepped",
    body: "GC(float4) p = (GC(float4))(x + i * stride); GP(float4) q = (GP(float4))(y + i * stride); float4 a = *p++; *q++ = a.wzyx; *q = *p; q[-1].x = a.y;",
    does: ({ x, y }, i) => {
      const word = (k: number): number => x.getUint32(32 * i + 4 * k, true);
      [1, 2, 1, 0, 4, 5, 6, 7].forEach((k, at) => y.setUint32(32 * i + 4 * at, word(k), true));
    },
  },
  {
    name: "a block of a half and bytes",
    types: "typedef struct { half d; uchar qs[16]; } block;",
    helpers:
      "float sum(GC(block) b) { int n = 0; for (int k = 0; k < 16; k++) n += (b->qs[k] & 15) - (b->qs[k] >> 4); return (float)n; }",
    body: "GC(block) b = (GC(block))x + i * n; GP(float) q = (GP(float))y + 4 * i; for (int k = 0; k < n; k++, b++) q[k] = sum(b); q[3] = (float)(b - 1)->d;",
    does: ({ x, y }, i) => {
      for (let k = 0; k < 3; k++) {
        let s = 0;
        for (let j = 0; j < 16; j++) {
          const v = x.getUint8(18 * (3 * i + k) + 2 + j);
          s += (v & 15) - (v >> 4);
        }
        y.setFloat32(16 * i + 4 * k, s, true);
      }
      y.setFloat32(16 * i + 12, half(x.getUint16(18 * (3 * i + 2), true)), true);
    },
  },
  {
    name: "structs of as many words as one load has, whole",
    types: "typedef struct { uint a; uint b; uint c; uint d; } four; typedef struct { float a; float b; } two;",
    body: `GC(four) p = (GC(four))(x + 16 * i); GP(four) q = (GP(four))(y + i * stride); four v = p[0]; q[1] = v;
  v = p[n]; two w = ((GC(two))(x + 16))[i]; q[0] = v; *(GP(float))(y + i * stride) = w.a + w.b;`,
    does: ({ x, y }, i) => {
      for (let k = 0; k < 4; k++) {
        y.setUint32(32 * i + 16 + 4 * k, x.getUint32(16 * i + 4 * k, true), true);
        y.setUint32(32 * i + 4 * k, x.getUint32(16 * i + 48 + 4 * k, true), true);
      }
      y.setFloat32(32 * i, Math.fround(x.getFloat32(16 + 8 * i, true) + x.getFloat32(20 + 8 * i, true)), true);
    },
  },
  {
    name: "addresses of floats in vectors that pointers lead to",
    helpers: "void add(GP(float) p, float v) { p[0] += v; }",
    body: `GP(float4) v = (GP(float4))(y + i * stride); *v = 0; v[1] = ((GC(float4))(x + i * stride))[0];
  add(&((GP(float))&v[0])[2], 2.5f); add(&(((GP(float))&v[0])[5]), 0.5f); GP(float) p = &((GP(float))&v[1])[3]; p[-1] = 4.0f; ((GP(float))v)[3] = 1.0f;`,
    does: ({ x, y }, i) => {
      const word = (k: number): number => x.getFloat32(32 * i + 4 * k, true);
      [0, 0, 2.5, 1, word(0), word(1) + 0.5, 4, word(3)].forEach((v, k) => y.setFloat32(32 * i + 4 * k, v, true));
    },
  },
  {
    name: "loads of what is const through pointers that are not",
    from: ["opencl"],
    body: "GP(float) q = (GP(float))(y + i * stride); float4 a = vload4(0, (GP(float))(x + i * stride)); vstore4(a, 1, q); *q = *((GP(float))x + 9 * i);",
    does: ({ x, y }, i) => {
      for (let k = 0; k < 4; k++) y.setUint32(32 * i + 16 + 4 * k, x.getUint32(32 * i + 4 * k, true), true);
      y.setUint32(32 * i, x.getUint32(36 * i, true), true);
    },
  },
  {
    name: "halves made of floats",
    body: "GP(half) q = (GP(half))(y + i * stride); for (int k = 0; k < 8; k++) *q++ = (half)(float)(i * 8 + k); ",
    does: ({ y }, i) => {
      for (let k = 0; k < 8; k++) y.setUint16(32 * i + 2 * k, bitsOfHalf(i * 8 + k), true);
    },
  },
  {
    name: "tables of the file, as bytes and as words",
    types: "typedef struct { short a; float b[2]; } pair;",
    helpers: `TABLE uint grid[4] = {0x04030201u, 0x88070605u, 0xfefdfcfbu, 9u};
TABLE ulong wide[2] = {0x0887060504030201ul, 0xfffefdfcfbfaf9f8ul};
TABLE pair pairs[2] = {{-1, {1.0f, -2.5f}}, {7, {0.5f, 3.0f}}};
int at(CC(char) p, int k) { return p[k]; }`,
    body: `CC(uchar) g = (CC(uchar))(grid + (i & 3)); CC(char) w = (CC(char))(wide + (i & 1)); CC(uint) p = (CC(uint))(&pairs[i & 1].b[0]);
  GP(int) q = (GP(int))(y + i * stride);
  for (int k = 0; k < 4; k++) q[k] = g[k] * 1000 + at(w, k + 4);
  q[4] = (int)p[1]; q[5] = (int)(grid[3 - (i & 3)] >> 1); q[6] = (int)(4.0f * pairs[i & 1].b[0]) + pairs[i & 1].a; q[7] = (int)(wide[i & 1] >> 33);`,
    does: ({ y }, i) => {
      const grid = [0x04030201, 0x88070605, 0xfefdfcfb, 9];
      const wide = [0x0887060504030201n, 0xfffefdfcfbfaf9f8n][i & 1]!;
      const put = (k: number, v: number): void => y.setInt32(32 * i + 4 * k, v, true);
      for (let k = 0; k < 4; k++) {
        const byte = Number(BigInt.asIntN(8, wide >> BigInt(8 * (k + 4))));
        put(k, ((grid[i & 3]! >>> (8 * k)) & 255) * 1000 + byte);
      }
      y.setFloat32(32 * i + 16, i & 1 ? 3 : -2.5, true);
      put(5, grid[3 - (i & 3)]! >>> 1);
      put(6, i & 1 ? 2 + 7 : 4 - 1);
      put(7, Number(wide >> 33n));
    },
  },
  {
    name: "one buffer of several types, read and written",
    body: "GP(uint) w = (GP(uint))y + 8 * i; GP(uchar) b = (GP(uchar))w; GP(ushort) h = (GP(ushort))(b + 8); w[0] = 0x01020304u; w[1] = (uint)b[0] * 1000u; b[5] = 9; h[1] = (ushort)(b[1] * 256 + b[3]); w[3] = w[1] + w[2];",
    does: ({ y }, i) => {
      const at = 32 * i;
      y.setUint32(at, 0x01020304, true);
      y.setUint32(at + 4, 4000, true);
      y.setUint8(at + 5, 9);
      y.setUint16(at + 10, 3 * 256 + 1, true);
      y.setUint32(at + 12, (y.getUint32(at + 4, true) + y.getUint32(at + 8, true)) >>> 0, true);
    },
  },
  {
    name: "bytes beside those of other lanes",
    body: "GP(uchar) b = (GP(uchar))y; b[i] = (uchar)(x[i] + 1); GP(short) s = (GP(short))(y + 64); s[i] = (short)(i - 4);",
    does: ({ x, y }, i) => {
      y.setUint8(i, x.getUint8(i) + 1);
      y.setInt16(64 + 2 * i, i - 4, true);
    },
  },
  {
    name: "moved by bytes between casts",
    body: "GC(char) p = x + 4 * i; uint s = 0u; for (int k = 0; k < n; k++, p += stride) s += *(GC(uint))p; *(GP(uint))(y + 4 * i) = s;",
    does: ({ x, y }, i) => {
      let s = 0;
      for (let k = 0; k < 3; k++) s += x.getUint32(4 * i + 32 * k, true);
      y.setUint32(4 * i, s >>> 0, true);
    },
  },
  {
    name: "given to a helper, which casts again",
    helpers:
      "uint word(GC(char) p, int k) { return ((GC(uint))p)[k]; } uint first(GC(uint) p) { return (uint)*(GC(uchar))p + word((GC(char))(p + 1), 0); }",
    body: "GP(uint) q = (GP(uint))(y + i * 4); *q = first((GC(uint))(x + 8 * i)) + word(x + 4, i);",
    does: ({ x, y }, i) => {
      const s = x.getUint8(8 * i) + x.getUint32(8 * i + 4, true) + x.getUint32(4 + 4 * i, true);
      y.setUint32(4 * i, s >>> 0, true);
    },
  },
  {
    name: "pointers to void",
    helpers: "int at(GC(void) p, int k) { return ((GC(int))p)[k]; } void put(GP(void) p, int v) { *(GP(int))p = v; }",
    body: "GC(void) p = x + 4 * i; put(y + 8 * i, at(p, 2)); GP(void) q = y + 8 * i + 4; put(q, at(x, i));",
    does: ({ x, y }, i) => {
      y.setInt32(8 * i, x.getInt32(4 * i + 8, true), true);
      y.setInt32(8 * i + 4, x.getInt32(4 * i, true), true);
    },
  },
  {
    name: "compared, subtracted and null",
    body: "GC(float) p = (GC(float))(x + 16); GC(float) e = (GC(float))(x + 48 + 4 * i); GC(float) none = 0; if (i > 5) none = (GC(float))(x + 4); int c = 0; for (GC(float) t = p; t < e; t++) c++; GP(int) q = (GP(int))y + 4 * i; q[0] = c; q[1] = (int)(e - p); q[2] = (GC(char))e == x + 48; q[3] = none ? (int)((GC(char))none - x) : -1;",
    does: ({ y }, i) => {
      [8 + i, 8 + i, i === 0 ? 1 : 0, i > 5 ? 4 : -1].forEach((v, k) => y.setInt32(16 * i + 4 * k, v, true));
    },
  },
  {
    name: "chosen of two types of one buffer",
    body: "GC(uint) p = i & 1 ? (GC(uint))(x + 4 * i) : (GC(uint))(x + 64); ((GP(uint))y)[i] = p[1];",
    does: ({ x, y }, i) => y.setUint32(4 * i, x.getUint32(i & 1 ? 4 * i + 4 : 68, true), true),
  },
  {
    name: "workgroup memory of several types",
    tile: "uint",
    body: "LP(float) f = (LP(float))tile; LP(uchar) b = (LP(uchar))(tile + 16); f[i] = (float)i + 0.5f; b[7 - i] = (uchar)(i * 3); BARRIER ((GP(uint))y)[2 * i] = tile[7 - i]; ((GP(uint))y)[2 * i + 1] = tile[16 + (i & 1)];",
    does: ({ y }, i) => {
      y.setFloat32(8 * i, 7 - i + 0.5, true);
      for (let k = 0; k < 4; k++) y.setUint8(8 * i + 4 + k, (7 - (4 * (i & 1) + k)) * 3);
    },
  },
  {
    name: "workgroup memory of bytes, as halves and vectors",
    tile: "char",
    body: "LP(half) h = (LP(half))tile; LP(float4) v = (LP(float4))(tile + 64); h[i] = (half)(float)(i + 1); if (i < 2) v[i] = (float4)(1.0f, 2.0f, 3.0f, (float)i); BARRIER GP(float) q = (GP(float))y + 2 * i; q[0] = (float)h[7 - i]; q[1] = v[i & 1].w + v[0].z;",
    does: ({ y }, i) => {
      y.setFloat32(8 * i, 8 - i, true);
      y.setFloat32(8 * i + 4, (i & 1) + 3, true);
    },
  },
  {
    name: "a lane's own memory",
    body: "uint u = 0x04030201u * (uint)(i + 1); PP(uchar) b = (PP(uchar))&u; uint s = 0u; for (int k = 0; k < 4; k++) s = s * 10u + (uint)b[k]; b[2] = 77; float a[8]; for (int k = 0; k < 8; k++) a[k] = (float)(k + i); PP(float4) v = (PP(float4))a; v[1] = v[0] + v[1]; GP(uint) q = (GP(uint))y + 4 * i; q[0] = s; q[1] = u; ((GP(float))q)[2] = a[5]; ((GP(float))q)[3] = v[0].w;",
    does: ({ y }, i) => {
      const bytes = [1, 2, 3, 4].map((k) => k * (i + 1));
      y.setUint32(
        16 * i,
        bytes.reduce((s, b) => s * 10 + b, 0),
        true,
      );
      bytes.forEach((b, k) => y.setUint8(16 * i + 4 + k, k === 2 ? 77 : b));
      y.setFloat32(16 * i + 8, 1 + i + 5 + i, true);
      y.setFloat32(16 * i + 12, 3 + i, true);
    },
  },
  {
    name: "a lane's own memory, given to a helper that casts",
    helpers:
      "uint sum(PP(uint) p, int k) { PP(uchar) b = (PP(uchar))p; b[1] = 5; return (uint)b[k] + (uint)b[k + 4]; }",
    body: "uint a[3]; a[0] = 0x10203040u; a[1] = 7u + (uint)i; a[2] = 0x01010101u; uint s = sum(a, 0) + sum(&a[1], 1) * 1000u; GP(uint) q = (GP(uint))y + 4 * i; q[0] = s; q[1] = a[0]; q[2] = a[1];",
    does: ({ y }, i) => {
      y.setUint32(16 * i, 0x40 + 7 + i + (5 + 1) * 1000, true);
      y.setUint32(16 * i + 4, 0x10200540, true);
      y.setUint32(16 * i + 8, 7 + i + 0x500, true);
    },
  },
  {
    name: "parameters by value, given numbers and parts of objects",
    types: "typedef struct { float4 m; short s[2]; uint k; } box;",
    helpers: `uint flip(float fl) { uint f = *(PP(uint))&fl; uint mask = (0u - (f >> 31)) | 0x80000000u; return f ^ mask; }
uint hash(float4 v) { PP(uint) p = (PP(uint))&v; uint h = 0u; for (int k = 0; k < 4; k++) h = h * 31u + p[k]; return h; }
float less(float v) { PP(uint) p = (PP(uint))&v; *p ^= 0x80000000u; v -= 1.0f; return v; }
uint bytes(box b) { PP(uchar) p = (PP(uchar))&b.s[0]; p[1] += 1; return (uint)p[1] * 256u + p[4] + (uint)b.s[0]; }
uint twice(box b) { b.k += 1u; return bytes(b) + b.k; }`,
    body: `GC(box) p = (GC(box))(x + i * stride); GP(uint) q = (GP(uint))(y + i * stride); box b = *p; float4 two[2]; two[0] = b.m; two[1] = p->m + p->m;
  q[0] = flip(((GC(float))p)[i & 3]) + flip(-1.5f); q[1] = hash(p->m) - hash(two[n & 1]) + hash(b.m + 1.0f); *(GP(float))(q + 2) = less(two[i & 1].y) + less(b.m.x); q[3] = bytes(*p) + twice(b) * 3u; q[4] = b.k;
  uint s = 0u; for (uint w = p->k, l = n; l > 0u; l--) { PP(uchar) c = (PP(uchar))&w; s += c[l]; c[l] = 0; s += w; } q[5] = s;`,
    does: ({ x, y }, i) => {
      const view = new DataView(new ArrayBuffer(4));
      const bits = (v: number): number => (view.setFloat32(0, v), view.getUint32(0));
      const flip = (v: number): number => (bits(v) >>> 31 ? ~bits(v) : bits(v) ^ 0x80000000) >>> 0;
      const hash = (v: readonly number[]): number => v.reduce((h, e) => (Math.imul(h, 31) + bits(e)) >>> 0, 0);
      const m = [0, 1, 2, 3].map((k) => x.getFloat32(32 * i + 4 * k, true));
      const put = (k: number, v: number): void => y.setUint32(32 * i + 4 * k, v >>> 0, true);
      put(0, flip(m[i & 3]!) + flip(-1.5));
      const plus = m.map((v) => Math.fround(v + 1));
      put(1, hash(m) - hash(m.map((v) => Math.fround(2 * v))) + hash(plus));
      const less = (v: number): number => Math.fround(-v - 1);
      y.setFloat32(32 * i + 8, Math.fround(less(i & 1 ? Math.fround(2 * m[1]!) : m[1]!) + less(m[0]!)), true);
      const k = x.getUint32(32 * i + 20, true);
      const bytes = (given: number): number => {
        const high = (x.getUint8(32 * i + 17) + 1) & 255;
        const short = ((high * 256 + x.getUint8(32 * i + 16)) << 16) >> 16;
        return high * 256 + (given & 255) + short;
      };
      put(3, bytes(k) + (bytes(k + 1) + k + 1) * 3);
      put(4, k);
      let [s, w] = [0, k];
      for (let l = 3; l > 0; l--) {
        s += (w >>> (8 * l)) & 255;
        w = (w & ~(255 << (8 * l))) >>> 0;
        s += w;
      }
      put(5, s);
    },
  },
  {
    name: "stepped back from where it starts",
    body: "uint a[4]; for (int k = 0; k < 4; k++) a[k] = (uint)(k * 257); PP(uchar) b = (PP(uchar))(a + 2) - 1; *b ^= 9; PP(ushort) h = (PP(ushort))&a[3]; h--; *h += 3; GP(uint) q = (GP(uint))y + 4 * i; for (int k = 0; k < 4; k++) q[k] = a[k]; GP(uint) e = (GP(uint))(y + 256) - 1 - i; *e = 5u;",
    does: ({ y }, i) => {
      [0, 257 + 9 * 2 ** 24, 514 + 3 * 2 ** 16, 771].forEach((v, k) => y.setUint32(16 * i + 4 * k, v, true));
      y.setUint32(256 - 4 - 4 * i, 5, true);
    },
  },
];

const arrays: readonly Shape[] = [
  {
    name: "rows by an array of pointers",
    body: "GC(float) rows[3]; for (int r = 0; r < 3; r++) rows[r] = (GC(float))(x + ((i + r) % 8) * stride); for (int k = 0; k < 4; k++) { for (int r = 0; r < 3; r++) { ((GP(float))(y + i * stride))[k] = rows[r][k] + *rows[(r + 1) % 3]; rows[r] += 1; rows[r]--; } }",
    does: ({ x, y }, i) => {
      for (let k = 0; k < 4; k++) {
        const at = (r: number, c: number): number => x.getFloat32(32 * ((i + r) % 8) + 4 * c, true);
        y.setFloat32(32 * i + 4 * k, at(2, k) + at(0, 0), true);
      }
    },
  },
  {
    name: "into several objects",
    body: "float a[4]; float b[4]; for (int k = 0; k < 4; k++) { a[k] = k; b[k] = 10 + k; } PP(float) ps[2][2] = {{a, b + 1}, {b, a + 2}}; for (int r = 0; r < 2; r++) for (int c = 0; c < 2; c++) { *ps[r][c] += 100.0f; ps[r][c]++; ps[r][c][0] += 1.0f; } ps[i & 1][0] = ps[1][1]; GP(float) o = (GP(float))y; o[i] = a[0] + 2 * a[1] + 4 * a[2] + 8 * a[3]; o[8 + i] = b[0] + 2 * b[1] + 4 * b[2]; o[16 + i] = *ps[i & 1][0] + *ps[0][1];",
    does: ({ y }, i) => {
      const [a, b] = [
        [100, 2, 102, 4],
        [110, 112, 13, 13],
      ] as const;
      y.setFloat32(4 * i, a[0] + 2 * a[1] + 4 * a[2] + 8 * a[3], true);
      y.setFloat32(32 + 4 * i, b[0] + 2 * b[1] + 4 * b[2], true);
      y.setFloat32(64 + 4 * i, a[3] + b[2], true);
    },
  },
  {
    name: "handed to helpers one by one",
    helpers:
      "static float sum(GC(float) p, int n) { float s = 0; for (int k = 0; k < n; k++) s += *p++; return s; } static void put(PP(int) p, int v) { PP(int) both[2]; both[0] = p; both[1] = p + 1; *both[v & 1] = v; }",
    body: "GC(float) ps[2]; ps[0] = (GC(float))x; ps[1] = ps[0] + 8; int list[2]; list[0] = 5; list[1] = 6; put(list, 2 * i + (i & 1)); ((GP(float))y)[i] = sum(ps[i & 1], 3) + list[0] + list[1];",
    does: ({ x, y }, i) => {
      let s = 0;
      for (let k = 0; k < 3; k++) s = Math.fround(s + x.getFloat32(4 * (8 * (i & 1) + k), true));
      const list = [5, 6];
      list[i & 1] = 2 * i + (i & 1);
      y.setFloat32(4 * i, Math.fround(Math.fround(s + list[0]!) + list[1]!), true);
    },
  },
];

describe("arrays of pointers", () => {
  testShapes(arrays);

  test.each([
    ["XL4006", "__global char *ps[2]; ps[i & 1][0] = 1;", "before it points anywhere"],
    [
      "XL4008",
      "__global int *ps[2]; ps[0] = (__global int *)y; ps[1] = ps[0]; atomic_inc(ps[i & 1]);",
      "used atomically",
      "msl",
    ],
  ])("%s is said of %s", async (code, body, message, to = "glsl") => {
    const source = `__kernel void k(__global char *y) { int i = get_global_id(0); ${body} }`;
    const { diagnostics } = await translate(source, {
      from: "opencl",
      to: to as "glsl" | "msl",
      workgroupSize: [4, 1, 1],
    });
    const errors = diagnostics.filter((d) => d.severity === "error");
    expect(errors.map((d) => d.code)).toContain(code);
    expect(errors.map((d) => d.message).join("; ")).toContain(message);
  });
});

describe("pointers that are cast", () => {
  testShapes(shapes);

  const kernel = (body: string): string =>
    `typedef struct { int a; int b; } two;\n__kernel void k(two args, __global const char *x, __global char *y) { int i = get_global_id(0); ${body} }`;

  test("what is not aligned to its type is a finding", async () => {
    for (const body of [
      "*(__global uint *)(y + 4 * i + 2) = 1u;",
      "y[i] = (char)((__global const float4 *)(x + 4 + 16 * i))->x;",
    ]) {
      const { findings } = await simulate(kernel(body), {
        from: "opencl",
        workgroups: [1],
        workgroupSize: [4],
        args: { x: given(), y: new Uint8Array(size), "args.a": 0, "args.b": 0 },
      });
      expect(
        findings.map((f) => f.kind),
        body,
      ).toContain("misaligned-access");
    }
  });

  test("that it is aligned is assumed where the text does not show it, and refused with --strict", async () => {
    const open = kernel("*(__global uint *)(y + args.a) = 1u;");
    const shown = kernel("*(__global uint *)(y + 4 * args.a) = 1u;");
    for (const [source, assumed] of [
      [open, true],
      [shown, false],
    ] as const) {
      const { assumptions } = await translate(source, { from: "opencl", to: "glsl", workgroupSize: [4, 1, 1] });
      expect(assumptions.some((a) => a.op === "alignment")).toBe(assumed);
    }
    const { diagnostics } = await translate(open, {
      from: "opencl",
      to: "glsl",
      workgroupSize: [4, 1, 1],
      strict: true,
    });
    expect(diagnostics.map((d) => d.message).join()).toContain("pointers cast to uint point to multiples of 4 bytes");
  });

  test.each([
    ["XL4006", "*(__global char *)x = 1;", "x is const"],
    ["XL4006", "__global char *p = (__global char *)(__global void *)x; *p = 1;", "x is const"],
    ["XL2009", "__local int *p = (__local int *)y; *p = 1;", "into workgroup memory"],
    ["XL2004", "__global void *p = y; p + 1;", "does not move"],
    ["XL2004", "__global void *p = y; *p;", "has no type"],
  ])("%s is said of %s", async (code, body, message) => {
    const { diagnostics } = await translate(kernel(body), { from: "opencl", to: "glsl", workgroupSize: [4, 1, 1] });
    const errors = diagnostics.filter((d) => d.severity === "error");
    expect(errors.map((d) => d.code)).toContain(code);
    expect(errors.map((d) => d.message).join("; ")).toContain(message);
  });

  test("what lies otherwise in the other language with pointers is words", async () => {
    const source = `#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device char *y [[buffer(0)]], uint i [[thread_position_in_grid]]) { device packed_float3 *p = (device packed_float3 *)y; p[i].x = 1.0f; }`;
    expect((await verify(source, { from: "msl", to: "opencl", workgroupSize: [8] })).result).toBe("equivalent");
  });
});

/** Undefined in the source, and found by its run; what words read is what processors do that take it. */
test("packed vectors at any component go to OpenCL C as words, whose vectors begin at multiples of their size", async () => {
  const text = `#include <metal_stdlib>
using namespace metal;
struct pair { packed_float4 a; packed_float4 b; };
kernel void k(device float *y [[buffer(0)]], device const float *x [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float4 v = *(device const packed_float4 *)(x + i + 1);
  device pair *p = (device pair *)(y + 9 * i);
  p->b = v.wzyx;
  p->a = ((device const pair *)(x + 3))->b;
  threadgroup float t[9];
  t[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  y[9 * i + 8] = (*(threadgroup packed_float2 *)(t + 1 + (i & 3))).y;
}`;
  const { code } = await translate(text, { from: "msl", to: "opencl", workgroupSize: [8, 1, 1] });
  const x = Float32Array.from({ length: 16 }, (_, k) => 100 + k);
  const wanted = Array.from({ length: 8 }, (_, i) => [
    ...[7, 8, 9, 10, i + 4, i + 3, i + 2, i + 1, (i & 3) + 2].map((k) => 100 + k),
  ]).flat();
  for (const [from, source] of [
    ["msl", text],
    ["opencl", code!],
  ] as const) {
    const args = { x, y: new Float32Array(72) };
    // A vector at another address would be a finding.
    const { buffers, findings } = await simulate(source, { from, workgroups: [1], workgroupSize: [8], args });
    expect([...(buffers["y"] as Float32Array)]).toEqual(wanted);
    expect(findings).toEqual([]);
  }
});

test("pointers that the text shows to be askew read and write the bytes they point to", async () => {
  const text = `__kernel void k(__global const uchar *x, __global uchar *y) {
  int i = get_global_id(0);
  *(__global uint *)(y + 32 * i + 2) = *(__global const uint *)(x + 5 + 8 * i);
  *(__global ushort *)(y + 32 * i + 9) = *(__global const ushort *)(x + 3);
  ((__global uint *)(y + (32 * i + 13)))[1] += 1u;
}`;
  const args = () => ({
    x: Uint8Array.from({ length: 72 }, (_, k) => k * 7 + 130),
    y: Uint8Array.from({ length: 256 }, (_, k) => k * 5 + 3),
  });
  const wanted = args();
  const [x, y] = [new DataView(wanted.x.buffer), new DataView(wanted.y.buffer)];
  for (let i = 0; i < 8; i++) {
    y.setUint32(32 * i + 2, x.getUint32(8 * i + 5, true), true);
    y.setUint16(32 * i + 9, x.getUint16(3, true), true);
    y.setUint32(32 * i + 17, y.getUint32(32 * i + 17, true) + 1, true);
  }
  const source = await simulate(text, { from: "opencl", workgroups: [1], workgroupSize: [8], args: args() });
  expect(source.findings[0]!.message).toBe("a pointer to what has an alignment of 4 is at byte 2");
  for (const to of ["glsl", "hlsl"] as const) {
    const { code } = await translate(text, { from: "opencl", to, workgroupSize: [8, 1, 1] });
    const { buffers, findings } = await simulate(code!, { from: to, workgroups: [1], args: args() });
    expect(findings.map((f) => f.message)).toEqual([]);
    expect(buffers["y"], code).toEqual(wanted.y);
  }
});

test("atomics on words that are askew are refused where words are all there is", async () => {
  const text = "__kernel void k(__global uchar *p) { atomic_add((volatile __global uint *)(p + 2), 1u); }";
  for (const to of ["glsl", "hlsl"] as const) {
    const { code, diagnostics } = await translate(text, { from: "opencl", to, workgroupSize: [8, 1, 1] });
    expect(code).toBeUndefined();
    expect(diagnostics.map((d) => `${d.code} ${d.message}`)).toEqual([
      "XL4008 atomic_add of uint at an address that need be no multiple of 4: atomics act on whole words there",
    ]);
  }
});

test("what an address leaves when divided is exact beyond 2^53", () => {
  const at = (value: bigint): number | undefined => byteRemainder(literal("u64", value, { start: 0, end: 0 }), 4);
  expect([at(2n ** 64n - 2n), at(2n ** 60n + 1n), at(-2n), at(2n ** 60n)]).toEqual([2, 1, 2, 0]);
});
