/**
 * `npm run trees -- kernel.metal --to glsl [--pass tidy]`: the tree of a kernel as text, first as it is read, then after each
 * pass that changed it, with what changed; with `--pass` before and after that pass only, whole, as the cases of
 * test/passes/cases have it. The tree is verified after every pass.
 */
import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { Command } from "commander";
import { createTwoFilesPatch } from "diff";
import { printTree } from "../dist/src/ast/text/print-tree.js";
import { profileNamed } from "../dist/src/caps/profiles.js";
import { frontEnd } from "../dist/src/frontend/index.js";
import { legalize, select } from "../dist/src/passes/index.js";
import { treesHold } from "../dist/src/passes/tree-check.js";
import { analyze } from "../dist/src/sema/index.js";

const dialects = { ".metal": "msl", ".comp": "glsl", ".glsl": "glsl", ".cl": "opencl", ".hlsl": "hlsl" };
const program = new Command("npm run trees --")
  .argument("<file>")
  .requiredOption("--to <target>", "msl, glsl, opencl, hlsl or ts")
  .option("--from <dialect>", "where the file's name does not say it")
  .option("--profile <id>", "the target's default otherwise")
  .option("--pass <name>", "this pass only")
  .option("--strict")
  .parse();
const [file] = program.args;
const { to, from = dialects[extname(file)], profile, pass: wanted, strict } = program.opts();

const front = await frontEnd(readFileSync(file, "utf8"), { from, fileName: basename(file) });
const { module, problems } = analyze(front.unit, front.expanded, { dialect: from, fileName: basename(file) });
const say = (list) => list.forEach((p) => console.error(`${p.code} ${p.message}`));
say([...front.problems, ...problems]);
if (!module) process.exit(1);

let before = printTree(module);
if (!wanted) console.log(before);
const show = (pass, tree) => {
  const after = printTree(tree);
  if (wanted === pass) console.log(`--- before\n${before}--- after\n${after}`);
  else if (!wanted && after !== before)
    console.log(createTwoFilesPatch("", pass, before, after, "", "", { context: 1 }));
  before = after;
};
const legal = legalize(module, to, {
  workgroupSize: module.entries[0]?.workgroupSize ?? [64, 1, 1],
  strict,
  verifyTrees: treesHold,
  afterPass: show,
  ...(profile ? { profile: profileNamed(profile) } : {}),
});
say(legal.problems);
if (!legal.module) process.exit(1);
if (to !== "ts") show("select", select(legal.module));
