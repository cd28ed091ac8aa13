/**
 * Random OpenCL C kernels about pointers: ranges by their ends, pointers past the end, accesses under conditions,
 * pointers that meet in a helper, members of structs beside the whole. All that is executed is defined.
 */
import type { Random } from "../mutants/mutate.js";

/** Words of `dst` per work-item, of which the first `spare` are the kernel's to walk over. */
export const words = 10;
const spare = 8;
const lanes = 4;

type Space = "" | "__local " | "__global ";
const spaces: readonly Space[] = ["", "__local ", "__global "];
const suffix: Readonly<Record<Space, string>> = { "": "p", "__local ": "l", "__global ": "g" };

/** Helper `n` takes a range, and may write to it. */
interface Helper {
  readonly name: string;
  readonly writes: boolean;
}

class Generator {
  private readonly lines: string[] = [];
  constructor(
    private readonly next: Random,
    private readonly id: string,
  ) {}

  private nat(n: number): number {
    return Math.floor(this.next() * n);
  }
  private pick<T>(list: readonly T[]): T {
    return list[this.nat(list.length)]!;
  }
  private chance(p: number): boolean {
    return this.next() < p;
  }
  private name(stem: string, s: Space): string {
    return `${stem}${suffix[s]}_${this.id}`;
  }

  /** Helpers of one pointer or two that all others may call. */
  private basics(s: Space): void {
    const t = `${s}uint`;
    const [put, get, swap, both] = ["put", "get", "swap", "both"].map((n) => this.name(n, s)) as [
      string,
      string,
      string,
      string,
    ];
    this.lines.push(
      `void ${put}(${t} *p, int on, uint v) { ${this.pick(["if (on) *p = v;", "if (!on) return; *p ^= v;", "while (on) { *p += v; break; }", "if (on) p[0] = v;"])} }`,
      `uint ${get}(const ${t} *p, int on) { ${this.pick(["return on ? *p : 3u;", "uint r = 1u; if (on && *p > 2u) r = *p; return r;", "if (on) { const " + t + " *q = p; return *q + 1u; } return 9u;"])} }`,
      `void ${swap}(${t} *p, ${t} *q) { ${this.pick(["uint t = *p; *p = *q; *q = t;", "if (p == q) return; *p ^= *q; *q ^= *p; *p ^= *q;", "uint t = p[0]; p[0] = q[0] + 1u; *q = t;"])} }`,
      `uint ${both}(${t} *p, const ${t} *q, uint v) { ${this.pick(["*p += v; return *q * 3u + *p;", "uint r = *q; *p = v; return r ^ *q;", "*p = *q + 1u; if (v & 1u) *p = *q + 2u; return *p;"])} }`,
    );
  }

  /** Gives a pointer into the range, or null. */
  private seek(): void {
    this.lines.push(
      `uint *${this.name("seek", "")}(uint *p, uint n, uint on) { ${this.pick(["if (!on) return 0; return p + n;", "for (uint j = 0u; j < 4u; j++) if (p[j] == n + on) return p + j; return 0;", "return on ? p + n : 0;", "uint *q = 0; if (on) q = p; if (q && *q > n) q++; return q;"])} }`,
    );
  }

  /** Helpers that give one of their pointers, or set them: `pick` and `walk` may read two words from each. */
  private choosers(s: Space): void {
    const t = `${s}uint`;
    const [pick, walk, meet] = ["pick", "walk", "meet"].map((n) => this.name(n, s)) as [string, string, string];
    this.lines.push(
      `${t} *${pick}(${t} *p, ${t} *q, uint on) { ${this.pick([
        "return on ? p : q;",
        "if (on) return q; return p + 1;",
        "return on ? p + (on & 1u) : q + 1;",
        `${t} *t = on ? q : p; if (*t & 1u) t++; return t;`,
        `for (uint j = 0u; j < 2u; j++) { if (p[j] > on) return p + j; if (q[j] > on) return &q[j]; } return q;`,
        "p = on ? q : p; return p;",
        "if (!on) { p++; p = q; } return on > 2u ? p : q + 1;",
      ])} }`,
      `uint ${walk}(${t} *p, ${t} *q, uint n) { ${this.pick([
        "uint r = 1u; for (uint j = 0u; j < 3u; j++, p = j == 2u ? q : p + 1) { r = r * 5u + *p; *p += n; if (j == 1u) break; } return r;",
        "if (n & 1u) p = q; *p ^= n; p = n & 2u ? q + 1 : p; return *p + (uint)(p == q + 1);",
        `${t} *t = p; p = q; q = t; *p += 2u; return *p * 3u + *q;`,
        "uint r = 0u; while (n) { p = n & 1u ? q : p; r = r * 7u + *p; n = (n & 15u) >> 1u; } return r;",
        `uint r = 0u; for (${t} *e = q + 1; n & 6u; n >>= 1u, p = n & 1u ? e : q) r = r * 3u + *p; return r + *p;`,
        "uint r = *p; r += *(p = n & 1u ? q : p); *(p = q + (n & 1u)) += 5u; return r * 3u + *p;",
        `if (*${pick}(p, q, n & 1u) > 6u) { p = ${pick}(q, p, n & 2u); *p += 3u; } return *p + p[0] * 2u;`,
      ])} }`,
      `uint ${meet}(${t} *p, ${t} *q, uint n) { ${this.pick([
        "uint r = p == q ? 3u : 4u; *p = r + n; return *q + (uint)(p != q);",
        `${t} *t = n & 1u ? p : q; return (uint)(t == p) * 2u + (uint)(t == q) + *t;`,
        `return ${pick}(p, q, n & 1u) == p ? *q : 9u;`,
      ])} }`,
    );
  }

