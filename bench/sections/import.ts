import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { date } from '../../src/engine/bind.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { importFiles } from '../../src/lake/import/import.ts'
import { derivations } from '../../src/lake/store/derivation.ts'
import { loadSnapshot } from '../../src/lake/store/snapshot.ts'
import { orderOf } from '../../src/lake/store/sorted-files.ts'
import { copyRows } from '../../src/lake/store/written-file.ts'
import { median } from '../measure/medians.ts'
import type { Circumstances, Measured } from '../section.ts'
import { IMPORT_FILES, type ImportFile } from './import-files.ts'

/**
 * Compares imports of CSV files with DuckDB's plain COPY of the same rows to Parquet, typed and sorted, with the codec and
 * row groups of a lake, and the derivations after it with one COPY per derived dataset. Each part runs in its own process
 * with two threads. The processor time of an import is that of its whole process after its start-up, which is shown apart,
 * and that of plain DuckDB the statement's.
 *
 * The parts are runs of this file: import.js <part> <format> <folder> <bytes of memory>.
 */
const ROWS = 500_000
const THREADS = 2
const MEMORY_MIB = 1024
const ROUNDS = 3

/** Processor seconds of all threads of this process so far, which are more reliable than wall time on a busy machine. */
export const processorSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6

/** Peak resident memory of this process, in MiB. */
const peakMib = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

export interface Files {
  readonly folder: string
  readonly csv: string
  readonly lake: string
  readonly memoryBytesMax: number
}

const openBenchWriter = ({ folder, memoryBytesMax }: Files) =>
  openWriter({ directories: [folder], threads: THREADS, memoryBytesMax })

/** Writes a file of so many rows: `rows` is a SELECT with $rows for their number. */
export async function makeFile(
  { rows }: Pick<ImportFile, 'rows'>,
  number: number,
  { csv }: Pick<Files, 'csv'>,
): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(THREADS) })
  const connection = await instance.connect()
  await connection.run(`SET TimeZone = 'UTC'`)
  const select = rows.replaceAll('$rows', String(number))
  await connection.run(`COPY (${select}) TO ${quoted(csv)} (FORMAT csv, HEADER)`)
  connection.closeSync()
  instance.closeSync()
}

/** Processor seconds of DuckDB's plain COPY of the file's rows to Parquet, sorted and typed. */
export async function bareSeconds({ types, bare: select }: ImportFile, files: Files): Promise<number> {
  const header = readFileSync(files.csv, 'utf8').split('\n', 1)[0] ?? ''
  const columns = header.split(',').map((name, index) => `${quoted(name)}: ${quoted(types[index] ?? '')}`)
  const file = `read_csv(${quoted(files.csv)}, columns = {${columns.join(', ')}}, auto_detect = false, header = true)`
  const started = processorSeconds()
  const writer = await openBenchWriter(files)
  const view = select.replace('FROM file', `FROM ${file} AS file`)
  await copyRows(writer, view, join(files.folder, 'bare.parquet'))
  writer.close()
  return processorSeconds() - started
}

const bare = async (file: ImportFile, files: Files) => [`bare ${await bareSeconds(file, files)}`]

/** Imports the file. Prints the processor seconds of start-up, of the import and of the derivations after it. */
async function imported({ format }: ImportFile, files: Files): Promise<string[]> {
  const started = processorSeconds()
  const tasks: { task: string; from: number }[] = []
  const { rows, rejected } = await importFiles({
    format,
    inputs: [files.csv],
    lake: files.lake,
    threads: THREADS,
    memoryBytesMax: files.memoryBytesMax,
    observe: each => {
      if (each.kind === 'notice') process.stdout.write(`note: ${each.message}\n`)
      if (each.kind === 'progress' && tasks.at(-1)?.task !== each.task)
        tasks.push({ task: each.task, from: processorSeconds() })
    },
  })
  const end = processorSeconds()
  const derived = tasks.find(({ task }) => task.startsWith('derive '))?.from ?? end
  const parts = tasks.map(
    ({ task, from }, index) => `${task} ${((tasks[index + 1]?.from ?? end) - from).toFixed(2)}`,
  )
  process.stdout.write(
    `  ${rows} rows, ${rejected} rejected, peak ${peakMib().toFixed(0)} MiB; start-up ${started.toFixed(2)}, ${parts.join(', ')}\n`,
  )
  return [`import ${derived - started}`, `derivation ${end - derived}`]
}

