import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { humanise } from '../../page-text/humanise.ts'
import { brandingOf, listOf, navLink, objectOf, textOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { SourceLanguage } from '../page/connected-locales.ts'
import { literalAfter } from '../program/source-program.ts'

const CONVERTED = new Set([
  'title',
  'description',
  'logo',
  'favicon',
  'social',
  'editLink',
  'locales',
  'defaultLocale',
  'sidebar',
  'lastUpdated',
  'tableOfContents',
  'pagefind',
  'pagination',
  'customCss',
  'expressiveCode',
  'credits',
])

/** The literal values of an Astro configuration with Starlight. */
export interface StarlightConfig {
  /** The options of Starlight. */
  readonly config: JsonObject
  /** The path below which the site is served. */
  readonly base: string | undefined
  /** Folders as they are written. */
  readonly srcDir: string | undefined
  readonly publicDir: string | undefined
  /** Redirects: the target by the path. */
  readonly redirects: ReadonlyMap<string, string>
  /** Fields of `site.yaml`. */
  readonly fields: JsonObject
  readonly skipped: readonly string[]
}

/** @param text a program that is not run. */
export function starlightConfig(text: string): StarlightConfig {
  const { value, skipped } = literalAfter(text, /\bstarlight\(\s*\{/)
  const astro = objectOf(literalAfter(text, /\bdefineConfig\(\s*\{/).value)
  const config = objectOf(value)
  const social = config['social']
  const links = isJsonObject(social)
    ? Object.entries(social).map(([icon, href]) => navLink(humanise(icon), href))
    : listOf(social).map(({ label, icon, href }) => navLink(label ?? icon, href))
  const site = textOf(astro['site'])
  const base = textOf(astro['base'])
  const shown = links.filter((link) => link !== null)
  return {
    config,
    base,
    srcDir: textOf(astro['srcDir']),
    publicDir: textOf(astro['publicDir']),
    redirects: redirectsOf(objectOf(astro['redirects'])),
    skipped: [
      ...skipped.filter((name) => !/^(sidebar|expressiveCode|customCss)/.test(name)),
      ...Object.keys(config).filter((name) => !CONVERTED.has(name)),
    ],
    fields: defined({
      name: textOf(config['title']) ?? textOf(Object.values(objectOf(config['title']))[0]),
      url: site === undefined ? undefined : `${site.replace(/\/$/, '')}${base ?? ''}`,
      meta_description: textOf(config['description']),
      favicon_url: /^\/.*\.(ico|png|svg)$/i.test(textOf(config['favicon']) ?? '')
        ? textOf(config['favicon'])
        : undefined,
      nav_links: shown.length === 0 ? undefined : shown,
      branding: brandingOf(objectOf(objectOf(config['locales'])['root'])['lang']),
      edit_base: textOf(objectOf(config['editLink'])['baseUrl']),
    }),
  }
}

/** A redirect is a target, or an object with a status. Source: https://docs.astro.build/en/reference/configuration-reference/#redirects. */
function redirectsOf(given: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(given).flatMap(([from, to]) => {
      const target = textOf(isJsonObject(to) ? to['destination'] : to)
      return target === undefined ? [] : [[from, target] as const]
    }),
  )
}

/** The language tag of each folder of translations. */
export function localesOf({ locales }: JsonObject): ReadonlyMap<string, string> {
  const others = Object.entries(objectOf(locales)).filter(([name]) => name !== 'root')
  return new Map(others.map(([name, given]) => [name, textOf(objectOf(given)['lang']) ?? name]))
}

/** All languages, the main one first. It has a folder of its own where the configuration has no `root`. */
export function languagesOf({ locales, defaultLocale }: JsonObject): readonly SourceLanguage[] {
  const named = Object.entries(objectOf(locales)).map(([name, given]) => {
    const { lang, label } = objectOf(given)
    const isRoot = name === 'root'
    return {
      folder: isRoot ? '' : name,
      tag: textOf(lang) ?? (isRoot ? 'en' : name),
      label: textOf(label),
    }
  })
  const main = named.find(({ folder }) => folder === '' || folder === defaultLocale)
  return main === undefined ? named : [main, ...named.filter((language) => language !== main)]
}
