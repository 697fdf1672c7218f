import { createFinder, type SearchHit } from '../../../themes/_shared/scripts/search/find.js'
import { withoutEndSlashes } from '../../domain/end-slashes.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { readLanguageTag } from '../../domain/language-tag.ts'
import { defaultLocale } from '../../domain/locale.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { pathFolder, pathOfUrl, urlPath } from '../../domain/route.ts'
import { createStemmer } from '../../theme/stemmers.ts'
import type { SiteTool, ToolSite } from './site-tool.ts'
import { ToolError } from './tool-error.ts'

const MAX_QUERY = 200
const MAX_RESULTS = 20
const USUAL_RESULTS = 8
/** Characters of an answer; a longer text is read in parts. */
const MAX_TEXT = 50_000
const MAX_PATH = 2000

const PATH = { type: 'string', maxLength: MAX_PATH }
const OFFSET = {
  type: 'integer',
  minimum: 0,
  description: 'Where to go on in a long answer, as the previous answer names it.',
}

const search: SiteTool = {
  name: 'search',
  title: 'Search the site',
  description:
    'Finds published pages by their words, best first, with the section that matches best. Words are also found in their other forms and with a slip of the keys. Pages that ask search engines to skip them are not found.',
  inputSchema: schema(
    {
      query: { type: 'string', minLength: 1, maxLength: MAX_QUERY, description: 'A few words.' },
      language: {
        type: 'string',
        maxLength: 40,
        description:
          'A language tag such as "de". Pages in it come first; by default those in the language of the site.',
      },
      limit: { type: 'integer', minimum: 1, maximum: MAX_RESULTS, default: USUAL_RESULTS },
    },
    ['query'],
  ),
  // It reads the manifest and a shard for each word, and words are compared with thousands of others.
  cost: 4,
  async call(given, site) {
    assertKnown(given, ['query', 'language', 'limit'])
    const query = textOf(given, 'query', MAX_QUERY).trim()
    if (query === '') throw new ToolError('The argument query must not be empty.')
    const language = languageFor(given, site)
    const limit = wholeOf(given, 'limit', 1, MAX_RESULTS) ?? USUAL_RESULTS
    const load = async (name: string) => {
      const text = await site.files.read(name)
      if (text === null) throw new MissingFile(name)
      return JSON.parse(text) as unknown
    }
    try {
      const stem = createStemmer(language)
      const find = createFinder(load, { language, ...(stem !== null && { stem }) })
      const { total, hits, slips } = await find(query, limit)
      if (hits.length === 0) return `No page has ${JSON.stringify(query)}.`
      const meant = slips.map(({ typed, meant }) => `No page has "${typed}"; searched for "${meant}".`)
      const count = total > hits.length ? `The best ${hits.length} of ${total} pages:` : `${total} found:`
      return [...meant, count, ...hits.map(hitText)].join('\n')
    } catch (error) {
      if (error instanceof MissingFile) throw new ToolError('The site has no search index yet.')
      throw error
    }
  },
}

const readPage: SiteTool = {
  name: 'read_page',
  title: 'Read a page',
  description: 'The Markdown of a published page, by its path (/docs/install/) or its whole address.',
  inputSchema: schema(
    { path: { ...PATH, description: 'As search and list_pages show it.' }, offset: OFFSET },
    ['path'],
  ),
  cost: 0,
  async call(given, site) {
    assertKnown(given, ['path', 'offset'])
    const path = pathArgument(given, 'path', site.origin)
    const offset = wholeOf(given, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0
    const own = await site.files.read(documentKey(path, 'index.md'))
    if (own !== null) return part(own, offset)
    const target = await site.files.movedTo(documentKey(path, 'index.html'))
    const moved = target === null ? null : await site.files.read(documentKey(target, 'index.md'))
    if (moved === null || target === null)
      throw new ToolError(`No page is published at ${path}. Find its address with search or list_pages.`)
    return `The page has moved to ${shownPath(target)}.\n\n${part(moved, offset)}`
  },
}

const listPages: SiteTool = {
  name: 'list_pages',
  title: 'List the pages',
  description:
    'The published pages in reading order, with what each is about: the llms.txt of the site, with paths for read_page.',
  inputSchema: schema({
    under: { ...PATH, description: 'Lists pages at and below this path only, such as /docs/.' },
    offset: OFFSET,
  }),
  cost: 0,
  async call(given, site) {
    assertKnown(given, ['under', 'offset'])
    const under = given['under'] === undefined ? '/' : pathArgument(given, 'under', site.origin)
    const offset = wholeOf(given, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0
    const index = await site.files.read('llms.txt')
    if (index === null) throw new ToolError('Nothing is published yet.')
    const start = shownPath(under)
    const lines = index.split('\n').flatMap((line) => {
      const [, before, url = '', after] = PAGE_LINE.exec(line) ?? []
      if (before === undefined) return [line]
      const path = url.startsWith(`${site.origin}/`) ? url.slice(site.origin.length) : url
      const shown = path.replace(/index\.md$/, '')
      return shown.startsWith(start) ? [`${before}(${shown})${after}`] : []
    })
    return part(withoutEmptyGroups(lines).join('\n').trim(), offset)
  },
}

/** The tools of each site that agents may read. */
export const SITE_TOOLS: readonly SiteTool[] = [search, readPage, listPages]

const PAGE_LINE = /^(- \[(?:[^\\\]]|\\.)*\])\(([^\s)]+)\)(.*)$/s

