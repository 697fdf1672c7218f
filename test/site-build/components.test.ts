import { describe, expect, test } from 'vitest'
import { rendererWith } from './own-theme.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const CALLOUT = {
  'components/callout.eta':
    '<section class="callout callout-<%= it.attributes.tone %>"><h4><%~ it.labelHtml %></h4><%~ it.html %><% if (it.attributes.href) { %><a href="<%= it.attributes.href %>"><%= it.attributes.more %></a><% } %></section>',
  'components/callout.yaml': `description: A box.
label: required
attributes:
  tone: { enum: [calm, loud], default: calm }
  href: { type: url }
  more: { default: More }
  count: { type: integer, min: 1, max: 9 }
`,
  'components/stamp.eta': '<b id="<%= it.id %>"><%= it.attributes.text %></b>',
  'components/stamp.yaml': 'body: none\nattributes:\n  text: { required: true, max: 20 }\n',
}

async function builtWith(markdown: string, theme: Readonly<Record<string, string>> = CALLOUT) {
  const { out, build } = await temporarySite({
    'site.yaml': 'name: Shop\nurl: https://shop.example\ntheme: mine\n',
    'index.md': `---\ntitle: Home\n---\n${markdown}\n`,
    'docs/a.md': '---\ntitle: A\n---\nText.\n',
  })
  const { warnings } = await build({ renderer: await rendererWith(theme) })
  const files = await readSiteFiles(out)
  return { html: files.get('index.html') ?? '', twin: files.get('index.md') ?? '', warnings }
}

