import { resolve } from 'node:path'
import type { Explanation } from '../../operations/citing/explanation.ts'
import { type Column, columnTable, outputWidth } from '../terminal/columns.ts'
import { amount, count } from '../terminal/terminal.ts'

const SHORT = 12

/** Where an answer comes from, as text. */
export function explanationText(lake: string, explanation: Explanation): string {
  const { citation, operation, parameters, snapshot, build, template, answer, files, imports } = explanation
  const facts: readonly (readonly [name: string, text: string])[] = [
    ['operation', operation],
    ['parameters', settings(parameters)],
    ['lake', resolve(lake)],
    [
      'snapshot',
      `${snapshot.number}, ${minuteOf(snapshot.created_at)}${snapshot.made_by === null ? '' : `, made by ${snapshot.made_by}`}`,
    ],
    ...(snapshot.as_of === null
      ? []
      : [['as of', `the end of ${snapshot.as_of}; files are computed for this answer`] as const]),
    ['build', build],
    ['template', `${template.files.join(', ')} (${template.hash})`],
    ['answer', `${count(answer.bytes)} bytes of JSON, sha256 ${answer.sha256}`],
  ]
  const width = Math.max(...facts.map(([name]) => name.length))
  const column = (name: string, cells: string[], align: Column['align'] = 'left'): Column => ({
    name,
    cells,
    align,
  })
  const parts = [
    facts.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join(''),
    files.length === 0
      ? 'No file of the lake can have rows of this request.\n'
      : columnTable(
          [
            column(
              'rows',
              files.map(each => count(each.rows)),
              'right',
            ),
            column(
              'size',
              files.map(each => amount(each.bytes, 'bytes')),
              'right',
            ),
            column(
              'file',
              files.map(each => each.name),
            ),
          ],
          outputWidth(),
        ),
    imports.length === 0
      ? snapshot.synthetic
        ? 'Synthetic: all rows are generated, from no imported file.\n'
        : 'The lake records no imported file behind these rows.\n'
      : columnTable(
          [
            column(
              'imported',
              imports.map(({ file }) => (file ? minuteOf(file.time) : 'not recorded')),
            ),
            column(
              'format',
              imports.map(({ file }) => file?.format ?? ''),
            ),
            column(
              'sha256',
              imports.map(({ file }) => `${file?.sha256.slice(0, SHORT) ?? ''}`),
            ),
            column(
              'file',
              imports.map(({ file, input }) => file?.name ?? `input ${input.slice(0, SHORT)}`),
            ),
          ],
          outputWidth(),
        ),
    `${citation}\n`,
  ]
  return parts.join('\n')
}

/** `2024-06-03 08:15 UTC` */
const minuteOf = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`

/** The parameters that have a value. */
const settings = (parameters: Explanation['parameters']) =>
  Object.entries(parameters)
    .filter(([, value]) => value !== 'NULL')
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')
