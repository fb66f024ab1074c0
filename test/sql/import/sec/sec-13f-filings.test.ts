import { describe, expect, test } from 'vitest'
import { asOf, valuesIn } from '../../../lake/point-in-time/small-lake.ts'
import { importingFormat } from '../formats.ts'
import { investor, submission } from './thirteen-f.ts'

/** The latest row of each position that was filed by a day. */
const latestBy = (day: string) => `(
  FROM bars
  WHERE filing_date <= DATE '${day}'
  QUALIFY filing_date = max(filing_date) OVER (PARTITION BY cik, report_date, ticker, security_type, put_call)
)`

/** A lake, and the text of files to import into it: XML unless it begins as JSON. */
function filing() {
  const at = importingFormat('sec-13f')
  let files = 0
  return {
    ...at,
    take(texts: readonly string[], options: Record<string, string> = {}) {
      const paths = texts.map(text => at.file(`${++files}${text.startsWith('{') ? '.json' : '.txt'}`, text))
      return at.import(paths, { options })
    },
    /** CUSIP or ticker and units of the positions that are held, by what was filed by a day. */
    positions: (day = '9999-12-31') =>
      at.rows(
        `SELECT ticker, units FROM ${latestBy(day)} WHERE units > 0 ORDER BY report_date, ticker`,
        'institution_positions',
      ),
    /** The same of a lake that never received what was filed later. */
    known: async (day: string) => {
      const rows = await valuesIn(
        await asOf(at.lake, day),
        'institution_positions',
        "concat_ws(' ', cik, report_date, ticker, security_type || put_call || '=' || ticker, units)",
        'filing_date, report_date, ticker',
      )
      const latest = new Map(rows.map(row => String(row).split('=') as [string, string]))
      return [...latest]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, held]) => held)
        .filter(held => !held.endsWith(' 0'))
    },
    /** What the lake has of each filing. */
    stored: () =>
      at.rows(
        `SELECT filing_date, filing_kind, list(concat_ws(' ', cusip, units) ORDER BY cusip) FROM bars
         GROUP BY ALL ORDER BY ALL`,
        'institution_holdings',
      ),
  }
}

const first = submission({}, { units: '100' }, { cusip: '11299B105', units: '50' })
// Numbers of filings do not follow their days: they begin with whoever sent them in.
const restated = submission(
  { number: '0008000100-24-000002', filed: '20240601', amendment: 'RESTATEMENT' },
  { units: '80' },
  { cusip: '15499C100', units: '30' },
)
const added = submission(
  { number: '0009000100-24-000003', filed: '20240701', amendment: 'NEW HOLDINGS' },
  { units: '7' },
  { cusip: '24799D108', units: '9' },
)
const FIRST = ['00199A104 100', '11299B105 50']
const RESTATED = ['00199A104 80', '15499C100 30']

