import { readdirSync } from 'node:fs'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { defined } from '../config/source-config.ts'
import type { EntryOutline, ExportedEntry, ExportedSite } from '../exports/exported-site.ts'
import { postFiles, postText } from '../exports/post-files.ts'
import { escapeHtml } from '../html/escape-html.ts'
import { isPublished, readPostRows, type SubstackRow } from './post-rows.ts'

/** A row with the place of its post. */
interface Post {
  readonly row: SubstackRow
  readonly slug: string
  readonly outline: EntryOutline
}

/** The address of a link to a post of any publication. */
const POST_LINK = /https:\/\/([\w.-]{4,253})\/p\/([\w-]{1,200})/g

/** Hosts of pictures, of all years. */
const IMAGES =
  /^https:\/\/(?:substackcdn\.com|cdn\.substack\.com|substack-post-media\.s3|bucketeer-[\w-]+\.s3)[./]/

/** An export of Substack: a folder with the table of its posts, and a file of HTML for each. */
export function readSubstack(folder: string): ExportedSite {
  const rows = readPostRows(folder)
  const files = new Set(postFiles(folder))
  const posts = rows.map(postOf)
  const missing = posts.filter(({ row }) => isPublished(row) && !files.has(fileOf(row)))
  const shown = posts.filter((post) => !missing.includes(post))
  const host = ownHost(folder, posts)
  return {
    name: 'substack',
    title: 'Substack',
    file: 'posts.csv',
    url: host === null ? null : `https://${host}`,
    fields: defined({
      url: host === null || host.endsWith('.substack.com') ? undefined : `https://${host}`,
    }),
    outlines: shown.map(({ outline }) => outline),
    lists: { feeds: new Map([['/feed', '']]), terms: [] },
    redirects: new Map(),
    authors: {},
    menus: [],
    uploads: [],
    imageHosts: IMAGES,
    diagnostics: [...missing.map(({ row }) => unreadable(row)), ...subscribers(folder)],
    entries: function* (): Generator<ExportedEntry> {
      for (const post of shown) yield entryOf(post, postText(folder, fileOf(post.row)) ?? '', host)
    },
  }
}

function postOf(row: SubstackRow): Post {
  const [number = '', ...rest] = row.post_id.split('.')
  const slug = rest.join('.') || `post-${number}`
  const hidden = reasonToHide(row)
  return {
    row,
    slug,
    outline: {
      id: row.post_id,
      line: null,
      type: 'article',
      address: `/p/${slug}`,
      ...(hidden !== null && { hidden }),
    },
  }
}

function fileOf({ post_id }: SubstackRow): string {
  return `${post_id}.html`
}

function reasonToHide(row: SubstackRow): string | null {
  if (!isPublished(row)) return 'It is a draft.'
  return row.audience === 'everyone' || row.audience === ''
    ? null
    : `Only subscribers can read it (\`audience\` is \`${row.audience}\`).`
}

/**
 * Finds the host of the publication. Its export does not say it: it is the host with links to most posts of the export,
 * and to two at least. Null when there is none.
 */
function ownHost(folder: string, posts: readonly Post[]): string | null {
  const slugs = new Set(posts.map(({ slug }) => slug))
  const named = new Map<string, Set<string>>()
  for (const { row } of posts) {
    for (const [, host = '', slug = ''] of (postText(folder, fileOf(row)) ?? '').matchAll(POST_LINK))
      if (slugs.has(slug)) named.set(host, (named.get(host) ?? new Set()).add(slug))
  }
  const [best] = [...named].toSorted(([, one], [, other]) => other.size - one.size)
  return best !== undefined && best[1].size > 1 ? best[0].toLowerCase() : null
}

function entryOf({ row, slug, outline }: Post, html: string, host: string | null): ExportedEntry {
  const sound = /^https:\/\/\S+$/.test(row.podcast_url)
    ? `<audio src="${escapeHtml(row.podcast_url)}"></audio>`
    : ''
  return {
    ...outline,
    title: row.title,
    html: sound + html,
    losses: [],
    fields: defined({
      description: row.subtitle || undefined,
      publish_date: dateOf(row.post_date),
      // The feeds of Substack name posts by their addresses.
      guid: host === null ? undefined : `https://${host}/p/${slug}`,
    }),
  }
}

function dateOf(text: string): string | undefined {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function unreadable({ post_id }: SubstackRow): Diagnostic {
  const message = 'Its text is not in the export, or larger than 16 MiB. It is left out.'
  return diagnostic('QN-SOURCE-UNREADABLE', `posts/${post_id}.html`, message)
}

function subscribers(folder: string): readonly Diagnostic[] {
  const lists = readdirSync(folder).filter((name) => /^(?:email_list|subscriber).*\.csv$/.test(name))
  const message = 'Subscribers are left out: no mail is sent.'
  return lists.map((name) => diagnostic('QN-NOT-CONVERTED', name, message))
}
