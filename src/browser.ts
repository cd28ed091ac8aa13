/**
 * `index.ts` for browsers: the same names, but what a function needs is loaded when it is called first. `package.json` leads
 * here by the condition `browser`, after scripts/browser-bundle.mjs has taken drivers and compilers out.
 */
import type * as api from "./index.js";
import { withParts } from "./support/deferred.js";

export { capabilities, capabilityByProfile } from "./api/capabilities.js";
export { sourceDialects, targetDialects, targets, twoWayDialects } from "./dialects/ids.js";
export { renderDiagnostic } from "./support/render.js";

export const check: typeof api.check = (...args) =>
  withParts(async () => (await import("./api/check.js")).check(...args));
export const reflect: typeof api.reflect = (...args) =>
  withParts(async () => (await import("./api/reflect.js")).reflect(...args));
export const runOnDevice: typeof api.runOnDevice = (...args) =>
  withParts(async () => (await import("./api/device.js")).runOnDevice(...args));
export const simulate: typeof api.simulate = (...args) =>
  withParts(async () => (await import("./api/simulate.js")).simulate(...args));
export const translate: typeof api.translate = (...args) =>
  withParts(async () => (await import("./api/translate.js")).translate(...args));
export const verify: typeof api.verify = (...args) =>
  withParts(async () => (await import("./api/verify.js")).verify(...args));
