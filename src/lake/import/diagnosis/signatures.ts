/** What a file is whose first bytes are these, and what to do with it. */
export interface Signature {
  readonly begins: RegExp
  readonly what: string
  readonly next: string
}

const EXPORT = 'export the data as CSV or JSON, and import that'
const UNPACK = 'unpack it first, or pack the files as .zip'
const WRITE = 'write the table to Parquet or CSV, and import that'
const AGAIN = 'download the data again'

/** Files that no format reads, by their first bytes as Latin-1 characters. */
export const SIGNATURES: readonly Signature[] = [
  { begins: /^%PDF-/, what: 'a PDF document', next: EXPORT },
  { begins: /^\x89PNG\r\n/, what: 'an image (PNG)', next: EXPORT },
  { begins: /^\xff\xd8\xff/, what: 'an image (JPEG)', next: EXPORT },
  { begins: /^GIF8[79]a/, what: 'an image (GIF)', next: EXPORT },
  { begins: /^RIFF[\s\S]{4}WEBP/, what: 'an image (WebP)', next: EXPORT },
  {
    begins: /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/,
    what: 'a workbook of an old Excel (.xls), or one with a password',
    next: 'save it as .xlsx or CSV, without a password, and import that',
  },
  {
    begins: /^(?:\xef\xbb\xbf)?<\?xml[^>]*>\s*<\?mso-application progid="Excel\.Sheet"/,
    what: 'a workbook of Excel 2003 in XML',
    next: 'save it as .xlsx or CSV, and import that',
  },
  {
    begins: /^[\x01-\x36][^\0]{54}[\x01-\x36]\0/,
    what: 'the lock file of an open workbook',
    next: 'import the workbook, without ~$ in its name',
  },
  {
    begins: /^\x00\x05\x16[\x00\x07]\x00/,
    what: 'what macOS stores beside a file (._*), and not the data',
    next: 'import the file without ._ in its name',
  },
  { begins: /^Rar!\x1a\x07/, what: 'a RAR archive', next: UNPACK },
  { begins: /^7z\xbc\xaf\x27\x1c/, what: 'a 7z archive', next: UNPACK },
  {
    begins: /^BZh[1-9]1AY&SY/,
    what: 'compressed with bzip2',
    next: 'decompress it first, for example with "bzip2 -d"',
  },
  {
    begins: /^\xfd7zXZ\0/,
    what: 'compressed with xz',
    next: 'decompress it first, for example with "xz -d"',
  },
  {
    begins: /^\x04\x22\x4d\x18/,
    what: 'compressed with lz4',
    next: 'decompress it first, for example with "lz4 -d"',
  },
  {
    begins: /^\x1f\x9d/,
    what: 'compressed with compress (.Z)',
    next: 'decompress it first, with "uncompress"',
  },
  { begins: /^SQLite format 3\0/, what: 'an SQLite database', next: EXPORT },
  { begins: /^\x89HDF\r\n/, what: 'an HDF5 file', next: 'convert it to Parquet or CSV' },
  {
    begins: /^ARROW1\0\0|^FEA1|^\xff\xff\xff\xff[\s\S]{2}\0\0[\x08-\x20]\0\0\0/,
    what: 'an Arrow or Feather file',
    next: 'convert it to Parquet',
  },
  {
    begins: /^[\s\S]{8}DUCK/,
    what: 'a DuckDB database',
    next: 'COPY the table TO a Parquet file, and import that',
  },
  { begins: /^\x93NUMPY/, what: 'a NumPy array (.npy)', next: WRITE },
  { begins: /^(?:RD[AX][2-4]\n)?[XA]\n\0\0\0[\x02\x03]\0|^RD[AX][2-4]\n/, what: 'data of R', next: WRITE },
  { begins: /^MATLAB \d/, what: 'a MATLAB file', next: WRITE },
  { begins: /^Obj\x01/, what: 'an Avro file', next: 'convert it to Parquet' },
  { begins: /^ORC/, what: 'an ORC file', next: 'convert it to Parquet' },
  { begins: /^<stata_dta>/, what: 'a Stata file', next: WRITE },
  {
    begins: /^\0{12}\xc2\xea\x81\x60\xb3\x14\x11\xcf/,
    what: 'a SAS data set',
    next: WRITE,
  },
  { begins: /^PARE/, what: 'a Parquet file with an encrypted footer', next: 'write it without encryption' },
  { begins: /^(?:\x7fELF|MZ[\s\S]{58}|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/, what: 'a program', next: EXPORT },
  { begins: /^\{\\rtf/, what: 'a document in RTF', next: EXPORT },
  {
    begins: /^\x80[\x02-\x05][\x95cK}\]]/,
    what: 'a Python pickle',
    next: WRITE,
  },
  {
    begins: /^(?:\xff\xfe\0\0|\0\0\xfe\xff)/,
    what: 'text in UTF-32',
    next: 'save it as UTF-8, for example with iconv -f UTF-32 -t UTF-8',
  },
  { begins: /^\0{64}/, what: 'filled with zero bytes, which a broken download or disk leaves', next: AGAIN },
  {
    begins: /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n/,
    what: 'a pointer of Git LFS, and not the data',
    next: 'run git lfs pull in its repository, and import the file then',
  },
  {
    begins: /^(?:\.\.\/)*[./]*\/?annex\/objects\//,
    what: 'a pointer of git-annex, and not the data',
    next: 'run git annex get in its repository, and import the file then',
  },
]

