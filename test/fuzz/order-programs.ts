/**
 * Small programs in which effects meet: operands that change what others of the same expression use. Each is said in HLSL and in
 * GLSL, and in JavaScript as GLSL means it: operands from left to right, a place before its value, the old value of `op=` last.
 */
import { random } from "../mutants/mutate.js";

export interface OrderProgram {
  readonly declarations: { readonly hlsl: string; readonly glsl: string };
  readonly statements: { readonly hlsl: string; readonly glsl: string };
  /** What there is to see afterwards: expressions that mean the same in both. */
  readonly values: readonly string[];
  /** The values as GLSL has them. */
  readonly inGlsl: () => readonly number[];
}

/** One text in three languages. */
interface Text {
  readonly hlsl: string;
  readonly glsl: string;
  readonly js: string;
}
/** Where something can be stored; in JavaScript an object and a key. */
interface PlaceText {
  readonly text: Omit<Text, "js">;
  readonly object: string;
  readonly key: string;
}

const same = (text: string, js = text): Text => ({ hlsl: text, glsl: text, js });
/** `$0` and so on stand for the parts. */
function join(pattern: string | { readonly shown: string; readonly js: string }, ...parts: readonly Text[]): Text {
  const { shown, js } = typeof pattern === "string" ? { shown: pattern, js: pattern } : pattern;
  const fill = (p: string, of: keyof Text): string => p.replace(/\$(\d)/g, (_, n) => parts[Number(n)]![of]);
  return { hlsl: fill(shown, "hlsl").replaceAll("ivec", "int"), glsl: fill(shown, "glsl"), js: fill(js, "js") };
}

const functions = `struct S { int a; int b; };
int pair(int a, int b) { return a * 3 + b; }
int tri(int a, int b, int c) { return a * 5 + b * 3 + c; }
int take(inout int x, int k) { x = (x + k) & 63; return x * 2 + k; }
int bump(int k) { g = (g * 3 + k) & 63; return g & 7; }
int sum(S p, int k) { return p.a * 7 + p.b + k; }
S make(int a, int b) { S r; r.a = a & 63; r.b = (b + g) & 63; g = (g + 1) & 63; return r; }
int both(S p, S q) { return p.a * 5 + p.b + q.a * 3 + q.b; }
`;
const start = `int i = 1; int j = 2; int k = 3;
int a[4]; a[0] = 4; a[1] = 5; a[2] = 6; a[3] = 7;
int w[4][4];
for (int r = 0; r < 4; r++) { w[r][0] = r + 8; w[r][1] = r * 3 + 1; w[r][2] = 31 - r; w[r][3] = r * 2 + 5; }
S s; s.a = 9; s.b = 10;
S q[2]; q[0].a = 11; q[0].b = 12; q[1].a = 13; q[1].b = 14;
g = 0;
`;
const row = (r: number): string =>
  `w[${String(r)}][0] + w[${String(r)}][1] * 64 + w[${String(r)}][2] * 4096 + w[${String(r)}][3] * 262144`;
const values = [
  "i",
  "j",
  "k",
  "g",
  "a[0]",
  "a[1]",
  "a[2]",
  "a[3]",
  "v.x",
  "v.y",
  "v.z",
  "v.w",
  "s.a",
  "s.b",
  "q[0].a",
  "q[0].b",
  "q[1].a",
  "q[1].b",
  row(0),
  row(1),
  row(2),
  row(3),
];
const outcome =
  "return [L.i, L.j, L.k, L.g, ...L.a, ...L.v, L.s.a, L.s.b, ...L.q.flatMap((x) => [x.a, x.b]), ...L.w.map((r) => r[0] + r[1] * 64 + r[2] * 4096 + r[3] * 262144 | 0)];";

/** The machine of the JavaScript text. */
const machine = `"use strict";
const L = { i: 1, j: 2, k: 3, g: 0, a: [4, 5, 6, 7], v: [1, 2, 3, 4], s: { a: 9, b: 10 }, q: [{ a: 11, b: 12 }, { a: 13, b: 14 }],
  w: [0, 1, 2, 3].map((r) => [r + 8, r * 3 + 1, 31 - r, r * 2 + 5]) };
const copy = (x) => (Array.isArray(x) ? [...x] : typeof x === "object" ? { ...x } : x);
const post = (o, k, d) => { const old = o[k]; o[k] = (old + d) | 0; return old; };
const pre = (o, k, d) => (o[k] = (o[k] + d) | 0);
const set = (o, k, value) => { const x = value(); o[k] = x; return x; };
const update = (o, k, value, f) => { const x = value(); return (o[k] = f(o[k], x) | 0); };
const pair = (a, b) => a * 3 + b;
const tri = (a, b, c) => a * 5 + b * 3 + c;
const take = (o, k, n) => { const x = (o[k] + n) & 63; o[k] = x; return x * 2 + n; };
const bump = (k) => { L.g = (L.g * 3 + k) & 63; return L.g & 7; };
const sum = (p, k) => p.a * 7 + p.b + k;
const make = (a, b) => { const r = { a: a & 63, b: (b + L.g) & 63 }; L.g = (L.g + 1) & 63; return r; };
const both = (p, q) => p.a * 5 + p.b + q.a * 3 + q.b;
const max = Math.max, min = Math.min, clamp = (x, a, b) => min(max(x, a), b);
`;

