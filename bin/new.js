import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { calculation } from './new/calculation.js'
import { dataset } from './new/dataset.js'
import { format } from './new/format.js'
import { operation } from './new/operation.js'

/**
 * `npm run new <kind> <name>`: writes the files of a new operation, format, dataset or calculation and prints what to
 * write in them. They are syntactically correct but not complete: `…` marks what is to be written, and
 * `npx vitest run test/house` names it.
 *
 * A kind has a `summary`; `words`, the pattern of its names, and `separator`; `files(name)`, text by path;
 * `lines(name)`, lines to insert in files in their sorted order; and `next(name)`, the next steps.
 */
const KINDS = { operation, format, dataset, calculation }

const root = fileURLToPath(new URL('../', import.meta.url))
const at = path => join(root, path)

const HELP = `Usage: npm run new <kind> <name>

Writes the files of a new part of the project and prints the next steps.

Kinds:
${Object.entries(KINDS)
  .map(([kind, { summary, example }]) => `  ${kind.padEnd(12)} ${summary}, for example ${example}`)
  .join('\n')}
`

/** What is wrong with the arguments, or null. */
function problemWith([kind, name, ...rest]) {
  if (kind === undefined) return `expected a kind and a name. Kinds: ${Object.keys(KINDS).join(', ')}`
  if (!Object.hasOwn(KINDS, kind))
    return `"${kind}" is not a kind; use one of ${Object.keys(KINDS).join(', ')}`
  const { separator, example } = KINDS[kind]
  if (name === undefined) return `expected a name for the ${kind}, for example ${example}`
  if (rest.length > 0) return `unexpected argument "${rest[0]}"; a name is one word such as ${example}`
  const words = new RegExp(`^[a-z][a-z0-9]*(?:${separator}[a-z0-9]+)*$`)
  if (!words.test(name) || name.length > 60)
    return `"${name}" is not a name; use lower-case letters and digits, words separated by "${separator}", for example ${example}`
  if (isReserved(name)) return `"${name}" is a reserved word of JavaScript; use another name`
  return existing(KINDS[kind], name)
}

/** Whether JavaScript does not permit a name for an export. */
function isReserved(name) {
  try {
    return !new Function(`'use strict'; const ${camel(name)} = 0`)
  } catch {
    return true
  }
}

/** `stock-days` → `stockDays`. */
const camel = name => name.replaceAll(/[-_](\w)/g, (_, letter) => letter.toUpperCase())

function existing({ files, lines }, name) {
  const found =
    Object.keys(files(name)).find(path => existsSync(at(path))) ??
    Object.entries(lines(name)).find(([path, line]) =>
      readFileSync(at(path), 'utf8').split('\n').includes(line),
    )?.[0]
  return found === undefined ? null : `${name} exists already: ${found}. Use another name`
}

/** Inserts a line in front of the first line of its kind that sorts after it. */
function insert(path, line) {
  const lines = readFileSync(at(path), 'utf8').trimEnd().split('\n')
  const isAlike = other => other.startsWith(line.split(' ')[0])
  const index = lines.findIndex(other => isAlike(other) && keyOf(other) > keyOf(line))
  lines.splice(index === -1 ? lines.length : index, 0, line)
  writeFileSync(at(path), `${lines.join('\n')}\n`)
}

/** Lines sort by the file that they name. */
const keyOf = line => /'([^']*)'/.exec(line)?.[1] ?? line

function create(kind, name) {
  const { files, lines, next } = KINDS[kind]
  for (const [path, text] of Object.entries(files(name))) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  for (const [path, line] of Object.entries(lines(name))) insert(path, line)
  const created = [...Object.keys(files(name)), ...Object.keys(lines(name)).map(path => `${path} (one line)`)]
  const steps = next(name).map((step, index) => `  ${index + 1}. ${step}`)
  process.stdout.write(
    `Created:\n${created.map(path => `  ${path}\n`).join('')}\nNext (… marks what is to be written):\n${steps.join('\n')}\n`,
  )
}

const args = process.argv.slice(2)
const problem = problemWith(args)
if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP)
else if (problem === null) create(args[0], args[1])
else {
  process.stderr.write(`new: ${problem}. npm run new -- --help lists the kinds\n`)
  process.exitCode = 2
}
