import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneLine, pageText } from '../../../src/render/search/page-text.ts'
import { searchEntryOf } from '../../../src/render/search/search-entry.ts'
import { livePage } from '../../support/live-page.ts'

const textOfMain = (main: string) =>
  pageText(`<body>no<main id="content">${main}</main>no</body>`).map(({ heading, text }) => [
    heading,
    oneLine(text),
  ])

test('each section has the text up to the next heading with an anchor', () => {
  expect(
    textOfMain('a &amp; <b>b</b>old<h2 id="x">O&lt;ne <img alt="&#x41;"></h2><p>c</p><h3>two</h3>d'),
  ).toEqual([
    ['', 'a & bold A'],
    ['O<ne', 'c d'],
  ])
})

test('a reference without a known name stays as it is written, also with the name of a property of objects', () => {
  expect(textOfMain('&constructor; &toString; &copy;')).toEqual([['', '&constructor; &toString; &copy;']])
})

test('skipped elements are skipped with their content, and a `>` in quotes does not end a tag', () => {
  expect(
    textOfMain(
      'a<p class="page-actions">no</p><nav>no<nav>no</nav>no</nav><!-- <p> --><div class="page-tools">no</div><ul class="tags" role="list"><li>no</li></ul>b<a href=">" class="toggle">no</a><P title=\'>"\'>c</P>',
    ),
  ).toEqual([['', 'a b c']])
})

test('a player is its name: what is in it is shown only where it cannot play', () => {
  expect(
    textOfMain('a<p><video aria-label="A ride &amp; more" controls><track><a href="x">no</a></video></p>b'),
  ).toEqual([['', 'a A ride & more b']])
})

test('any text is extracted as it was written, however tags divide it', () => {
  const escaped = (text: string) => text.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const [{ text } = { text: null }] = pageText(
        `<main>${texts.map((text) => `<em>${escaped(text)}</em>`).join('')}</main>`,
      )
      expect(text).toBe(texts.join(''))
    }),
  )
})

test('the own head HTML of a site is not text, even if it contains `<main>`', () => {
  const own = '<script>let a = "<main>never</main>"</script>'
  const live = livePage({ settings: { customHeadHtml: own } })
  const entry = searchEntryOf(live, `<head>${own}</head><nav>chrome</nav><main>shown</main>`)
  expect(entry?.about).toBe('shown')
})

test('a document whose `<main>` is not closed has no text', () => {
  for (const html of ['', '<main', '<main>a', '<main</main>', '<main id="x"</main>b>', '</main><main>'])
    expect(pageText(html).map(({ text }) => text)).toEqual([''])
})
