// `node bin/make-lake.js [name]`: makes test/fixtures/lakes/<name>, a small lake of this version and its answers. The
// default name is the version. Run it once for each release: every later version must read the lake and give the same
// answers.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const target = resolve(root, 'test/fixtures/lakes', process.argv[2] ?? version)
if (existsSync(target)) {
  process.stderr.write(
    `make-lake: ${target} exists, and the lake of a release never changes: give another name\n`,
  )
  process.exit(2)
}

/** Conditions on the rows of the generated market, by dataset, that keep the lake small. */
const KEPT = {
  crypto_candles: `pair = 'BTC-USD' AND date = '2024-12-31'`,
  fx_quotes: `date >= '2024-12-01'`,
  institution_holdings: `cik IN ('9001210', '9001219', '9001228', '9001237')`,
}

/** Files that replace rows of the lake and add some, so that it has older snapshots and files that they alone name. */
const CORRECTIONS = [
  {
    format: 'daily-bars',
    name: 'bars.csv',
    content: [
      'Date,Open,High,Low,Close,Adj Close,Volume,Name',
      '2024-12-30,10.00,12.00,9.00,11.00,11.00,5000,ACME',
      '2024-12-31,11.00,13.00,10.00,12.50,12.50,6000,ACME',
      '2024-12-31,20.00,21.00,19.50,20.25,20.25,7000,CEDAR',
      '',
    ].join('\n'),
  },
  {
    format: 'posts',
    name: 'posts.jsonl',
    content: `${JSON.stringify({ id: '110000000000000001', created_at: '2024-12-31T13:05:00Z', content: 'The library opens on Monday.', is_reblog: false, replies_count: 0 })}\n`,
  },
]

const folder = mkdtempSync(join(tmpdir(), 'tapehouse-lake-'))
const silent = () => {}
const patient = new AbortController().signal

/** Compiles the program into the folder, because the build of a release has no modules to import. */
function compile() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist')], {
    cwd: root,
  })
  for (const name of ['sql', 'package.json', 'node_modules'])
    symlinkSync(join(root, name), join(folder, name))
  return name => import(pathToFileURL(join(folder, 'dist', name)))
}

const load = compile()
const { openWriter } = await load('engine/writer.js')
const { loadSnapshot } = await load('lake/store/snapshot.js')
const { literal, files: fileList } = await load('engine/bind.js')

/** Exports a generated market as one Parquet file per dataset. Returns their paths, by dataset. */
async function exportMarket() {
  const { generate } = await load('lake/generate/generate.js')
  const { importable } = await load('lake/import/format/canonical.js')
  const market = join(folder, 'market')
  const writer = await openWriter({ directories: [folder], threads: 2 })
  const options = { seed: 7, days: 1, tickers: 3, tradesPerDay: 400, warmSessions: 10 }
  await generate(writer, market, options, silent)
  const snapshot = await loadSnapshot(market)
  const exported = new Map()
  for (const dataset of importable()) {
    const paths = snapshot.files(dataset).map(({ path }) => path)
    if (paths.length === 0) continue
    const path = join(folder, `${dataset}.parquet`)
    await writer.run(
      `COPY (FROM read_parquet(${literal(fileList(paths))}, hive_partitioning = false) WHERE ${KEPT[dataset] ?? 'true'})
       TO '${path}' (FORMAT parquet)`,
    )
    exported.set(dataset, path)
  }
  writer.close()
  return exported
}

/** Imports the exported market, one dataset after the other, and the corrections. */
async function makeLake(lake) {
  const { importFiles } = await load('lake/import/import.js')
  const { vacuum } = await load('lake/maintain/vacuum.js')
  const take = (format, path) => importFiles({ format, inputs: [path], lake, observe: silent, threads: 1 })
  for (const [dataset, path] of await exportMarket()) await take(`parquet-${dataset}`, path)
  await vacuum(lake, { snapshots: 1, graceMs: 0 })
  for (const { format, name, content } of CORRECTIONS) {
    writeFileSync(join(folder, name), content)
    await take(format, join(folder, name))
  }
}

/** For each operation the first request of its examples that has an answer, and the answer. */
async function answersOf(lake) {
  const { operations } = await load('operations/index.js')
  const { openEngine } = await load('engine/engine.js')
  const { dataset } = await load('lake/store/datasets.js')
  const { requestsFor, inputFor } = await load('cli/smoke/requests.js')
  const { validate } = await load('operations/answering/validate.js')
  const { answer, pin } = await load('operations/answering/answer.js')
  const { examine } = await load('cli/smoke/answer.js')
  const snapshot = await loadSnapshot(lake)
  const engine = await openEngine(
    {
      lake,
      threads: 1,
      memoryBytesMax: 2 ** 29,
      temporaryBytesMax: 2 ** 29,
      leasesMax: 1,
      queueMax: 16,
      schemaOf: dataset,
    },
    silent,
  )
  const lines = []
  for (const operation of operations) {
    for (const request of await requestsFor(operation, snapshot, engine, patient)) {
      const { values } = validate(operation, inputFor(operation, request))
      const pinned = pin(operation, values, snapshot, { owner: null, admin: true })
      const body = Buffer.from((await answer(pinned, engine, 'json', patient)).bytes).toString()
      if (examine(operation, JSON.parse(body)).problems.length > 0) continue
      lines.push({ operation: operation.id, request, body })
      break
    }
    if (lines.at(-1)?.operation !== operation.id) throw new Error(`${operation.id} has no answer`)
  }
  await engine.close()
  return lines
}

try {
  const lake = join(folder, 'lake')
  await makeLake(lake)
  const answers = await answersOf(lake)
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'answers.ndjson'), answers.map(each => `${JSON.stringify(each)}\n`).join(''))
  execFileSync('tar', ['--sort=name', '-czf', join(target, 'lake.tar.gz'), '-C', lake, '.'])
  process.stdout.write(`Made ${target}.\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