describe('Of several filings for one period', () => {
  test('the restatement counts, and as of a time before it the first one', async () => {
    for (const parts of [[[restated, first]], [[first], [restated]], [[restated], [first]]]) {
      const at = filing()
      for (const texts of parts) expect((await at.take(texts)).notes).toEqual([])
      expect(await at.positions()).toEqual(RESTATED)
      expect(await at.stored()).toEqual([
        '2024-05-10 report [00199A104 100, 11299B105 50]',
        '2024-06-01 report [00199A104 80, 15499C100 30]',
      ])
      for (const by of [at.known, at.positions]) expect(await by('2024-05-31')).toEqual(FIRST)
    }
  })

  test('the same ones again change nothing', { tags: 'slow' }, async () => {
    const at = filing()
    await at.take([first, restated])
    const stored = await at.stored()
    // Other bytes, so that it is not skipped as known.
    for (const text of [`${first}\n`, `${restated}\n`]) {
      expect((await at.take([text])).notes).toEqual([])
      expect(await at.stored()).toEqual(stored)
      expect(await at.positions()).toEqual(RESTATED)
    }
  })

  test('new holdings are added to the report before them, once', { tags: 'slow' }, async () => {
    const at = filing()
    await at.take([first])
    expect((await at.take([restated, added, `${added}\n`])).notes).toEqual([])
    const all = ['00199A104 87', '15499C100 30', '24799D108 9']
    expect(await at.positions()).toEqual(all)
    expect(await at.known('2024-06-30')).toEqual(RESTATED)
    expect(await at.known('2024-05-31')).toEqual(FIRST)
    // All of it again adds nothing.
    expect((await at.take([`${restated}\n`, `${added}\n\n`])).notes).toEqual([])
    expect(await at.positions()).toEqual(all)
    // A later restatement has what they added, or not.
    const last = submission(
      { number: '0009000100-24-000004', filed: '20240801', amendment: 'RESTATEMENT' },
      { units: '5' },
    )
    await at.take([last])
    expect(await at.positions()).toEqual(['00199A104 5'])
    expect(await at.known('2024-07-31')).toEqual(all)
  })

  test('new holdings filed before a restatement do not count with it', async () => {
    const at = filing()
    const early = added.replace('20240701', '20240520')
    await at.take([first, early, restated])
    expect(await at.positions()).toEqual(RESTATED)
    expect(await at.known('2024-05-20')).toEqual(['00199A104 107', '11299B105 50', '24799D108 9'])
  })

  test('of one day the later one counts, with 0 units of what it lacks', { tags: 'slow' }, async () => {
    const same = restated.replace('20240601', '20240510')
    for (const parts of [[[first, same]], [[first], [same]]]) {
      const at = filing()
      let notes: unknown
      for (const texts of parts) notes = (await at.take(texts)).notes
      // EDGAR numbers the second one lower; it is imported later in the second case.
      if (parts.length === 1) expect(await at.positions()).toEqual(FIRST)
      else {
        expect(notes).toEqual([{ fault: 'units: not in the later filing', rows: 1 }])
        expect(await at.positions()).toEqual(RESTATED)
      }
    }
  })

  test('new holdings of the same day are part of the report', async () => {
    const at = filing()
    await at.take([first, added.replace('20240701', '20240510')])
    expect(await at.stored()).toEqual(['2024-05-10 report [00199A104 107, 11299B105 50, 24799D108 9]'])
  })

  test('new holdings are not imported without their report', async () => {
    const at = filing()
    expect(await at.take([added])).toMatchObject({
      rows: 0,
      published: false,
      faults: [{ fault: 'form: adds to a report that is not in the import', rows: 1 }],
    })
  })

  test('none changes another period or another manager', { tags: 'slow' }, async () => {
    const at = filing()
    await at.take([
      first,
      submission({ period: '20231231', filed: '20240210' }, {}),
      submission({ cik: '77' }, {}),
    ])
    await at.take([restated])
    expect(
      await at.rows(
        `SELECT cik, report_date, ticker, units FROM ${latestBy('9999-12-31')} WHERE units > 0 ORDER BY ALL`,
        'institution_positions',
      ),
    ).toEqual([
      '77 2024-03-31 00199A104 100',
      '9000100 2023-12-31 00199A104 100',
      '9000100 2024-03-31 00199A104 80',
      '9000100 2024-03-31 15499C100 30',
    ])
  })
})

