/**
 * Real programs whose lanes or workgroups talk to each other while they run, each written in all dialects as it is written there: a
 * scan with decoupled look-back, a lock-free list, a ticket lock, and a queue that persistent workgroups empty and fill. (A histogram
 * with privatisation is the fixture `histogram`.) Workgroups have 32 lanes; what must come of them is worked out here by hand.
 */
import type { Dialect } from "../../src/dialects/ids.js";

export type Language = Extract<Dialect, "msl" | "glsl" | "opencl" | "hlsl">;
export const languages: readonly Language[] = ["msl", "glsl", "opencl", "hlsl"];
export const lanes = 32;

export interface Program {
  readonly name: string;
  readonly workgroups: number;
  readonly texts: Readonly<Record<Language, string>>;
  readonly args: () => Record<string, Int32Array>;
  /** What is wrong with what it left. */
  readonly wrongWith: (buffers: Readonly<Record<string, Int32Array>>) => string | undefined;
}

const msl = (body: string, buffers: string): string => `#include <metal_stdlib>
using namespace metal;
#define FENCE atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device)
kernel void k(${buffers},
              uint i [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
${body}
}
`;
const glsl = (body: string, declarations: string): string => `#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = ${lanes}) in;
#define LOAD(x) atomicLoad(x, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire)
#define STORE(x, v) atomicStore(x, v, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease)
${declarations}
void main() {
  uint i = gl_LocalInvocationIndex;
  uint g = gl_WorkGroupID.x;
${body}
}
`;
const opencl = (
  body: string,
  buffers: string,
): string => `#define LOAD(x) atomic_load_explicit(x, memory_order_acquire, memory_scope_device)
#define STORE(x, v) atomic_store_explicit(x, v, memory_order_release, memory_scope_device)
__attribute__((reqd_work_group_size(${lanes}, 1, 1)))
kernel void k(${buffers}) {
  uint i = get_local_id(0);
  uint g = get_group_id(0);
${body}
}
`;
const hlsl = (body: string, declarations: string): string => `${declarations}
[numthreads(${lanes}, 1, 1)]
void k(uint i : SV_GroupIndex, uint3 group : SV_GroupID) {
  uint g = group.x;
${body}
}
`;
const same = (name: string, got: Int32Array, wanted: readonly number[]): string | undefined => {
  const found = [...got].slice(0, wanted.length);
  return found.join() === wanted.join() ? undefined : `${name} is ${found.join()}, not ${wanted.join()}`;
};

// ------------------------------------------------------------------ a scan with decoupled look-back

