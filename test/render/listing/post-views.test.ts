import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ListedPage } from '../../../src/domain/live-page.ts'
import { absoluteLinks, relativeLinks } from '../../../src/render/links/links.ts'
import { postLayout, postViews } from '../../../src/render/listing/post-views.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { anyText, anyUrl } from '../../support/live-page.ts'
import { unsafeUrls } from '../../support/safe-urls.ts'

const POST: ListedPage = {
  path: '/blog/hello',
  title: 'Hello',
  excerpt: null,
  image: null,
  date: null,
  author: null,
}

function viewsOf(pages: readonly ListedPage[], path = '/', lang = 'en') {
  return postViews(pages, lang, createRendering(relativeLinks(path)))
}

describe('a listed post', () => {
  test.each([
    ['/', 'blog/hello/'],
    ['/blog', '../blog/hello/'],
    ['/blog/page/2', '../../../blog/hello/'],
  ])('is linked from the page at %s so that the site may be served in any folder', (path, href) => {
    expect(viewsOf([POST], path)[0]?.href).toBe(href)
  })

  test('shows its date in the language of the page, as the day that it is in UTC', () => {
    const dated = { ...POST, date: '2026-03-01T23:59:59.000Z' }
    expect(viewsOf([dated])[0]?.date).toEqual({ iso: '2026-03-01T23:59:59.000Z', text: 'March 1, 2026' })
    expect(viewsOf([dated], '/', 'de')[0]?.date?.text).toBe('1. März 2026')
  })

  test('shows only what the list asked for', () => {
    expect(viewsOf([POST])).toEqual([
      { title: 'Hello', href: 'blog/hello/', excerpt: null, image: null, date: null, author: null },
    ])
  })

  test('has the sizes and the dark variant of its image', () => {
    const image = { src: '/a.png', alt: 'A bridge', width: 640, height: 480, dark: '/b.png' }
    expect(viewsOf([{ ...POST, image }], '/blog')[0]?.image).toEqual({
      src: '../a.png',
      alt: 'A bridge',
      width: 640,
      height: 480,
      dark: '../b.png',
    })
  })

  test('never links to an unsafe address, whatever was stored as its image', () => {
    const post = fc.record({ title: anyText(), src: anyUrl(), dark: anyUrl() })
    fc.assert(
      fc.property(fc.array(post, { maxLength: 4 }), fc.boolean(), (written, isAbsolute) => {
        const links = isAbsolute ? absoluteLinks('https://acme.example') : relativeLinks('/blog')
        const pages = written.map(({ title, ...image }) => ({ ...POST, title, image }))
        const views = postViews(pages, 'en', createRendering(links))
        expect(unsafeUrls(views)).toEqual([])
        expect(views.map(({ title }) => title)).toEqual(written.map(({ title }) => title))
      }),
    )
  })
})

test('a list of posts becomes a grid when at least half of them have an image to show', () => {
  const image = { src: '/a.png' }
  const unsafe = { src: 'javascript:alert(1)' }
  expect(postLayout([])).toBe('list')
  expect(postLayout(viewsOf([POST, POST]))).toBe('list')
  expect(postLayout(viewsOf([POST, { ...POST, image }]))).toBe('grid')
  expect(postLayout(viewsOf([POST, { ...POST, image }, POST]))).toBe('list')
  expect(postLayout(viewsOf([{ ...POST, image: unsafe }]))).toBe('list')
})
