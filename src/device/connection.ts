/**
 * A device to talk to. The driver is in a process of its own unless asked otherwise: a kernel that never ends cannot be
 * stopped from within, and a driver that crashes takes its process with it.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chooseDevice, openDriver } from "./drivers.js";
import type { DeviceList, DriverOptions } from "./drivers.js";
import { kindOf } from "../support/problem-kinds.js";
import { DeviceError } from "./failure.js";
import type { Failure } from "./failure.js";
import type { Reply, Request } from "./host.js";
import type {
  DeviceApi,
  DeviceInfo,
  DeviceKernel,
  DeviceLaunch,
  DeviceOutcome,
  DeviceSelection,
  HlslCompiler,
  WorkgroupShape,
} from "./kernel.js";

export interface DeviceConnection {
  readonly info: DeviceInfo;
  /** What was asked to compile HLSL. */
  readonly hlslCompiler?: HlslCompiler;
  build(kernel: DeviceKernel): Promise<BuiltKernel>;
  close(): Promise<void>;
}

export interface BuiltKernel {
  readonly log: NonNullable<Failure["log"]>;
  /** What compiled it, where there is a choice. */
  readonly compiler?: string;
  readonly subgroupSize?: number;
  /** The width of its subgroups in such workgroups, as far as the driver can be asked. */
  widthIn(workgroup: WorkgroupShape): Promise<number | undefined>;
  run(launch: DeviceLaunch): Promise<DeviceOutcome>;
  release(): Promise<void>;
}

export interface ConnectOptions extends DriverOptions {
  /** Talk to the driver in this process. */
  readonly here?: boolean;
}

export function connect(selection: DeviceSelection, options: ConnectOptions = {}): Promise<DeviceConnection> {
  return options.here ? connectHere(selection, options) : connectApart(selection, options);
}

/** The devices of this machine. Each API has a process of its own: what one driver does to it is no other's concern. */
export async function findDevices(apis: readonly DeviceApi[]): Promise<DeviceList> {
  const lists = await Promise.all(
    apis.map(async (api): Promise<DeviceList> => {
      const host = new Host();
      try {
        return await host.ask<DeviceList>({ kind: "list", apis: [api] });
      } catch (error) {
        if (error instanceof DeviceError) return { devices: [], problems: [error.failure] };
        throw error;
      } finally {
        await host.close();
      }
    }),
  );
  const problems = lists.flatMap((l) => l.problems);
  const once = problems.filter((p, i) => problems.findIndex((q) => q.message === p.message) === i);
  return { devices: lists.flatMap((l) => l.devices), problems: once };
}

async function connectHere(selection: DeviceSelection, options: DriverOptions): Promise<DeviceConnection> {
  const driver = await openDriver(selection.api, options);
  try {
    const info = chooseDevice(driver, selection);
    return {
      info,
      ...asked(options),
      build(kernel) {
        return settle(() => {
          const program = driver.build(selection.index, kernel);
          return {
            log: program.log ?? [],
            ...(program.subgroupSize === undefined ? {} : { subgroupSize: program.subgroupSize }),
            ...(program.compiler === undefined ? {} : { compiler: program.compiler }),
            widthIn: (workgroup) => settle(() => program.widthIn?.(workgroup)),
            run: (launch) => settle(() => program.run(launch)),
            release: () => settle(() => program.release()),
          };
        });
      },
      close: () => settle(() => driver.release()),
    };
  } catch (error) {
    driver.release();
    throw error;
  }
}

const asked = ({ hlslCompiler }: DriverOptions): Pick<DeviceConnection, "hlslCompiler"> =>
  hlslCompiler ? { hlslCompiler } : {};

function settle<T>(body: () => T): Promise<T> {
  return new Promise((resolve) => resolve(body()));
}

// ------------------------------------------------------------------ in another process

/** Characters of what a kernel prints that are kept. */
const mostPrinted = 1_000_000;

/** Time for whatever is not the kernel itself: starting a driver, compiling. */
const patience = 120_000;

