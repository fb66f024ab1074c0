import { lineBreaks, readXml } from './xml.ts'

/** Fields of a submission's header, as written; days as YYYY-MM-DD. Missing fields are null. */
export interface Submission {
  readonly accession_number: string | null
  readonly form: string | null
  /** The day that the report is for. */
  readonly period: string | null
  readonly filed: string | null
  /** The first party in the header: the filer, or the issuer or owner of an ownership report. */
  readonly name: string | null
  readonly cik: string | null
}

/** An XML document (see `readXml`), and the submission that it is part of; null for a bare document. */
export interface Filing {
  readonly submission: Submission | null
  readonly document: unknown
}

/** Each field's label in the public .txt, `LABEL: value` on a line, and its tag in the dissemination, never closed. */
const FIELDS: Record<keyof Submission, { label: string; tag: string }> = {
  accession_number: { label: 'ACCESSION NUMBER', tag: 'ACCESSION-NUMBER' },
  form: { label: 'CONFORMED SUBMISSION TYPE', tag: 'TYPE' },
  period: { label: 'CONFORMED PERIOD OF REPORT', tag: 'PERIOD' },
  filed: { label: 'FILED AS OF DATE', tag: 'FILING-DATE' },
  name: { label: 'COMPANY CONFORMED NAME', tag: 'CONFORMED-NAME' },
  cik: { label: 'CENTRAL INDEX KEY', tag: 'CIK' },
}

// Submissions before about 2001 start with the lines of Privacy-Enhanced Mail.
const SUBMISSION_START = /^[\s\uFEFF]*(<(SUBMISSION|SEC-DOCUMENT)>|-----BEGIN PRIVACY-ENHANCED MESSAGE)/

const SUBMISSION_END = /^<\/(SUBMISSION|SEC-DOCUMENT)>/

/**
 * The XML documents of a file from EDGAR: a bare one, or those within `<XML>` and `</XML>` of a full submission, which
 * is the public .txt (`<SEC-DOCUMENT>`) or SEC's dissemination (`<SUBMISSION>`, .nc), whose line breaks may be missing.
 * Elements named in `repeated` are always arrays. Other documents are skipped.
 *
 * Throws an Error with a reason of one line, including the line number, if a document is not well-formed (see
 * `readXml`), or if the submission is truncated or has no XML. @see
 * https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data
 */
export function readFilings(text: string, repeated: ReadonlySet<string>): Filing[] {
  if (!SUBMISSION_START.test(text)) return [{ submission: null, document: readXml(text, repeated) }]

  const end = text.lastIndexOf('</')
  if (!SUBMISSION_END.test(text.slice(Math.max(end, 0))))
    throw new Error(`line ${1 + lineBreaks(text.trimEnd(), 0, text.length)}: the submission is truncated`)
  const firstDocument = text.indexOf('<DOCUMENT>')
  const submission = readHeader(firstDocument === -1 ? text : text.slice(0, firstDocument))
  const filings: Filing[] = []
  let line = 1
  let counted = 0
  const lineAt = (position: number) => {
    line += lineBreaks(text, counted, position)
    counted = position
    return line
  }
  for (let tag = text.indexOf('<XML>'); tag !== -1; tag = text.indexOf('<XML>', counted)) {
    const start = tag + '<XML>'.length
    const end = text.indexOf('</XML>', start)
    if (end === -1) throw new Error(`line ${lineAt(start)}: <XML> without </XML>`)
    const document = readXml(text.slice(start, end), repeated, { firstLine: lineAt(start) })
    filings.push({ submission, document })
    lineAt(end)
  }
  if (filings.length === 0) throw new Error('line 1: the submission has no XML document')
  return filings
}

function readHeader(header: string): Submission {
  const read = ({ label, tag }: { label: string; tag: string }) => {
    const match =
      new RegExp(`^[ \\t]*${label}:[ \\t]*(.*)$`, 'm').exec(header) ??
      new RegExp(`<${tag}>([^<\\r\\n]*)`).exec(header)
    const value = match?.[1]
      ?.trim()
      .replaceAll('&amp;', '&')
      .replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
    return value === undefined || value === '' ? null : value
  }
  return {
    accession_number: read(FIELDS.accession_number),
    form: read(FIELDS.form),
    period: read(FIELDS.period),
    filed: read(FIELDS.filed),
    name: read(FIELDS.name),
    cik: read(FIELDS.cik),
  }
}
