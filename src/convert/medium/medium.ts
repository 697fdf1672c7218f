import { join } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { tagAddress } from '../../domain/tag.ts'
import { defined } from '../config/source-config.ts'
import { isFolder } from '../exports/export-kind.ts'
import type { EntryOutline, ExportedEntry, ExportedSite } from '../exports/exported-site.ts'
import { postFiles, postText } from '../exports/post-files.ts'
import { describedAuthors } from '../page/site-authors.ts'
import { mediumHtml } from './body.ts'
import { type MediumPost, readMediumPost } from './post.ts'

/** Folders of an export about the account and about texts of other people. */
const OTHERS = [
  'blocks',
  'bookmarks',
  'claps',
  'highlights',
  'interests',
  'ips',
  'lists',
  'partner-program',
  'pubs-following',
  'sessions',
  'topics-following',
  'twitter',
  'users-following',
]

/** A post without its text. */
interface PostOutline extends EntryOutline, Pick<MediumPost, 'canonical' | 'author'> {
  readonly number: string
}

/** An export of Medium: a folder with a page of HTML for each post. */
export function readMedium(folder: string): ExportedSite {
  const diagnostics: Diagnostic[] = []
  const posts = postFiles(folder).flatMap((name) => {
    const post = readPost(folder, name)
    if (post === null)
      diagnostics.push(
        diagnostic('QN-SOURCE-UNREADABLE', `posts/${name}`, 'It is no post, or too large. It is left out.'),
      )
    return post === null ? [] : [outlineOf(name, post)]
  })
  const hosts = new Set(posts.flatMap(({ canonical }) => (canonical === null ? [] : [canonical.origin])))
  const [origin = null] = hosts
  // Posts of one account may be in several publications. Addresses of a domain of one's own stay what they are.
  const url = hosts.size === 1 && origin !== null && !isOfMedium(new URL(origin).hostname) ? origin : null
  const outlines = posts.map((post) => ({ ...post, address: addressOf(post, url) }))
  const byNumber = new Map(outlines.map(({ number, address }) => [number, address]))
  const known = new Map(outlines.map((outline) => [outline.id, outline]))
  return {
    name: 'medium',
    title: 'Medium',
    file: 'posts',
    url,
    fields: defined({ url: url ?? undefined }),
    outlines,
    lists: { feeds: new Map(url === null ? [] : [['/feed', '']]), terms: [] },
    redirects: new Map(),
    authors: writers(posts),
    menus: [],
    uploads: [],
    imageHosts: /^https:\/\/(?:cdn-images-\d+|miro)\.medium\.com\//,
    diagnostics: [...diagnostics, ...otherFolders(folder)],
    entries: function* (): Generator<ExportedEntry> {
      for (const [name, outline] of known) {
        const post = readPost(folder, name)
        if (post !== null) yield entryOf(outline, post, ownAddress)
      }
    },
  }

  function ownAddress(link: string): string | null {
    const target = parseUrl(link)
    if (target === null) return null
    const { origin: host, hostname, pathname, hash } = target
    const number = /(?:-|\/p\/)([\da-f]{8,16})$/.exec(pathname)?.[1]
    const address = number === undefined ? undefined : byNumber.get(number)
    return address !== undefined && (host === url || isOfMedium(hostname)) ? `${address}${hash}` : null
  }
}

function readPost(folder: string, name: string): MediumPost | null {
  const text = postText(folder, name)
  return text === null ? null : readMediumPost(name, text)
}

function outlineOf(name: string, post: MediumPost): PostOutline {
  const isDraft = post.canonical === null || name.startsWith('draft_')
  return {
    id: name,
    number: post.id,
    line: null,
    type: 'article',
    // Without the date, and without the word that begins the names of drafts.
    address: `/${name.replace(/^(?:draft|\d{4}-\d\d-\d\d)_|\.html$/g, '').toLowerCase()}`,
    canonical: post.canonical,
    author: post.author,
    ...(isDraft && { hidden: 'It is a draft.' }),
  }
}

/** The path on a domain of one's own. Elsewhere the last part, without the name of the account or publication. */
function addressOf({ canonical, address }: PostOutline, url: string | null): string {
  if (canonical === null) return address
  return url === null ? `/${canonical.pathname.split('/').at(-1) ?? ''}` : canonical.pathname
}

function isOfMedium(hostname: string): boolean {
  return hostname === 'medium.com' || hostname.endsWith('.medium.com')
}

function entryOf(
  outline: PostOutline,
  post: MediumPost,
  ownAddress: (link: string) => string | null,
): ExportedEntry {
  return {
    ...outline,
    title: post.title,
    html: mediumHtml(post, ownAddress),
    losses: [],
    fields: defined({
      description: post.subtitle || undefined,
      publish_date: post.date ?? undefined,
      author: post.author.name || undefined,
      // Source: the feeds of Medium.
      guid: post.id === '' ? undefined : `https://medium.com/p/${post.id}`,
    }),
  }
}

function writers(posts: readonly PostOutline[]): JsonObject {
  const rows = posts.map(({ author }): [string, JsonObject] => [
    tagAddress(author.name),
    defined({ name: author.name || undefined, url: author.url || undefined }),
  ])
  return describedAuthors(Object.fromEntries(rows))
}

function otherFolders(folder: string): readonly Diagnostic[] {
  const found = OTHERS.filter((name) => isFolder(join(folder, name)))
  const message = 'It is left out: it is about your account, not about your posts.'
  return found.map((name) => diagnostic('QN-NOT-CONVERTED', name, message))
}
