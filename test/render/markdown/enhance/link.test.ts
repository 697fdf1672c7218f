import fc from 'fast-check'
import type { Element } from 'hast'
import { describe, expect, test } from 'vitest'
import { element } from '../../../../src/render/markdown/enhance/element.ts'
import { createEnhanceContext } from '../../../../src/render/markdown/enhance/enhance-context.ts'
import { enhanceLink, resolveFragmentLinks } from '../../../../src/render/markdown/enhance/link.ts'

const content = { type: 'text', value: 'a' } as const
const linkTo = (href: string, more: Element['properties'] = {}) => element('a', { href, ...more }, [content])
const contextWith = (href: (url: string) => string | null = (url) => url, idPrefix = '') =>
  createEnhanceContext({ href, idPrefix }, new Set())

describe('a link', () => {
  test('has the address that the caller maps it to', () => {
    const [link] = enhanceLink(
      linkTo('/docs'),
      contextWith((url) => `..${url}/`),
    )
    expect(link).toMatchObject({ properties: { href: '../docs/' } })
    expect(link).not.toHaveProperty('properties.rel')
  })

  test('to another site does not tell that site where its visitors come from', () => {
    for (const href of ['https://other.example/', '//other.example/', 'HTTP://other.example'])
      expect(enhanceLink(linkTo(href), contextWith())[0]).toMatchObject({
        properties: { rel: ['external', 'noopener', 'noreferrer'] },
      })
  })

  test('leaves its content when the caller refuses it, and its address is reported as written', () => {
    const context = contextWith(() => null)
    expect(enhanceLink(linkTo('javascript:x'), context)).toEqual([content])
    expect(context.droppedUrls).toEqual(['javascript:x'])
  })

  test('without an address leaves its content, unless other links lead to it', () => {
    expect(enhanceLink(element('a', {}, [content]), contextWith())).toEqual([content])
    const place = element('a', { id: 'user-content-a' }, [content])
    expect(enhanceLink(place, contextWith())).toEqual([place])
  })
})

describe('a link within the page', () => {
  function resolved(
    fragment: string,
    ids: readonly string[],
    more: Element['properties'] = {},
    idPrefix = '',
  ) {
    const context = contextWith(() => null, idPrefix)
    for (const id of ids) context.usedIds.add(id)
    const link = linkTo(fragment, more)
    enhanceLink(link, context)
    const listed = resolveFragmentLinks(context)
    return { href: link.properties['href'], listed }
  }

  test.each([
    ['#install', ['install'], '#install'],
    ['#gr%C3%B6%C3%9Fe', ['größe'], '#größe'],
    ['#note', ['user-content-note'], '#user-content-note'],
    ['#note', ['note', 'user-content-note'], '#note'],
    ['#missing', [], '#missing'],
    ['#100%', ['100%'], '#100%'],
    ['#', [], '#'],
  ])('to %s with the ids %j leads to %s', (fragment, ids, href) => {
    expect(resolved(fragment, ids).href).toBe(href)
  })

  test('has the prefix of its body only where the body has the target', () => {
    expect(resolved('#a', ['a'], {}, 'faq-1-').href).toBe('#faq-1-a')
    expect(resolved('#a', ['b'], {}, 'faq-1-').href).toBe('#a')
  })

  test('never leads from a footnote to a heading of the same name, and is no link of the author', () => {
    const { href, listed } = resolved('#fn-1', ['fn-1', 'user-content-fn-1'], { dataFootnoteRef: true })
    expect(href).toBe('#user-content-fn-1')
    expect(listed).toEqual([])
  })

  test('is never handed to the caller, whatever follows the number sign', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (fragment) => {
        const { href, listed } = resolved(`#${fragment}`, [])
        expect(href).toBe(`#${fragment}`)
        expect(listed).toEqual([href])
      }),
    )
  })
})
