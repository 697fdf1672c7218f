import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonValue } from '../../domain/json.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import { brandingOf, navLink, objectOf, textOf } from '../config/config-values.ts'
import { configurationIn, prefixOf } from '../config/configured-folder.ts'
import { readDataFile } from '../config/data-file.ts'
import { defined } from '../config/source-config.ts'
import type { BodyContext, Generator, NavItem, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { runsOf } from '../mdx/fences.ts'
import { routeOf } from '../page/page-route.ts'

const CONFIG = /^(?:(?!.*\/.*\/)(.*)\/)?book\.toml$/
const PAGE = /\.md$/
const INCLUDE =
  /\{\{#(include|rustdoc_include|playground|playpen)\s+([^\s{}:]+)(?=[\s:}])(?::([^{}\s]*)(?=[\s}]))?[^{}]*\}\}/g
const CHAPTER = /^([ \t]*)(?:[-*+][ \t]+)?\[([^\]]*)\]\(([^)]*)\)[ \t]*$/

/** mdBook: the chapters of `SUMMARY.md`. */
export const mdbook: Generator = {
  name: 'mdbook',
  title: 'mdBook',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  protectVerbatim: (body, protect) => body.replace(/\\(\{\{#[^{}]*\}\})/g, (_, tag: string) => protect(tag)),
  rewrite,
  tags: [
    { pattern: /\{\{#title\s[^{}]*\}\}/g, replace: () => '' },
    { pattern: /\{\{#[^{}]*\}\}/g, replace: () => null },
  ],
}

function read(files: SourceFiles): SourceSite {
  const diagnostics: Diagnostic[] = []
  const file = configurationIn(files, CONFIG)
  const root = prefixOf(CONFIG.exec(file)?.[1] ?? '')
  const config = readDataFile(files, file === '' ? 'book.toml' : file, diagnostics, 'The configuration')
  const book = objectOf(config['book'])
  const html = objectOf(objectOf(config['output'])['html'])
  const contentRoot = `${root}${(textOf(book['src']) ?? 'src').replace(/^\.\/|\/+$/g, '')}/`
  const summary = files.text(`${contentRoot}SUMMARY.md`) ?? ''
  const { nav, names } = readSummary(summary)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  for (const path of files.paths) {
    if (!path.startsWith(contentRoot)) continue
    const name = path.slice(contentRoot.length)
    if (name === 'SUMMARY.md') continue
    if (!PAGE.test(name)) assets.set(path, name)
    else if (names.has(name)) {
      const route = routeOfChapter(name)
      pages.set(path, {
        route,
        type: route === '' ? 'page' : 'docs',
        originalPath: `/${name.replace(PAGE, '.html').replace(/(^|\/)(README|index)\.html$/, '$1')}`,
      })
    } else
      diagnostics.push(
        diagnostic('QN-HIDDEN-PAGE', path, '`SUMMARY.md` does not name the file. It is left out.'),
      )
  }
  const link = navLink('Source code', html['git-repository-url'])
  return {
    contentRoot,
    fields: defined({
      name: textOf(book['title']),
      meta_description: textOf(book['description']),
      nav_links: link === null ? undefined : [link],
      branding: brandingOf(book['language']),
    }),
    base: textOf(html['site-url']) ?? '/',
    drawsDashes: html['smart-punctuation'] !== false,
    pages,
    assets,
    order: new Map(),
    nav,
    redirects: redirectsOf(html['redirect']),
    config: file,
    diagnostics,
  }
}

/** `[output.html.redirect]`: previous addresses, with the pages that replace them. */
function redirectsOf(given: JsonValue | undefined): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(objectOf(given)).flatMap(([from, to]): [string, string][] =>
      typeof to !== 'string'
        ? []
        : [[posix.join('/', from), /^[a-z]+:/i.test(to) ? to : posix.resolve('/', posix.dirname(from), to)]],
    ),
  )
}

function routeOfChapter(name: string): string {
  return routeOf(name.replace(PAGE, '').replace(/(^|\/)(index|README)$/, ''))
}

/** The chapters of the summary as a sidebar, and the names of their files. Headings are the titles of parts. */
function readSummary(text: string): { nav: readonly NavItem[]; names: ReadonlySet<string> } {
  interface Chapter extends NavItem {
    readonly children: Chapter[]
  }
  const nav: Chapter[] = []
  const names = new Set<string>()
  const open: { indent: number; children: Chapter[] }[] = []
  let part = nav
  let isTitle = true
  for (const line of text.split('\n')) {
    const heading = /^#[ \t]+(.*?)[ \t]*$/.exec(line)?.[1]
    if (heading !== undefined) {
      // The first heading is that of the summary itself.
      if (isTitle && nav.length === 0 && /^(table of contents|summary|contents)$/i.test(heading)) continue
      isTitle = false
      const group: Chapter = { title: heading, route: null, children: [] }
      nav.push(group)
      part = group.children
      open.length = 0
      continue
    }
    const [, indent = '', title = '', target = ''] = CHAPTER.exec(line) ?? []
    if (title === '') continue
    isTitle = false
    const name = target === '' ? null : posix.normalize(target.replace(/^\.\//, '').split('#')[0] ?? '')
    if (name !== null) names.add(name)
    const chapter: Chapter = {
      title: title.replace(/[`*_]/g, ''),
      route: name === null ? null : routeOfChapter(name),
      children: [],
    }
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent.length) open.pop()
    ;(open.at(-1)?.children ?? part).push(chapter)
    open.push({ indent: indent.length, children: chapter.children })
  }
  return { nav, names }
}

/** Includes files, drops the hidden lines of Rust, and keeps only the language of a fence. */
function rewrite(body: string, { textOf: read, report }: BodyContext): string {
  return runsOf(body)
    .map(({ text, isCode, line }) => {
      const withFiles = text.replace(
        INCLUDE,
        (tag, kind: string, name: string, lines: string | undefined) => {
          const file = read(name)
          const part = file === null ? null : partOf(file, lines ?? '')
          if (part === null) {
            report(line, 'QN-NOT-CONVERTED', `${quotedTag(tag)} is left out.`)
            return ''
          }
          if (isCode) return part
          return kind === 'include' && !name.endsWith('.rs') ? part : `\`\`\`rust\n${part}\n\`\`\``
        },
      )
      return isCode ? plainFence(withFiles) : withFiles
    })
    .join('\n')
}

/** The lines of a file that an include names: `2:10`, or those between `ANCHOR: name` and `ANCHOR_END: name`. */
function partOf(text: string, lines: string): string | null {
  const all = text.replace(/\n$/, '').split('\n')
  const shown = (part: readonly string[]) => part.filter((line) => !/\bANCHOR(_END)?:/.test(line)).join('\n')
  if (lines === '') return shown(all)
  if (/^\d*(:\d*)?$/.test(lines)) {
    const [from = '', to] = lines.split(':')
    const first = from === '' ? 1 : Number(from)
    const last = to === undefined ? first : to === '' ? all.length : Number(to)
    return shown(all.slice(Math.max(0, first - 1), last))
  }
  const start = all.findIndex((line) => line.trimEnd().endsWith(`ANCHOR: ${lines}`))
  const end = all.findIndex((line) => line.trimEnd().endsWith(`ANCHOR_END: ${lines}`))
  return start === -1 ? null : shown(all.slice(start + 1, end === -1 ? undefined : end))
}

/** A fenced block without the attributes and hidden lines of Rust's documentation. */
function plainFence(text: string): string {
  const lines = text.split('\n')
  const [, start = '', language = ''] =
    /^([ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:`{3,}|~{3,}))[ \t]*([\w+#-]*)[^\n]*$/.exec(lines[0] ?? '') ??
    []
  if (start === '') return text
  const info = (lines[0] ?? '').slice(start.length).trim()
  const code =
    language === 'rust' && !/noplayground|no_hide/.test(info)
      ? lines.filter((line) => !/^\s*#( |$)/.test(line))
      : lines
  return [/^[\w+#-]*,/.test(info) ? `${start}${language}` : lines[0], ...code.slice(1)].join('\n')
}
