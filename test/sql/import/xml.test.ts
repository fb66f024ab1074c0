import { describe, expect, test } from 'vitest'
import { readXml } from '../../../src/lake/import/xml/xml.ts'

const read = (text: string, ...repeated: string[]) =>
  JSON.parse(JSON.stringify(readXml(text, new Set(repeated))))

/** The reason of a refusal, which must be one short line. */
function refusal(text: string, options: { firstLine?: number; elementsMax?: number } = {}): string {
  try {
    readXml(text, new Set(), options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return reason.includes('\n') || reason.length > 200 ? `not one short line: ${reason}` : reason
  }
  return 'accepted'
}

describe('An XML document is read as', () => {
  test('objects of its elements, without prefixes, attributes of text and the blanks around text', () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
      <ns1:table xmlns:ns1="urn:table" xmlns="urn:other" ns1:version="2">
        <ns1:row id="1"><ns1:cusip>
          037833100 </ns1:cusip><name lang="en">Acme &amp; Sons &#x2014; &lt;B&gt;</name><footnote id="F1"/><put></put></ns1:row>
      </ns1:table>`
    expect(read(text)).toEqual({
      table: {
        row: {
          cusip: '037833100',
          name: 'Acme & Sons — <B>',
          footnote: { '@id': 'F1' },
          put: '',
          '@id': '1',
        },
      },
    })
  })

  test('arrays where a name is repeated, and always for names that can be', () => {
    const text = '<a><b>1</b><c>x</c><b>2</b><d>3</d><b/></a>'
    expect(read(text)).toEqual({ a: { b: ['1', '2', ''], c: 'x', d: '3' } })
    expect(read(text, 'd', 'e')).toEqual({ a: { b: ['1', '2', ''], c: 'x', d: ['3'] } })
    expect(read('<a><d/></a>', 'd')).toEqual({ a: { d: [''] } })
  })

  test('text that comments, CDATA sections and instructions break up', () => {
    expect(read('<a>one <!-- two --><![CDATA[<three> & ]]><?four five?>six</a>')).toEqual({
      a: 'one <three> & six',
    })
  })

  test('objects that keep text in addition to their children', () => {
    expect(read('<a>before <b>1</b> after</a>')).toEqual({ a: { b: '1', '#text': 'before  after' } })
  })

  test('objects with names of built-in properties', () => {
    const text = '<a><__proto__>1</__proto__><constructor>2</constructor><toString/></a>'
    expect(JSON.stringify(readXml(text, new Set()))).toBe(
      '{"a":{"__proto__":"1","constructor":"2","toString":""}}',
    )
  })

  test.each([
    ['a blank line', '\n'],
    ['blank lines of both kinds', '\r\n  \n\t'],
    ['a byte order mark', '\uFEFF'],
    ['a byte order mark and a blank line', '\uFEFF\n'],
  ])('the same after %s before its declaration', (_, above) => {
    expect(read(`${above}<?xml version="1.0" ?><a>1</a>\n\n`)).toEqual({ a: '1' })
  })

  test.each(['UTF-8', 'utf-16', 'ISO-8859-1', 'windows-1252', 'us-ascii', 'x-made-up'])(
    'the text that it is, whatever encoding it declares: %s',
    encoding => {
      expect(read(`<?xml version="1.0" encoding="${encoding}"?><a>Café</a>`)).toEqual({ a: 'Café' })
    },
  )
})

describe('An XML document is refused, with its line, for', () => {
  test('a DOCTYPE, before any entity of its own can grow or be fetched', () => {
    const laughs = Array.from(
      { length: 9 },
      (_, place) => `<!ENTITY lol${place + 1} "${`&lol${place};`.repeat(10)}">`,
    )
    expect(
      refusal(
        `<?xml version="1.0"?>\n<!DOCTYPE a [\n<!ENTITY lol0 "lol">\n${laughs.join('\n')}\n]>\n<a>&lol9;</a>`,
      ),
    ).toBe('line 13: a DOCTYPE is not allowed')
    expect(refusal('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')).toBe(
      'line 1: a DOCTYPE is not allowed',
    )
    expect(refusal('<!DOCTYPE a SYSTEM "http://a.example/a.dtd">\n<a/>')).toBe(
      'line 1: a DOCTYPE is not allowed',
    )
    expect(refusal('<!DOCTYPE a>\n<a/>')).toBe('line 1: a DOCTYPE is not allowed')
  })

  test.each([
    ['an entity that nobody declared', '<a>\n&nbsp;</a>', 'line 2: undefined entity'],
    ['an element without end', '<a>\n<b>1\n</a>', 'line 3: unexpected close tag'],
    ['an end that is missing', '<a>\n<b>1</b>\n', 'line 3: unclosed tag: a'],
    ['a second root', '<a/>\n<b/>', 'line 2: documents may contain only one root'],
    ['text outside', '<a/>\nb', 'line 2: text data outside of root node'],
    ['a prefix that is bound to nothing', '<a>\n<x:b/></a>', 'line 2: unbound namespace prefix: "x"'],
    ['a NUL', '<a>\n\u0000</a>', 'line 2: disallowed character'],
    ['an ampersand alone', '<a>\nSmith & Sons</a>', 'line 2: unclosed tag: a'],
    [
      'an encoding that is no name',
      '<?xml version="1.0" encoding="no name"?><a/>',
      'line 1: encoding value must match',
    ],
    ['what is no XML', '{"a": 1}', 'line 1: text data outside of root node'],
    ['nothing', '', 'line 1: no XML document'],
    ['nothing but blanks', '\uFEFF\n\n ', 'line 1: no XML document'],
  ])('%s', (_, text, reason) => {
    expect(refusal(text).slice(0, reason.length)).toBe(reason)
  })

  test('a name of any length, in a short line', () => {
    expect(refusal(`<${'a'.repeat(10_000)}>`)).toMatch(/^line 1: unclosed tag: a+$/)
  })

  test('elements too deep within one another', () => {
    const nested = (depth: number) => `${'<a>\n'.repeat(depth)}${'</a>'.repeat(depth)}`
    expect(refusal(nested(64))).toBe('accepted')
    expect(refusal(nested(65))).toBe('line 65: more than 64 nested elements')
    expect(refusal('<a>'.repeat(1_000_000))).toBe('line 1: more than 64 nested elements')
  })

  test('too many elements', () => {
    expect(refusal('<a><b/><b/></a>', { elementsMax: 3 })).toBe('accepted')
    expect(refusal('<a><b/><b/>\n<b/></a>', { elementsMax: 3 })).toBe('line 2: more than 3 elements')
  })

  test('anything, counting the lines above it: blank ones, and those of the file that it is a part of', () => {
    expect(refusal('\n\r\n\r<?xml version="1.0"?>\r\n<a>\r<b></a>')).toBe('line 6: unexpected close tag')
    expect(refusal('\n<a>\n<b></a>', { firstLine: 40 })).toBe('line 42: unexpected close tag')
  })
})
