import { isJsonObject, type JsonObject, parsedJson } from '../../domain/json.ts'
import { MAX_DESCRIPTION_LENGTH } from '../../domain/page-limits.ts'
import { distinctTags, isTagName, MAX_TAGS } from '../../domain/tag.ts'
import { defined } from '../config/source-config.ts'
import type { EntryLoss, EntryOutline, ExportedEntry } from '../exports/exported-site.ts'
import { firstCharacters } from '../page/field-text.ts'
import { postContent } from './content.ts'
import { postDate } from './post-date.ts'
import { childText, metaOf, type WxrElement } from './read-wxr.ts'
import { isCustomTaxonomy, outlineOf, plainText, type WordpressTables } from './tables.ts'

/** The category of posts without one. */
export const NO_CATEGORY = 'uncategorized'
/** Fields of WordPress, of its editors and of caches, which are no content. */
const DRAWING =
  /^(?:_edit_|_wp_|_thumbnail_id$|_pingme|_encloseme|_oembed_|footnotes$|_yoast_wpseo_|_elementor_|_jetpack_|_publicize_|_last_|jabber_|_mc4wp|_menu_item|_genesis|rank_math_|_aioseo|_links_to|_wpas_|_starter|_customize|_et_|_dp_|hide_|_)/

/** The number of a footnote. */
const NOTE_MARK = /<sup\b[^<>]*\bclass="fn"[^<>]*>(?:(?!<\/sup>)[\s\S]){0,500}<\/sup>/g

/** Names of the categories of a post, with those above them: their lists have the post as well. */
function categoryNames(slugs: readonly string[], { categories }: WordpressTables): readonly string[] {
  return slugs.flatMap((slug) => {
    const names: string[] = []
    for (let at = categories.get(slug); at !== undefined && names.length < 10; at = categories.get(at.parent))
      names.push(at.name)
    return names
  })
}

