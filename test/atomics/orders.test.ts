/** Orders and scopes are kept, made stronger or refused: expected lines are from the dialects' memory models (docs/semantics/memory.md 5.1). */
import { describe, expect, test } from "vitest";
import { simulate, translate, type TranslateOptions } from "../../src/index.js";

type Target = "msl" | "glsl" | "opencl" | "hlsl";

async function lines(
  text: string,
  from: Target,
  to: Target,
  options: Partial<TranslateOptions> = {},
): Promise<readonly string[]> {
  const { code, diagnostics } = await translate(text, { from, to, ...options });
  expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.message)).toEqual([]);
  return code!.split("\n").map((l) => l.trim());
}

async function refusal(text: string, from: Target, to: Target, profile?: string): Promise<string> {
  const { code, diagnostics } = await translate(text, { from, to, ...(profile ? { profile } : {}) });
  expect(code).toBeUndefined();
  return diagnostics[0]!.message;
}

const opencl = (body: string): string => `__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void k(global atomic_int *p, global atomic_int *q, global int *o) {
  ${body}
}`;
const glsl = (body: string): string => `#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(binding = 0) coherent buffer P { uint p[]; };
layout(binding = 1) coherent buffer O { uint o[]; };
shared uint s;
void main() { ${body} }`;

describe("an order that is not the first", () => {
  const text = opencl(`int e = 0;
  o[0] = atomic_compare_exchange_strong_explicit(p, &e, 1, memory_order_relaxed, memory_order_acquire);`);

  test("that of a failure is a fence, too", async () => {
    const hlsl = await lines(text, "opencl", "hlsl");
    const at = hlsl.findIndex((l) => l.startsWith("InterlockedCompareExchange("));
    expect(hlsl[at + 1]).toBe("DeviceMemoryBarrier();");
  });

  test("GLSL says both", async () => {
    expect((await lines(text, "opencl", "glsl")).join(" ")).toContain(
      "gl_SemanticsRelaxed, gl_StorageSemanticsBuffer, gl_SemanticsAcquire)",
    );
  });
});

describe("scopes", () => {
  test("of other devices are not those of one, whatever the order", async () => {
    const text = opencl("o[0] = atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_all_svm_devices);");
    for (const to of ["msl", "glsl", "hlsl"] as const)
      expect(await refusal(text, "opencl", to)).toContain("other devices");
  });

  test("stay those of the source", async () => {
    const text = opencl("o[0] = atomic_fetch_add_explicit(p, 1, memory_order_acq_rel, memory_scope_work_group);");
    expect((await lines(text, "opencl", "glsl")).join()).toContain(
      "atomicAdd(p[0], 1, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease)",
    );
    const back = glsl(
      "o[0] = atomicAdd(p[0], 1u, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);",
    );
    expect((await lines(back, "glsl", "opencl")).join()).toContain("memory_order_acq_rel, memory_scope_work_group)");
  });
});

describe("acquire and release", () => {
  const producer = glsl(
    `o[gl_GlobalInvocationID.x] = 7u; atomicStore(p[0], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);`,
  );
  const consumer = glsl(
    `if (atomicLoad(p[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire) == 1u) o[1] = o[0];`,
  );

  test("a release fence stands before, an acquire fence after", async () => {
    const stores = await lines(producer, "glsl", "hlsl");
    const store = stores.findIndex((l) => l.startsWith("InterlockedExchange("));
    expect(stores.slice(0, store).filter((l) => l === "DeviceMemoryBarrier();")).toHaveLength(1);
    expect(stores.slice(store)).not.toContain("DeviceMemoryBarrier();");
    const loads = await lines(consumer, "glsl", "hlsl");
    const load = loads.findIndex((l) => l.startsWith("InterlockedOr("));
    expect(loads[load + 1]).toBe("DeviceMemoryBarrier();");
    expect(loads.filter((l) => l.startsWith("globallycoherent"))).toHaveLength(2);
  });

  test("MSL 3.2 has fences, and coherent buffers; before, there is none of the device", async () => {
    const text = await lines(consumer, "glsl", "msl", { profile: "msl3.2" });
    const load = text.findIndex((l) => l.includes("atomic_load_explicit("));
    expect(text[load + 1]).toBe(
      "atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);",
    );
    expect(text.filter((l) => l.includes("coherent(device)")).length).toBeGreaterThan(0);
    expect(await refusal(consumer, "glsl", "msl", "msl3.1")).toContain("no fence of device scope");
  });

  test("a fence of MSL 3.2 makes buffers coherent that the source does not call so", async () => {
    const text = opencl("o[0] = atomic_load_explicit(p, memory_order_acquire, memory_scope_device);");
    const kernel = (await lines(text, "opencl", "msl", { profile: "msl3.2" })).join(" ");
    expect(kernel).toContain("coherent(device) device int *o");
  });

  test("OpenCL C 1.2 orders within the workgroup alone", async () => {
    const near = glsl(
      "o[0] = atomicAdd(s, 1u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);",
    );
    const text = await lines(near, "glsl", "opencl", { profile: "opencl1.2" });
    const add = text.findIndex((l) => l.includes("atomic_add("));
    expect([text[add - 1], text[add + 1]]).toEqual([
      "write_mem_fence(CLK_LOCAL_MEM_FENCE);",
      "read_mem_fence(CLK_LOCAL_MEM_FENCE);",
    ]);
    expect(await refusal(consumer, "glsl", "opencl", "opencl1.2")).toContain("between workgroups");
  });
});

