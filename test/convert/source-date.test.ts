import { expect, test } from 'vitest'
import { readSourceDate } from '../../src/convert/page/source-date.ts'
import { convertTexts } from './convert-texts.ts'

test.each([
  ['2023-04-05 12:30:00 +0100', '2023-04-05T12:30:00.000+01:00'],
  ['2023-04-05 12:30:00 +01:00', '2023-04-05T12:30:00.000+01:00'],
  ['2023-04-05 12:30 UTC', '2023-04-05T12:30:00.000Z'],
  ['2023-4-5', '2023-04-05T00:00:00.000Z'],
  ['2023/04/05 9:30', '2023-04-05T09:30:00.000Z'],
  ['2023-04-05T12:30:00.123456Z', '2023-04-05T12:30:00.000Z'],
  ['May 1, 2024', '2024-05-01T00:00:00.000Z'],
  ['1 September 2024', '2024-09-01T00:00:00.000Z'],
  ['Wed, 01 May 2024 10:00:00 +0200', '2024-05-01T10:00:00.000+02:00'],
  ['2024-05-01 10:00:00 -0700 MST', '2024-05-01T10:00:00.000-07:00'],
  ['2024-05-01 10:00 +02', '2024-05-01T10:00:00.000+02:00'],
  ['May 1, 2024 3:04 PM', '2024-05-01T15:04:00.000Z'],
  ['May 1, 2024 12:04am', '2024-05-01T00:04:00.000Z'],
  ['2024-05-01 13:04 PM', '2024-05-01T13:04:00.000Z'],
  ['2024-05-01 10:00:00 CET', null],
  ['2023-02-30', null],
  ['Smarch 1, 2024', null],
  ['yesterday', null],
  ['', null],
  [20230405, null],
])('the date %j is read as %j', (written, read) => expect(readSourceDate(written)).toBe(read))

test('a date that cannot be read is reported, and the date in the name of the file is used', async () => {
  const { texts, lines } = await convertTexts('jekyll', {
    '_config.yml': 'title: A\n',
    '_posts/2023-04-05-a.md': '---\ndate: soon\nupdated: never\n---\nA\n',
    'b.md': '---\ndate: 2023-04-05\nupdated: 2023-4-6\n---\nB\n',
  })
  expect(texts.get('2023/04/05/a.md')).toContain('publish_date: 2023-04-05T00:00:00.000Z\n')
  expect(texts.get('b.md')).toContain('last_updated: 2023-04-06T00:00:00.000Z\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      '_posts/2023-04-05-a.md:1: warning QN-NOT-CONVERTED `date` is left out: "soon" is not a date that can be read.',
      '_posts/2023-04-05-a.md:1: warning QN-NOT-CONVERTED `updated` is left out: "never" is not a date that can be read.',
      'b.md:1: warning QN-NOT-CONVERTED `date` is left out: only articles have a date, and docs pages only that of their last edit.',
    ]),
  )
})

test.each([
  ['date: 20230405', 'warning QN-NOT-CONVERTED `date` is left out: 20230405 is not a date that can be read.'],
  ['date: [soon]', 'warning QN-NOT-CONVERTED `date` is left out: ["soon"] is not a date that can be read.'],
  [
    'last_updated: soon',
    'warning QN-NOT-CONVERTED `last_updated` is left out: "soon" is not a date that can be read.',
  ],
])('a value that is not a date is reported: %j', async (fields, message) => {
  const { texts, lines } = await convertTexts('hugo', { 'content/posts/a.md': `---\n${fields}\n---\nA\n` })
  expect(texts.get('posts/a.md')).not.toContain('config')
  expect(lines).toEqual([`content/posts/a.md:1: ${message}`])
})

test.each(['last_updated', 'last_modified', 'modified', 'lastmod'])(
  'the field %s is read as the date of the last edit',
  async (name) => {
    const { texts } = await convertTexts('markdown', { 'a.md': `---\n${name}: 2024-03-01 08:00\n---\nA\n` })
    expect(texts.get('a.md')).toContain('last_updated: 2024-03-01T08:00:00.000Z\n')
    expect(texts.get('a.md')).not.toContain('config')
  },
)
