/** What is read of DXC's listing: rows and blocks as DXC 1.9 wrote them. */
import { expect, test } from "vitest";
import { overwrittenPhi, parseBindings } from "../../src/device/vulkan/dxil-listing.js";
import { parseDxcLog } from "../../src/device/vulkan/hlsl-compiler.js";

test("the table of resource bindings", () => {
  const listing = `; Resource Bindings:
;
; Name                                 Type  Format         Dim      ID      HLSL Bind  Count
; ------------------------------ ---------- ------- ----------- ------- -------------- ------
; $Globals                          cbuffer      NA          NA     CB0            cb1     1
; Params                            cbuffer      NA          NA     CB1            cb0     1
; raw                               texture    byte         r/o      T0             t0     1
; outs                                  UAV  struct         r/w      U0      u2,space1     3
;
`;
  expect(parseBindings(listing)).toEqual([
    { name: "$Global", register: "b", number: 1, space: 0, count: 1 },
    { name: "Params", register: "b", number: 0, space: 0, count: 1 },
    { name: "raw", register: "t", number: 0, space: 0, count: 1 },
    { name: "outs", register: "u", number: 2, space: 1, count: 3 },
  ]);
});

const loop = (phis: string, body: string, after: string): string => `define void @main() {
  %1 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId(component)
  br label %6

; <label>:6                                       ; preds = %6, %0
${phis}
${body}

; <label>:13                                      ; preds = %6
${after}
  ret void
}
`;

// vkd3d-shader 2.1 runs the first two wrong: a loop that keeps its last value, seen on lavapipe, and a swap.
test("a value of a loop that is needed after the branch back", () => {
  const phis = "  %7 = phi i32 [ 999, %0 ], [ %5, %6 ]\n  %8 = phi i32 [ 0, %0 ], [ %12, %6 ]";
  const body = "  %11 = icmp ult i32 %8, %1\n  %12 = add i32 %8, 1\n  br i1 %11, label %6, label %13";
  expect(overwrittenPhi(loop(phis, body, "  call void @store(i32 %7)  ; %8"))).toBe("%7");
  expect(overwrittenPhi(loop(phis, body, "  call void @store(i32 %12)"))).toBeUndefined();
  expect(overwrittenPhi(loop(phis, body, "  %14 = phi i32 [ %8, %6 ]"))).toBe("%8");
});

test("values that change places", () => {
  const body = "  %11 = icmp ult i32 %7, %1\n  br i1 %11, label %6, label %13";
  const swap = "  %7 = phi i32 [ 1, %0 ], [ %8, %6 ]\n  %8 = phi i32 [ 2, %0 ], [ %7, %6 ]";
  expect(overwrittenPhi(loop(swap, body, ""))).toBe("%8");
  const same = "  %7 = phi i32 [ 1, %0 ], [ %7, %6 ]";
  expect(overwrittenPhi(loop(same, body, ""))).toBeUndefined();
});

test("lines of its log", () => {
  const log =
    "hlsl.hlsl:1:91: error: use of undeclared identifier 'oops'\n  o[oops] = 1;\n    ^\n/t/kernel.hlsl:2:3: warning: unused\n";
  expect(parseDxcLog(log)).toEqual([
    { severity: "error", line: 1, column: 91, message: "use of undeclared identifier 'oops'" },
    { severity: "warning", line: 2, column: 3, message: "unused" },
  ]);
});
