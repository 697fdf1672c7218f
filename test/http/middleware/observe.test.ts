import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { observe } from '../../../src/http/middleware/observe.ts'
import { contextOf } from '../../support/koa-context.ts'

/** The level of the line about a request with this status, when the random number is this one. */
async function levelOf(status: number, requestSample: number, number: number): Promise<string> {
  const levels: string[] = []
  const logAt = (level: string) => (_: object, message?: string) => {
    expect(message).toBe('A request was answered.')
    levels.push(level)
  }
  const log = { warn: logAt('warn'), info: logAt('info'), debug: logAt('debug') } as never
  const metrics = { requestAnswered() {}, requestLimited() {} }
  const context = contextOf('GET', '/pages')
  await observe({ metrics, log, requestSample, random: () => number })(context, async () => {
    context.status = status
  })
  return levels.join()
}

describe('lines about answered requests', () => {
  test('are written for the part of them that the setting names', async () => {
    expect(await levelOf(200, 0.25, 0.2)).toBe('info')
    expect(await levelOf(200, 0.25, 0.3)).toBe('debug')
    expect(await levelOf(200, 0, 0)).toBe('debug')
    expect(await levelOf(404, 1, 0.999)).toBe('info')
  })

  test('are always written for requests that failed', async () => {
    expect(await levelOf(500, 0, 0.999)).toBe('info')
    expect(await levelOf(503, 0, 0.999)).toBe('info')
  })

  test('need a setting from 0 to 1', () => {
    expect(readConfig({}).requestSample).toBe(0)
    expect(readConfig({ QUOIN_LOG_REQUESTS: '0.01' }).requestSample).toBe(0.01)
    expect(readConfig({ QUOIN_LOG_REQUESTS: '1' }).requestSample).toBe(1)
    for (const text of ['1.5', '-0.1', '10', '5%', 'all', '.'])
      expect(() => readConfig({ QUOIN_LOG_REQUESTS: text })).toThrow(/^QUOIN_LOG_REQUESTS: must be a number/)
  })
})
