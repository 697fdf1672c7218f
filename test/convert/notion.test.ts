import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'
import { convertTexts } from './convert-texts.ts'

const ID = '0123456789abcdef0123456789abcdef'
const OTHER = 'fedcba9876543210fedcba9876543210'
const quoin = (...args: string[]) => startCommand(args).ended

/** Pages below a front page, by their paths without ids. */
const workspace = (texts: Readonly<Record<string, string>>) =>
  convertTexts('notion', { [`Top ${ID}.md`]: '# Top\n', ...texts })

test('an export converts to a site that has all of its content, and builds without dead links', async () => {
  const folder = await temporaryFolder()
  const [from, out] = [join(PACKAGE_ROOT, 'fixtures/convert/notion/from'), join(folder, 'to')]
  const converted = await quoin('convert', from, '--out', out, '--json')
  expect(converted.code, converted.err).toBe(0)
  const { pages, files, comparison } = JSON.parse(converted.out)
  expect({ pages, files }).toEqual({ pages: 11, files: 4 })
  for (const kind of ['pages', 'words', 'links', 'pictures', 'code_blocks'])
    expect(comparison[kind]).toMatchObject({ missing: 0 })
  const checked = await quoin('convert', from, '--out', out, '--check', '--json')
  expect(checked.code, checked.out).toBe(0)
  const built = await quoin('build', out, '--out', join(folder, 'dist'), '--json')
  expect(built.code, built.err).toBe(0)
  expect(built.out).not.toContain('QN-DEADLINK')
  const shown = await readFile(join(folder, 'dist/getting-started/index.html'), 'utf8')
  expect(shown).toContain('<div class="alert alert-tip" role="note">')
  expect(shown).toContain('<summary>How deep?</summary>')
  expect(shown).not.toMatch(/[0-9a-f]{32}/)
})

describe('pages of Notion', () => {
  test('have readable addresses, and two of one name keep apart', async () => {
    const { texts } = await workspace({
      [`Top ${ID}/Über uns ${OTHER}.md`]: '# Über uns!\n\n[a](Same%20a0123456789abcdef0123456789abcde.md)\n',
      [`Top ${ID}/Same a0123456789abcdef0123456789abcde.md`]: '# Same\n',
      [`Top ${ID}/Same b0123456789abcdef0123456789abcde.md`]: '# Same\n',
      [`Top ${ID}/🌱 c0123456789abcdef0123456789abcde.md`]: '# 🌱\n',
      [`Top ${ID}/Index d0123456789abcdef0123456789abcde.md`]: '# Index\n',
    })
    expect([...texts.keys()].sort()).toEqual(
      ['index.md', 'index-page.md', 'same-2.md', 'same.md', 'site.yaml', 'untitled.md', 'über-uns.md'].sort(),
    )
    expect(texts.get('über-uns.md')).toContain('[a](/same)')
  })

  test('without ids, as newer exports write them, belong to the folders that have one', async () => {
    const { texts } = await convertTexts(null, {
      'Private & Shared/Guide.md': `# Guide\n\n[Sub](Guide%20${ID}/Sub.md) ![p](Guide%20${ID}/image.png)\n`,
      [`Private & Shared/Guide ${ID}/Sub.md`]: '# Sub\n',
      [`Private & Shared/Guide ${ID}/image.png`]: 'x',
      'Private & Shared/Other.md': '# Other\n',
    })
    expect([...texts.keys()].sort()).toEqual([
      'guide/index.md',
      'guide/sub.md',
      'index.md',
      'other.md',
      'site.yaml',
    ])
    expect(texts.get('guide/index.md')).toContain('[Sub](/guide/sub) ![p](/guide/image.png)')
    expect(texts.get('index.md')).toContain('- [Guide](/guide)\n- [Other](/other)\n')
  })

  test('keep the order of the page above them', async () => {
    const { texts } = await workspace({
      [`Top ${ID}.md`]: `# Top\n\n[Z](Top%20${ID}/Z%20${OTHER}.md)\n\n[A](Top%20${ID}/A.md)\n`,
      [`Top ${ID}/A.md`]: '# A\n',
      [`Top ${ID}/Z ${OTHER}.md`]: '# Z\n',
    })
    expect([texts.get('z.md'), texts.get('a.md')]).toEqual([
      '---\ntitle: Z\nnav_order: 1\n---\n\n',
      '---\ntitle: A\nnav_order: 2\n---\n\n',
    ])
  })

  test('more than eight levels deep move up, and the report says so', async () => {
    const names = [...'abcdefghijk']
    const path = (count: number) => `Top ${ID}/${names.slice(0, count).join('/')}.md`
    const { texts, lines } = await workspace(
      Object.fromEntries(names.map((name, index) => [path(index + 1), `# ${name}\n`])),
    )
    expect(texts.has('a/b/c/d/e/f/g/h.md')).toBe(true)
    expect(texts.has('a/b/c/d/e/f/g/k.md')).toBe(true)
    expect(lines.filter((line) => line.includes('levels'))).toHaveLength(3)
  })
})

