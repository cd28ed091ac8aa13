/** The process that talks to a driver for another one: see connection.ts. */
import { chooseDevice, listDevices, openDriver } from "./drivers.js";
import type { DriverOptions } from "./drivers.js";
import { DeviceError } from "./failure.js";
import type { Failure } from "./failure.js";
import type {
  DeviceApi,
  DeviceKernel,
  DeviceLaunch,
  DeviceProgram,
  DeviceSelection,
  Driver,
  WorkgroupShape,
} from "./kernel.js";

export type Request =
  | { readonly kind: "list"; readonly apis: readonly DeviceApi[] }
  | { readonly kind: "open"; readonly selection: DeviceSelection; readonly options: DriverOptions }
  | { readonly kind: "build"; readonly kernel: DeviceKernel }
  | { readonly kind: "width"; readonly program: number; readonly workgroup: WorkgroupShape }
  | { readonly kind: "run"; readonly program: number; readonly launch: DeviceLaunch }
  | { readonly kind: "release"; readonly program: number };

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure | (Failure & { readonly bug: true }) };

class DeviceHost {
  private driver: Driver | undefined;
  private device = 0;
  private readonly programs = new Map<number, DeviceProgram>();
  private next = 1;

  async answer(request: Request): Promise<unknown> {
    switch (request.kind) {
      case "list":
        return listDevices(request.apis);
      case "open": {
        this.driver = await openDriver(request.selection.api, request.options);
        this.device = request.selection.index;
        return chooseDevice(this.driver, request.selection);
      }
      case "build": {
        const program = this.driver!.build(this.device, request.kernel);
        const id = this.next++;
        this.programs.set(id, program);
        return { program: id, log: program.log ?? [], subgroupSize: program.subgroupSize, compiler: program.compiler };
      }
      case "width":
        return this.programs.get(request.program)!.widthIn?.(request.workgroup);
      case "run":
        return this.programs.get(request.program)!.run(request.launch);
      case "release":
        this.programs.get(request.program)?.release();
        this.programs.delete(request.program);
        return undefined;
    }
  }

  close(): void {
    for (const program of this.programs.values()) program.release();
    this.driver?.release();
  }
}

function failureOf(error: unknown): Failure | (Failure & { bug: true }) {
  if (error instanceof DeviceError) return error.failure;
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "XL9001", message, bug: true };
}

if (process.send) {
  const host = new DeviceHost();
  process.on("message", ({ id, request }: { id: number; request: Request }) => {
    host.answer(request).then(
      (value) => process.send!({ id, value } satisfies Reply),
      (error: unknown) => process.send!({ id, failure: failureOf(error) } satisfies Reply),
    );
  });
  process.on("disconnect", () => {
    host.close();
    process.exit(0);
  });
}
