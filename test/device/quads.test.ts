/** Quads and clusters on a real driver: every case whose operations it has, from each dialect, as GLSL and as HLSL. */
import { expect } from "vitest";
import { translate } from "../../src/api/translate.js";
import { runOnDevice } from "../../src/api/device.js";
import { sourceDialects, type Dialect } from "../../src/dialects/ids.js";
import { cases, data, expected, kernelOf, launches, size } from "../support/quad-cases.js";
import { deviceTest } from "./device-test.js";

/** All categories of subgroup operations but the clustered ones. */
const withoutClusters = { subgroupProperties: { supportedOperations: 0xbf } };
const width = 8;

async function results(code: string, from: Dialect, pm: Uint32Array, count: number): Promise<Uint32Array> {
  const result = await runOnDevice(code, {
    from, device: "vulkan", workgroups: [1], workgroupSize: [size], subgroupSize: width, args: { pv: data, pm, r: new Uint32Array(size * count) },
  }); // prettier-ignore
  const got = result.buffers["r"];
  if (!got) throw new Error(result.diagnostics.map((d) => d.message).join("; "));
  return got as Uint32Array;
}

for (const from of sourceDialects) {
  for (const to of ["glsl", "hlsl"] as const) {
    await deviceTest("vulkan", `${from} as ${to}`, async () => {
      // Its own text is run as it is: only what the driver has. glslang's HLSL has no narrow types.
      const missing = from === to ? /Clustered|QuadA/ : to === "hlsl" ? /half|char|short/ : /^$/;
      const list = cases.filter((c) => c.dialect === from && (c.width ?? 4) <= width && !missing.test(c.expression)); // prettier-ignore
      const translated = await translate(kernelOf(list), { from, to, workgroupSize: [size, 1, 1], ...(to === "glsl" ? { deviceProfile: withoutClusters } : {}) }); // prettier-ignore
      const code = from === to ? kernelOf(list) : translated.code;
      if (code === undefined) throw new Error(translated.diagnostics.map((d) => d.message).join("; "));
      const wrong: string[] = [];
      for (const [S, name, rounds] of launches) {
        if (S !== width) continue;
        const pm = Uint32Array.from({ length: size }, (_, i) => rounds(i));
        const got = await results(code, to, pm, list.length);
        for (const [n, c] of list.entries()) {
          for (let i = 0; i < size; i++) {
            const wanted = expected(c, S, rounds, i);
            if (wanted === undefined || got[n * size + i] === wanted) continue;
            wrong.push(`${c.expression}, ${name}: lane ${i} is ${got[n * size + i]}, not ${wanted}`);
            break;
          }
        }
      }
      expect(wrong).toEqual([]);
    });
  }
}
