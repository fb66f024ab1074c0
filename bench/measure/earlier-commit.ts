import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarketOptions } from '../../src/lake/generate/market.ts'
import { madeOnce } from './bench-lake.ts'

/** An earlier state of this program, with a lake of its own format. */
export interface EarlierCommit {
  /** Path of what Node.js runs. */
  readonly program: string
  readonly lake: string
}

/** A text in a file of a commit, and what takes its place. */
export interface Edit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/**
 * Builds the program of a commit of this repository with one edit, which generates a lake. Throws if git, npm, the commit or
 * the text is missing.
 */
export async function earlierCommit(
  commit: string,
  edit: Edit,
  folder: string,
  { seed, days, tickers, tradesPerDay }: MarketOptions,
): Promise<EarlierCommit> {
  const programOf = (checkout: string) => join(checkout, 'bin/tapehouse.js')
  const checkout = await madeOnce(join(folder, `commit-${commit}-edited`), async made => {
    const run = (command: string, args: readonly string[], cwd = made) =>
      execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    const archive = join(made, 'commit.tar')
    run('git', ['archive', '--output', archive, commit], process.cwd())
    run('tar', ['xf', archive])
    apply(edit, made)
    // It builds too.
    run('npm', ['ci', '--no-audit', '--no-fund'])
    mkdirSync(join(made, 'data'), { recursive: true })
    const options = { seed, days, tickers, 'trades-per-day': tradesPerDay, lake: join(made, 'data/lake') }
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    run(process.execPath, [programOf(made), 'generate', ...flags])
  })
  return { program: programOf(checkout), lake: join(checkout, 'data/lake') }
}

function apply({ file, from, to }: Edit, checkout: string): void {
  const path = join(checkout, file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  writeFileSync(path, text.replace(from, to))
}
