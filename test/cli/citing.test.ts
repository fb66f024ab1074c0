import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { vacuum } from '../../src/lake/maintain/vacuum.ts'
import { sha256Of } from '../../src/lake/store/content.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { formatCitation, parseCitation } from '../../src/operations/citing/citation.ts'
import { BUSY, busyLake } from '../fixtures/busy-contract.ts'
import { flatDay, folderForTest, makeLake, SMALL_DAYS } from '../fixtures/lake.ts'
import { tapehouseHere as tapehouse } from './in-process.ts'

const QUERY = 'query analytics-window --symbols ONE,TWO --range full --calculations MEAN,MAX_DRAWDOWN'.split(
  ' ',
)

/** A lake, the JSON answer to `QUERY`, and its citation. */
async function cited() {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: SMALL_DAYS })
  const answer = (await tapehouse([...QUERY, '--lake', lake, '--format', 'json'])).stdout
  const { stdout } = await tapehouse([...QUERY, '--lake', lake, '--explain'])
  return {
    folder,
    lake,
    answer,
    text: stdout.toString(),
    line: stdout.toString().trimEnd().split('\n').at(-1) ?? '',
  }
}

const cite = (lake: string, line: string) => tapehouse(['query', '--cite', line, '--lake', lake])

async function refusal(lake: string, line: string): Promise<string> {
  const { code, stdout, stderr } = await cite(lake, line)
  expect([code, stdout.toString()]).toEqual([1, ''])
  expect(stderr).toMatch(/^tapehouse: .+\n$/)
  return stderr
}

test('--explain names snapshot, build, template, files and the imports behind them', {
  tags: 'slow',
}, async () => {
  const { lake, text, answer } = await cited()
  expect(text).toMatch(/^operation +analytics-window$/m)
  expect(text).toMatch(/^snapshot +1, \d{4}-\d\d-\d\d \d\d:\d\d UTC, made by import daily-bars$/m)
  expect(text).toMatch(
    /^template +sql\/endpoints\/analytics-window-figures.sql, sql\/endpoints\/analytics-window.sql /m,
  )
  expect(text).toContain(`${answer.byteLength} bytes of JSON`)
  for (const { name } of (await loadSnapshot(lake)).files('stock_days')) expect(text).toContain(name)
  expect(text).toMatch(/^\S+ \S+ UTC {2}daily-bars +[0-9a-f]{12} {2}daily-bars\.csv$/m)
  const json = await tapehouse([...QUERY, '--lake', lake, '--explain', '--format', 'json'])
  expect(text).toContain(JSON.parse(json.stdout.toString()).citation)
})

test('a citation gives the same bytes after more was published, until vacuum deletes its snapshot', {
  tags: 'slow',
}, async () => {
  const { folder, lake, answer, line } = await cited()
  await makeLake(folder, { days: [flatDay('ONE', '2024-01-05', '1'), flatDay('ONE', '2024-01-08', '300')] })
  expect((await tapehouse([...QUERY, '--lake', lake, '--format', 'json'])).stdout.equals(answer)).toBe(false)
  const again = await cite(lake, line)
  expect([again.code, again.stderr, again.stdout.toString()]).toEqual([0, '', answer.toString()])

  await vacuum(lake, { snapshots: 1, graceMs: -1000 })
  expect(await refusal(lake, line)).toBe(
    `tapehouse: snapshot 1 is gone from ${lake}, vacuum deleted it: the lake has 2; "tapehouse snapshot keep NAME" keeps a snapshot\n`,
  )
})

