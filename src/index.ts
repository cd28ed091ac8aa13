/** The public API. No file, no terminal, no process: it runs in Node and in browsers. */
export { capabilities, capabilityByProfile } from "./api/capabilities.js";
export type { CapabilityForm, CapabilityQuery, CapabilityRow, TargetCapability } from "./api/capabilities.js";
export { check } from "./api/check.js";
/** Node only: the driver is reached when it is called. */
export { runOnDevice } from "./api/device.js";
export type { DeviceOptions, RunOnDeviceOptions, RunOnDeviceResult } from "./api/device.js";
export { reflect } from "./api/reflect.js";
export { simulate } from "./api/simulate.js";
export type { BufferData, SimulateFinding, SimulateOptions, SimulateResult, ValueData } from "./api/simulate.js";
export { translate } from "./api/translate.js";
export type {
  CheckResult,
  Include,
  IncludedFile,
  IncludeResult,
  MissingInclude,
  RefusedInclude,
  IncludeFunction,
  LeftOutDeclaration,
  Portability,
  RefusedEntry,
  Remark,
  SourceOptions,
  TargetOptions,
  TranslateOptions,
  TranslateResult,
  WidthReport,
} from "./api/types.js";
export { verify } from "./api/verify.js";
export type { VerifyOptions } from "./api/verify.js";
export { sourceDialects, targetDialects, targets, twoWayDialects } from "./dialects/ids.js";
export type { Dialect, SourceDialect, Target, TargetDialect, TwoWayDialect } from "./dialects/ids.js";
export type { ClStd, HlslVersion } from "./dialects/language.js";
export type { DeviceInfo } from "./device/kernel.js";
export type { Diagnostic, Location } from "./support/diagnostics.js";
export type { SourceMap } from "./maps/source-map.js";
export { renderDiagnostic } from "./support/render.js";
export type { ArgumentReflection, EntryReflection, Reflection, SlotReflection } from "./launch/reflection.js";
export type { PrintedText } from "./api/printed.js";
export type { Because, Coverage, NotRun } from "./verify/coverage.js";
export type {
  FirstDifference,
  JudgedText,
  MutantScore,
  SameProgram,
  UnnoticedFault,
  VerifyResult,
  VerifyRun,
  Writer,
} from "./verify/result.js";
export type { FindingKind } from "./sim/index.js";
