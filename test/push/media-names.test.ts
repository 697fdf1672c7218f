import { expect, test } from 'vitest'
import { readSiteTexts } from '../../src/content-folder/read-site.ts'
import { settingFileName, settingsThatHold } from '../../src/fields/settings-record.ts'
import { withMediaNames } from '../../src/push/media-names.ts'

const FILES = {
  'static/dot.svg': '',
  'static/media/dot.svg': '',
  'static/robots.txt': '',
  'static/My photo.png': '',
  'trips/tram.png': '',
  'trips/LICENSE': '',
  'trips/a,b.png': '',
}

/** Texts, by path, of a folder in which `trips` is served at another depth. */
function named(texts: Readonly<Record<string, string>>, settings = '') {
  const site = `name: Trips\ntypes: { trips: article }\nsite_routes: { trips: far/away }\n${settings}`
  const { site: read, errors } = readSiteTexts(
    new Map(Object.entries({ 'site.yaml': site, ...FILES, ...texts })),
  )
  expect(errors).toEqual([])
  return withMediaNames(read)
}

test.each([
  ['![](/dot.svg)', '![](/media/dot.svg)', 'static/dot.svg'],
  ['![](../static/dot.svg)', '![](/media/dot.svg)', 'static/dot.svg'],
  ['![](../../../dot.svg?v=1)', '![](/media/dot.svg?v=1)', 'static/dot.svg'],
  ['![](tram.png "On time")', '![](/media/trips/tram.png "On time")', 'trips/tram.png'],
  ['[Licence](LICENSE)', '[Licence](/media/trips/LICENSE)', 'trips/LICENSE'],
  ['![](</My photo.png>)', '![](/media/My%20photo.png)', 'static/My photo.png'],
  ['![](/media/dot.svg)', '![](/media/media/dot.svg)', 'static/media/dot.svg'],
  [
    '<img srcset="/dot.svg 1x, tram.png 2x">',
    '<img srcset="/media/dot.svg 1x, /media/trips/tram.png 2x">',
    'static/dot.svg',
  ],
])('%s is sent as %s', (written, sent, source) => {
  const { site, files } = named({ 'trips/alps.md': `---\ntitle: Alps\n---\n${written}\n` })
  expect(site.pages[0]?.markdown.trim()).toBe(sent)
  expect(files.map((file) => file.source)).toContain(source)
})

test.each([
  '![](/none.svg)',
  '![](https://example.com/dot.svg)',
  '![](dot.svg)',
  '`![](/dot.svg)` and /dot.svg',
  '![](/media/on-the-server.png)',
])('%s is sent as it is written', (written) => {
  const { site, files } = named({ 'trips/alps.md': `---\ntitle: Alps\n---\n${written}\n` })
  expect([site.pages[0]?.markdown.trim(), files]).toEqual([written, []])
})

test('a file whose name no asset can have is named as before', () => {
  const { site, files } = named({ 'trips/alps.md': '---\ntitle: Alps\n---\n![](<a,b.png>)\n' })
  expect([site.pages[0]?.markdown.trim(), files]).toEqual(['![](/trips/a%2Cb.png)', []])
})

test('settings and their values name assets where they hold an address, and nowhere else', () => {
  const settings = [
    'favicon_url: /dot.svg',
    'footer_text: /dot.svg and robots.txt',
    'meta_title: robots.txt',
    'nav_links: [{ label: robots.txt, href: /robots.txt }]',
    'custom_css: \'a { background: url("/dot.svg") } b { content: "/dot.svg" }\'',
    'custom_head_html: |',
    '  <meta name="a">',
    '      <link rel="icon" href="/dot.svg">',
    'data: { team: [{ photo: /trips/tram.png, file: robots.txt }] }',
  ]
  const { site } = named(
    { 'trips/alps.md': '---\ntitle: Alps\n---\n![](tram.png)\n' },
    `${settings.join('\n')}\n`,
  )
  expect(site.settings).toMatchObject({
    faviconUrl: '/media/dot.svg',
    footerText: '/dot.svg and robots.txt',
    metaTitle: 'robots.txt',
    navLinks: [{ label: 'robots.txt', href: '/media/robots.txt' }],
    customCss: 'a { background: url("/media/dot.svg") } b { content: "/dot.svg" }',
    customHeadHtml: '<meta name="a">\n    <link rel="icon" href="/media/dot.svg">\n',
    data: { team: [{ photo: '/media/trips/tram.png', file: 'robots.txt' }] },
  })
})

test('every setting that holds the address of a file names it as an asset', () => {
  const keys = settingsThatHold('file')
  const { site, files } = named({}, keys.map((key) => `${settingFileName(key)}: static/dot.svg\n`).join(''))
  expect(site.settings).toMatchObject(Object.fromEntries(keys.map((key) => [key, '/media/dot.svg'])))
  expect(files.map(({ source }) => source)).toEqual(['static/dot.svg'])
})
