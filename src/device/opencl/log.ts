/** Build logs of OpenCL drivers. Most of their compilers are made from clang and print as it does. */
import type { LogLine } from "../failure.js";

/**
 * `<kernel>:12:5: error: message`, or `error: file.cl:12:5: message`; the file is whatever the driver makes of the text.
 * Inside a macro PoCL adds where that stands: `12:5 <Spelling=file.cl:2:9>`.
 */
const forms = [
  /^(?<severity>fatal error|error|warning): .*?:(?<line>\d+):(?<column>\d+)(?: <Spelling=[^>]*>)?: (?<message>.*)$/,
  /^.*?:(?<line>\d+):(?<column>\d+): (?<severity>fatal error|error|warning): (?<message>.*)$/,
];

export function parseBuildLog(log: string): LogLine[] {
  return log.split("\n").flatMap((text): LogLine[] => {
    const found = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
    if (!found) return [];
    const { severity, line, column, message } = found;
    return [
      {
        severity: severity === "warning" ? "warning" : "error",
        line: Number(line),
        column: Number(column),
        message: message!.trim(),
      },
    ];
  });
}
