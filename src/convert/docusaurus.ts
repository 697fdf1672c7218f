import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { JsonObject } from '../domain/json.ts'
import { mapProse } from '../page-text/map-prose.ts'
import { isAsset } from './asset-names.ts'
import { textOf } from './config-values.ts'
import type { Generator, NavItem, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { readDataFile } from './data-file.ts'
import { docusaurusBlog } from './docusaurus-blog.ts'
import {
  type DocusaurusConfig,
  type DocusaurusPart,
  docusaurusConfig,
  readProgram,
} from './docusaurus-config.ts'
import { type Category, type DocusaurusDoc, docusaurusNav, withoutNumber } from './docusaurus-nav.ts'
import { rewriteMdx } from './mdx/rewrite-mdx.ts'
import { routeOf } from './page-route.ts'
import { programDiagnostics } from './program-diagnostics.ts'
import { folderLeftOut } from './source-files.ts'
import { splitSourcePage } from './source-front-matter.ts'
import { matchesAnyGlob } from './source-glob.ts'

const CONFIG = /^(?:(?!.*\/.*\/)(.*)\/)?docusaurus\.config\.(?:c|m)?[jt]s$/
const PAGE = /\.mdx?$/

/** Docusaurus: docs, dated blogs and Markdown pages. Configurations are programs, which are not run. */
export const docusaurus: Generator = {
  name: 'docusaurus',
  title: 'Docusaurus',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  protectVerbatim: (body) => body,
  rewrite: (body, context) =>
    rewriteMdx(
      mapProse(body, (text) => text.replace(/<!--\s*truncate\s*-->|\{\/\*\s*truncate\s*\*\/\}/g, '')),
      context,
    ),
  tags: [],
}

function read(files: SourceFiles): SourceSite {
  const path = files.paths.find((each) => CONFIG.test(each)) ?? ''
  const root = CONFIG.exec(path)?.[1] ?? ''
  const config = docusaurusConfig(root, files.text(path) ?? '')
  const prefix = root === '' ? '' : `${root}/`
  const pages = new Map<string, PageTarget>()
  const defaults = new Map<string, JsonObject>()
  const overrides = new Map<string, JsonObject>()
  const assets = new Map<string, string>()
  const diagnostics: Diagnostic[] = []
  diagnostics.push(...programDiagnostics(path, config.skipped, 'The configuration is'))
  const nav = config.docs.flatMap((part) => readDocs(files, part, { pages, diagnostics, prefix }))
  for (const blog of config.blogs)
    for (const [file, post] of docusaurusBlog(files, blog, diagnostics)) {
      pages.set(file, post.target)
      defaults.set(file, post.defaults)
      overrides.set(file, post.overrides)
    }
  readPages(files, prefix, pages, diagnostics)
  for (const file of files.paths) {
    if (file.startsWith(`${prefix}static/`)) assets.set(file, file.slice(`${prefix}static/`.length))
    else if ((isAsset(file) || file.endsWith('.json')) && isBesidePage(file, config, prefix))
      assets.set(file, file.replace(/^\.\.\//, ''))
  }
  if (files.paths.includes(`${prefix}README.md`))
    diagnostics.push(
      diagnostic(
        'QN-NOT-CONVERTED',
        `${prefix}README.md`,
        'The file describes the repository. It is left out.',
      ),
    )
  for (const folder of ['versioned_docs', 'i18n'])
    diagnostics.push(
      ...folderLeftOut(
        files,
        `${prefix}${folder}/`,
        `${prefix}${folder}`,
        folder === 'i18n' ? 'translations' : 'earlier versions',
      ),
    )
  return {
    contentRoot: prefix,
    fields: config.fields,
    base: config.base,
    pages,
    assets,
    order: new Map(),
    nav,
    redirects: config.redirects,
    aliases: new Map([['@site/', prefix]]),
    defaults: (file) => defaults.get(file) ?? {},
    overrides: (file) => overrides.get(file) ?? {},
    diagnostics,
  }
}

function isBesidePage(file: string, { docs, blogs }: DocusaurusConfig, prefix: string): boolean {
  const folders = [...docs, ...blogs].map(({ folder }) => `${folder}/`)
  return (
    [...folders, `${prefix}src/pages/`].some((folder) => file.startsWith(folder)) &&
    !/_category_\.json$/.test(file)
  )
}

interface Result {
  readonly pages: Map<string, PageTarget>
  readonly diagnostics: Diagnostic[]
  /** The folder of the configuration, with a slash at its end. */
  readonly prefix: string
}

/** Adds the pages of a docs folder. Returns its sidebars. */
function readDocs(
  files: SourceFiles,
  part: DocusaurusPart,
  { pages, diagnostics, prefix }: Result,
): readonly NavItem[] {
  const { folder, base, options } = part
  const include = Array.isArray(options['include']) ? options['include'].map(String) : ['**/*.{md,mdx}']
  const exclude = Array.isArray(options['exclude'])
    ? options['exclude'].map(String)
    : ['**/_*.{js,jsx,ts,tsx,md,mdx}', '**/_*/**']
  const docs: DocusaurusDoc[] = []
  const categories = new Map<string, Category>()
  for (const path of files.paths) {
    if (!path.startsWith(`${folder}/`)) continue
    const name = path.slice(folder.length + 1)
    const category = /^(.*)\/_category_\.(json|ya?ml)$/.exec(name)?.[1]
    if (category !== undefined) categories.set(category, readCategory(readDataFile(files, path, diagnostics)))
    if (!PAGE.test(name)) continue
    if (!matchesAnyGlob(name, include) || matchesAnyGlob(name, exclude)) {
      const message =
        'The file is a part of other pages, or the configuration excludes it. It is no page of its own.'
      diagnostics.push(diagnostic('QN-HIDDEN-PAGE', path, message))
      continue
    }
    const { fields } = splitSourcePage(files.text(path) ?? '')
    const address = docAddress(name, fields)
    const route = routeOf(`${base}/${address}`)
    const position = fields['sidebar_position']
    docs.push({
      id: docId(name, fields),
      name,
      route,
      label: textOf(fields['sidebar_label']) ?? null,
      position: typeof position === 'number' ? position : null,
    })
    pages.set(path, {
      route,
      type: route === '' ? 'page' : 'docs',
      originalPath: posix.join('/', base, address),
      ...(fields['unlisted'] === true && { hidden: 'The page is unlisted.' }),
    })
  }
  const given = options['sidebarPath']
  const sidebars = given === false ? null : sidebarFile(files, prefix, textOf(given), diagnostics)
  return docusaurusNav(sidebars ?? {}, docs, categories)
}

function sidebarFile(
  files: SourceFiles,
  prefix: string,
  given: string | undefined,
  diagnostics: Diagnostic[],
): JsonObject | null {
  const named = given === undefined ? [] : [posix.join(prefix, given)]
  const usual = ['js', 'ts', 'cjs', 'mjs', 'json'].map((ending) => `${prefix}sidebars.${ending}`)
  const path = [...named, ...usual].find((each) => files.paths.includes(each))
  if (path === undefined) return null
  if (path.endsWith('.json')) return readDataFile(files, path, diagnostics)
  const { config, skipped } = readProgram(files.text(path) ?? '')
  diagnostics.push(...programDiagnostics(path, skipped, 'The sidebars are'))
  return config
}

function readCategory(fields: JsonObject): Category {
  const { position } = fields
  return { label: textOf(fields['label']) ?? null, position: typeof position === 'number' ? position : null }
}

/** The path of a page below that of the docs. `slug` is relative to the folder of the page. */
function docAddress(name: string, fields: JsonObject): string {
  const segments = name.replace(PAGE, '').split('/').map(withoutNumber)
  const folder = segments.slice(0, -1)
  const last = segments.at(-1) ?? ''
  const slug = textOf(fields['slug'])
  if (slug !== undefined) return posix.join('/', slug.startsWith('/') ? '' : folder.join('/'), slug).slice(1)
  const isIndex = /^(index|readme)$/i.test(last) || last.toLowerCase() === folder.at(-1)?.toLowerCase()
  return isIndex ? folder.join('/') : [...folder, textOf(fields['id']) ?? last].join('/')
}

function docId(name: string, fields: JsonObject): string {
  const segments = name.replace(PAGE, '').split('/').map(withoutNumber)
  return [...segments.slice(0, -1), textOf(fields['id']) ?? segments.at(-1)].join('/')
}

/** Markdown of `src/pages`. Pages that are programs are reported. */
function readPages(
  files: SourceFiles,
  prefix: string,
  pages: Map<string, PageTarget>,
  diagnostics: Diagnostic[],
): void {
  const folder = `${prefix}src/pages/`
  for (const path of files.paths) {
    if (!path.startsWith(folder)) continue
    const name = path.slice(folder.length)
    if (/(^|\/)_/.test(name)) continue
    if (PAGE.test(name)) {
      const bare = name.replace(PAGE, '').replace(/(^|\/)index$/, '')
      pages.set(path, { route: routeOf(bare), type: 'page', originalPath: `/${bare}` })
    } else if (/\.[jt]sx?$/.test(name))
      diagnostics.push(
        diagnostic('QN-NOT-CONVERTED', path, 'The page is a program, which is not run. It is left out.'),
      )
  }
}
