/** The tests of one source dialect of the matrix. */
import { setFlagsFromString } from "node:v8";
import { afterAll, beforeAll, expect, test } from "vitest";
import { twoWayDialects, type TwoWayDialect } from "../../../src/dialects/ids.js";
import { defaultProfile } from "../../../src/caps/profiles.js";
import { judgeOutputs, judges, refusals as refusedTexts } from "../judges/outputs.js";
import type { Judgeable } from "../judges/outputs.js";
import { judgeTest } from "../tool-test.js";
import { casesFor, shapeName, shapesOf } from "./kernels.js";
import type { Flow, Shape } from "./kernels.js";
import { emulatedGoals, examine, goalName } from "./matrix.js";
import type { Goal, Output, Refusal } from "./matrix.js";
import { entryFor } from "./refusals.js";

const flows: readonly Flow[] = ["uniform", "divergent"];
export const olderProfiles = [
  "msl2.0-macos",
  "msl2.1-macos",
  "msl2.1",
  "msl2.4",
  "vulkan1.1",
  "opencl2.0",
  "sm6.0",
  "sm6.5",
  "sm6.7",
];
/** On these types the older profiles are asked too. */
const olderShapes = ["u32", "f32", "bool", "u8", "f32x2", "f32x3", "f32x4"];

/** A target's own calls stay as they are under its default profile. */
export function goalsFor(dialect: TwoWayDialect, shape: Shape, flow: Flow): Goal[] {
  const others = twoWayDialects.filter((d) => d !== dialect).map((d) => defaultProfile(d).id);
  const older = olderShapes.includes(shapeName(shape)) && flow !== "lazy" ? olderProfiles : [];
  return [
    ...[...others, ...older].map((profile) => ({ profile })),
    // Types of HLSL's own that shader model 5 lacks are not looked for where they stay as they are.
    ...emulatedGoals(shape, shapesOf[dialect].indexOf(shape), flow).filter(
      ({ profile }) => !(profile === "sm5.0" && dialect === "hlsl" && /16|64/.test(shape.kind)),
    ),
  ];
}

/** Numbers, truth values and vectors in lazy flow, where what makes the difference is the flow. */
const lazyShapes = ["u32", "f32", "bool", "f32x4", "f32x3"];

export function matrixOf(dialect: TwoWayDialect): void {
  // Each kernel is one large function that runs a few times: to optimise them takes most of the time, and saves none.
  beforeAll(() => setFlagsFromString("--max-optimized-bytecode-size=3000"));
  // V8's own limit, for the files after this one.
  afterAll(() => setFlagsFromString("--max-optimized-bytecode-size=61440"));
  const outputs: Output[] = [];
  for (const shape of shapesOf[dialect]) {
    for (const flow of lazyShapes.includes(shapeName(shape)) ? ([...flows, "lazy"] as const) : flows) {
      test(`${dialect} on ${shapeName(shape)}, ${flow}, and its translations, give what the reference gives`, async () => {
        const goals = goalsFor(dialect, shape, flow);
        const { wrong, refusals, outputs: own } = await examine(dialect, shape, flow, goals);
        outputs.push(...own);
        expect([...wrong, ...unlisted(refusals, dialect, shape, flow, goals)]).toEqual([]);
      });
    }
  }
  for (const target of twoWayDialects) {
    judgeTest(judges[target], `the ${target} compiler takes what ${dialect} becomes`, async () => {
      const mine = outputs.filter((o) => o.dialect === target);
      expect(mine.length).toBeGreaterThan(0);
      expect(refusedTexts(await judgeOutputs(mine.filter(isJudged).map(judgeable)))).toBe("");
    });
  }
}

/** Flow makes a difference to the text of OpenCL, which has calls for uniform flow only. */
const isJudged = ({ name, dialect }: Output): boolean => dialect === "opencl" || !/ uniform /.test(name);

/** Where the list of refusals and the refusals differ. */
function unlisted(
  refused: readonly Refusal[],
  dialect: TwoWayDialect,
  shape: Shape,
  flow: Flow,
  goals: readonly Goal[],
): string[] {
  const wrong: string[] = [];
  const key = (profile: string | undefined, call: string): string => `${profile} ${call}`;
  const found = new Map(refused.map((r) => [key(r.profile, r.call), r]));
  const ofSource = new Set(refused.flatMap((r) => (r.profile === undefined ? [r.call] : [])));
  for (const profile of [undefined, ...new Set(goals.map(goalName))]) {
    for (const { op, call } of casesFor(dialect, shape, flow)) {
      if (profile !== undefined && ofSource.has(call)) continue;
      const is = found.get(key(profile, call));
      const listed = entryFor({ profile, op, shape, flow, call });
      const what = `${dialect} ${shapeName(shape)} ${flow}, ${op} ${call} to ${profile ?? "nothing"}`;
      if (is && is.code !== listed?.code) wrong.push(`${what} is refused: ${is.code} ${is.message}`);
      if (!is && listed) wrong.push(`${what} is not refused, and listed because ${listed.because}`);
    }
  }
  return wrong;
}

export function judgeable(output: Output): Judgeable {
  const { dialect, name, text, profile } = output;
  switch (dialect) {
    case "msl":
      return { dialect, name, text, options: { version: /^msl(\d\.\d)/.exec(profile)![1] as "2.0" | "3.0" } };
    case "glsl":
      return { dialect, name, text, options: { target: profile as "vulkan1.1" | "vulkan1.3" } };
    case "opencl": {
      const half = /\bhalf\d?\b/.test(text);
      return {
        dialect,
        name,
        text,
        options: { version: profile.slice("opencl".length) as "2.0" | "3.0", half },
      };
    }
    case "hlsl": {
      const native16Bit = /\b(?:float|u?int)16_t[234]?\b/.test(text);
      return { dialect, name, text, options: { profile: `cs_6_${Number(profile.slice(4))}`, native16Bit } };
    }
  }
}
