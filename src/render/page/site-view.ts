import type { Announcement } from '../../domain/announcement.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { frontPath, homePath, type Locale, localeAt, type Translation } from '../../domain/locale.ts'
import type { NavEntry, NavLink, SocialLink } from '../../domain/settings.ts'
import type { LinkedPage, LinkSetting, Surroundings } from '../../domain/surroundings.ts'
import { latestVersion, pathInVersion, versionAt, versionFront } from '../../domain/version.ts'
import type {
  LanguageView,
  LinkView,
  NavLinkView,
  SiteView,
  SocialLinkView,
  VersionView,
} from '../../theme/view.ts'
import { drawnIcon, serviceOf } from '../icons/drawn-icon.ts'
import { assetsHref, authorHref, hrefIn, isExternalUrl, type Links, pagePath } from '../links/links.ts'
import { iconView } from '../sections/icon-view.ts'
import type { SearchAssets } from './assets.ts'
import type { Site } from './head-view.ts'
import { markdownIn } from './prop-html.ts'
import type { Rendering } from './rendering.ts'

/** The language of a document, and the same page in others. */
export interface InLanguage {
  /** The document's locale; null on a site without locales. */
  readonly locale: Locale | null
  readonly translations: readonly Translation[]
  /** The existing paths of `switchPaths`; absent if unknown, as for lists. */
  readonly switchPaths?: readonly string[]
  /** Targets of the links around the document; absent if all lead as written. */
  readonly surroundings?: Surroundings | undefined
}

/** The language of a generated document. */
export function languageIn(
  { surroundings }: Pick<Site, 'surroundings'>,
  locale: Locale | null,
  translations: readonly Translation[] = [],
): InLanguage {
  return { locale, translations, surroundings: locale === null ? undefined : surroundings?.[locale.code] }
}

/**
 * @param path of the document; null when no link can be the current one.
 * @param language by default that of the path, without translations.
 */
export function siteView(
  of: Site,
  path: string | null,
  { search, searchStyle, stemmer }: SearchAssets,
  rendering: Rendering,
  language: InLanguage = languageIn(of, localeAt(path ?? '/', of.settings.locales)),
): SiteView {
  const { site, settings } = of
  const { links } = rendering
  const { surroundings } = language
  const front = language.locale === null ? '/' : frontPath(language.locale)
  const around = (setting: LinkSetting): Around => {
    const pages = surroundings?.inherited?.includes(setting) ? surroundings.pages : undefined
    return { path, rendering, pages: pages ?? NO_PAGES }
  }
  return {
    name: site.name,
    filesHref: assetsHref(links),
    href: hrefIn(links),
    data: settings.data,
    markdown: markdownIn(rendering, 'text'),
    homeHref: links.page(surroundings?.home ?? front),
    rootHref: links.page('/'),
    ...versionViews(path, settings, language, links),
    languages: languageViews(settings.locales, path, language, links),
    search: {
      script: links.file(search.key),
      style: links.file(searchStyle.key),
      stemmer: stemmer === null ? null : links.file(stemmer.key),
    },
    logo: settings.logoUrl === null ? null : rendering.url(settings.logoUrl, 'image', 'logo'),
    logoDark: darkLogo(settings, rendering),
    mark: settings.faviconUrl === null ? null : authorHref(settings.faviconUrl, links, 'image'),
    announcement: announcementView(settings.announcement, around('announcement')),
    navLinks: settings.navLinks.flatMap((entry, index) =>
      navViews(entry, `nav_links[${index}]`, around('nav_links')),
    ),
    footer: {
      text: orNull(settings.footerText),
      copyright: orNull(settings.sharedFooter.copyright),
      groups: footerGroups(settings.sharedFooter.links, around('shared_footer')),
      social: (settings.sharedFooter.social ?? []).flatMap((link, index) =>
        socialViews(link, `shared_footer.social[${index}]`, around('shared_footer')),
      ),
      legal: (settings.sharedFooter.legal ?? []).flatMap((link, index) =>
        linkViews(link, `shared_footer.legal[${index}]`, around('shared_footer')),
      ),
    },
  }
}

