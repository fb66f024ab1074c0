import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWriter } from '../src/engine/writer.ts'
import { generate } from '../src/lake/generate/generate.ts'

/**
 * Processor time of a warm `query` by the single binary, in proportion to the checkout on the same Node.js: the median of
 * pairs that alternate. Run it in the root of the checkout, after `npm run build:binary`.
 */
const PAIRS = 41
const root = process.cwd()
const binary = join(root, 'dist/tapehouse')
if (existsSync(binary)) await compare()
else process.stdout.write('skipped: dist/tapehouse does not exist: run "npm run build:binary" first\n')

/** The Node.js that the binary contains, alone. */
function nodeOfBinary(): string {
  const script = `import('./bin/locked-packages.js').then(each => process.stdout.write(each.nodePackage()))`
  return join(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }), 'bin/node')
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-binary-'))
  try {
    const lake = join(folder, 'lake')
    const writer = await openWriter({ directories: [folder] })
    await generate(writer, lake, { seed: 7, days: 3, tickers: 30, tradesPerDay: 5000 }, () => {})
    writer.close()
    const query = [
      ...['query', 'analytics-window', '--symbols', 'ACME', '--range', 'full', '--calculations', 'MEAN'],
      ...['--format', 'json', '--lake', lake],
    ]
    const millisecondsOf = (command: readonly string[]) => {
      const script = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null`
      const env = { HOME: folder, PATH: '', TAPEHOUSE_THREADS: '1' }
      const { stderr } = spawnSync('/bin/bash', ['-c', script, 'bash', ...command], { env, encoding: 'utf8' })
      const [user = Number.NaN, system = Number.NaN] = (stderr.trimEnd().split('\n').at(-1) ?? '')
        .split(' ')
        .map(Number)
      return 1000 * (user + system)
    }
    const ofBinary = () => millisecondsOf([binary, ...query])
    const node = nodeOfBinary()
    const ofCheckout = () => millisecondsOf([node, join(root, 'bin/tapehouse.js'), ...query])
    // The first run extracts the library.
    ofBinary()
    const pairs = Array.from({ length: PAIRS }, () => [ofBinary(), ofCheckout()] as const)
    const medianOf = (values: readonly number[]) =>
      values.toSorted((one, other) => one - other)[Math.floor(PAIRS / 2)]
    const ratio = medianOf(pairs.map(([one, other]) => one / other))
    process.stdout.write(
      `binary ${medianOf(pairs.map(([one]) => one))?.toFixed(0)} ms, checkout ${medianOf(pairs.map(([, other]) => other))?.toFixed(0)} ms, median proportion of ${PAIRS} pairs ${ratio?.toFixed(3)}\n`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
