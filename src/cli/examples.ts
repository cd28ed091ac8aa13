/** Command lines that `--help` shows; test/cli/examples.test.ts runs them. */
export const examples: Readonly<Record<string, readonly (readonly [line: string, says: string])[]>> = {
  translate: [
    ["translate reduce.metal --to hlsl --workgroup-size 64", "print a text"],
    ["translate kernels/*.metal --to glsl,opencl --out-dir out --workgroup-size 64", "write files"],
    ["translate reduce.metal --to opencl -o out/reduce.cl --verify", "write only what computes the same"],
  ],
  verify: [
    ["verify reduce.metal --to glsl,hlsl", "run source and translations, compare what they compute"],
    ["verify reduce.metal --to hlsl --mutants 5", "and see whether the launches would notice faults"],
  ],
  run: [["run reduce.metal --findings all", "run it in the simulator and say what it does wrong"]],
  check: [["check reduce.metal --to hlsl --workgroup-size 64", "can HLSL of every shader model be written?"]],
  reflect: [["reflect reduce.metal", "arguments, slots and sizes as JSON"]],
  launch: [["launch reduce.metal", "a launch file to edit"]],
  capabilities: [["capabilities subgroup.add", "what every target does with an op"]],
  explain: [["explain XL2001", "what a code stands for"]],
};

export function exampleHelp(command: string): string | undefined {
  const lines = Object.hasOwn(examples, command) ? examples[command] : undefined;
  if (!lines) return undefined;
  const widest = Math.max(...lines.map(([line]) => line.length));
  return `\nExamples:\n${lines.map(([line, says]) => `  crosslane ${line.padEnd(widest)}   ${says}`).join("\n")}`;
}
