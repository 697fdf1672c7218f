import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { readObjectLiteral } from './object-literal.ts'
import { defined } from './source-config.ts'

/** The literal values of a VitePress configuration. */
export interface VitepressConfig {
  /** Fields of `site.yaml`. */
  readonly fields: JsonObject
  /** The language tag of each folder that holds pages in another language. */
  readonly languages: ReadonlyMap<string, string>
  /** The names of values that are not converted, as a message lists them. */
  readonly skipped: readonly string[]
}

/** Fields that are converted, or that only locate pages. */
const TOP = new Set(['title', 'description', 'lang', 'locales', 'themeConfig', 'srcDir', 'rewrites', 'base'])
const THEME = new Set(['nav', 'footer', 'logo', 'socialLinks', 'editLink', 'sidebar'])
const MAX_LABEL_LENGTH = 100

/** @param text the source of the configuration, a program that is not run. */
export function vitepressConfig(text: string): VitepressConfig {
  const start = /\bdefineConfig(?:WithTheme)?(?:<[^>]*>)?\s*\(|\bexport\s+default\b/.exec(text)
  const brace = start === null ? -1 : text.indexOf('{', start.index + start[0].length)
  const { fields, skipped } =
    brace === -1 ? { fields: {}, skipped: ['everything'] } : readObjectLiteral(text, brace)
  const theme = objectOf(fields['themeConfig'])
  const locales = Object.entries(objectOf(fields['locales'])).map(
    ([name, given]) => [name, objectOf(given)] as const,
  )
  const root = objectOf(Object.fromEntries(locales)['root'])
  const { links, skipped: skippedLinks } = linksOf(theme)
  const logo = logoOf(theme['logo'])
  const editBase = editBaseOf(theme['editLink'])
  const lang = textOf(fields['lang']) ?? textOf(root['lang'])
  return {
    fields: defined({
      name: textOf(fields['title']) ?? textOf(root['title']),
      meta_description: textOf(fields['description']) ?? textOf(root['description']),
      logo,
      footer_text: footerOf(theme['footer']),
      nav_links: links.length === 0 ? undefined : links,
      branding: lang === undefined || /^en(-us)?$/i.test(lang) ? undefined : { lang },
      edit_base: editBase,
    }),
    languages: new Map(
      locales.flatMap(([name, given]) => {
        const tag = textOf(given['lang'])
        return name === 'root' || tag === undefined ? [] : [[name, tag] as const]
      }),
    ),
    skipped: withoutInner([
      ...new Set([
        ...skipped.filter((name) => !name.includes('sidebar')),
        ...Object.keys(fields).filter((name) => !TOP.has(name)),
        ...Object.keys(theme).flatMap((name) => (THEME.has(name) ? [] : [`themeConfig.${name}`])),
        ...locales.flatMap(([name, given]) =>
          given['themeConfig'] === undefined ? [] : [`locales.${name}.themeConfig`],
        ),
        ...(theme['logo'] !== undefined && logo === undefined ? ['themeConfig.logo'] : []),
        ...groupsOf(theme['sidebar'], skipped),
        ...(theme['editLink'] !== undefined && editBase === undefined ? ['themeConfig.editLink'] : []),
        ...skippedLinks,
      ]),
    ]),
  }
}

/** Names without those of fields inside of another named field. */
function withoutInner(names: readonly string[]): readonly string[] {
  return names.filter((name) => !names.some((outer) => name.startsWith(`${outer}.`)))
}

interface Links {
  readonly links: readonly JsonObject[]
  readonly skipped: readonly string[]
}

function linksOf({ nav, socialLinks }: JsonObject): Links {
  const links: JsonObject[] = []
  const skipped: string[] = []
  for (const entry of listOf(nav)) {
    const [label, link] = [textOf(entry['text']), textOf(entry['link'])]
    if (label !== undefined && link !== undefined && /^(\/|https?:\/\/)/.test(link))
      links.push({
        label: label.slice(0, MAX_LABEL_LENGTH),
        href: link.replace(/(?<=^\/.*)\.(md|html)$/, ''),
      })
    else skipped.push(`the menu ${JSON.stringify(label ?? '')} of themeConfig.nav`)
  }
  for (const entry of listOf(socialLinks)) {
    const [icon, href] = [textOf(entry['icon']), textOf(entry['link'])]
    if (href === undefined || !/^https?:\/\//.test(href)) skipped.push('a link of themeConfig.socialLinks')
    else links.push({ label: SERVICES[icon ?? ''] ?? icon ?? new URL(href).hostname, href, external: true })
  }
  return { links, skipped }
}

/** Labels of links to well-known services, by the icon of VitePress. */
const SERVICES: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  x: 'X',
  twitter: 'Twitter',
  discord: 'Discord',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
  mastodon: 'Mastodon',
  slack: 'Slack',
  npm: 'npm',
  bluesky: 'Bluesky',
}

/** Footers are plain text, so tags are removed. */
function footerOf(given: JsonValue | undefined): string | undefined {
  const { message, copyright } = objectOf(given)
  return textOf(
    [message, copyright].flatMap((part) => textOf(part)?.replace(/<[^<>]*>/g, '') ?? []).join(' '),
  )
}

/** The groups of a sidebar. Only the order of their pages is converted. */
function groupsOf(sidebar: JsonValue | undefined, skipped: readonly string[]): readonly string[] {
  const titles = titlesIn(sidebar)
  if (titles.length > 0)
    return [`the groups ${titles.join(', ')} of themeConfig.sidebar (except the order of pages)`]
  const isProgram = skipped.some((name) => name.includes('sidebar'))
  return isProgram ? ['the groups of themeConfig.sidebar (except the order of pages)'] : []
}

function titlesIn(sidebar: JsonValue | undefined): readonly string[] {
  if (Array.isArray(sidebar)) return sidebar.flatMap(titlesIn)
  if (!isJsonObject(sidebar)) return []
  const { items, text } = sidebar
  if (items === undefined) return text === undefined ? Object.values(sidebar).flatMap(titlesIn) : []
  return [...(typeof text === 'string' ? [JSON.stringify(text)] : []), ...titlesIn(items)]
}

function logoOf(given: JsonValue | undefined): string | undefined {
  const path = textOf(given) ?? textOf(objectOf(given)['src']) ?? textOf(objectOf(given)['light'])
  return path !== undefined && /^(\/|https?:\/\/).*\.(png|jpe?g|svg)$/i.test(path) ? path : undefined
}

function editBaseOf(given: JsonValue | undefined): string | undefined {
  return /^(https?:\/\/.*\/):path$/.exec(textOf(objectOf(given)['pattern']) ?? '')?.[1]
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
