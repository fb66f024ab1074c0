import { expect, test } from 'vitest'
import { newWire, writeByte, writeText, written } from '../../../src/engine/text/wire.ts'

test('text is written in UTF-8 whatever its characters and the room for them', () => {
  const texts = [
    '',
    'a',
    'ASCII only',
    'é',
    'aé',
    'naïve – 東京',
    '🙂',
    'a🙂',
    '🙂🙂🙂',
    'ab🙂c\ud83d',
    '\udc00x',
    'é'.repeat(300),
  ]
  for (const size of [1, 2, 3, 5, 8, 1000]) {
    for (const text of texts) {
      const wire = newWire(size)
      writeByte(wire, 0x22)
      writeText(wire, text)
      writeText(wire, '.')
      // Buffer encodes by itself, and writes a lone half of a pair as U+FFFD, too.
      expect(Buffer.from(written(wire)).toString('hex')).toBe(Buffer.from(`"${text}.`).toString('hex'))
    }
  }
})

test('ASCII takes no more memory than it has bytes', () => {
  const wire = newWire(10)
  writeText(wire, '0123456789')
  expect(wire.bytes.length).toBe(10)
})
