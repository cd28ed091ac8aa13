import { describe, expect, test } from "vitest";
import { compile, run } from "../../src/sim/index.js";
import {
  KernelBuilder,
  array,
  at,
  f32,
  f32Literal,
  id,
  inc,
  let_,
  loop,
  op,
  read,
  set,
  sync,
  u32,
  u32Literal,
  when,
} from "./kernel-builder.js";
import { assign, variablePlace } from "./ast.js";

const bytes = (a: ArrayBufferView): Uint8Array => new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
const floats = (b: Uint8Array): number[] => [...new Float32Array(b.slice().buffer)];

describe("kernels built by hand", () => {
  test("saxpy", () => {
    const k = new KernelBuilder();
    const a = k.value("a", f32);
    const n = k.value("n", u32);
    const x = k.buffer("x", f32, "read");
    const y = k.buffer("y", f32);
    const i = k.local("i", u32);
    const { module } = k.kernel([
      let_(i, id("global_id", 0)),
      when(op("lt", read(i), read(n)), [
        set(at(y, read(i)), op("add", op("mul", read(a), read(at(x, read(i)))), read(at(y, read(i))))),
      ]),
    ]);
    const { kernel, problems } = compile(module, "kernel");
    expect(problems).toEqual([]);
    const result = run(kernel!, {
      workgroups: [2],
      workgroupSize: [4],
      args: new Map<string, Uint8Array | number>([
        ["a", 2.5],
        ["n", 7],
        ["x", bytes(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8))],
        ["y", bytes(Float32Array.of(1, 1, 1, 1, 1, 1, 1, 1))],
      ]),
    });
    expect(floats(result.buffers.get("y")!)).toEqual([3.5, 6, 8.5, 11, 13.5, 16, 18.5, 1]);
    expect(result.findings).toEqual([]);
    if (process.env["SHOW"]) console.log([...kernel!.factories.values()][0]!.text);
  });

  test("tree reduction over workgroup memory", () => {
    const k = new KernelBuilder();
    const src = k.buffer("src", f32, "read");
    const dst = k.buffer("dst", f32);
    const s = k.local("s", array(f32, 8), "workgroup");
    const l = k.local("l", u32);
    const off = k.local("off", u32);
    const { module } = k.kernel(
      [
        let_(s),
        let_(l, id("local_id", 0)),
        set(at(s, read(l)), read(at(src, id("global_id", 0)))),
        sync(),
        loop(
          off,
          u32Literal(4),
          op("gt", read(off), u32Literal(0)),
          assign(variablePlace(off), u32Literal(1), undefined, "shr"),
          [
            when(op("lt", read(l), read(off)), [
              set(at(s, read(l)), read(at(s, op("add", read(l), read(off)))), "add"),
            ]),
            sync(),
          ],
        ),
        when(op("eq", read(l), u32Literal(0)), [set(at(dst, id("workgroup_id", 0)), read(at(s, u32Literal(0))))]),
      ],
      [8, 1, 1],
    );
    const { kernel, problems } = compile(module, "kernel");
    expect(problems).toEqual([]);
    const result = run(kernel!, {
      workgroups: [2],
      args: new Map([
        ["src", bytes(Float32Array.from({ length: 16 }, (_, i) => i))],
        ["dst", bytes(new Float32Array(2))],
      ]),
    });
    // 0+..+7 and 8+..+15.
    expect(floats(result.buffers.get("dst")!)).toEqual([28, 92]);
    expect(result.findings).toEqual([]);
    if (process.env["SHOW"]) console.log([...kernel!.factories.values()][0]!.text);
  });
});
void f32Literal;
void inc;
