import { Command, Argument } from "commander";
import { valuesOf } from "./completion-values.js";
import type { CommandContext } from "./command.js";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** What the shell is told of a command. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
}
interface CompletedOption {
  readonly flags: readonly string[];
  readonly description: string;
  /** A value follows. */
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

export function completionCommand({ terminal, allCommands }: CommandContext): Command {
  return new Command("completion")
    .description("Print a script by which a shell completes commands and options.")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText(
      "after",
      `
Examples:
  crosslane completion bash > /etc/bash_completion.d/crosslane
  source <(crosslane completion zsh)
  crosslane completion fish > ~/.config/fish/completions/crosslane.fish`,
    )
    .action(async (shell: Shell) => {
      const all = (await allCommands!()).map(describe);
      terminal.out({ bash, zsh, fish }[shell](all));
    });
}

function describe(command: Command): CompletedCommand {
  const options = command.options.map((o): CompletedOption => ({
    flags: [o.short, o.long].filter((f) => f !== undefined && f !== null),
    description: o.description,
    takesValue: o.required || o.optional,
    values: o.argChoices ?? valuesOf[o.long ?? ""] ?? [],
  }));
  return { name: command.name(), description: command.description(), options };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options }) => {
    const values = options.flatMap((o) =>
      o.values.length === 0
        ? []
        : [`        ${o.flags.join("|")}) COMPREPLY=($(compgen -W ${quoted(o.values.join(" "))} -- "$cur")); return;;`],
    );
    const files = options.flatMap((o) => (o.takesValue && o.values.length === 0 ? o.flags : []));
    const flags = options.flatMap((o) => o.flags).join(" ");
    return `    ${name})
      case "$prev" in
${values.join("\n")}
        ${files.join("|") || "''"}) COMPREPLY=($(compgen -f -- "$cur")); return;;
      esac
      [[ "$cur" == -* ]] && COMPREPLY=($(compgen -W ${quoted(flags)} -- "$cur")) || COMPREPLY=($(compgen -f -- "$cur"));;`;
  });
  return `# crosslane completion for bash
_crosslane() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map((c) => c.name).join(" "))} -- "$cur")); return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
}
complete -o filenames -F _crosslane crosslane
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const plain = (text: string): string => text.replace(/[[\]:]/g, " ").split("\n")[0]!;
  const names = commands.map((c) => `    ${quoted(`${c.name}:${plain(c.description)}`)}`);
  const cases = commands.map(({ name, options }) => {
    const specs = options.flatMap((o) =>
      o.flags.map((flag) => {
        const value = !o.takesValue ? "" : o.values.length > 0 ? `:value:(${o.values.join(" ")})` : ":value:_files";
        return `        ${quoted(`*${flag}[${plain(o.description)}]${value}`)}`;
      }),
    );
    return `    ${name})\n      _arguments \\\n${specs.join(" \\\n")} \\\n        '*:file:_files';;`;
  });
  return `#compdef crosslane
# crosslane completion for zsh
_crosslane() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words; (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
if [ "\${funcstack[1]}" = _crosslane ]; then _crosslane "$@"; else compdef _crosslane crosslane; fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, description, options }) => [
    `complete -c crosslane -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
    ...options.map((o) => {
      const flags = o.flags.map((f) => (f.startsWith("--") ? `-l ${f.slice(2)}` : `-s ${f.slice(1)}`)).join(" ");
      const value = !o.takesValue ? "" : o.values.length > 0 ? ` -x -a ${quoted(o.values.join(" "))}` : " -r";
      return `complete -c crosslane -n '__fish_seen_subcommand_from ${name}' ${flags}${value} -d ${quoted(o.description)}`;
    }),
  ]);
  return `# crosslane completion for fish\n${lines.join("\n")}\n`;
}
