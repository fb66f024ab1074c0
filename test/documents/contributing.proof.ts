import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read, root } from '../house/source.ts'
import { inherited, openShell } from './shell.ts'

const page = read('CONTRIBUTING.md')

describe('the example that CONTRIBUTING.md builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-contributing-'))

  /** A checkout that the example may change. */
  beforeAll(() => {
    const copied = ['bin', 'dist', 'sql', 'src', 'test/calculations', 'data/samples']
    for (const path of [...copied, 'package.json', 'vitest.config.ts', 'test/house', 'test/fixtures'])
      cpSync(join(root, path), join(folder, path), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Does what the text before a block says: creates a file, adds to one, or runs commands. */
  function follow(text: string, language: string, block: string): Promise<string> | undefined {
    const [, table, edited] = /`([A-Z]+)` in\s+`([\w./-]+)`[^`]*$/.exec(text) ?? []
    const [, importing] = /import it at the top of `([\w./-]+)`:$/.exec(text) ?? []
    const [, path] = /`([\w./-]+\.(?:sql|ts|csv))`/.exec(text.split('\n\n').at(-1) ?? '') ?? []
    if (language === 'sh') {
      // node_modules is shared: its tapehouse is the one of the project itself.
      const script = block.replaceAll('npx tapehouse', 'node bin/tapehouse.js')
      return openShell(folder, inherited()).run(script)
    }
    const change = (file: string, edit: (content: string) => string) =>
      writeFileSync(join(folder, file), edit(readFileSync(join(folder, file), 'utf8')))
    if (table !== undefined && edited !== undefined) {
      const start = new RegExp(`^const ${table}\\b.*= \\{\n`, 'm')
      expect(read(edited)).toMatch(start)
      change(edited, content => content.replace(start, found => `${found}${block}`))
    } else if (importing !== undefined) change(importing, content => `${block}${content}`)
    else if (path !== undefined) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), block)
    } else throw new Error(`the text before this block names no file:\n${text}\n${block}`)
    return undefined
  }

  test('runs as it is written', async () => {
    const outputs: string[] = []
    const [, walk = ''] = page.split(/^(?=## Add a dataset)/m)
    for (const [, text = '', language = '', block = ''] of walk.matchAll(/(.*?)\n+```(\w+)\n(.*?)^```$/gms)) {
      const output = await follow(text.trim(), language, block)
      if (output !== undefined) outputs.push(output)
    }
    const [own = '', format = '', derived = '', calculation = '', created = '', operation = ''] = outputs
    expect(outputs).toHaveLength(6)
    expect(own).toMatch(/1 row/)
    expect(format).toMatch(/3 rows[\s\S]*1 row/)
    expect(format).toContain('symbol, ticker')
    expect(readRejects(format)).toMatch(/^data\/samples\/short-interest\/.*,5,shares,.*,about 400$/m)
    expect(derived).toMatch(/short_interest +4 rows/)
    expect(derived).toMatch(/short_interest_changes +4 rows/)
    // Of the ten adjusted closes of the sample, by Python: math.exp(math.fsum(map(math.log, closes)) / 10).
    expect(calculation).toMatch(/GEOMETRIC_MEAN +ACME +39\.953618081822\d+/)
    expect(created).toContain('src/operations/catalog/short-interest.ts')
    expect(operation.trim().split(/\r?\n/).slice(-3)).toEqual([
      'date,shares',
      '2024-03-28,1500',
      '2024-03-15,1200',
    ])
  })

  const readRejects = (output: string) =>
    readFileSync(
      /data\/lake\/rejects\/[\w.-]+\.csv/.exec(output)?.[0].replace(/^/, `${folder}/`) ?? '',
      'utf8',
    )
})
