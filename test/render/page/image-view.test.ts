import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/domain/json.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { imageView } from '../../../src/render/page/image-view.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { anyText, anyUrl } from '../../support/live-page.ts'
import { unsafeUrls } from '../../support/safe-urls.ts'

function viewOf(image: JsonObject | null) {
  const rendering = createRendering(relativeLinks('/docs'))
  return { view: imageView(image, 'config.image', rendering), rendering }
}

describe('an image', () => {
  test('has an empty alternative text when its author gave none, so that it counts as decoration', () => {
    expect(viewOf({ src: '/a.png' }).view).toEqual({
      src: '../a.png',
      alt: '',
      width: null,
      height: null,
      dark: null,
    })
  })

  test('is left out without an allowed address, even when its dark variant has one', () => {
    const { view, rendering } = viewOf({ src: 'javascript:alert(1)', dark: '/b.png' })
    expect(view).toBeNull()
    expect(rendering.warnings.map(({ code, at }) => [code, at])).toEqual([
      ['QN-UNSAFE-LINK', 'config.image.src'],
    ])
  })

  test('stays when only its dark variant is unsafe, and the author learns which one is dropped', () => {
    const { view, rendering } = viewOf({ src: '/a.png', dark: 'data:text/html,x' })
    expect(view).toMatchObject({ src: '../a.png', dark: null })
    expect(rendering.warnings.map(({ at }) => at)).toEqual(['config.image.dark'])
  })

  test('is left out without a warning when there is none', () => {
    for (const none of [null, {}, { alt: 'A bridge' }, { src: 5 }]) {
      const { view, rendering } = viewOf(none)
      expect(view).toBeNull()
      expect(rendering.warnings).toEqual([])
    }
  })

  test('is recorded with its location, so that the link check finds it', () => {
    const { rendering } = viewOf({ src: '/a.png', dark: '/b.png' })
    expect(rendering.contentLinks).toEqual([
      { at: 'config.image.src', href: '/a.png', kind: 'image' },
      { at: 'config.image.dark', href: '/b.png', kind: 'image' },
    ])
  })

  test('never has an unsafe address or a value of another type, whatever was stored', () => {
    const value = fc.oneof(anyUrl(), anyText(), fc.integer(), fc.boolean(), fc.constant(null))
    const image = fc.dictionary(fc.constantFrom('src', 'alt', 'width', 'height', 'dark'), value)
    fc.assert(
      fc.property(image, (written) => {
        const { view } = viewOf(written)
        expect(unsafeUrls(view)).toEqual([])
        if (view === null) return
        expect(typeof view.alt).toBe('string')
        for (const size of [view.width, view.height])
          expect(size === null || Number.isFinite(size)).toBe(true)
      }),
    )
  })
})
