import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { keepHeadingIds, mkdocsId } from '../body/heading-ids.ts'
import { escapeTablePipes } from '../body/table-pipes.ts'
import { listNames, objectOf, textOf } from '../config/config-values.ts'
import { configurationIn, configuredFolder, prefixOf } from '../config/configured-folder.ts'
import { readDataFile } from '../config/data-file.ts'
import type { BodyContext, Generator, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { matchesAnyGlob } from '../files/source-glob.ts'
import { fillValues } from '../liquid/values.ts'
import { routeOf } from '../page/page-route.ts'
import { describedAuthors } from '../page/site-authors.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { convertBlocks } from './blocks.ts'
import { blogFolder, blogPost } from './blog.ts'
import { inheritedConfig, optionsOf, patternsOf, siteFields, skippedFields } from './config.ts'
import { convertAbbreviations, convertCode, MKDOCS_TAGS } from './inline.ts'
import { mkdocsLists } from './lists.ts'
import { mkdocsNav } from './nav.ts'
import { convertPlugins } from './plugins.ts'
import { includeSnippets, snippetPaths } from './snippets.ts'

const CONFIG = /^(?:(?!.*\/.*\/.*\/)(.*)\/)?mkdocs\.ya?ml$/
const PAGE = /\.(md|markdown)$/

/** MkDocs, also with Material: Markdown in `docs_dir`, with the navigation of `mkdocs.yml`. */
export const mkdocs: Generator = {
  name: 'mkdocs',
  title: 'MkDocs',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  feedGuid: (address) => address,
  protectVerbatim: (body) => body,
  rewrite,
  tags: MKDOCS_TAGS,
}

function read(files: SourceFiles): SourceSite {
  const path = configurationIn(files, CONFIG)
  const root = CONFIG.exec(path)?.[1] ?? ''
  const diagnostics: Diagnostic[] = []
  const config = inheritedConfig(files, path, diagnostics)
  const named = textOf(config['docs_dir'])
  const folder =
    named === undefined
      ? posix.join(root, 'docs')
      : configuredFolder(files, named, { file: path, field: 'docs_dir', root }, diagnostics)
  const contentRoot = prefixOf(folder ?? root)
  const excluded = patternsOf(config['exclude_docs'])
  const drafts = patternsOf(config['draft_docs'])
  const blog = optionsOf(config['plugins'], 'blog')
  const authors =
    blog === null ? {} : readDataFile(files, `${contentRoot}${blogFolder(blog)}/.authors.yml`, diagnostics)
  const isPretty = config['use_directory_urls'] !== false
  const pages = new Map<string, PageTarget>()
  const overrides = new Map<string, JsonObject>()
  const assets = new Map<string, string>()
  const skipped = skippedFields(config)
  if (skipped.length > 0)
    diagnostics.push(
      diagnostic('QN-NOT-CONVERTED', path, `Left out: ${skipped.map((name) => `\`${name}\``).join(', ')}.`),
    )
  for (const file of files.paths) {
    if (!file.startsWith(contentRoot)) continue
    const name = file.slice(contentRoot.length)
    if (matchesAnyGlob(name, excluded) || /(^|\/)\./.test(name)) {
      if (PAGE.test(name))
        diagnostics.push(diagnostic('QN-HIDDEN-PAGE', file, '`exclude_docs` names the file. It is left out.'))
    } else if (PAGE.test(name)) {
      const { fields } = splitSourcePage(files.text(file) ?? '')
      const post = blog === null ? null : blogPost(name, fields, blog, authors)
      if (post !== null) overrides.set(file, post.overrides)
      pages.set(file, post?.target ?? targetOf(name, isPretty, matchesAnyGlob(name, drafts)))
    } else assets.set(file, name)
  }
  const lists = new Set(
    [...pages.values()].flatMap(({ route, type }) => (type === 'article' ? [posix.dirname(route)] : [])),
  )
  return {
    contentRoot,
    fields: siteFields(config),
    pages: new Map(
      [...pages].map(([file, target]) => [
        file,
        lists.has(target.route) && target.type === 'docs' ? { ...target, type: 'list' as const } : target,
      ]),
    ),
    assets,
    order: new Map(),
    nav: mkdocsNav(
      config['nav'],
      new Map([...pages].map(([file, { route }]) => [file.slice(contentRoot.length), route])),
    ),
    drawsDashes: optionsOf(config['markdown_extensions'], 'smarty') !== null,
    lists: mkdocsLists(blog, optionsOf(config['plugins'], 'rss') !== null),
    redirects: redirectsOf(optionsOf(config['plugins'], 'redirects')),
    config: path,
    authors: describedAuthors(objectOf(authors['authors'])),
    overrides: (file) => overrides.get(file) ?? {},
    values: {
      root,
      snippets: snippetFolders(config, root, contentRoot),
      append: appended(config),
      plugins: pluginNames(config['plugins']),
      ...(optionsOf(config['plugins'], 'macros') !== null && { macros: macroValues(config) }),
    },
    diagnostics,
  }
}

function targetOf(name: string, isPretty: boolean, isDraft: boolean): PageTarget {
  const bare = name.replace(PAGE, '').replace(/(^|\/)(index|README)$/, '')
  const route = routeOf(bare)
  return {
    route,
    type: route === '' ? 'page' : 'docs',
    originalPath:
      isPretty || bare === ''
        ? `/${bare}/`.replace('//', '/')
        : `/${name.replace(PAGE, '.html').replace(/README\.html$/, 'index.html')}`,
    ...(isDraft && { hidden: '`draft_docs` of the configuration names the page.' }),
  }
}

/** `redirect_maps` of the redirects plugin, as addresses. */
function redirectsOf(options: JsonObject | null): ReadonlyMap<string, string> {
  const maps = objectOf(options?.['redirect_maps'])
  return new Map(
    Object.entries(maps).flatMap(([from, to]) =>
      typeof to === 'string'
        ? [
            [
              `/${from.replace(PAGE, '').replace(/(^|\/)(index|README)$/, '$1')}`,
              /^https?:/.test(to) ? to : `/${to}`,
            ] as const,
          ]
        : [],
    ),
  )
}

function snippetFolders(config: JsonObject, root: string, contentRoot: string): readonly string[] {
  const base = optionsOf(config['markdown_extensions'], 'pymdownx.snippets')?.['base_path']
  const given = [base ?? []].flat().filter((folder): folder is string => typeof folder === 'string')
  return [...given.map((folder) => posix.join(root, folder.replace(/^!relative.*/, ''))), root, contentRoot]
}

function pluginNames(given: JsonValue | undefined): readonly string[] {
  if (isJsonObject(given)) return Object.keys(given)
  return (Array.isArray(given) ? given : []).flatMap((entry) =>
    isJsonObject(entry) ? Object.keys(entry) : String(entry),
  )
}

/** Values that the plugin for macros prints. */
function macroValues(config: JsonObject): JsonObject {
  const extra = objectOf(config['extra'])
  return { ...extra, extra, config: objectOf(config) }
}

function appended(config: JsonObject): readonly string[] {
  const files = optionsOf(config['markdown_extensions'], 'pymdownx.snippets')?.['auto_append']
  return [files ?? []].flat().filter((file): file is string => typeof file === 'string')
}

function rewrite(body: string, context: BodyContext): string {
  const { site, textOf: read, report, protect, path, linkTo } = context
  const { snippets, append, plugins, macros } = isJsonObject(site.values) ? site.values : {}
  const folders = [...(Array.isArray(snippets) ? snippets.map(String) : []), posix.dirname(path)]
  const find = (name: string) => {
    for (const each of snippetPaths(name, folders)) {
      const text = read(posix.relative(posix.dirname(path), each))
      if (text !== null) return text
    }
    return null
  }
  const extra = (Array.isArray(append) ? append : []).map((name) => find(String(name)) ?? '').join('\n')
  const names = listNames(plugins)
  const has = (plugin: RegExp) => names.some((name) => plugin.test(name))
  const cells = escapeTablePipes(body)
  const filled = isJsonObject(macros) ? fillValues(cells, macros) : cells
  const included = includeSnippets(convertPlugins(filled, { find, has, linkTo, report }), find, report)
  const blocks = convertBlocks(keepHeadingIds(included, mkdocsId).split('\n'), report).join('\n')
  return convertAbbreviations(convertCode(blocks, report), extra, { protect, report })
}
