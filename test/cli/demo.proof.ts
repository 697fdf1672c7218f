import { expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('the demo ends with the addresses of the site, the API and its reference, a key, and what to do next', async () => {
  const demo = startCommand(['demo', '--port', '0'], { QUOIN_DATA: await temporaryFolder() })
  const [printed] = await demo.line(/\n {2}Site [\s\S]*Press Ctrl\+C to stop\./)
  const value = (label: string) => new RegExp(`^ {2}${label} +(\\S+)$`, 'm').exec(printed)?.[1] ?? ''
  const api = value('API')
  expect(value('API reference')).toBe(`${api}/reference`)
  expect((await fetch(`${api}/reference`)).status).toBe(200)

  const front = await (await fetch(value('Site'))).text()
  expect(front).toContain(`href="${api}/reference"`)

  const [, key, url = ''] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(printed) ?? []
  expect(key).toBe(value('API key'))
  const list = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
  expect(await list.json()).toMatchObject({ data: { length: 3 } })

  for (const [guide] of printed.matchAll(/http:\S+\/docs\/\S+/g))
    expect((await fetch(guide)).status).toBe(200)
  demo.kill('SIGTERM')
  expect((await demo.ended).code).toBe(0)
})
