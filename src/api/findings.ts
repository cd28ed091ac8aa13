/** What a run found, as diagnostics. */
import type { Finding, FindingKind } from "../sim/index.js";
import type { Code } from "../support/codes.js";
import type { Diagnostic } from "../support/diagnostics.js";
import { locate } from "../support/expanded-source.js";
import type { ExpandedSource } from "../support/expanded-source.js";

const codeOf: Readonly<Record<FindingKind, Code>> = {
  "out-of-bounds": "XL5002",
  "misaligned-access": "XL5003",
  "barrier-divergence": "XL5004",
  "inactive-lane": "XL5005",
  "uninitialized-read": "XL5010",
  "cross-lane-divergence": "XL5011",
  "data-race": "XL5013",
  "same-value-race": "XL5016",
  "undefined-arithmetic": "XL5006",
  "integer-overflow": "XL5014",
  "broken-assumption": "XL5009",
  "non-uniform-argument": "XL5007",
  "no-forward-progress": "XL5008",
  "invalid-partition": "XL5012",
  "async-copy": "XL5015",
};

export function findingDiagnostic(
  finding: Finding,
  expanded: ExpandedSource,
  severity: "warning" | "note" = "warning",
): Diagnostic {
  const { kind, message, lane, workgroup, span, stack, count, use, against } = finding;
  const who = lane
    ? `invocation (${lane.join(", ")}) of workgroup (${workgroup.join(", ")})`
    : `workgroup (${workgroup.join(", ")})`;
  const often = count > 1 ? `, and ${count - 1} more time${count === 2 ? "" : "s"} at this place` : "";
  return {
    severity,
    code: codeOf[kind],
    message: `${message}`,
    ...(span.end > span.start ? { location: locate(expanded, span) } : {}),
    notes: [
      { message: `by ${who}${often}` },
      ...(use
        ? [
            {
              message: `it shows in byte ${use.byte} of '${use.buffer}', written here`,
              location: locate(expanded, use.span),
            },
          ]
        : []),
      ...(against && against.end > against.start
        ? [{ message: "the other access", location: locate(expanded, against) }]
        : []),
      ...[...stack].reverse().map((call) => ({ message: "called here", location: locate(expanded, call) })),
    ],
  };
}
