import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { tapehouseHere } from '../in-process.ts'

const folder = temporaryFolder()
const pathOf = (shell: string) => join(folder, `completion.${shell}`)
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await tapehouseHere(['completion', shell])
    expect(code).toBe(0)
    writeFileSync(pathOf(shell), stdout)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const quoted = (words: readonly string[]) => words.map(word => `'${word}'`).join(' ')

/** What each shell completes the last of these words to. */
const COMPLETIONS: Readonly<Record<string, (words: readonly string[]) => readonly [string, string]>> = {
  bash: words => [
    '/bin/bash',
    `source ${pathOf('bash')}; COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length - 1}
     function=$(complete -p tapehouse | sed 's/.*-F \\([^ ]*\\).*/\\1/'); $function; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Outside its line editor, zsh has no compadd: this one prints the candidates that begin with the word.
  zsh: words => [
    '/usr/bin/zsh',
    `compdef() { :; }; _files() { :; }; compadd() { shift; print -l -- \${(M)@:#\${words[CURRENT]}*}; }
     source ${pathOf('zsh')}; words=(${quoted(words)}); CURRENT=${words.length}; _tapehouse`,
  ],
  fish: words => [
    '/usr/bin/fish',
    `source ${pathOf('fish')}; complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''; true`,
  ],
}

describe.each(['bash', 'zsh', 'fish'])('in %s', shell => {
  const completed = (words: readonly string[]) => {
    const [program, script] = COMPLETIONS[shell]?.(words) ?? ['', '']
    const output = execFileSync(program, ['-c', script], {
      encoding: 'utf8',
      env: { HOME: folder, PATH: '/usr/bin:/bin' },
    })
    return output
      .split('\n')
      .filter(line => line !== '')
      .toSorted()
  }
  const isInstalled = existsSync(COMPLETIONS[shell]?.([])[0] ?? '')

  test.runIf(isInstalled)('commands, operations, formats, flags and their values are completed', () => {
    expect(completed(['tapehouse', 'ver'])).toEqual(['verify'])
    expect(completed(['tapehouse', 'query', 'insider'])).toEqual(['insider-buy-sells', 'insiders'])
    expect(completed(['tapehouse', 'query', 'alerts', '--older'])).toEqual(['--older-than'])
    expect(completed(['tapehouse', 'query', 'greeks', '--format', 'a'])).toEqual(['arrow'])
    expect(completed(['tapehouse', 'import', 'price'])).toEqual(['price-factors'])
    expect(completed(['tapehouse', 'serve', '--admin-'])).toEqual(['--admin-host', '--admin-port'])
    expect(completed(['tapehouse', 'serve', '--log-level', ''])).toEqual([
      'debug',
      'error',
      'info',
      'silent',
      'warn',
    ])
    expect(completed(['tapehouse', 'completion', ''])).toEqual(
      expect.arrayContaining(['bash', 'fish', 'zsh']),
    )
  })
})

test('an unknown shell, and none, are refused', async () => {
  for (const args of [['completion'], ['completion', 'sh'], ['completion', 'bash', 'zsh']]) {
    const { code, stderr } = await tapehouseHere(args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^tapehouse: .*completion --help\)\n$/)])
  }
})
