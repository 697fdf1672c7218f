import { defaultSchema, type Options as Schema } from 'rehype-sanitize'
import { SAFE_SCHEMES } from './urls.ts'

/** `block` is a page's body; `inline` is one line of it: blocks leave their text, footnotes are left out. */
export type Shape = 'block' | 'inline'

/**
 * Put before every id an author wrote and before those of footnotes, so that none of them can take
 * the place of an id or a global name the page relies on.
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

/** Their text was never meant to be read as part of the page, so it goes with them. Other unknown tags leave theirs. */
const STRIPPED = words(
  'script style template noscript iframe object embed svg math title',
  'textarea select option noembed noframes xmp plaintext',
)

/** As `marks/` and `polish/container.ts` name them to each other. */
const CONTAINERS = words('note tip important warning caution details steps tabs tab')

const SIZE = /^\d{1,4}%?$/

/**
 * What is left of a page's HTML. No style, no event handlers, no URL but `href` and `src` (which
 * `enhance` maps), and no scheme but the safe ones.
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
  // The same without anything that starts a line of its own.
  inline: { ...blockSchema, tagNames: PHRASING },
}

const ALLOWED_TAGS = new Set(blockSchema.tagNames)
const STRIPPED_TAGS = new Set(STRIPPED)

/** Whether elements of this name can stand on a page. */
export function isAllowedTag(tagName: string): boolean {
  return ALLOWED_TAGS.has(tagName)
}

/** Whether such an element is taken out with all that stands in it. */
export function isStrippedTag(tagName: string): boolean {
  return STRIPPED_TAGS.has(tagName)
}

function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '))
}