describe('links of Notion', () => {
  test('to addresses on notion.so lead to exported pages, others stay', async () => {
    const { texts, lines } = await workspace({
      [`Top ${ID}/A ${OTHER}.md`]: [
        '# A',
        '',
        `[top](https://www.notion.so/club/Top-${ID}?pvs=4) [block](https://www.notion.so/${ID}#${OTHER})`,
        '[else](https://www.notion.so/Else-11111111111111111111111111111111)',
        `\`[code](https://www.notion.so/${ID})\``,
      ].join('\n'),
    })
    expect(texts.get('a.md')).toContain(
      '[top](/) [block](/)\n[else](https://www.notion.so/Else-11111111111111111111111111111111)\n',
    )
    expect(texts.get('a.md')).toContain(`\`[code](https://www.notion.so/${ID})\``)
    expect(lines).toEqual([])
  })

  test('find files whose names are written with other signs for one letter', async () => {
    const { texts } = await workspace({
      [`Top ${ID}/Cafe\u0301 ${OTHER}.md`]: '# Café\n',
      [`Top ${ID}/B.md`]: `# B\n\n[c](Caf%C3%A9%20${OTHER}.md)\n`,
    })
    expect(texts.get('b.md')).toContain('[c](/café)')
  })
})

describe('blocks of Notion', () => {
  test.each([
    ['<aside>\n⚠️ Hot\n\n</aside>', ':::warning\nHot\n:::'],
    ['<aside>\n💡\n\nBright\n\n</aside>', ':::tip\nBright\n:::'],
    ['<aside>\n🌻 Sun\n</aside>', ':::note\n🌻 Sun\n:::'],
    ['<aside>\n💡 Never closed', '<aside>\n💡 Never closed'],
    [
      '<details>\n<summary>Why **so**?</summary>\n\nBecause\n\n</details>',
      ':::details Why **so**?\nBecause\n:::',
    ],
    ['```plain text\na\n```', '```text\na\n```'],
    ['```visual basic\na\n```', '```vb\na\n```'],
    ['```\n<aside>\n</aside>\n```', '```\n<aside>\n</aside>\n```'],
    ['A\n\n    B\n\n    ```\n      C\n    ```', 'A\n\nB\n\n```\n  C\n```'],
    ['- A\n\n    B', '- A\n\n    B'],
    ['A ****bold**** and *****mild*****', 'A **bold** and *mild*'],
    ['****', '****'],
  ])('%j becomes %j', async (written, expected) => {
    const { texts } = await workspace({ [`Top ${ID}/A.md`]: `# A\n\n${written}\n` })
    expect(texts.get('a.md')).toBe(`---\ntitle: A\n---\n${expected}\n`)
  })

  test('with an icon of Notion lose it, and the report says where', async () => {
    const icon = '<img src="https://www.notion.so/icons/info-alternate_blue.svg" alt="x" width="40px" />'
    const { texts, lines } = await workspace({
      [`Top ${ID}/A.md`]: `# A\n\nText\n\n<aside>\n${icon} Know this\n\n</aside>\n`,
    })
    expect(texts.get('a.md')).toContain(':::info\nKnow this\n')
    expect(lines).toEqual([
      `Top ${ID}/A.md:6: warning QN-PARTLY-CONVERTED The icon \`info-alternate_blue\` of a callout is left out: a box has the icon of its kind.`,
    ])
  })
})

