import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { remarkParser } from '../../src/render/markdown/remark.ts'
import { satteriParser } from '../../src/render/markdown/satteri.ts'
import { hasSafeScheme } from '../../src/render/markdown/urls.ts'
import { sectionsDocument } from '../../src/sections/document.ts'
import { sectionMarkdown } from '../../src/sections/markdown.ts'
import { normalizeSection } from '../../src/sections/normalize.ts'
import { runs } from '../support/long-form.ts'
import { collapsed, textOf, visibleText } from '../support/markdown-text.ts'

function markdownOf(section: object): string {
  return sectionMarkdown(normalizeSection(section))
}

test('a hero is written as its texts, images and links', () => {
  const hero = {
    type: 'hero',
    tagline: 'New in 2.0',
    title: 'Set in *type*',
    subtitle: 'A **wedge**.',
    image: { src: '/press.png', alt: 'A press', width: 640, dark: '/press-dark.png' },
    video: '/press.mp4',
    layout: 'split',
    note: 'No card needed.',
    actions: [
      { text: 'Start', link: '/start', variant: 'primary' },
      { text: 'Read', link: '#read', icon: 'book' },
    ],
    background: 'dark',
  }
  expect(markdownOf(hero)).toBe(
    [
      '## Set in \\*type\\*',
      'New in 2.0',
      'A **wedge**.',
      '![A press](/press.png)',
      '[video](/press.mp4)',
      'No card needed.',
      '- [Start](/start)\n- [Read](#read)',
    ].join('\n\n'),
  )
})

test('items with a body get headings', () => {
  const items = [
    { title: 'Fast', description: 'In *seconds*:\n\n- one\n- two', link: '/fast', link_text: 'How' },
    { title: 'Safe', icon: '🔒', link: '/safe', image: '/safe.png' },
  ]
  expect(markdownOf({ type: 'features', title: 'Why', items, columns: 2 })).toBe(
    [
      '## Why',
      '### Fast',
      'In *seconds*:\n\n- one\n- two',
      '[How](/fast)',
      '### [Safe](/safe)',
      '![](/safe.png)',
    ].join('\n\n'),
  )
})

test('items of one line form a list, and adjacent lists stay separate', () => {
  const items = [{ title: 'Docs', link: '/docs' }, { title: '1. Blog' }]
  const actions = { text: 'Start', link: '/start' }
  expect(markdownOf({ type: 'features', items, actions })).toBe(
    '- [Docs](/docs)\n- 1\\. Blog\n\n* [Start](/start)',
  )
})

test('a plan lists its price and features, excluded ones struck through', () => {
  const plan = {
    name: 'Team',
    price: 29,
    currency: 'EUR',
    period: 'month',
    features: ['Ten projects', { text: 'Webhooks', included: false }],
    action: { text: 'Choose', link: '/team' },
  }
  expect(markdownOf({ type: 'pricing', plans: plan })).toBe(
    '### Team\n\n29 EUR / month\n\n- Ten projects\n- ~~Webhooks~~\n\n[Choose](/team)',
  )
})

test('a testimonial is a quotation with its author', () => {
  const items = [{ quote: 'It *works*.', name: 'Ada', role: 'Engineer', rating: 4 }]
  expect(markdownOf({ type: 'testimonials', items })).toBe('> It *works*.\n>\n> 4/5\n>\n> — Ada, Engineer')
})

test('stats, logos and images are lists of lines', () => {
  expect(
    markdownOf({ type: 'stats', items: [{ prefix: '$', value: 12, suffix: 'M', label: 'saved' }] }),
  ).toBe('- **$12M** saved')
  const logos = [{ src: '/a.svg', name: 'Acme', link: '/acme' }, { name: 'Kumo' }]
  expect(markdownOf({ type: 'logos', items: logos })).toBe('- [![Acme](/a.svg)](/acme)\n- Kumo')
  expect(markdownOf({ type: 'gallery', items: [{ src: '/a.png', alt: 'A', caption: 'By *B*' }] })).toBe(
    '![A](/a.png)\n\nBy *B*',
  )
})

test('a contact section lists its addresses and form fields', () => {
  const form = {
    action_url: 'https://forms.example.com/a',
    submit_text: 'Send',
    fields: [
      { name: 'email', label: 'Email', required: true },
      { name: 'topic', label: 'Topic', options: ['Sales', 'Support'] },
      { name: 'source', type: 'hidden' },
    ],
  }
  expect(
    markdownOf({ type: 'contact', email: 'a@b.example', phone: '+47 5', address: 'One\nTwo', form }),
  ).toBe(
    [
      '[a@b.example](mailto:a@b.example)',
      '[+47 5](tel:+475)',
      'One\\\nTwo',
      '- Email \\*\n- Topic (Sales, Support)',
      '[Send](https://forms.example.com/a)',
    ].join('\n\n'),
  )
})

