import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { COMMITTEES, gift, link, transaction } from './records.ts'

type Files = Readonly<Record<string, readonly string[]>>

function given(files: Files, options: Readonly<Record<string, string>> = {}) {
  const format = importingFormat('fec-bulk')
  const paths = Object.entries({ 'cm.txt': COMMITTEES, ...files }).map(([name, lines]) =>
    format.file(name, lines),
  )
  return {
    refusal: () => format.refusal(paths, { options }),
    async cycles() {
      await format.import(paths, { options })
      return format.rows('SELECT DISTINCT cycle, cycle_end FROM bars', 'fec_committees')
    },
  }
}

const gifts = (...years: number[]) => years.map((year, place) => gift(`${place}`, { day: `0115${year}` }))
const summary = `C00000001|N|Q|U|Q${'|'.repeat(22)}`

describe('the cycle', () => {
  test('is that of the flag, whatever the files contain', async () => {
    expect(await given({ 'ccl.txt': [link(2020)] }, { cycle: '2018' }).cycles()).toEqual(['2018 2018-12-31'])
  })

  test('is that of the links, whatever days the contributions have', async () => {
    const files = { 'ccl.txt': [link(2020), link(2020)], 'itpas2.txt': gifts(2018, 2018) }
    expect(await given(files).cycles()).toEqual(['2020 2020-12-31'])
  })

  test('is that in the name of a file, in two digits or four', async () => {
    expect(await given({ 'webk98.txt': [summary] }).cycles()).toEqual(['1998 1998-12-31'])
    expect(await given({ 'webk2004.txt': [summary] }).cycles()).toEqual(['2004 2004-12-31'])
  })

  test('is the one with the most contributions, the later of two with equally many', async () => {
    expect(await given({ 'itpas2.txt': gifts(2018, 2018, 2019) }).cycles()).toEqual(['2018 2018-12-31'])
    expect(await given({ 'itpas2.txt': gifts(2018, 2020) }).cycles()).toEqual(['2020 2020-12-31'])
    const people = [transaction('1', { type: '15', entity: 'IND', day: '12312017' })]
    expect(await given({ 'itcont.txt': people }).cycles()).toEqual(['2018 2018-12-31'])
  })

  test('must be one, known, and an even year', async () => {
    const links = { 'ccl.txt': [link(2020)] }
    expect(await given({ ...links, 'webk18.txt': [summary] }).refusal()).toMatch(/files of several cycles/)
    expect(await given({}).refusal()).toMatch(/unknown: specify it with --cycle/)
    expect(await given(links, { cycle: '2019' }).refusal()).toMatch(/not an even year/)
    expect(await given(links, { cycle: '20' }).refusal()).toMatch(/not an even year/)
  })
})
