import { describe, expect, test } from 'vitest'
import { readFilings } from '../../../../src/lake/import/xml/edgar.ts'

const read = (text: string, ...repeated: string[]) =>
  JSON.parse(JSON.stringify(readFilings(text, new Set(repeated))))

function refusal(text: string): string {
  try {
    readFilings(text, new Set())
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return 'accepted'
}

const DISSEMINATION = [
  '<SUBMISSION>',
  '<ACCESSION-NUMBER>0009000100-24-000007',
  '<TYPE>13F-HR',
  '<PERIOD>20240331',
  '<FILING-DATE>20240510',
  '<DATE-OF-FILING-DATE-CHANGE>20240511',
  '<FILER>',
  '<COMPANY-DATA>',
  '<CONFORMED-NAME>ACME &amp; SONS CAPITAL LLC',
  '<CIK>0009000100',
  '</COMPANY-DATA>',
  '<FILING-VALUES>',
  '<FORM-TYPE>13F-HR',
  '</FILING-VALUES>',
  '</FILER>',
  '<DOCUMENT>',
  '<TYPE>INFORMATION TABLE',
  '<TEXT>',
  '<XML>',
  '<?xml version="1.0"?>',
  '<a xmlns="urn:a"><b>1</b></a>',
  '</XML>',
  '</TEXT>',
  '</DOCUMENT>',
  '</SUBMISSION>',
]

const PUBLIC = [
  '<SEC-DOCUMENT>0009000100-24-000007.txt : 20240511',
  '<SEC-HEADER>0009000100-24-000007.hdr.sgml : 20240511',
  '<ACCEPTANCE-DATETIME>20240510161500',
  'ACCESSION NUMBER:\t\t0009000100-24-000007',
  'CONFORMED SUBMISSION TYPE:\t13F-HR',
  'PUBLIC DOCUMENT COUNT:\t\t2',
  'CONFORMED PERIOD OF REPORT:\t20240331',
  'FILED AS OF DATE:\t\t20240510',
  'DATE AS OF CHANGE:\t\t20240511',
  '',
  'FILER:',
  '',
  '\tCOMPANY DATA:\t',
  '\t\tCOMPANY CONFORMED NAME:\t\t\tACME & SONS CAPITAL LLC',
  '\t\tCENTRAL INDEX KEY:\t\t\t0009000100',
  '',
  '\tFORMER COMPANY:\t',
  '\t\tFORMER CONFORMED NAME:\tACME CAPITAL LLC',
  '</SEC-HEADER>',
  '<DOCUMENT>',
  '<TYPE>13F-HR',
  '<TEXT>',
  '<XML>',
  '',
  '<?xml version="1.0"?>',
  '<cover/>',
  '</XML>',
  '</TEXT>',
  '</DOCUMENT>',
  '<DOCUMENT>',
  '<TYPE>EX-99',
  '<TEXT>',
  'ACCESSION NUMBER: of something else, in a document that is not XML <b>',
  '</TEXT>',
  '</DOCUMENT>',
  '<DOCUMENT>',
  '<TYPE>INFORMATION TABLE',
  '<TEXT>',
  '<XML>',
  '<?xml version="1.0"?>',
  '<table><row/></table>',
  '</XML>',
  '</TEXT>',
  '</DOCUMENT>',
  '</SEC-DOCUMENT>',
]

const SUBMISSION = {
  accession_number: '0009000100-24-000007',
  form: '13F-HR',
  period: '2024-03-31',
  filed: '2024-05-10',
  name: 'ACME & SONS CAPITAL LLC',
  cik: '0009000100',
}

describe('A file from EDGAR contains', () => {
  test('one document without a submission, if it is bare XML', () => {
    expect(read('\n<?xml version="1.0"?>\n<a><b>1</b></a>', 'b')).toEqual([
      { submission: null, document: { a: { b: ['1'] } } },
    ])
  })

  test('the documents of the dissemination with its header', () => {
    expect(read(DISSEMINATION.join('\n'), 'b')).toEqual([
      { submission: SUBMISSION, document: { a: { b: ['1'] } } },
    ])
  })

  test('the same in a dissemination in one line, or with the line ends of Windows, or after a blank line', () => {
    const expected = read(DISSEMINATION.join('\n'))
    expect(read(DISSEMINATION.join(''))).toEqual(expected)
    expect(read(`\uFEFF\n${DISSEMINATION.join('\r\n')}\r\n`)).toEqual(expected)
  })

  test('every XML document of the public text with its header, without the others', () => {
    expect(read(PUBLIC.join('\n'), 'row')).toEqual([
      { submission: SUBMISSION, document: { cover: '' } },
      { submission: SUBMISSION, document: { table: { row: [''] } } },
    ])
    expect(read(`${PUBLIC.join('\r\n')}\r\n`)).toHaveLength(2)
  })

  test('the same in a public text within an e-mail envelope', () => {
    const mail = ['-----BEGIN PRIVACY-ENHANCED MESSAGE-----', 'Proc-Type: 2001,MIC-CLEAR', '']
    const text = [...mail, ...PUBLIC, '-----END PRIVACY-ENHANCED MESSAGE-----', ''].join('\n')
    expect(read(text)).toEqual(read(PUBLIC.join('\n')))
  })

  test('NULL for what the header lacks or leaves blank', () => {
    // A document below has a line `ACCESSION NUMBER:` of its own.
    const text = PUBLIC.filter((line, place) => place !== 3 && !line.startsWith('CONFORMED PERIOD'))
      .map(line => line.replace('13F-HR', '').replace('20240510', 'unknown'))
      .join('\n')
    expect(read(text)[0].submission).toEqual({
      ...SUBMISSION,
      accession_number: null,
      form: null,
      period: null,
      filed: 'unknown',
    })
  })
})

describe('A file from EDGAR is refused, with the line,', () => {
  test.each([
    ['if it is cut short after a document', PUBLIC.slice(0, 29), 'line 29: the submission is truncated'],
    ['if it is cut short within a document', PUBLIC.slice(0, 41), 'line 41: the submission is truncated'],
    ['if an <XML> is not closed', DISSEMINATION.toSpliced(21, 1), 'line 19: <XML> without </XML>'],
    [
      'if it has no XML',
      PUBLIC.toSpliced(22, 1).toSpliced(37, 1),
      'line 1: the submission has no XML document',
    ],
    [
      'if it has no documents',
      ['<SUBMISSION>', '</SUBMISSION>'],
      'line 1: the submission has no XML document',
    ],
    ['if a document is broken', PUBLIC.with(40, '<table><row></table>'), 'line 41: unexpected close tag'],
    [
      'if a document has a DOCTYPE',
      DISSEMINATION.with(19, '<!DOCTYPE a>'),
      'line 20: a DOCTYPE is not allowed',
    ],
    ['if it is neither XML nor a submission', ['<SEC-HEADER'], 'line 2: unexpected end'],
  ])('%s', (_, lines, reason) => {
    expect(refusal(`${lines.join('\n')}\n`)).toBe(reason)
  })
})
