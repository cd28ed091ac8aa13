/** What a kernel printed, with the places of its text. */
import type { Printed } from "../sim/index.js";
import type { Location } from "../support/diagnostics.js";
import { locate, type ExpandedSource } from "../support/expanded-source.js";

export interface PrintedText {
  /** All of it: workgroup by workgroup, in each by invocation, and of one invocation in the order it printed. */
  readonly text: string;
  /** Call by call. */
  readonly messages: readonly {
    readonly text: string;
    readonly workgroup: readonly [number, number, number];
    /** Local id of the invocation. */
    readonly lane: readonly [number, number, number];
    /** Of the call in the source. */
    readonly location: Location;
  }[];
  /** Messages beyond the first million characters, which are not kept. */
  readonly leftOut: number;
}

export function printedText({ messages, leftOut }: Printed, expanded: ExpandedSource): PrintedText {
  const locations = new Map<number, Location>();
  const placed = messages.map(({ span, ...message }) => {
    let location = locations.get(span.start);
    if (!location) locations.set(span.start, (location = locate(expanded, span)));
    return { ...message, location };
  });
  return { text: messages.map((m) => m.text).join(""), messages: placed, leftOut };
}
