/** `lokal completion SHELL`: scripts made from the table of commands. */
import { type Command, type CommandEntry, required, UsageError } from '../command.ts';

const help = `Usage: lokal completion bash|zsh|fish|powershell

Prints a script that completes commands, actions and options. For instance:

  bash         lokal completion bash > ~/.local/share/bash-completion/completions/lokal
  zsh          lokal completion zsh > "\${fpath[1]}/_lokal"
  fish         lokal completion fish > ~/.config/fish/completions/lokal.fish
  powershell   lokal completion powershell >> $PROFILE`;

interface Words {
  name: string;
  summary: string;
  /** Actions of the command and its options. */
  words: string[];
}

export const createCompletion = (commands: Record<string, CommandEntry>): Command => ({
  help,
  options: {},
  async run(input) {
    const shell = required(input, 0, 'SHELL');
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (!script) throw new UsageError(`“${shell}” is not ${Object.keys(scripts).join(', ')}`);
    const text = script(await readWords(commands));
    input.print({ shell, script: text }, [text]);
  },
});

async function readWords(commands: Record<string, CommandEntry>): Promise<Words[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, { load, operands, summary }]) => {
      const actions = typeof operands === 'object' ? Object.keys(operands) : [];
      const options = Object.keys((await load()).options).map((option) => `--${option}`);
      return { name, summary, words: [...actions, ...options, '--json', '--help'] };
    }),
  );
}

const names = (all: Words[]): string => all.map(({ name }) => name).join(' ');
const cases = (all: Words[], line: (words: Words) => string): string => all.map(line).join('\n');
/** Inside single quotes of a POSIX shell or of fish. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;

const scripts: Record<string, (all: Words[]) => string> = {
  bash: (all) => `_lokal() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names(all)}"
  else case "\${COMP_WORDS[1]}" in
${cases(all, ({ name, words }) => `    ${name}) words="${words.join(' ')}" ;;`)}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _lokal lokal`,

  zsh: (all) => `#compdef lokal
_lokal() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${cases(all, ({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`)}
    )
    _describe command commands
    return
  fi
  case "\${words[2]}" in
${cases(all, ({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;`)}
  esac
  _files
}
compdef _lokal lokal`,

  fish: (all) =>
    cases(all, ({ name, summary, words }) =>
      [
        `complete -c lokal -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        `complete -c lokal -n '__fish_seen_subcommand_from ${name}' -a ${quoted(words.join(' '))}`,
      ].join('\n'),
    ),

  powershell: (all) => `Register-ArgumentCompleter -Native -CommandName lokal -ScriptBlock {
  param($word, $ast)
  $words = @{
${cases(all, ({ name, words }) => `    '${name}' = '${words.join("', '")}'`)}
  }
  $typed = $ast.CommandElements
  $choices = if ($typed.Count -gt 1 -and $words.ContainsKey("$($typed[1])")) { $words["$($typed[1])"] } else { $words.Keys | Sort-Object }
  $choices | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`,
};