class Writer {
  constructor(private readonly next: () => number) {}

  private below(n: number): number {
    return Math.floor(this.next() * n);
  }
  private one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** An int place; `depth` levels of expressions in its indices. */
  private place(depth: number): PlaceText {
    const index = (mask: number): Text =>
      depth > 0 ? join(`($0) & ${String(mask)}`, this.int(depth - 1)) : same(String(this.below(mask + 1)));
    const plain = (shown: string, object: string, key: string): PlaceText => ({
      text: { hlsl: shown, glsl: shown },
      object,
      key: JSON.stringify(key),
    });
    const at = (text: Text, object: string, key: string): PlaceText => ({ text, object, key });
    switch (this.below(9)) {
      case 0:
      case 1:
      case 2: {
        const name = this.one(["i", "j", "k"]);
        return plain(name, "L", name);
      }
      case 3:
        return plain("g", "L", "g");
      case 4: {
        const n = index(3);
        return at(join("a[$0]", n), "L.a", n.js);
      }
      case 5: {
        const [m, n] = [index(3), index(3)];
        return at(join("w[$0][$1]", m, n), `L.w[${m.js}]`, n.js);
      }
      case 6: {
        if (this.next() < 0.5) {
          const c = this.below(4);
          return { text: { hlsl: `v.${"xyzw"[c]!}`, glsl: `v.${"xyzw"[c]!}` }, object: "L.v", key: String(c) };
        }
        const n = index(3);
        return at(join("v[$0]", n), "L.v", n.js);
      }
      case 7: {
        const m = this.one(["a", "b"]);
        return plain(`s.${m}`, "L.s", m);
      }
      default: {
        const n = index(1);
        const m = this.one(["a", "b"]);
        return at(join(`q[$0].${m}`, n), `L.q[${n.js}]`, `"${m}"`);
      }
    }
  }

  private read(p: PlaceText): Text {
    return { ...p.text, js: `${p.object}[${p.key}]` };
  }

  private effect(depth: number): Text {
    const p = this.place(depth - 1);
    const is = (shown: string, js: string): Text => ({
      hlsl: shown.replace("$", p.text.hlsl),
      glsl: shown.replace("$", p.text.glsl),
      js: js.replace("$", `${p.object}, ${p.key}`),
    });
    switch (this.below(6)) {
      case 0:
      case 1:
        return is("$++", "post($, 1)");
      case 2:
        return is("++$", "pre($, 1)");
      case 3:
        return join("bump($0)", this.int(depth - 1));
      case 4: {
        const e = this.int(depth - 1);
        return {
          hlsl: `(${p.text.hlsl} = (${e.hlsl}) & 63)`,
          glsl: `(${p.text.glsl} = (${e.glsl}) & 63)`,
          js: `set(${p.object}, ${p.key}, () => (${e.js}) & 63)`,
        };
      }
      default: {
        const e = this.next() < 0.5 ? same(String(this.below(9))) : this.int(depth - 1);
        return {
          hlsl: `take(${p.text.hlsl}, ${e.hlsl})`,
          glsl: `take(${p.text.glsl}, ${e.glsl})`,
          js: `take(${p.object}, ${p.key}, ${e.js})`,
        };
      }
    }
  }

  private condition(depth: number): Text {
    const compare = (): Text =>
      join(`($0 ${this.one(["<", ">", "==", "!="])} $1)`, this.int(depth - 1), this.int(depth - 1));
    return this.next() < 0.6 ? compare() : join(`(${this.one(["$0 && $1", "$0 || $1"])})`, compare(), compare());
  }

  private structure(depth: number): Text {
    if (depth > 0 && this.next() < 0.5) return join("make($0, $1)", this.int(depth - 1), this.int(depth - 1));
    if (this.next() < 0.5) return same("s", "copy(L.s)");
    const n = this.next() < 0.5 && depth > 0 ? join("($0) & 1", this.int(depth - 1)) : same(String(this.below(2)));
    return join({ shown: "q[$0]", js: "copy(L.q[$0])" }, n);
  }

