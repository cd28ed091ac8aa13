/** Every cross-lane call of this dialect, on every type, under every flow: as source, and as every target has it. */
import { matrixOf } from "../support/cross-lane/suite.js";

matrixOf("glsl");
