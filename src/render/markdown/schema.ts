import { defaultSchema, type Options as Schema } from 'rehype-sanitize'
import { SAFE_SCHEMES } from './urls.ts'

/**
 * `block` is the body of a page. `inline` is one line: blocks are replaced by their content, footnotes
 * removed.
 */
export type Shape = 'block' | 'inline'

/**
 * Prefix of ids that authors wrote in HTML and of footnote ids. It keeps them from shadowing ids and global
 * names that the page relies on.
 */
export const AUTHOR_ID_PREFIX = 'user-content-'

const PHRASING = words(
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup',
  'time u var wbr',
)

const BLOCKS = words(
  'blockquote dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr input li ol p pre section summary ul',
  'caption col colgroup table tbody td tfoot th thead tr',
)

/**
 * Elements removed with their content, which was never meant to be read as text. Other unknown elements are
 * replaced by their content.
 */
const STRIPPED = words(
  'script style template noscript iframe object embed svg math title',
  'textarea select option noembed noframes xmp plaintext',
)

/** Names that `placeholders/` sets and `enhance/container.ts` reads. */
const CONTAINERS = words('note tip important warning caution details steps tabs tab')

const SIZE = /^\d{1,4}%?$/

/**
 * HTML that pages may contain. No styles, no event handlers, no URLs except `href` and `src` (which `enhance`
 * maps), and no unsafe schemes.
 */
const blockSchema: Schema = {
  tagNames: [...PHRASING, ...BLOCKS],
  strip: STRIPPED,
  clobber: ['ariaDescribedBy', 'id', 'name'],
  clobberPrefix: AUTHOR_ID_PREFIX,
  protocols: { href: [...SAFE_SCHEMES.link], src: [...SAFE_SCHEMES.image] },
  required: {},
  ancestors: { ...defaultSchema.ancestors, caption: ['table'], col: ['table'], colgroup: ['table'] },
  attributes: {
    '*': ['id', 'lang', 'title', ['dir', 'ltr', 'rtl', 'auto'], ['align', 'left', 'center', 'right']],
    a: [
      'href',
      'name',
      'ariaDescribedBy',
      'ariaLabel',
      'dataFootnoteRef',
      'dataFootnoteBackref',
      ['className', 'data-footnote-backref'],
    ],
    code: [['className', /^language-./], 'dataMeta', ['dataMath', 'inline', 'display']],
    col: ['span'],
    colgroup: ['span'],
    del: ['dateTime'],
    details: ['open'],
    div: [['dataContainer', ...CONTAINERS]],
    h1: ['dataHeadingId'],
    h2: [['className', 'sr-only'], 'dataHeadingId'],
    h3: ['dataHeadingId'],
    h4: ['dataHeadingId'],
    h5: ['dataHeadingId'],
    h6: ['dataHeadingId'],
    img: ['src', 'alt', ['width', SIZE], ['height', SIZE]],
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    ins: ['dateTime'],
    li: ['value', ['className', 'task-list-item']],
    ol: ['start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I'], ['className', 'contains-task-list']],
    p: [['dataContainer', 'title']],
    section: ['dataFootnotes', ['className', 'footnotes']],
    td: ['colSpan', 'rowSpan'],
    th: ['colSpan', 'rowSpan', 'abbr', ['scope', 'row', 'col', 'rowgroup', 'colgroup']],
    time: ['dateTime'],
    ul: [['className', 'contains-task-list']],
  },
}

export const SCHEMAS: Readonly<Record<Shape, Schema>> = {
  block: blockSchema,
  // Without block elements.
  inline: { ...blockSchema, tagNames: PHRASING },
}

const ALLOWED_TAGS = new Set(blockSchema.tagNames)
const STRIPPED_TAGS = new Set(STRIPPED)

/** Whether pages may contain the element. */
export function isAllowedTag(tagName: string): boolean {
  return ALLOWED_TAGS.has(tagName)
}

/** Whether the element is removed together with its content. */
export function isStrippedTag(tagName: string): boolean {
  return STRIPPED_TAGS.has(tagName)
}

function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '))
}
