import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { textOf } from '../config/config-values.ts'
import { prefixOf } from '../config/configured-folder.ts'
import { readDataFile } from '../config/data-file.ts'
import type { NavItem, PageTarget, SourceFiles } from '../conversion.ts'
import { routeOf } from '../page/page-route.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { programDiagnostics } from '../program/program-diagnostics.ts'
import { readProgram } from '../program/source-program.ts'
import { type Category, type DocusaurusDoc, docusaurusNav, withoutNumber } from './nav.ts'
import { type DocusaurusPart, isOwnPage } from './plugins.ts'

const PAGE = /\.mdx?$/

/** Adds the pages of a docs folder. Returns its sidebars. @param prefix the folder of the configuration. */
export function docusaurusDocs(
  files: SourceFiles,
  { folder, base, options }: DocusaurusPart,
  prefix: string,
  { pages, diagnostics }: { readonly pages: Map<string, PageTarget>; readonly diagnostics: Diagnostic[] },
): readonly NavItem[] {
  const numbered = options['numberPrefixParser'] !== false
  const docs: DocusaurusDoc[] = []
  const categories = new Map<string, Category>()
  for (const path of files.paths) {
    if (!path.startsWith(prefixOf(folder))) continue
    const name = path.slice(prefixOf(folder).length)
    const category = /^(.*)\/_category_\.(json|ya?ml)$/.exec(name)?.[1]
    if (category !== undefined) categories.set(category, readCategory(readDataFile(files, path, diagnostics)))
    if (!PAGE.test(name)) continue
    if (!isOwnPage(name, options)) {
      diagnostics.push(diagnostic('QN-HIDDEN-PAGE', path, NO_PAGE))
      continue
    }
    const { fields } = splitSourcePage(files.text(path) ?? '')
    const names = name
      .replace(PAGE, '')
      .split('/')
      .map((each) => (numbered ? withoutNumber(each) : each))
    const address = docAddress(names, fields)
    const route = routeOf(`${base}/${address}`)
    const position = fields['sidebar_position']
    const isUnlisted = fields['unlisted'] === true
    const doc = {
      id: [...names.slice(0, -1), textOf(fields['id']) ?? names.at(-1)].join('/'),
      name,
      route,
      label: textOf(fields['sidebar_label']) ?? null,
      position: typeof position === 'number' ? position : null,
    }
    if (!isUnlisted) docs.push(doc)
    pages.set(path, {
      route,
      type: route === '' || isUnlisted ? 'page' : 'docs',
      originalPath: posix.join('/', base, address),
      ...(isUnlisted && { robots: 'noindex' }),
    })
  }
  const given = options['sidebarPath']
  const sidebars = given === false ? null : sidebarFile(files, prefix, textOf(given), diagnostics)
  return docusaurusNav(sidebars ?? {}, docs, categories)
}

export const NO_PAGE =
  'The file is a part of other pages, or the configuration excludes it. It is no page of its own.'

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
function docAddress(names: readonly string[], fields: JsonObject): string {
  const folder = names.slice(0, -1)
  const last = names.at(-1) ?? ''
  const slug = textOf(fields['slug'])
  if (slug !== undefined) return posix.join('/', slug.startsWith('/') ? '' : folder.join('/'), slug).slice(1)
  const isIndex = /^(index|readme)$/i.test(last) || last.toLowerCase() === folder.at(-1)?.toLowerCase()
  return isIndex ? folder.join('/') : [...folder, textOf(fields['id']) ?? last].join('/')
}
