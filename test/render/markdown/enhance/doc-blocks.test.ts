import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../../src/render/markdown/render-markdown.ts'

const render = (source: string) => renderMarkdown(source, { href: (url) => url })

describe('Blocks of documentation', () => {
  test('A card shows its icon and text, and its title is a link', () => {
    const { html, diagnostics } = render(
      ':::cards\n::card[Install]{href="/install" icon="download"}\nIn *two* commands.\n::card[Plain]\nText\n:::',
    )
    expect(diagnostics).toEqual([])
    expect(html).toContain('<div class="tiles">')
    expect(html).toMatch(
      /<span class="tile-icon" aria-hidden="true"><svg class="icon" [^>]*viewBox="0 0 24 24"[^>]*><[gp]/,
    )
    expect(html).toContain('<p class="tile-title"><a href="/install">Install</a></p>')
    expect(html).toContain('<p>In <em>two</em> commands.</p>')
    expect(html).toContain('<p class="tile-title">Plain</p>')
  })

  test('A card with an unsafe address has no link, and the address is reported', () => {
    const { html, droppedUrls } = render(':::cards\n::card[Bad]{href="javascript:alert(1)"}\n:::')
    expect(html).not.toContain('javascript')
    expect(droppedUrls).toEqual(['javascript:alert(1)'])
  })

  test('An unknown icon, an unknown attribute and a card outside of cards are reported', () => {
    const unknownIcon = render(':::cards\n::card[A]{icon="rokket"}\n:::').diagnostics
    expect(unknownIcon.map(({ message }) => message).join()).toMatch(/rokket.*rocket/s)
    const unknownAttribute = render(':::cards\n::card[A]{hrf="/a"}\n:::').diagnostics
    expect(unknownAttribute.map(({ message }) => message).join()).toMatch(/without effect, hrf\..*href/s)
    const stray = render('::card[A]{href="/a"}')
    expect(stray.html).toContain('::card[A]')
    expect(stray.diagnostics.map(({ message }) => message).join()).toContain('::card[A]')
  })

  test('A field shows its name, type and default, and whether it is required or deprecated', () => {
    const { html } = render(
      ':::fields\n::field[timeout]{type="number" default="30" required}\nSeconds.\n::field[`old`]{deprecated}\n:::',
    )
    expect(html).toContain(
      '<code>timeout</code> <em>number</em> <code>= 30</code> <span class="badge badge-caution">required</span>',
    )
    expect(html).toContain('<code>old</code> <span class="badge badge-warning">deprecated</span>')
  })

  test('A tab has the icon of its name, and a wrong name is reported', () => {
    const { html, diagnostics } = render(
      ':::tabs\n::tab[npm]{icon="package"}\nOne\n::tab[Other]{icon="pakage"}\nTwo\n:::',
    )
    expect(html).toMatch(/<p class="tab-label"><svg class="icon"[^>]*aria-hidden="true">.*<\/svg>npm<\/p>/)
    expect(html).toContain('<p class="tab-label">Other</p>')
    expect(diagnostics.map(({ code }) => code)).toEqual(['QN-BAD-DIRECTIVE'])
  })

  test('A list in a file tree becomes folders that can be closed and files', () => {
    const { html } = render(':::file-tree\n- src/\n  - main.ts the entry\n- empty/\n- package.json\n:::')
    expect(html).toContain('<div class="file-tree">')
    expect(html).toMatch(/<details open><summary class="tree-folder">src\/\s*<\/summary>/)
    expect(html).toContain('<li class="tree-file">main.ts the entry</li>')
    expect(html).toContain('<li class="tree-folder">empty/</li>')
  })

  test('Columns stand next to each other', () => {
    const { html } = render(':::columns\n::column\nLeft\n::column\nRight\n:::')
    expect(html.match(/<div class="text-column">/g)).toHaveLength(2)
    expect(html).not.toContain('::column')
  })

  test('A badge has the tone of its method or the one that is written, and stays text in code', () => {
    const { html } = render('## :badge[GET] /pets\n\n:badge[New]{tip} and `:badge[no]` and \\:badge[no]\n')
    expect(html).toContain('<span class="badge badge-note">GET</span>')
    expect(html).toContain('<span class="badge badge-tip">New</span>')
    expect(html).toContain('<code>:badge[no]</code>')
    expect(html.match(/class="badge/g)).toHaveLength(2)
  })

  test('Raw HTML on the page changes nothing of the blocks', () => {
    const blocks =
      ':::cards\n::card[A]{href="/a" icon="rocket"}\nText\n:::\n\n:badge[GET]\n\n:::fields\n::field[a]{required}\n:::'
    const { html } = render(`${blocks}\n\n<b>raw</b>`)
    expect(html.replace(/\s*<p><b>raw<\/b><\/p>/, '')).toBe(render(blocks).html)
  })
})
