import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createMessageInput,
  createMessageReader,
  type Part,
  packMessage,
} from '../../src/renderer/message-framing.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const anyPart = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 40 }))
const anyMessages = fc.array(fc.array(anyPart, { maxLength: 4 }), { maxLength: 6 })

function asBytes(parts: readonly Part[]): readonly Buffer[] {
  return parts.map((part) => Buffer.from(part as Uint8Array))
}

test('messages are read as they were sent, however they are split in transit', () => {
  fc.assert(
    fc.property(anyMessages, fc.array(fc.nat(), { maxLength: 30 }), (messages, cuts) => {
      const sent = Buffer.concat(messages.map(packMessage))
      const places = [0, ...cuts.map((cut) => cut % (sent.length + 1)).sort((a, b) => a - b), sent.length]
      const reader = createMessageReader()
      const come = places.slice(1).flatMap((end, index) => reader.add(sent.subarray(places[index], end)))
      expect(come).toEqual(messages.map(asBytes))
      expect(reader.isPartWay()).toBe(false)
    }),
  )
})

test('a process reads messages one by one until the end, including messages longer than one read', async () => {
  const messages = [['first', ''], ['x'.repeat(150_000), 'and'], ['y'.repeat(400_000)], [], ['last']]
  const file = join(await temporaryFolder(), 'messages')
  await writeFile(file, Buffer.concat(messages.map(packMessage)))
  const fd = openSync(file, 'r')
  try {
    const next = createMessageInput(fd)
    const read = () => next()?.map(String) ?? null
    expect(messages.map(read)).toEqual(messages)
    expect(read()).toBeNull()
  } finally {
    closeSync(fd)
  }
})
