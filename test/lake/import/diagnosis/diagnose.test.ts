import { describe, expect, test } from 'vitest'
import { diagnosisOf } from '../../../../src/lake/import/diagnosis/diagnose.ts'

const of = (text: string, encoding: BufferEncoding = 'utf8') => diagnosisOf(Buffer.from(text, encoding))
const CHECK = 'probably a download that failed: check its address and key, and download the data again'
const WAIT = 'wait until the limit permits it, and download the data again'

describe('a file without data is named by', () => {
  test.each([
    ['%PDF-1.7\n%\xe2\xe3', 'is a PDF document: export the data as CSV or JSON, and import that'],
    ['\x89PNG\r\n\x1a\n', 'is an image (PNG): export the data as CSV or JSON, and import that'],
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'is an image (JPEG): export the data as CSV or JSON, and import that'],
    [
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0',
      'is a workbook of an old Excel (.xls), or one with a password: save it as .xlsx or CSV, without a password, and import that',
    ],
    ['7z\xbc\xaf\x27\x1c\0', 'is a 7z archive: unpack it first, or pack the files as .zip'],
    ['SQLite format 3\0\x10\0', 'is an SQLite database: export the data as CSV or JSON, and import that'],
    ['\x80\x04\x95\x10', 'is a Python pickle: write the table to Parquet or CSV, and import that'],
    [
      '\0'.repeat(100),
      'is filled with zero bytes, which a broken download or disk leaves: download the data again',
    ],
    [
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
      'is a pointer of Git LFS, and not the data: run git lfs pull in its repository, and import the file then',
    ],
    [
      '/annex/objects/MD5E-s41--d41d8.csv\n',
      'is a pointer of git-annex, and not the data: run git annex get in its repository, and import the file then',
    ],
  ])('its first bytes: %j', (start, expected) => {
    expect(of(start, 'latin1')).toBe(expected)
  })

  test.each([
    [
      '<!DOCTYPE html>\n<html lang="en"><head><title>SEC.gov | File Not Found</title>',
      `an HTML page ("SEC.gov | File Not Found"), ${CHECK}`,
    ],
    [
      '\ufeff \n<!-- saved -->\n<HTML>\n<body><h1>503 Service\n Unavailable</h1>',
      `an HTML page ("503 Service Unavailable"), ${CHECK}`,
    ],
    [
      '<html><title>SEC.gov | Request Rate Threshold Exceeded</title>',
      `an HTML page ("SEC.gov | Request Rate Threshold Exceeded"): ${WAIT}`,
    ],
    ['<html></html>', `an HTML page, ${CHECK}`],
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>F1</RequestId></Error>',
      `the error message of a file store ("AccessDenied: Access Denied"), ${CHECK}`,
    ],
    ['404: Not Found', `the error message of a web server ("404: Not Found"), ${CHECK}`],
    [
      'Exceeded the daily hits limit\r\n',
      `the error message of a web server ("Exceeded the daily hits limit"): ${WAIT}`,
    ],
    ['Edge: Too Many Requests', `the error message of a web server ("Edge: Too Many Requests"): ${WAIT}`],
  ])('its text: %j', (text, expected) => {
    expect(of(text)).toBe(`is ${expected}`)
  })

  // The messages are those of the services' documentation and of reports about them.
  test.each([
    [
      {
        Note: 'Thank you for using Alpha Vantage! Our standard API call frequency is 5 calls per minute and 500 calls per day.',
      },
      `Alpha Vantage ("Thank you for using Alpha Vantage! Our standard API call frequency is 5 calls per minute and 500 calls per day."): ${WAIT}`,
    ],
    [
      { 'Error Message': 'Invalid API call. Please retry or visit the documentation.' },
      `Alpha Vantage ("Invalid API call. Please retry or visit the documentation."), ${CHECK}`,
    ],
    [
      {
        status: 'ERROR',
        request_id: 'a1',
        error: "You've exceeded the maximum requests per minute, please wait.",
      },
      `Polygon ("You've exceeded the maximum requests per minute, please wait."): ${WAIT}`,
    ],
    [
      { status: 'NOT_AUTHORIZED', request_id: 'a1', message: 'You are not entitled to this data.' },
      `Polygon ("You are not entitled to this data."), ${CHECK}`,
    ],
    [
      { finance: { result: null, error: { code: 'Unauthorized', description: 'Invalid Crumb' } } },
      `Yahoo ("Invalid Crumb"), ${CHECK}`,
    ],
    [
      {
        chart: {
          result: null,
          error: { code: 'Not Found', description: 'No data found, symbol may be delisted' },
        },
      },
      `Yahoo ("No data found, symbol may be delisted"), ${CHECK}`,
    ],
    [{ code: -1121, msg: 'Invalid symbol.' }, `Binance ("Invalid symbol."), ${CHECK}`],
    [
      { error_code: 400, error_message: 'Bad Request.  The series does not exist.' },
      `FRED ("Bad Request. The series does not exist."), ${CHECK}`,
    ],
    [
      { status: { error_code: 429, error_message: "You've exceeded the Rate Limit." } },
      `CoinGecko ("You've exceeded the Rate Limit."): ${WAIT}`,
    ],
    [
      { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
      `GitHub ("Not Found"), ${CHECK}`,
    ],
    [{ error: ['EQuery:Unknown asset pair'] }, `Kraken ("EQuery:Unknown asset pair"), ${CHECK}`],
    [{ message: 'NotFound' }, `a web service ("NotFound"), ${CHECK}`],
    [
      [
        {
          message: [{ id: '120', key: 'Invalid value', value: 'The provided parameter value is not valid' }],
        },
      ],
      `World Bank ("The provided parameter value is not valid"), ${CHECK}`,
    ],
  ])('the error of a web service: %j', (answer, expected) => {
    expect(of(JSON.stringify(answer))).toBe(`is an error message of ${expected}`)
  })

  test('a message of one line, without control characters, of at most 160 characters', () => {
    const message = `a\u001b[31m\n${'b'.repeat(300)}`
    const found = of(JSON.stringify({ message })) ?? ''
    expect(found).toContain(`("a [31m ${'b'.repeat(152)}…")`)
  })
})

test.each([
  'Date,Open\n2024-01-02,1\n',
  '{"Meta Data": {"1. Information": "Daily"}, "Time Series (Daily)": {}}',
  '[{"message": 5}]',
  '{"id": 1, "message": "a post"}',
  '{"error": null, "result": {}}',
  '{"error": [], "result": {}}',
  '<edgarSubmission/>',
  'no data for 2024-01-02,x',
  '{"message": "cut',
])('any other file has no diagnosis: %j', text => {
  expect(of(text)).toBeNull()
})
