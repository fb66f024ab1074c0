import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { completionScript } from '../completion/scripts.ts'
import { SHELLS } from '../completion/shells.ts'
import { type Summarised, words } from '../completion/words.ts'

const COMPLETION = { name: 'completion' }

/** The command. It completes all `commands`. */
export const completion = (commands: () => Promise<readonly Summarised[]>): Command => ({
  ...COMPLETION,
  usage: SHELLS.join('|'),
  details:
    'Prints a script that completes commands, flags, operations and formats in a shell. bash: source <(tapehouse completion bash). zsh: save it as _tapehouse in a folder of $fpath. fish: save it as ~/.config/fish/completions/tapehouse.fish.',
  examples: ['tapehouse completion bash > /etc/bash_completion.d/tapehouse'],
  settings: [],
  flags: {},
  run: async ({ positionals: [name, ...more] }) => {
    const shell = SHELLS.find(each => each === name)
    const named = name === undefined ? 'no shell' : `unknown shell ${JSON.stringify(name)}`
    if (shell === undefined) throw usage(COMPLETION, `${named}: specify one of ${SHELLS.join(', ')}`)
    if (more.length > 0) throw usage(COMPLETION, `unexpected argument ${JSON.stringify(more[0])}`)
    process.stdout.write(completionScript(shell, words(await commands())))
    return 0
  },
})
