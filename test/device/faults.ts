/** What a driver itself gets wrong, by what a specification says: asked of the driver, with texts that need no translation. */
import { compile } from "../../src/api/compile.js";
import { bindObject } from "../../src/api/simulate.js";
import type { DeviceConnection } from "../../src/device/connection.js";
import { shapeOf } from "../../src/launch/reflection.js";
import { runText, widthsOn } from "./texts.js";

export type Fault = "halves are not rounded to even";

/** GLSL 4.60, 8.3: `roundEven` of a half is the even number. */
const roundEven = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer X { float x[]; };
void main() { x[gl_GlobalInvocationID.x] = roundEven(x[gl_GlobalInvocationID.x]); }
`;
const halves = [-14.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 14.5];
const even = [-14, -2, -0, 0, 2, 2, 4, 14];

const known = new WeakMap<DeviceConnection, Promise<ReadonlySet<Fault>>>();

export function faultsOf(connection: DeviceConnection): Promise<ReadonlySet<Fault>> {
  let found = known.get(connection);
  if (!found) known.set(connection, (found = ask(connection)));
  return found;
}

async function ask(connection: DeviceConnection): Promise<ReadonlySet<Fault>> {
  const faults = new Set<Fault>();
  if (!connection.info.languages.includes("glsl")) return faults;
  const compilation = await compile(roundEven, { from: "glsl", fileName: "round-even.comp" });
  const { module } = compilation;
  const { bound } = bindObject(
    { from: "glsl", workgroups: [1], args: { x: Float32Array.from(halves) } },
    shapeOf(module!, module!.entries[0]!),
  );
  const ran = await runText(connection, compilation, bound!, "source", widthsOn(connection.info, [8])[0]!, {});
  if ("diagnostics" in ran) throw new Error(ran.diagnostics.map((d) => d.message).join("; "));
  const bytes = [...ran.buffers.values()][0]!;
  if (new Float32Array(bytes.slice().buffer).some((x, i) => x !== even[i]))
    faults.add("halves are not rounded to even");
  return faults;
}
