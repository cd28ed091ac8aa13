import { join } from "node:path";
import { hlslJudgeBy } from "../../../src/judges/hlsl.js";
import type { HlslJudgeOptions } from "../../../src/judges/judge.js";
import { askDxc, dxcDependsOn, missingForDxc } from "./dxc.js";
import type { DxcRequest } from "./dxc.js";
import { makeJudge } from "./judge.js";

export type HlslOptions = HlslJudgeOptions;

interface Waiting {
  readonly requests: readonly DxcRequest[];
  readonly settle: (answers: readonly string[]) => void;
  readonly fail: (error: unknown) => void;
}
const waiting: Waiting[] = [];

/** What is asked at the same time goes to one process, since starting wine costs more than compiling. */
function asked(requests: readonly DxcRequest[]): Promise<readonly string[]> {
  return new Promise((settle, fail) => {
    if (waiting.length === 0) setImmediate(() => void askAll(waiting.splice(0)));
    waiting.push({ requests, settle, fail });
  });
}

async function askAll(all: readonly Waiting[]): Promise<void> {
  try {
    const answers = await askDxc(all.flatMap(({ requests }) => requests));
    let at = 0;
    for (const { requests, settle } of all) settle(answers.slice(at, (at += requests.length)));
  } catch (error) {
    for (const { fail } of all) fail(error);
  }
}

/** crosslane's judge, with DXC's library under wine for the program `dxc`. */
export const hlslJudge = makeJudge(
  hlslJudgeBy({
    tool: "DXC under wine",
    missing: missingForDxc,
    async compile(folder, runs) {
      const answers = await asked(runs.map((run) => ({ ...run, path: join(folder, "kernel.hlsl") })));
      return answers.map((answer, i) =>
        answer === "ok" ? { ok: true, log: "" } : { ok: false, log: `${runs[i]!.entry}: ${answer}` },
      );
    },
  }),
  dxcDependsOn,
  Infinity,
);
