import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variableOf } from '../../src/cli/command/setting.ts'
import { SETTINGS } from '../../src/cli/command/settings.ts'
import { read, root } from '../house/source.ts'

describe('the documents', () => {
  test('are all linked from the README, whose links all work', () => {
    const links = read('README.md').matchAll(/\]\((docs\/[\w-]+(?:\.md|\/README\.md))\)/g)
    const named = new Set([...links].map(([, path]) => path))
    expect([...named].toSorted()).toEqual(
      readdirSync(`${root}docs`)
        .filter(name => !name.endsWith('.json'))
        .map(name => (name.endsWith('.md') ? `docs/${name}` : `docs/${name}/README.md`))
        .toSorted(),
    )
  })

  test('list every setting', () => {
    const page = read('docs/settings.md')
    for (const name of Object.keys(SETTINGS)) expect(page).toContain(`\`${variableOf(name)}\``)
  })
})
