import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOTES, temporarySite } from './temporary-site.ts'

const announcing = (until: string) => ({
  ...NOTES,
  'site.yaml': `${NOTES['site.yaml']}announcement:\n  text: Sale\n  until: ${until}\n`,
})
const on = (day: string) => ({ now: () => `${day}T12:00:00.000Z` })

test('an announcement says when it ends, and the first build after that leaves it out though no file has changed', async () => {
  const { out, build, put } = await temporarySite(announcing('2026-12-24T18:00+01:00'))
  const home = () => readFile(join(out, 'index.html'), 'utf8')
  await build(on('2026-12-01'))
  expect(await home()).toMatch(/<aside class="announcement" data-until="2026-12-24T17:00:00.000Z"/)
  expect((await build(on('2026-12-02'))).pages.rendered).toBe(0)
  await put('docs/b.md', '---\ntitle: B\n---\nOther.\n')
  expect((await build(on('2026-12-03'))).pages.rendered).toBe(1)
  const after = await build(on('2026-12-25'))
  expect(after.pages.rendered).toBe(after.pages.total)
  expect(await home()).not.toContain('announcement')
  expect((await build(on('2026-12-26'))).files.written).toBe(0)
})

test('an end without a time zone or that is no date is refused by name', async () => {
  for (const [until, message] of [
    ['2026-12-24T18:00', 'must have a time zone'],
    ['soon', 'must be an ISO 8601 date'],
  ] as const) {
    const { run } = await temporarySite(announcing(until))
    const result = await run()
    const errors = 'errors' in result ? result.errors : []
    expect(errors).toEqual([
      expect.objectContaining({
        file: 'site.yaml',
        line: 5,
        field: 'announcement.until',
        message: expect.stringContaining(message),
      }),
    ])
  }
})