  /** One of two objects of an address space, `x` and `y`, of two words or more each; `m` gives a test. */
  private chosen(s: Space, x: string, y: string, m: () => string): string[] {
    const t = `${s}uint`;
    const [pick, walk, meet, get, put] = ["pick", "walk", "meet", "get", "put"].map((n) => this.name(n, s)) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const one = (): string => this.pick([x, y, `${x} + 1`, `${y} + 1`]);
    const two = (): string => this.pick([`${x}, ${y}`, `${y}, ${x}`, `${x}, ${x}`]);
    return [
      `{ ${t} *p = ${pick}(${two()}, ${m()}); *p += 3u; r = r * 3u + *${pick}(${two()}, ${m()}) + (uint)(p == ${x}); *${pick}(${two()}, r & 3u) ^= r & 7u; }`,
      `r = r * 5u + ${walk}(${two()}, r & 7u);`,
      `r ^= ${walk}(${m()} ? ${x} : ${y}, ${pick}(${two()}, ${m()}) == ${y} ? ${y} : ${x}, r & 3u);`,
      `r += ${meet}(${one()}, ${one()}, r & 3u); r += ${meet}(${m()} ? ${x} : ${y}, ${one()}, 1u);`,
      `{ ${t} *p = ${x}, *q = ${y}; r += *p; *(p = q) ^= r & 15u; r = r * 3u + *p + (uint)(p == q) + 2u * (uint)(p == ${x}); ${this.pick([`*(p = ${m()} ? ${x} : q + 1) += 2u;`, `r += *(p = ${pick}(q, ${x}, ${m()}));`, `q = p = ${one()}; *q += 1u;`])} r ^= *p; }`,
      `{ ${t} *p; uint n = 0u; for (p = ${m()} ? ${x} : ${y} + 1; n < 3u; p = ${this.pick([`p == ${x} ? ${y} : ${x}`, `n & 1u ? ${x} + 1 : p`, `${pick}(${two()}, n)`])}, n++) { r = r * 3u + *p; ${this.pick(["", "*p += n;", `${put}(p, 1, r & 7u);`, "if (r & 4u) continue;"])} } r += *p; }`,
      `{ uint n = 0u; for (${t} *p = ${x}, *q = ${pick}(${two()}, ${m()}); p && n < 4u; ${this.pick([`p = p == ${x} ? q : 0`, `p = p == q ? 0 : q`])}, n++) r = r * 5u + *p; }`,
      `{ ${t} *p = 0; ${t} *q = ${m()} ? ${y} : 0; r += (uint)(p == q) + 2u * (uint)(q != ${x}); if (${m()}) p = ${x}; r += 4u * (uint)(p == q); if (p) r ^= *p; ${put}(q, q != 0, r & 7u), p = q; r += ${get}(p, p != 0); }`,
      `{ ${t} *p = ${m()} ? ${x} : ${m()} ? ${y} : ${x} + 1, *q = ${m()} ? p : ${one()}; p[*q & 1u] += q[p[*p & 1u] & 1u]; r = r * 3u + (p == q ? *p : *q + 1u); }`,
    ];
  }

