import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { read } from '../house/source.ts'
import { inherited, linkClone, openShell } from './shell.ts'

/** Runs the commands of docs/lake.md and docs/point-in-time.md on a generated lake, from top to bottom. */

/** First words of each command, in order, and what its output holds. */
const COMMANDS: Readonly<Record<string, readonly (readonly [command: string, output: RegExp])[]>> = {
  'docs/lake.md': [
    ['npx tapehouse info', /^Snapshot 1, published .*\n40 datasets, [\s\S]*\nOperations: 29 of 29 /],
    ['npx tapehouse audit', /^Snapshot 1: 9 checks, nothing found\.\n$/],
    [
      'npx tapehouse query oi-per-expiry',
      /\ntapehouse:1 oi-per-expiry\?ticker=ACME&date=2024-12-31 snapshot=1 /,
    ],
    ['npx tapehouse query --cite', /^\{"data":\[\{"date":"2024-12-31","expiry":/],
    ['npx tapehouse upgrade-lake', /^The lake is up to date: snapshot 1 is unchanged\.\n$/],
    ['npx tapehouse import daily-bars', /^Imported \d+ rows? from 1 file: snapshot 2, /],
    ['npx tapehouse imports --lake', /\n +2 {2}20\S+Z {2}daily-bars {2}daily-bars\.csv .* daily_bars /],
    ['npx tapehouse imports undo 2', /^Import 2 is undone \(daily_bars\): snapshot 3\.\n$/],
    ['npx tapehouse snapshots', /\n +3 {2}\S+ {2}imports undo 2 +\(current\) {2}/],
    ['npx tapehouse snapshot keep', /^Snapshot 3 is kept as q1\.\n$/],
    ['npx tapehouse query analytics-window', /^calculation .*\n.*\nMEAN +ACME /],
    ['npx tapehouse diff', /^$/],
    ['npx tapehouse snapshot release', /^q1 is released/],
    ['npx tapehouse retain daily_bars 4000d', /^daily_bars: 4,000 days/],
    ['npx tapehouse retain --lake', /daily_bars.*4,?000/],
    ['npx tapehouse maintain', /^retain[\s\S]*\nderive[\s\S]*\ncompact[\s\S]*\nvacuum[\s\S]*\naudit/],
    ['npx tapehouse retain daily_bars off', /daily_bars/],
  ],
  'docs/point-in-time.md': [
    ['npx tapehouse query institutions', /Endowment|Partners|Capital/],
    ['npx tapehouse query insider-buy-sells', /^ *filing_date .*\n.*\n *2024-(0\d|10-(0\d|1[0-4]))/],
  ],
}

let folder = ''

/** A folder that looks like a clone after `npm ci`, with a lake. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapehouse-lake-page-'))
  linkClone(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The commands of a page, except for those that need a server: other tests start it with these flags. */
const commandsOf = (page: string) =>
  [...read(page).matchAll(/^```sh\n(.*?)^```$/gms)]
    .flatMap(([, text = '']) => text.trimEnd().split('\n'))
    .filter(command => !/^(npx tapehouse serve|curl) /.test(command))

test('the commands of the pages about the lake run, and print what the pages say', async () => {
  const shell = openShell(folder, inherited())
  await shell.run(
    'npx tapehouse generate --seed 7 --days 1 --tickers 5 --trades-per-day 1000 --lake data/lake 2> /dev/null',
  )
  let citation = ''
  for (const [page, expected] of Object.entries(COMMANDS)) {
    const commands = commandsOf(page)
    expect(commands.length, page).toBe(expected.length)
    for (const [index, command] of commands.entries()) {
      const [start = '', output = /$^/] = expected[index] ?? []
      expect(command.startsWith(start), `${page}: ${command}`).toBe(true)
      const printed = await shell.run(command.replace(/'tapehouse:1 [^']*'/, `'${citation}'`))
      citation = /^tapehouse:1 .*$/m.exec(printed)?.[0] ?? citation
      expect(printed, command).toMatch(output)
    }
  }
})
