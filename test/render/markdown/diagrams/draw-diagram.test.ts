import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { describe, expect, test } from 'vitest'
import { loadMarkdownTools } from '../../../../src/render/markdown/markdown-tools.ts'
import { renderMarkdown } from '../../../../src/render/markdown/render-markdown.ts'
import { svgElements } from '../../../../src/render/markdown/svg-elements.ts'

async function rendered(source: string) {
  return renderMarkdown(source, { href: (url) => url, tools: await loadMarkdownTools(source) })
}

function fence(source: string, info = 'mermaid'): string {
  return `\`\`\`${info}\n${source}\n\`\`\`\n`
}

const FLOW = 'flowchart LR\n  A[Order] -->|paid| B{In stock?}\n  B --> C[(Shelf)]'

describe('a diagram of Mermaid', () => {
  test('is drawn as SVG in the colours of the theme, with its words as a name', async () => {
    const { html, diagnostics } = await rendered(fence(FLOW))
    expect(diagnostics).toEqual([])
    expect(html).toContain('<figure class="diagram" tabindex="0"><svg')
    expect(html).toMatch(/role="img" aria-label="Diagram: [^"]*Order[^"]*"/)
    expect(html).toContain('var(--text,#222)')
    expect(html).not.toMatch(/<style|style=|@import|flowchart LR/)
  })

  test.each([
    ['sequences', 'sequenceDiagram\n  Anna->>Ben: Hello'],
    ['states', 'stateDiagram-v2\n  [*] --> Open\n  Open --> [*]'],
    ['classes', 'classDiagram\n  Animal <|-- Duck'],
    ['entities', 'erDiagram\n  CUSTOMER ||--o{ ORDER : places'],
  ])('may be one of %s', async (_, source) => {
    const { html, diagnostics } = await rendered(fence(source))
    expect(diagnostics).toEqual([])
    expect(html).toContain('<svg')
  })

  test('has the title that its text or its fence gives, below it', async () => {
    expect((await rendered(fence(`${FLOW}\n  accTitle: How an order goes`))).html).toMatch(
      /aria-label="How an order goes: [^"]*".*<figcaption>How an order goes<\/figcaption>/s,
    )
    expect((await rendered(fence(FLOW, 'mermaid title="Orders"'))).html).toContain(
      '<figcaption>Orders</figcaption>',
    )
  })

  test.each([
    ['flowchart LR\n  A[one]-->|yes|B[two]\n  B-.->C[(three)]', 'yes, one, two, three'],
    ['graph TD;A[one]-->B{two};B==>|then; so|C[three];', 'then; so, one, two, three'],
    ['graph TD\n  A["x --> y"]---|no| B', 'no, x --> y, B'],
  ])('is read without spaces around its arrows, too: %j', async (source, words) => {
    expect((await rendered(fence(source))).html).toContain(`aria-label="Diagram: ${words}"`)
  })

  test('shares no id with another one of the page', async () => {
    const { html } = await rendered(`${fence(FLOW)}\n${fence(FLOW)}`)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of html.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(target)
  })

  test.each([
    ['of a kind that is not drawn', 'pie\n  "a": 3'],
    ['that is a chart', 'xychart-beta\n  x-axis [a, b]\n  bar [1, 2]'],
    ['with too much text', `flowchart LR\n${'  A --> B\n'.repeat(600)}`],
    ['without a kind', 'hello'],
  ])('%s stays as its source, with a warning', async (_, source) => {
    const { html, diagnostics } = await rendered(fence(source))
    expect(html).toContain('<pre')
    expect(html).not.toContain('<svg')
    expect(diagnostics.map(({ code }) => code)).toEqual(['QN-BAD-DIAGRAM'])
  })

  test('takes neither elements nor addresses nor styles of its author into the page', async () => {
    const source = [
      'flowchart LR',
      '  A["<script>alert(1)</script><img src=x onerror=alert(1)>"] --> B',
      '  style B fill:url(https://evil.example/x),stroke:red"onload="alert(1)',
      '  classDef c fill:#f9f,stroke:expression(alert(1))',
      '  class A c',
      '  click A href "javascript:alert(1)"',
    ].join('\n')
    const { html } = await rendered(fence(source))
    expect(html).not.toMatch(/evil\.example|onload="|expression/)
    const markup = html.replace(/"[^"]*"/g, '""')
    const tags = new Set([...markup.matchAll(/<([a-z]+)/gi)].map(([, tag]) => tag))
    expect(
      [...tags].filter(
        (tag) => !/^(figure|svg|defs|marker|poly(gon|line)|g|rect|text|tspan)$/.test(tag ?? ''),
      ),
    ).toEqual([])
  })
})

test('an SVG that is not well formed makes elements and never markup', () => {
  const broken = '<svg onload="x"><g><text>a < b &lt;i&gt;</g></text></svg></svg><script>x</script>'
  const nodes = svgElements(broken, () => null, new Set(['svg', 'g', 'text']))
  const html = unified()
    .use(rehypeStringify)
    .stringify({ type: 'root', children: [...nodes] })
  expect(html).toBe('<svg><g><text>a  b &#x3C;i></text></g></svg>')
})
