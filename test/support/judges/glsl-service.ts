/** glslang and spirv-val as one process for many texts (glsl_check.cpp): the programs take far longer to start than to compile. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { existsSync, renameSync, statSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { glslPrograms, type GlslCompiler } from "../../../src/judges/glsl.js";
import { runProgram } from "../../../src/judges/run-program.js";
import { cacheFolder, findProgram, missingPrograms } from "./judge.js";

const source = fileURLToPath(new URL("glsl_check.cpp", import.meta.url));
const libraryFolder = "/usr/lib/x86_64-linux-gnu";
/** Those of Debian, in the order of the linker: they are what its programs are made of. */
const libraries = [
  ...["glslang", "MachineIndependent", "GenericCodeGen", "OSDependent", "OGLCompiler", "HLSL", "SPIRV"],
  ...["glslang-default-resource-limits", "SPIRV-Tools-opt", "SPIRV-Tools"],
];

/** Texts are judged without it where something is missing, one start of the programs each. */
export const missingForGlslService = (): string[] => [
  ...missingPrograms(["g++"]),
  ...(libraries.every((name) => existsSync(libraryOf(name))) ? [] : ["the Debian package glslang-dev"]),
];

/** The files that decide what it answers. */
export const glslServiceDependsOn = (): string[] => [
  ...["glslangValidator", "spirv-val"].map((name) => findProgram(name)!),
  source,
];

function libraryOf(name: string): string {
  return join(libraryFolder, `lib${name}.a`);
}

async function build(): Promise<string> {
  const home = cacheFolder("glsl");
  const program = join(home, "glsl_check");
  const from = [source, ...libraries.map(libraryOf)];
  if (existsSync(program) && from.every((file) => statSync(file).ctimeMs <= statSync(program).mtimeMs)) return program;
  const made = `${program}.${process.pid}`;
  const linked = libraries.map((name) => `-l${name}`);
  const compiled = await runProgram("g++", ["-O1", "-o", made, source, ...linked, "-lpthread"], home);
  if (compiled.status !== 0) throw new Error(`glsl_check.cpp does not build: ${compiled.stderr}`);
  renameSync(made, program);
  return program;
}

/** "STATUS BYTES STATUS BYTES", and so many bytes of logs. */
type Answer = Awaited<ReturnType<GlslCompiler["compile"]>>;

/** Answers come in the order of the requests. Undefined: the process ended, by itself or because one took too long. */
type Settle = (answer: Answer | undefined) => void;

interface Service {
  readonly ask: (text: string, target: string, scalar: boolean) => Promise<Answer | undefined>;
}

const mostTime = 60_000;

/** `ended`: it answers nothing more. */
function start(program: string, ended: () => void): Service {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(program, { stdio: ["pipe", "pipe", "ignore"] });
  const waiting: Settle[] = [];
  let said = Buffer.alloc(0);
  const end = (): void => {
    ended();
    for (const settle of waiting.splice(0)) settle(undefined);
  };
  child.on("error", end);
  child.on("close", end);
  child.stdin.on("error", () => undefined);
  child.stdout.on("data", (chunk: Buffer) => {
    said = Buffer.concat([said, chunk]);
    for (let answer; (answer = firstOf(said));) {
      said = said.subarray(answer.bytes);
      waiting.shift()!(answer.answer);
    }
  });
  // It ends with its input; no process waits for it.
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as Socket).unref();
  return {
    ask: (text, target, scalar) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => child.kill("SIGKILL"), mostTime);
        waiting.push((answer) => {
          clearTimeout(timer);
          resolve(answer);
        });
        const bytes = Buffer.from(text);
        child.stdin.write(Buffer.concat([Buffer.from(`${target} ${scalar ? 1 : 0} ${bytes.length}\n`), bytes]));
      }),
  };
}

function firstOf(said: Buffer): { readonly answer: Answer; readonly bytes: number } | undefined {
  const line = said.indexOf("\n");
  if (line < 0) return undefined;
  const [status, first, valid, second] = said.toString("latin1", 0, line).split(" ").map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const logs = line + 1;
  const bytes = logs + first + second;
  if (said.length < bytes) return undefined;
  const compiled = { status, log: said.toString("utf8", logs, logs + first) };
  const validated = { status: valid, log: said.toString("utf8", logs + first, bytes) };
  return { answer: status === 0 ? { compiled, validated } : { compiled }, bytes };
}

let service: Promise<Service> | undefined;

/** What the process says, which is one for all texts of this one; undefined where it ends over a text. */
export async function askGlslService(...request: Parameters<Service["ask"]>): Promise<Answer | undefined> {
  service ??= build().then((program) => start(program, () => (service = undefined)));
  return await (await service).ask(...request);
}

/** What has no answer there is asked of the programs themselves. */
export const glslService: GlslCompiler = {
  ...glslPrograms,
  compile: async (text, target, scalar) =>
    (missingForGlslService().length === 0 ? await askGlslService(text, target, scalar) : undefined) ??
    glslPrograms.compile(text, target, scalar),
};
