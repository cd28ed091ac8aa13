/** HLSL to SPIR-V in the ways there are, by programs on the path. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { DeviceError } from "../failure.js";
import { overwrittenPhi, parseBindings } from "./dxil-listing.js";
import type { LogLine } from "../failure.js";
import { registerShift } from "../kernel.js";
import type { DeviceKernel, HlslCompiler } from "../kernel.js";
import { compileWithGlslang, mostTime, readWords, validateSpirv, withFolder } from "./spirv-compiler.js";
import type { CompiledSpirv } from "./spirv-compiler.js";

/** What vkd3d-shader reads ends here (2.1): later models bind resources by an operation it does not know. */
const dxilProfile = "cs_6_5";
const newestProfile = "cs_6_8";

/** In this order: DXC's own meaning first, glslang's last, which differs from it in places (docs/devices.md). */
export function compileHlsl(kernel: DeviceKernel, wanted: HlslCompiler | undefined): CompiledSpirv {
  switch (wanted) {
    case "dxc":
      return compileWithDxc(kernel) ?? needed("a dxc that writes SPIR-V", "--hlsl-compiler dxc");
    case "dxil":
      return compileThroughDxil(kernel);
    case "glslang":
      return compileWithGlslang(kernel, "vulkan1.1");
    case undefined:
      if (!onPath("dxc")) return compileWithGlslang(kernel, "vulkan1.1");
      return (
        compileWithDxc(kernel) ??
        (onPath("dxil_to_spirv") ? compileThroughDxil(kernel) : compileWithGlslang(kernel, "vulkan1.1"))
      );
  }
}

function onPath(program: string): boolean {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && [program, `${program}.exe`].some((name) => existsSync(join(folder, name))));
}

function needed(program: string, by: string): never {
  throw new DeviceError("XL7009", `${program}, which ${by} asks for, is not on the path`, {
    help: "docs/devices.md says which programs compile HLSL; --hlsl-compiler glslang needs glslangValidator only",
  });
}

interface Ran {
  readonly status: number | null;
  readonly text: string;
}

function runProgram(program: string, args: readonly string[], by: string): Ran {
  const ran = spawnSync(program, args, { encoding: "utf8", timeout: mostTime, killSignal: "SIGKILL" });
  if (ran.error) {
    if ((ran.error as NodeJS.ErrnoException).code === "ENOENT") needed(program, by);
    throw new DeviceError("XL7005", `${program} did not compile the kernel: ${ran.error.message}`);
  }
  return { status: ran.status, text: `${ran.stderr}${ran.stdout}` };
}

/** `kernel.hlsl:12:7: error: message` */
export function parseDxcLog(log: string): LogLine[] {
  return log.split("\n").flatMap((text): LogLine[] => {
    const match = /^.*?:(\d+):(\d+): (?:fatal )?(error|warning): (.*)$/.exec(text);
    if (!match) return [];
    const [, line, column, severity, message] = match;
    return [
      {
        severity: severity as LogLine["severity"],
        line: Number(line),
        column: Number(column),
        message: message!.trim(),
      },
    ];
  });
}

function commonArguments(kernel: DeviceKernel, profile: string): string[] {
  return [
    "-T",
    profile,
    "-E",
    kernel.entry,
    ...(kernel.narrowTypes ? ["-enable-16bit-types"] : []),
    ...(kernel.hlslVersion ? ["-HV", kernel.hlslVersion] : []),
    ...Object.entries(kernel.defines).flatMap(([name, value]) => ["-D", `${name}=${value}`]),
  ];
}

function refused(text: string): never {
  const log = parseDxcLog(text);
  throw new DeviceError("XL7005", "DXC refuses the kernel", {
    log,
    notes: log.some((l) => l.severity === "error")
      ? []
      : text
          .split("\n")
          .filter((l) => l.trim() !== "")
          .slice(0, 20),
  });
}

