import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/domain/json.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { sectionView } from '../../../src/render/sections/section-view.ts'
import { normalizeSection } from '../../../src/sections/normalize.ts'
import { anySection } from '../../support/live-page.ts'
import { unsafeUrls } from '../../support/safe-urls.ts'

function viewOf(written: JsonValue, lang = 'en') {
  const rendering = createRendering(relativeLinks('/pricing'))
  const placed = { at: 'config.sections[0]', id: 'one', lang, own: null, posts: [], headingLevel: 2 } as const
  const view = sectionView({ ...placed, section: normalizeSection(written) }, rendering)
  return { view, warnings: rendering.warnings }
}

const propsOf = (written: JsonObject, lang?: string) => viewOf(written, lang).view.props

describe('a section', () => {
  test('has no unsafe address and no undefined value, whatever was written', () => {
    fc.assert(
      fc.property(anySection(), (written) => {
        const { href: _, markdown: __, ...view } = viewOf(written).view
        expect(unsafeUrls(view)).toEqual([])
        // JSON drops undefined values, so that a view with one differs from its copy.
        expect(JSON.parse(JSON.stringify(view))).toStrictEqual(view)
      }),
      { numRuns: 200 },
    )
  })

  test('shows its text and items in a generic layout when its type is unknown', () => {
    const { view } = viewOf({ type: 'Unheard of', title: 'A', body: '**b**', items: [{ title: 'C' }] })
    expect(view).toMatchObject({ title: 'A', props: { html: '<p><strong>b</strong></p>' } })
    expect(view.props).toMatchObject({ items: [{ title: 'C' }] })
  })

  test('shows a choice that it does not know as if there were none', () => {
    expect(viewOf({ type: 'cta', align: 'justify', background: 'pink' }).view).toMatchObject({
      align: 'center',
      background: 'default',
    })
  })

  test('has a primary action first and secondary ones after it, unless their author chose', () => {
    const actions = ['a', 'b', 'c'].map((text) => ({ text, link: `/${text}` }))
    const written = { type: 'hero', actions: [...actions.slice(0, 2), { ...actions[2], variant: 'link' }] }
    expect(viewOf(written).view.actions.map(({ variant }) => variant)).toEqual([
      'primary',
      'secondary',
      'link',
    ])
  })

  test('leaves out an action without a text, a target or a safe target', () => {
    const actions = [
      { text: 'a' },
      { link: '/b' },
      { text: 'c', link: 'javascript:x' },
      { text: 'd', link: '/d' },
    ]
    expect(viewOf({ type: 'hero', actions }).view.actions.map(({ text }) => text)).toEqual(['d'])
  })
})

describe('the layout of a section', () => {
  test.each([
    [{ type: 'hero' }, 'center'],
    [{ type: 'hero', image: '/a.png' }, 'split'],
    [{ type: 'hero', image: 'javascript:x' }, 'center'],
    [{ type: 'hero', image: '/a.png', layout: 'background' }, 'background'],
    [{ type: 'cta' }, 'banner'],
    [{ type: 'cta', image: '/a.png' }, 'split'],
  ] as [JsonObject, string][])('is for %j the layout %s', (written, layout) => {
    expect(propsOf(written)).toMatchObject({ layout })
  })

  test.each([
    [{ type: 'content', body: 'a' }, 'none'],
    [{ type: 'content', image: '/a.png' }, 'right'],
    [{ type: 'content', image: '/a.png', image_position: 'left' }, 'left'],
    [{ type: 'content', video: '/a.mp4', image_position: 'none' }, 'top'],
  ] as [JsonObject, string][])('has for %j the picture at %s', (written, imagePosition) => {
    expect(propsOf(written)).toMatchObject({ imagePosition })
  })

  test.each([
    [1, 3],
    [2, 2],
    [3, 3],
    [4, 2],
    [5, 3],
  ])('has for a gallery of %i pictures this many columns: %i', (count, columns) => {
    const items = Array.from({ length: count }, (_, n) => ({ src: `/${n}.png` }))
    expect(propsOf({ type: 'gallery', items })).toMatchObject({ columns })
  })
})

describe('an item without anything to show is left out', () => {
  test.each([
    ['features', [{ title: 'A' }, {}, { icon: '🚀' }], 1],
    ['testimonials', [{ quote: 'A' }, { name: 'B' }], 1],
    ['faq', [{ question: 'A' }, { answer: 'B' }, {}], 2],
    ['stats', [{ value: '9' }, { label: 'B' }], 1],
    ['logos', [{ name: 'A' }, { src: '/a.png' }, { link: '/c' }], 2],
    ['steps', [{ title: 'A' }, { date: '2026' }, {}], 2],
    ['gallery', [{ src: '/a.png' }, { caption: 'B' }], 1],
  ] as [string, JsonValue[], number][])('in a section of %s', (type, items, count) => {
    expect((propsOf({ type, items }) as { items: readonly unknown[] }).items).toHaveLength(count)
  })
})

