import { expect, test } from 'vitest'
import { rendererWith } from './own-theme.ts'
import { readSiteFiles } from './read-site-files.ts'
import { temporarySite } from './temporary-site.ts'

const SECTION = `title: Home
sections:
  - type: timetable
    title: Opening hours
    openFrom: "<9>"
    more: /docs/a
    note: "*Closed* on [holidays](/docs/a) <script>alert(1)</script>"
    props:
      days: [{ day: Monday, hours: 8 }]
      items: [{ anything: 1 }]
`
const SITE = {
  'site.yaml': 'name: Shop\nurl: https://shop.example\ntheme: mine\n',
  'index.yaml': SECTION,
  'docs/a.md': '---\ntitle: A\n---\nText.\n',
}
const THEME = {
  'layouts/page.eta': '<%~ it.page.sectionsHtml %>',
  'sections/timetable.eta':
    '<h2><%= it.title %></h2><p><%= it.props.open_from %></p><a href="<%= it.href(it.props.more) %>"></a><%~ it.markdown(it.props.note) %>' +
    '<% for (const { day, hours } of it.props.days) { %><b><%= day %> <%= hours %></b><% } %><i><%= it.props.items[0].anything %></i>',
}

test('a section of a type that the theme adds is known and gets everything that its author wrote', async () => {
  const { out, build } = await temporarySite(SITE)
  expect(await build({ renderer: await rendererWith(THEME) })).toMatchObject({
    // The script in the text is left out as in any Markdown.
    warnings: [{ code: 'QN-DROPPED-HTML', file: 'index.yaml' }],
  })
  const html = (await readSiteFiles(out)).get('index.html') ?? ''
  expect(html).toContain('<h2>Opening hours</h2><p>&lt;9&gt;</p><a href="docs/a/"></a>')
  expect(html).toContain('<p><em>Closed</em> on <a href="docs/a/">holidays</a> ')
  expect(html).toContain('<b>Monday 8</b><i>1</i>')
  expect(html).not.toContain('<script')
})

test('a section of a type that neither Quoin nor the theme knows is reported and shown plainly', async () => {
  const { out, build } = await temporarySite({
    ...SITE,
    'index.yaml': SECTION.replace('timetable', 'timetabel'),
  })
  const { warnings } = await build({ renderer: await rendererWith(THEME) })
  expect(warnings).toMatchObject([{ code: 'QN-UNKNOWN-SECTION', file: 'index.yaml', line: 3 }])
  expect((await readSiteFiles(out)).get('index.html')).toContain('Opening hours')
})

test('values of another type than the theme declares are reported by field and line', async () => {
  const { build } = await temporarySite({
    ...SITE,
    'index.yaml': SECTION.replace('[{ day: Monday, hours: 8 }]', 'Monday'),
    'docs/a.md': '---\ntitle: A\nprice: ten\nlevel: easy\nunread: 1\n---\nText.\n',
  })
  const manifest = {
    extends: 'default',
    fields: { price: 'number', level: ['easy', 'hard'] },
    sections: { timetable: { open_from: 'text', days: 'list', more: 'url', none: 'text' } },
  }
  const { warnings } = await build({ renderer: await rendererWith({ ...THEME, 'theme.json': manifest }) })
  expect(warnings.filter(({ code }) => code !== 'QN-DROPPED-HTML')).toMatchObject([
    {
      code: 'QN-WRONG-TYPE',
      file: 'docs/a.md',
      line: 3,
      field: 'config.price',
      message: 'config.price: price must be a number, not "ten".',
    },
    { code: 'QN-UNREAD-FIELD', file: 'docs/a.md', field: 'unread' },
    {
      code: 'QN-WRONG-TYPE',
      file: 'index.yaml',
      line: 9,
      message: 'sections[0].props.days: days must be a list, not "Monday".',
    },
  ])
})

test('a misspelt type of section is reported with the one that it resembles', async () => {
  const { build } = await temporarySite({ ...SITE, 'index.yaml': SECTION.replace('timetable', 'feature') })
  expect((await build({ renderer: await rendererWith(THEME) })).warnings).toMatchObject([
    { code: 'QN-UNKNOWN-SECTION', message: expect.stringMatching(/ Is it features\?$/) },
  ])
})
