/** Forms 3, 4 and 5 as EDGAR publishes them, made up. */

export interface Trade {
  date?: string
  code?: string
  shares?: string
  price?: string
  direction?: string
  after?: string
  title?: string
}

export interface Owner {
  cik?: string
  name?: string
  officer?: string
}

export interface Form {
  kind?: string
  ticker?: string
  original?: string
  owners?: readonly Owner[]
  trades?: readonly Trade[]
  derivatives?: readonly string[]
  signed?: readonly string[]
}

const value = (name: string, text: string) =>
  text === '' ? `<${name}><footnoteId id="F1"/></${name}>` : `<${name}><value>${text}</value></${name}>`

const owner = ({ cik, name, officer }: Owner) => `
  <reportingOwner>
    <reportingOwnerId>
      <rptOwnerCik>${cik ?? '0008000001'}</rptOwnerCik>
      <rptOwnerName>${name ?? 'AMBERSHAW ADELE R'}</rptOwnerName>
    </reportingOwnerId>
    <reportingOwnerRelationship><isOfficer>${officer ?? '0'}</isOfficer></reportingOwnerRelationship>
  </reportingOwner>`

/** A purchase of 100 shares at 20.50 dollars on 1 May 2024, unless specified otherwise. */
const trade = ({ date, code, shares, price, direction, after, title }: Trade) => `
    <nonDerivativeTransaction>
      ${value('securityTitle', title ?? 'Common Stock')}
      ${value('transactionDate', date ?? '2024-05-01')}
      <transactionCoding><transactionCode>${code ?? 'P'}</transactionCode></transactionCoding>
      <transactionAmounts>
        ${value('transactionShares', shares ?? '100')}
        ${value('transactionPricePerShare', price ?? '20.50')}
        ${value('transactionAcquiredDisposedCode', direction ?? 'A')}
      </transactionAmounts>
      <postTransactionAmounts>${value('sharesOwnedFollowingTransaction', after ?? '1100')}</postTransactionAmounts>
    </nonDerivativeTransaction>`

/** An ownership document: by default a Form 4 on ACME with one owner and one purchase, signed on 3 May 2024. */
export const ownership = ({
  kind = '4',
  ticker = 'ACME',
  original = '',
  owners = [{}],
  trades = [{}],
  derivatives = [],
  signed = ['2024-05-03'],
}: Form) => `<?xml version="1.0"?>
<ownershipDocument>
  <documentType>${kind}</documentType>
  ${original === '' ? '' : `<dateOfOriginalSubmission>${original}</dateOfOriginalSubmission>`}
  <issuer><issuerCik>0007000001</issuerCik><issuerTradingSymbol>${ticker}</issuerTradingSymbol></issuer>
  ${owners.map(owner).join('')}
  <nonDerivativeTable>${trades.map(trade).join('')}
    <nonDerivativeHolding>${value('securityTitle', 'Class B')}</nonDerivativeHolding>
  </nonDerivativeTable>
  <derivativeTable>${derivatives.map(title => `<derivativeTransaction>${value('securityTitle', title)}</derivativeTransaction>`).join('')}</derivativeTable>
  ${signed.map(day => `<ownerSignature><signatureDate>${day}</signatureDate></ownerSignature>`).join('')}
</ownershipDocument>
`

/** That document in a full submission of the dissemination. */
export const filed = (number: string, day: string, form: Form) =>
  `<SUBMISSION><ACCESSION-NUMBER>${number}<TYPE>${form.kind ?? '4'}<FILING-DATE>${day}<DOCUMENT><TEXT><XML>${ownership(form)}</XML></TEXT></DOCUMENT></SUBMISSION>\n`

export const CLUSTERS =
  'X,Filing\u00a0Date,Trade\u00a0Date,Ticker,Company\u00a0Name,Industry,Ins,Trade\u00a0Type\u00a0\u00a0,Price,Qty,Owned,ΔOwn,Value,1d,1w,1m,6m'
