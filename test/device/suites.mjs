/**
 * What runs on devices, by the tests here and by `npm run test:device`. A suite has a name, `cases()` (names), and
 * `run(crosslane, connection, name)`, which gives outcomes as suite.mjs describes them. To add one: a file beside this
 * one, and a line here.
 */
import { fixtureNames, runFixture } from "./suite.mjs";

export const suites = [{ name: "fixtures", cases: fixtureNames, run: runFixture }];
