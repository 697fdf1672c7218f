import { posix } from 'node:path'
import { diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { fenceHugoPairs } from '../body/paired-code.ts'
import { objectOf, valueAt } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isPicture } from '../files/asset-names.ts'
import { folderLeftOut } from '../files/source-files.ts'
import { connectedLocales, settingsByLocale } from '../page/connected-locales.ts'
import { bareName, foldersOf, routeOf } from '../page/page-route.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { isZola } from '../unsupported-generators.ts'
import { aroundPages, HUGO_CONFIG, hugoConfig, languageOf, menuLabels, siteFields } from './config.ts'
import { hugoFields } from './field-names.ts'
import { hugoFolders, mountedName } from './folders.ts'
import { includeTexts } from './includes.ts'
import { contentNames, contentRootOf, type HugoLanguages, hugoLanguages, inLanguage } from './languages.ts'
import { hugoLists } from './lists.ts'
import { withPageMenus } from './page-menus.ts'
import { hugoAddress } from './permalinks.ts'
import { type Cascades, cascadeOf, hiddenInHugo, isUnlistedInHugo, withCascade } from './publication.ts'
import { HUGO_TAGS, protectEscapedShortcodes } from './shortcodes.ts'
import { withTermIds } from './term-ids.ts'

/** Usual names of folders of articles. */
const ARTICLES = /^(posts?|blog|news|articles?|notes?|journal)(\/|$)/i

/** Hugo: Markdown in `content`, or in the folders that the configuration names. */
export const hugo: Generator = {
  name: 'hugo',
  title: 'Hugo',
  detects: (files) =>
    !isZola(files) &&
    files.paths.some(
      (path) =>
        HUGO_CONFIG.test(path) &&
        (/(^|\/)hugo\.\w+$/.test(path) ||
          /\b(contentDir|mounts)\b/.test(files.text(path) ?? '') ||
          files.paths.some((each) => each.startsWith('content/'))),
    ),
  read,
  feedGuid: (address) => address,
  fieldsOf: hugoFields,
  protectVerbatim: protectEscapedShortcodes,
  rewrite: (body, context) => {
    const fenced = fenceHugoPairs(includeTexts(body, context), context.report)
    return context.site.hasTermIds === true ? withTermIds(fenced) : fenced
  },
  tags: HUGO_TAGS,
}

function read(files: SourceFiles, now: Date): SourceSite {
  const { config, file, diagnostics } = hugoConfig(files)
  const folders = hugoFolders(files, config, file, diagnostics)
  const languages = hugoLanguages(config)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const contentRoot = contentRootOf(files, folders.content, languages)
  const names = contentNames(files, folders.content, contentRoot, languages)
  const bundles = new Set(
    [...names.values()].flatMap((name) =>
      /\/index\.(md|markdown|html)$/.test(name) ? [posix.dirname(name)] : [],
    ),
  )
  const cascades = cascadesOf(files, names, config)
  const leaveOut = (path: string, message: string) =>
    diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, message))
  for (const path of files.paths) {
    const served = mountedName(path, folders.static)?.name
    const asset = mountedName(path, folders.assets)?.name
    const name = names.get(path)
    if (served !== undefined) assets.set(path, served)
    else if (asset !== undefined && isPicture(path)) assets.set(path, asset)
    if (name === undefined) continue
    if (/\.(md|markdown|html)$/.test(name) && !isFragment(name, files.text(path))) {
      const isPartOfBundle =
        !/\/index\.(md|markdown|html)$/.test(name) && foldersOf(name).some((folder) => bundles.has(folder))
      if (isPartOfBundle) leaveOut(path, 'The file is part of a page bundle, not a page. It is left out.')
      else pages.set(path, targetOf(name, files.text(path) ?? '', { languages, cascades, config, now }))
    } else assets.set(path, name)
  }
  const locales = connectedLocales(languages.all, pages)
  const withMenus = withPageMenus(config, files, pages, languages)
  const { byLocale } = settingsByLocale(
    locales,
    [...languages.others.keys()].map((name) => [name, aroundPages(languageOf(withMenus, name))]),
  )
  for (const folder of folders.theme)
    diagnostics.push(...folderLeftOut(files, `${folder}/`, folder, 'the theme or its data'))
  return {
    contentRoot,
    fields: defined({ ...siteFields(withMenus, languages.own), locales, by_locale: byLocale }),
    drawsDashes: drawsDashes(config),
    hasTermIds: valueAt(config, ['markup', 'goldmark', 'parser', 'autoDefinitionTermID']) === true,
    pages: markListings(pages),
    assets,
    order: new Map(),
    lists: hugoLists(config, pages),
    config: file,
    ...(![...pages.values()].some(({ route }) => route === '') && { frontList: file }),
    menus: menuLabels(withMenus),
    languages: Object.keys(objectOf(config['languages'])),
    defaults: (path) => withCascade(names.get(path) ?? '', {}, cascades),
    overrides: () => (config['buildDrafts'] === true ? { draft: false } : {}),
    diagnostics,
  }
}

