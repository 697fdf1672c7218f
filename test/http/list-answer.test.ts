import { describe, expect, test } from 'vitest'
import { MAX_LIST_BYTES } from '../../src/domain/list-bytes.ts'
import { listText } from '../../src/http/list-answer.ts'

function answerOf(texts: readonly string[]) {
  const text = listText(
    texts,
    (text) => ({ text }),
    (shown) => ({ shown, has_more: shown < texts.length }),
  )
  return { length: Buffer.byteLength(text), body: JSON.parse(text) }
}

describe('a list', () => {
  test('is JSON with all of its items when they fit', () => {
    const { body } = answerOf(['one', 'two "quoted"'])
    expect(body).toEqual({
      data: [{ text: 'one' }, { text: 'two "quoted"' }],
      meta: { shown: 2, has_more: false },
    })
    expect(answerOf([]).body).toEqual({ data: [], meta: { shown: 0, has_more: false } })
  })

  test('is shorter than its limit in bytes, not in characters', () => {
    const { length, body } = answerOf(Array(10).fill('é'.repeat(1_000_000)))
    expect(length).toBeLessThan(MAX_LIST_BYTES)
    expect(body.meta).toEqual({ shown: 4, has_more: true })
  })

  test('holds its first item, however large that is', () => {
    const { body } = answerOf(['x'.repeat(9_000_000), 'y'])
    expect(body.data).toHaveLength(1)
    expect(body.meta).toEqual({ shown: 1, has_more: true })
  })
})
