/** GLSL and HLSL to SPIR-V by glslangValidator, found on the path. Other ways for HLSL: hlsl-compiler.ts. */
import { append } from "../../support/append.js";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeviceError } from "../failure.js";
import type { LogLine } from "../failure.js";
import { registerShift } from "../kernel.js";
import type { DeviceKernel } from "../kernel.js";

/** `ERROR: kernel.comp:12: message`, with a column in newer versions. */
const logLine = /^(ERROR|WARNING): (?:.*?):(\d+):(?:(\d+):)? ?(.*)$/;

export function parseGlslangLog(log: string): LogLine[] {
  return log.split("\n").flatMap((text): LogLine[] => {
    const match = logLine.exec(text);
    if (!match || match[4]!.includes("compilation terminated") || match[2] === "0") return [];
    return [
      {
        severity: match[1] === "ERROR" ? "error" : "warning",
        line: Number(match[2]),
        message: match[4]!.trim(),
      },
    ];
  });
}

export interface CompiledSpirv {
  readonly words: Uint32Array;
  readonly log: readonly LogLine[];
  /** In words, for reports. */
  readonly compiler: string;
  /**
   * `explicit`: members have the offsets of the language. `words`: buffers are words and constants vectors of four, and the
   * code has the offsets.
   */
  readonly layout: "explicit" | "words";
  /** The resources' names by `SET.BINDING`, where the module does not have them. */
  readonly names?: ReadonlyMap<string, string>;
}

export const mostTime = 60_000;

/** A folder of its own for one kernel. */
export function withFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "crosslane-spirv-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function readWords(file: string): Uint32Array {
  const bytes = readFileSync(file);
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** `environment` is such as `vulkan1.2`; HLSL through glslang is valid for Vulkan 1.1 only. */
export function compileWithGlslang(kernel: DeviceKernel, environment: string): CompiledSpirv {
  return withFolder((folder) => {
    const hlsl = kernel.language === "hlsl";
    const input = join(folder, hlsl ? "kernel.hlsl" : "kernel.comp");
    const output = join(folder, "kernel.spv");
    writeFileSync(input, kernel.code);
    const { t, u, b } = registerShift;
    const forHlsl = [
      "-D",
      "-e",
      kernel.entry,
      "--hlsl-offsets",
      "--hlsl-iomap",
      "--auto-map-bindings",
      "--shift-texture-binding",
      String(t),
      "--shift-UAV-binding",
      String(u),
      "--shift-cbuffer-binding",
      String(b),
      ...(kernel.narrowTypes ? ["--hlsl-enable-16bit-types"] : []),
    ];
    const defines = Object.entries(kernel.defines).map(([name, value]) => `-D${name}=${value}`);
    const args = [
      "-V",
      "--target-env",
      environment,
      "-S",
      "comp",
      ...(hlsl ? forHlsl : []),
      ...defines,
      "-o",
      output,
      input,
    ];
    const ran = spawnSync("glslangValidator", args, {
      encoding: "utf8",
      timeout: mostTime,
      killSignal: "SIGKILL",
    });
    if (ran.error) {
      if ((ran.error as NodeJS.ErrnoException).code === "ENOENT") {
        throw new DeviceError("XL7009", "glslangValidator, which makes SPIR-V for Vulkan, is not on the path", {
          help: "on Debian: apt-get install glslang-tools",
        });
      }
      throw new DeviceError("XL7005", `glslangValidator did not compile the kernel: ${ran.error.message}`);
    }
    const log = parseGlslangLog(ran.stdout);
    if (ran.status !== 0) {
      const lines = log.filter((l) => l.severity === "error");
      const rest = ran.stdout.split("\n").filter((l) => l !== "" && l !== input);
      throw new DeviceError("XL7005", "glslang refuses the kernel", {
        log,
        notes: lines.length > 0 ? [] : rest.slice(0, 20),
      });
    }
    validateSpirv(output, environment, "glslang");
    if (hlsl) append(log, faultsOf(kernel.code));
    return { words: readWords(output), log, compiler: "glslang", layout: "explicit" };
  });
}

/**
 * What glslang's HLSL mode is known to compile into something else, each shown by a test (test/device/glslang-faults):
 * a run of such a kernel says nothing about the kernel.
 */
export const hlslFaults: readonly { readonly pattern: RegExp; readonly message: string }[] = [
  {
    pattern: /\bfmod\s*\(/,
    message: "glslang compiles fmod to a remainder with the sign of the divisor, and HLSL's has that of the dividend",
  },
  {
    pattern: /\bWavePrefix(Sum|Product)\s*\(/,
    message:
      "glslang compiles WavePrefixSum and WavePrefixProduct to scans that include the own lane, and HLSL's exclude it",
  },
];

/** A warning for each use. Comments may say anything. */
function faultsOf(code: string): LogLine[] {
  const bare = code.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, " "));
  return bare
    .split("\n")
    .flatMap((text, i) =>
      hlslFaults
        .filter((f) => f.pattern.test(text))
        .map((f): LogLine => ({ severity: "warning", line: i + 1, message: f.message })),
    );
}

/** Where spirv-val is installed: what it objects to is not run, since drivers take anything and do something with it. */
export function validateSpirv(file: string, environment: string, compiler: string): void {
  const ran = spawnSync("spirv-val", ["--target-env", environment, file], {
    encoding: "utf8",
    timeout: mostTime,
  });
  if (ran.error) return;
  if (ran.status !== 0) {
    throw new DeviceError("XL7012", `${compiler} compiles the kernel into a module that spirv-val objects to`, {
      notes: `${ran.stdout}${ran.stderr}`
        .split("\n")
        .filter((l) => l !== "")
        .slice(0, 10),
    });
  }
}
