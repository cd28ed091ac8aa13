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

declare module "*?ts" {
  /** The kernels by name; each is an export of its own, too. Buffers in `args` are written in place. */
  const kernels: Readonly<Record<string, (launch: import("crosslane/runtime").Launch, args: object) => void>>;
  export default kernels;
}