/** A file of the index does not exist: there is none, or it was replaced meanwhile. */
class MissingFile extends Error {}

function schema(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

function hitText({ title, path, places, about, section }: SearchHit): string {
  const around = places.length === 0 ? '' : ` (${places.join(' › ')})`
  const address = shownPath(path)
  const lines = [`- [${title}](${address})${around}${about === '' ? '' : `: ${about}`}`]
  if (section !== null) lines.push(`  - [${section.heading}](${address}#${section.anchor})`)
  return lines.join('\n')
}

/** Removes headings of groups without a page. */
function withoutEmptyGroups(lines: readonly string[]): readonly string[] {
  return lines.filter((line, at) => {
    if (!line.startsWith('## ')) return true
    const next = lines.slice(at + 1).find((other) => other !== '')
    return next?.startsWith('- ') ?? false
  })
}

/** The part of a text from `offset` on that one answer has. */
function part(text: string, offset: number): string {
  if (offset >= text.length && offset > 0)
    throw new ToolError(`The argument offset must be less than ${text.length}, the length of the text.`)
  const end = offset + MAX_TEXT
  if (end >= text.length) return text.slice(offset)
  return `${text.slice(offset, end).toWellFormed()}\n\n[${text.length - end} characters more: call again with offset ${end}.]`
}

function shownPath(path: string): string {
  return `/${urlPath(pathFolder(path))}`
}

/** The key of a file of the page. @throws {ToolError} for a path that no page can have. */
function documentKey(path: string, name: string): string {
  if (/(^|\/)(\.|_)/.test(path) || /[\\\0]/.test(path) || path.includes('//'))
    throw new ToolError(`${path} is not the path of a page.`)
  return pathFolder(path) + name
}

/** The path of a page, without a trailing slash, from a path or an address of the site. */
function pathArgument(given: JsonObject, name: string, origin: string): string {
  const written = textOf(given, name, MAX_PATH).trim()
  const local = written.startsWith(`${origin}/`) ? written.slice(origin.length) : written
  if (
    /^[a-z][a-z0-9+.-]*:/i.test(local) ||
    parseUrl(`https://site.invalid/${local.replace(/^\/+/, '')}`) === null
  )
    throw new ToolError(
      `The argument ${name} must be a path of the site, such as /docs/, or an address below ${origin}.`,
    )
  const [pathname = ''] = local.split(/[?#]/)
  const path = pathOfUrl(`/${pathname.replace(/^\/+/, '').replace(/(^|\/)index\.(md|html)$/, '$1')}`)
  if (path === null) throw new ToolError(`The argument ${name} has escapes that are not UTF-8.`)
  const ended = withoutEndSlashes(path)
  return ended === '' ? '/' : ended
}

function languageFor(given: JsonObject, { settings }: ToolSite): string {
  const { language } = given
  if (language === undefined) {
    const { lang } = settings.branding
    return defaultLocale(settings.locales)?.code ?? (typeof lang === 'string' ? lang : 'en')
  }
  const read = typeof language === 'string' ? readLanguageTag(language) : null
  if (read === null) throw new ToolError('The argument language must be a language tag, such as "de".')
  return read.tag
}

function assertKnown(given: JsonObject, names: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new ToolError(`There is no argument ${unknown.slice(0, 100)}. There is: ${names.join(', ')}.`)
}

function textOf(given: JsonObject, name: string, most: number): string {
  const value = given[name]
  if (typeof value !== 'string' || value.length > most)
    throw new ToolError(`The argument ${name} must be a text of at most ${most} characters.`)
  return value
}

/** Undefined for an absent argument. */
function wholeOf(given: JsonObject, name: string, least: number, most: number): number | undefined {
  const value: JsonValue | undefined = given[name]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw new ToolError(`The argument ${name} must be a whole number from ${least} to ${most}.`)
  return value
}
