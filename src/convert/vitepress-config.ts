import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { readObjectLiteral } from './object-literal.ts'
import { defined } from './source-config.ts'

/** What the configuration of a VitePress site says where it is written out. */
export interface VitepressConfig {
  /** Fields of `site.yaml`. */
  readonly fields: JsonObject
  /** Language tags of the folders that hold a language of their own. */
  readonly languages: ReadonlyMap<string, string>
  /** Names of what was not carried over, with why where there is something to say. */
  readonly skipped: readonly string[]
}

/** Fields that are carried over, or that only say where pages are. */
const TOP = new Set(['title', 'description', 'lang', 'locales', 'themeConfig', 'srcDir', 'rewrites', 'base'])
const THEME = new Set(['nav', 'footer', 'logo', 'socialLinks', 'editLink', 'sidebar'])
const LONGEST_LABEL = 100

/** @param text of the program, which is not run. */
export function vitepressConfig(text: string): VitepressConfig {
  const start = /\bdefineConfig(?:WithTheme)?(?:<[^>]*>)?\s*\(|\bexport\s+default\b/.exec(text)
  const brace = start === null ? -1 : text.indexOf('{', start.index + start[0].length)
  const { fields, skipped } =
    brace === -1 ? { fields: {}, skipped: ['all of it'] } : readObjectLiteral(text, brace)
  const theme = objectOf(fields['themeConfig'])
  const locales = Object.entries(objectOf(fields['locales'])).map(
    ([name, given]) => [name, objectOf(given)] as const,
  )
  const root = objectOf(Object.fromEntries(locales)['root'])
  const { links, lost } = linksOf(theme)
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
        ...lost,
      ]),
    ]),
  }
}

/** Names without those of fields within what is named itself. */
function withoutInner(names: readonly string[]): readonly string[] {
  return names.filter((name) => !names.some((outer) => name.startsWith(`${outer}.`)))
}

interface Links {
  readonly links: readonly JsonObject[]
  readonly lost: readonly string[]
}

function linksOf({ nav, socialLinks }: JsonObject): Links {
  const links: JsonObject[] = []
  const lost: string[] = []
  for (const entry of listOf(nav)) {
    const [label, link] = [textOf(entry['text']), textOf(entry['link'])]
    if (label !== undefined && link !== undefined && /^(\/|https?:\/\/)/.test(link))
      links.push({ label: label.slice(0, LONGEST_LABEL), href: link.replace(/(?<=^\/.*)\.(md|html)$/, '') })
    else lost.push(`the menu ${JSON.stringify(label ?? '')} of themeConfig.nav`)
  }
  for (const entry of listOf(socialLinks)) {
    const [icon, href] = [textOf(entry['icon']), textOf(entry['link'])]
    if (href === undefined || !/^https?:\/\//.test(href)) lost.push('a link of themeConfig.socialLinks')
    else links.push({ label: NAMES[icon ?? ''] ?? icon ?? new URL(href).hostname, href, external: true })
  }
  return { links, lost }
}

const NAMES: Readonly<Record<string, string>> = {
  ...{
    github: 'GitHub',
    gitlab: 'GitLab',
    x: 'X',
    twitter: 'Twitter',
    discord: 'Discord',
    youtube: 'YouTube',
  },
  ...{ linkedin: 'LinkedIn', mastodon: 'Mastodon', slack: 'Slack', npm: 'npm', bluesky: 'Bluesky' },
}

/** HTML is none in a footer here. */
function footerOf(given: JsonValue | undefined): string | undefined {
  const { message, copyright } = objectOf(given)
  return textOf(
    [message, copyright].flatMap((part) => textOf(part)?.replace(/<[^<>]*>/g, '') ?? []).join(' '),
  )
}

/** Of a sidebar only the order is carried over, and whether its pages stand in groups is seen where it is written out. */
function groupsOf(sidebar: JsonValue | undefined, skipped: readonly string[]): readonly string[] {
  const titles = titlesIn(sidebar)
  if (titles.length > 0)
    return [`the groups ${titles.join(', ')} of themeConfig.sidebar, but for their order`]
  const isProgram = skipped.some((name) => name.includes('sidebar'))
  return isProgram ? ['the groups of themeConfig.sidebar, but for their order'] : []
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