/** Returns the URL of the dark logo; null also without a logo. */
function darkLogo({ logoUrl, logoDarkUrl = null }: Site['settings'], rendering: Rendering): string | null {
  return logoUrl === null || logoDarkUrl === null ? null : rendering.url(logoDarkUrl, 'image', 'logo_dark')
}

function versionViews(
  path: string | null,
  settings: Site['settings'],
  { locale, switchPaths }: InLanguage,
  links: Links,
): Pick<SiteView, 'versions' | 'latestVersion' | 'searchScope'> {
  const all = settings.versions
  const own = path === null ? null : versionAt(path, settings)
  const searched = own?.version ?? latestVersion(all)
  const searchScope = `${locale?.code ?? ''}${searched === null ? '' : `@${searched.name}`}`
  if (own === null) return { versions: [], latestVersion: null, searchScope }
  const versions = all.flatMap((version): readonly VersionView[] => {
    const same = pathInVersion(own, version)
    const current = version.name === own.version.name
    const target = current || switchPaths?.includes(same) ? same : versionFront(own.locale, version)
    if (!current && !mayExist(target, switchPaths)) return []
    const { name, label, latest } = version
    return [{ name, label, latest, current, href: links.page(target) }]
  })
  const latest = own.version.latest ? null : latestVersion(all)
  const link = versions.find((version) => version.latest)?.href ?? null
  return { versions, latestVersion: latest && { label: latest.label, href: link }, searchScope }
}

function languageViews(
  locales: readonly Locale[],
  path: string | null,
  { locale, translations, switchPaths }: InLanguage,
  links: Links,
): readonly LanguageView[] {
  const views = locales.flatMap((other): readonly LanguageView[] => {
    const { code, label, dir } = other
    const current = code === locale?.code
    const same = current ? path : translations.find((translation) => translation.locale === code)?.path
    if (same === undefined && !mayExist(homePath(other), switchPaths)) return []
    return [{ code, label, dir, current, href: links.page(same ?? homePath(other)) }]
  })
  return views.length < 2 ? [] : views
}

function mayExist(path: string, existing: readonly string[] | undefined): boolean {
  return existing === undefined || existing.includes(path)
}

/** Context of the links of a setting. */
interface Around {
  /** Path of the document; null when no link can be the current one. */
  readonly path: string | null
  readonly rendering: Rendering
  /** Pages in place of the written ones, and pages in another language, by path. */
  readonly pages: Readonly<Record<string, LinkedPage>>
}

const NO_PAGES: Around['pages'] = {}

interface Target {
  /** The address, in the form that authors write. */
  readonly address: string
  readonly hreflang: string | null
}

