import { writeSync } from 'node:fs'
import { figureOf } from './section.ts'
import { SECTIONS } from './sections.ts'

/**
 * One section in its own process: run-section <name> <folder> quick|full <only>. Figures go to the third stream, and last the
 * reason if the section cannot run.
 */
const FIGURES = 3
const [name = '', folder = '', form, only = ''] = process.argv.slice(2)
const section = await SECTIONS[name]?.load()
if (section === undefined) throw new Error(`no section ${name}`)
const quick = form === 'quick'
const command = `npm run bench -- ${name}${quick ? ' --quick' : ''}`
const pattern = new RegExp(only, 'i')
const chosen = (of: string) => pattern.test(of)
const note = (text: string) => process.stderr.write(`  ${text}\n`)
// Servers that it has started end with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const write = (line: unknown) => writeSync(FIGURES, `${JSON.stringify(line)}\n`)
try {
  for await (const measured of section({ quick, folder, chosen, note }))
    write(figureOf(name, command, measured))
} catch (thrown) {
  process.exitCode = 1
  write({ failed: thrown instanceof Error ? thrown.stack : String(thrown) })
}
// A server or a thread that is left must not keep the process.
process.exit()
