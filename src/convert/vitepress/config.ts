import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { brandingOf, listOf, logoPath, MAX_LABEL_LENGTH, objectOf, textOf } from '../config/config-values.ts'
import { serviceName } from '../config/service-names.ts'
import { defined } from '../config/source-config.ts'
import type { NavItem } from '../conversion.ts'
import { firstCharacters } from '../page/field-text.ts'
import { readObjectLiteral } from '../program/object-literal.ts'
import { constantsOf } from '../program/source-program.ts'
import { sidebarNav } from './sidebar.ts'

/** The literal values of a VitePress configuration. */
export interface VitepressConfig {
  /** Fields of `site.yaml`. */
  readonly fields: JsonObject
  /** The language tag of each folder that holds pages in another language. */
  readonly languages: ReadonlyMap<string, string>
  readonly mainLanguage: { readonly tag: string; readonly label: string | undefined }
  /** The label of each of these languages. */
  readonly labels: ReadonlyMap<string, string>
  /** The own settings of these languages: fields of `by_locale`. */
  readonly ownSettings: ReadonlyMap<string, JsonObject>
  /** The labels of all menus. */
  readonly menus: readonly string[]
  readonly nav: readonly NavItem[]
  /** The path below which the site is served. */
  readonly base: string
  /** Patterns of files that are no pages. */
  readonly srcExclude: readonly string[]
  /** The addresses of pages that are not served at their paths, by patterns of their paths. */
  readonly rewrites: ReadonlyMap<string, string>
  /** Pages are served without `.html`. */
  readonly cleanUrls: boolean
  /** The names of values that are not converted, as a message lists them. */
  readonly skipped: readonly string[]
}

/** Fields that are converted or only locate pages. */
const TOP = new Set([
  'title',
  'description',
  'lang',
  'locales',
  'themeConfig',
  'srcDir',
  'srcExclude',
  'rewrites',
  'base',
  'cleanUrls',
])
const THEME = new Set(['nav', 'footer', 'logo', 'socialLinks', 'editLink', 'sidebar'])

/**
 * @param text the source of the configuration, a program that is not run.
 * @param parts the sources of configurations of languages, by the name of their folder.
 */
export function vitepressConfig(
  text: string,
  parts: ReadonlyMap<string, string> = new Map(),
): VitepressConfig {
  const { fields, skipped } = readConfig(text)
  const theme = objectOf(fields['themeConfig'])
  const locales = Object.entries(objectOf(fields['locales'])).map(([name, given]) => {
    const own = parts.get(name)
    return [name, { ...(own === undefined ? {} : readConfig(own).fields), ...objectOf(given) }] as const
  })
  const others = [...parts].filter(([name]) => !locales.some(([known]) => known === name))
  const languages = [
    ...locales,
    ...others.map(([name, own]) => [name, readConfig(own).fields] as const),
  ].filter(([name]) => name !== 'root')
  const root = objectOf(Object.fromEntries(locales)['root'])
  const rootTheme = { ...objectOf(root['themeConfig']), ...theme }
  const { links, skipped: skippedLinks } = linksOf(rootTheme)
  const own = languages.map(([name, given]) => [name, ownSettingsOf(given, rootTheme)] as const)
  const logo = logoOf(rootTheme['logo'])
  const logoDark = logoPath(objectOf(rootTheme['logo'])['dark'])
  const editBase = editBaseOf(rootTheme['editLink'])
  const exclude = fields['srcExclude']
  return {
    fields: defined({
      name: textOf(fields['title']) ?? textOf(root['title']),
      meta_description: textOf(fields['description']) ?? textOf(root['description']),
      logo,
      logo_dark: logoDark,
      footer_text: footerOf(rootTheme['footer']),
      nav_links: links.length === 0 ? undefined : links,
      branding: brandingOf(textOf(fields['lang']) ?? textOf(root['lang'])),
      edit_base: editBase,
    }),
    mainLanguage: {
      tag: textOf(root['lang']) ?? textOf(fields['lang']) ?? 'en',
      label: textOf(root['label']),
    },
    languages: new Map(languages.flatMap(([name, given]) => pair(name, textOf(given['lang'])))),
    labels: new Map(languages.flatMap(([name, given]) => pair(name, textOf(given['label'])))),
    ownSettings: new Map(own.map(([name, settings]) => [name, settings.fields])),
    nav: [rootTheme, ...languages.map(([, given]) => objectOf(given['themeConfig']))].flatMap(({ sidebar }) =>
      sidebarNav(sidebar),
    ),
    menus: [rootTheme, ...languages.map(([, given]) => objectOf(given['themeConfig']))].flatMap(({ nav }) =>
      listOf(nav).flatMap(labelsOf),
    ),
    base: textOf(fields['base']) ?? '/',
    srcExclude: Array.isArray(exclude) ? exclude.filter((each) => typeof each === 'string') : [],
    rewrites: new Map(
      Object.entries(objectOf(fields['rewrites'])).flatMap(([from, to]) => pair(from, textOf(to))),
    ),
    cleanUrls: fields['cleanUrls'] === true,
    skipped: withoutInner([
      ...new Set([
        ...skipped.filter((name) => !/sidebar|^locales/.test(name)),
        ...Object.keys(fields).filter((name) => !TOP.has(name)),
        ...Object.keys(theme).flatMap((name) => (THEME.has(name) ? [] : [`themeConfig.${name}`])),
        ...own.flatMap(([name, settings]) =>
          settings.skipped.filter((what) => !skippedLinks.includes(what)).map((what) => `${what} of ${name}`),
        ),
        ...(rootTheme['logo'] !== undefined && logo === undefined ? ['themeConfig.logo'] : []),
        ...(skipped.some((name) => /sidebar/.test(name)) ? ['computed parts of themeConfig.sidebar'] : []),
        ...(rootTheme['editLink'] !== undefined && editBase === undefined ? ['themeConfig.editLink'] : []),
        ...skippedLinks,
      ]),
    ]),
  }
}