/** An error that a web service answers with JSON in place of data. The paths are those of layouts. */
export interface ErrorAnswer {
  readonly service: string
  /** Values that the answer has. */
  readonly has?: readonly string[]
  /** The places of its message; one of them is a text. */
  readonly message: readonly string[]
  /** Whether records of data have such members too, so that the answer must have none but those of errors. */
  readonly isGeneral?: boolean
}

/** The members of errors of web services in general. */
export const ERROR_MEMBERS: ReadonlySet<string> = new Set([
  ...[
    'message',
    'msg',
    'error',
    'errors',
    'detail',
    'details',
    'description',
    'type',
    'title',
    'code',
    'status',
  ],
  ...['statusCode', 'success', 'timestamp', 'path', 'request_id', 'requestId', 'result', 'trace_id'],
])

/** Errors of web services, the particular ones first. */
export const ERROR_ANSWERS: readonly ErrorAnswer[] = [
  { service: 'Alpha Vantage', message: ['Note', 'Information', '["Error Message"]'] },
  { service: 'Polygon', has: ['request_id', 'status'], message: ['error', 'message'] },
  {
    service: 'Yahoo',
    message: ['finance', 'chart', 'quoteSummary', 'optionChain', 'quoteResponse', 'spark'].map(
      member => `${member}.error.description`,
    ),
  },
  { service: 'Binance', has: ['code'], message: ['msg'] },
  { service: 'FRED', has: ['error_code'], message: ['error_message'] },
  { service: 'CoinGecko', has: ['status.error_code'], message: ['status.error_message'] },
  { service: 'GitHub', has: ['documentation_url'], message: ['message'] },
  { service: 'Nasdaq', has: ['status.rCode'], message: ['status.bCodeMessage[0].errorMessage'] },
  { service: 'Nasdaq Data Link', message: ['quandl_error.message'] },
  { service: 'BLS', has: ['status', 'responseTime'], message: ['message[0]'] },
  { service: 'World Bank', message: ['[0].message[0].value'] },
  { service: 'Tiingo', message: ['detail'], isGeneral: true },
  { service: 'Kraken', message: ['error[0]'], isGeneral: true },
  // Coinbase, Alpaca and others.
  {
    service: 'a web service',
    isGeneral: true,
    message: ['message', 'error.message', 'error.description', 'error', 'errors[0].message', 'errors[0]'],
  },
]

/** Texts that web servers answer in place of data, each of one line. */
export const ERROR_TEXTS =
  /^(?:\d{3}:? )?(?:not found|too many requests|edge: too many requests|forbidden|unauthorized|access denied|bad gateway|service unavailable|gateway time-?out|no data|n\/d|exceeded the daily hits limit|error code: \d+)\.?$/i

/** Messages that end when one waits. */
export const RATE_LIMIT =
  /rate.?limit|too many|too much request|call frequency|requests? per (?:minute|day|second)|hits limit|throttl|exceeded the maximum requests|threshold exceeded|\b429\b/i