test('an answer as of a time is explained and cited', { tags: 'slow' }, async () => {
  const folder = folderForTest()
  const lake = await makeLake(folder, { days: SMALL_DAYS })
  const asOf = [...QUERY, '--as-of', '2024-01-04', '--lake', lake]
  const answer = (await tapehouse([...asOf, '--format', 'json'])).stdout
  const text = (await tapehouse([...asOf, '--explain'])).stdout.toString()
  expect(text).toMatch(/^as of +the end of 2024-01-04; /m)
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  expect(line).toContain(' snapshot=1 as-of=2024-01-04 ')

  await makeLake(folder, { days: [flatDay('ONE', '2024-01-03', '7')] })
  expect((await tapehouse([...asOf, '--format', 'json'])).stdout.equals(answer)).toBe(false)
  const again = await cite(lake, line)
  expect([again.code, again.stderr, again.stdout.toString()]).toEqual([0, '', answer.toString()])
  const other = formatCitation({ ...parseCitation(line), asOf: '2024-01-05' })
  expect(await refusal(lake, other)).toContain('reads other files here')
})

test('a citation of another lake is refused', async () => {
  const { line } = await cited()
  const other = await makeLake(folderForTest(), { days: [flatDay('ONE', '2024-01-02', '7')] })
  expect(await refusal(other, line)).toContain('reads other files here: the citation is of another lake')
  const later = line.replace('snapshot=1', 'snapshot=2')
  expect((await cite(other, later)).stderr).toContain('its checksum does not match')
})

test('a changed or missing file is named', async () => {
  const { lake, line } = await cited()
  const [{ name } = { name: '' }] = (await loadSnapshot(lake)).files('stock_days')
  const path = join(lake, name)
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.subarray(0, -20))
  expect(await refusal(lake, line)).toContain(`${path} has changed or is gone`)
  rmSync(path)
  expect(await refusal(lake, line)).toContain(`${path} has changed or is gone`)
})

test.each([
  [
    'another build with the same SQL',
    { build: '0.0.9+old' },
    /the citation is of build 0\.0\.9\+old, this is /,
  ],
  [
    'another build with other SQL',
    { build: '0.0.9+old', template: '0'.repeat(16) },
    /its SQL differs between the build of the citation, 0\.0\.9\+old, and this one, .*: run that build$/m,
  ],
  ['this build', {}, /the citation is of another lake, or depended on the time of the request$/m],
])('a citation of %s gives the same bytes, or says what differs', async (_, made, reason) => {
  const { lake, answer, line } = await cited()
  const citation = { ...parseCitation(line), ...made }
  expect((await cite(lake, formatCitation(citation))).stdout.equals(answer)).toBe(true)
  const refused = await refusal(lake, formatCitation({ ...citation, sha256: 'f'.repeat(64) }))
  expect(refused).toContain(`analytics-window of snapshot 1 of ${lake} has another answer here: `)
  expect(refused).toMatch(reason)
})

test('an answer of several pages is cited as a whole', { tags: 'slow' }, async () => {
  const lake = await busyLake(folderForTest(), 10_300)
  const flow = ['query', 'contract-flow', '--id', BUSY.contract, '--date', BUSY.date, '--lake', lake]
  const answer = (await tapehouse([...flow, '--format', 'json'])).stdout
  expect(JSON.parse(answer.toString()).data).toHaveLength(10_300)
  const { stdout } = await tapehouse([...flow, '--explain', '--format', 'json'])
  const explanation = JSON.parse(stdout.toString())
  expect(explanation.answer.sha256).toBe(sha256Of(answer))
  expect((await cite(lake, explanation.citation)).stdout.equals(answer)).toBe(true)
})

test.each([
  [['query', '--cite', 'x'], /^tapehouse: "x" is not a citation: it must begin with "tapehouse:1 "\n$/],
  [['query', 'greeks', '--cite', 'x'], /--cite takes no "greeks"/],
  [['query', '--cite', 'x', '--snapshot', '7'], /--cite takes no "--snapshot 7"/],
  [['query', 'greeks', '--explain', '--sql'], /--sql and --explain exclude each other/],
  [['query', 'greeks', '--explain', '--format', 'csv'], /--explain does not print csv/],
])('%j is a usage error', async (args, message) => {
  const { code, stderr } = await tapehouse(args)
  expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1])
  expect(stderr).toMatch(message)
})
