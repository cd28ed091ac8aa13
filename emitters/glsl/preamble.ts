/** The lines before everything else: `#version`, and an `#extension` for each feature that the module uses. */
import type { Module } from "../shared/tree.js";
import { requiredFeatures, usedScalars } from "../shared/used-scalars.js";
import { walkStatement } from "../../src/ast/walk.js";
import { enablingLines, storageNeeds, typeNeeds } from "../../src/ops/features.js";
import { scalar } from "../../src/types/types.js";

export function preamble(module: Module): string[] {
  // A buffer's element is loaded as what it is.
  const { used, stored } = usedScalars(module, () => true);
  const atoms = requiredFeatures(module);
  for (const k of [...used, ...stored]) {
    for (const atom of typeNeeds("glsl", scalar(k)).split(" ")) atoms.add(atom);
  }
  for (const k of stored) atoms.add(storageNeeds("glsl", k));
  if (module.specialNumbers) atoms.add("glsl.EXT_spirv_intrinsics");
  if ([...module.resources, ...(module.legal?.valueBlocks ?? [])].some((x) => x.layout === "structured"))
    atoms.add("glsl.EXT_scalar_block_layout");
  if (unrolls(module)) atoms.add("glsl.EXT_control_flow_attributes");
  return ["#version 450", ...enablingLines("glsl", atoms)];
}

function unrolls(module: Module): boolean {
  let found = false;
  for (const f of module.functions) {
    walkStatement(f.body, {
      statement(s) {
        if ((s.kind === "for" || s.kind === "while" || s.kind === "do-while") && s.unroll !== undefined) found = true;
      },
    });
  }
  return found;
}
