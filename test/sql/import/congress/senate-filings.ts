import { importingFormat } from '../formats.ts'

export const SENATE = 'congress-senate'
export const ALL = 'FROM bars ORDER BY ALL'

/** One filing, by Adele R. Ambershaw unless specified otherwise. */
export const filing = (number: number, transactions: unknown, more: Record<string, unknown> = {}) => ({
  first_name: 'Adele R',
  last_name: 'Ambershaw',
  office: 'Ambershaw, Adele R. (Senator)',
  ptr_link: linkOf(number),
  date_recieved: '03/10/2021',
  transactions,
  ...more,
})
export const linkOf = (number: number) => `https://senate.example/ptr/${number}/`
export const trade = (more: Record<string, unknown> = {}) => ({
  transaction_date: '02/11/2021',
  owner: 'Self',
  ticker: 'ACME',
  asset_description: 'Acme Corporation',
  type: 'Purchase',
  amount: '$1,001 - $15,000',
  comment: '--',
  ...more,
})

export const HEADER = 'transaction_date,owner,ticker,asset_description,type,amount,comment,ptr_link'
export const listed = (number: number, start = '02/11/2021,Self,ACME') =>
  `${start},Acme Corporation,Purchase,"$1,001 - $15,000",--,${linkOf(number)}`

/** A lake into which those filings, and then the lists, are imported one after the other. */
export async function imported(filings: readonly unknown[], ...lists: (readonly string[])[]) {
  const at = importingFormat(SENATE)
  let report = await at.import([at.file('summaries.json', JSON.stringify(filings))])
  for (const [number, lines] of lists.entries()) report = await at.import([at.file(`${number}.csv`, lines)])
  return { at, report, rows: (columns: string) => at.rows(`SELECT ${columns} ${ALL}`, 'congress_trades') }
}
