import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tapehouseHere as tapehouse } from '../cli/in-process.ts'

/** Every figure of an answer, recomputed by plain Python from the same CSV files: the script shares nothing with src. */

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const realdata = fileURLToPath(new URL('../../../shared/realdata/', import.meta.url))
const python = await run('python3', ['--version']).then(
  () => true,
  () => false,
)
const samples = fileURLToPath(new URL('../../data/samples/', import.meta.url))
const ALL =
  'MIN,MAX,MEAN,MEDIAN,CUMULATIVE_RETURN,VARIANCE,VARIANCE(annualized=True),STDDEV,STDDEV(annualized=True),MAX_DRAWDOWN,HISTOGRAM,HISTOGRAM(bins=20),AUTOCORRELATION,AUTOCORRELATION(lag=2),COVARIANCE,COVARIANCE(annualized=True),CORRELATION,CORRELATION(method=KENDALL),CORRELATION(method=SPEARMAN)'

const folder = mkdtempSync(join(tmpdir(), 'tapehouse-agreement-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Asks through the command line and lets the script judge; its last line says how many figures agree. */
async function agree(
  into: string,
  query: Record<string, string>,
  sources: readonly string[],
): Promise<string> {
  const flags = Object.entries(query).flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, value])
  const { stdout, stderr, code } = await tapehouse([
    'query',
    'analytics-window',
    ...flags,
    '--format',
    'json',
    '--lake',
    into,
  ])
  expect(code, stderr).toBe(0)
  const answer = join(folder, 'answer.json')
  writeFileSync(answer, stdout)
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const verdict = await run('python3', [
    '-B',
    join(here, 'analytics.py'),
    '--answer',
    answer,
    '--query',
    text,
    ...sources,
  ]).catch((thrown: { stdout: string; stderr: string }) => thrown)
  return `${verdict.stdout}${verdict.stderr}`.trimEnd().split('\n').slice(-4).join('\n')
}

const AGREE = /(^|\n)\d{2,} figures agree$/

describe.skipIf(!python)('python3 agrees', () => {
  test('that the script itself can fail', async () => {
    const { stderr } = await run('python3', ['-B', '-m', 'unittest', 'discover', '-s', here, '-t', here])
    expect(stderr).toMatch(/Ran \d+ tests[\s\S]*OK/)
  })

  describe('on the samples', () => {
    const source = (format: string) => join(samples, format, `${format}.csv`)
    beforeAll(async () => {
      for (const format of ['daily-bars', 'minute-bars']) {
        const { code, stderr } = await tapehouse([
          'import',
          format,
          source(format),
          '--lake',
          join(folder, format),
        ])
        expect(code, stderr).toBe(0)
      }
    })
    test.each([
      ['DAILY', 'daily-bars'],
      ['WEEKLY', 'daily-bars'],
      ['1min', 'minute-bars'],
      ['5min', 'minute-bars'],
    ])('with interval %s', async (interval, format) => {
      const query = { symbols: 'ACME,BOLT,NONE', range: 'full', interval, calculations: ALL }
      expect(await agree(join(folder, format), query, [source(format)])).toMatch(AGREE)
    })
  })

  describe.skipIf(!existsSync(realdata))('on the real data of ../shared', () => {
    const days = join(realdata, 'stocks_daily/djia_2006_2018')
    const csv = existsSync(days) ? readdirSync(days).map(name => join(days, name)) : []
    const bars = join(realdata, 'stocks_intraday/lean_equity_minute_trade.csv.gz')
    // A lake each: days that minute bars make would be the daily ones' newest.
    beforeAll(async () => {
      for (const [format, sources] of [
        ['daily-bars', csv],
        ['minute-bars', [bars]],
      ] as const) {
        const { code, stderr } = await tapehouse([
          'import',
          format,
          ...sources,
          '--lake',
          join(folder, 'real', format),
        ])
        expect(code, stderr).toBe(0)
      }
    })
    const daily: Record<string, string>[] = [
      { symbols: 'AAPL,MSFT,IBM', range: '2010-01-01', range_end: '2016-12-31' },
      { symbols: 'BA,CAT,DIS,NOPE', range: 'full', ohlc: 'open' },
      { symbols: 'GE,KO', range: '18month', range_end: '2012-10-31', ohlc: 'high', interval: 'WEEKLY' },
      { symbols: 'aabA,xom', range: '2008-09', ohlc: 'low' },
      { symbols: 'BA,JPM', range: '10year', interval: 'MONTHLY', ohlc: 'close' },
    ]
    test.each(daily)('$symbols $range $range_end $interval $ohlc', async query => {
      expect(await agree(join(folder, 'real', 'daily-bars'), { ...query, calculations: ALL }, csv)).toMatch(
        AGREE,
      )
    })
    const intraday: Record<string, string>[] = [
      { symbols: 'AAPL', range: '2014-06-05', range_end: '2014-06-09', interval: '1min' },
      { symbols: 'AAPL,TWX', range: '2014-06', interval: '15min', ohlc: 'high' },
      {
        symbols: 'AAPL',
        range: '2014-06-05T14:00:00Z',
        range_end: '2014-06-06T15:30:00Z',
        interval: '60min',
        ohlc: 'open',
      },
    ]
    test.each(intraday)('$symbols $range $range_end $interval $ohlc', async query => {
      // Daily closes of AAPL in 2014 hold no adjustment: raw prices on both sides.
      expect(
        await agree(join(folder, 'real', 'minute-bars'), { ...query, calculations: ALL }, [bars]),
      ).toMatch(AGREE)
    })
  })
})
