import { type BuiltSite, serveBuiltSite } from './built-site.ts'

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360" fill="#7a9"/></svg>'

const RICH = `A lead with ==marked words==, H~2~O, x^2^ and :tada:.

> [!TIP] A title of its own
> Text of the tip.

> [!CAUTION]
> Without a title.

Quoin
: A wedge that locks type into its frame.
: The corner of a building.

Chase
: The frame.

  A second paragraph with \`code\`.

## Media

<video src="/intro.mp4" poster="/images/a.svg" width="640" height="360"><track kind="captions" src="/intro.vtt" srclang="en" label="English" default></video>

<audio src="/talk.mp3" controls></audio>

<picture><source media="(min-width: 700px)" srcset="/images/b.svg"><img src="/images/a.svg" alt="A plain field" width="640" height="360"></picture>

![A field, alone in its paragraph.|640x360](/images/a.svg "Its caption")

## A table and code

| Column one | Column two | Column three | Column four | Column five | Column six |
| --- | ---: | --- | --- | --- | --- |
| a long value in a cell | 1 | another value that is long | four | five | six and a half |

\`\`\`ts title="a.ts" {1}
export const answer = 'a rather long line of code that does not fit into a narrow column of text, so that it scrolls'
\`\`\`

<aside>An aside next to the text.</aside>
`

const article = (n: number, extra = '') =>
  `---\ntitle: ${n % 3 === 0 ? `A rather long title of article number ${n}, which breaks` : `Article ${n}`}\npublish_date: 2026-01-${String(n).padStart(2, '0')}\ntags: [Ferries, ${n % 2 === 0 ? 'Timetables' : 'Eine lange Bezeichnung'}, Islands]\n${extra}---\nText of article ${n}.\n\n${n === 5 || n === 6 ? RICH : ''}`

const AUTHOR =
  'author:\n  name: Ada Lovelace\n  bio: Writes about machines that weave.\n  url: https://ada.example/\n  avatar: /images/a.svg\n'

const FILES = {
  'index.yaml':
    'title: Home\nsections:\n  - type: hero\n    title: Hello\n  - type: posts\n    title: News\n    from: blog\n',
  'docs/index.md': '---\ntitle: Docs\n---\nText.\n',
  'docs/rich.md': `---\ntitle: Rich\n---\n${RICH}`,
  'docs/wide.md': `---\ntitle: Wide docs\nlayout: wide\n---\n${RICH}`,
  'wide.md': `---\ntitle: Wide page\ntype: page\nlayout: wide\n---\n${RICH}`,
  'plain.md': `---\ntitle: Plain page\ntype: page\n---\n${RICH}`,
  ...Object.fromEntries(
    Array.from({ length: 27 }, (_, n) => [
      `blog/a${n + 1}.md`,
      article(n + 1, n === 4 ? AUTHOR : n === 5 ? `${AUTHOR}layout: wide\n` : ''),
    ]),
  ),
  'static/images/a.svg': SVG,
  'static/images/b.svg': SVG.replace('#7a9', '#97a'),
  'static/intro.mp4': '',
  'static/talk.mp3': '',
  'static/intro.vtt': 'WEBVTT\n',
}

/** Pages with everything that articles and their lists may have, by what they show. */
export const ARTICLE_PATHS = {
  'the end of an article': '/blog/a5/',
  'an article in the layout wide': '/blog/a6/',
  'a listing with tags': '/blog/',
  'the list of a tag': '/blog/tags/eine-lange-bezeichnung/',
  'the tags of a blog': '/blog/tags/',
  'the tags of the site': '/tags/',
  'a docs page': '/docs/rich/',
  'a docs page in the layout wide': '/docs/wide/',
  'a page in the layout wide': '/wide/',
  'a plain page': '/plain/',
} as const

/** Builds a blog with a theme, and serves it on loopback. */
export const serveArticleSite = (theme: string): Promise<BuiltSite> =>
  serveBuiltSite(
    { 'site.yaml': 'name: Northwind\nurl: https://nw.example\ntypes:\n  blog: article\n', ...FILES },
    theme,
  )
