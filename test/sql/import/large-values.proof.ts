import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { amount, countCases } from '../../fixtures/tier.ts'
import { importingFormat } from './formats.ts'

/**
 * A number of any size rejects its row, or ends the import by name. In each sample file, each number that follows a name
 * or stands in a column is made large, one at a time.
 */

const SAMPLES = 'data/samples'
/** The first fits DECIMAL(18, 2) and BIGINT, the second neither. */
const LARGE = ['9999999999999999', '99999999999999999999']

interface Case {
  readonly format: string
  readonly file: string
  readonly from: number
  readonly to: number
  readonly large: string
}

const ALL: readonly Case[] = readdirSync(SAMPLES)
  .filter(folder => existsSync(`sql/import/${folder}.sql`))
  .flatMap(format => filesOf(join(SAMPLES, format)).map(file => ({ format, file })))
  .flatMap(({ format, file }) =>
    numbersOf(readFileSync(join(SAMPLES, format, file), 'utf8')).flatMap(([from, to]) =>
      LARGE.map(large => ({ format, file, from, to, large })),
    ),
  )
const STEP = Math.ceil(ALL.length / amount({ test: 1, prove: 60, long: ALL.length }))

test.each(ALL.filter((_, index) => index % STEP === 0))(
  'the number at $from of $file ($format) made $large',
  async ({ format, file, from, to, large }) => {
    countCases(1)
    const at = importingFormat(format)
    const folder = join(at.folder, 'samples')
    cpSync(join(SAMPLES, format), folder, { recursive: true })
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.slice(0, from) + large + text.slice(to))
    const outcome: unknown = await at.import([folder]).catch((thrown: unknown) => thrown)
    if (outcome instanceof Error) expect(Reflect.get(outcome, 'code'), outcome.message).toBe('input_refused')
  },
)

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter(file => statSync(join(folder, file)).isFile())
}

/** Where the numbers are: in the first row of a table, or behind each name that is new. */
function numbersOf(text: string): (readonly [from: number, to: number])[] {
  const isTable = !/^\s*[<{[]/.test(text)
  const start = isTable ? text.indexOf('\n') + 1 : 0
  const part = isTable ? text.slice(start, text.indexOf('\n', start) + 1) : text
  const seen = new Set<string>()
  const places: (readonly [number, number])[] = []
  for (const match of part.matchAll(/(?<![\w.-])-?\d+(\.\d+)?(?![\w.:-]|\/\d)/g)) {
    const before = part.slice(0, match.index)
    const name = isTable ? String(match.index) : (/("\w+"\s*:|<\w+>)[^:<>{}]*$/.exec(before)?.[1] ?? '')
    if (seen.has(name)) continue
    seen.add(name)
    places.push([start + match.index, start + match.index + match[0].length])
  }
  return places
}
