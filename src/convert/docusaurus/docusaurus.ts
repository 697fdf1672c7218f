import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { mapProse } from '../../page-text/map-prose.ts'
import { textOf } from '../config/config-values.ts'
import { configurationIn, configuredFolder, prefixOf } from '../config/configured-folder.ts'
import { defined } from '../config/source-config.ts'
import type { Generator, NavItem, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from '../files/asset-names.ts'
import { folderLeftOut } from '../files/source-files.ts'
import { rewriteMdx } from '../mdx/rewrite-mdx.ts'
import { connectedLocales } from '../page/connected-locales.ts'
import { routeOf } from '../page/page-route.ts'
import { programDiagnostics } from '../program/program-diagnostics.ts'
import { blogAuthors, docusaurusBlog } from './blog.ts'
import { convertMarkedLines } from './code.ts'
import { type DocusaurusConfig, docusaurusConfig } from './config.ts'
import { docusaurusDocs, NO_PAGE } from './docs.ts'
import { docusaurusLists } from './lists.ts'
import { type DocusaurusPart, isOwnPage } from './plugins.ts'
import { redirectPaths } from './redirects.ts'
import { type DocusaurusVersion, docusaurusVersions, hiddenVersions, versionSettings } from './versions.ts'

const CONFIG = /^(?:(?!.*\/.*\/)(.*)\/)?docusaurus\.config\.(?:c|m)?[jt]s$/
const PAGE = /\.mdx?$/

/** Docusaurus: docs, dated blogs and Markdown pages. Configurations are programs, which are not run. */
export const docusaurus: Generator = {
  name: 'docusaurus',
  title: 'Docusaurus',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  feedGuid: (address) => address,
  protectVerbatim: (body) => body,
  rewrite: (body, context) =>
    rewriteMdx(
      mapProse(convertMarkedLines(body), (text) =>
        text.replace(/<!--\s*truncate\s*-->|\{\/\*\s*truncate\s*\*\/\}/g, ''),
      ),
      context,
    ),
  tags: [],
}

function read(files: SourceFiles): SourceSite {
  const path = configurationIn(files, CONFIG)
  const root = CONFIG.exec(path)?.[1] ?? ''
  const config = docusaurusConfig(files.text(path) ?? '')
  const prefix = prefixOf(root)
  const pages = new Map<string, PageTarget>()
  const defaults = new Map<string, JsonObject>()
  const overrides = new Map<string, JsonObject>()
  const diagnostics: Diagnostic[] = []
  diagnostics.push(...programDiagnostics(path, config.skipped, 'The configuration is'))
  const folderOf = (field: string) => (name: string) =>
    configuredFolder(files, name, { file: path, field, root }, diagnostics)
  /** The parts of a kind whose folders are in the source folder. */
  const located = (parts: readonly DocusaurusPart[]) =>
    parts.flatMap((part) => {
      const folder = part.isUsual ? `${prefix}${part.folder}` : folderOf('path')(part.folder)
      return folder === null ? [] : [{ ...part, folder }]
    })
  const versions = located(config.plugins.docs).map((part) =>
    docusaurusVersions(files, part, prefix, diagnostics),
  )
  const docs = versions.flat().map(({ part }) => part)
  const blogs = located(config.plugins.blogs)
  const others = located(config.plugins.pages)
  const nav = docs.flatMap((part) => docusaurusDocs(files, part, prefix, { pages, diagnostics }))
  for (const blog of blogs)
    for (const [file, post] of docusaurusBlog(files, blog, diagnostics)) {
      pages.set(file, post.target)
      defaults.set(file, post.defaults)
      overrides.set(file, post.overrides)
    }
  const unread = new Map<string, string>()
  const read = { pages, unread, diagnostics }
  for (const part of others) readPages(files, part, read)
  for (const [locale, parts] of translatedParts(
    config,
    { versions: versions.flat(), blogs, others },
    prefix,
  )) {
    for (const part of parts.docs)
      nav.push(...withoutMissing(docusaurusDocs(files, part, prefix, { pages, diagnostics })))
    for (const blog of parts.blogs)
      for (const [file, post] of docusaurusBlog(files, blog, diagnostics)) {
        pages.set(file, { ...post.target, lang: locale })
        defaults.set(file, post.defaults)
        overrides.set(file, post.overrides)
      }
    for (const part of parts.others) readPages(files, part, read)
  }
  const hidden = versions.flat().flatMap(({ part, isNoIndex }) => (isNoIndex ? [prefixOf(part.folder)] : []))
  for (const [file, target] of pages)
    if (config.isNoIndex || hidden.some((folder) => file.startsWith(folder)))
      pages.set(file, { ...target, robots: 'noindex' })
  const statics = config.staticFolders.flatMap((name) =>
    name === 'static' ? [`${prefix}static`] : (folderOf('staticDirectories')(name) ?? []),
  )
  if (files.paths.includes(`${prefix}README.md`))
    diagnostics.push(
      diagnostic(
        'QN-NOT-CONVERTED',
        `${prefix}README.md`,
        'The file describes the repository. It is left out.',
      ),
    )
  for (const folder of hiddenVersions(files, prefix, versions.flat()))
    diagnostics.push(...folderLeftOut(files, `${folder}/`, folder, 'a version that the site does not show'))
  const versioned = versions.find((each) => each.length > 1) ?? []
  return {
    contentRoot: prefix,
    fields: defined({
      ...config.fields,
      locales: connectedLocales(config.languages, pages),
      versions: versionSettings(versioned),
    }),
    base: config.base,
    config: path,
    menus: config.menus,
    languages: config.languages.map(({ tag }) => tag),
    unread,
    pages,
    assets: assetsOf(files, statics, [...docs, ...blogs, ...others]),
    order: new Map(),
    nav,
    lists: docusaurusLists(blogs),
    authors: Object.assign({}, ...blogs.map((blog) => blogAuthors(files, blog))),
    redirects: redirectPaths(config.plugins.redirects, pages),
    aliases: new Map([['@site/', prefix]]),
    defaults: (file) => defaults.get(file) ?? {},
    overrides: (file) => overrides.get(file) ?? {},
    diagnostics,
  }
}

/** Entries of a translated sidebar without pages that are not translated. */
function withoutMissing(items: readonly NavItem[]): readonly NavItem[] {
  return items.flatMap((item) => {
    const children = withoutMissing(item.children)
    return item.route === null && children.length === 0 ? [] : [{ ...item, children }]
  })
}

interface SiteParts {
  readonly docs: readonly DocusaurusPart[]
  readonly blogs: readonly DocusaurusPart[]
  readonly others: readonly DocusaurusPart[]
}

interface SourceParts extends Omit<SiteParts, 'docs'> {
  readonly versions: readonly DocusaurusVersion[]
}

/** The folders of the translated pages by language. Plugins with an id have folders of other names. */
function translatedParts(
  { languages }: DocusaurusConfig,
  { versions, blogs, others }: SourceParts,
  prefix: string,
): readonly (readonly [locale: string, parts: SiteParts])[] {
  return languages.slice(1).map(({ folder: locale }) => {
    const inLocale = (kind: string, below: string) => (part: DocusaurusPart) => {
      const id = textOf(part.options['id'])
      const plugin = `docusaurus-plugin-content-${kind}${id === undefined || id === 'default' ? '' : `-${id}`}`
      const base = [locale, part.base].filter((text) => text !== '').join('/')
      return { ...part, folder: `${prefix}i18n/${locale}/${plugin}${below}`, base }
    }
    return [
      locale,
      {
        docs: versions.map(({ part, folder }) => inLocale('docs', `/${folder}`)(part)),
        blogs: blogs.map(inLocale('blog', '')),
        others: others.map(inLocale('pages', '')),
      },
    ]
  })
}

/** Files of static folders, and files next to pages. */
function assetsOf(
  { paths }: SourceFiles,
  statics: readonly string[],
  parts: readonly DocusaurusPart[],
): ReadonlyMap<string, string> {
  return new Map(
    paths.flatMap((file): [string, string][] => {
      const folder = statics.find((each) => file.startsWith(prefixOf(each)))
      if (folder !== undefined) return [[file, file.slice(prefixOf(folder).length)]]
      const isBesidePage =
        (isAsset(file) || file.endsWith('.json')) &&
        parts.some((part) => file.startsWith(prefixOf(part.folder))) &&
        !/_category_\.json$/.test(file)
      return isBesidePage ? [[file, file]] : []
    }),
  )
}

interface PagesRead {
  readonly pages: Map<string, PageTarget>
  /** The addresses of programs, by their files. */
  readonly unread: Map<string, string>
  readonly diagnostics: Diagnostic[]
}

/** Markdown that is neither docs nor a blog. Pages that are programs are reported. */
function readPages(
  { paths }: SourceFiles,
  { folder, base, options }: DocusaurusPart,
  { pages, unread, diagnostics }: PagesRead,
): void {
  for (const path of paths) {
    if (!path.startsWith(prefixOf(folder))) continue
    const name = path.slice(prefixOf(folder).length)
    const isPage = isOwnPage(name, options)
    if (PAGE.test(name) && isPage) {
      const bare = `${prefixOf(base)}${name.replace(PAGE, '').replace(/(^|\/)index$/, '')}`.replace(/\/$/, '')
      pages.set(path, { route: routeOf(bare), type: 'page', originalPath: `/${bare}` })
    } else if (PAGE.test(name)) diagnostics.push(diagnostic('QN-HIDDEN-PAGE', path, NO_PAGE))
    else if (/\.[jt]sx?$/.test(name) && !/(^|\/)_|\.(test|spec|d)\.[jt]sx?$/.test(name)) {
      unread.set(path, `/${prefixOf(base)}${name.replace(/(^|(?<=\/))index(?=\.)|\.[jt]sx?$/g, '')}`)
      diagnostics.push(
        diagnostic('QN-NOT-CONVERTED', path, 'The page is a program, which is not run. It is left out.'),
      )
    }
  }
}
