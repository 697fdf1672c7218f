import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Id } from '../../../src/domain/ids.ts'
import type { LivePage } from '../../../src/domain/live-page.ts'
import type { MediaSource } from '../../../src/domain/media.ts'
import { loadMarkdownTools } from '../../../src/render/markdown/markdown-tools.ts'
import { completed, uncompleted } from '../../../src/render/page/completed-payload.ts'
import { renderPayload } from '../../../src/render/page/payload.ts'
import { anyLivePage, livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'

const tools = await loadMarkdownTools('')

function bodyOf(live: LivePage): Uint8Array {
  return renderPayload(live, createPlainTheme(), tools).artifacts[0]?.body ?? new Uint8Array()
}

const payloadOf = (live: LivePage) => JSON.parse(Buffer.from(bodyOf(live)).toString())

const STAMP = { releaseId: 'relaaaaaaaaaaaaa' as Id<'rel'>, publishedAt: '2026-03-03T09:00:00.000Z' }

describe('a payload', () => {
  test('is JSON with the address and content of the page, whatever they are', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        const { page } = live
        expect(payloadOf(live)).toMatchObject({
          id: `page_${page.id}`,
          project_id: `proj_${page.projectId}`,
          title: page.title,
          type: page.type,
          url: live.path,
          description: page.description,
        })
      }),
    )
  })

  test('contains the body as HTML, with links that any client can resolve against the site', () => {
    const live = livePage({
      page: {
        type: 'docs',
        subroute: 'docs',
        markdown: '[a](/docs/a) ![b](/b.png) [c](https://other.example/)',
      },
    })
    const { html } = payloadOf(live)
    expect(html).toContain('href="/docs/a/"')
    expect(html).toContain('src="/b.png"')
    expect(html).toContain('href="https://other.example/"')
  })

  test('contains the sections of a page as HTML in place of a body', () => {
    const sections = [{ type: 'hero', title: 'Hello' }]
    expect(payloadOf(livePage({ page: { config: { sections } } })).html).toContain('"Hello"')
  })

  test('has the fields of its type only', () => {
    const fields = {
      publishDate: '2026-02-03T00:00:00.000Z',
      author: { name: 'Ada', avatar: null },
      navOrder: 4,
    }
    const payloadFor = (type: 'page' | 'article' | 'docs' | 'item') =>
      payloadOf(livePage({ page: { type }, fields }))
    expect(payloadFor('article')).toMatchObject({
      publish_date: '2026-02-03T00:00:00.000Z',
      author: { name: 'Ada', avatar: null },
    })
    expect(payloadFor('docs')).toMatchObject({ nav_order: 4, parent_page: null })
    for (const type of ['page', 'item'] as const)
      for (const name of ['publish_date', 'author', 'nav_order', 'parent_page'])
        expect(payloadFor(type)).not.toHaveProperty(name)
  })

  test('tells a page of sections without Markdown apart from an empty article', () => {
    expect(payloadOf(livePage({ page: { type: 'page' } })).markdown_content).toBeNull()
    expect(payloadOf(livePage({ page: { type: 'article' } })).markdown_content).toBe('')
  })

  test('does not change from one publish to the next of the same page', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        expect(Buffer.from(bodyOf(live))).toEqual(Buffer.from(bodyOf(live)))
      }),
      { numRuns: 20 },
    )
  })
})

const ADA = { digest: 'a'.repeat(64), key: '_media/ada.aaaaaaaaaaaaaaaa.png', bytes: 70 }
const MEDIA: MediaSource = {
  'media/team/ada lovelace.png': {
    ...ADA,
    width: 640,
    height: 320,
    colour: '#aabbcc',
    variants: [
      {
        width: 320,
        height: 160,
        format: 'webp',
        key: '_media/ada.bbbbbbbbbbbbbbbb-320.webp',
        stored: { digest: 'b'.repeat(64), bytes: 7 },
      },
    ],
  },
  'media/intro.mp4': {
    digest: 'd'.repeat(64),
    key: '_media/intro.dddddddddddddddd.mp4',
    bytes: 9,
    width: 1280,
    height: 720,
  },
  'media/report': { digest: 'c'.repeat(64), key: '_media/report.cccccccccccccccc.pdf', bytes: 9 },
}
const fileOf = (digest: string) => `_media/${digest.slice(0, 4)}.bin`

