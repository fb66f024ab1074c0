import { expect, test } from 'vitest'
import { readArguments } from '../../src/cli/command/arguments.ts'
import type { Command } from '../../src/cli/command/command.ts'
import { demo } from '../../src/cli/commands/demo.ts'
import { deriveCommand as derive } from '../../src/cli/commands/derive.ts'
import { generateCommand } from '../../src/cli/commands/generate.ts'
import { importCommand } from '../../src/cli/commands/import.ts'
import { serve } from '../../src/cli/commands/serve.ts'

function settingsOf(argv: readonly string[], env: NodeJS.ProcessEnv = {}, command: Command = demo) {
  const parsed = readArguments(command, argv, env)
  if (parsed === 'help') throw new Error('unexpected help')
  return parsed.settings
}

test('a command has defaults of its own', () => {
  expect(settingsOf([])).toMatchObject({
    lake: 'data/demo/lake',
    tokens: 'data/demo/tokens.json',
    logLevel: 'warn',
    port: 8787,
    adminPort: 8788,
  })
  expect(settingsOf([], {}, serve)).toMatchObject({ lake: 'data/lake', logLevel: 'info' })
})

test('a flag or variable counts even if its value is the default of other commands', () => {
  expect(
    settingsOf(['--log-level', 'info', '--lake', 'data/lake', '--tokens', 'data/tokens.json']),
  ).toMatchObject({
    lake: 'data/lake',
    tokens: 'data/tokens.json',
    logLevel: 'info',
  })
  expect(settingsOf([], { TAPEHOUSE_LOG_LEVEL: 'info' }).logLevel).toBe('info')
})

test.each([
  [['--port', '9000'], 9001],
  [['--port', '65535'], 65534],
  [['--port', '0'], 0],
  [['--port', '9000', '--admin-port', '8788'], 8788],
])('the admin port of a demo follows the port: %j', (argv, adminPort) => {
  expect(settingsOf(argv).adminPort).toBe(adminPort)
  expect(settingsOf([], { TAPEHOUSE_PORT: '9000' }).adminPort).toBe(9001)
})

test.each([
  [derive, 2560],
  [importCommand, 2560],
  [generateCommand, 4096],
  [serve, 1024],
])(
  'the memory of $name is its default, or what is given, also if that is the default of others',
  (command, memory) => {
    expect(settingsOf([], {}, command).memoryMib).toBe(memory)
    for (const given of [512, 1024, 2560])
      expect(settingsOf(['--memory-mib', `${given}`], {}, command).memoryMib).toBe(given)
  },
)
