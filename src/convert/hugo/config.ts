import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { DiagnosticCode } from '../../domain/diagnostic-codes.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { brandingOf, listOf, objectOf, textOf } from '../config/config-values.ts'
import { readDataFile } from '../config/data-file.ts'
import { defined } from '../config/source-config.ts'
import type { SourceFiles } from '../conversion.ts'

/** The configuration file of Hugo. Others in its folder hold the value of the key that they are named for. */
export const HUGO_CONFIG = /^(?:config\/_default\/)?(?:hugo|config)\.(toml|yaml|yml|json)$/
const PART = /^config\/_default\/([a-z]+)(?:\.([a-z]{2,3}(?:-[a-z0-9]+)*))?\.(?:toml|yaml|yml|json)$/i
/** Files of one language, by the name of the field in `languages` that they hold; empty for all of its fields. */
const OF_LANGUAGE: Readonly<Record<string, string>> = {
  languages: '',
  menus: 'menus',
  menu: 'menus',
  params: 'params',
}

export interface HugoConfig {
  readonly config: JsonObject
  /** The path of the main file. */
  readonly file: string
  readonly diagnostics: Diagnostic[]
}

/** Reads the configuration of a Hugo site, and reports what of it is not converted. */
export function hugoConfig(files: SourceFiles): HugoConfig {
  const { config, file, diagnostics } = mainConfig(files)
  const parts = files.paths.flatMap((path) => {
    const [, name = '', language] = PART.exec(path) ?? []
    const isKnown = name !== '' && !HUGO_CONFIG.test(path)
    return isKnown && (language === undefined || Object.hasOwn(OF_LANGUAGE, name))
      ? [{ path, name, language }]
      : []
  })
  const whole = parts
    .filter(({ name, language }) => language === undefined && config[name] === undefined)
    .map(({ path, name }) => [name, readDataFile(files, path, diagnostics)] as const)
  const all = { ...config, ...Object.fromEntries(whole) }
  for (const { path, name, language } of parts)
    if (language !== undefined)
      all['languages'] = withLanguage(objectOf(all['languages']), language.toLowerCase(), {
        field: OF_LANGUAGE[name] ?? '',
        value: readDataFile(files, path, diagnostics),
      })
  const read = new Set(parts.map(({ path }) => path))
  const others = files.paths.filter(
    (path) => path.startsWith('config/') && !HUGO_CONFIG.test(path) && !read.has(path),
  )
  diagnostics.push(
    ...others.map((path) =>
      diagnostic(
        'QN-NOT-CONVERTED',
        path,
        'The file configures an environment, or something else of one language. It is left out.',
      ),
    ),
  )
  diagnostics.push(
    ...leftOutOfLanguages(all).map((names) =>
      diagnostic('QN-PARTLY-CONVERTED', file, `Left out of the languages: ${names}.`, { field: 'languages' }),
    ),
  )
  return { config: all, file, diagnostics }
}

function withLanguage(
  languages: JsonObject,
  name: string,
  { field, value }: { readonly field: string; readonly value: JsonObject },
): JsonObject {
  const own = objectOf(languages[name])
  return { ...languages, [name]: field === '' ? { ...own, ...value } : { ...own, [field]: value } }
}

function mainConfig(files: SourceFiles): HugoConfig {
  const file = files.paths.find((name) => HUGO_CONFIG.test(name)) ?? ''
  const diagnostics: Diagnostic[] = []
  const config = readDataFile(files, file, diagnostics, 'The configuration')
  diagnostics.push(...configDiagnostics(file, files.text(file) ?? '', config))
  return { config, file, diagnostics }
}

/** Fields of the configuration that are converted. */
const CONVERTED = new Set([
  'title',
  'baseURL',
  'languageCode',
  'defaultContentLanguage',
  'defaultContentLanguageInSubdir',
  'languages',
  'menu',
  'menus',
  'params',
  'permalinks',
  'taxonomies',
  'pagination',
  'paginate',
  'cascade',
  'uglyURLs',
  'disablePathToLower',
  'buildFuture',
  'buildExpired',
  'buildDrafts',
  'contentDir',
  'assetDir',
  'layoutDir',
  'dataDir',
  'i18nDir',
  'module',
])
/** Menus that have a place in the new site: its header and its footer. */
const MENUS: ReadonlySet<string> = new Set(['main', 'footer'])
const STATIC_FOLDER = /^staticDir\d{0,2}$/
/** Fields of `module`. The modules that `imports` names are themes or in other repositories. */
const MODULE_CONVERTED = new Set(['mounts', 'hugoVersion'])
/** Taxonomies that pages have here, too. */
const TAXONOMIES = new Set(['tags', 'categories', 'series', 'authors', 'author'])

