import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { tapehouseHere as tapehouse } from '../cli/in-process.ts'
import { folderForTest } from '../fixtures/lake.ts'

/** Every figure of an answer, recomputed by plain Python from the same CSV files: the script shares nothing with src. */

export const run = promisify(execFile)
export const here = fileURLToPath(new URL('.', import.meta.url))
export const python = await run('python3', ['--version']).then(
  () => true,
  () => false,
)
export const ALL =
  'MIN,MAX,MEAN,MEDIAN,CUMULATIVE_RETURN,VARIANCE,VARIANCE(annualized=True),STDDEV,STDDEV(annualized=True),MAX_DRAWDOWN,HISTOGRAM,HISTOGRAM(bins=20),AUTOCORRELATION,AUTOCORRELATION(lag=2),COVARIANCE,COVARIANCE(annualized=True),CORRELATION,CORRELATION(method=KENDALL),CORRELATION(method=SPEARMAN)'

export const AGREE = /(^|\n)\d{2,} figures agree$/

/** Imports files into a lake. */
export async function imported(format: string, sources: readonly string[], lake: string): Promise<void> {
  const { code, stderr } = await tapehouse(['import', format, ...sources, '--lake', lake])
  expect(code, stderr).toBe(0)
}

/** Asks through the command line and lets the script judge; its last line says how many figures agree. */
export async function agree(
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
  const answer = join(folderForTest(), 'answer.json')
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