test('an unknown section has its heading, body and items', () => {
  const section = {
    type: 'comparison',
    title: 'Either',
    body: 'Some `code`.',
    rows: [1, 2],
    items: [{ question: 'Why?', answer: 'Because.' }],
  }
  expect(markdownOf(section)).toBe('## Either\n\nSome `code`.\n\n### Why?\n\nBecause.')
})

test('hidden sections, and actions without a safe link, are left out', () => {
  expect(markdownOf({ type: 'hero', title: 'T', hidden: true })).toBe('')
  const actions = [{ text: 'Run', link: 'javascript:alert(1)' }, { text: 'No link' }]
  const image = { src: 'data:image/svg+xml,x', alt: 'An image' }
  expect(markdownOf({ type: 'cta', title: 'T', actions, image })).toBe('## T')
})

test('a body with an open code block does not absorb the next item', () => {
  const items = [
    { title: 'One', description: '```\nopen' },
    { title: 'Two', description: 'shut' },
  ]
  expect(markdownOf({ type: 'features', items })).toBe('### One\n\n```\nopen\n```\n\n### Two\n\nshut')
})

test("a first hero contains the page's heading; before any other section the heading is added", () => {
  const hero = { type: 'hero', title: 'Hello' }
  const cta = { type: 'cta', title: 'Go' }
  const hidden = { ...cta, hidden: true }
  expect(sectionsDocument('Page', [hidden, hero, cta], new Map())).toBe('# Hello\n\n## Go')
  expect(sectionsDocument('Page', [cta, hero], new Map())).toBe('# Page\n\n## Go\n\n## Hello')
  expect(sectionsDocument('Page #1', [], new Map())).toBe('# Page #1')
})

const url = fc.oneof(
  fc.webUrl(),
  fc.constantFrom('/a', '#b', '../c(d)', 'mailto:a@b.example', 'javascript:x', 'data:,', ' ', '//e.example'),
)
const image = fc.oneof(url, fc.record({ src: url, alt: visibleText }))
const action = fc.record({ text: visibleText, link: url }, { requiredKeys: ['text'] })
const item = fc.record({ title: visibleText, image, link: url, link_text: visibleText }, { requiredKeys: [] })
const section = fc.record(
  {
    type: fc.constantFrom('hero', 'features', 'cta', 'unheard-of'),
    title: visibleText,
    tagline: visibleText,
    image,
    video: url,
    background: image,
    actions: fc.array(action, { maxLength: 3 }),
    items: fc.array(item, { maxLength: 3 }),
  },
  { requiredKeys: ['type'] },
)

describe.each([
  ['satteri', satteriParser('gfm')],
  ['remark', remarkParser('gfm')],
])('read by %s', (_, parse) => {
  test('a section contains all its texts and no unsafe links', () => {
    fc.assert(
      fc.property(section, (written) => {
        const tree = parse(markdownOf(written))
        const text = textOf(tree)
        const titles = written.type === 'features' ? (written.items ?? []) : []
        for (const { title } of [written, ...titles])
          if (title !== undefined) expect(text).toContain(collapsed(title))
        if (written.tagline !== undefined) expect(text).toContain(collapsed(written.tagline))
        for (const link of urlsIn(tree)) expect(hasSafeScheme(link, 'link')).toBe(true)
      }),
      { numRuns: runs(500) },
    )
  })

  test("the headings of a document are its sections' titles", () => {
    const part = fc.constantFrom(
      'text',
      '',
      '```',
      '~~~ js',
      '<!-- a',
      '- item',
      '> quote',
      '<pre>',
      '  more',
    )
    const body = fc.array(part, { maxLength: 5 }).map((parts) => parts.join('\n'))
    const sections = fc.array(fc.record({ type: fc.constant('content'), title: visibleText, body }))
    fc.assert(
      fc.property(sections, (written) => {
        const { children } = parse(sectionsDocument('Page', written, new Map()))
        const headings = children.filter(({ type }) => type === 'heading').map(textOf)
        expect(headings).toEqual(['Page', ...written.map(({ title }) => collapsed(title))])
      }),
      { numRuns: runs(500) },
    )
  })
})

test('every section can be written as Markdown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('hero', 'features', 'cta', 'other'), (value, type) => {
      expect(markdownOf({ ...(value as object), type, items: value, actions: value })).toBeTypeOf('string')
    }),
  )
})

function urlsIn(node: Nodes): readonly string[] {
  const own = node.type === 'link' || node.type === 'image' ? [node.url] : []
  return [...own, ...('children' in node ? node.children.flatMap(urlsIn) : [])]
}
