import { describe, expect, test } from 'vitest'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { satteriParser } from '../../../src/render/markdown/satteri.ts'

describe.each([
  ['satteri', satteriParser('gfm')],
  ['remark', remarkParser('gfm')],
])('Chinese, Japanese and Korean text, parsed by %s', (_, parse) => {
  const render = (markdown: string) => renderMarkdown(markdown, { href: (url) => url, parse }).html

  test.each([
    ['**注意：**先保存。', '<strong>注意：</strong>先保存。'],
    ['点**「继续」**按钮。', '点<strong>「继续」</strong>按钮。'],
    ['保留**副本（可选）**再删。', '保留<strong>副本（可选）</strong>再删。'],
    ['**설정(고급)**을 엽니다.', '<strong>설정(고급)</strong>을 엽니다.'],
    ['**重要。**その後に続ける。', '<strong>重要。</strong>その後に続ける。'],
    ['这是*“引文”*的例子。', '这是<em>“引文”</em>的例子。'],
    ['旧~~（废弃）~~新', '旧<del>（废弃）</del>新'],
    ['运行**`quoin build`**命令。', '运行<strong><code>quoin build</code></strong>命令。'],
    ['乘法：3*4*5，\\*不是\\*。', '乘法：3<em>4</em>5，*不是*。'],
  ])('has emphasis next to punctuation: %s', (markdown, html) => {
    expect(render(markdown)).toBe(`<p>${html}</p>`)
  })

  test.each([
    ['见 https://example.com/a。下一句。', 'https://example.com/a', '。下一句。'],
    ['见 https://example.com/b，然后继续。', 'https://example.com/b', '，然后继续。'],
    ['（见 https://example.com/c）', 'https://example.com/c', '）'],
    ['见 www.example.com/d！好。', 'www.example.com/d', '！好。'],
  ])('ends an address before punctuation: %s', (markdown, address, rest) => {
    expect(render(markdown)).toContain(`>${address}</a>${rest}</p>`)
    expect(render(markdown)).toContain(`href="${address.startsWith('www') ? 'http://' : ''}${address}"`)
  })

  test('keeps a link that is written as one, whatever its text is', () => {
    expect(render('[https://a.example/。](https://b.example/。x)')).toContain('>https://a.example/。</a>')
  })

  test.each([
    ['第一行没有完\n第二行接着。', '第一行没有完第二行接着。'],
    ['日本語の\nテキスト', '日本語のテキスト'],
    ['第一行，\n第二行', '第一行，第二行'],
    ['한국어 문장은\n띄어쓰기가 있다', '한국어 문장은\n띄어쓰기가 있다'],
    ['中文 and\nEnglish', '中文 and\nEnglish'],
    ['一行  \n二行', '一行<br>\n二行'],
  ])('joins lines where the script has no spaces: %j', (markdown, html) => {
    expect(render(markdown)).toBe(`<p>${html}</p>`)
  })

  test('is left as written in code', () => {
    expect(render('`注：**先**`')).toBe('<p><code>注：**先**</code></p>')
    expect(render('```\n注：**先\n行\n```')).toContain('注：**先\n行')
  })
})
