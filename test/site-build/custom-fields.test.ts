import { describe, expect, test } from 'vitest'
import { rendererWith } from './own-theme.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const page = (fields: string, type = 'docs') => `---\ntitle: A page\ntype: ${type}\n${fields}---\nText.\n`

/** Prints the field `price` on every type of page. */
const PRICED = Object.fromEntries(
  ['page', 'article', 'docs', 'item'].map((type) => [
    `layouts/${type}.eta`,
    '<h1><%= it.page.title %></h1><p class="price"><%= it.page.config.price %></p>',
  ]),
)

describe('a field that Quoin does not know', () => {
  test.each([
    ['page', 'price: "<b>3</b>"\n'],
    ['article', 'price: "<b>3</b>"\n'],
    ['docs', 'price: "<b>3</b>"\n'],
    ['docs', 'config: { price: "<b>3</b>" }\n'],
    ['item', 'price: "<b>3</b>"\n'],
    ['item', 'fields: { price: "<b>3</b>" }\n'],
  ])('reaches the template of a page of type %s, escaped', async (type, fields) => {
    const renderer = await rendererWith(PRICED)
    const { out, build } = await temporarySite({
      'site.yaml': 'name: Shop\ntheme: mine\n',
      'a.md': page(fields, type),
    })
    const { warnings } = await build({ renderer })
    expect(warnings.filter(({ code }) => code === 'QN-UNREAD-FIELD')).toEqual([])
    const html = (await readSiteFiles(out)).get('a/index.html')
    expect(html).toContain('<p class="price">&lt;b&gt;3&lt;/b&gt;</p>')
  })

  const SITE = {
    'site.yaml': 'name: Shop\nurl: https://shop.example\n',
    'a.md': page('price: 3\ncolour: red\n'),
    'b.md': page('price: 4\n'),
    'c.md': page('price: 5\nnaf_order: 1\n'),
    'blog/d.md': page('nav_order: 3\nimage: /x.svg\ndate_of_birth: 1990-01-01\n', 'article'),
  }

  test('is reported once, with its first file, when no template reads it', async () => {
    const { build } = await temporarySite(SITE)
    const { warnings } = await build()
    const texts = warnings
      .filter(({ code }) => code === 'QN-UNREAD-FIELD')
      .map(({ file, line, message }) => `${file}:${line} ${message}`)
    expect(texts).toEqual([
      'a.md:4 No template reads the field "price". It stays in `config`. 2 other files have it too.',
      'a.md:5 No template reads the field "colour". It stays in `config`.',
      'blog/d.md:4 No template reads the field "nav_order". It stays in `config`. Type docs has it.',
      'blog/d.md:6 No template reads the field "date_of_birth". It stays in `config`.',
      'c.md:5 No template reads the field "naf_order". It stays in `config`. Is it nav_order?',
    ])
  })

  test('is not reported when a template of the theme reads it', async () => {
    const renderer = await rendererWith({
      'partials/byline.eta': '<% const { price, colour } = it.page.config %><%= price %><%= colour %>',
    })
    const { build } = await temporarySite({ ...SITE, 'site.yaml': 'name: Shop\ntheme: mine\n' })
    const { warnings } = await build({ renderer })
    const fields = warnings.filter(({ code }) => code === 'QN-UNREAD-FIELD').map(({ field }) => field)
    expect(fields).toEqual(['nav_order', 'date_of_birth', 'naf_order'])
  })

  test('is not reported in a draft, and is with --drafts', async () => {
    const site = {
      'site.yaml': 'name: Shop\n',
      'static/index.html': '<!doctype html>',
      'a.md': page('draft: true\nprice: 3\n'),
    }
    const { build } = await temporarySite(site)
    expect((await build()).warnings).toEqual([])
    expect((await build({}, true)).warnings).toHaveLength(1)
  })
})
