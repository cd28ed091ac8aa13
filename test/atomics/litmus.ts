/**
 * Litmus tests: the classic shapes of two to four threads, and for each way of ordering their accesses whether the outcome in question
 * is forbidden. Shapes and names are those of Alglave, Maranget and Tautschnig, "Herding Cats" (TOPLAS 36, 2014), table III, and of "GPU
 * Concurrency: Weak Behaviours and Programming Assumptions" (ASPLOS 2015) by Alglave and others; the cycles of those of three threads
 * stand with them. What orders forbid is in "Memory Ordering Rules" of the OpenCL API specification (3.0), which takes over C11 5.1.2.4 and
 * 7.17.3 with scopes, and names the paragraph of each rule: of coherence it has four kinds. Where all accesses are sequentially
 * consistent, an execution is an interleaving (the note on *memory_order_seq_cst* there), which no cycle of rf, co, fr and program order is.
 *
 * An access is `Wx1` (writes 1), `Rx` (reads), `Ux` (adds 1, always relaxed), all atomic; `Px1` and `Qx` are plain, the latter done where
 * what the thread has read before is that of the outcome.
 */
export type Ordering = "relaxed" | "atomics" | "fences" | "sc" | "sc fences";
export type Reach = "device" | "work_group";

export interface Litmus {
  readonly name: string;
  readonly threads: readonly (readonly string[])[];
  /** The outcome: what reads give, thread by thread (`undefined`: whatever), and what is left in memory. */
  readonly reads: readonly (number | undefined)[];
  readonly left?: Readonly<Record<string, number>>;
  /** What forbids it. Of a shape with plain accesses: what it has no race by. */
  readonly forbiddenBy: readonly Ordering[];
  /** And where it is allowed: of a shape with plain accesses, where it races. */
  readonly allowedBy: readonly Ordering[];
  /** Why. */
  readonly source: string;
}

const ordered = ["atomics", "fences", "sc", "sc fences"] as const;
const weak = ["relaxed", "atomics", "fences"] as const;
const strongest = ["sc", "sc fences"] as const;
const happens = "C11 5.1.2.4 (11) and OpenCL's global-happens-before; write-read and write-write coherence";
const total =
  "C11 7.17.3 (6) and (9) to (11), and OpenCL's rule for two modifications with fences: the single order of seq_cst";

