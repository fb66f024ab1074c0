import { expect, test } from 'vitest'
import { importingFormat } from '../../../sql/import/formats.ts'

/** A header, a row whose `DAY` is the day, and the number of warnings of a row of tomorrow. */
const FORMATS: Readonly<Record<string, readonly [header: string, row: string, warnings: number]>> = {
  'daily-bars': ['ticker,date,open,high,low,close,volume', 'ACME,DAY,5,5,5,5,1', 1],
  'minute-bars': ['ticker,start,open,high,low,close,volume', 'ACME,DAYT15:00:00Z,5,5,5,5,1', 1],
  'crypto-bars': ['pair,time,open,high,low,close,volume', 'BTC-USD,DAYT00:00:00Z,5,5,5,5,1', 1],
  'fx-rates': ['date,base,quote,rate', 'DAY,EUR,USD,1.1', 0],
  'stock-trades': ['ticker,time,price,size,exchange', 'ACME,DAYT15:00:00Z,5,1,Q', 0],
  'stock-splits': ['ticker,date,ratio', 'ACME,DAY,4:1', 0],
  posts: ['id,created_at,text', '1,DAYT15:00:00Z,Hello', 0],
}

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

test.each(Object.entries(FORMATS))(
  '%s accepts a row of tomorrow, and rejects later ones, which would become the latest date',
  async (format, [header, row, warnings]) => {
    const at = importingFormat(format)
    const days = ['2024-01-02', '2024-01-03', tomorrow, '2090-01-04']
    const lines = days.map((day, n) => row.replace('DAY', day).replace(/^1,/, `${n + 1},`))
    const options: Readonly<Record<string, string>> =
      format === 'minute-bars' || format === 'crypto-bars' ? { seconds: '60' } : {}
    const path = at.file('rows.csv', [header, ...lines])
    const report = await at.import([path], { options })
    expect(report).toMatchObject({ rows: 3, rejected: 1 })
    expect(at.rejects().join()).toContain('in the future')
    expect(report.warnings.filter(({ fault }) => fault.endsWith('in the future'))).toHaveLength(warnings)
    const strict = await importingFormat(format).import([path], { options, isStrict: true })
    expect(strict).toMatchObject({ rejected: 1 + warnings })
  },
)
