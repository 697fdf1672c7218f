import { expect, test } from 'vitest'
import { convertedWxr, item, wxr } from './wxr.ts'

const POST = item({ id: 1, link: 'https://mill.example/one/' })
const GENRE =
  '<wp:term><wp:term_id>7</wp:term_id><wp:term_taxonomy>genre</wp:term_taxonomy><wp:term_slug>wood</wp:term_slug><wp:term_name>Woodwork</wp:term_name></wp:term>'

test('items of a kind that a plugin added become pages at their addresses, with their terms as tags', async () => {
  const { page, losses } = await convertedWxr(
    wxr(
      POST,
      GENRE,
      item({
        id: 2,
        type: 'portfolio',
        link: 'https://mill.example/work/chair/',
        text: '<p>A chair, after <a href="/?p=1">one</a>.</p>',
        extra:
          '<category domain="genre" nicename="wood">Woodwork</category><category domain="post_format" nicename="post-format-aside">Aside</category>',
      }),
      item({
        id: 3,
        type: 'portfolio',
        status: 'draft',
        link: 'https://mill.example/?post_type=portfolio&amp;p=3',
      }),
      item({ id: 4, type: 'portfolio', text: '', link: 'https://mill.example/work/empty/' }),
    ),
  )
  expect(await page('work/chair.md')).toBe(
    '---\ntype: page\ntitle: Title 2\ntags:\n  - Woodwork\n---\nA chair, after [one](/one).\n',
  )
  expect(await page('portfolio/title-3.md')).toContain('draft: true')
  expect(losses.map(({ code, line, what }) => `${line} ${code} ${what}`)).toEqual([
    '4 QN-PARTLY-CONVERTED 2 items of the kind `portfolio` become pages at their addresses. What a theme or a plugin shows around the text, such as prices and dates of events, is left out.',
    '6 QN-NOT-CONVERTED 1 item of the kind `portfolio` is left out: without a text, or in the trash.',
    '3 QN-PARTLY-CONVERTED 1 term of the taxonomy `genre` becomes a tag.',
    '5 QN-HIDDEN-PAGE At /portfolio/title-3/: Its status is `draft`. It is written as a draft, which is not published.',
  ])
})

test('an item with a short address of its kind has a folder of its kind, and links lead there', async () => {
  const { page } = await convertedWxr(
    wxr(
      item({ id: 1, link: 'https://mill.example/one/', text: '<p><a href="/?event=fair">fair</a></p>' }),
      item({
        id: 2,
        type: 'event',
        link: 'https://mill.example/?event=fair',
        extra: '<wp:post_name>fair</wp:post_name>',
      }),
    ),
  )
  expect(await page('event/fair.md')).toContain('type: page')
  expect(await page('one.md')).toContain('[fair](/event/fair)')
})

test('kinds without pages are counted, and named as no pages when they are known', async () => {
  const { losses } = await convertedWxr(
    wxr(
      POST,
      item({ id: 2, type: 'wp_navigation', link: 'https://mill.example/?p=2' }),
      item({ id: 3, type: 'acf-field', link: 'https://mill.example/?post_type=acf-field&amp;p=3' }),
      item({ id: 4, type: 'acf-field', link: 'https://mill.example/?post_type=acf-field&amp;p=4' }),
      item({ id: 5, type: 'shop_order', status: 'wc-completed', link: 'https://mill.example/?p=5' }),
      item({ id: 6, type: 'note', link: 'https://mill.example/?post_type=note&amp;p=6' }),
      item({ id: 7, type: 'post', status: 'trash', link: 'https://mill.example/?p=7' }),
    ),
  )
  expect(losses.map(({ line, what }) => `${line} ${what}`)).toEqual([
    '8 1 item of the kind `post` with the status `trash` is left out.',
    '7 1 item of the kind `note` is left out: the site has no pages of this kind.',
    '3 Items that are no pages are left out: 1 `wp_navigation`, 2 `acf-field`, 1 `shop_order`.',
  ])
})

test('a shared block is in the posts that include it, and is no page', async () => {
  const { page, losses } = await convertedWxr(
    wxr(
      item({ id: 1, link: 'https://mill.example/one/', text: '<!-- wp:block {"ref":2} /-->' }),
      item({ id: 2, type: 'wp_block', link: 'https://mill.example/?p=2', text: '<p>Shared text.</p>' }),
    ),
  )
  expect(await page('one.md')).toContain('Shared text.')
  expect(losses.map(({ what }) => what)).toEqual([
    'Items that are no pages are left out: 1 `wp_block`. Posts that include a `wp_block` have its text.',
  ])
})

test('a term of a custom taxonomy of posts has a list, to which its former address leads', async () => {
  const post = (id: number) =>
    item({
      id,
      link: `https://mill.example/${id}/`,
      extra: '<category domain="genre" nicename="wood">Woodwork</category>',
    })
  const { page } = await convertedWxr(wxr(GENRE, post(1), post(2)))
  expect(await page('redirects.yaml')).toContain('/genre/wood: /tags/woodwork\n')
})
