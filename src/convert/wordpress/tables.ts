import { lineOf } from '../html/elements.ts'
import { parseHtml } from '../html/parse-html.ts'
import { childText, metaOf, type WxrElement, wxrElements } from './read-wxr.ts'
import type { Attachment } from './shortcode-html.ts'

/** A category or a tag. */
export interface Term {
  readonly name: string
  readonly slug: string
  /** The number in `/?cat=3`. */
  readonly id: string
  /** The slug of the category above. Empty for none. */
  readonly parent: string
}

/** Terms of a taxonomy that a theme or a plugin added. */
interface Taxonomy {
  /** Of the first term. */
  readonly line: number
  readonly terms: readonly Term[]
}

export interface Author {
  /** The number in `/?author=1`. */
  readonly id: string
  readonly name: string
  readonly login: string
  readonly bio: string
}

/** An item without its text. */
export interface ItemOutline {
  readonly id: string
  readonly line: number
  readonly kind: string
  readonly status: string
  readonly title: string
  readonly slug: string
  readonly link: string
  readonly parent: string
  readonly hasPassword: boolean
  readonly isEmpty: boolean
  /** Its id in feeds is an address with a query, such as `https://example.com/?p=12`. */
  readonly hasNumberedGuid: boolean
  readonly order: number
  readonly meta: ReadonlyMap<string, string>
  readonly terms: readonly string[]
}

/** A file of the media library, with the page that shows it. */
interface UploadedFile extends Attachment {
  readonly line: number
  /** The address of its page. */
  readonly link: string
  /** The number of the post that it was uploaded to. */
  readonly parent: string
}

/** Everything of an export but the texts of posts. */
export interface WordpressTables {
  /** Fields of the site by their names, e.g. `title` and `wp:base_blog_url`. */
  readonly site: ReadonlyMap<string, string>
  readonly categories: ReadonlyMap<string, Term>
  readonly tags: ReadonlyMap<string, Term>
  /** Terms of themes and plugins, by the names of their taxonomies. */
  readonly taxonomies: ReadonlyMap<string, Taxonomy>
  readonly authors: ReadonlyMap<string, Author>
  readonly items: readonly ItemOutline[]
  readonly attachments: ReadonlyMap<string, UploadedFile>
  /** Texts that several posts share, by their numbers. */
  readonly blocks: ReadonlyMap<string, string>
  /** Menus by their names: the items in order. */
  readonly menus: ReadonlyMap<string, readonly ItemOutline[]>
}

/** Taxonomies of WordPress and of plugins that say how an item is drawn or translated, not what it is about. */
const DRAWING =
  /^(?:category|post_tag|tag|nav_menu|link_category|post_format|wp_.*|elementor_.*|product_(?:type|visibility|shipping_class)|language|(?:post|term)_translations|term_language|author)$/

/** Characters of all texts that posts share. */
const MAX_BLOCKS = 16 * 1024 * 1024
/** Fields of menus that stay in memory, and the picture of a post. */
const MENU_FIELDS = /^_menu_item_/

const NUMBERED = /[?&](?:p|page_id|attachment_id)=\d/

