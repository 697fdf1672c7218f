import { posix } from 'node:path'
import { blogOf } from '../../domain/blog.ts'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { mapLinks } from '../../page-text/map-links.ts'
import { defined } from '../config/source-config.ts'
import type { BodyContext, Generator, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { fenceStateAt } from '../mdx/fences.ts'
import { convertCallouts } from './callouts.ts'
import { withLanguage } from './code-languages.ts'
import { type Database, databaseFiles, readDatabase } from './databases.ts'
import { addressIn, linkFinder } from './export-links.ts'
import { bareOf, folderOf, hasId, isPackedPart, readName } from './export-names.ts'
import { type PageParts, readPageParts } from './page-parts.ts'
import { pageTree, type TreeEntry } from './page-tree.ts'
import { outdentParagraphs, withoutSpareBlanks, withPlainMarks, withPlainTask } from './paragraphs.ts'
import { isLive, type StatusProperty, statusProperty } from './publication-status.ts'
import { databasePage, sourcePage, titleOf } from './source-pages.ts'
import { markdownTable } from './tables.ts'
import { convertToggles } from './toggles.ts'

const PAGE = /\.md$/

/** Notion: an unpacked export of Markdown and CSV. */
export const notion: Generator = {
  name: 'notion',
  title: 'Notion',
  detects: ({ paths }) =>
    paths.some((path) => /\.(?:md|csv)$/.test(path)) &&
    paths.some((path) => /\.(?:md|csv)$/.test(path) && hasId(path)),
  read,
  protectVerbatim: (body) => body,
  rewrite,
  tags: [],
}

function read(files: SourceFiles): SourceSite {
  const paths = files.paths.filter((path) => !/(?:^|\/)(?:\.|__MACOSX\/)/.test(path))
  const packed = paths.filter(isPackedPart)
  const folders = new Set(paths.map(folderOf))
  const { tables, views } = databaseFiles(paths, folders)
  const sources = paths.filter((path) => PAGE.test(path))
  const others = paths.filter(
    (path) => !PAGE.test(path) && !tables.has(path) && !views.has(path) && !isPackedPart(path),
  )
  const titles = new Map<string, string>(
    [...sources, ...tables.keys()].map((path) => [path, titleIn(files, path)]),
  )
  const entries = [...titles].map(([path, title]): TreeEntry => ({ path, title }))
  const tree = pageTree(entries, others)
  // Exports of a workspace list their pages in it.
  const overviews = new Set(
    others.filter((path) => posix.basename(path) === 'index.html' && !tree.owners.has(folderOf(path))),
  )
  const findLinked = linkFinder([...paths], [...titles.keys()])
  const inFolder = pagesByOwner(sources, tree.owners)
  const diagnostics: Diagnostic[] = packed.map((path) =>
    diagnostic(
      'QN-SOURCE-UNREADABLE',
      path,
      'The archive is a part of the export, and is not unpacked. Unpack it into the folder, and convert again.',
    ),
  )
  const databases = new Map<string, Database>()
  for (const [path, table] of tables) {
    const database = readDatabase(files, { path, table }, inFolder.get(path)?.length ?? 0)
    if (database === null) continue
    databases.set(path, database)
    if (database.brokenRow !== null)
      diagnostics.push(
        diagnostic(
          'QN-SOURCE-UNREADABLE',
          table,
          `Row ${database.brokenRow} of the table has a quote that does not end. The table is converted up to there.`,
        ),
      )
  }
  const databaseOf = (path: string) => databases.get(tree.owners.get(folderOf(path)) ?? '') ?? null
  const routeOf = (path: string) => tree.routes.get(path) ?? ''
  const isBlog = (path: string) => (databases.get(path)?.dates ?? null) !== null
  /** The address of what a link leads to. The list of a blog is no file. */
  const addressOf = (from: string) => (target: string) => {
    const path = findLinked(target, from)
    if (path === null) return null
    const entry = path.endsWith('_all.csv') ? `${bareOf(path)}.csv` : path
    const [fragment = ''] = /#(?![0-9a-f]{32}$).*$/s.exec(/^https?:/i.test(target) ? '' : target) ?? []
    return isBlog(entry) ? `/${routeOf(entry)}` : `${addressIn(titles.has(entry) ? entry : path)}${fragment}`
  }
  const hidden = new Map<string, string>()
  const pages = new Map<string, PageTarget>()
  for (const path of sources) {
    const database = databaseOf(path)
    const above = tree.owners.get(folderOf(path)) ?? ''
    const reason = hidden.has(above)
      ? 'The page above it is a draft.'
      : reasonToHide(readPageParts(files.text(path) ?? '', database?.columns ?? null), database)
    if (reason !== null) hidden.set(path, reason)
    const isArticle = database !== null && database.dates !== null
    pages.set(path, {
      route: routeOf(path),
      type: isArticle ? 'article' : routeOf(path) === '' ? 'page' : 'docs',
      ...(isArticle && blogField(routeOf(path), routeOf(database.path))),
      ...(reason !== null && { hidden: reason }),
    })
  }
  for (const path of tables.keys()) if (!isBlog(path)) pages.set(path, { route: routeOf(path), type: 'docs' })
  for (const path of overviews)
    diagnostics.push(
      diagnostic(
        'QN-NOT-CONVERTED',
        path,
        'The list of all pages of the export is left out: pages have a sidebar.',
      ),
    )
  for (const path of tree.raised)
    diagnostics.push(
      diagnostic(
        'QN-PARTLY-CONVERTED',
        path,
        'The page is more than 8 levels deep, which is the most of an address. It is next to the page above it.',
      ),
    )
  const [front] = tree.tops
  const isFront = front !== undefined && routeOf(front) === ''
  return {
    contentRoot: '',
    fields: defined({ name: isFront ? titles.get(front) : undefined }),
    pages,
    assets: new Map([...tree.files].filter(([path]) => !overviews.has(path))),
    order: orderOf(),
    ...(!isFront && { frontText: tree.tops.map((path) => linkTo(path)).join('\n') }),
    readPage: (path, text) => {
      const database = databases.get(path)
      const linked = addressOf(path)
      if (database === undefined)
        return sourcePage(text, {
          database: databaseOf(path),
          isArticle: pages.get(path)?.type === 'article',
          addressOf: linked,
        })
      const own = (inFolder.get(path) ?? []).map((page) => ({ path: page, title: titles.get(page) ?? '' }))
      return databasePage(database, own, { addressOf: linked, addressIn })
    },
    dataFiles: new Set([...packed, ...views, ...[...tables.keys()].filter(isBlog)]),
    diagnostics,
  }

  function linkTo(path: string): string {
    return `- [${(titles.get(path) ?? '').replace(/[[\]]/g, '\\$&')}](/${routeOf(path)})`
  }

  /** Pages in the order of the page or of the table above them. */
  function orderOf(): ReadonlyMap<string, number> {
    const order = new Map<string, number>()
    for (const [folder, owner] of tree.owners) {
      const database = databases.get(owner)
      const children = database === undefined ? linkedFrom(owner) : rowsOf(owner, database)
      let at = 0
      for (const path of children) {
        const route = routeOf(path)
        if (folderOf(path) === folder && !order.has(route)) order.set(route, ++at)
      }
    }
    return order
  }

  function linkedFrom(path: string): readonly string[] {
    const found: string[] = []
    mapLinks(files.text(path) ?? '', (target) => {
      const linked = findLinked(target, path)
      if (linked !== null && titles.has(linked)) found.push(linked)
      return target
    })
    return found
  }

  function rowsOf(path: string, { rows }: Database): readonly string[] {
    const at = new Map(rows.map(([name = ''], index) => [name, index]))
    const place = (page: string) => at.get(titles.get(page) ?? '') ?? rows.length
    return [...(inFolder.get(path) ?? [])].sort((one, other) => place(one) - place(other))
  }
}

function titleIn(files: SourceFiles, path: string): string {
  const written = PAGE.test(path) ? titleOf(readPageParts(files.text(path) ?? '', [])) : ''
  return written === '' ? readName(posix.basename(bareOf(path))).title || 'Untitled' : written
}

/** The pages in the folder of each page or database. */
function pagesByOwner(
  pages: readonly string[],
  owners: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const page of pages) {
    const owner = owners.get(folderOf(page))
    if (owner === undefined) continue
    const own = found.get(owner)
    if (own === undefined) found.set(owner, [page])
    else own.push(page)
  }
  return found
}