/** Returns the target of a link on the document. Query and fragment stay. */
function targetOf(raw: string, { pages }: Around): Target {
  const path = pages === NO_PAGES ? null : pagePath(raw)
  const page = path !== null && Object.hasOwn(pages, path) ? pages[path] : undefined
  if (path === null || page === undefined) return { address: raw, hreflang: null }
  const rest = raw.trim().replace(/^[^?#]*/, '')
  return { address: page.path === path ? raw : page.path + rest, hreflang: page.hreflang ?? null }
}

function announcementView({ text, href, until }: Announcement, around: Around): SiteView['announcement'] {
  if (text.trim() === '') return null
  const { address, hreflang } = href === undefined ? NO_TARGET : targetOf(href, around)
  return {
    text,
    href: address === null ? null : around.rendering.url(address, 'link', 'announcement.href'),
    external: href !== undefined && isExternalUrl(href),
    hreflang,
    until: until ?? null,
  }
}

const NO_TARGET = { address: null, hreflang: null }

/** Empty for an entry without a link that may be printed. */
function navViews(entry: NavEntry, at: string, around: Around): readonly NavLinkView[] {
  if (!('links' in entry))
    return linkViews(entry, at, around).map((link) => ({
      ...link,
      style: entry.style ?? 'link',
      links: [],
    }))
  const links = entry.links.flatMap((link, index) =>
    linkViews(link, `${at}.links[${index}]`, around).map((view) => ({
      ...view,
      description: link.description ?? null,
    })),
  )
  const [first] = links
  if (first === undefined) return []
  const current = links.some((link) => link.current)
  const { href, hreflang } = first
  return [
    { label: entry.label, href, hreflang, external: false, current, iconHtml: null, style: 'link', links },
  ]
}

/** A link without its own name or mark gets them from its service, or the ones of any site. */
function socialViews({ href: raw, label, icon }: SocialLink, at: string, around: Around): SocialLinkView[] {
  const { rendering } = around
  const { address, hreflang } = targetOf(raw, around)
  const href = rendering.url(address, 'link', `${at}.href`)
  if (href === null) return []
  const service = serviceOf(raw)
  const { iconHtml } = iconView({ icon: icon ?? null }, at, rendering)
  return [
    {
      href,
      label: label ?? service?.title ?? raw.replace(/^https?:\/\/(www\.)?/, ''),
      iconHtml: iconHtml ?? service?.iconHtml ?? drawnIcon('globe') ?? '',
      hreflang,
    },
  ]
}

type LinkInput = Pick<NavLink, 'label' | 'href' | 'external' | 'icon'>

function linkViews({ label, href: raw, external, icon }: LinkInput, at: string, around: Around): LinkView[] {
  const { path, rendering } = around
  const { address, hreflang } = targetOf(raw, around)
  const href = rendering.url(address, 'link', `${at}.href`)
  if (href === null) return []
  return [
    {
      label,
      href,
      external: external ?? isExternalUrl(raw),
      current: !address.includes('#') && isCurrent(pagePath(address), path),
      iconHtml: iconView({ icon: icon ?? null }, at, rendering).iconHtml,
      hreflang,
    },
  ]
}

/** True when the document is the link's target or below it. */
function isCurrent(target: string | null, path: string | null): boolean {
  if (target === null || path === null) return false
  return target === path || (target !== '/' && path.startsWith(`${target}/`))
}

type FooterGroup = SiteView['footer']['groups'][number]

/** The written groups, then a group of the links that are in none. */
function footerGroups(entries: readonly JsonValue[], around: Around): FooterGroup[] {
  const titled: FooterGroup[] = []
  const loose: LinkView[] = []
  for (const [index, entry] of entries.entries()) {
    if (!isJsonObject(entry)) continue
    const at = `shared_footer.links[${index}]`
    const { links } = entry
    if (Array.isArray(links)) {
      titled.push({
        title: firstText(entry, ['title', 'label']),
        links: links.flatMap((link, place) => writtenLinkViews(link, `${at}.links[${place}]`, around)),
      })
    } else loose.push(...writtenLinkViews(entry, at, around))
  }
  return [...titled, { title: null, links: loose }].filter(({ links }) => links.length > 0)
}

function writtenLinkViews(value: JsonValue, at: string, around: Around): LinkView[] {
  if (!isJsonObject(value)) return []
  const label = firstText(value, ['label', 'text', 'title'])
  const href = firstText(value, ['href', 'url', 'link'])
  if (label === null || href === null) return []
  const external = typeof value['external'] === 'boolean' ? value['external'] : undefined
  const icon = firstText(value, ['icon']) ?? undefined
  return linkViews({ label, href, external, icon }, at, around)
}

function firstText(object: JsonObject, names: readonly string[]): string | null {
  const texts = names.map((name) => object[name])
  return texts.find((text) => typeof text === 'string' && text !== '')?.toString() ?? null
}

function orNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text
}