  private int(depth: number): Text {
    if (depth <= 0) return this.next() < 0.3 ? same(String(this.below(9))) : this.read(this.place(0));
    const sub = (): Text => this.int(depth - 1);
    switch (this.below(14)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return this.effect(depth);
      case 4:
        return this.read(this.place(depth));
      case 5:
      case 6:
        return join(`($0 ${this.one(["+", "-", "&", "|", "^"])} $1)`, sub(), sub());
      case 7:
        return join("pair($0, $1)", sub(), sub());
      case 8:
        return join("tri($0, $1, $2)", sub(), sub(), sub());
      case 9:
        return join(`${this.one(["max", "min"])}($0, $1)`, sub(), sub());
      case 10:
        return join("clamp($0, 3, 3 + (($1) & 7))", sub(), sub());
      case 11:
        return join("($0 ? $1 : $2)", this.condition(depth), sub(), sub());
      case 12:
        return this.next() < 0.6
          ? join("sum($0, $1)", this.structure(depth), sub())
          : join("both($0, $1)", this.structure(depth), this.structure(depth));
      default: {
        const c = this.below(4);
        return join(
          { shown: `ivec4($0, $1, $2, $3).${"xyzw"[c]!}`, js: `[$0, $1, $2, $3][${String(c)}]` },
          sub(),
          sub(),
          sub(),
          sub(),
        );
      }
    }
  }

  statement(depth: number): Text {
    switch (this.below(10)) {
      case 0: {
        const [n, e] = [this.next() < 0.5 ? join("($0) & 1", this.int(1)) : same("1"), this.structure(depth)];
        return {
          hlsl: `q[${n.hlsl}] = ${e.hlsl};`,
          glsl: `q[${n.glsl}] = ${e.glsl};`,
          js: `set(L.q, ${n.js}, () => ${e.js});`,
        };
      }
      case 1: {
        const parts = [0, 1, 2, 3].map(() => join("($0) & 63", this.int(depth - 1)));
        return join({ shown: "v = ivec4($0, $1, $2, $3);", js: "L.v = [$0, $1, $2, $3];" }, ...parts);
      }
      case 2: {
        const parts = [0, 1].map(() => join("($0) & 63", this.int(depth - 1)));
        return join(
          { shown: "v.zx = ivec2($0, $1);", js: "{ const [p, q] = [$0, $1]; L.v[2] = p; L.v[0] = q; }" },
          ...parts,
        );
      }
      case 3: {
        const [c, e, f] = [this.condition(depth - 1), this.statement(depth - 1), this.statement(depth - 1)];
        return join("if ($0) { $1 } else { $2 }", c, e, f);
      }
      case 4: {
        const e = join("($0) & 63", this.effect(depth));
        return join(
          {
            shown: "for (int n = 0; n < 2; n++) { k = $0; }",
            js: "for (let n = 0; n < 2; n++) { set(L, 'k', () => $0); }",
          },
          e,
        );
      }
      case 5: {
        const [p, e] = [this.place(1), this.int(depth - 1)];
        const [op, f] = this.one([
          ["+=", "o + x"],
          ["-=", "o - x"],
          ["^=", "o ^ x"],
          ["|=", "o | x"],
        ] as const);
        return {
          hlsl: `${p.text.hlsl} ${op} (${e.hlsl}) & 63;`,
          glsl: `${p.text.glsl} ${op} (${e.glsl}) & 63;`,
          js: `update(${p.object}, ${p.key}, () => (${e.js}) & 63, (o, x) => ${f});`,
        };
      }
      case 6:
        return join("$0;", this.effect(depth));
      default: {
        const [p, e] = [this.place(2), this.int(depth)];
        return {
          hlsl: `${p.text.hlsl} = (${e.hlsl}) & 63;`,
          glsl: `${p.text.glsl} = (${e.glsl}) & 63;`,
          js: `set(${p.object}, ${p.key}, () => (${e.js}) & 63);`,
        };
      }
    }
  }
}

export function orderProgram(seed: number): OrderProgram {
  const writer = new Writer(random(seed));
  const list = Array.from({ length: 3 + (seed % 4) }, () => writer.statement(2 + (seed % 2)));
  const lines = (of: keyof Text): string => list.map((t) => t[of]).join("\n");
  return {
    declarations: { hlsl: `static int g;\n${functions}`, glsl: `int g;\n${functions}` },
    statements: {
      hlsl: `int4 v = int4(1, 2, 3, 4);\n${start}${lines("hlsl")}`,
      glsl: `ivec4 v = ivec4(1, 2, 3, 4);\n${start}${lines("glsl")}`,
    },
    values,
    inGlsl: () => new Function(`${machine}${lines("js")}\n${outcome}`)() as number[],
  };
}