/** state: 0 nothing, 1 the sum of the partition, 2 that of all up to it. The last is the ticket. */
const lookBack: Program = {
  name: "a scan with decoupled look-back",
  workgroups: 6,
  texts: {
    opencl: opencl(
      `  local int part, before, sums[${lanes}];
  if (i == 0) part = atomic_fetch_add_explicit(&state[8], 1, memory_order_relaxed, memory_scope_device);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint p = part;
  int own = src[p * ${lanes} + i];
  sums[i] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < ${lanes}; step *= 2) {
    int more = i >= step ? sums[i - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[i] += more;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) {
    int all = sums[${lanes - 1}];
    sum[p] = all;
    STORE(&state[p], 1);
    int found = 0;
    for (int at = (int)p - 1; at >= 0; at--) {
      int s = 0;
      while (s == 0) s = LOAD(&state[at]);
      found += s == 2 ? sum[8 + at] : sum[at];
      if (s == 2) break;
    }
    sum[8 + p] = found + all;
    STORE(&state[p], 2);
    before = found;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  dst[p * ${lanes} + i] = before + sums[i] - own;`,
      "global const int *src, global int *dst, global int *sum, global atomic_int *state",
    ),
    glsl: glsl(
      `  if (i == 0) part = atomicAdd(state[8], 1);
  barrier();
  uint p = uint(part);
  int own = src[p * ${lanes} + i];
  sums[i] = own;
  barrier();
  for (uint step_ = 1; step_ < ${lanes}; step_ *= 2) {
    int more = i >= step_ ? sums[i - step_] : 0;
    barrier();
    sums[i] += more;
    barrier();
  }
  if (i == 0) {
    int all_ = sums[${lanes - 1}];
    sum[p] = all_;
    STORE(state[p], 1);
    int found = 0;
    for (int at = int(p) - 1; at >= 0; at--) {
      int s = 0;
      while (s == 0) s = LOAD(state[at]);
      found += s == 2 ? sum[8 + at] : sum[at];
      if (s == 2) break;
    }
    sum[8 + p] = found + all_;
    STORE(state[p], 2);
    before = found;
  }
  barrier();
  dst[p * ${lanes} + i] = before + sums[i] - own;`,
      `layout(set = 0, binding = 0) readonly buffer A { int src[]; };
layout(set = 0, binding = 1) buffer B { int dst[]; };
layout(set = 0, binding = 2) coherent buffer C { int sum[]; };
layout(set = 0, binding = 3) buffer D { int state[]; };
shared int part, before, sums[${lanes}];`,
    ),
    hlsl: hlsl(
      `  if (i == 0) InterlockedAdd(state[8], 1, part);
  GroupMemoryBarrierWithGroupSync();
  uint p = part;
  int own = src[p * ${lanes} + i];
  sums[i] = own;
  GroupMemoryBarrierWithGroupSync();
  for (uint step = 1; step < ${lanes}; step *= 2) {
    int more = i >= step ? sums[i - step] : 0;
    GroupMemoryBarrierWithGroupSync();
    sums[i] += more;
    GroupMemoryBarrierWithGroupSync();
  }
  if (i == 0) {
    int all_ = sums[${lanes - 1}], old;
    sum[p] = all_;
    DeviceMemoryBarrier();
    InterlockedExchange(state[p], 1, old);
    int found = 0;
    for (int at = (int)p - 1; at >= 0; at--) {
      int s = 0;
      while (s == 0) InterlockedOr(state[at], 0, s);
      DeviceMemoryBarrier();
      found += s == 2 ? sum[8 + at] : sum[at];
      if (s == 2) break;
    }
    sum[8 + p] = found + all_;
    DeviceMemoryBarrier();
    InterlockedExchange(state[p], 2, old);
    before = found;
  }
  GroupMemoryBarrierWithGroupSync();
  dst[p * ${lanes} + i] = before + sums[i] - own;`,
      `StructuredBuffer<int> src;
RWStructuredBuffer<int> dst;
globallycoherent RWStructuredBuffer<int> sum;
globallycoherent RWStructuredBuffer<int> state;
groupshared int part, before, sums[${lanes}];`,
    ),
    msl: msl(
      `  threadgroup int part, before, sums[${lanes}];
  if (i == 0) part = atomic_fetch_add_explicit(&state[8], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint p = part;
  int own = src[p * ${lanes} + i];
  sums[i] = own;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 1; step < ${lanes}; step *= 2) {
    int more = i >= step ? sums[i - step] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sums[i] += more;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (i == 0) {
    int all_ = sums[${lanes - 1}];
    sum[p] = all_;
    FENCE;
    atomic_store_explicit(&state[p], 1, memory_order_relaxed);
    int found = 0;
    for (int at = int(p) - 1; at >= 0; at--) {
      int s = 0;
      while (s == 0) s = atomic_load_explicit(&state[at], memory_order_relaxed);
      FENCE;
      found += s == 2 ? sum[8 + at] : sum[at];
      if (s == 2) break;
    }
    sum[8 + p] = found + all_;
    FENCE;
    atomic_store_explicit(&state[p], 2, memory_order_relaxed);
    before = found;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  dst[p * ${lanes} + i] = before + sums[i] - own;`,
      `device const int *src [[buffer(0)]], device int *dst [[buffer(1)]],
              coherent(device) device int *sum [[buffer(2)]], device atomic_int *state [[buffer(3)]]`,
    ),
  },
  args: () => ({
    src: Int32Array.from({ length: 6 * lanes }, (_, i) => (i * 7) % 11),
    dst: new Int32Array(6 * lanes),
    sum: new Int32Array(16),
    state: new Int32Array(9),
  }),
  wrongWith: ({ dst }) => {
    let sum = 0;
    const wanted = Array.from({ length: 6 * lanes }, (_, i) => {
      const before = sum;
      sum += (i * 7) % 11;
      return before;
    });
    return same("dst", dst!, wanted);
  },
};

