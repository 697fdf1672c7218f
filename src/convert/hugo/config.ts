import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { DiagnosticCode } from '../../domain/diagnostic-codes.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { brandingOf } from '../config/config-values.ts'
import { readDataFile } from '../config/data-file.ts'
import { defined } from '../config/source-config.ts'
import type { SourceFiles } from '../conversion.ts'

/** The configuration file of Hugo. Others in its folder hold the value of the key that they are named for. */
export const HUGO_CONFIG = /^(?:config\/_default\/)?(?:hugo|config)\.(toml|yaml|yml|json)$/
const PART = /^config\/_default\/([a-z]+)\.(?:toml|yaml|yml|json)$/

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
    const name = PART.exec(path)?.[1]
    if (name === undefined || HUGO_CONFIG.test(path) || config[name] !== undefined) return []
    return [[name, readDataFile(files, path, diagnostics)] as const]
  })
  const others = files.paths.filter(
    (path) => path.startsWith('config/') && !HUGO_CONFIG.test(path) && !PART.test(path),
  )
  diagnostics.push(
    ...others.map((path) =>
      diagnostic(
        'QN-NOT-CONVERTED',
        path,
        'The file configures one language or environment. It is left out.',
      ),
    ),
  )
  return { config: { ...config, ...Object.fromEntries(parts) }, file, diagnostics }
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
const STATIC_FOLDER = /^staticDir\d{0,2}$/
/** Fields of `module`. The modules that `imports` names are themes or in other repositories. */
const MODULE_CONVERTED = new Set(['mounts', 'hugoVersion'])
const TAXONOMIES = 'Pages of tags are not generated. Each page keeps its tags in `config`.'

function configDiagnostics(file: string, text: string, config: JsonObject): Diagnostic[] {
  const lines = text.split('\n')
  const lineOf = (name: string) => {
    const key = new RegExp(`^\\s*(?:\\[+|["']?)${name}\\b`)
    const index = lines.findIndex((line) => key.test(line))
    return index === -1 ? null : index + 1
  }
  const at = (name: string, code: DiagnosticCode, message: string) =>
    diagnostic(code, file, message, { line: lineOf(name), field: name })
  const menus = config['menus'] ?? config['menu']
  const params = Object.keys(isJsonObject(config['params']) ? config['params'] : {})
  const otherParams = params.filter((name) => name !== 'description').map((name) => `\`${name}\``)
  const languages = 'Language tags and pages are converted. Titles and menus of each language are left out.'
  return [
    ...Object.keys(config)
      .filter((name) => !CONVERTED.has(name) && !STATIC_FOLDER.test(name))
      .map((name) =>
        at(name, 'QN-NOT-CONVERTED', name === 'taxonomies' ? TAXONOMIES : `\`${name}\` is left out.`),
      ),
    ...(isJsonObject(config['module']) ? Object.keys(config['module']) : [])
      .filter((name) => !MODULE_CONVERTED.has(name))
      .map((name) => at('module', 'QN-NOT-CONVERTED', `\`module.${name}\` is left out.`)),
    ...(isJsonObject(menus) ? Object.keys(menus) : [])
      .filter((name) => name !== 'main')
      .map((name) =>
        at(name, 'QN-NOT-CONVERTED', `The menu \`${name}\` is left out. Only \`main\` is converted.`),
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
    ...(config['languages'] === undefined ? [] : [at('languages', 'QN-PARTLY-CONVERTED', languages)]),
  ]
}

/** The fields of `site.yaml`. */
export function siteFields(config: JsonObject): JsonObject {
  const params = isJsonObject(config['params']) ? config['params'] : {}
  const menus = config['menus'] ?? config['menu']
  const main = isJsonObject(menus) && Array.isArray(menus['main']) ? menus['main'] : []
  const links = main.filter(isJsonObject).flatMap((entry) => {
    const [label, href] = [entry['name'], entry['url'] ?? entry['pageRef']]
    return typeof label === 'string' && typeof href === 'string'
      ? [{ label, href, weight: Number(entry['weight'] ?? 0) }]
      : []
  })
  const lang = config['languageCode'] ?? config['defaultContentLanguage']
  return defined({
    name: config['title'],
    url:
      typeof config['baseURL'] === 'string' && /^https?:\/\//.test(config['baseURL'])
        ? config['baseURL']
        : undefined,
    meta_description: params['description'],
    nav_links:
      links.length === 0
        ? undefined
        : links.sort((a, b) => a.weight - b.weight).map(({ label, href }) => ({ label, href })),
    branding: brandingOf(lang),
  })
}
