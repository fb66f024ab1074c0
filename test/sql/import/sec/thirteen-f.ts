/** Form 13F as EDGAR publishes it, made up: what a line, a table, a cover and a full submission look like. */

export interface Line {
  issuer?: string
  class?: string
  cusip?: string
  value?: string
  units?: string
  type?: string
  putCall?: string
}

/** A line of an information table: 100 shares of ACME at 20 dollars, unless specified otherwise. */
const line = ({ issuer, class: title, cusip, value, units, type, putCall }: Line) => `
  <infoTable>
    <nameOfIssuer>${issuer ?? 'ACME CORP'}</nameOfIssuer><titleOfClass>${title ?? 'COM'}</titleOfClass>
    <cusip>${cusip ?? '00199A104'}</cusip><value>${value ?? '2000'}</value>
    <shrsOrPrnAmt><sshPrnamt>${units ?? '100'}</sshPrnamt><sshPrnamtType>${type ?? 'SH'}</sshPrnamtType></shrsOrPrnAmt>
    ${putCall === undefined ? '' : `<putCall>${putCall}</putCall>`}
    <investmentDiscretion>SOLE</investmentDiscretion>
  </infoTable>`

/** An information table alone. */
export const table = (...lines: Line[]) =>
  `<?xml version="1.0"?>\n<informationTable xmlns="urn:13f">${lines.map(line).join('')}\n</informationTable>`

const document = (xml: string) => `<DOCUMENT>\n<TEXT>\n<XML>\n${xml}\n</XML>\n</TEXT>\n</DOCUMENT>\n`

/** A full submission, by default of the report for March 2024 filed on 10 May, with its cover and table. */
export function submission(
  {
    number = '0009000100-24-000001',
    filed = '20240510',
    period = '20240331',
    cik = '0009000100',
    amendment = '',
    total = '',
  }: { number?: string; filed?: string; period?: string; cik?: string; amendment?: string; total?: string },
  ...lines: Line[]
): string {
  const cover = `<edgarSubmission><formData><coverPage>
    <amendmentInfo><amendmentType>${amendment}</amendmentType></amendmentInfo>
    </coverPage><summaryPage><tableValueTotal>${total}</tableValueTotal></summaryPage></formData></edgarSubmission>`
  return [
    '<SEC-DOCUMENT>',
    `ACCESSION NUMBER:\t${number}`,
    `CONFORMED SUBMISSION TYPE:\t13F-HR${amendment === '' ? '' : '/A'}`,
    `CONFORMED PERIOD OF REPORT:\t${period}`,
    `FILED AS OF DATE:\t${filed}`,
    'COMPANY CONFORMED NAME:\tAlderbrook Capital Management LP',
    `CENTRAL INDEX KEY:\t${cik}`,
    `${document(cover)}${document(table(...lines))}</SEC-DOCUMENT>`,
    '',
  ].join('\n')
}

export interface Holding {
  ticker?: string
  name?: string
  cls?: string
  cusip?: string
  shares?: unknown
  value?: unknown
  sector?: string
}

/** An investor's quarters: 100 shares of ACME at 20 dollars a line, unless specified otherwise; the last quarter is current. */
export function investor(
  quarters: Readonly<Record<string, readonly Holding[]>>,
  { filed = '2024-05-10', values = [] as number[], meta = {} } = {},
): string {
  const filled = Object.entries(quarters).map(
    ([quarter, holdings]) =>
      [
        quarter,
        holdings.map(each => ({
          ticker: 'ACME',
          name: 'ACME CORP',
          cls: 'COM',
          shares: 100,
          value: 2000,
          ...each,
        })),
      ] as const,
  )
  const [quarter = '', holdings = []] = filled.at(-1) ?? []
  const [year, number = '1'] = quarter.split(' Q')
  const periodEnd = `${year}-${['03-31', '06-30', '09-30', '12-31'][Number(number) - 1]}`
  return JSON.stringify({
    meta: { manager: 'Alderbrook Capital Management LP', managerCIK: '0009000100', ...meta },
    current: { quarter, filingDate: filed, periodEnd, holdings },
    history: { quarters: Object.keys(quarters), values, holdings: Object.fromEntries(filled) },
  })
}
