/** What an op computes, in words. By itself, since few translations say it: pages load it with what does (scripts/bare-rows.mjs). */
import type { OpId } from "../ast/nodes.js";
import { row } from "./table.js";

export const summaryOf = (op: OpId): string => row(op).summary;
