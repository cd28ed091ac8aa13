/** What crosslane asks of Vulkan is as the standard has it: the validation layer has no objection. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { openDevice } from "../../src/api/device.js";
import { connect } from "../../src/device/connection.js";
import { DeviceError } from "../../src/device/failure.js";
import { toolTest } from "../support/tool-test.js";
import { compile } from "../../src/api/compile.js";
import { launchOnDevice } from "../../src/api/device.js";
import { bindLaunch, entryOf } from "../../src/launch/bind.js";
import { parseLaunchFile } from "../../src/launch/launch-file.js";
import { shapeOf } from "../../src/launch/reflection.js";
import { missingFor } from "./device-test.js";

const drivers = await missingFor("vulkan");
const layer = await connect({ api: "vulkan", index: 0 }, { here: true, validate: true }).then(
  async (c) => (await c.close(), []),
  (error: unknown) =>
    error instanceof DeviceError && error.failure.code === "XL7012" ? ["vulkan-validationlayers"] : [],
);

/** Push constants, uniform blocks, specialisation, narrow storage, workgroup memory, subgroups, several sets of flags. */
const kernels = [
  "saxpy/kernel.comp",
  "settings/kernel.comp",
  "settings/kernel.hlsl",
  "specialise/kernel.comp",
  "half_storage/kernel.comp",
  "reduce_tree/kernel.hlsl",
  "reduce/kernel.comp",
];

toolTest([...drivers, ...layer], "the validation layer has no objection", async () => {
  const connection = await openDevice({ device: "vulkan", here: true, validate: true });
  try {
    for (const kernel of kernels) {
      const [fixture, file] = kernel.split("/") as [string, string];
      const read = (name: string): string =>
        readFileSync(new URL(`../../fixtures/${fixture}/${name}`, import.meta.url), "utf8");
      const from = file.endsWith(".comp") ? "glsl" : "hlsl";
      const compilation = await compile(read(file), { from, fileName: kernel });
      const { launch } = parseLaunchFile(read("launch.json"), "launch.json");
      const entry = compilation.module!.entries.find((e) => e.name === entryOf(launch, from))!;
      const { bound } = bindLaunch(launch!, shapeOf(compilation.module!, entry));
      const width = connection.info.subgroups!.selectable ? connection.info.subgroups!.size : undefined;
      const { diagnostics } = await launchOnDevice(
        connection,
        compilation,
        entry,
        bound!,
        width ? { subgroupSize: width } : {},
      );
      expect(diagnostics, kernel).toEqual([]);
    }
  } finally {
    await connection.close();
  }
});