export const shapes: readonly Litmus[] = [
  {
    name: "MP",
    threads: [
      ["Wx1", "Wy1"],
      ["Ry", "Rx"],
    ],
    reads: [1, 0],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: happens,
  },
  {
    name: "LB",
    threads: [
      ["Rx", "Wy1"],
      ["Ry", "Wx1"],
    ],
    reads: [1, 1],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: happens,
  },
  {
    name: "S",
    threads: [
      ["Wx2", "Wy1"],
      ["Ry", "Wx1"],
    ],
    reads: [1],
    left: { x: 2 },
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: happens,
  },
  {
    name: "WRC",
    threads: [["Wx1"], ["Rx", "Wy1"], ["Ry", "Rx"]],
    reads: [1, 1, 0],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: happens,
  },
  {
    name: "WWC",
    threads: [["Wx2"], ["Rx", "Wy1"], ["Ry", "Wx1"]],
    reads: [2, 1],
    left: { x: 2 },
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: happens,
  },
  {
    name: "ISA2",
    threads: [
      ["Wx1", "Wy1"],
      ["Ry", "Wz1"],
      ["Rz", "Rx"],
    ],
    reads: [1, 1, 0],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: happens,
  },
  {
    name: "3.LB",
    threads: [
      ["Rx", "Wy1"],
      ["Ry", "Wz1"],
      ["Rz", "Wx1"],
    ],
    reads: [1, 1, 1],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: happens,
  },
  {
    name: "MP with a release sequence",
    threads: [["Wx1", "Wy1"], ["Uy"], ["Ry", "Rx"]],
    reads: [1, 2, 0],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: "C11 5.1.2.4 (10)",
  },
  {
    name: "SB",
    threads: [
      ["Wx1", "Ry"],
      ["Wy1", "Rx"],
    ],
    reads: [0, 0],
    forbiddenBy: strongest,
    allowedBy: weak,
    source: total,
  },
  {
    name: "3.SB",
    threads: [
      ["Wx1", "Ry"],
      ["Wy1", "Rz"],
      ["Wz1", "Rx"],
    ],
    reads: [0, 0, 0],
    forbiddenBy: strongest,
    allowedBy: weak,
    source: total,
  },
  {
    name: "R",
    threads: [
      ["Wx1", "Wy1"],
      ["Wy2", "Rx"],
    ],
    reads: [0],
    left: { y: 2 },
    forbiddenBy: strongest,
    allowedBy: weak,
    source: total,
  },
  {
    name: "2+2W",
    threads: [
      ["Wx1", "Wy2"],
      ["Wy1", "Wx2"],
    ],
    reads: [],
    left: { x: 1, y: 1 },
    forbiddenBy: strongest,
    allowedBy: weak,
    source: total,
  },
  {
    name: "IRIW",
    threads: [["Wx1"], ["Wy1"], ["Rx", "Ry"], ["Ry", "Rx"]],
    reads: [1, 0, 1, 0],
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    name: "RWC",
    threads: [["Wx1"], ["Rx", "Ry"], ["Wy1", "Rx"]],
    reads: [1, 0, 0],
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    name: "W+RWC",
    threads: [
      ["Wx1", "Wy1"],
      ["Ry", "Rz"],
      ["Wz1", "Rx"],
    ],
    reads: [1, 0, 0],
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // rf, co, fr
    name: "Z6.0",
    threads: [
      ["Wx1", "Wy1"],
      ["Ry", "Wz1"],
      ["Wz2", "Rx"],
    ],
    reads: [1, 0],
    left: { z: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // co, rf, co
    name: "Z6.1",
    threads: [
      ["Wx2", "Wy1"],
      ["Wy2", "Wz1"],
      ["Rz", "Wx1"],
    ],
    reads: [1],
    left: { x: 2, y: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // rf, rf, co
    name: "Z6.2",
    threads: [
      ["Wx2", "Wy1"],
      ["Ry", "Wz1"],
      ["Rz", "Wx1"],
    ],
    reads: [1, 1],
    left: { x: 2 },
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: happens,
  },
  {
    // co, rf, fr
    name: "Z6.3",
    threads: [
      ["Wx1", "Wy1"],
      ["Wy2", "Wz1"],
      ["Rz", "Rx"],
    ],
    reads: [1, 0],
    left: { y: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // co, fr, fr
    name: "Z6.4",
    threads: [
      ["Wx1", "Wy1"],
      ["Wy2", "Rz"],
      ["Wz1", "Rx"],
    ],
    reads: [0, 0],
    left: { y: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // co, fr, co
    name: "Z6.5",
    threads: [
      ["Wx2", "Wy1"],
      ["Wy2", "Rz"],
      ["Wz1", "Wx1"],
    ],
    reads: [0],
    left: { x: 2, y: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // co, co, co
    name: "3.2W",
    threads: [
      ["Wx2", "Wy1"],
      ["Wy2", "Wz1"],
      ["Wz2", "Wx1"],
    ],
    reads: [],
    left: { x: 2, y: 2, z: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // rf, co, fr
    name: "WRW+WR",
    threads: [["Wx1"], ["Rx", "Wy1"], ["Wy2", "Rx"]],
    reads: [1, 0],
    left: { y: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // rf, fr, co
    name: "WRR+2W",
    threads: [["Wx2"], ["Rx", "Ry"], ["Wy1", "Wx1"]],
    reads: [2, 0],
    left: { x: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // rf, co, co
    name: "WRW+2W",
    threads: [["Wx2"], ["Rx", "Wy1"], ["Wy2", "Wx1"]],
    reads: [2],
    left: { x: 2, y: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // rf, fr, rf, co
    name: "IRRWIW",
    threads: [["Wx2"], ["Rx", "Ry"], ["Wy1"], ["Ry", "Wx1"]],
    reads: [2, 0, 1],
    left: { x: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    // rf, co, rf, co
    name: "IRWIW",
    threads: [["Wx2"], ["Rx", "Wy1"], ["Wy2"], ["Ry", "Wx1"]],
    reads: [2, 2],
    left: { x: 2, y: 2 },
    forbiddenBy: ["sc"],
    allowedBy: weak,
    source: total,
  },
  {
    name: "CoRR",
    threads: [["Wx1"], ["Rx", "Rx"]],
    reads: [1, 0],
    forbiddenBy: ["relaxed", "atomics"],
    allowedBy: [],
    source: "read-read coherence, C11 5.1.2.4 (22)",
  },
  {
    name: "CoRR of two readers",
    threads: [["Wx1"], ["Wx2"], ["Rx", "Rx"], ["Rx", "Rx"]],
    reads: [1, 2, 2, 1],
    forbiddenBy: ["relaxed", "atomics"],
    allowedBy: [],
    source: "C11 5.1.2.4 (7), one modification order, and read-read coherence",
  },
  {
    name: "CoWW",
    threads: [["Wx1", "Wx2"]],
    reads: [],
    left: { x: 1 },
    forbiddenBy: ["relaxed", "atomics"],
    allowedBy: [],
    source: "C11 5.1.2.4 (7), write-write coherence",
  },
  {
    name: "CoRW",
    threads: [["Rx", "Wx1"], ["Wx2"]],
    reads: [2],
    left: { x: 2 },
    forbiddenBy: ["relaxed", "atomics"],
    allowedBy: [],
    source: "read-write coherence",
  },
  {
    name: "CoRW of one thread",
    threads: [["Rx", "Wx1"]],
    reads: [1],
    forbiddenBy: ["relaxed", "atomics"],
    allowedBy: [],
    source: "read-write coherence",
  },
  {
    name: "CoWR",
    threads: [["Wx1", "Rx"], ["Wx2"]],
    reads: [2],
    left: { x: 1 },
    forbiddenBy: ["relaxed", "atomics"],
    allowedBy: [],
    source: "write-read coherence",
  },
  {
    name: "MP of plain data",
    threads: [
      ["Px1", "Wy1"],
      ["Ry", "Qx"],
    ],
    reads: [1, 0],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: "C11 5.1.2.4 (25), data races",
  },
  {
    name: "ISA2 of plain data",
    threads: [
      ["Px1", "Wy1"],
      ["Ry", "Wz1"],
      ["Rz", "Ry", "Qx"],
    ],
    reads: [1, 1, 1, 0],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: "C11 5.1.2.4 (25), data races",
  },
  {
    name: "a release sequence before plain data",
    threads: [["Px1", "Wy1"], ["Uy"], ["Ry", "Qx"]],
    reads: [1, 2, 0],
    forbiddenBy: ordered,
    allowedBy: ["relaxed"],
    source: "C11 5.1.2.4 (10) and (25)",
  },
];

const place = (name: string): number => "xyz".indexOf(name);

/** Thread i is a workgroup's first lane, or a lane of one workgroup in a subgroup of its own (of 4). */
export function kernelOf({ threads, reads }: Litmus, ordering: Ordering, reach: Reach): string {
  const scope = `memory_scope_${reach}`;
  const fence = `atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_${ordering === "sc fences" ? "seq_cst" : "acq_rel"}, ${scope});`;
  const order = (kind: "acquire" | "release"): string =>
    `memory_order_${ordering === "atomics" ? kind : ordering === "sc" ? "seq_cst" : "relaxed"}, ${scope}`;
  let register = 0;
  const bodies = threads.map((accesses) => {
    const before: string[] = [];
    const lines = accesses.flatMap((access, i) => {
      const [kind, name, value] = [access[0]!, place(access[1]!), access[2]];
      const stored = `got[${register}]`;
      const between = i > 0 && ordering.includes("fences") ? [fence] : [];
      const read = (text: string): string => {
        const local = `r${register++}`;
        const line = `int ${local} = ${text}; ${stored} = ${local};`;
        before.push(`${local} == ${reads[register - 1]!}`);
        return line;
      };
      switch (kind) {
        case "W":
          return [...between, `atomic_store_explicit(&v[${name}], ${value}, ${order("release")});`];
        case "R":
          return [...between, read(`atomic_load_explicit(&v[${name}], ${order("acquire")})`)];
        case "U":
          return [...between, read(`atomic_fetch_add_explicit(&v[${name}], 1, memory_order_relaxed, ${scope})`)];
        case "P":
          return [...between, `data[${name}] = ${value};`];
        default:
          register++;
          return [...between, `if (${before.join(" && ")}) ${stored} = data[${name}];`];
      }
    });
    return lines;
  });
  const who = (i: number): string =>
    reach === "device" ? `get_group_id(0) == ${i} && get_local_id(0) == 0` : `get_local_id(0) == ${4 * i}`;
  return `__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void k(__global int *data, __global atomic_int *v, __global int *got) {
${bodies.map((lines, i) => `  if (${who(i)}) {\n${lines.map((l) => `    ${l}`).join("\n")}\n  }`).join("\n")}
}
`;
}
