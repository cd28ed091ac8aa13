/** What is assumed, in words, of what passes note by them alone: the table of `assumptions.ts` is for those who explain it. */
export const assumed = {
  bounds: "accesses are in bounds",
  "subgroup-barrier": "all lanes of the subgroup reach its barrier",
  volatile: "nothing but barriers and atomics tells invocations what others wrote to memory that is volatile",
  "matrix-elements": "a lane of a SIMD-group has the two elements of a matrix that Apple's GPUs give it",
  "subgroup-at-least": "subgroups have at least 4 lanes",
} as const;
