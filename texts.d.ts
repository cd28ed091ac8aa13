/** Types of translations that the plug-ins serve; with `?ts` besides it is `crosslane/client`. */

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
