import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tapehouseHere } from '../../../cli/in-process.ts'
import { folderForTest } from '../../../fixtures/lake.ts'
import { goodDay, importing } from '../importing.ts'
import { WRONG_FILES } from './wrong-files.ts'

const CHECK = 'probably a download that failed: check its address and key, and download the data again'
const WAIT = 'wait until the limit permits it, and download the data again'
const AGAIN = 'download it again, or exclude it'
const EXPORT = 'export the data as CSV or JSON, and import that'
const WRITE = 'write the table to Parquet or CSV, and import that'
const SAVE = 'save it as .xlsx or CSV, and import that'
const UNPACK = 'unpack it first, or pack the files as .zip'
const REQUEST = 'check the symbol and the dates of the request, and download the data again'

/** What each file is, and what to do. */
const DIAGNOSES: Readonly<Record<string, string>> = {
  'page.csv': `is an HTML page ("Sign in - Data portal"), ${CHECK}`,
  'page.csv.gz': `is an HTML page ("Sign in - Data portal"), ${CHECK}`,
  'page.csv.zst': `is an HTML page ("Sign in - Data portal"), ${CHECK}`,
  'page.parquet': `is an HTML page ("Sign in - Data portal"), ${CHECK}`,
  'table.xls': `is a table in HTML, which some sites name .xls: open it with Excel or LibreOffice, ${SAVE}`,
  'alpha-vantage.json': `is an error message of Alpha Vantage ("Thank you for using Alpha Vantage! Our standard API rate limit is 25 requests per day."): ${WAIT}`,
  'alpha-vantage.csv': `is an error message of Alpha Vantage ("the parameter apikey is invalid or missing."), ${CHECK}`,
  'polygon.json': `is an error message of Polygon ("Unknown API Key"), ${CHECK}`,
  'polygon-empty.json': `has no rows in "results": ${REQUEST}`,
  'tiingo.json': `is an error message of Tiingo ("Not found."), ${CHECK}`,
  'yahoo.json': `is an error message of Yahoo ("No data found, symbol may be delisted"), ${CHECK}`,
  'fred.json': `is an error message of FRED ("Bad Request. The value for variable api_key is not registered."), ${CHECK}`,
  'binance.json': `is an error message of Binance ("Too many requests; current limit is 1200 requests per minute."): ${WAIT}`,
  'denied.csv': `is the error message of a file store ("AccessDenied: Access Denied"), ${CHECK}`,
  'empty.csv': `is empty: ${AGAIN}`,
  'empty.json': `is empty: ${AGAIN}`,
  'header.csv': `has a header and no rows: ${AGAIN}`,
  'mark.csv': `is empty: ${AGAIN}`,
  'blank.csv': `is empty: ${AGAIN}`,
  'empty-list.json': `has no rows, it is an empty list: ${REQUEST}`,
  'report.pdf': `is a PDF document: ${EXPORT}`,
  'chart.png': `is an image (PNG): ${EXPORT}`,
  'market.sqlite': `is an SQLite database: ${EXPORT}`,
  'market.duckdb': 'is a DuckDB database: COPY the table TO a Parquet file, and import that',
  'old.xls':
    'is a workbook of an old Excel (.xls), or one with a password: save it as .xlsx or CSV, without a password, and import that',
  'sheet.ods': `is an OpenDocument file, such as .ods: ${SAVE}`,
  'binary.xlsb': `is a binary workbook of Excel (.xlsb): ${SAVE}`,
  'document.docx': 'is a Word document: save its tables as CSV, and import that',
  'document.rtf': `is a document in RTF: ${EXPORT}`,
  '~$book.xlsx': 'is the lock file of an open workbook: import the workbook, without ~$ in its name',
  '._good.csv':
    'is what macOS stores beside a file (._*), and not the data: import the file without ._ in its name',
  'a.7z': `is a 7z archive: ${UNPACK}`,
  'a.rar': `is a RAR archive: ${UNPACK}`,
  'a.csv.xz': 'is compressed with xz: decompress it first, for example with "xz -d"',
  'a.tar.xz': 'is compressed with xz: decompress it first, for example with "xz -d"',
  'a.csv.bz2': 'is compressed with bzip2: decompress it first, for example with "bzip2 -d"',
  'a.csv.lz4': 'is compressed with lz4: decompress it first, for example with "lz4 -d"',
  'a.csv.br': 'is a binary file of an unknown kind: export the data as CSV, JSON or Parquet, and import that',
  'cut.json': 'cannot be read: it is JSON that ends too early, at line 1, column 73: download it again',
  'all-zeros.csv':
    'is filled with zero bytes, which a broken download or disk leaves: download the data again',
  'lfs.csv':
    'is a pointer of Git LFS, and not the data: run git lfs pull in its repository, and import the file then',
  'frame.pkl': `is a Python pickle: ${WRITE}`,
  'frame.pickle': `is a Python pickle: ${WRITE}`,
  'table.feather': 'is an Arrow or Feather file: convert it to Parquet',
  'stream.arrow': 'is an Arrow or Feather file: convert it to Parquet',
  'cut.parquet': 'is a Parquet file that is cut off: download it again',
  'table.h5': 'is an HDF5 file: convert it to Parquet or CSV',
  'array.npy': `is a NumPy array (.npy): ${WRITE}`,
  'arrays.npz': `is an archive of NumPy arrays (.npz): ${WRITE}`,
  'table.dta': `is a Stata file: ${WRITE}`,
  'table.sas7bdat': `is a SAS data set: ${WRITE}`,
  'table.rds': `is data of R: ${WRITE}`,
  'table.RData': `is data of R: ${WRITE}`,
  'table.mat': `is a MATLAB file: ${WRITE}`,
  'table.avro': 'is an Avro file: convert it to Parquet',
  'table.orc': 'is an ORC file: convert it to Parquet',
  'program.csv': `is a program: ${EXPORT}`,
  'utf-32.csv': 'is text in UTF-32: save it as UTF-8, for example with iconv -f UTF-32 -t UTF-8',
  'locked.zip': '/a.csv has a password: unpack it first',
  'cut.zip':
    'cannot be unpacked: End of central directory record signature not found. Either not a zip file, or file is truncated: download it again',
  'cut.csv.gz':
    'cannot be decompressed: it is not a complete gzip file (unexpected end of file): download it again',
}