describe("sequential consistency", () => {
  const storeBuffering = opencl("atomic_store(p, 1); o[get_global_id(0)] = atomic_load(q);");

  test("across objects it is refused where the target has none", async () => {
    for (const to of ["glsl", "hlsl"] as const)
      expect(await refusal(storeBuffering, "opencl", to)).toContain("sequentially consistent");
    expect(await refusal(storeBuffering, "opencl", "msl", "msl3.1")).toContain("msl>=3.2");
  });

  test("MSL 3.2 has such fences, one on each side of each access", async () => {
    const text = await lines(storeBuffering, "opencl", "msl", { profile: "msl3.2" });
    const is = (l: string | undefined): boolean =>
      l?.startsWith("atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst") ?? false;
    for (const name of ["atomic_store_explicit(", "atomic_load_explicit("]) {
      const at = text.findIndex((l) => l.includes(name));
      expect([is(text[at - 1]), is(text[at + 1])]).toEqual([true, true]);
    }
  });

  test("of one object, acquire and release are as strong", async () => {
    const text = opencl("if (atomic_load(p) == 0) atomic_store(p, 1);");
    const made = (await lines(text, "opencl", "glsl")).join(" ");
    expect(made).toContain("gl_SemanticsAcquire)");
    expect(made).toContain("gl_SemanticsRelease)");
  });

  test("where nobody looks it is relaxed", async () => {
    const text = opencl("atomic_fetch_add(&p[o[get_global_id(0)] & 3], 1);");
    expect((await lines(text, "opencl", "msl")).join(" ")).toContain("1, memory_order_relaxed)");
  });

  test("but not where one result is used, or steps do not commute", async () => {
    for (const body of ["o[0] = atomic_fetch_add(&p[o[0]], 1);", "atomic_store(p, 1); atomic_store(q, 2);"])
      expect(await refusal(opencl(body), "opencl", "glsl")).toContain("sequentially consistent");
  });
});

describe("objects of atomic types named as plain ones (C11 6.5.16)", () => {
  test("are accessed sequentially consistent", async () => {
    const text = opencl("*p = 1; o[0] = *q;");
    for (const to of ["glsl", "hlsl"] as const)
      expect(await refusal(text, "opencl", to)).toContain("sequentially consistent");
  });

  test("and changed in one step", async () => {
    const { buffers, findings } = await simulate(opencl("(*p)++; *p += 2; o[get_global_id(0)] = 0;"), {
      from: "opencl",
      workgroups: [2],
      args: { p: new Int32Array(1), q: new Int32Array(1), o: new Int32Array(64) },
    });
    expect(findings).toEqual([]);
    expect([...(buffers["p"] as Int32Array)]).toEqual([3 * 64]);
  });

  test("what atomic_init stores is a plain store", async () => {
    const text = opencl("atomic_init(p, 5);");
    expect(await lines(text, "opencl", "glsl")).toContain("p[0] = 5;");
  });
});

describe("coherent and volatile", () => {
  const spin = `globallycoherent RWStructuredBuffer<uint> b; RWStructuredBuffer<uint> o;
[numthreads(32, 1, 1)] void k() { while (b[0] == 0) {} o[0] = b[1]; }`;

  test("what has no coherent is volatile, so that a loop reads again", async () => {
    expect((await lines(spin, "hlsl", "opencl")).join(" ")).toContain("__global volatile uint *b");
    expect((await lines(spin, "hlsl", "msl")).join(" ")).toContain("device volatile uint *b");
    expect((await lines(spin, "hlsl", "msl", { profile: "msl3.2" })).join(" ")).toContain(
      "coherent(device) device uint *b",
    );
  });

  test("what has no volatile is coherent", async () => {
    const text = `__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void k(volatile global int *b, global int *o) { while (b[0] == 0) {} o[0] = b[1]; }`;
    expect(await lines(text, "opencl", "hlsl")).toContain("globallycoherent RWStructuredBuffer<int> b : register(u0);");
  });
});

describe("methods of byte address buffers compare as their value is signed (DXC: IMin)", () => {
  const text = `RWByteAddressBuffer b;
[numthreads(1, 1, 1)] void k() { int s; b.InterlockedMin(0, -1, s); b.InterlockedMax(4, -1); b.InterlockedMax(8, 0xffffffffu); }`;
  const wanted = [-1, 5, -1];

  test("in the simulator", async () => {
    const { buffers } = await simulate(text, { from: "hlsl", workgroups: [1], args: { b: new Int32Array([5, 5, 5]) } });
    expect([...(buffers["b"] as Int32Array)]).toEqual(wanted);
  });

  for (const to of ["msl", "glsl", "opencl"] as const)
    test(`in ${to}`, async () => {
      const { code } = await translate(text, { from: "hlsl", to });
      const args = { b: new Int32Array([5, 5, 5]) };
      const size = to === "msl" ? { workgroupSize: [1] as const } : {};
      const { buffers } = await simulate(code!, { from: to, workgroups: [1], args, ...size });
      expect([...(buffers["b"] as Int32Array)]).toEqual(wanted);
    });
});

test("flags are exchanged and cleared", async () => {
  const text = `kernel void k(global atomic_flag *f, global int *o) {
  if (!atomic_flag_test_and_set_explicit(f, memory_order_acq_rel)) o[0] = 1;
  if (atomic_flag_test_and_set(f)) o[1] = 1;
  atomic_flag_clear(f);
}`;
  const { buffers, diagnostics } = await simulate(text, {
    from: "opencl",
    workgroups: [1],
    workgroupSize: [1],
    args: { f: new Int32Array(1), o: new Int32Array(2) },
  });
  expect(diagnostics).toEqual([]);
  expect([...(buffers["o"] as Int32Array)]).toEqual([1, 1]);
  expect([...(buffers["f"] as Int32Array)]).toEqual([0]);
});