describe('A quarter without a filing date', () => {
  // Its due date, 15 May, is after the filing of 10 May, and before that of 1 June.
  const quarter = investor({ '2024 Q1': [{}, { ticker: 'BRASS' }], '2024 Q2': [] }, { filed: '2024-08-01' })
  const QUARTER = ['ACME 100', 'BRASS 100']
  const held = async (at: ReturnType<typeof filing>) =>
    await at.rows(
      `SELECT units FROM ${latestBy('9999-12-31')} WHERE units > 0 AND report_date = '2024-03-31' ORDER BY 1`,
      'institution_positions',
    )

  test('counts until the report of its period is imported, whenever that was filed', {
    tags: 'slow',
  }, async () => {
    for (const [report, units] of [
      [first, ['50', '100']],
      [restated, ['30', '80']],
    ] as const) {
      const at = filing()
      await at.take([quarter])
      expect(await at.positions()).toEqual(QUARTER)
      await at.take([report])
      expect(await held(at)).toEqual(units)
    }
  })

  test('is known from its due date to the filing of a late report', async () => {
    const at = filing()
    await at.take([quarter])
    await at.take([restated])
    expect(await at.known('2024-05-14')).toEqual([])
    expect(await at.known('2024-05-15')).toEqual(QUARTER)
    expect(await at.known('2024-05-31')).toEqual(QUARTER)
    expect((await at.known('2024-06-01')).length).toBe(2)
  })

  test('is left out where the lake or the import has the report', { tags: 'slow' }, async () => {
    for (const parts of [[[first], [quarter]], [[quarter, first]]]) {
      const at = filing()
      let last = await at.take(parts[0] ?? [])
      for (const texts of parts.slice(1)) last = await at.take(texts)
      expect(last.notes).toContainEqual({
        fault: 'filing_date: not stated, and the report of the period is known',
        rows: 1,
      })
      expect(await held(at)).toEqual(['50', '100'])
      expect((await at.stored()).map(each => each.slice(0, 17))).toEqual(['2024-05-10 report'])
    }
  })

  test('of a report filed on its due date gives way to it', { tags: 'slow' }, async () => {
    const due = first.replace('20240510', '20240515')
    for (const parts of [
      [[quarter], [due]],
      [[due], [quarter]],
    ]) {
      const at = filing()
      for (const texts of parts) await at.take(texts)
      expect(await held(at)).toEqual(['50', '100'])
      expect(await at.known('2024-05-14')).toEqual([])
    }
  })
})

describe('Rows of an earlier version, which have no kind of filing', () => {
  const COLUMNS =
    'report_date,filing_date,cik,institution_name,cusip,ticker,security_type,put_call,units,value'
  const row = (filed: string, cusip: string, units: number) =>
    `2024-03-31,${filed},9000100,Alder,${cusip},${cusip},Share,"",${units},2000`
  /** A lake with such rows. */
  async function earlier(...rows: readonly string[]) {
    const at = filing()
    await at.import([at.file('rows.csv', [COLUMNS, ...rows])], { format: 'csv-institution_holdings' })
    return at
  }

  test('add up, the latest of each position', async () => {
    const at = await earlier(
      row('2024-05-10', 'A', 1),
      row('2024-06-10', 'A', 3),
      row('2024-05-10', 'B', 10),
      row('2024-07-10', 'C', 100),
    )
    expect(await at.positions()).toEqual(['A 3', 'B 10', 'C 100'])
    expect(await at.known('2024-06-09')).toEqual(['A 1', 'B 10'])
    expect(await at.known('2024-06-10')).toEqual(['A 3', 'B 10'])
  })

  test('are replaced by a later report', async () => {
    const at = await earlier(row('2024-05-10', 'A', 1))
    await at.take([restated])
    expect(await at.positions()).toEqual(RESTATED)
    expect(await at.known('2024-05-31')).toEqual(['A 1'])
  })

  test('are not replaced by an earlier one, which is rejected', async () => {
    const at = await earlier(row('2024-06-10', 'A', 1))
    expect(await at.take([first])).toMatchObject({
      rows: 0,
      published: false,
      faults: [{ fault: 'filing_date: older than the report in the lake', rows: 1 }],
    })
  })

  test('give way to an earlier report if they have the due date, as quarters without a date do', async () => {
    const at = await earlier(row('2024-05-15', 'A', 1))
    await at.take([first])
    expect(await at.positions()).toEqual(FIRST)
    expect(await at.stored()).toEqual([
      '2024-05-10 report [00199A104 100, 11299B105 50]',
      '2024-05-15 undated [A 1]',
    ])
  })
})