// ------------------------------------------------------------------ a lock-free list

/** Every lane puts its node before the head: nodes count from 1, 0 is the end. The payload is published with the node. */
const list: Program = {
  name: "a lock-free list",
  workgroups: 3,
  texts: {
    opencl: opencl(
      `  int node = (int)(g * ${lanes} + i) + 1;
  value[node] = node * node;
  int first = atomic_load_explicit(&head[0], memory_order_relaxed, memory_scope_device);
  do {
    next[node] = first;
  } while (!atomic_compare_exchange_weak_explicit(&head[0], &first, node, memory_order_acq_rel, memory_order_acquire, memory_scope_device));
  if (first != 0) seen[node] = value[first];`,
      "global int *value, global int *next, global atomic_int *head, global int *seen",
    ),
    glsl: glsl(
      `  int node = int(g * ${lanes} + i) + 1;
  value[node] = node * node;
  int first = 0, expected;
  do {
    expected = first;
    next[node] = expected;
    first = atomicCompSwap(head[0], expected, node, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease,
                           gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  } while (first != expected);
  if (first != 0) seen[node] = value[first];`,
      `layout(set = 0, binding = 0) coherent buffer A { int value[]; };
layout(set = 0, binding = 1) buffer B { int next[]; };
layout(set = 0, binding = 2) buffer C { int head[]; };
layout(set = 0, binding = 3) buffer D { int seen[]; };`,
    ),
    hlsl: hlsl(
      `  int node = int(g * ${lanes} + i) + 1;
  value[node] = node * node;
  int first = 0, expected;
  do {
    expected = first;
    next[node] = expected;
    DeviceMemoryBarrier();
    InterlockedCompareExchange(head[0], expected, node, first);
  } while (first != expected);
  DeviceMemoryBarrier();
  if (first != 0) seen[node] = value[first];`,
      `globallycoherent RWStructuredBuffer<int> value;
RWStructuredBuffer<int> next;
globallycoherent RWStructuredBuffer<int> head;
RWStructuredBuffer<int> seen;`,
    ),
    msl: msl(
      `  int node = int(g * ${lanes} + i) + 1;
  value[node] = node * node;
  int first = atomic_load_explicit(head, memory_order_relaxed);
  do {
    next[node] = first;
    FENCE;
  } while (!atomic_compare_exchange_weak_explicit(head, &first, node, memory_order_relaxed, memory_order_relaxed));
  FENCE;
  if (first != 0) seen[node] = value[first];`,
      `coherent(device) device int *value [[buffer(0)]], device int *next [[buffer(1)]],
              device atomic_int *head [[buffer(2)]], device int *seen [[buffer(3)]]`,
    ),
  },
  args: () => ({
    value: new Int32Array(3 * lanes + 1),
    next: new Int32Array(3 * lanes + 1),
    head: new Int32Array(1),
    seen: new Int32Array(3 * lanes + 1),
  }),
  wrongWith: ({ next, head, seen }) => {
    const met = new Set<number>();
    for (let node = head![0]!; node !== 0; node = next![node]!) {
      if (met.has(node)) return `node ${node} is twice in the list`;
      met.add(node);
      const before = next![node]!;
      if (seen![node] !== before * before) return `node ${node} saw ${seen![node]} before it`;
    }
    return met.size === 3 * lanes ? undefined : `${met.size} nodes`;
  },
};

