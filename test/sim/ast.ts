export * from "../../src/ast/builders.js";
export { array } from "../../src/types/types.js";
