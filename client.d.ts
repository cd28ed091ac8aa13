/** Types of the imports that the plug-ins serve: `/// <reference types="crosslane/client" />`. */

// An import would make a module of this file, whose declarations nobody sees.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="./texts.d.ts" />

/**
 * The kernels, each an export by its name, and all of them as the default export: functions of a launch and arguments, which
 * they write in place. A declaration for all files can name none of them, so that they have no types here: the plug-ins'
 * `declarations` writes a file that has them, and that stands in place of this one.
 */
declare module "*?ts";