// ------------------------------------------------------------------ a ticket lock

/** One lane of each workgroup holds the lock while it changes plain memory: tickets, who is served, and the sum. */
const ticket: Program = {
  name: "a ticket lock",
  workgroups: 5,
  texts: {
    opencl: opencl(
      `  if (i == 0) {
    int mine = atomic_fetch_add_explicit(&lock[0], 1, memory_order_relaxed, memory_scope_device);
    while (LOAD(&lock[1]) != mine) {}
    sum[0] += (int)g + 1;
    sum[1 + mine] = sum[0];
    STORE(&lock[1], mine + 1);
  }`,
      "global int *sum, global atomic_int *lock",
    ),
    glsl: glsl(
      `  if (i == 0) {
    int mine = atomicAdd(lock[0], 1);
    while (LOAD(lock[1]) != mine) {}
    sum[0] += int(g) + 1;
    sum[1 + mine] = sum[0];
    STORE(lock[1], mine + 1);
  }`,
      `layout(set = 0, binding = 0) coherent buffer A { int sum[]; };
layout(set = 0, binding = 1) buffer B { int lock[]; };`,
    ),
    hlsl: hlsl(
      `  if (i == 0) {
    int mine, now, old;
    InterlockedAdd(lock[0], 1, mine);
    do {
      InterlockedOr(lock[1], 0, now);
    } while (now != mine);
    DeviceMemoryBarrier();
    sum[0] += (int)g + 1;
    sum[1 + mine] = sum[0];
    DeviceMemoryBarrier();
    InterlockedExchange(lock[1], mine + 1, old);
  }`,
      `globallycoherent RWStructuredBuffer<int> sum;
globallycoherent RWStructuredBuffer<int> lock;`,
    ),
    msl: msl(
      `  if (i == 0) {
    int mine = atomic_fetch_add_explicit(&lock[0], 1, memory_order_relaxed);
    while (atomic_load_explicit(&lock[1], memory_order_relaxed) != mine) {}
    FENCE;
    sum[0] += int(g) + 1;
    sum[1 + mine] = sum[0];
    FENCE;
    atomic_store_explicit(&lock[1], mine + 1, memory_order_relaxed);
  }`,
      `coherent(device) device int *sum [[buffer(0)]], device atomic_int *lock [[buffer(1)]]`,
    ),
  },
  args: () => ({ sum: new Int32Array(6), lock: new Int32Array(2) }),
  wrongWith: ({ sum, lock }) => {
    const steps = [...sum!].slice(1).map((x, i, all) => x - (all[i - 1] ?? 0));
    return (
      same("lock", lock!, [5, 5]) ??
      same("sum", sum!, [15]) ??
      same("steps", Int32Array.from(steps.sort((a, b) => a - b)), [1, 2, 3, 4, 5])
    );
  },
};

// ------------------------------------------------------------------ a queue of persistent workgroups

