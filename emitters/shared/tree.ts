/** The target tree by the short names printers know its nodes by; `src/ast/nodes.ts` and `target.ts` specify them. */
import type * as nodes from "../../src/ast/nodes.js";
import type { NativeCall as AnyNativeCall } from "../../src/ast/target.js";

export type Module = nodes.Module<"target">;
export type TopLevel = nodes.TopLevel<"target">;
export type Resource = nodes.Resource<"target">;
export type Variable = nodes.Variable<"target">;
export type FunctionDeclaration = nodes.FunctionDeclaration<"target">;
export type Statement = nodes.Statement<"target">;
export type Block = nodes.Block<"target">;
export type Declare = nodes.Declare<"target">;
export type ExpressionStatement = nodes.ExpressionStatement<"target">;
export type SwitchCase = nodes.SwitchCase<"target">;
export type Place = nodes.Place<"target">;
export type Expr = nodes.Expr<"target">;
export type Unary = nodes.Unary<"target">;
export type Logical = nodes.Logical<"target">;
export type Conditional = nodes.Conditional<"target">;
export type PointerOffset = nodes.PointerOffset<"target">;
export type Assign = nodes.Assign<"target">;
export type Argument = nodes.Argument<"target">;
export type NativeCall = AnyNativeCall;
export type {
  BinaryOperator,
  BuiltinId,
  EntryPoint,
  FunctionId,
  Literal,
  StructDeclaration,
  StructMember,
  SubgroupSizes,
  Trivia,
  VarId,
} from "../../src/ast/nodes.js";
