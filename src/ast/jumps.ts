import type { Statement } from "./nodes.js";

/** Jumps that leave a loop with this body, or its round. */
export function jumpsOf(s: Statement): { break: boolean; continue: boolean } {
  const found = { break: false, continue: false };
  const visit = (x: Statement, loop: boolean, breakable: boolean): void => {
    switch (x.kind) {
      case "break":
        if (!breakable) found.break = true;
        return;
      case "continue":
        if (!loop) found.continue = true;
        return;
      case "block":
        return x.statements.forEach((y) => visit(y, loop, breakable));
      case "if":
        visit(x.then, loop, breakable);
        if (x.else) visit(x.else, loop, breakable);
        return;
      case "switch":
        return x.cases.forEach((c) => c.body.forEach((y) => visit(y, loop, true)));
      case "for":
      case "while":
      case "do-while":
        return visit(x.body, true, true);
      default:
        return;
    }
  };
  visit(s, false, false);
  return found;
}