  /** A statement of a helper that has the range `b` to `e`. */
  private step(s: Space, known: readonly Helper[], writes: boolean): string {
    const t = `${s}${writes ? "" : "const "}uint`.replace(/^(__\w+ )?const uint/, "const $1uint");
    const write = writes ? this.pick(["*p = *p * 3u + n;", "*p ^= r;", "*p += (uint)(p - b);", ""]) : "";
    const [put, get, swap, both] = ["put", "get", "swap", "both"].map((n) => this.name(n, s)) as [
      string,
      string,
      string,
      string,
    ];
    const calls = known.filter((h) => writes || !h.writes);
    const forms: string[] = [
      `for (${t} *p = b; p ${this.pick(["!=", "<"])} e; ${this.pick(["++p", "p++", "p += 1"])}) { r = r * 31u + *p; ${write} }`,
      `{ ${t} *p = e; while (p ${this.pick(["!=", ">"])} b) { --p; r = r * 7u ^ *p; ${write} } }`,
      `{ ${t} *p = e; while (p-- != b) r = r * 5u + *p; }`,
      `{ ${t} *m = b + (e - b) / 2; r += (uint)(m - b) * 4u; if (m ${this.pick(["!=", "<"])} e) { ${t} *p = m; r ^= *p; ${write} } }`,
      `r += (uint)(e - b) + (b == e ? 2u : 5u) + (uint)(b <= e);`,
      `if (e - b > ${String(this.nat(4))}) r = r * 3u + b[${String(this.nat(2))} < e - b ? 0 : 0];`,
      `r += ${get}(e, 0) + ${get}(b, b != e) * 2u;`,
      `r += ${get}(${this.pick(["b + (n & 3u)", "&b[n & 3u]"])}, (int)(n & 3u) < e - b);`,
    ];
    if (writes) {
      forms.push(
        `if (e - b > 1) ${swap}(b, e - 1);`,
        `if (e - b > 2) ${swap}(b + (n & 1u), ${this.pick(["&b[1]", "b + 2", "e - 1", "b"])});`,
        `${put}(${this.pick(["e", "b + 9", "e + 1"].slice(0, 1))}, 0, n); ${put}(b, b != e, r);`,
        `if (b < e) r += ${both}(${this.pick(["b", "e - 1"])}, ${this.pick(["b", "e - 1", "b + (e - b) / 2"])}, n);`,
      );
    }
    for (const h of calls) {
      forms.push(
        `r = r * 3u + ${h.name}(${this.pick(["b, e", "b, b + (e - b) / 2", "b + (e - b) / 2, e", "e, e", "b, b"])}, n + ${String(this.nat(9))}u);`,
        `if (b != e) r ^= ${h.name}(${this.pick(["b + 1, e", "b, e - 1", "b, b + 1"])}, r);`,
      );
    }
    return this.pick(forms);
  }

  private helper(s: Space, n: number, known: readonly Helper[]): Helper {
    const writes = this.chance(0.6);
    const name = `${this.name(`f${String(n)}`, s)}`;
    const t = `${writes ? "" : "const "}${s}uint`;
    const body = Array.from({ length: 1 + this.nat(4) }, () => this.step(s, known, writes));
    this.lines.push(
      `uint ${name}(${t} *b, ${t} *e, uint n) {`,
      "  uint r = n;",
      ...body.map((l) => `  ${l}`),
      "  return r;",
      "}",
    );
    return { name, writes };
  }

  private struct(): string[] {
    const [type, f] = [`S_${this.id}`, `fs_${this.id}`];
    this.lines.push(
      `typedef struct { uint x; uint a[4]; } ${type};`,
      `uint ${f}(${type} *s, uint *p, uint n) { ${this.pick(["s->x += n; *p ^= s->x; return s->a[1] + *p;", "if (n & 1u) *p = s->x; s->a[n & 3u] += 2u; return *p + s->a[2];", "uint r = p == &s->x ? 4u : 5u; *p += r; return s->x;"].slice(0, 2))} }`,
    );
    const place = (): string =>
      this.pick(["&t[0].x", "&t[i & 1u].x", "&t[1].a[2]", "&t[i & 1u].a[i & 3u]", "t[0].a", "t[1].a + (i & 3u)", "&u"]);
    return [
      `${type} t[2]; uint u = i; for (uint j = 0u; j < 2u; j++) { t[j].x = j * i; for (uint k = 0u; k < 4u; k++) t[j].a[k] = src[i + j * 4u + k]; }`,
      ...Array.from(
        { length: 2 + this.nat(3) },
        () => `r = r * 3u + ${f}(${this.pick(["&t[0]", "&t[1]", "&t[i & 1u]", "t", "t + 1"])}, ${place()}, r);`,
      ),
      "r ^= t[0].x + t[1].x * 3u + t[0].a[1] + t[1].a[2] * 5u + t[1].a[3] + u;",
    ];
  }

