/**
 * What a translation may take for granted, in one table: why, which finding of a run checks it, and what --strict makes of
 * it. docs/assumptions.md shows it. Ops whose lowerings assume something say so in their rows (`assumes`).
 */
import { own } from "../support/own.js";
import { assumed } from "./assumed.js";

export interface AssumptionFacts {
  readonly what: string;
  /** Why it is open in the source and cannot be settled in the text. */
  readonly why: string;
  /** The code of a finding or refusal of `run` and `verify` where a launch breaks it. */
  readonly checkedBy: string;
  /** guarded: the text does without it. refused: XL4009. */
  readonly strict: string;
  /** Of nearly every kernel and target: said once of a file. */
  readonly everywhere?: true;
}

const packing = {
  why: "The target has no id of its own for it, and no dialect says which invocations share a subgroup: drivers fill subgroups in the order of the local index.",
  checkedBy: "XL6016, from a run in which lanes take local indices in another order",
  strict: "refused",
} as const;

const waves = {
  ...packing,
  strict:
    "in HLSL with waves they are counted, and numbered as they come, by the kernel's first statements; elsewhere refused",
} as const;

export const assumptionKinds = {
  bounds: {
    what: assumed.bounds,
    everywhere: true,
    why: "The source leaves to the program what an index beyond an array gives. Not assumed where the text shows the index in bounds, nor of HLSL's buffers, where reads give 0 and writes do nothing. Numbers that move pointers have 32 bits in the text, with a sign where they may lead back, and so have those of the components of packed vectors (three for each element): objects are taken to have fewer than 2^31 elements, and 2^32 components.",
    checkedBy: "XL5002, for each dimension of an array; no object of a run has as many elements",
    strict:
      "guarded: a read out of bounds gives 0, and what writes does nothing. MSL, OpenCL C and HLSL get lengths of buffers as arguments, filled in by every runner. Pointers that are followed become indices of their objects there, too. Refused where the array is hidden still: by a cast of the pointer, an address that is handed to a function, or a pointer that no index says.",
  },
  alignment: {
    what: "pointers that were cast are aligned to what they point to then",
    why: "C and C++ leave it open else (C99 6.3.2.3 (7)). Where a buffer is words, a word is read and written where it begins; not assumed where the text shows that it begins there.",
    checkedBy: "XL5003",
    strict: "refused",
  },
  "object-address": {
    what: "a buffer begins at a multiple of 128 bytes",
    why: "The address of a buffer is the device's: OpenCL aligns buffers to 128 bytes at least (CL_DEVICE_MEM_BASE_ADDR_ALIGN), other hosts as the program asks for. The lower bits of a pointer are then those of its distance from there, which is what targets without pointers, and the simulator, know.",
    checkedBy: "none: the simulator counts from the beginning of the buffer",
    strict: "refused",
  },
  "signed-overflow": {
    what: "signed integers do not overflow",
    why: "MSL and OpenCL C leave it open; where the target wraps, or the text shows the bounds, nothing is assumed.",
    checkedBy: "XL5014",
    strict: "guarded: unsigned arithmetic, which wraps",
  },
  "signed-shift": {
    what: "signed integers shifted left are not negative and keep their sign",
    why: "C++14, and MSL with it, leaves the rest open.",
    checkedBy: "XL5014",
    strict: "guarded: the shift is unsigned",
  },
  "shift-count": {
    what: "shift counts are below the width",
    why: "MSL and GLSL leave larger ones open.",
    checkedBy: "XL5014",
    strict: "guarded: counts are taken modulo the width",
  },
  "large-angles": {
    what: "the device reduces large angles of sin, cos and tan as the source's would",
    why: "HLSL has them to 100 pi and MSL without fast math for every angle; Vulkan, and MSL with it, to pi. OpenCL C and `precise::` have every angle: those are reduced in the text.",
    checkedBy: "none: the simulator has the sine of every angle",
    strict: "guarded: angles are reduced in the text; HLSL's `sincos` is refused",
  },
  "special-numbers": {
    what: "NaN, infinities and the signs of zeros are kept",
    why: "OpenCL C keeps them. Vulkan, Metal's fast math and HLSL without -Gis may take them for absent; this is said where the text can tell: tests for them, minima and maxima of numbers and NaN, signs, bits of floats, and such constants.",
    checkedBy: "none: the simulator keeps them",
    strict:
      "GLSL from Vulkan 1.2 on asks for them (SignedZeroInfNanPreserve of SPIR-V's float controls) where floats of one width only are computed with, MSL from 3.2 on has `math_mode(safe)`; elsewhere refused",
  },
  reassociation: {
    what: "sums and products of floats whose terms cancel are computed as they are written",
    why: "OpenCL C computes them so, and `precise` asks for it: the error of a sum, `(t - s) - y`, or a rounding, `(x + 12582912.0f) - 12582912.0f`. In GLSL and HLSL they are `precise`. Metal's fast math may leave them out; from MSL 3.2 on the text says `math_mode(safe)`.",
    checkedBy: "none: the simulator computes them as they are written",
    strict: "refused before MSL 3.2",
  },
  "minimum-precision": {
    what: "values of HLSL's types of at least 16 bits (`min16int`, `min16float`) fit 16 bits",
    why: "A device may compute them in 16 bits or in 32. The target does in 32: integers beyond 16 bits, and floats that round, would come out otherwise in 16.",
    checkedBy: "XL5009, where an integer or float does not fit; not how floats round",
    strict: "refused",
  },
  "lane-number": {
    what: "lane numbers and distances of shuffles fit 16 bits",
    why: "MSL takes them as ushort, by way of which the source's number goes; the target takes all 32 bits.",
    checkedBy: "XL5005 where the lane is not there; a number that 16 bits change shows as a difference",
    strict: "guarded: the number goes by way of 16 bits, as in the source",
  },
  "subgroup-size": {
    what: "subgroups have the width the source asks for",
    why: "The target's profile has no word to ask for it.",
    checkedBy: "XL3006: other widths are not run, and devices without it are refused",
    strict: "refused",
  },
  "subgroup-at-least": {
    what: assumed["subgroup-at-least"],
    why: "A lane has room for its elements of a SIMD-group matrix, and the text does not say how many lanes share it. A width that is given settles it.",
    checkedBy: "XL5002, from a run at a width below",
    strict: "guarded: there is room for all 64 elements",
  },
  "workgroup.size": {
    what: "the launch has at most so many lanes in a workgroup",
    why: "An emulation needs workgroup memory for each lane, and the source leaves the size to the launch.",
    checkedBy: "XL6010: the translation has a finding beyond the memory of the emulation",
    strict: "refused; giving --workgroup-size settles it",
  },
  "workgroup.bytes": {
    what: "workgroup memory that is sized at launch is given more or fewer bytes than the source's",
    why: "Its elements take other bytes in the target: packed vectors of three, where it has none. The note says how many for how many; `reflect` has it as `strides` of the slot.",
    checkedBy: "XL5002, with the bytes that the launch of the translation gives",
    strict: "refused",
  },
  "workgroup.launched": {
    what: "the launch has workgroups of the size given by --workgroup-size, none of them partial",
    why: "Emulated subgroups are laid out for it. OpenCL C, GLSL and HLSL fix it in the text; MSL says only how many lanes there are at most.",
    checkedBy: "XL6007 where the launch has more lanes; XL6010 where workgroups are partial",
    strict: "refused, unless the source fixes the size",
  },
  "workgroup.count": {
    what: "a launch has at most 65535 workgroups along each axis",
    why: "Direct3D starts no more (D3D12_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION); a Vulkan program that runs HLSL may. Byte addresses made of ids then fit 32 bits, and elements are numbered without them.",
    checkedBy: "XL6007: no such launch is run",
    strict: "guarded: the address is computed in bytes, as in the source",
  },
  "id.global_offset": {
    what: "the launch has no global offset",
    why: "Only OpenCL launches have one.",
    checkedBy: "XL5009, before such a launch is run",
    strict: "refused",
  },
  "id.subgroup_id": { what: "lanes fill subgroups in the order of the local index", ...waves },
  "id.num_subgroups": { what: "lanes fill subgroups in the order of the local index", ...waves },
  "id.subgroup_lanes": { what: "lanes fill subgroups in the order of the local index", ...waves },
  "id.num_quads": { what: "lanes fill quads in the order of the local index", ...packing },
  "block-index": {
    what: "an index of an array of blocks is below its length",
    why: "The block is chosen by comparisons, which take the last block for every other index; the source leaves it open.",
    checkedBy: "XL5002, in arrays of two blocks or more",
    strict: "refused",
  },
  "buffers-apart": {
    what: "two buffers whose addresses are compared are not one",
    why: "A launch may bind one buffer to two arguments; in languages without pointers nothing tells. Neither comes first then: `memmove` from one to the other goes upward.",
    checkedBy: "none: a launch gives each buffer memory of its own",
    strict: "refused",
  },
  "buffer-given": {
    what: "a buffer that the kernel compares with null is there",
    why: "A launch of OpenCL C or MSL may leave out a buffer, whose pointer is null then; languages without pointers have a buffer for each argument.",
    checkedBy: "none: a launch gives each buffer memory",
    strict: "refused",
  },
  "subgroup-barrier": {
    what: assumed["subgroup-barrier"],
    why: "GLSL waits for the active ones; MSL and OpenCL C need all, and the text does not show that all come.",
    checkedBy: "XL6010: the translation has a finding, XL5004",
    strict: "refused",
  },
  "mapped-memory": {
    what: "all of a buffer that is loaded with a status is mapped",
    why: "HLSL's Load(i, status) tells which part of a tiled resource has memory; no other language does, and the status then says: fully mapped.",
    checkedBy: "none: all memory of a launch is there",
    strict: "refused",
  },
  "quad-lanes": {
    what: "a quad is four consecutive lanes",
    why: "HLSL leaves it open in compute shaders; drivers take consecutive lanes.",
    checkedBy: "none: the simulator has consecutive lanes only",
    strict: "refused",
  },
  "lazy-operand": {
    what: "operands of &&, || and ?: are skipped as in HLSL 2021",
    why: "Versions of HLSL before it run their effects always, and the text does not say which it is written in.",
    checkedBy: "none: the simulator skips them",
    strict: "refused",
  },
  "ids-below-2^32": {
    what: "work-item ids and sizes are below 2^32",
    why: "OpenCL's are size_t; the target's have 32 bits.",
    checkedBy: "XL6007: no such launch can be described",
    strict: "nothing to guard: no target can be launched with so many work-items",
  },
  "size-fits-32-bits": {
    what: "a size_t value is not negative and below 2^32",
    why: "It is computed in 32 bits, and more than its lower half matters.",
    checkedBy: "XL5009",
    strict: "refused",
  },
  "specialisation-default": {
    what: "a specialisation constant that sizes an array, or the workgroup where the target fixes that, has its default",
    why: "Such sizes are settled when the text is written; --spec, --workgroup-size and launch files give others.",
    checkedBy: "the launch file: a constant that is fixed is no argument, and naming it an error",
    strict: "refused",
  },
  volatile: {
    what: assumed.volatile,
    why: "GLSL says volatile of buffers alone, HLSL of nothing. A program without data races does not need it; plain accesses by which invocations wait for each other are races.",
    checkedBy: "XL5013",
    strict: "refused",
  },
  print: {
    what: "nobody reads what the kernel prints",
    why: "Kernels of HLSL print nothing, of MSL by its logging only, which is not written, of GLSL for debugging (`--target-profile vulkan1.3-debug`): what a function that prints is given is evaluated, and what it gives says that it was printed. The simulator shows what it prints.",
    checkedBy: "nothing",
    strict: "refused",
  },
  "matrix-elements": {
    what: assumed["matrix-elements"],
    why: "MSL leaves open which elements `thread_elements()` gives; kernels that count on those of Apple's GPUs say nothing of it.",
    checkedBy: "nothing: docs/design/subgroup-matrices.md says which they are",
    strict: "refused",
  },
  "program-memory": {
    what: "the host keeps variables in global memory at file scope as buffers, which begin as their initialisers say and stay from launch to launch",
    why: "OpenCL C has variables at file scope in global memory, which the driver allocates and initialises with the program (3.0 section 6.7.1). The other languages have only what the host binds; so does the OpenCL C that is written. The reflection says what each begins as.",
    checkedBy: "none: derived launches begin with it",
    strict: "refused",
  },
  "workgroup-constructor": {
    what: "nothing is read of workgroup memory that a constructor gave it",
    why: "MSL takes objects with constructors in threadgroup memory, and does not say which lane runs those, nor when others may read what they gave; the target's memory begins unwritten.",
    checkedBy: "a comparison, whose launches fill unwritten memory differently",
    strict: "refused",
  },
  "workgroup-initializer": {
    what: "nothing is read of workgroup memory that its initialiser gave it",
    why: "Metal's compiler takes zeros as an initialiser of threadgroup memory, which the specification refuses, and does not write them (WebKit's change 290174 of 2025 found it so); the target's memory begins unwritten.",
    checkedBy: "a comparison, whose launches fill unwritten memory differently",
    strict: "refused",
  },
} as const satisfies Readonly<Record<string, AssumptionFacts>>;

export type AssumptionKind = keyof typeof assumptionKinds;

export const isEverywhere = (kind: string): boolean => own<AssumptionFacts>(assumptionKinds, kind)?.everywhere ?? false;