describe('components of a theme', () => {
  test('a template renders the attributes, the label and the Markdown between the ends', async () => {
    const { html, warnings } = await builtWith(
      ':::callout[Mind *this*]{tone="loud" href="docs/a.md" more="To A"}\nSome **text**.\n\n- One\n:::\n\nAfter.',
    )
    expect(warnings).toEqual([])
    expect(html).toContain(
      '<section class="callout callout-loud"><h4>Mind <em>this</em></h4><p>Some <strong>text</strong>.</p>\n<ul>\n<li>One</li>\n</ul><a href="docs/a/">To A</a></section>\n<p>After.</p>',
    )
  })

  test('a component on a line of its own needs no end', async () => {
    const { html, warnings } = await builtWith('Before.\n::stamp{text="Paid"}\nAfter.')
    expect(warnings).toEqual([])
    expect(html).toContain('<p>Before.</p>\n<b id="component-1">Paid</b>\n<p>After.</p>')
  })

  test('two of them never have one id, and none that of a heading', async () => {
    const { html } = await builtWith(
      '## Component 1\n\n::stamp{text="A"}\n\n::stamp{text="B"}\n\n## Two {#component-3}\n\n::stamp{text="C"}',
    )
    const ids = [...html.matchAll(/ id="(component-[^"]*)"/g)].map(([, id]) => id)
    expect(ids).toHaveLength(5)
    expect(new Set(ids).size).toBe(5)
  })

  test.each(['data:text/html,a', 'da\u0001ta:text/html,a', '\u0001data:a', 'java\u0007script:a', ' DATA :a'])(
    'a text that browsers would run as an address is refused: %j',
    async (text) => {
      const { warnings } = await builtWith(`:::callout[A]{more="${text}"}\nText.\n:::`)
      expect(warnings.map(({ code }) => code)).toEqual(['QN-BAD-COMPONENT'])
    },
  )

  test.each([
    ["include('partials/a') + it.attributes.more", false],
    ["include('partials/a', { a: (1) }) || (it.attributes.more)", false],
    ["include('partials/a'), String(it.attributes.more)", false],
    ["include('partials/branding', { more: ')' })", true],
  ])('code that prints without escaping is one call of include alone: %s', async (code, isAllowed) => {
    const theme = { ...CALLOUT, 'components/stamp.eta': `<%~ ${code} %>` }
    const built = rendererWith(theme).then(() => 'allowed')
    expect(await built.catch((error: Error) => error.message)).toMatch(
      isAllowed ? /^allowed$/ : /may hold text of an author/,
    )
  })

  test('components nest, in each other and in the containers that are built in', async () => {
    const { html, warnings } = await builtWith(
      '::::note\n:::callout[Outer]\n::stamp{text="Inner"}\n\n[Down](#end)\n:::\n::::\n\n## End',
    )
    expect(warnings).toEqual([])
    expect(html).toMatch(
      /<h4>Outer<\/h4><b id="component-1">Inner<\/b>\s*<p><a href="#end">Down<\/a><\/p><\/section>\s*<\/div>/,
    )
  })

  test('text of an author stays text in attributes, labels and bodies', async () => {
    const { html } = await builtWith(
      ':::callout[<script>alert(1)</script> <b onclick="x">b</b>]{more=\'"><img src=x onerror=alert(1)>\' href="docs/a.md"}\n<script>alert(2)</script>\n<i onclick="x">i</i>\n:::',
    )
    const main = html.slice(html.indexOf('<section class="callout'), html.indexOf('</section>'))
    expect(main).toContain('">&lt;img src=x onerror=alert(1)></a>')
    expect(main).not.toMatch(/<script|<img|<[a-z]+ [^>]*onclick/)
  })

  test('an element that a template leaves open ends with the component', async () => {
    const { html } = await builtWith('::stamp{text="Paid"}\n\nAfter.', {
      ...CALLOUT,
      'components/stamp.eta': '<div><em><%= it.attributes.text %></div>',
    })
    expect(html).toContain('<div><em>Paid</em></div>')
    expect(html).toMatch(/<p>After\.<\/p>/)
  })

  test.each([
    [':::callout{tone="loud"}\nText.\n:::', 'it needs a label in brackets.'],
    [':::callout[A]{tone="shrill"}\nText.\n:::', 'tone must be one of calm, loud, not "shrill".'],
    [':::callout[A]{count="12"}\nText.\n:::', 'count must be a whole number from 1 to 9, not "12".'],
    [':::callout[A]{href="javascript:alert(1)"}\nText.\n:::', 'href must be an address that links may have'],
    [':::callout[A]{more="javascript:alert(1)"}\nText.\n:::', 'more must be a text of up to 1000 characters'],
    [':::callout[A]{more="a" more="b"}\nText.\n:::', 'more is written twice.'],
    ['::stamp[Text.]', 'text is missing. It must be a text of up to 20 characters.'],
  ])('%j is reported with its line and shown as prose', async (markdown, reason) => {
    const { html, warnings } = await builtWith(`First.\n\n${markdown}`)
    expect(warnings).toMatchObject([
      { code: 'QN-BAD-COMPONENT', file: 'index.md', line: 6, message: expect.stringContaining(reason) },
    ])
    expect(html).toContain('<p>Text.</p>')
    expect(html).not.toContain('class="callout')
  })

  test('an attribute that the component does not have is reported and has no effect', async () => {
    const { html, warnings } = await builtWith('::stamp{text="Paid" txet="x"}')
    expect(warnings).toMatchObject([
      { code: 'QN-BAD-COMPONENT', message: expect.stringContaining('no such attribute. Is it text?') },
    ])
    expect(html).toContain('>Paid</b>')
  })

  test('a line with an unknown name stays text and is reported', async () => {
    const { html, warnings } = await builtWith(
      '::stmap{text="Paid"}\n\nFunctions such as ::free are text.\n\n::free',
    )
    expect(warnings).toMatchObject([
      { code: 'QN-UNKNOWN-COMPONENT', line: 4, message: expect.stringContaining('Is it stamp?') },
    ])
    expect(html).toContain('::stmap{text="Paid"}')
  })

  test('a line that includes a file is reported where no folder can resolve it', async () => {
    const { out, build } = await temporarySite({
      'site.yaml': 'name: Shop\nurl: https://shop.example\n',
      'index.yaml': 'title: Home\nsections:\n  - type: content\n    body: \'::include{file="a.md"}\'\n',
    })
    const { warnings } = await build()
    expect(warnings).toMatchObject([
      { code: 'QN-BAD-DIRECTIVE', line: 4, message: expect.stringContaining('content folder only') },
    ])
    expect((await readSiteFiles(out)).get('index.html')).toContain('::include{file="a.md"}')
  })

  test('the Markdown of a page has labels and bodies of components as prose', async () => {
    const { twin } = await builtWith(
      ':::callout[Mind *this*]{tone="loud"}\nSome **text**.\n:::\n\n::button[Go]{href="/docs/a"}\n\n```\n:::callout[x]\n:::\n```\n\n:::note\nStays.\n:::',
    )
    expect(twin).toContain('**Mind *this***\n\nSome **text**.\n')
    expect(twin).toMatch(/^\[Go\]\(\/docs\/a\/?\)$/m)
    expect(twin).toContain('```\n:::callout[x]\n:::\n```')
    expect(twin).toContain(':::note\nStays.\n:::')
    expect(twin).not.toContain('tone=')
  })

  test('the built-in button, card and figure are there in every theme', async () => {
    const { html, warnings } = await builtWith(
      '::button[Start]{href="docs/a.md" style="secondary"}\n\n:::card[Fast]{icon="rocket" href="docs/a.md"}\nText.\n:::\n\n::figure[A *bridge*]{src="https://images.example/b.png" alt="A bridge"}',
      {},
    )
    expect(warnings).toEqual([])
    expect(html).toContain('<a class="button button-secondary" href="docs/a/"><span>Start</span></a>')
    expect(html).toMatch(/<div class="tile">\s*<span class="tile-icon" aria-hidden="true"><svg /)
    expect(html).toMatch(/<figcaption>A <em>bridge<\/em><\/figcaption>/)
  })
})

describe('the files of a component', () => {
  test.each([
    ['a template without a description', { 'components/a.eta': '' }, 'There is no components/a.yaml'],
    [
      'a description without a template',
      { 'components/a.yaml': '' },
      'There is no template components/a.eta',
    ],
    [
      'a built-in name',
      { 'components/note.eta': '', 'components/note.yaml': '' },
      'The name note is built in',
    ],
    [
      'a text that is printed unescaped',
      { 'components/a.eta': '<p>\n<%~ it.attributes.text %></p>', 'components/a.yaml': 'body: none\n' },
      'a.eta:2: it.attributes.text may hold text of an author',
    ],
    [
      'an address under a name that is no address',
      { 'components/a.eta': '', 'components/a.yaml': 'attributes:\n  to: { type: url }\n' },
      'a.yaml:2: attributes.to: an address must be named href, src, poster, image',
    ],
    [
      'an unknown field',
      { 'components/a.eta': '', 'components/a.yaml': 'atributes: {}\n' },
      'a.yaml:1: atributes: unknown field.',
    ],
    [
      'a default of another type',
      { 'components/a.eta': '', 'components/a.yaml': 'attributes:\n  n: { type: number, default: x }\n' },
      'default is not a value of the type number',
    ],
  ])('are refused with %s', async (_, files, message) => {
    await expect(rendererWith(files)).rejects.toThrow(message)
  })
})