// ------------------------------------------------------------------ SPIR-V by DXC itself

/** Nothing where this DXC was built without SPIR-V. */
function compileWithDxc(kernel: DeviceKernel): CompiledSpirv | undefined {
  return withFolder((folder) => {
    const input = join(folder, "kernel.hlsl");
    const output = join(folder, "kernel.spv");
    writeFileSync(input, kernel.code);
    const { t, u, b } = registerShift;
    const shifts = [
      ["t", t],
      ["u", u],
      ["b", b],
    ].flatMap(([r, by]) => [`-fvk-${r}-shift`, String(by), "all"]);
    const spirv = ["-spirv", "-fspv-target-env=vulkan1.1", "-fvk-use-dx-layout", ...shifts];
    const ran = runProgram(
      "dxc",
      [...commonArguments(kernel, newestProfile), ...spirv, "-Fo", output, input],
      "--hlsl-compiler dxc",
    );
    if (/SPIR-V CodeGen not available/.test(ran.text)) return undefined;
    if (ran.status !== 0) refused(ran.text);
    validateSpirv(output, "vulkan1.1", "DXC");
    return { words: readWords(output), log: parseDxcLog(ran.text), compiler: "DXC", layout: "explicit" };
  });
}

// ------------------------------------------------------------------ DXIL by DXC, SPIR-V of it by vkd3d-shader

function compileThroughDxil(kernel: DeviceKernel): CompiledSpirv {
  return withFolder((folder) => {
    const input = join(folder, "kernel.hlsl");
    const [container, listing, output] = [
      join(folder, "kernel.dxil"),
      join(folder, "kernel.ll"),
      join(folder, "kernel.spv"),
    ];
    writeFileSync(input, kernel.code);
    const by = "--hlsl-compiler dxil";
    const dxc = (profile: string): Ran =>
      runProgram("dxc", [...commonArguments(kernel, profile), "-Fo", container, "-Fc", listing, input], by);
    const compiled = dxc(dxilProfile);
    if (compiled.status !== 0) {
      const newest = dxc(newestProfile);
      if (newest.status !== 0) refused(newest.text);
      notRead("it needs a shader model above 6.5", compiled.text);
    }
    const listed = readFileSync(listing, "utf8");
    const phi = overwrittenPhi(listed);
    if (phi !== undefined) notRead(`it overwrites a value of a loop that is still needed (${phi})`, "");
    const bindings = parseBindings(listed);
    const places = bindings.map(({ register, number, space, count }) => {
      const of = `${register}${number}${space > 0 ? `,${space}` : ""}${count > 1 ? `*${count}` : ""}`;
      return `${of}=${space}.${registerShift[register] + number}`;
    });
    const read = runProgram("dxil_to_spirv", [container, output, ...places], by);
    if (read.status !== 0) notRead(reasonOf(read.text), read.text);
    validateSpirv(output, "vulkan1.1", "vkd3d-shader");
    return {
      words: readWords(output),
      log: parseDxcLog(compiled.text),
      compiler: "DXC and vkd3d-shader",
      layout: "words",
      names: new Map(bindings.map((b) => [`${b.space}.${registerShift[b.register] + b.number}`, b.name])),
    };
  });
}

/** The first thing that vkd3d-shader objects to; warnings of flags it leaves out come before. */
function reasonOf(text: string): string {
  const said = [...text.matchAll(/^.*?: E\d+: (.*)$/gm)].map((m) => m[1]!.replace(/\.$/, ""));
  return said[0] ?? text.trim().split("\n").at(-1) ?? "it says no reason";
}

function notRead(reason: string, text: string): never {
  throw new DeviceError("XL7013", `vkd3d-shader does not read what DXC makes of the kernel: ${reason}`, {
    notes: text
      .split("\n")
      .filter((l) => l.trim() !== "")
      .slice(0, 8),
    help: "--hlsl-compiler glslang compiles it in another way",
  });
}