/** The compiled host: beside this file; or in `dist`, where this file runs from its source or is part of the joined command line. */
function hostFile(): string {
  const beside = fileURLToPath(new URL("./host.js", import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../dist/src/device/host.js", import.meta.url));
}

class Host {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }
  >();
  private next = 1;
  private ended: DeviceError | undefined;
  private errors = "";
  private printed = "";

  constructor() {
    this.child = fork(hostFile(), [], {
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: [],
    });
    this.child.stderr!.on(
      "data",
      (chunk: Buffer) => void (this.errors = (this.errors + chunk.toString()).slice(-4000)),
    );
    // Drivers of processors print what kernels print there.
    this.child.stdout!.on(
      "data",
      (chunk: Buffer) => void (this.printed = (this.printed + chunk.toString("latin1")).slice(0, mostPrinted)),
    );
    this.child.on("message", (message: Reply) => this.receive(message));
    this.child.on("exit", (code, signal) => {
      const why = signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
      const notes = this.errors
        .split("\n")
        .filter((l) => l !== "")
        .slice(0, 8);
      this.fail(new DeviceError("XL7008", `the process that talks to the driver is gone: ${why}`, { notes }));
    });
    this.child.on("error", (error) =>
      this.fail(new DeviceError("XL7008", `the process that talks to the driver did not start: ${error.message}`)),
    );
  }

  /** What has been printed since it was asked last; it is on its way for a moment after an answer. */
  async takePrinted(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const text = this.printed;
    this.printed = "";
    return text;
  }

  /** It has ended, or is ending, and answers nothing more. */
  get isGone(): boolean {
    return this.ended !== undefined;
  }

  ask<T>(request: Request, time = patience): Promise<T> {
    if (this.ended) return Promise.reject(this.ended);
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.fail(new DeviceError("XL7007", `the driver did not answer within ${time} ms`));
        this.child.kill("SIGKILL");
      }, time);
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      this.child.send({ id, request });
    });
  }

  private receive(message: Reply): void {
    const entry = this.waiting.get(message.id);
    if (!entry) return;
    this.waiting.delete(message.id);
    clearTimeout(entry.timer);
    if ("value" in message) return entry.resolve(message.value);
    const { failure } = message;
    // Such a kernel goes on running: only the end of its process stops it.
    if (kindOf(failure.code) === "no-answer") {
      this.ended = DeviceError.of(failure);
      this.child.kill("SIGKILL");
    }
    entry.reject("bug" in failure ? new Error(failure.message) : DeviceError.of(failure));
  }

  private fail(error: DeviceError): void {
    this.ended ??= error;
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(this.ended);
    }
    this.waiting.clear();
  }

  close(): Promise<void> {
    this.ended ??= new DeviceError("XL7008", "the connection is closed");
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.child.kill("SIGKILL"), 2000);
      this.child.once("exit", () => {
        clearTimeout(timer);
        resolve();
      });
      if (this.child.connected) this.child.disconnect();
    });
  }
}

/** A kernel in the process that built it. */
interface BuiltThere {
  readonly host: Host;
  readonly program: number;
  readonly log: BuiltKernel["log"];
  readonly subgroupSize?: number;
  readonly compiler?: string;
}

async function connectApart(selection: DeviceSelection, options: DriverOptions): Promise<DeviceConnection> {
  const start = async (): Promise<{ host: Host; info: DeviceInfo }> => {
    const host = new Host();
    try {
      return { host, info: await host.ask<DeviceInfo>({ kind: "open", selection, options }) };
    } catch (error) {
      await host.close();
      throw error;
    }
  };
  const first = await start();
  let { host } = first;
  let closed = false;
  let starting: Promise<void> | undefined;
  const replace = async (): Promise<void> => {
    await host.close();
    host = (await start()).host;
  };
  /** The process; another one where a kernel was stopped with it, or a driver has crashed. */
  const current = async (): Promise<Host> => {
    if (closed || !host.isGone) return host;
    await (starting ??= replace().finally(() => (starting = undefined)));
    return host;
  };
  const buildOn = async (on: Host, kernel: DeviceKernel): Promise<BuiltThere> => ({
    ...(await on.ask<Omit<BuiltThere, "host">>({ kind: "build", kernel })),
    host: on,
  });
  return {
    info: first.info,
    ...asked(options),
    async build(kernel) {
      let built = await buildOn(await current(), kernel);
      /** As the process of now has it. */
      const there = async (): Promise<BuiltThere> => {
        const now = await current();
        return built.host === now ? built : (built = await buildOn(now, kernel));
      };
      return {
        log: built.log,
        ...(built.subgroupSize === undefined ? {} : { subgroupSize: built.subgroupSize }),
        ...(built.compiler === undefined ? {} : { compiler: built.compiler }),
        async widthIn(workgroup) {
          const { host: on, program } = await there();
          return on.ask<number | undefined>({ kind: "width", program, workgroup });
        },
        async run(launch) {
          const { host: on, program } = await there();
          // Longer than the run's own limit, which a driver may not keep.
          const outcome = await on.ask<DeviceOutcome>({ kind: "run", program, launch }, launch.timeout + 10_000);
          return launch.prints ? { ...outcome, printed: await on.takePrinted() } : outcome;
        },
        release: () => built.host.ask<void>({ kind: "release", program: built.program }).catch(() => undefined),
      };
    },
    close() {
      closed = true;
      return host.close();
    },
  };
}