/** The folder of the pages, relative to that of the site. */
export function srcDirOf(text: string): string {
  return textOf(readConfig(text).fields['srcDir']) ?? '.'
}

function pair(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]]
}

/** The exported object of a program. */
function readConfig(text: string) {
  const start =
    /\bdefine(?:Additional)?Config(?:WithTheme)?(?:<[^>]*>)?\s*\(|\bexport\s+default\b|\bmodule\.exports\s*=/.exec(
      text.replace(/^import .*$/gm, (line) => ' '.repeat(line.length)),
    )
  const brace = start === null ? -1 : text.indexOf('{', start.index + start[0].length)
  return brace === -1
    ? { fields: {}, skipped: ['everything'] }
    : readObjectLiteral(text, brace, constantsOf(text))
}

/** Names without those of fields inside of another named field. */
function withoutInner(names: readonly string[]): readonly string[] {
  return names.filter(
    (name) => !names.some((outer) => name.startsWith(`${outer}.`) || name.startsWith(`${outer}[`)),
  )
}

interface Links {
  readonly links: readonly JsonObject[]
  readonly skipped: readonly string[]
}

/** The own settings of a language. A field of its theme replaces the field of the whole site. */
function ownSettingsOf(
  given: JsonObject,
  rootTheme: JsonObject,
): { readonly fields: JsonObject; readonly skipped: readonly string[] } {
  const theme = objectOf(given['themeConfig'])
  const hasMenu = theme['nav'] !== undefined || theme['socialLinks'] !== undefined
  const { links, skipped } = hasMenu ? linksOf({ ...rootTheme, ...theme }) : { links: [], skipped: [] }
  return {
    fields: defined({
      site_name: textOf(given['title']),
      meta_description: textOf(given['description']),
      nav_links: links.length === 0 ? undefined : links,
      footer_text: footerOf(theme['footer']),
    }),
    skipped,
  }
}

/** The labels of an entry and of those in its menu. */
function labelsOf({ text, items }: JsonObject): readonly string[] {
  return [...[textOf(text) ?? []].flat(), ...listOf(items).flatMap(labelsOf)]
}

/** The links of the menu. Those of its groups follow one another. */
function linksOf({ nav, socialLinks }: JsonObject): Links {
  const links: JsonObject[] = []
  const skipped: string[] = []
  const entries = listOf(nav).flatMap((entry) =>
    entry['items'] === undefined ? [entry] : [entry, ...listOf(entry['items'])],
  )
  for (const entry of entries) {
    const [label, link] = [textOf(entry['text']), textOf(entry['link'])]
    if (label !== undefined && link !== undefined && /^(\/|https?:\/\/)/.test(link))
      links.push({
        label: firstCharacters(label, MAX_LABEL_LENGTH),
        href: link.replace(/(?<=^\/.*)\.(md|html)$/, ''),
      })
    else if (entry['items'] === undefined || link !== undefined)
      skipped.push(`the menu ${JSON.stringify(label ?? '')} of themeConfig.nav`)
  }
  for (const entry of listOf(socialLinks)) {
    const [icon, href] = [textOf(entry['icon']), textOf(entry['link'])]
    const url = href === undefined ? null : parseUrl(href)
    if (href === undefined || url === null || !/^https?:\/\//.test(href))
      skipped.push('a link of themeConfig.socialLinks')
    else links.push({ label: serviceName(icon ?? url.hostname), href, external: true })
  }
  return { links, skipped }
}

/** Footers are plain text, so tags are removed. */
function footerOf(given: JsonValue | undefined): string | undefined {
  const { message, copyright } = objectOf(given)
  return textOf(
    [message, copyright].flatMap((part) => textOf(part)?.replace(/<[^<>]*>/g, '') ?? []).join(' '),
  )
}

function logoOf(given: JsonValue | undefined): string | undefined {
  return logoPath(textOf(given) ?? textOf(objectOf(given)['src']) ?? textOf(objectOf(given)['light']))
}

function editBaseOf(given: JsonValue | undefined): string | undefined {
  return /^(https?:\/\/.*\/):path$/.exec(textOf(objectOf(given)['pattern']) ?? '')?.[1]
}