/** Computes each derived dataset of the lake in one statement. Prints the processor seconds of all. */
async function statements(_: ImportFile, files: Files): Promise<string[]> {
  const snapshot = await loadSnapshot(files.lake)
  const writer = await openBenchWriter(files)
  let total = 0
  for (const { dataset: derived, reads, sql } of derivations().values()) {
    const own = snapshot.files(derived.name)
    if (own.length === 0) continue
    const days = own.flatMap(({ dates }) => dates).toSorted()
    const bindings: Record<string, Awaited<ReturnType<typeof writer.bindFiles>>> = {}
    for (const { dataset: input } of reads)
      bindings[input.name] = await writer.bindFiles(
        input,
        input === derived ? [] : snapshot.files(input.name),
      )
    const started = processorSeconds()
    await copyRows(
      writer,
      `FROM (${sql}) ORDER BY ${orderOf(derived)}`,
      join(files.folder, 'derived.parquet'),
      {
        ...bindings,
        from: date(days[0] ?? ''),
        to: date(days.at(-1) ?? ''),
      },
    )
    total += processorSeconds() - started
  }
  writer.close()
  return [`statements ${total}`]
}

const PARTS = { bare, imported, statements }

/** Runs one part in a new process. Returns the processor seconds that it prints, by name. */
function run(part: keyof typeof PARTS, { format }: ImportFile, files: Files): Map<string, number> {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), part, format, files.folder, String(files.memoryBytesMax)],
    { encoding: 'utf8' },
  )
  const [shown = '', results = ''] = stdout.split('\0')
  process.stderr.write(shown + stderr)
  if (status !== 0) throw new Error(`${part} of ${format} failed`)
  return new Map(results.split('\n').map(line => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]))
}

export const filesIn = (folder: string, memoryBytesMax: number): Files => ({
  folder,
  csv: join(folder, 'file.csv'),
  lake: join(folder, 'lake'),
  memoryBytesMax,
})

const isPart = (name: string | undefined): name is keyof typeof PARTS => Object.hasOwn(PARTS, name ?? '')

const [part, format, folder, bytes] = process.argv.slice(2)
if (import.meta.filename === process.argv[1] && isPart(part)) {
  const file = IMPORT_FILES.find(each => each.format === format)
  if (file === undefined) throw new Error(`no file of ${format}`)
  const results = await PARTS[part](file, filesIn(folder ?? '', Number(bytes)))
  process.stdout.write(`\0${results.join('\n')}`)
}

export async function* imports({ quick, note }: Circumstances): AsyncGenerator<Measured> {
  const rows = quick ? 20_000 : ROWS
  for (const file of IMPORT_FILES) {
    const root = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
    try {
      const files = filesIn(join(root, 'files'), MEMORY_MIB * 1024 ** 2)
      mkdirSync(files.folder)
      await makeFile(file, rows, files)
      note(`${file.format}: ${rows} rows, ${(statSync(files.csv).size / 1024 ** 2).toFixed(0)} MiB of CSV`)
      const taken: Map<string, number>[] = []
      for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
        rmSync(files.lake, { recursive: true, force: true })
        taken.push(
          new Map([
            ...run('bare', file, files),
            ...run('imported', file, files),
            ...run('statements', file, files),
          ]),
        )
      }
      const took = (name: string) => median(taken.map(each => each.get(name) ?? 0))
      const compared = (one: string, other: string, atMost: number): Measured[] => {
        const [a, b] = [took(one), took(other)]
        if (b === 0) return []
        const details = { [`${one}, processor s`]: a, [`${other}, processor s`]: b }
        return [{ name: `${file.format}, ${one}`, ratio: a / b, target: { atMost }, details }]
      }
      yield* compared('import', 'bare', 2.5)
      yield* compared('derivation', 'statements', 2)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
}
