import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { allocatorEnvironment } from '../src/api/supervise/environment.ts'
import { serverAllocator } from './measure/allocator.ts'
import { isBuilt } from './measure/program.ts'
import {
  comparisonOf,
  lineOf,
  markdownOf,
  type Results,
  readResults,
  writeResults,
  writeText,
} from './results.ts'
import type { Figure } from './section.ts'
import { SECTIONS } from './sections.ts'

const FOLDER = 'node_modules/.cache/tapehouse/bench'

const USAGE = `npm run bench [-- SECTION…] [--quick] [--only PATTERN] [--folder DIR] [--results FILE] [--markdown FILE]
npm run bench -- --compare ONE.json OTHER.json

Measures, prints ratios, and writes them to bench/results/<date>.json and, as a table, to bench/results/<date>.md. The exit
code is 0 whatever the ratios are. It is 1 if a section cannot run, or if answers that are compared differ.

Sections:
${Object.entries(SECTIONS)
  .map(
    ([name, { measures, onlyByName }]) =>
      `  ${name.padEnd(14)}${measures}${onlyByName ? ' (only by name)' : ''}`,
  )
  .join('\n')}

Flags:
  --quick          Fewer and shorter measurements of smaller data, at most 3 minutes. They judge nothing.
  --only PATTERN   Only what has a name that matches, in sections whose measurements can be chosen.
  --folder DIR     Where data and peers are kept. Default: ${FOLDER}.
  --results FILE   Where results are written. Default: bench/results/<date>.json, or nowhere with --quick.
  --markdown FILE  Where the table is written. Default: beside the results, with the ending .md.
  --compare        Compares two files of results.
  --help           Prints this.
`

const { values, positionals } = orFail(() =>
  parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      folder: { type: 'string', default: FOLDER },
      results: { type: 'string' },
      markdown: { type: 'string' },
      compare: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }),
)
if (values.help) process.stdout.write(USAGE)
else if (values.compare) compare()
else await measure()

function compare(): void {
  const [one, other, ...more] = positionals
  if (one === undefined || other === undefined || more.length > 0)
    return fail('--compare needs two files of results: npm run bench -- --compare ONE.json OTHER.json')
  process.stdout.write(orFail(() => comparisonOf(readResults(one), readResults(other))))
}

async function measure(): Promise<void> {
  const unknown = positionals.filter(name => !Object.hasOwn(SECTIONS, name))
  if (unknown.length > 0)
    return fail(`unknown section ${unknown.join(', ')}: the sections are ${Object.keys(SECTIONS).join(', ')}`)
  const names =
    positionals.length > 0
      ? positionals
      : Object.entries(SECTIONS).flatMap(([name, { isQuick, onlyByName }]) =>
          (values.quick ? isQuick : !onlyByName) ? [name] : [],
        )
  if (!isBuilt())
    return fail('the program is not built, or src has changed since: run "npm run build" first', 1)
  const date = new Date().toISOString()
  const figures: Figure[] = []
  const failed: string[] = []
  orFail(() => new RegExp(values.only))
  orFail(() => mkdirSync(values.folder, { recursive: true }))
  const installed = serverAllocator(text => process.stderr.write(`  ${text}\n`))
  const worker = allocatorEnvironment(installed, process.env)
  for (const name of names) {
    process.stdout.write(`\n== ${name}\n`)
    const reason = await section(name, SECTIONS[name]?.asWorker ? worker : {}, figures)
    if (reason !== null) failed.push(`${name}: ${reason}`)
  }
  const results: Results = {
    date,
    quick: values.quick,
    node: process.version,
    cores: availableParallelism(),
    allocator: worker.LD_PRELOAD || null,
    figures,
  }
  const table = markdownOf(results)
  process.stdout.write(`\n${table}`)
  const path = values.results ?? (values.quick ? null : join('bench/results', `${date.slice(0, 10)}.json`))
  if (path !== null) writeResults(path, results)
  const markdown = values.markdown ?? path?.replace(/(\.json)?$/, '.md')
  if (markdown !== undefined) writeText(markdown, table)
  if (failed.length > 0) fail(`these sections could not run:\n${failed.join('\n')}`, 1)
}

/**
 * Runs a section in a process of its own, which writes its figures as lines of JSON to a third stream. Its environment is also
 * that of all processes that it starts. If it cannot run, the reason is returned.
 */
async function section(
  name: string,
  environment: Readonly<Record<string, string>>,
  figures: Figure[],
): Promise<string | null> {
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      fileURLToPath(new URL('run-section.js', import.meta.url)),
      ...[name, resolve(values.folder), values.quick ? 'quick' : 'full', values.only],
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      env: { ...process.env, ...environment },
    },
  )
  const ended = once(child, 'close')
  const stream = child.stdio[3]
  if (!(stream instanceof Readable)) throw new Error('no stream of figures')
  let reason: string | null = null
  for await (const line of createInterface({ input: stream })) {
    const written = JSON.parse(line) as Figure | { readonly failed: string }
    if ('failed' in written) reason = written.failed
    else {
      figures.push(written)
      process.stdout.write(`${lineOf(written)}\n`)
    }
  }
  const [code, signal] = await ended
  return code === 0 ? null : (reason ?? `its process ended with ${signal ?? `exit code ${code}`}`)
}

function fail(problem: string, code = 2): void {
  process.stderr.write(`${problem}\n`)
  process.exitCode = code
}

/** What a function of the arguments returns. If it throws, the program ends with the reason. */
function orFail<T>(read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    fail(`${thrown instanceof Error ? thrown.message : thrown}\nnpm run bench -- --help lists the arguments`)
    process.exit()
  }
}
