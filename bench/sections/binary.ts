import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchLake, SMALL } from '../measure/bench-lake.ts'
import { median } from '../measure/medians.ts'
import { PROGRAM } from '../measure/program.ts'
import type { Circumstances, Measured } from '../section.ts'

/**
 * Processor time of a warm `query` by the single binary, in proportion to the checkout on the same Node.js: the median of
 * pairs that alternate. Run it in the root of the checkout, after `npm run build:binary`.
 */
const PAIRS = 41
const root = process.cwd()
const binary = join(root, 'dist/tapehouse')

/** The Node.js that the binary contains, alone. */
function nodeOfBinary(): string {
  const script = `import('./bin/locked-packages.js').then(each => process.stdout.write(each.nodePackage()))`
  return join(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }), 'bin/node')
}

export async function* singleBinary({ quick, folder: kept }: Circumstances): AsyncGenerator<Measured> {
  if (!existsSync(binary)) throw new Error('dist/tapehouse does not exist: run "npm run build:binary" first')
  const lake = await benchLake(kept, SMALL)
  const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-binary-'))
  try {
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
    const ofCheckout = () => millisecondsOf([node, PROGRAM, ...query])
    // The first run extracts the library.
    ofBinary()
    const pairs = Array.from({ length: quick ? 5 : PAIRS }, () => [ofBinary(), ofCheckout()] as const)
    yield {
      name: 'warm query, binary against checkout',
      ratio: median(pairs.map(([one, other]) => one / other)),
      target: { atMost: 1 },
      details: {
        'binary, processor ms': median(pairs.map(([one]) => one)),
        'checkout, processor ms': median(pairs.map(([, other]) => other)),
      },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
