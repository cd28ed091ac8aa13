// The launch in the comments at the head of a kernel: `invocations`, `workgroup`, `words` of the output, `subgroup`, and
// `args {...}` for values that are passed.
import { readFileSync } from "node:fs";

export const input = Uint32Array.from(
  JSON.parse(readFileSync(new URL("opencl/input.json", import.meta.url), "utf8")),
  (w) => parseInt(w, 16),
);

export function launchOf(text) {
  const head = text.split("\n").slice(0, 3).join("\n");
  const setting = (word) => Number(new RegExp(`\\b${word} (\\d+)`).exec(head)?.[1] ?? 0);
  const values = /\/\/ args (\{.*\})/.exec(head);
  return {
    workgroups: [setting("invocations") / setting("workgroup")],
    workgroupSize: [setting("workgroup")],
    subgroupSize: setting("subgroup") || 8,
    args: { src: input, dst: new Uint32Array(setting("words")), ...(values ? JSON.parse(values[1]) : {}) },
  };
}