/** Files that are named in other words if a format is specified: without one, and with one. */
const BY_FORMAT: Readonly<Record<string, readonly [string, string]>> = {
  'only-macos.zip': [
    'has no .csv, .tsv, .txt, .xlsx, .ndjson, .jsonl, .json, .parquet, .xml, .nc file: it has no files',
    'has no .csv, .tsv, .txt, .xlsx, .json, .ndjson, .jsonl file: it has no files',
  ],
  'decimal-commas.csv': [
    'has no known layout: it starts with "Day;First;Top;Bottom;Last;Pieces;Turnover 2024-01-02;1,10;2,". Describe it: tapehouse import --map-from FILE > layout.json, then tapehouse import --map layout.json FILE',
    'lacks the columns ticker (or symbol, name), date, open, high, low, close, volume (or vol): the first line must be the header, but is Day, First, Top, Bottom, Last, Pieces, Turnover: draft a layout with tapehouse import daily-bars --map-from FILE > layout.json, or see tapehouse import daily-bars --help',
  ],
  'notebook.ipynb': [
    'has no known layout: it starts with "{\\"cells\\":[{\\"cell_type\\":\\"code\\",\\"source\\":[\\"import pandas\\"]}],\\"". Describe it: tapehouse import --map-from FILE > layout.json, then tapehouse import --map layout.json FILE',
    'has none of the layouts of daily-bars: import it without a format, which recognises it, or describe it with --map-from',
  ],
}

test.each([
  ['without a format', []],
  ['of a format', ['daily-bars']],
] as const)(
  'wrong files %s are named by what they are, with the next step, and nothing is written',
  { tags: 'slow' },
  async (_, format) => {
    const folder = folderForTest()
    const paths = Object.entries(WRONG_FILES).map(([name, bytes]) => {
      writeFileSync(join(folder, name), bytes)
      return join(folder, name)
    })
    const lake = join(folder, 'lake')
    const { stderr, code } = await tapehouseHere(['import', ...format, ...paths, '--lake', lake])
    const refused = stderr.split('\n').filter(line => line.startsWith('refused: '))
    const found = Object.keys(WRONG_FILES).map(name => {
      const [line = '', ...others] = refused.filter(
        each =>
          each.startsWith(`refused: ${folder}/${name}`) &&
          !/[.\w]/.test(each[`refused: ${folder}/${name}`.length] ?? ''),
      )
      expect(others, name).toEqual([])
      const reason = line.slice(`refused: ${folder}/${name}`.length).replace(/^ /, '')
      return [
        name,
        reason
          .replace(/, or exclude it$/, '')
          .replaceAll(/'?\/\S*'?(?= >|$)/g, each => (each.includes(folder) ? 'FILE' : each)),
      ]
    })
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(
        Object.keys(WRONG_FILES).map(name => [
          name,
          (DIAGNOSES[name] ?? BY_FORMAT[name]?.[format.length])?.replace(/, or exclude it$/, ''),
        ]),
      ),
    )
    expect(stderr).not.toMatch(/\n +at |node:internal/)
    expect(code).toBe(1)
    expect(existsSync(lake)).toBe(false)
  },
)

test('a few broken lines are rejected by their numbers: zero bytes, and JSON lines whose last one is cut off', async () => {
  const run = importing()
  const zeros = Buffer.from(`Date,Open,High,Low,Close,Volume,Name\n${goodDay('A')}\n\0\0\0\0`)
  expect(await run.import([run.file('zeros.csv', zeros)])).toMatchObject({ rows: 1, rejected: 1 })
  expect(run.rejects().at(-1)?.slice(1, 4)).toEqual(['3', '', 'binary'])
  const day = (date: string) =>
    JSON.stringify({ ticker: 'B', date, open: 1, high: 2, low: 1, close: 1.5, volume: 10 })
  const lake = join(run.folder, 'other')
  const cut = run.file(
    'cut.ndjson',
    Buffer.from(`${day('2024-01-02')}\n${day('2024-01-03')}\n${day('2024-01-04').slice(0, 20)}`),
  )
  const { stdout, code } = await tapehouseHere(['import', cut, '--lake', lake])
  expect(stdout.toString()).toContain('daily_bars  2 rows')
  const [, rejects = ''] = /see (\S+)/.exec(stdout.toString()) ?? []
  expect(readFileSync(rejects, 'utf8')).toContain(`${cut},3,,not a JSON object`)
  expect(code).toBe(0)
})
