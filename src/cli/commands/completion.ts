import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { completionScript, SHELLS, type Shell } from '../completion/scripts.ts'
import { words } from '../completion/words.ts'

export const completion: Command = {
  name: 'completion',
  usage: SHELLS.join('|'),
  details:
    'Prints a script that completes commands, flags, operations and formats in a shell. bash: source <(tapehouse completion bash). zsh: save it as _tapehouse in a folder of $fpath. fish: save it as ~/.config/fish/completions/tapehouse.fish.',
  examples: ['tapehouse completion bash > /etc/bash_completion.d/tapehouse'],
  settings: [],
  flags: {},
  run: async ({ positionals: [name, ...more] }) => {
    const shell = SHELLS.find(each => each === name)
    if (shell === undefined)
      throw usage(
        completion,
        `${name === undefined ? 'no shell' : `unknown shell ${JSON.stringify(name)}`}: specify one of ${SHELLS.join(', ')}`,
      )
    if (more.length > 0) throw usage(completion, `unexpected argument ${JSON.stringify(more[0])}`)
    process.stdout.write(completionScript(shell satisfies Shell, await words()))
    return 0
  },
}
