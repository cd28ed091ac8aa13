/** Programs whose workgroups talk to each other, in all dialects: they leave what they should in every schedule, without a finding. */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/index.js";
import { lanes, languages, programs } from "./programs.js";

describe.each(programs)("$name", ({ texts, workgroups, args, wrongWith }) => {
  test.each(languages)("%s", async (from) => {
    for (const [subgroupSize, schedules] of [
      [4, 0],
      [32, 0],
      [8, 10],
    ] as const) {
      const result = await simulate(texts[from], {
        from,
        workgroups: [workgroups],
        ...(from === "msl" ? { workgroupSize: [lanes] } : {}),
        subgroupSize,
        args: args(),
        ...(schedules > 0 ? { schedules } : {}),
      });
      expect([...result.diagnostics, ...result.findings].map((d) => d.message)).toEqual([]);
      expect(wrongWith(result.buffers as Record<string, Int32Array>)).toBeUndefined();
    }
  });
});
