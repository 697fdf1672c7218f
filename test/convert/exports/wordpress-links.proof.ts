import { expect, test } from 'vitest'
import { convertedWxr, item, wxr } from './wxr.ts'

const TERMS =
  '<wp:author><wp:author_id>4</wp:author_id><wp:author_login>ada</wp:author_login><wp:author_display_name>Ada</wp:author_display_name></wp:author>' +
  '<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>rye</wp:category_nicename><wp:cat_name>Rye</wp:cat_name></wp:category>'
const PICTURE = item({
  id: 20,
  type: 'attachment',
  link: 'https://mill.example/one/gear/',
  extra: '<wp:attachment_url>https://mill.example/wp-content/uploads/gear.jpg</wp:attachment_url>',
})
const link = (address: string) => `<p><a href="https://mill.example${address}">there</a></p>`

test.each([
  ['/?p=2', '/two'],
  ['/?page_id=2#part', '/two#part'],
  ['/index.php?p=2&amp;preview=true', '/two'],
  ['/?cat=3', '/category/rye/'],
  ['/?author=4', '/author/ada/'],
  ['/?attachment_id=20', 'https://mill.example/wp-content/uploads/gear.jpg'],
  ['/one/gear/', 'https://mill.example/wp-content/uploads/gear.jpg'],
  ['/two/?cat=3', '/two?cat=3'],
])('a link to %s leads to %s', async (from, to) => {
  const { page } = await convertedWxr(
    wxr(
      TERMS,
      item({
        id: 1,
        link: 'https://mill.example/one/',
        text: link(from),
        extra: '<category domain="category" nicename="rye">Rye</category><dc:creator>ada</dc:creator>',
      }),
      item({ id: 2, link: 'https://mill.example/two/', text: '<h2 id="part">Part</h2>' }),
      PICTURE,
    ),
  )
  expect(await page('one.md')).toContain(`[there](${to})`)
})

test('short addresses by number are counted once, because redirects hold no query', async () => {
  const { losses } = await convertedWxr(
    wxr(
      item({ id: 1, link: 'https://mill.example/one/', guid: 'https://mill.example/?p=1' }),
      item({ id: 2, link: 'https://mill.example/two/', guid: 'https://mill.example/?page_id=2' }),
      item({ id: 3, link: 'https://mill.example/three/', guid: 'https://mill.example/three/' }),
    ),
  )
  expect(losses.filter(({ what }) => what.includes('by number'))).toEqual([
    {
      code: 'QN-NOT-CONVERTED',
      file: 'export.xml',
      line: 2,
      what: '2 posts and pages have a short address by number as guid, such as /?p=1. Redirects hold no query, so these addresses show the front page. Links of texts lead to the pages.',
    },
  ])
})

test('a picture in a link to its own page is the picture', async () => {
  const text =
    '<p><a href="https://mill.example/one/gear/"><img src="https://mill.example/wp-content/uploads/gear-300x200.jpg" alt="Gear"></a></p>'
  const { page } = await convertedWxr(wxr(item({ id: 1, link: 'https://mill.example/one/', text }), PICTURE))
  expect(await page('one.md')).toMatch(
    /^!\[Gear\]\(https:\/\/mill\.example\/wp-content\/uploads\/gear\.jpg\)$/m,
  )
})

test('pages of single files are left out, and said once', async () => {
  const { losses } = await convertedWxr(wxr(item({ id: 1, link: 'https://mill.example/one/' }), PICTURE))
  expect(losses[0]).toEqual({
    code: 'QN-NOT-CONVERTED',
    file: 'export.xml',
    line: 3,
    what: '1 page of one file each, such as /one/gear/, is left out. Links to them lead to the files.',
  })
})

test('links that were dead before are named, each once with the line of its post', async () => {
  const text = ['/gone/', '/gone/', '/?p=99', '/two/', '/feed/', '/draft/'].map((path) => link(path)).join('')
  const { losses } = await convertedWxr(
    wxr(
      item({
        id: 1,
        link: 'https://mill.example/one/',
        text: `${text}<h2 id="here">Here</h2><p><a href="#here">a</a> <a href="#nowhere">b</a></p>`,
      }),
      item({ id: 2, link: 'https://mill.example/two/', text: link('/gone/') }),
      item({ id: 3, link: 'https://mill.example/draft/', status: 'draft' }),
    ),
  )
  const elsewhere = 'it was dead on the source site, or leads to something that exports do not have.'
  expect(losses.filter(({ code }) => code === 'QN-DEADLINK')).toEqual(
    [
      `At /one/: The link to /gone/ leads to no page of the export: ${elsewhere}`,
      `At /one/: The link to /?p=99 leads to no page of the export: ${elsewhere}`,
      'At /one/: The link to /draft/ leads to a page that is a draft.',
      `At /one/: The link to #nowhere leads to no part of the text: ${elsewhere}`,
    ].map((what) => ({ code: 'QN-DEADLINK', file: 'export.xml', line: 2, what })),
  )
})
