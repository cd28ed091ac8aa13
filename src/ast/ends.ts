/** Where functions end. */
import type { Block, Expr, Statement } from "./nodes.js";
import { walkStatement } from "./walk.js";

/** Whether what follows a statement can be reached, as far as the text shows. */
export function mayEnd(s: Statement): boolean {
  switch (s.kind) {
    case "return":
    case "break":
    case "continue":
      return false;
    case "block":
      return s.statements.every(mayEnd);
    case "if":
      return s.else === undefined || mayEnd(s.then) || mayEnd(s.else);
    case "for":
    case "while":
      return !isTrue(s.condition) || breaks(s.body);
    case "do-while":
      return breaks(s.body) || (!isTrue(s.condition) && (mayEnd(s.body) || continues(s.body)));
    case "switch": {
      const last = s.cases.at(-1);
      const hasDefault = s.cases.some((c) => c.labels.includes("default"));
      return !hasDefault || last === undefined || last.body.every(mayEnd) || s.cases.some((c) => c.body.some(breaks));
    }
    default:
      return true;
  }
}

const isTrue = (e: Expr | undefined): boolean => e === undefined || (e.kind === "literal" && e.value === true);

const breaks = (s: Statement): boolean => jumps(s, "break");
const continues = (s: Statement): boolean => jumps(s, "continue");

/** Whether a statement leaves, or goes on with, the loop or switch it stands in. */
function jumps(s: Statement, by: "break" | "continue"): boolean {
  switch (s.kind) {
    case "block":
      return s.statements.some((x) => jumps(x, by));
    case "if":
      return jumps(s.then, by) || (s.else !== undefined && jumps(s.else, by));
    case "switch":
      return by === "continue" && s.cases.some((c) => c.body.some((x) => jumps(x, by)));
    default:
      return s.kind === by;
  }
}

export function hasReturn(body: Block): boolean {
  let found = false;
  walkStatement(body, { statement: (x) => void (found ||= x.kind === "return") });
  return found;
}