describe('databases of Notion', () => {
  const database = (csv: string, pages: Readonly<Record<string, string>>) =>
    workspace({
      [`Top ${ID}/Posts ${OTHER}.csv`]: csv,
      ...Object.fromEntries(
        Object.entries(pages).map(([name, text]) => [`Top ${ID}/Posts ${OTHER}/${name}.md`, text]),
      ),
    })

  test('with dates are blogs, in which only pages that say so are published', async () => {
    const { texts, lines } = await database(
      'Name,Publish date,Status\nOne,"November 3, 2023 9:30 AM (GMT+1)",Published\nTwo,2023/11/04,In review\n',
      {
        One: '# One\n\nPublish date: November 3, 2023 9:30 AM (GMT+1)\nStatus: Published\n\nText\n',
        Two: '# Two\n\nPublish date: 2023/11/04\nStatus: In review\n\nText\n',
      },
    )
    expect(texts.get('posts/one.md')).toBe(
      '---\ntype: article\ntitle: One\npublish_date: 2023-11-03T09:30:00.000+01:00\n---\nText\n',
    )
    expect(texts.get('posts/two.md')).toContain('draft: true\n')
    expect(lines).toEqual([
      `Top ${ID}/Posts ${OTHER}/Two.md: warning QN-HIDDEN-PAGE \`Status\` is "In review". It is written as a draft, which is not published.`,
    ])
  })

  test('without dates are docs, with a list of their pages and a table of their properties', async () => {
    const { texts, lines } = await database('Name,Owner,Ready,Tags\nOne,Ann Lee,Yes,"a, b"\nTwo,,No,\n', {
      One: '# One\n\nOwner: Ann Lee | Bo\nReady: Yes\nTags: a, b\n\nOwner: text\n',
      Two: '# Two\n\nReady: No\n',
    })
    expect(texts.get('posts/index.md')).toBe(
      '---\ntitle: Posts\n---\n- [One](/posts/one)\n- [Two](/posts/two)\n',
    )
    expect(texts.get('posts/one.md')).toBe(
      '---\ntitle: One\ntags:\n  - a\n  - b\nnav_order: 1\n---\n| Property | Value |\n| --- | --- |\n| Owner | Ann Lee \\| Bo |\n| Ready | Yes |\n\nOwner: text\n',
    )
    expect(lines).toEqual([])
  })

  test('with rows that have no page are a table', async () => {
    const { texts } = await database('Name,Link\nOne,https://example.com\n"A | B","two\nlines"\n', {
      One: '# One\n\nLink: https://example.com\n',
    })
    expect(texts.get('posts/index.md')).toContain(
      '| Name | Link |\n| --- | --- |\n| [One](/posts/one) | <https://example.com> |\n| A \\| B | two<br>lines |\n',
    )
  })

  test('with a quote that does not end are reported, and their pages stay', async () => {
    const { texts, lines } = await database('Name,Text\nOne,"never closed\n', { One: '# One\n' })
    expect(texts.has('posts/one.md')).toBe(true)
    expect(lines).toEqual([
      `Top ${ID}/Posts ${OTHER}.csv: warning QN-SOURCE-UNREADABLE Row 1 of the table has a quote that does not end. The table is converted up to there.`,
    ])
  })
})

describe('an export of Notion', () => {
  test('names the archives in it that are not unpacked', async () => {
    const part = 'Export-0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f-Part-2.zip'
    const { lines } = await workspace({ [part]: 'x', [`Top ${ID}/notes.zip`]: 'x' })
    expect(lines).toEqual([
      `${part}: warning QN-SOURCE-UNREADABLE The archive is a part of the export, and is not unpacked. Unpack it into the folder, and convert again.`,
    ])
  })

  test('has no page for the list of its pages, and the report says so', async () => {
    const { texts, lines } = await convertTexts('notion', {
      'Export/index.html': '<a href="A.md">A</a>',
      'Export/A.md': '# A\n',
      'Export/B.md': '# B\n',
    })
    expect(texts.get('index.md')).toContain('- [A](/a)\n- [B](/b)\n')
    expect(lines).toEqual([
      'Export/index.html: warning QN-NOT-CONVERTED The list of all pages of the export is left out: pages have a sidebar.',
    ])
  })

  test.each([
    ['Export-0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f-Part-1.zip', 'Unpack the archives in the folder'],
    [`Home ${ID}.html`, 'Markdown & CSV'],
  ])('with only %s is refused with advice', async (name, advice) => {
    const [from, folder] = [await temporaryFolder(), await temporaryFolder()]
    await writeFiles(from, { [name]: 'x' })
    const ended = await quoin('convert', from, '--out', join(folder, 'to'))
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(advice) })
  })

  test.each([
    ['brackets in properties', `# A\n\n${`Status: ${'a ('.repeat(100_000)}\n`}\n`],
    ['asides', `# A\n\n${'<aside>\n'.repeat(50_000)}`],
    ['details', `# A\n\n${'<details>\n'.repeat(50_000)}`],
    ['asterisks', `# A\n\n${'**** a '.repeat(50_000)}`],
    ['links', `# A\n\n${'[a](https://www.notion.so/'.repeat(20_000)}`],
  ])('with hostile text of %s takes a moment', async (_, text) => {
    const start = performance.now()
    await workspace({ [`Top ${ID}/A ${OTHER}.md`]: text })
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
