/**
 * Asynchronous copies between global and workgroup memory (OpenCL C 3.0 6.15.11, data.md section 6; docs/design/async-copies.md).
 * The places are the first elements, of the target and of the source.
 */
import type { OpId } from "../ast/op-ids.js";
import { define, lowering, native, set } from "./define.js";
import type { Cell, OpRow } from "./row.js";

const on = set("i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64", 1, 2, 3, 4);
const copies: Cell = lowering("cooperative-copy");
const waits: Cell = lowering("wait-by-barrier");
const none: Cell = lowering("no-prefetch");

const copyRow = (
  id: OpId,
  which: string,
  values: string,
  own: { readonly opencl: Cell; readonly strided?: NonNullable<OpRow["strided"]> },
): OpRow =>
  define("workgroup", id, {
    summary: `elements between global and workgroup memory by all lanes together${which}, done once the event is waited for; operands count${own.strided ? ", stride" : ""}, event`,
    signature: `&T, &T, ${values} -> event`,
    on,
    effect: "crosslane",
    goesOn: true,
    everySize: true,
    expand: { kind: "routine", routine: "async_copy" },
    agreement: "shared",
    msl: copies,
    glsl: copies,
    hlsl: copies,
    ...own,
  });

export const asyncCopyRows: readonly OpRow[] = [
  copyRow("workgroup.async_copy", "", "Z, event", {
    opencl: native("async_work_group_copy", "clang-19", {
      signatures: ["*T:w, *T:gr, Z, event -> event", "*T:g, *T:wr, Z, event -> event"],
    }),
  }),
  copyRow("workgroup.async_gather", ", every so many of global memory", "Z, Z, event", {
    strided: "source",
    opencl: native("async_work_group_strided_copy", "clang-19", "*T:w, *T:gr, Z, Z, event -> event"),
  }),
  copyRow("workgroup.async_scatter", ", to every so many of global memory", "Z, Z, event", {
    strided: "target",
    opencl: native("async_work_group_strided_copy", "clang-19", "*T:g, *T:wr, Z, Z, event -> event"),
  }),
  define("workgroup", "workgroup.wait_events", {
    summary:
      "waits, with all lanes, until the copies of so many events are done; their data are there for all lanes then",
    signature: "&event, Z -> void",
    effect: "crosslane",
    goesOn: true,
    expand: { kind: "routine", routine: "wait_events" },
    msl: waits,
    glsl: waits,
    hlsl: waits,
    opencl: native("wait_group_events", "clang-19", "Z, *event:p -> void"),
  }),
  define("memory", "memory.prefetch", {
    summary: "a hint that so many elements are read soon",
    signature: "&T, Z -> void",
    on,
    effect: "memory",
    everySize: true,
    expand: { kind: "routine", routine: "prefetch" },
    msl: none,
    glsl: none,
    hlsl: none,
    opencl: native("prefetch", "clang-19", "*T:gr, Z -> void"),
  }),
];
