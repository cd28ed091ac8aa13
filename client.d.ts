/** Types of the imports that the plug-ins serve: `/// <reference types="crosslane/client" />`. */

// A file with imports at its top would be a module, whose declarations nobody sees.
/* eslint-disable @typescript-eslint/consistent-type-imports */

declare module "*?msl" {
  const source: string;
  export default source;
  export const reflection: import("crosslane").Reflection;
}

declare module "*?glsl" {
  const source: string;
  export default source;
  export const reflection: import("crosslane").Reflection;
}

declare module "*?opencl" {
  const source: string;
  export default source;
  export const reflection: import("crosslane").Reflection;
}

declare module "*?hlsl" {
  const source: string;
  export default source;
  export const reflection: import("crosslane").Reflection;
}

/**
 * The kernels, each an export by its name, and all of them as the default export: functions of a launch and arguments, which
 * they write in place. A declaration for all files can name none of them, so that they have no types here.
 */
declare module "*?ts";
