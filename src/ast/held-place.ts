/** Places that are named more than once: what finds them is worked out before, once. */
import type { Expr, Place } from "./nodes.js";
import { isPure, placeIsPure } from "./walk.js";

/**
 * The place with what finds it (indices, pointers, offsets of views) handed to `hold`, in the order of evaluation. That
 * keeps a value in a local and gives back what reads it, or the value itself where it may stand again.
 */
export function heldPlace(p: Place, hold: (e: Expr) => Expr): Place {
  switch (p.kind) {
    case "variable":
      return p;
    case "deref": {
      const pointer = hold(p.pointer);
      return pointer === p.pointer ? p : { ...p, pointer };
    }
    case "element": {
      const base = heldPlace(p.base, hold);
      const index = hold(p.index);
      return base === p.base && index === p.index ? p : { ...p, base, index };
    }
    case "member":
    case "swizzle": {
      const base = heldPlace(p.base, hold);
      return base === p.base ? p : { ...p, base };
    }
    case "view": {
      const base = heldPlace(p.base, hold);
      const offset = hold(p.offset);
      return base === p.base && offset === p.offset ? p : { ...p, base, offset };
    }
  }
}

/**
 * A place that can be named twice: `keep` is asked for what may not stand again as it is, and for whatever was read before
 * something that has effects.
 */
export function repeatablePlace(p: Place, keep: (e: Expr) => Expr, stays: (e: Expr) => boolean = isPure): Place {
  let effects = 0;
  heldPlace(p, (e) => {
    if (!isPure(e)) effects++;
    return e;
  });
  return heldPlace(p, (e) => {
    const stay = e.kind === "literal" || (effects === 0 && stays(e));
    if (!isPure(e)) effects--;
    return stay ? e : keep(e);
  });
}

/** Such a place: a pass made it one before. */
export function alreadyRepeatable(p: Place): Place {
  if (!placeIsPure(p)) throw new Error("broken tree: a place with effects would be named twice");
  return p;
}
