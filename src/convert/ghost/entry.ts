import { isWebAddress } from '../../domain/author-url.ts'
import type { JsonObject } from '../../domain/json.ts'
import { distinctTags, isTagName, MAX_TAGS } from '../../domain/tag.ts'
import { textOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { EntryLoss, EntryOutline, ExportedEntry } from '../exports/exported-site.ts'
import { editorDocument, lexicalHtml } from './lexical.ts'
import { mobiledocHtml } from './mobiledoc.ts'
import type { GhostTables } from './tables.ts'
import { zonedDate } from './zoned-date.ts'

/** Tags whose names begin with a number sign are for the editors alone. */
export function publicTags(post: string, { tags, tagsOf }: GhostTables): readonly JsonObject[] {
  return (tagsOf.get(post) ?? []).flatMap((id): readonly JsonObject[] => {
    const tag = tags.get(id)
    const isInternal =
      tag === undefined || tag['visibility'] === 'internal' || /^#/.test(textOf(tag['name']) ?? '#')
    return isInternal ? [] : [tag]
  })
}

export function authorsOf(
  post: JsonObject,
  { users, authorsOf: related }: GhostTables,
): readonly JsonObject[] {
  const ids = related.get(String(post['id'])) ?? [String(post['author_id'] ?? '')]
  return ids.flatMap((id): readonly JsonObject[] => {
    const user = users.get(id)
    return user === undefined ? [] : [user]
  })
}

/** A row of a post with its text. @param zone of the site. @param addressOf a file of the site in the new one. */
export function ghostEntry(
  row: JsonObject,
  outline: EntryOutline,
  tables: GhostTables,
  { zone, addressOf }: { readonly zone: string; readonly addressOf: (file: string) => string },
): ExportedEntry {
  const id = String(row['id'] ?? '')
  const post = { ...row, ...withoutEmpty(tables.meta.get(id) ?? {}) }
  const { html, unknown } = textOfPost(post)
  const losses: EntryLoss[] = unknown.map((name) =>
    notConverted(`The card \`${name}\` is left out: it is not known.`),
  )
  const lose = (field: string, reason: string) => {
    if (textOf(post[field]) !== undefined) losses.push(notConverted(`\`${field}\` is left out: ${reason}.`))
  }
  lose('codeinjection_head', 'pages run no code of their own')
  lose('codeinjection_foot', 'pages run no code of their own')
  lose('feature_image_caption', 'the picture of an article has no caption')
  lose('custom_template', 'a theme decides how pages are drawn')
  for (const field of ['og_title', 'og_description', 'twitter_title', 'twitter_description', 'twitter_image'])
    lose(field, 'previews of links have the title, the description and the picture of the page')
  if (textOf(post['feature_image']) !== undefined && post['og_image'] !== post['feature_image'])
    lose('og_image', 'previews of links have the picture of the page')
  const canonical = textOf(post['canonical_url'])
  if (canonical !== undefined)
    losses.push(
      notConverted(`\`canonical_url\` (${canonical}) is left out: a page is its own canonical address.`),
    )
  const names = publicTags(id, tables).map(({ name }) => String(name).trim())
  const kept = distinctTags(names.filter(isTagName)).slice(0, MAX_TAGS)
  if (kept.length < names.length)
    losses.push(
      notConverted(
        `${names.length - kept.length} of its tags are left out: a page has ${MAX_TAGS} tags with names of up to 50 characters.`,
      ),
    )
  const authors = authorsOf(post, tables).flatMap(({ name }) => textOf(name) ?? [])
  if (authors.length > 1 && outline.type === 'article')
    losses.push({
      code: 'QN-PARTLY-CONVERTED',
      message: `The first of ${authors.length} authors stays: an article has one.`,
    })
  const image = textOf(post['feature_image'] ?? post['image'])
  const cover = image === undefined ? undefined : addressOf(image)
  const social = textOf(post['og_image'])
  const alt = textOf(post['feature_image_alt'])
  const isArticle = outline.type === 'article'
  const meta = defined({ title: textOf(post['meta_title']), description: textOf(post['meta_description']) })
  return {
    ...outline,
    title: textOf(post['title']) ?? '',
    html,
    losses,
    fields: defined({
      description: textOf(post['custom_excerpt']),
      meta: Object.keys(meta).length === 0 ? undefined : meta,
      og_image_url: [cover, social && addressOf(social)].find(
        (each) => each !== undefined && isWebAddress(each),
      ),
      tags: kept.length === 0 ? undefined : kept,
      ...(isArticle && {
        publish_date: zonedDate(post['published_at'] ?? post['created_at'], zone) ?? undefined,
        author: authors[0],
        guid: id === '' ? undefined : id,
      }),
      config:
        isArticle && cover !== undefined && alt !== undefined && isWebAddress(cover)
          ? { image: { src: cover, alt } }
          : undefined,
    }),
  }
}

/** HTML of the export. Without it, the HTML of the editor's format. */
function textOfPost(post: JsonObject): { readonly html: string; readonly unknown: readonly string[] } {
  const html = textOf(post['html'])
  if (html !== undefined) return { html, unknown: [] }
  const lexical = editorDocument(textOf(post['lexical']) ?? '')
  if (lexical !== null) return lexicalHtml(lexical)
  const mobiledoc = editorDocument(textOf(post['mobiledoc']) ?? '')
  if (mobiledoc !== null) return mobiledocHtml(mobiledoc)
  return { html: textOf(post['plaintext']) ?? '', unknown: [] }
}

function withoutEmpty(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).filter(([name, value]) => name !== 'id' && value !== null && value !== ''),
  )
}

function notConverted(message: string): EntryLoss {
  return { code: 'QN-NOT-CONVERTED', message }
}