function configDiagnostics(file: string, text: string, config: JsonObject): Diagnostic[] {
  const lines = text.split('\n')
  const lineOf = (name: string) => {
    const key = new RegExp(`^\\s*(?:\\[+|["']?)${name}\\b`)
    const index = lines.findIndex((line) => key.test(line))
    return index === -1 ? null : index + 1
  }
  const at = (name: string, code: DiagnosticCode, message: string) =>
    diagnostic(code, file, message, { line: lineOf(name), field: name })
  const params = Object.keys(isJsonObject(config['params']) ? config['params'] : {})
  const otherParams = params.filter((name) => name !== 'description').map((name) => `\`${name}\``)
  return [
    ...Object.keys(config)
      .filter((name) => !CONVERTED.has(name) && !STATIC_FOLDER.test(name))
      .map((name) => at(name, 'QN-NOT-CONVERTED', `\`${name}\` is left out.`)),
    ...Object.values(objectOf(config['taxonomies']))
      .filter((name) => typeof name === 'string' && !TAXONOMIES.has(name))
      .map((name) =>
        at(
          'taxonomies',
          'QN-NOT-CONVERTED',
          `The terms of \`${name}\` stay in \`config\` of each page, without lists of their own.`,
        ),
      ),
    ...(isJsonObject(config['module']) ? Object.keys(config['module']) : [])
      .filter((name) => !MODULE_CONVERTED.has(name))
      .map((name) => at('module', 'QN-NOT-CONVERTED', `\`module.${name}\` is left out.`)),
    ...Object.keys(menusOf(config))
      .filter((name) => !MENUS.has(name))
      .map((name) =>
        at(
          name,
          'QN-NOT-CONVERTED',
          `The menu \`${name}\` is left out. Only \`main\` and \`footer\` are converted.`,
        ),
      ),
    ...(otherParams.length === 0
      ? []
      : [
          at(
            'params',
            'QN-PARTLY-CONVERTED',
            `Only \`description\` of \`params\` is converted. Left out: ${otherParams.join(', ')}.`,
          ),
        ]),
  ]
}

/** Fields of a language that are converted or have no visible effect. */
const OF_LANGUAGES = new Set(
  'languageName languageCode languageDirection label locale weight contentDir title params menus menu staticDir'.split(
    ' ',
  ),
)

/** The names of the other fields of languages, as one text; none when there are none. */
function leftOutOfLanguages({ languages }: JsonObject): readonly string[] {
  const names = Object.values(objectOf(languages)).flatMap((own) => [
    ...Object.keys(objectOf(own)).filter((name) => !OF_LANGUAGES.has(name)),
    ...Object.keys(menusOf(objectOf(own))).flatMap((name) => (MENUS.has(name) ? [] : [`menus.${name}`])),
  ])
  const others = [...new Set(names)].toSorted().map((name) => `\`${name}\``)
  return others.length === 0 ? [] : [others.join(', ')]
}

/** The fields of `site.yaml`. The site has those of its main language where it has none. */
export function siteFields(config: JsonObject, mainLanguage: string): JsonObject {
  const own = aroundPages(languageOf(config, mainLanguage))
  const { site_name: name, meta_description, nav_links, shared_footer } = { ...own, ...aroundPages(config) }
  const lang = config['languageCode'] ?? config['defaultContentLanguage']
  return defined({
    name,
    url:
      typeof config['baseURL'] === 'string' && /^https?:\/\//.test(config['baseURL'])
        ? config['baseURL']
        : undefined,
    meta_description,
    nav_links,
    shared_footer,
    branding: brandingOf(lang),
  })
}

/** The fields of a language. @param name in lower case. */
export function languageOf({ languages }: JsonObject, name: string): JsonObject {
  const [, own] = Object.entries(objectOf(languages)).find(([key]) => key.toLowerCase() === name) ?? []
  return objectOf(own)
}

/** Name, description and menu of the site or of a language, as fields of `by_locale`. */
export function aroundPages(given: JsonObject): JsonObject {
  const { main, footer } = menusOf(given)
  const links = linksOf(main)
  const footerLinks = linksOf(footer)
  return defined({
    site_name: given['title'],
    meta_description: objectOf(given['params'])['description'],
    nav_links: links.length === 0 ? undefined : links,
    shared_footer: footerLinks.length === 0 ? undefined : { links: footerLinks },
  })
}

/** The links of a menu by weight. */
function linksOf(menu: JsonObject[string] | undefined): readonly JsonObject[] {
  const links = listOf(menu).flatMap((entry) => {
    const [label, href] = [entry['name'], entry['url'] ?? entry['pageRef']]
    return typeof label === 'string' && typeof href === 'string'
      ? [{ label, href, weight: Number(entry['weight'] ?? 0) }]
      : []
  })
  return links.toSorted((a, b) => a.weight - b.weight).map(({ label, href }) => ({ label, href }))
}

/** The labels of all menus, also of languages. */
export function menuLabels(config: JsonObject): readonly string[] {
  const all = [config, ...Object.values(objectOf(config['languages'])).map(objectOf)].map(menusOf)
  return all.flatMap((menus) =>
    Object.values(menus).flatMap((entries) =>
      listOf(entries).flatMap(({ name, identifier, pageRef }) => textOf(name ?? identifier ?? pageRef) ?? []),
    ),
  )
}

export function menusOf({ menus, menu }: JsonObject): JsonObject {
  return objectOf(menus ?? menu)
}
