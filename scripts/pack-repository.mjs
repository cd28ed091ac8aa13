/**
 * `repository` of package.json: where the clone that is packed came from, its remote `origin`. `npm pack` and `npm publish` write it
 * in before they read the file (`write`) and take it out again when they are done (`restore`; see `scripts` in package.json), so that a
 * fork says its own address. Without a remote that others can reach nothing is written; what the file says itself stays.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const file = "package.json";
const field = /^ {2}"repository": \{ "type": "git", "url": "[^"\n]*" \},\n/m;

/** `git+https://host/owner/name.git` of an address as git has it, without what it says of an account; undefined for a folder. */
export function repositoryAddress(remote) {
  // git(1): `user@host:path` is the short form of ssh://user@host/path.
  const short = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+):(?!\/\/)\/?(.+)$/.exec(remote);
  const long = /^(?:git\+)?(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(remote);
  const [, host, path] = short ?? long ?? [];
  if (host === undefined || !/^[\w./~-]+$/.test(path)) return undefined;
  return `git+https://${host}/${path.replace(/\/+$/, "").replace(/\.git$/, "")}.git`;
}

function write() {
  const text = readFileSync(file, "utf8");
  const { status, stdout } = spawnSync("git", ["config", "--get", "remote.origin.url"], { encoding: "utf8" });
  const url = status === 0 && existsSync(".git") ? repositoryAddress(stdout.trim()) : undefined;
  if (url === undefined || "repository" in JSON.parse(text)) return;
  const line = `  "repository": ${JSON.stringify({ type: "git", url }, undefined, 1).replace(/\n */g, " ")},\n`;
  writeFileSync(
    file,
    text.replace(/^ {2}"license": .*\n/m, (license) => license + line),
  );
}

/** `npm publish` reads the file again after it is packed. */
function restore() {
  if (process.env.npm_command === "publish" && process.env.npm_lifecycle_event === "postpack") return;
  const text = readFileSync(file, "utf8");
  if (field.test(text)) writeFileSync(file, text.replace(field, ""));
}

const [command] = process.argv.slice(2);
if (command === "write") write();
else if (command === "restore") restore();