/** An item with its text as a page of the new folder. */
export function wordpressEntry(
  element: WxrElement,
  outline: EntryOutline,
  tables: WordpressTables,
): ExportedEntry {
  const { id } = outlineOf(element)
  const meta = metaOf(element)
  const losses: EntryLoss[] = []
  const picturesOf = (ids: readonly string[] | null) =>
    ids === null
      ? [...tables.attachments.values()].filter(({ parent }) => parent === id)
      : ids.flatMap((each) => tables.attachments.get(each) ?? [])
  const content = postContent(
    childText(element, 'content:encoded'),
    picturesOf,
    (block) => tables.blocks.get(block) ?? null,
  )
  for (const [name, count] of content.drawn)
    losses.push(
      notConverted(`The block \`wp:${name}\`${times(count)} is left out: WordPress fills it for each visit.`),
    )
  for (const [name, count] of content.unknown)
    losses.push({
      code: 'QN-PARTLY-CONVERTED',
      message: `The shortcode \`[${name}]\`${times(count)} is left out: a plugin fills it. The text inside stays.`,
    })
  const custom = [...meta.keys()].filter((name) => !DRAWING.test(name))
  if (custom.length > 0)
    losses.push(
      notConverted(
        `Custom fields are left out: ${custom
          .slice(0, 10)
          .map((name) => `\`${name}\``)
          .join(', ')}.`,
      ),
    )
  const terms = termsOf(element, tables)
  const kept = distinctTags(terms.filter(isTagName)).slice(0, MAX_TAGS)
  if (kept.length < distinctTags(terms).length)
    losses.push(
      notConverted(
        `${distinctTags(terms).length - kept.length} of its categories and tags are left out: a page has ${MAX_TAGS} tags with names of up to 50 characters.`,
      ),
    )
  const image = tables.attachments.get(meta.get('_thumbnail_id') ?? '')
  const isArticle = outline.type === 'article'
  const login = childText(element, 'dc:creator').trim()
  const date = postDate(childText(element, 'wp:post_date'), childText(element, 'wp:post_date_gmt'))
  const described = searchTexts(meta)
  return {
    ...outline,
    title: plainText(childText(element, 'title')),
    html: content.html,
    footnotes: footnotesIn(meta.get('footnotes') ?? ''),
    losses,
    comments: commentsIn(element),
    terms: defined({
      tags: kept,
      author: (isArticle && authorName(login, tables)) || undefined,
      date: date ?? undefined,
    }),
    fields: defined({
      description: plainText(childText(element, 'excerpt:encoded')) || excerptOf(content.excerpt),
      meta: Object.keys(described).length === 0 ? undefined : described,
      og_image_url: image?.url,
      tags: kept.length === 0 ? undefined : kept,
      ...(isArticle && {
        publish_date: date ?? undefined,
        author: authorName(login, tables) || undefined,
        guid: childText(element, 'guid').trim() || undefined,
      }),
      config:
        isArticle && image !== undefined && image.alt !== ''
          ? { image: { src: image.url, alt: image.alt } }
          : undefined,
    }),
  }
}

/** The text before the mark of an excerpt, as far as a description holds it: the page has all of it. */
function excerptOf(html: string | null): string | undefined {
  return html === null
    ? undefined
    : firstCharacters(plainText(html.replace(NOTE_MARK, '')), MAX_DESCRIPTION_LENGTH) || undefined
}

function authorName(login: string, { authors }: WordpressTables): string {
  return authors.get(login)?.name ?? login
}

function termsOf(element: WxrElement, tables: WordpressTables): readonly string[] {
  const own = element.children.filter(({ name }) => name === 'category')
  const slugs = own
    .filter(({ attributes }) => attributes['domain'] === 'category')
    .map(({ attributes }) => attributes['nicename'] ?? '')
  const tags = own
    .filter(({ attributes }) => /^(?:post_)?tag$/.test(attributes['domain'] ?? ''))
    .map(({ text }) => plainText(text))
  const named = slugs.filter((slug) => slug !== NO_CATEGORY)
  const known = categoryNames(named, tables)
  const others = own
    .filter(
      ({ attributes: { domain, nicename = '' } }) =>
        domain === 'category' && nicename !== NO_CATEGORY && !tables.categories.has(nicename),
    )
    .map(({ text }) => plainText(text))
  const custom = own
    .filter(({ attributes }) => isCustomTaxonomy(attributes['domain'] ?? ''))
    .map(({ text }) => plainText(text))
  return [...known, ...others, ...tags, ...custom]
}

/** Titles and descriptions for search engines, as plugins store them. Templates of titles are left out. */
function searchTexts(meta: ReadonlyMap<string, string>): JsonObject {
  const first = (...names: readonly string[]) =>
    names.map((name) => meta.get(name)?.trim() ?? '').find((text) => text !== '' && !text.includes('%'))
  return defined({
    title: first('_yoast_wpseo_title', 'rank_math_title', '_aioseo_title'),
    description: first('_yoast_wpseo_metadesc', 'rank_math_description', '_aioseo_description'),
  })
}

/** Footnotes of the editor of blocks: JSON next to the text. */
function footnotesIn(json: string): ReadonlyMap<string, string> {
  const notes = parsedJson(json)
  return new Map(
    (Array.isArray(notes) ? notes : []).flatMap((note): [string, string][] =>
      isJsonObject(note) ? [[String(note['id']), String(note['content'] ?? '')]] : [],
    ),
  )
}

/** Approved comments of people, without their mail and IP addresses. */
function commentsIn({ children }: WxrElement): readonly JsonObject[] {
  return children
    .filter((child) => child.name === 'wp:comment')
    .filter(
      (comment) =>
        childText(comment, 'wp:comment_approved').trim() === '1' &&
        /^(?:comment)?$/.test(childText(comment, 'wp:comment_type').trim()),
    )
    .map((comment) =>
      defined({
        id: childText(comment, 'wp:comment_id').trim(),
        parent: childText(comment, 'wp:comment_parent').trim().replace(/^0$/, '') || undefined,
        author: childText(comment, 'wp:comment_author').trim(),
        url: childText(comment, 'wp:comment_author_url').trim() || undefined,
        date:
          postDate(childText(comment, 'wp:comment_date'), childText(comment, 'wp:comment_date_gmt')) ??
          undefined,
        text: childText(comment, 'wp:comment_content').trim(),
      }),
    )
}

function times(count: number): string {
  return count === 1 ? '' : `, ${count} times,`
}

function notConverted(message: string): EntryLoss {
  return { code: 'QN-NOT-CONVERTED', message }
}
