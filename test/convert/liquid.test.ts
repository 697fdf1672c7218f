import { describe, expect, test } from 'vitest'
import type { TagContext } from '../../src/convert/conversion.ts'
import { LIQUID_TAGS, protectRawBlocks } from '../../src/convert/liquid/tags.ts'

const CONTEXT: TagContext = {
  body: '',
  textOf: () => null,
  linkTo: (name) => (name.startsWith('/lost') ? null : `/site${name}`),
}

/** Replaces the tags in their order. A dropped tag leaves a cross, to be visible. */
function converted(body: string): string {
  return LIQUID_TAGS.reduce(
    (text, { pattern, replace }) =>
      text.replace(pattern, (...groups) => {
        const found = groups.slice(0, -2) as unknown as RegExpExecArray
        const replacement = replace(found, CONTEXT)
        return typeof replacement === 'string' ? replacement : '†'
      }),
    body,
  )
}

describe('a tag of Liquid', () => {
  test.each([
    ['[a]({% link docs/a.md %})', '[a](/site/docs/a.md)'],
    ['[a]({%- post_url 2024-05-01-news -%})', '[a](/site/_posts/2024-05-01-news)'],
    ['[a]({{ site.baseurl }}/docs/)', '[a](/site/docs/)'],
    ['[a]({{ site.url }}{{ site.baseurl }}/docs/)', '[a](/site/docs/)'],
    ["[a]({{ '/docs/' | relative_url }})", '[a](/site/docs/)'],
    ['[a]({{ "/docs/" | prepend: site.baseurl | absolute_url }})', '[a](/site/docs/)'],
    ['[a]({{ "/lost" | relative_url }})', '[a](/lost)'],
    ['[a]({{ site.baseurl }}/lost)', '[a](/lost)'],
    ['a{% comment %} {{ b }}\n{% endcomment %}c', 'ac'],
    ['a{# {% b %} #}c', 'ac'],
    ['a {% raw %}b{% endraw %} c', 'a b c'],
    ['* any text\n{:toc}\n', '\n'],
    ['# Title {:.no_toc}\n', '# Title \n'],
  ])('is converted from %j to %j', (written, text) => {
    expect(converted(written)).toBe(text)
  })

  test.each(['{% include a.html %}', '{{ page.title }}', '{% if a %}', '{:.lead}', '{{ "a" | upcase }}'])(
    '%j has no counterpart and is dropped with a report',
    (tag) => expect(converted(`a ${tag} b`)).toBe('a † b'),
  )

  test.each(['{ a }', '{a: 1}', '`{`', '100 %', '{', '}}', '%}'])('is not %j, which stays', (text) => {
    expect(converted(text)).toBe(text)
  })
})

describe('a raw block', () => {
  const protectedIn = (body: string) => {
    const pieces: string[] = []
    const text = protectRawBlocks(body, (piece) => {
      pieces.push(piece)
      return `<${pieces.length}>`
    })
    return { text, pieces }
  }

  test('keeps the tags that it shows, and loses its own', () => {
    const { text, pieces } = protectedIn('{% raw %}{{ a }}{% endraw %} {{ b }}')
    expect(pieces).toEqual(['{{', '}}'])
    expect(text).toBe('<1> a <2> {{ b }}')
  })

  test('may be a text that an output prints', () => {
    expect(protectedIn('`{{ "{{" }} a {{ \'}}\' }}` {{ "b" }}')).toEqual({
      text: '`<1> a <2>` {{ "b" }}',
      pieces: ['{{', '}}'],
    })
  })

  test('is called verbatim by Nunjucks, and ends with the name that it began with', () => {
    expect(protectedIn('{% verbatim %}{% raw %}{% endverbatim %}').pieces).toEqual(['{%', '%}'])
    expect(protectedIn('{% raw %}{{ a }}{% endverbatim %}').pieces).toEqual([])
  })
})
