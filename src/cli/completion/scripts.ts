import type { Shell } from './shells.ts'
import type { Word, Words } from './words.ts'

/** A script that completes the words of the program in a shell. */
export const completionScript = (shell: Shell, words: Words): string => SCRIPTS[shell](words)

const SCRIPTS: Readonly<Record<Shell, (words: Words) => string>> = {
  bash: words => `# Completion of tapehouse for bash: source <(tapehouse completion bash)
${posixTable(words)}
_tapehouse() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} member=
  (( COMP_CWORD > 2 )) && member=\${COMP_WORDS[2]}
  COMPREPLY=($(compgen -W "$(_tapehouse_candidates "$COMP_CWORD" "\${COMP_WORDS[1]}" "$member" "$before")" -- "$word"))
}
complete -o default -F _tapehouse tapehouse
`,
  zsh: words => `#compdef tapehouse
${posixTable(words)}
_tapehouse() {
  local member= candidates
  (( CURRENT > 3 )) && member=\${words[3]}
  candidates=(\${=$(_tapehouse_candidates $(( CURRENT - 1 )) "\${words[2]}" "$member" "\${words[CURRENT-1]}")})
  (( \${#candidates} )) && compadd -- $candidates || _files
}
if [[ $funcstack[1] = _tapehouse ]]; then _tapehouse; else compdef _tapehouse tapehouse; fi
`,
  fish: words => `# Completion of tapehouse for fish
function __tapehouse_words
    switch $argv[1]
${cases(words, (key, list) => `        case '${key}'\n            printf '%s\\n' ${list.map(fishWord).join(' ')}`)}
    end
end
function __tapehouse_candidates
    set -l typed (commandline -opc)
    set -l values
    if test (count $typed) -gt 2
        set values (__tapehouse_words "$typed[2] $typed[-1]")
    end
    if test (count $typed) -lt 2
        __tapehouse_words ''
    else if test (count $values) -gt 0; and string match -q -- '--*' $typed[-1]
        printf '%s\\n' $values
    else
        __tapehouse_words "$typed[2]"
        test (count $typed) -gt 2; and __tapehouse_words "$typed[2] $typed[3]"
    end
end
function __tapehouse_no_files
    set -l typed (commandline -opc)
    test (count $typed) -lt 2; and return 0
    string match -q -- '--*' $typed[-1]; and test -n "$(__tapehouse_words "$typed[2] $typed[-1]")"
end
complete -c tapehouse -n __tapehouse_no_files -f
complete -c tapehouse -a '(__tapehouse_candidates)'
`,
}

/** The table as functions of bash and zsh. Candidates: of which word, after which command, its first argument and word. */
const posixTable = (words: Words): string => `_tapehouse_words() {
  case "$1" in
${cases(words, (key, list) => `    '${key}') echo '${list.map(({ text }) => text).join(' ')}' ;;`)}
  esac
}
_tapehouse_candidates() {
  local values=
  if [ "$1" -le 1 ]; then _tapehouse_words ''; return; fi
  case "$4" in --*) values=$(_tapehouse_words "$2 $4") ;; esac
  if [ -n "$values" ]; then echo "$values"; return; fi
  _tapehouse_words "$2"
  if [ -n "$3" ]; then _tapehouse_words "$2 $3"; fi
}`

const cases = (words: Words, line: (key: string, list: readonly Word[]) => string): string =>
  [...words]
    .filter(([, list]) => list.length > 0)
    .map(([key, list]) => line(key, list))
    .join('\n')

const MEANING_MAX = 60

/** A word and its meaning, which fish shows beside it, as one quoted argument. */
function fishWord({ text, meaning }: Word): string {
  const [first = ''] = meaning.split(/[.:;](?: |$)/)
  const short = first.length > MEANING_MAX ? `${first.slice(0, MEANING_MAX)}…` : first
  return `'${text}${short === '' ? '' : `\t${short}`.replaceAll(/['\\]/g, '')}'`
}
