import { basename } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue, parsedJson } from '../../domain/json.ts'
import { tagAddress } from '../../domain/tag.ts'
import { brandingOf, listOf, navLink, textOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { EntryOutline, ExportedEntry, ExportedSite } from '../exports/exported-site.ts'
import { jsonItems } from '../exports/read-json.ts'
import { describedAuthors } from '../page/site-authors.ts'
import { authorsOf, ghostEntry, publicTags } from './entry.ts'
import { ghostRedirects } from './redirects.ts'
import { type GhostRoutes, ghostRoutes } from './routes.ts'
import { type GhostTables, pathsOf, readGhostTables } from './tables.ts'
import { zonedDate } from './zoned-date.ts'

/**
 * An export of Ghost: a JSON file with the tables of the site.
 *
 * @param besideText reads a file next to the export. Null when there is none.
 */
export function readGhost(path: string, besideText: (name: string) => string | null): ExportedSite {
  const tables = readGhostTables(path)
  const { settings } = tables
  const file = basename(path)
  const zone = textOf(settings.get('timezone') ?? settings.get('active_timezone')) ?? 'Etc/UTC'
  const routes = ghostRoutes(besideText('routes.yaml'), settings.get('permalinks'))
  const redirects = redirectsBeside(besideText)
  const outlines = tables.posts.map((post) => outlineOf(post, tables, routes, zone))
  const known = new Map(outlines.map((outline) => [outline.id, outline]))
  const diagnostics = [
    ...routes.diagnostics,
    ...redirects.diagnostics,
    ...otherTables(tables, file),
    ...settingLosses(settings, file),
  ]
  const links = [linksIn(settings.get('navigation')), linksIn(settings.get('secondary_navigation'))]
  const [header = [], footer = []] = links
  return {
    name: 'ghost',
    title: 'Ghost',
    file,
    url: null,
    fields: defined({
      name: textOf(settings.get('title')) ?? undefined,
      meta_description: textOf(settings.get('description')),
      branding: brandingWith(settings),
      logo: imageAt(settings.get('logo')),
      favicon_url: imageAt(settings.get('icon')),
      og_image_url: imageAt(settings.get('og_image') ?? settings.get('cover_image')),
      nav_links: header.length === 0 ? undefined : header,
      shared_footer: footer.length === 0 ? undefined : { links: footer },
      time_zone: zone === 'Etc/UTC' ? undefined : zone,
    }),
    outlines,
    lists: {
      feeds: new Map([['/rss/', '']]),
      terms: [
        { field: 'tags', pathsOf: (term) => termPaths(routes.tagAddress(slugOf(term, tables.tags))) },
        { field: 'author', pathsOf: (term) => termPaths(routes.authorAddress(slugOf(term, tables.users))) },
      ],
    },
    redirects: redirects.redirects,
    authors: writers(tables),
    menus: [...header, ...footer].flatMap(({ label }) => textOf(label) ?? []),
    uploads: [],
    diagnostics,
    entries: function* (): Generator<ExportedEntry> {
      for (const { value } of jsonItems(path, pathsOf('posts'))) {
        const outline = isJsonObject(value) ? known.get(String(value['id'] ?? '')) : undefined
        if (outline !== undefined && isJsonObject(value))
          yield ghostEntry(value, outline, tables, { zone, addressOf: siteFile })
      }
    },
  }
}

/** A file of the site by its path: exports do not say the address of the site. */
function siteFile(address: string): string {
  return address.startsWith('__GHOST_URL__') ? address.slice('__GHOST_URL__'.length) : address
}

function imageAt(value: JsonValue | undefined): string | undefined {
  const address = textOf(value)
  return address === undefined ? undefined : siteFile(address)
}

function outlineOf(post: JsonObject, tables: GhostTables, routes: GhostRoutes, zone: string): EntryOutline {
  const id = String(post['id'] ?? '')
  const slug = textOf(post['slug']) ?? id
  const isPage = post['type'] === 'page' || post['page'] === 1 || post['page'] === true
  const hidden = reasonToHide(post, tables.meta.get(id))
  const slugs = (rows: readonly JsonObject[]) => rows.flatMap((row) => textOf(row['slug']) ?? [])
  return {
    id,
    line: null,
    type: isPage ? 'page' : 'article',
    address: isPage
      ? `/${slug}/`
      : routes.addressOf({
          id,
          slug,
          date: zonedDate(post['published_at'] ?? post['created_at'], zone),
          tags: slugs(publicTags(id, tables)),
          authors: slugs(authorsOf(post, tables)),
          isFeatured: post['featured'] === 1 || post['featured'] === true,
        }),
    ...(hidden !== null && { hidden }),
  }
}

function reasonToHide(post: JsonObject, meta: JsonObject | undefined): string | null {
  const [status, visibility] = [String(post['status'] ?? 'published'), String(post['visibility'] ?? 'public')]
  if (
    status === 'sent' ||
    post['email_only'] === true ||
    meta?.['email_only'] === true ||
    meta?.['email_only'] === 1
  )
    return 'It was sent by mail only.'
  if (status !== 'published')
    return status === 'scheduled' ? 'It is scheduled.' : `Its status is \`${status}\`.`
  return visibility === 'public' ? null : `Only members can read it (\`visibility\` is \`${visibility}\`).`
}

function redirectsBeside(besideText: (name: string) => string | null) {
  for (const name of ['redirects.yaml', 'redirects.yml', 'redirects.json']) {
    const text = besideText(name)
    if (text !== null) return ghostRedirects(name, text)
  }
  return { redirects: new Map<string, string>(), diagnostics: [] }
}

/** Tables of content that has no place in a site of files. */
function otherTables({ others }: GhostTables, file: string): readonly Diagnostic[] {
  const reasons: Readonly<Record<string, string>> = {
    members: 'members are not taken over: a site has none',
    newsletters: 'newsletters are left out: no mail is sent',
    comments: 'comments are left out: pages show none',
    products: 'tiers of members are left out: a site has none',
  }
  return Object.entries(reasons).flatMap(([table, reason]) => {
    const count = others.get(table) ?? 0
    return count === 0
      ? []
      : [diagnostic('QN-NOT-CONVERTED', file, `${count} rows of \`${table}\`: ${reason}.`)]
  })
}

function settingLosses(settings: GhostTables['settings'], file: string): readonly Diagnostic[] {
  const names = ['codeinjection_head', 'codeinjection_foot', 'ghost_head', 'ghost_foot'].filter(
    (name) => textOf(settings.get(name)) !== undefined,
  )
  const social = ['facebook', 'twitter'].filter((name) => textOf(settings.get(name)) !== undefined)
  return [
    ...social.map((name) =>
      diagnostic(
        'QN-NOT-CONVERTED',
        file,
        `The account \`${name}\` is left out. \`social\` of \`shared_footer\` in site.yaml links to accounts.`,
      ),
    ),
    ...names.map((name) =>
      diagnostic(
        'QN-NOT-CONVERTED',
        file,
        `The setting \`${name}\` is left out. \`custom_head_html\` of site.yaml may hold what the new site needs.`,
      ),
    ),
  ]
}

function brandingWith(settings: GhostTables['settings']): JsonObject | undefined {
  const color = textOf(settings.get('accent_color'))
  const branding = {
    ...(color !== undefined && /^#[\da-f]{6}$/i.test(color) && { primary_color: color }),
    ...brandingOf(settings.get('locale') ?? settings.get('lang') ?? settings.get('default_locale')),
  }
  return Object.keys(branding).length === 0 ? undefined : branding
}

/** Links of a menu, which is JSON in a text. */
function linksIn(value: JsonValue | undefined): readonly JsonObject[] {
  const text = textOf(value)
  const read = text === undefined ? value : parsedJson(text)
  return listOf(read ?? undefined).flatMap(({ label, url }) => {
    const link = navLink(label, siteFile(textOf(url) ?? ''))
    return link === null ? [] : [link]
  })
}

function termPaths(list: string): { readonly list: string; readonly feeds: readonly string[] } {
  return { list, feeds: [`${list.replace(/\/$/, '')}/rss/`] }
}

function slugOf(name: string, rows: ReadonlyMap<string, JsonObject>): string {
  const row = [...rows.values()].find((each) => textOf(each['name']) === name)
  return textOf(row?.['slug']) ?? tagAddress(name)
}

/** Users who wrote something, without their mail addresses. */
function writers(tables: GhostTables): JsonObject {
  const used = new Set(tables.posts.flatMap((post) => authorsOf(post, tables).slice(0, 1)))
  const rows = [...used].map((user): [string, JsonObject] => [
    tagAddress(String(user['name'])) || String(user['slug']),
    defined({
      name: textOf(user['name']),
      description: textOf(user['bio']),
      image_url: imageAt(user['profile_image'] ?? user['image']),
      url: textOf(user['website']),
    }),
  ])
  return describedAuthors(Object.fromEntries(rows))
}
