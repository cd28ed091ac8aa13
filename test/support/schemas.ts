/**
 * Validators for what crosslane writes for machines: its own report schema, and SARIF 2.1.0 as OASIS publishes it
 * (schemas/sarif-2.1.0.json, errata 01, oasis-tcs/sarif-spec).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import Ajv4Module from "ajv-draft-04";
import formatsModule from "ajv-formats";
import { repositoryRoot } from "./judges/judge.js";

// Both are CommonJS modules with a default export of their own.
const Ajv4 = Ajv4Module as unknown as typeof Ajv4Module.default;
const addFormats = formatsModule as unknown as typeof formatsModule.default;

const read = (file: string): object => JSON.parse(readFileSync(join(repositoryRoot, file), "utf8")) as object;

const reports = new Ajv2020({ allErrors: true }).compile(read("docs/report.schema.json"));
const sarifAjv = new Ajv4({ strict: false, allErrors: true });
addFormats(sarifAjv as never);
const sarif = sarifAjv.compile(read("test/support/schemas/sarif-2.1.0.json"));

const problems = (validate: ValidateFunction, value: unknown): string[] =>
  validate(value)
    ? []
    : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);

/** What keeps a value from being a report; nothing where it is one. */
export const reportProblems = (value: unknown): string[] => problems(reports, value);
export const sarifProblems = (value: unknown): string[] => problems(sarif as unknown as ValidateFunction, value);
