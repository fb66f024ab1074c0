import { gzipSync } from 'node:zlib'
import { zipOf } from '../input/zip-files.ts'
import { zstdOf } from '../input/zstd-frames.ts'

const HEADER = 'Date,Open,High,Low,Close,Adj Close,Volume,Name'
const ROW = '2024-01-02,1,2,1,1.5,1.5,10,A'
const GOOD = `${HEADER}\n${ROW}\n2024-01-03,1,2,1,1.5,1.5,10,A\n`
const PAGE =
  '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in - Data portal</title></head>\n<body><form action="/login"><input name="password" type="password"></form></body></html>\n'
const TABLE =
  '<html xmlns:x="urn:schemas-microsoft-com:office:excel">\n<head><meta charset="utf-8"></head><body><table>\n<tr><th>Date</th><th>Close</th></tr>\n<tr><td>2024-01-02</td><td>1.5</td></tr>\n</table></body></html>\n'
const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const bytes = (hex: string, rest = '') =>
  Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from(rest, 'latin1')])
const pad = (start: Buffer, length = 600) => Buffer.concat([start, Buffer.alloc(length, 0xa5)])

/** Files that people import by mistake, by their names. */
export const WRONG_FILES: Readonly<Record<string, Buffer>> = {
  'page.csv': Buffer.from(PAGE),
  'table.xls': Buffer.from(TABLE),
  'page.csv.gz': gzipSync(PAGE),
  'page.csv.zst': zstdOf(Buffer.from(PAGE)),
  'alpha-vantage.json': json({
    Information: 'Thank you for using Alpha Vantage! Our standard API rate limit is 25 requests per day.',
  }),
  'alpha-vantage.csv': Buffer.from(
    '{\n    "Error Message": "the parameter apikey is invalid or missing."\n}',
  ),
  'polygon.json': json({ status: 'ERROR', request_id: 'a1', error: 'Unknown API Key' }),
  'polygon-empty.json': json({
    ticker: 'A',
    queryCount: 0,
    resultsCount: 0,
    adjusted: true,
    results: [],
    status: 'OK',
    request_id: 'a1',
    count: 0,
  }),
  'tiingo.json': json({ detail: 'Not found.' }),
  'yahoo.json': json({
    chart: {
      result: null,
      error: { code: 'Not Found', description: 'No data found, symbol may be delisted' },
    },
  }),
  'fred.json': json({
    error_code: 400,
    error_message: 'Bad Request.  The value for variable api_key is not registered.',
  }),
  'binance.json': json({ code: -1003, msg: 'Too many requests; current limit is 1200 requests per minute.' }),
  'empty.csv': Buffer.alloc(0),
  'empty.json': Buffer.alloc(0),
  'header.csv': Buffer.from(`${HEADER}\n`),
  'mark.csv': Buffer.from('\ufeff'),
  'blank.csv': Buffer.from('\n \r\n\n'),
  'empty-list.json': Buffer.from('[]'),
  'report.pdf': pad(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')),
  'chart.png': pad(bytes('89504e470d0a1a0a0000000d49484452')),
  'market.sqlite': pad(Buffer.from('SQLite format 3\0\x10\0\x01\x01\0\x40')),
  'old.xls': pad(bytes('d0cf11e0a1b11ae1')),
  'sheet.ods': zipOf([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 },
    { name: 'content.xml', content: '<office:document-content/>' },
    { name: 'settings.xml', content: '<office:document-settings/>' },
  ]),
  'document.docx': zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: 'word/document.xml', content: '<w:document/>' },
  ]),
  'binary.xlsb': zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: 'xl/workbook.bin', content: 'x' },
  ]),
  'a.7z': pad(bytes('377abcaf271c0004')),
  'a.rar': pad(bytes('526172211a070100')),
  'a.csv.xz': pad(bytes('fd377a585a000004')),
  'a.tar.xz': pad(bytes('fd377a585a000004')),
  'a.csv.bz2': pad(Buffer.from('BZh91AY&SY')),
  'a.csv.lz4': pad(bytes('04224d186440a7')),
  'a.csv.br': pad(bytes('1bff3f00c4a5b1')),
  'cut.json': Buffer.from('{"chart":{"result":[{"meta":{"symbol":"A"},"timestamp":[1704205800,17042'),
  'all-zeros.csv': Buffer.alloc(4096),
  'decimal-commas.csv': Buffer.from(
    'Day;First;Top;Bottom;Last;Pieces;Turnover\n2024-01-02;1,10;2,20;1,00;1,50;1.000;1.500\n',
  ),
  'lfs.csv': Buffer.from(
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n',
  ),
  '~$book.xlsx': Buffer.concat([
    Buffer.from('\x05Ada L'),
    Buffer.alloc(49, 0x20),
    Buffer.from('\x05\0A\0d\0a\0 \0L\0'),
    Buffer.alloc(98),
  ]),
  '._good.csv': Buffer.concat([bytes('00051607000200004d6163204f532058'), Buffer.alloc(60)]),
  'frame.pkl': pad(bytes('80049595020000000000008c11', 'pandas.core.frame')),
  'frame.pickle': pad(bytes('80025d7100')),
  'table.feather': pad(Buffer.from('ARROW1\0\0')),
  'stream.arrow': pad(bytes('ffffffff78010000100000000000')),
  'cut.parquet': pad(Buffer.from('PAR1\x15\x04\x15')),
  'page.parquet': Buffer.from(PAGE),
  'table.h5': pad(bytes('894844460d0a1a0a')),
  'array.npy': pad(Buffer.from('\x93NUMPY\x01\0v\0', 'latin1')),
  'arrays.npz': zipOf([{ name: 'close.npy', content: Buffer.from('\x93NUMPY\x01\0v\0', 'latin1') }]),
  'table.dta': pad(Buffer.from('<stata_dta><header><release>118</release>')),
  'table.sas7bdat': pad(bytes('000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011')),
  'table.rds': gzipSync(pad(Buffer.from('X\n\0\0\0\x03\0\x04\x03\x02'))),
  'table.RData': gzipSync(pad(Buffer.from('RDX3\nX\n\0\0\0\x03'))),
  'table.mat': pad(Buffer.from('MATLAB 5.0 MAT-file, Platform: GLNXA64')),
  'table.avro': pad(Buffer.from('Obj\x01\x04\x14avro.codec')),
  'table.orc': pad(Buffer.from('ORC\x08\x03')),
  'market.duckdb': Buffer.concat([Buffer.alloc(8, 0x31), Buffer.from('DUCK'), Buffer.alloc(600)]),
  'program.csv': pad(bytes('7f454c46020101')),
  'document.rtf': Buffer.from('{\\rtf1\\ansi Prices\\par}'),
  'denied.csv': Buffer.from(
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  ),
  'notebook.ipynb': json({
    cells: [{ cell_type: 'code', source: ['import pandas'] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
  'locked.zip': zipOf([{ name: 'a.csv', content: GOOD, hasPassword: true }]),
  'only-macos.zip': zipOf([{ name: '__MACOSX/._a.csv', content: 'x' }]),
  'cut.zip': zipOf([{ name: 'a.csv', content: GOOD }]).subarray(0, -30),
  'cut.csv.gz': gzipSync(GOOD).subarray(0, -9),
  'utf-32.csv': Buffer.concat([
    bytes('fffe0000'),
    ...[...GOOD].map(each => Buffer.from([each.charCodeAt(0), 0, 0, 0])),
  ]),
}
