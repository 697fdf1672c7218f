import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

test.each([
  [
    '{{% def id="tls" name="Transport Security" abbr="TLS" %}} The body. {{% /def %}}',
    '**Transport Security**  The body. ',
    'The text of its arguments and inside of it stays.',
  ],
  ['{{< card title="Start" href="/a" class="big one" >}}', '[Start](/a)', 'The text of its arguments stays.'],
  ['{{< badge "Two words" >}}', 'Two words', 'The text of its arguments stays.'],
  ['{{< spacer height="20" >}}', '', null],
])('an unknown shortcode keeps the texts and links that it is given: %s', async (tag, expected, message) => {
  const { texts, lines } = await convertTexts('hugo', {
    'hugo.toml': '',
    'content/a.md': `---\ntitle: A\n---\nBefore\n\n${tag}\n\nAfter\n`,
  })
  expect(texts.get('a.md')).toContain(`Before\n\n${expected}\n`)
  expect(lines).toEqual([
    message === null
      ? `content/a.md:6: warning QN-NOT-CONVERTED \`${tag}\` is left out.`
      : expect.stringContaining(message),
  ])
})

test('an unknown include of Jekyll keeps the texts that it is given', async () => {
  const { texts, lines } = await convertTexts('jekyll', {
    '_config.yml': 'title: A\n',
    'a.md':
      '---\ntitle: A\n---\n{% include figure.html url="/x" caption=\'A walk\' %} {% include toc.html %}\n',
  })
  expect(texts.get('a.md')).toContain('[A walk](/x)')
  expect(lines).toHaveLength(2)
})
