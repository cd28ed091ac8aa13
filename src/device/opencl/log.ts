/** Build logs of OpenCL drivers. Most of their compilers are made from clang and print as it does. */
import type { LogLine } from "../failure.js";

/** `<kernel>:12:5: error: message`; the file is whatever the driver calls a source without a name. */
const clangLine = /^(?:.*?):(\d+):(\d+): (fatal error|error|warning): (.*)$/;

export function parseBuildLog(log: string): LogLine[] {
  return log.split("\n").flatMap((text): LogLine[] => {
    const match = clangLine.exec(text);
    if (!match) return [];
    const message = match[4]!.trim();
    return [{ severity: match[3] === "warning" ? "warning" : "error", line: Number(match[1]), column: Number(match[2]), message }];
  });
}
