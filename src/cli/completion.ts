import { Command, Argument } from "commander";
import { valuesOfArgument, valuesOfOption } from "./completion-values.js";
import type { Values } from "./completion-values.js";
import type { CommandContext } from "./command.js";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** What the shell is told of a command. */
interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** Of its arguments; absent where they are files. */
  readonly argument: Values | undefined;
}
interface CompletedOption {
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent where none follows. */
  readonly value: "file" | "folder" | Values | undefined;
  /** Whether the value may be left out: it stands behind `=` then, and never in the next word. */
  readonly optional: boolean;
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
  const options = command.options.map((o): CompletedOption => {
    const { flags, argChoices: values, long } = o;
    const anything = /<dir>/.test(flags) ? "folder" : "file";
    return {
      flags: [o.short, long].filter((f) => f !== undefined && f !== null),
      description: o.description,
      optional: o.optional,
      value: o.required || o.optional ? (values ? { values } : (valuesOfOption[long ?? ""] ?? anything)) : undefined,
    };
  });
  options.push({ flags: ["-h", "--help"], description: "say how it is used", value: undefined, optional: false });
  const values = command.registeredArguments[0]?.argChoices;
  const argument = values ? { values } : valuesOfArgument[command.name()];
  return { name: command.name(), description: command.description(), options, argument };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: readonly CompletedCommand[]): string {
  const oneOf = ({ values, list }: Values): string => `_crosslane_${list ? "list" : "one"} ${quoted(values.join(" "))}`;
  const cases = commands.map(({ name, options, argument }) => {
    const values = options.flatMap(({ flags, value, optional }) => {
      if (value === undefined) return [];
      // Where nothing is said, the shell goes on to names of files.
      const reply =
        typeof value === "object" ? `${oneOf(value)}; ` : value === "folder" ? "compopt -o dirnames 2>/dev/null; " : "";
      const behind = flags.map((flag) => `${flag}=`).join("|");
      return [`        ${optional ? behind : `${flags.join("|")}|${behind}`}) ${reply}return;;`];
    });
    const flags = options.flatMap((o) => o.flags).join(" ");
    const rest = argument ? `else ${oneOf(argument)}; ` : "";
    return `    ${name})
      case "$prev" in
${values.join("\n")}
      esac
      if [[ "$cur" == -* ]]; then _crosslane_one ${quoted(flags)}; ${rest}fi;;`;
  });
  return `# crosslane completion for bash
_crosslane_one() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_crosslane_list() {
  local before=
  [[ "$cur" == *,* ]] && before="\${cur%,*},"
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "\${cur##*,}"))
}
_crosslane() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  # bash takes the = of --flag=value for a word of its own.
  if [ "$cur" = = ]; then
    cur= prev="$prev="
  elif [ "$prev" = = ]; then
    prev="\${COMP_WORDS[COMP_CWORD-2]}="
  fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    _crosslane_one ${quoted(`${commands.map((c) => c.name).join(" ")} --help --version`)}; return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
}
complete -o bashdefault -o default -F _crosslane crosslane
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const plain = (text: string): string => text.replace(/[[\]:]/g, " ").split("\n")[0]!;
  const names = commands.map((c) => `    ${quoted(`${c.name}:${plain(c.description)}`)}`);
  const action = (value: "file" | "folder" | Values): string => {
    if (typeof value === "string") return value === "file" ? "_files" : "_files -/";
    return value.list ? `_values -s , value ${value.values.join(" ")}` : `(${value.values.join(" ")})`;
  };
  const cases = commands.map(({ name, options, argument }) => {
    const specs = options.flatMap(({ flags, value, description, optional }) =>
      flags.map((flag) => {
        const follows = value === undefined ? "" : `${optional ? "::" : ":"}value:${action(value)}`;
        const behind = value === undefined || !flag.startsWith("--") ? "" : optional ? "=-" : "=";
        return `        ${quoted(`*${flag}${behind}[${plain(description)}]${follows}`)}`;
      }),
    );
    return `    ${name})\n      _arguments \\\n${specs.join(" \\\n")} \\\n        ${quoted(`*:argument:${action(argument ?? "file")}`)};;`;
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
  const words = ({ values, list }: Values): string =>
    quoted(list ? `(__fish_complete_list , "printf '%s\\n' ${values.join(" ")}")` : values.join(" "));
  const lines = commands.flatMap(({ name, description, options, argument }) => {
    const here = `complete -c crosslane -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c crosslane -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ...(argument ? [`${here} -f -a ${words(argument)}`] : []),
      ...options.map(({ flags, value, description, optional }) => {
        const names = flags.map((f) => (f.startsWith("--") ? `-l ${f.slice(2)}` : `-s ${f.slice(1)}`)).join(" ");
        const follows =
          value === undefined
            ? ""
            : value === "file"
              ? " -r"
              : ` ${optional ? "-f" : "-x"} -a ${value === "folder" ? "'(__fish_complete_directories)'" : words(value)}`;
        return `${here} ${names}${follows} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# crosslane completion for fish\n${lines.join("\n")}\n`;
}
