import { describe, expect, test } from 'vitest'
import type { FeedEntry } from '../../../src/domain/site-lines.ts'
import { feedEntry, feeds } from '../../../src/render/site-files/feeds.ts'
import { type LivePageParts, livePage } from '../../support/live-page.ts'

function article(page: LivePageParts['page'] = {}) {
  return livePage({
    page: { type: 'article', subroute: 'blog', slug: 'hello', title: 'Hello <world>', ...page },
    fields: { publishDate: '2026-02-03T00:00:00.000Z', author: { name: 'Ada', avatar: null } },
  })
}

function files(entries: readonly FeedEntry[]) {
  const made = feeds(article(), entries)
  return Object.fromEntries(made.map(({ key, body }) => [key, Buffer.from(body).toString()]))
}

function entryOf(page: LivePageParts['page'] = {}): FeedEntry {
  const entry = feedEntry(article(page))
  if (entry === null) throw new Error('An article has an entry.')
  return entry
}

describe('feeds', () => {
  test('list articles and no other pages', () => {
    expect(feedEntry(livePage({ page: { type: 'docs' } }))).toBeNull()
  })

  test('exist without articles, with a constant date, because every page announces them', () => {
    const { 'feed.xml': atom = '', '_feed.json': json = '' } = files([])
    expect(atom).toContain('<updated>1970-01-01T00:00:00Z</updated>')
    expect(atom).not.toContain('<entry>')
    expect(JSON.parse(json).items).toEqual([])
  })

  test('contain the whole text with absolute links', () => {
    const { html } = entryOf({
      markdown: '[root](/docs) [beside](../other/) [here](#part) [far](https://far.example/x) ![i](/a.png)',
    })
    const links = [...(html ?? '').matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url]) => url)
    expect(links).toEqual([
      'https://acme.example/docs/',
      'https://acme.example/blog/other/',
      'https://acme.example/blog/hello/#part',
      'https://far.example/x',
      'https://acme.example/a.png',
    ])
  })

  test('have headings without the link to themselves, and footnotes that lead to the page', () => {
    const { html } = entryOf({ markdown: '## Part\n\nText[^1].\n\n[^1]: Note.' })
    expect(html).toContain('<h2 id="part">Part</h2>')
    expect(html).toContain('href="https://acme.example/blog/hello/#user-content-fn-1"')
  })

  test('omit a very long text', () => {
    const entry = entryOf({ markdown: 'word '.repeat(20_000), description: 'Long.' })
    expect(entry.html).toBeNull()
    expect(JSON.parse(files([entry])['_feed.json'] ?? '').items[0]).toMatchObject({ content_text: 'Long.' })
  })

  test('keep the id of an article that is renamed', () => {
    expect(entryOf({ slug: 'renamed' }).id).toBe(entryOf().id)
    expect(entryOf({ slug: 'renamed' }).url).not.toBe(entryOf().url)
  })

  test('are valid Atom and JSON Feed', () => {
    const { 'feed.xml': atom = '', '_feed.json': json = '' } = files([entryOf({ markdown: 'Hi & *you*' })])
    expect(atom).toContain('<title>Hello &lt;world&gt;</title>')
    expect(atom).toContain('<published>2026-02-03T00:00:00.000Z</published>')
    expect(atom).toContain(
      '<content type="html">&lt;p&gt;Hi &amp;amp; &lt;em&gt;you&lt;/em&gt;&lt;/p&gt;</content>',
    )
    expect(JSON.parse(json)).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Acme',
      feed_url: 'https://acme.example/_feed.json',
      items: [
        {
          url: 'https://acme.example/blog/hello/',
          title: 'Hello <world>',
          content_html: '<p>Hi &amp; <em>you</em></p>',
          date_published: '2026-02-03T00:00:00.000Z',
          authors: [{ name: 'Ada' }],
        },
      ],
    })
  })
})
