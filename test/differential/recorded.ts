/** Kernels with recorded results: what the simulator and devices make of them and of their translations. */
import { readFileSync, readdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { simulate } from "../../src/index.js";
import type { TwoWayDialect } from "../../src/index.js";
import { interfaceOf } from "../support/interface-of.js";
import { launchOf } from "./launch.mjs";
import type { RecordedLaunch } from "./launch.mjs";
import { runHere } from "../device/run-here.js";

export interface RecordedKernel {
  readonly name: string;
  readonly from: TwoWayDialect;
  readonly text: string;
  readonly launch: RecordedLaunch;
  readonly expected: Uint32Array;
  /** A NaN of any bits does where one is expected. */
  readonly nan: boolean;
}

const here = dirname(fileURLToPath(import.meta.url));

export function recordedKernels(from: TwoWayDialect): RecordedKernel[] {
  const folder = join(here, from);
  const { kernels } = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as {
    kernels: Record<string, string>;
  };
  return readdirSync(folder)
    .filter((f) => kernels[f.slice(0, -extname(f).length)] !== undefined)
    .sort()
    .map((file) => {
      const name = file.slice(0, -extname(file).length);
      const text = readFileSync(join(folder, file), "utf8");
      const expected = new Uint32Array(new Uint8Array(Buffer.from(kernels[name]!, "base64")).buffer);
      return { name, from, text, launch: launchOf(text), expected, nan: /\bnan\b/.test(text.split("\n")[1]!) };
    });
}

/** Numbers of matrices in a buffer of OpenCL C, which has room for four where they have columns of three. */
const inColumns = (values: readonly number[], type: string | undefined): Float32Array =>
  Float32Array.from(/m\dx3\[/.test(type ?? "") ? values.flatMap((v, i) => (i % 3 === 2 ? [v, 0] : [v])) : values);

/** Of the recorded kernels, each of which is asked of for every text that comes of it. */
const interfaces = new Map<RecordedKernel, ReturnType<typeof interfaceOf>>();

function ownInterface(k: RecordedKernel): ReturnType<typeof interfaceOf> {
  const known = interfaces.get(k) ?? interfaceOf(k.text, k.from);
  interfaces.set(k, known);
  return known;
}

/** The launch's arguments under the names a translation has for them: both lists are in the order of the source. */
async function argumentsFor(
  k: RecordedKernel,
  text: string,
  from: TwoWayDialect,
): Promise<Record<string, Uint32Array | Float32Array | number | number[]>> {
  const paths = (r: Awaited<ReturnType<typeof interfaceOf>>, kind: string): string[] =>
    r.entries[0]!.arguments.flatMap((a) => (a.kind === kind ? [a.path] : []));
  const mine = await ownInterface(k);
  const there = text === k.text && from === k.from ? mine : await interfaceOf(text, from);
  // They keep their names, behind those of blocks or not; a buffer's block may have taken its name.
  const last = (path: string): string => path.split(".").at(-1)!;
  const all = there.entries[0]!.arguments.map((a) => a.path);
  const same = (path: string): string | undefined => all.find((p) => last(p) === last(path));
  /** Once in OpenCL C, the columns of a matrix, or of each of an array, are what a struct holds. */
  const held = there.entries[0]!.arguments.filter((a) => /\.c$/.test(a.path) && /x\d\[\d\]$/.test(a.type));
  const columns = (path: string): string[] =>
    held.map((a) => a.path).filter((p) => last(p.replace(/(\[\d+\])*\.c$/, "")) === last(path));
  const buffers = paths(mine, "buffer").map((path, i) => [path, same(path) ?? paths(there, "buffer")[i]] as const);
  const names = new Map([...buffers, ...paths(mine, "value").map((path) => [path, same(path)] as const)]);
  const isBuffer = (name: string): boolean => paths(there, "buffer").includes(name);
  return Object.fromEntries(
    Object.entries(k.launch.args).flatMap(([path, value]) => {
      const parts = Array.isArray(value) ? columns(path) : [];
      if (parts.length > 0) {
        const each = (value as number[]).length / parts.length;
        return parts.map((p, n) => [p, (value as number[]).slice(each * n, each * (n + 1))]);
      }
      const name = names.get(path) ?? [...names].find(([p]) => p.endsWith(`.${path}`))?.[1];
      return name === undefined
        ? []
        : [
            [
              name,
              typeof value === "number"
                ? value
                : ArrayBuffer.isView(value)
                  ? value.slice()
                  : isBuffer(name)
                    ? inColumns(
                        value,
                        mine.entries[0]!.arguments.find((a) => a.path === path || a.path.endsWith(`.${path}`))?.type,
                      )
                    : [...value],
            ],
          ];
    }),
  ) as Record<string, Uint32Array | Float32Array | number | number[]>;
}

const isNan = (word: number): boolean => (word & 0x7f800000) === 0x7f800000 && (word & 0x007fffff) !== 0;

/** The words of `text`'s output that are not the recorded ones; empty where none is. Without `device`, by the simulator. */
export async function differences(
  k: RecordedKernel,
  text: string,
  from: TwoWayDialect,
  device?: "opencl" | "vulkan",
): Promise<string> {
  const args = await argumentsFor(k, text, from);
  const dst = Object.entries(args).filter(([, v]) => v instanceof Uint32Array)[1]?.[0] ?? "";
  const { subgroupSize, ...grid } = k.launch;
  const common = { from, ...grid, args, ...(device === "opencl" ? {} : { subgroupSize }) };
  const result = device
    ? await runHere(text, { ...common, device, optimize: false })
    : await simulate(text, { ...common, seed: 1 });
  const said = [...result.diagnostics, ...("findings" in result ? result.findings : [])]
    .filter((d) => !("severity" in d) || d.severity === "error")
    .map((d) => `${d.location ? `${String(d.location.line)}: ` : ""}${d.message}`);
  const actual = result.buffers[dst] as Uint32Array | undefined;
  if (!actual || said.length > 0) return said.join("; ") || "no result";
  // Words between columns of three, which a driver may write with them.
  const between = /\bpadding ([\d ]+) of (\d+)/.exec(k.text.split("\n")[1]!);
  const padding = new Set(device && between ? between[1]!.split(" ").map(Number) : []);
  const wrong = [...k.expected].flatMap((want, i) => {
    const got = actual[i]!;
    return want === got || (between && padding.has(i % Number(between[2]))) || (k.nan && isNan(want) && isNan(got))
      ? []
      : [`[${i}] ${want.toString(16)}, not ${got.toString(16)}`];
  });
  return wrong.length > 5 ? `${wrong.slice(0, 5).join("; ")}; ${wrong.length - 5} more` : wrong.join("; ");
}