describe('a link of a person', () => {
  test.each([
    [{ label: 'Blog', link: 'https://a.example/' }, 'Blog'],
    [{ icon: 'github', link: 'https://github.com/ada' }, 'Github'],
    [{ icon: '🐙', link: 'https://github.com/ada' }, 'github.com/ada'],
    [{ link: 'https://www.a.example/' }, 'a.example'],
    [{ link: 'mailto:ada@a.example' }, 'ada@a.example'],
    ['https://a.example/b', 'a.example/b'],
  ] as [JsonValue, string][])('written as %j is named %j', (link, label) => {
    expect(propsOf({ type: 'team', members: [{ name: 'Ada', links: [link] }] })).toMatchObject({
      members: [{ links: [{ label }] }],
    })
  })
})

test.each(['https://www.youtube.com/watch?v=a', 'https://youtu.be/a', '//player.vimeo.com/video/1'])(
  'the page of a video, %j, is reported in place of a player that cannot open it',
  (video) => {
    const { view, warnings } = viewOf({ type: 'hero', title: 'A', video })
    expect(view.props).toMatchObject({ video: null })
    expect(warnings).toMatchObject([{ code: 'QN-NOT-A-VIDEO', at: 'config.sections[0].video' }])
  },
)

test('the address of a video is played, whatever its host is called', () => {
  for (const video of ['/a.mp4', 'https://youtube.example/a.mp4', 'https://cdn.example/youtube.com/a.mp4'])
    expect(viewOf({ type: 'hero', title: 'A', video })).toMatchObject({
      view: { props: { video: expect.any(String) } },
      warnings: [],
    })
})

describe('an icon', () => {
  const featureOf = (icon: string) => {
    const { view, warnings } = viewOf({ type: 'features', items: [{ title: 'A', icon }] })
    const { items } = view.props as { items: { icon: string | null; iconHtml: string | null }[] }
    return { ...(items[0] ?? expect.unreachable()), warnings }
  }

  test.each(['🚀', '👩‍💻', '1', '#1', 'A', 'Ab', '24/7', '→', '&'])('such as %j is a text', (icon) => {
    expect(featureOf(icon)).toMatchObject({ icon, iconHtml: icon.replace('&', '&amp;'), warnings: [] })
  })

  test.each(['rocket', 'Rocket', 'arrow-right', 'ArrowRight', 'arrow_right', 'lucide:arrow-right', 'edit'])(
    'is drawn by the name %j',
    (icon) => {
      const { icon: text, iconHtml, warnings } = featureOf(icon)
      expect(text).toBe(null)
      expect(iconHtml).toMatch(/^<svg class="icon"[^>]* aria-hidden="true"><(?:g|path)\b.*<\/svg>$/)
      expect(warnings).toEqual([])
    },
  )

  test.each(['/a.png', 'https://a.example/b.svg', 'a.webp'])('%j is a picture', (icon) => {
    expect(featureOf(icon).iconHtml).toMatch(/^<img class="icon" src="[^"]+" alt="" width="24" height="24"/)
  })

  test.each([
    ['rokcet', 'There is no icon "rokcet". Is it rocket?'],
    ['fa:rocket', 'There is no icon "fa:rocket".'],
    ['constructor', 'There is no icon "constructor".'],
    ['<svg><script>alert(1)</script></svg>', 'SVG is not read here.'],
    ['<b>', 'SVG is not read here.'],
    ['nine chars', 'There is no icon "nine chars".'],
  ])('%j is reported and left out', (icon, message) => {
    expect(featureOf(icon)).toMatchObject({
      icon: null,
      iconHtml: null,
      warnings: [{ code: 'QN-UNKNOWN-ICON', message: expect.stringContaining(message) }],
    })
  })

  test('never opens a tag that its author wrote', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme', maxLength: 8 })), (icon) => {
        const html = featureOf(icon).iconHtml ?? ''
        expect(html.replace(/^<(?:svg|img) class="icon"[^>]*>/, '')).not.toMatch(
          /<(?!\/?(?:g|path|svg|circle|rect|line|ellipse|polyline|polygon)\b)/,
        )
      }),
    )
  })
})