/** Reads an export once. */
export function readWordpressTables(path: string): WordpressTables {
  const site = new Map<string, string>()
  const [categories, tags, authors] = [
    new Map<string, Term>(),
    new Map<string, Term>(),
    new Map<string, Author>(),
  ]
  const taxonomies = new Map<string, { readonly line: number; readonly terms: Term[] }>()
  const items: ItemOutline[] = []
  const attachments = new Map<string, UploadedFile>()
  const blocks = new Map<string, string>()
  const menus = new Map<string, ItemOutline[]>()
  let room = MAX_BLOCKS
  for (const element of wxrElements(path)) {
    if (element.name === 'wp:author') addAuthor(element)
    else if (element.name === 'wp:category')
      addTo(categories, termOf(element, 'wp:category_nicename', 'wp:cat_name', 'wp:category_parent'))
    else if (element.name === 'wp:tag') addTo(tags, termOf(element, 'wp:tag_slug', 'wp:tag_name', ''))
    else if (element.name === 'wp:term') addOther(element)
    else if (element.name === 'item') addItem(element)
    else if (element.children.length === 0 && !site.has(element.name))
      site.set(element.name, element.text.trim())
  }
  const sorted = [...menus].map(
    ([name, all]) => [name, all.toSorted((one, other) => one.order - other.order)] as const,
  )
  return { site, categories, tags, taxonomies, authors, items, attachments, blocks, menus: new Map(sorted) }

  function addAuthor(element: WxrElement): void {
    const login = childText(element, 'wp:author_login').trim()
    const name = plainText(childText(element, 'wp:author_display_name')) || login
    authors.set(login, {
      id: childText(element, 'wp:author_id').trim(),
      login,
      name,
      bio: plainText(childText(element, 'wp:author_description')),
    })
  }

  function addOther(element: WxrElement): void {
    const taxonomy = childText(element, 'wp:term_taxonomy').trim()
    if (!isCustomTaxonomy(taxonomy)) return
    const term = termOf(element, 'wp:term_slug', 'wp:term_name', 'wp:term_parent')
    const known = taxonomies.get(taxonomy)
    if (known === undefined) taxonomies.set(taxonomy, { line: element.line, terms: [term] })
    else known.terms.push(term)
  }

  function addItem(element: WxrElement): void {
    const item = outlineOf(element)
    const content = childText(element, 'content:encoded')
    if (item.kind === 'attachment') {
      attachments.set(item.id, {
        url: childText(element, 'wp:attachment_url').trim() || childText(element, 'guid').trim(),
        alt: plainText(metaOf(element).get('_wp_attachment_image_alt') ?? ''),
        caption: childText(element, 'excerpt:encoded').trim(),
        parent: item.parent,
        link: item.link,
        line: item.line,
      })
    } else if (item.kind === 'nav_menu_item') {
      const [menu = ''] = item.terms
      menus.set(menu, [...(menus.get(menu) ?? []), item])
    } else {
      items.push(item)
      room -= item.kind === 'wp_block' ? content.length : 0
      if (item.kind === 'wp_block' && room > 0) blocks.set(item.id, content)
    }
  }
}

function addTo(terms: Map<string, Term>, term: Term): void {
  terms.set(term.slug, term)
}

/** @param parent the element with the slug of the term above. Empty for terms that are below none. */
function termOf(element: WxrElement, slug: string, name: string, parent: string): Term {
  const key = childText(element, slug).trim()
  return {
    slug: key,
    id: childText(element, 'wp:term_id').trim(),
    name: plainText(childText(element, name)) || key,
    parent: parent === '' ? '' : childText(element, parent).trim(),
  }
}

/** Reports whether terms of a taxonomy say what an item is about. */
export function isCustomTaxonomy(name: string): boolean {
  return name !== '' && !DRAWING.test(name)
}

export function outlineOf(element: WxrElement): ItemOutline {
  const meta = metaOf(element)
  const kind = childText(element, 'wp:post_type').trim() || 'post'
  return {
    id: childText(element, 'wp:post_id').trim(),
    line: element.line,
    kind,
    status: childText(element, 'wp:status').trim() || 'publish',
    title: plainText(childText(element, 'title')),
    slug: childText(element, 'wp:post_name').trim(),
    link: childText(element, 'link').trim(),
    parent: childText(element, 'wp:post_parent').trim(),
    hasPassword: childText(element, 'wp:post_password').trim() !== '',
    isEmpty: childText(element, 'content:encoded').trim() === '',
    hasNumberedGuid: NUMBERED.test(childText(element, 'guid')),
    order: Number(childText(element, 'wp:menu_order')) || 0,
    meta:
      kind === 'nav_menu_item' ? new Map([...meta].filter(([name]) => MENU_FIELDS.test(name))) : new Map(),
    terms:
      kind === 'nav_menu_item'
        ? element.children.filter(({ name }) => name === 'category').map(({ text }) => text.trim())
        : [],
  }
}

/** The text of HTML on one line, such as that of a title. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, ' ').trim()
  const tree = parseHtml(html)
  return tree === null ? html : lineOf(tree)
}
