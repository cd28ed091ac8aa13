/**
 * `index.ts` for browsers: the same names, but what a function needs is loaded when it is called first. `package.json` leads
 * here by the condition `browser`, after scripts/browser-bundle.mjs has taken drivers and compilers out.
 */
import type * as api from "./index.js";

export { capabilities, capabilityByProfile } from "./api/capabilities.js";
export { sourceDialects, targetDialects, targets, twoWayDialects } from "./dialects/ids.js";
export { renderDiagnostic } from "./support/render.js";

export const check: typeof api.check = async (...args) => (await import("./api/check.js")).check(...args);
export const reflect: typeof api.reflect = async (...args) => (await import("./api/reflect.js")).reflect(...args);
export const runOnDevice: typeof api.runOnDevice = async (...args) =>
  (await import("./api/device.js")).runOnDevice(...args);
export const simulate: typeof api.simulate = async (...args) => (await import("./api/simulate.js")).simulate(...args);
export const translate: typeof api.translate = async (...args) =>
  (await import("./api/translate.js")).translate(...args);
export const verify: typeof api.verify = async (...args) => (await import("./api/verify.js")).verify(...args);