  text(): string {
    const helpers = new Map<Space, Helper[]>();
    const used = spaces.filter((s) => s === "" || this.chance(0.4));
    for (const s of used) {
      this.basics(s);
      if (s !== "__global ") this.choosers(s);
      if (s === "") this.seek();
      const list: Helper[] = [];
      for (let n = 0; n < 1 + this.nat(3); n++) list.push(this.helper(s, n, list));
      helpers.set(s, list);
    }
    const body = this.chance(0.4) ? this.struct() : [];
    const length = 4 + this.nat(5);
    const start: Record<Space, string> = { "": "a", "__local ": "ls", "__global ": "own" };
    const size: Record<Space, number> = { "": length, "__local ": 4, "__global ": spare };
    const calls = used.flatMap((s) =>
      Array.from({ length: 1 + this.nat(3) }, () => {
        const [base, n] = [start[s], size[s]];
        const from = this.nat(n);
        const range = this.pick([
          `${base}, ${base} + ${String(n)}`,
          `${base}, &${base}[${String(n)}]`,
          `${base} + ${String(from)}, ${base} + ${String(n)}`,
          `${base} + (i & 3u), ${base} + ${String(n)}`,
          `${base} + ${String(n)}, ${base} + ${String(n)}`,
          `&${base}[${String(from)}], ${base} + ${String(from + this.nat(n - from + 1))}`,
        ]);
        const call = `${this.pick(helpers.get(s)!).name}(${range}, r)`;
        return this.pick([
          `r = r * 5u + ${call};`,
          `if (src[i] & 1u) r ^= ${call};`,
          `r += ${this.name("get", s)}(${base} + ${String(n)}, 0) + ${call};`,
        ]);
      }),
    );
    const mask = (): string => `${String(1 << this.nat(4))}u`;
    // In private memory alone: a pointer that a condition sets, and an access out of reach.
    const own = [
      `{ uint *p = a + ${String(length)}; if (r > 5u) p = a + (r & 3u); if (p != a + ${String(length)}) { *p += 3u; r ^= *p; } r += (uint)(p - a); }`,
      `{ uint *p = a; if (r == 77u && r == 78u) p[${String(length + this.nat(3))}] = 1u; r += *p; }`,
      `{ const uint *lo = a, *hi = a + ${String(length)}; while (lo < hi) { const uint *m = lo + (hi - lo) / 2; if (*m < r) lo = m + 1; else hi = m; } r += (uint)(lo - a); }`,
      // Null, single objects, and one of several objects.
      `{ uint v = r, w = 1u; uint *p = r & ${mask()} ? &v : 0; if (p) *p += 3u; r += p ? *p : w; p = r & ${mask()} ? &w : p; if (p != 0) { r ^= *p; *p = r; } r += v * 3u + w; }`,
      `{ uint c[4] = {1u, r, i, 7u}; uint *p = 0; if (r & ${mask()}) p = a + (r & 3u); else if (r & ${mask()}) p = &c[i & 3u]; if (p) { *p ^= r; r += ${this.name("get", "")}(p, 1); } r += c[0] + c[1] * 3u + c[2] * 5u; }`,
      `{ uint c[4] = {r, 2u, i, 5u}, v = 3u; uint *p = r & ${mask()} ? c : a; uint *e = p + 4; while (p != e) { r = r * 3u + *p; ${this.pick(["*p += 1u;", `${this.name("put", "")}(p, (int)(r & 1u), r);`])} p++; } if (r & ${mask()}) { p = &v; e = &v + 1; } else --p; r += *p + (uint)(e - p); ${this.name("swap", "")}(p, r & ${mask()} ? &c[1] : a + 2); r ^= c[1] + v; }`,
      `{ uint *p = 0; for (uint j = 0u; j < 3u; j++) { if (p) r = r * 5u + *p; p = ${this.name("seek", "")}(a, j + (r & 1u), r & ${mask()}); } if (p && *p > r) r += 2u; }`,
    ];
    // Buffers of the launch: of one the kernel writes its own words, the other is read.
    const [pickc, walkc] = [`pickc_${this.id}`, `walkc_${this.id}`];
    this.lines.push(
      `const __global uint *${pickc}(const __global uint *p, const __global uint *q, uint on) { ${this.pick(["return on ? p : q + 1;", "if (on) p = q; return p;", "return on > 1u ? q : 0;"])} }`,
      `uint ${walkc}(const __global uint *p, const __global uint *q, uint n) { ${this.pick(["uint r = 0u; for (uint j = 0u; j < 3u; j++) { r = r * 3u + *p; if (j == n) p = q; else p++; } return r;", "if (p == q) return 1u; uint r = *(p = n & 1u ? q : p); return r + (uint)(p == q);"])} }`,
    );
    const buffers = used.includes("__global ")
      ? [
          `{ const __global uint *p = r & ${mask()} ? src : own; r = r * 3u + p[r & 3u] + ${walkc}(p, r & ${mask()} ? src + 1 : own, r & 1u); r += (uint)(p == src) + 2u * (uint)(p != own) + 4u * (uint)(src == own); }`,
          `{ const __global uint *p = ${pickc}(src + (r & 7u), own, r & 3u); if (p) r ^= *p; r += ${walkc}(own, src, 1u); }`,
        ]
      : [];
    // All work-items come together in the helper, of one object of two.
    const together = used.includes("__local ")
      ? [
          `{ __local uint *p = get_group_id(0) & 1u ? sh : other; ${this.name("sync", "__local ")}(p, lid, r & 7u); r += ${this.name("sync", "__local ")}(src[${String(this.nat(8))}] & ${mask()} ? other : sh, lid, 1u); }`,
        ]
      : [];
    if (together.length > 0)
      this.lines.push(
        `uint ${this.name("sync", "__local ")}(__local uint *p, uint lid, uint v) { p[lid * 4u] += v; barrier(CLK_LOCAL_MEM_FENCE); uint r = p[((lid + 1u) & 3u) * 4u]; barrier(CLK_LOCAL_MEM_FENCE); return r; }`,
      );
    const several = [
      ...this.chosen("", "a", "c0", () => `(r & ${mask()})`),
      ...(used.includes("__local ") ? this.chosen("__local ", "ls", "lo", () => `(r & ${mask()})`) : []),
    ];
    const statements = [
      ...calls,
      ...own.filter(() => this.chance(0.4)),
      ...several.filter(() => this.chance(0.25)),
      ...[...buffers, ...together].filter(() => this.chance(0.5)),
    ];
    for (let k = statements.length - 1; k > 0; k--) {
      const j = this.nat(k + 1);
      [statements[k], statements[j]] = [statements[j]!, statements[k]!];
    }
    const fill = "a[j] = (src[(i + j) & 63u] >> (j & 7u)) & 15u;";
    this.lines.push(
      `__kernel void k${this.id}(__global const uint *src, __global uint *dst) {`,
      "  uint i = get_global_id(0), lid = get_local_id(0), r = i;",
      `  uint c0[3] = {r, 5u, i * 3u}; uint a[${String(length)}]; for (uint j = 0u; j < ${String(length)}u; j++) ${fill}`,
      ...(used.includes("__local ")
        ? [
            `  __local uint sh[${String(4 * lanes)}], other[${String(4 * lanes)}]; __local uint *ls = sh + lid * 4u, *lo = other + lid * 4u; for (uint j = 0u; j < 4u; j++) { ls[j] = src[i + j]; lo[j] = src[i * 2u + j] & 31u; }`,
          ]
        : []),
      ...(used.includes("__global ")
        ? [
            `  __global uint *own = dst + i * ${String(words)}u; for (uint j = 0u; j < ${String(spare)}u; j++) own[j] = src[i + j * 2u];`,
          ]
        : []),
      ...[...body, ...statements].map((l) => `  ${l}`),
      `  uint h = 0u; for (uint j = 0u; j < ${String(length)}u; j++) h = h * 31u + a[j];`,
      "  for (uint j = 0u; j < 3u; j++) h = h * 31u + c0[j];",
      ...(used.includes("__local ") ? ["  for (uint j = 0u; j < 4u; j++) h = h * 31u + ls[j] + lo[j] * 3u;"] : []),
      `  dst[i * ${String(words)}u + ${String(words - 2)}u] = r; dst[i * ${String(words)}u + ${String(words - 1)}u] = h;`,
      "}",
    );
    return `${this.lines.join("\n")}\n`;
  }
}

/** A kernel `k<id>` and its helpers, whose names end in the id. */
export function pointerProgram(next: Random, id: string): string {
  return new Generator(next, id).text();
}