/** Work of 3, 2, 1 and 0: each but 0 puts the next less one at the end. Ready slots hold their work plus 1. queue[31] is the next to take, queue[30] the end. */
const queue: Program = {
  name: "a queue of persistent workgroups",
  workgroups: 3,
  texts: {
    opencl: opencl(
      `  local int taken, work;
  while (true) {
    if (i == 0) {
      taken = atomic_fetch_add_explicit(&queue[31], 1, memory_order_relaxed, memory_scope_device);
      work = 0;
      if (taken < 16)
        while (work == 0) work = LOAD(&queue[taken]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int t = taken, w = work - 1;
    if (t >= 16) break;
    done[t * ${lanes} + i] = input_[w * ${lanes} + i];
    if (i == 0 && w > 0) {
      int end = atomic_fetch_add_explicit(&queue[30], 1, memory_order_relaxed, memory_scope_device);
      STORE(&queue[end], w);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }`,
      "global const int *input_, global int *done, global atomic_int *queue",
    ),
    glsl: glsl(
      `  while (true) {
    if (i == 0) {
      taken = atomicAdd(queue[31], 1);
      work = 0;
      if (taken < 16)
        while (work == 0) work = LOAD(queue[taken]);
    }
    barrier();
    int t = taken, w = work - 1;
    if (t >= 16) break;
    done[t * ${lanes} + i] = source[w * ${lanes} + i];
    if (i == 0 && w > 0) {
      int end = atomicAdd(queue[30], 1);
      STORE(queue[end], w);
    }
    barrier();
  }`,
      `layout(set = 0, binding = 0) readonly buffer A { int source[]; };
layout(set = 0, binding = 1) buffer B { int done[]; };
layout(set = 0, binding = 2) buffer C { int queue[]; };
shared int taken, work;`,
    ).replaceAll("source", "input_"),
    hlsl: hlsl(
      `  while (true) {
    int old;
    if (i == 0) {
      InterlockedAdd(queue[31], 1, old);
      taken = old;
      int found = 0;
      if (old < 16)
        while (found == 0) InterlockedOr(queue[old], 0, found);
      DeviceMemoryBarrier();
      work = found;
    }
    GroupMemoryBarrierWithGroupSync();
    int t = taken, w = work - 1;
    if (t >= 16) break;
    done[t * ${lanes} + i] = input_[w * ${lanes} + i];
    if (i == 0 && w > 0) {
      int end;
      InterlockedAdd(queue[30], 1, end);
      DeviceMemoryBarrier();
      InterlockedExchange(queue[end], w, old);
    }
    GroupMemoryBarrierWithGroupSync();
  }`,
      `StructuredBuffer<int> input_;
RWStructuredBuffer<int> done;
globallycoherent RWStructuredBuffer<int> queue;
groupshared int taken, work;`,
    ),
    msl: msl(
      `  threadgroup int taken, work;
  while (true) {
    if (i == 0) {
      taken = atomic_fetch_add_explicit(&queue[31], 1, memory_order_relaxed);
      work = 0;
      if (taken < 16)
        while (work == 0) work = atomic_load_explicit(&queue[taken], memory_order_relaxed);
      FENCE;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    int t = taken, w = work - 1;
    if (t >= 16) break;
    done[t * ${lanes} + i] = input_[w * ${lanes} + i];
    if (i == 0 && w > 0) {
      int end = atomic_fetch_add_explicit(&queue[30], 1, memory_order_relaxed);
      FENCE;
      atomic_store_explicit(&queue[end], w, memory_order_relaxed);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }`,
      `device const int *input_ [[buffer(0)]], device int *done [[buffer(1)]], device atomic_int *queue [[buffer(2)]]`,
    ),
  },
  args: () => {
    const start = new Int32Array(32);
    start.set([4, 4, 4, 4]);
    start[30] = 4;
    return {
      input_: Int32Array.from({ length: 4 * lanes }, (_, i) => 1000 * Math.floor(i / lanes) + i),
      done: new Int32Array(16 * lanes),
      queue: start,
    };
  },
  wrongWith: ({ done, queue: left }) => {
    const works: number[] = [];
    for (let t = 0; t < 16; t++) {
      const w = Math.floor(done![t * lanes]! / 1000);
      works.push(w);
      for (let i = 0; i < lanes; i++)
        if (done![t * lanes + i] !== 1000 * w + w * lanes + i) return `item ${t}, lane ${i}: ${done![t * lanes + i]}`;
    }
    works.sort((a, b) => a - b);
    return (
      same("works", Int32Array.from(works), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]) ??
      same("end", left!.slice(30, 31), [16])
    );
  },
};

export const programs: readonly Program[] = [lookBack, list, ticket, queue];