/** The blog of an article whose route does not say it. */
function blogField(route: string, blog: string): { readonly blog?: string } {
  const page = { type: 'article', subroute: folderOf(route), slug: posix.basename(route) } as const
  return blogOf(page, null) === blog ? {} : { blog }
}

/** The reason why a page of a database is not published, as a sentence. */
function reasonToHide({ properties }: PageParts, database: Database | null): string | null {
  const propertyOf = (name: string) => properties.find((each) => each.name === name)?.value ?? ''
  const status: StatusProperty | null =
    database?.status ??
    (database === null
      ? statusProperty(
          properties.map(({ name }) => name),
          (name) => [propertyOf(name)],
        )
      : null)
  if (status === null || isLive(status, propertyOf(status.name))) return null
  const value = propertyOf(status.name)
  return value === '' ? `\`${status.name}\` is empty.` : `\`${status.name}\` is ${JSON.stringify(value)}.`
}

/** Converts the properties to a table, and the blocks of Notion to those of Quoin. */
function rewrite(body: string, { linkTo, report, protect }: BodyContext): string {
  const lines = withPlainMarks(body).split('\n').map(withPlainTask)
  const end = lines.indexOf('')
  const text = outdentParagraphs(lines.slice(end))
  const isCode = fenceStateAt(text)
  const named = text.map((line, index) =>
    isCode(index) && !(isCode(index - 1) && index > 0) ? withLanguage(line) : line,
  )
  const boxes = convertCallouts(named, (icon, line) =>
    report(
      end + line,
      'QN-PARTLY-CONVERTED',
      `The icon \`${icon}\` of a callout is left out: a box has the icon of its kind.`,
    ),
  )
  const blocks = withoutSpareBlanks(convertToggles(boxes)).join('\n')
  return [...propertyTable(lines.slice(0, end)), blocks].join('\n')

  function propertyTable(properties: readonly string[]): readonly string[] {
    if (properties.length === 0) return []
    const rows = properties.map((line) => [
      line.slice(0, line.indexOf(': ')),
      mapLinks(line.slice(line.indexOf(': ') + 2), (target) => linkTo(target) ?? target),
    ])
    return [protect(markdownTable(['Property', 'Value'], rows))]
  }
}
