import type { Element } from 'hast'
import { describe, expect, test } from 'vitest'
import { element } from '../../../../src/render/markdown/enhance/element.ts'
import { createEnhanceContext } from '../../../../src/render/markdown/enhance/enhance-context.ts'
import { enhanceImage, enhanceParagraph } from '../../../../src/render/markdown/enhance/image.ts'

const image = (properties: Element['properties']) => element('img', properties, [])
const text = (value: string) => ({ type: 'text', value }) as const

function shown(properties: Element['properties'], href: (url: string) => string | null = (url) => url) {
  const context = createEnhanceContext({ href }, new Set())
  const [node] = enhanceImage(image(properties), context)
  return { node, dropped: context.droppedUrls }
}

describe('an image', () => {
  test('does not delay the page: it loads when a reader comes near', () => {
    expect(shown({ src: '/a.png', alt: 'A' }).node).toMatchObject({
      properties: { src: '/a.png', alt: 'A', loading: 'lazy', decoding: 'async' },
    })
  })

  test.each([
    ['A bridge|640x480', 'A bridge', '640', '480'],
    ['A bridge | 640 × 480', 'A bridge', '640', '480'],
    ['A bridge|640', 'A bridge', '640', undefined],
    ['|640x480', '', '640', '480'],
    ['a|b|9x9', 'a|b', '9', '9'],
    ['A bridge|wide', 'A bridge|wide', undefined, undefined],
    ['A bridge|12345', 'A bridge|12345', undefined, undefined],
    ['640x480', '640x480', undefined, undefined],
  ])('with the alternative text %j is named %j and takes %s by %s', (alt, name, width, height) => {
    const { node } = shown({ src: '/a.png', alt })
    const properties = node?.type === 'element' ? node.properties : {}
    expect([properties['alt'], properties['width'], properties['height']]).toEqual([name, width, height])
  })

  test('without an allowed address is replaced by its name, without the size', () => {
    const { node, dropped } = shown({ src: 'javascript:x', alt: 'A bridge|640x480' }, () => null)
    expect(node).toEqual(text('A bridge'))
    expect(dropped).toEqual(['javascript:x'])
    expect(shown({ alt: 'A' })).toEqual({ node: text('A'), dropped: [] })
  })

  test('cannot switch lazy loading off', () => {
    expect(shown({ src: '/a.png', loading: 'eager' }).node).toMatchObject({ properties: { loading: 'lazy' } })
  })
})

describe('a paragraph', () => {
  const titled = () => image({ src: '/a.png', alt: 'A', title: 'The old bridge' })

  test('becomes a figure with the title as caption when it is one titled image, also in a link', () => {
    for (const content of [titled(), element('a', { href: '/b' }, [titled()])]) {
      const [figure] = enhanceParagraph(element('p', {}, [content]))
      expect(figure).toMatchObject({
        tagName: 'figure',
        children: [{ type: 'element' }, { tagName: 'figcaption', children: [{ value: 'The old bridge' }] }],
      })
      expect(JSON.stringify(figure)).not.toContain('"title"')
    }
  })

  test('stays one with an untitled image, with text next to the image, or with two images', () => {
    for (const children of [[image({ src: '/a.png' })], [titled(), text('b')], [titled(), titled()]]) {
      const paragraph = element('p', {}, children)
      expect(enhanceParagraph(paragraph)).toEqual([paragraph])
    }
  })

  test('disappears when it is left empty', () => {
    expect(enhanceParagraph(element('p', {}, []))).toEqual([])
  })
})
