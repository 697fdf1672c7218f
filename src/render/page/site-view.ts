import type { Announcement } from '../../domain/announcement.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { frontPath, type Locale, localeAt, localesOf, type Translation } from '../../domain/locale.ts'
import type { NavEntry, NavLink, SocialLink } from '../../domain/settings.ts'
import { latestVersion, pathInVersion, versionAt, versionFront, versionsOf } from '../../domain/version.ts'
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
  /** Null on a site without locales. */
  readonly locale: Locale | null
  readonly translations: readonly Translation[]
  /** Those of the paths of `switchPaths` that exist; absent where it is not known, as for lists. */
  readonly switchPaths?: readonly string[]
}

/**
 * @param path of the document; null when no link can be the current one.
 * @param language by default that of the path, without translations.
 */
export function siteView(
  { site, settings }: Site,
  path: string | null,
  { search, searchStyle, stemmer }: SearchAssets,
  rendering: Rendering,
  language: InLanguage = { locale: localeAt(path ?? '/', localesOf(settings)), translations: [] },
): SiteView {
  const { links } = rendering
  return {
    name: site.name,
    filesHref: assetsHref(links),
    href: hrefIn(links),
    data: settings.data,
    markdown: markdownIn(rendering, 'text'),
    homeHref: links.page(language.locale === null ? '/' : frontPath(language.locale)),
    rootHref: links.page('/'),
    ...versionViews(path, settings, language, links),
    languages: languageViews(localesOf(settings), path, language, links),
    search: {
      script: links.file(search.key),
      style: links.file(searchStyle.key),
      stemmer: stemmer === null ? null : links.file(stemmer.key),
    },
    logo: settings.logoUrl === null ? null : rendering.url(settings.logoUrl, 'image', 'logo'),
    logoDark: darkLogo(settings, rendering),
    mark: settings.faviconUrl === null ? null : authorHref(settings.faviconUrl, links, 'image'),
    announcement: announcementView(settings.announcement, rendering),
    navLinks: settings.navLinks.flatMap((entry, index) =>
      navViews(entry, `nav_links[${index}]`, path, rendering),
    ),
    footer: {
      text: orNull(settings.footerText),
      copyright: orNull(settings.sharedFooter.copyright),
      groups: footerGroups(settings.sharedFooter.links, path, rendering),
      social: (settings.sharedFooter.social ?? []).flatMap((link, index) =>
        socialViews(link, `shared_footer.social[${index}]`, rendering),
      ),
      legal: (settings.sharedFooter.legal ?? []).flatMap((link, index) =>
        linkViews(link, `shared_footer.legal[${index}]`, path, rendering),
      ),
    },
  }
}

/** Null without a logo, too. */
function darkLogo({ logoUrl, logoDarkUrl = null }: Site['settings'], rendering: Rendering): string | null {
  return logoUrl === null || logoDarkUrl === null ? null : rendering.url(logoDarkUrl, 'image', 'logo_dark')
}

function versionViews(
  path: string | null,
  settings: Site['settings'],
  { locale, switchPaths }: InLanguage,
  links: Links,
): Pick<SiteView, 'versions' | 'latestVersion' | 'searchScope'> {
  const all = versionsOf(settings)
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
    if (same === undefined && !mayExist(frontPath(other), switchPaths)) return []
    return [{ code, label, dir, current, href: links.page(same ?? frontPath(other)) }]
  })
  return views.length < 2 ? [] : views
}

function mayExist(path: string, existing: readonly string[] | undefined): boolean {
  return existing === undefined || existing.includes(path)
}

function announcementView(
  { text, href, until }: Announcement,
  rendering: Rendering,
): SiteView['announcement'] {
  if (text.trim() === '') return null
  return {
    text,
    href: href === undefined ? null : rendering.url(href, 'link', 'announcement.href'),
    external: href !== undefined && isExternalUrl(href),
    until: until ?? null,
  }
}

/** Empty for an entry without a link that may be printed. */
function navViews(
  entry: NavEntry,
  at: string,
  path: string | null,
  rendering: Rendering,
): readonly NavLinkView[] {
  if (!('links' in entry))
    return linkViews(entry, at, path, rendering).map((link) => ({
      ...link,
      style: entry.style ?? 'link',
      links: [],
    }))
  const links = entry.links.flatMap((link, index) =>
    linkViews(link, `${at}.links[${index}]`, path, rendering).map((view) => ({
      ...view,
      description: link.description ?? null,
    })),
  )
  const [first] = links
  if (first === undefined) return []
  const current = links.some((link) => link.current)
  return [
    { label: entry.label, href: first.href, external: false, current, iconHtml: null, style: 'link', links },
  ]
}

/** A link without a name or a mark of its own has those of the service that it leads to, or those of any site. */
function socialViews(
  { href: raw, label, icon }: SocialLink,
  at: string,
  rendering: Rendering,
): SocialLinkView[] {
  const href = rendering.url(raw, 'link', `${at}.href`)
  if (href === null) return []
  const service = serviceOf(raw)
  const { iconHtml } = iconView({ icon: icon ?? null }, at, rendering)
  return [
    {
      href,
      label: label ?? service?.title ?? raw.replace(/^https?:\/\/(www\.)?/, ''),
      iconHtml: iconHtml ?? service?.iconHtml ?? drawnIcon('globe') ?? '',
    },
  ]
}

type LinkInput = Pick<NavLink, 'label' | 'href' | 'external' | 'icon'>

function linkViews(
  { label, href: raw, external, icon }: LinkInput,
  at: string,
  path: string | null,
  rendering: Rendering,
): LinkView[] {
  const href = rendering.url(raw, 'link', `${at}.href`)
  if (href === null) return []
  return [
    {
      label,
      href,
      external: external ?? isExternalUrl(raw),
      current: !raw.includes('#') && isCurrent(pagePath(raw), path),
      iconHtml: iconView({ icon: icon ?? null }, at, rendering).iconHtml,
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
function footerGroups(
  entries: readonly JsonValue[],
  path: string | null,
  rendering: Rendering,
): FooterGroup[] {
  const titled: FooterGroup[] = []
  const loose: LinkView[] = []
  for (const [index, entry] of entries.entries()) {
    if (!isJsonObject(entry)) continue
    const at = `shared_footer.links[${index}]`
    const { links } = entry
    if (Array.isArray(links)) {
      titled.push({
        title: firstText(entry, ['title', 'label']),
        links: links.flatMap((link, place) =>
          writtenLinkViews(link, `${at}.links[${place}]`, path, rendering),
        ),
      })
    } else loose.push(...writtenLinkViews(entry, at, path, rendering))
  }
  return [...titled, { title: null, links: loose }].filter(({ links }) => links.length > 0)
}

function writtenLinkViews(
  value: JsonValue,
  at: string,
  path: string | null,
  rendering: Rendering,
): LinkView[] {
  if (!isJsonObject(value)) return []
  const label = firstText(value, ['label', 'text', 'title'])
  const href = firstText(value, ['href', 'url', 'link'])
  if (label === null || href === null) return []
  const external = typeof value['external'] === 'boolean' ? value['external'] : undefined
  const icon = firstText(value, ['icon']) ?? undefined
  return linkViews({ label, href, external, icon }, at, path, rendering)
}

function firstText(object: JsonObject, names: readonly string[]): string | null {
  const texts = names.map((name) => object[name])
  return texts.find((text) => typeof text === 'string' && text !== '')?.toString() ?? null
}

function orNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text
}
