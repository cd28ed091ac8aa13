/**
 * Random overloads, templates and classes of MSL beside clang, which reads them as C++: of what it takes, which function each call and each
 * initialisation means and what templates are made for; what it refuses, because nothing fits or several do, is refused. RANDOM_RUNS and
 * RANDOM_SEED make a longer or another run.
 */
import { describe } from "vitest";
import { random } from "../mutants/mutate.js";
import { missingPrograms } from "../support/judges/judge.js";
import { toolTest } from "../support/tool-test.js";
import { expectAsClang, type ClangSet } from "./beside-clang.js";
import { objectSet, objectTypes, objectVariables } from "./objects.js";
import { overloadSet, overloadTypes, overloadVariables } from "./overloads.js";

const runs = Number(process.env["RANDOM_RUNS"] ?? 40);
const first = Number(process.env["RANDOM_SEED"] ?? 1);
const setsOf = (make: (random: () => number) => ClangSet): ClangSet[] =>
  Array.from({ length: runs }, (_, i) => make(random(first + i)));
const missing = missingPrograms(["clang++-19"]);

describe("mean what they mean in C++", () => {
  toolTest(missing, "random overloads", () =>
    expectAsClang({ types: overloadTypes, variables: overloadVariables, sets: setsOf(overloadSet) }),
  );
  toolTest(missing, "random objects and what they become", () =>
    expectAsClang({ types: objectTypes, variables: objectVariables, sets: setsOf(objectSet) }),
  );
});
