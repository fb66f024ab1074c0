import { suggestion } from '../../engine/nearest-name.ts'
import { type Audit, audit, type Found } from '../../lake/audit/audit.ts'
import { checks } from '../../lake/audit/check.ts'
import { isValidDate } from '../../market/day.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { withWriter, writerDefaults } from '../command/maintenance.ts'
import { counted } from '../terminal/terminal.ts'

const FORMATS = ['text', 'json']
const names = checks().map(({ name }) => name)

export const auditCommand: Command = {
  name: 'audit',
  usage: '[check…] [flags]',
  details: `Looks for rows that are improbable: nothing is changed. Checks: ${names.join(', ')}. Default: all. A check reads a limited number of days at a time. The exit code is 0 with findings too, unless --fail is set.`,
  examples: [
    'tapehouse audit --lake data/lake',
    'tapehouse audit undeclared-split --since 2024-01-01',
    'tapehouse audit --date 2024-12-31 --fail',
  ],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    date: { value: 'YYYY-MM-DD', help: 'Search only this day.' },
    since: { value: 'YYYY-MM-DD', help: 'Search only this day and later ones.' },
    examples: { value: 'N', default: '3', help: 'Examples per dataset and check, up to 1000.' },
    fail: { help: 'Exit with 1 if there is a finding.' },
    format: { value: FORMATS.join('|'), default: 'text', help: 'Output format.' },
  },
  run: async ({ positionals, settings, flags }) => {
    const unknown = positionals.find(name => !names.includes(name))
    if (unknown !== undefined)
      throw usage(auditCommand, `unknown check ${JSON.stringify(unknown)}: ${suggestion(unknown, names)}`)
    const day = (flag: 'date' | 'since') => {
      const [text] = flags[flag] ?? []
      if (text !== undefined && !isValidDate(text))
        throw usage(auditCommand, `--${flag} must be a date such as 2024-12-31, not ${JSON.stringify(text)}`)
      return text
    }
    const [date, since] = [day('date'), day('since')]
    if (date !== undefined && since !== undefined)
      throw usage(auditCommand, '--date and --since exclude each other')
    const [examples = '', format = ''] = [flags.examples?.[0], flags.format?.[0]]
    if (!/^\d{1,4}$/.test(examples) || Number(examples) < 1 || Number(examples) > 1000)
      throw usage(
        auditCommand,
        `--examples must be a whole number from 1 to 1000, not ${JSON.stringify(examples)}`,
      )
    if (!FORMATS.includes(format))
      throw usage(auditCommand, `--format must be text or json, not ${JSON.stringify(format)}`)

    const audited = await withWriter(settings, settings.lake, (writer, lake, observe) =>
      audit(writer, lake, observe, {
        from: date ?? since,
        to: date,
        only: positionals.length > 0 ? positionals : undefined,
        examples: Number(examples),
      }),
    )
    process.stdout.write(format === 'json' ? `${JSON.stringify(audited)}\n` : textOf(audited))
    return flags.fail?.length && audited.found.length > 0 ? 1 : 0
  },
}

function textOf({ snapshot, checks: done, found }: Audit): string {
  const total = found.reduce((sum, { findings }) => sum + findings, 0)
  const outcome = total === 0 ? 'nothing found' : counted(total, 'finding')
  return `${found.map(linesOf).join('')}Snapshot ${snapshot}: ${counted(done.length, 'check')}, ${outcome}.\n`
}

/** One line for a check and dataset, and one per example. */
function linesOf({ check, summary, dataset, findings, first_day, last_day, examples }: Found): string {
  const days = first_day === last_day ? `on ${first_day}` : `from ${first_day} to ${last_day}`
  const lines = examples.map(
    ({ date, ticker, reason }) => `  ${date} ${ticker === null ? '' : `${ticker} `}${reason}\n`,
  )
  return `${check}: ${counted(findings, 'finding')} in ${dataset} ${days}: ${summary}\n${lines.join('')}`
}