/** HTML without front matter is a file that is served as it is. */
function isFragment(name: string, text: string | null): boolean {
  return name.endsWith('.html') && !/^\ufeff?(?:---|\+\+\+|\{)\s/.test(text ?? '')
}

/** Hugo's Markdown does, unless the configuration says otherwise. */
function drawsDashes(config: JsonObject): boolean {
  const extensions = valueAt(config, ['markup', 'goldmark', 'extensions'])
  const typographer = isJsonObject(extensions) ? extensions['typographer'] : undefined
  return typographer !== false && !(isJsonObject(typographer) && typographer['disable'] === true)
}

/** Marks the indexes of folders of articles as lists, which are generated. */
function markListings(pages: ReadonlyMap<string, PageTarget>): ReadonlyMap<string, PageTarget> {
  const lists = new Set(
    [...pages.values()].flatMap(({ route, type }) => (type === 'article' ? [posix.dirname(route)] : [])),
  )
  return new Map(
    [...pages].map(([path, target]) => {
      const isList = target.type === 'docs' && /(^|\/)_index\.\w+$/.test(path) && lists.has(target.route)
      return [path, isList ? { ...target, type: 'list' } : target]
    }),
  )
}

/** Front matter that the pages of each folder inherit, from its `_index` and from the configuration. */
function cascadesOf(files: SourceFiles, names: ReadonlyMap<string, string>, config: JsonObject): Cascades {
  const indexes = [...names].filter(([, name]) => /(^|\/)_index\.(md|markdown|html)$/.test(name))
  const own = new Map(
    indexes.map(([path, name]) => {
      const folder = posix.dirname(name)
      const fields = hugoFields(splitSourcePage(files.text(path) ?? '').fields)
      return [folder === '.' ? '' : folder, cascadeOf(fields)] as const
    }),
  )
  return own.set('', [...(own.get('') ?? []), ...cascadeOf(config)])
}

interface SiteContext {
  readonly languages: HugoLanguages
  readonly cascades: Cascades
  readonly config: JsonObject
  readonly now: Date
}

function targetOf(path: string, text: string, { languages, cascades, config, now }: SiteContext): PageTarget {
  const own = hugoFields(splitSourcePage(text).fields)
  const fields = withCascade(path, own, cascades)
  const { name, lang } = inLanguage(path, languages)
  const bare = bareName(name)
  const url = typeof fields['url'] === 'string' ? fields['url'] : null
  const slug = typeof fields['slug'] === 'string' ? fields['slug'] : null
  const named = slug === null || bare === '' ? bare : [...bare.split('/').slice(0, -1), slug].join('/')
  const isSection = /(^|\/)_index\.(md|markdown|html)$/.test(name)
  const isArticle =
    !isSection &&
    (ARTICLES.test(lang === undefined ? name : name.replace(/^[^/]*\//, '')) ||
      fields['date'] !== undefined) &&
    name.includes('/')
  const isFront = bare === '' || (lang !== undefined && !bare.includes('/') && isSection)
  const hidden = hiddenInHugo(fields, config, now)
  const prefix = lang !== undefined && bare.includes('/') ? `${bare.split('/')[0]}/` : ''
  const pattern = hugoAddress(config['permalinks'], {
    bare: bare.slice(prefix.length),
    kind: isSection ? 'section' : 'page',
    fields,
  })
  const usual = `/${config['disablePathToLower'] === true ? named : named.toLowerCase()}`
  const isUgly = config['uglyURLs'] === true && !isSection && bare !== ''
  const subdir = lang === undefined ? languages.ownFolder : ''
  const original = url ?? (pattern === null ? null : `/${prefix}${pattern.slice(1)}`)
  return {
    // The front page of the site is that of its main language.
    route: routeOf(isFront ? named : posix.join(subdir, url ?? named)),
    type: isFront || isUnlistedInHugo(fields) ? 'page' : isArticle ? 'article' : 'docs',
    originalPath: posix.join('/', subdir, original ?? (isUgly ? `${usual}.html` : `${usual}/`)),
    ...(lang !== undefined && { lang }),
    ...(hidden !== undefined && { hidden }),
  }
}