describe('the pictures and files of a payload', () => {
  const live: LivePage = {
    ...livePage({
      page: { type: 'docs', markdown: '![Ada](</media/team/ada lovelace.png>) [a](/media/report)' },
    }),
    media: MEDIA,
  }
  const published = JSON.parse(Buffer.from(completed(bodyOf(live), STAMP, fileOf)).toString())

  test('are named by the addresses that the HTML has, which has their sizes', () => {
    expect(published.html).toContain('src="/media/team/ada%20lovelace.png"')
    expect(published.html).toMatch(/width="640" height="320"/)
    expect(published.html).toContain('href="/media/report"')
    expect(Object.keys(published.assets)).toEqual([
      '/media/intro.mp4',
      '/media/report',
      '/media/team/ada%20lovelace.png',
    ])
  })

  test('have a file, a type, a size and a digest, and so have smaller pictures', () => {
    expect(published.assets['/media/team/ada%20lovelace.png']).toEqual({
      file: '_media/aaaa.bin',
      content_type: 'image/png',
      width: 640,
      height: 320,
      bytes: 70,
      digest: ADA.digest,
      variants: [
        {
          file: '_media/bbbb.bin',
          content_type: 'image/webp',
          width: 320,
          height: 160,
          bytes: 7,
          digest: 'b'.repeat(64),
        },
      ],
    })
    expect(published.assets['/media/intro.mp4']).toMatchObject({ width: 1280, height: 720, variants: [] })
    expect(published.assets['/media/report']).toMatchObject({
      content_type: 'application/pdf',
      width: null,
      height: null,
      variants: [],
    })
  })

  test('are absent from the payload of a page that shows none', () => {
    expect(
      JSON.parse(Buffer.from(completed(bodyOf(livePage()), STAMP, fileOf)).toString()),
    ).not.toHaveProperty('assets')
  })

  test('come off with the stamp, whatever names the files have', () => {
    const body = Buffer.from(bodyOf(live)).toString()
    for (const name of ['a', 'b'])
      expect(
        Buffer.from(
          uncompleted(
            completed(bodyOf(live), STAMP, () => name),
            STAMP,
          ),
        ).toString(),
      ).toBe(body)
    const longer = Buffer.from(
      `${Buffer.from(completed(bodyOf(live), STAMP, fileOf))
        .toString()
        .slice(0, -1)},"a":1}`,
    )
    expect(() => uncompleted(longer, STAMP)).toThrow(SyntaxError)
  })
})

describe('the stamp of a payload', () => {
  test('adds the time and the release, and the payload stays JSON', () => {
    fc.assert(
      fc.property(anyLivePage(), (live) => {
        const payload = JSON.parse(Buffer.from(completed(bodyOf(live), STAMP, fileOf)).toString())
        expect(payload).toEqual({
          ...payloadOf(live),
          published_at: STAMP.publishedAt,
          release_id: `rel_${STAMP.releaseId}`,
        })
      }),
    )
  })

  test('comes off again without a trace', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
    fc.assert(
      fc.property(object, (value) => {
        const body = Buffer.from(JSON.stringify(value))
        expect(Buffer.from(uncompleted(completed(body, STAMP, fileOf), STAMP)).toString()).toBe(
          body.toString(),
        )
      }),
    )
  })

  test('is refused when it is of another publish', () => {
    const body = completed(bodyOf(livePage()), STAMP, fileOf)
    const other = { ...STAMP, publishedAt: '2026-03-03T09:00:00.001Z' }
    expect(() => uncompleted(body, other)).toThrow(RangeError)
    expect(() => uncompleted(Buffer.from('{}'), STAMP)).toThrow(RangeError)
  })
})
