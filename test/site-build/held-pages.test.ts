import { expect, test } from 'vitest'
import { readSiteFiles } from './read-site-files.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const article = (date: string, more = '') => `---\ntitle: Soon\ntype: article\n${date}\n${more}---\nText.\n`
const on = (day: string) => ({ now: () => `${day}T00:00:00.000Z` })

test.each(['publish_date: 2026-03-01', 'date: 2026-03-01T00:00:00+02:00'])(
  'an article with %s is left out of all files and reported until a build after its date',
  async (date) => {
    const { out, build } = await temporarySite({ ...NOTES, 'blog/soon.md': article(date) }, false)
    const early = await build(on('2026-02-01'))
    expect(early.held).toMatchObject([{ file: 'blog/soon.md' }])
    expect(early.warnings).toMatchObject([
      { code: 'QN-FUTURE-DATE', file: 'blog/soon.md', field: 'publish_date' },
    ])
    expect([...(await readSiteFiles(out))].filter(([, text]) => text.includes('Soon'))).toEqual([])

    const later = await build(on('2026-03-01'))
    expect([later.held, later.warnings]).toEqual([[], []])
    expect([...(await readSiteFiles(out)).keys()]).toContain('blog/soon/index.html')
    expect((await readSiteFiles(out)).get('feed.xml')).toContain('Soon')
  },
)

test('an article in the future is built with --future, and a draft is not reported', async () => {
  const files = { ...NOTES, 'blog/soon.md': article('date: 2026-03-01') }
  const { out, build } = await temporarySite(files)
  expect((await build(on('2026-02-01'))).held).toEqual([])
  expect([...(await readSiteFiles(out)).keys()]).toContain('blog/soon/index.html')
  const drafts = await temporarySite(
    { ...NOTES, 'blog/soon.md': article('date: 2026-03-01', 'draft: true\n') },
    false,
  )
  expect((await drafts.build(on('2026-02-01'))).warnings).toEqual([])
})
