/**
 * Structs that Metal's headers declare for the host and for shaders alike: what an indirect command reads from a buffer, by names and
 * order of their members (Apple's documentation of Metal, "Specifying drawing and dispatch arguments indirectly"). All of 32 bits.
 */
export interface HostMember {
  readonly name: string;
  readonly signed?: true;
  /** Of an array. */
  readonly length?: number;
}

const uints = (...names: string[]): readonly HostMember[] => names.map((name) => ({ name }));
const threes = (...names: string[]): readonly HostMember[] => names.map((name) => ({ name, length: 3 }));

export const hostStructs: ReadonlyMap<string, readonly HostMember[]> = new Map([
  ["MTLDispatchThreadgroupsIndirectArguments", threes("threadgroupsPerGrid")],
  ["MTLDispatchThreadsIndirectArguments", threes("threadsPerGrid", "threadsPerThreadgroup")],
  ["MTLStageInRegionIndirectArguments", threes("stageInOrigin", "stageInSize")],
  ["MTLDrawPrimitivesIndirectArguments", uints("vertexCount", "instanceCount", "vertexStart", "baseInstance")],
  [
    "MTLDrawIndexedPrimitivesIndirectArguments",
    [
      ...uints("indexCount", "instanceCount", "indexStart"),
      { name: "baseVertex", signed: true },
      ...uints("baseInstance"),
    ],
  ],
  ["MTLDrawPatchIndirectArguments", uints("patchCount", "instanceCount", "patchStart", "baseInstance")],
  ["MTLIndirectCommandBufferExecutionRange", uints("location", "length")],
]);
