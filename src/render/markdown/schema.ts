import { defaultSchema, type Options as Schema } from 'rehype-sanitize'
import { AUTHOR_CLASS } from './author-classes.ts'
import { SAFE_SCHEMES } from './urls.ts'

type PropertyDefinition = NonNullable<Schema['attributes']>[string][number]

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
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark picture q rp rt ruby s samp small source span strong',
  'sub sup time u var wbr',
)

const BLOCKS = words(
  'address aside audio blockquote dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr input li ol p pre section summary track ul video',
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
const CONTAINERS = words(
  'note tip important warning caution details steps tabs tab cards card columns column fields field file-tree component',
)

const PRELOAD: PropertyDefinition = ['preload', 'none', 'metadata', 'auto']
const SIZE = /^\d{1,4}%?$/

/** Classes of an element: the classes that rendering sets, and the classes allowed to authors. */
function classes(...own: readonly (string | RegExp)[]): PropertyDefinition {
  return ['className', ...own, AUTHOR_CLASS]
}

/**
 * HTML that pages may contain. No styles, no event handlers, no URLs except `href` and `src` (which `enhance`
 * maps), and no unsafe schemes.
 */
const blockSchema: Schema = {
  tagNames: [...PHRASING, ...BLOCKS],
  strip: STRIPPED,
  clobber: ['ariaDescribedBy', 'id', 'name'],
  clobberPrefix: AUTHOR_ID_PREFIX,
  // The URLs of `srcSet` are read and checked by `enhance/media.ts`.
  protocols: {
    href: [...SAFE_SCHEMES.link],
    src: [...SAFE_SCHEMES.image],
    poster: [...SAFE_SCHEMES.image],
  },
  required: {},
  ancestors: { ...defaultSchema.ancestors, caption: ['table'], col: ['table'], colgroup: ['table'] },
  attributes: {
    '*': [
      classes(),
      'id',
      'lang',
      'title',
      ['dir', 'ltr', 'rtl', 'auto'],
      ['align', 'left', 'center', 'right'],
    ],
    a: [
      'href',
      'name',
      'ariaDescribedBy',
      'ariaLabel',
      'download',
      'dataFootnoteRef',
      'dataFootnoteBackref',
      classes('data-footnote-backref'),
    ],
    audio: ['src', 'controls', 'loop', 'muted', 'ariaLabel', PRELOAD],
    code: [
      classes(/^language-./),
      'dataMeta',
      ['dataMath', 'inline', 'display'],
      ['dataBadge', 'note', 'tip', 'important', 'warning', 'caution'],
    ],
    col: ['span'],
    colgroup: ['span'],
    del: ['dateTime'],
    details: ['open'],
    div: [
      ['dataContainer', ...CONTAINERS],
      'dataComponent',
      'dataIcon',
      ['dataFlags', /^(?:required|deprecated| ){1,30}$/],
    ],
    h1: ['dataHeadingId'],
    h2: [classes('sr-only'), 'dataHeadingId'],
    h3: ['dataHeadingId'],
    h4: ['dataHeadingId'],
    h5: ['dataHeadingId'],
    h6: ['dataHeadingId'],
    img: [
      'src',
      'srcSet',
      'sizes',
      'alt',
      ['width', SIZE],
      ['height', SIZE],
      ['dataPlayer', 'video', 'audio', 'embed'],
      'dataPoster',
      'dataCaptions',
      'dataPlayback',
    ],
    input: [['type', 'checkbox'], ['disabled', true], 'checked'],
    ins: ['dateTime'],
    li: ['value', classes('task-list-item')],
    ol: ['start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I'], classes('contains-task-list')],
    p: [['dataContainer', 'title']],
    section: ['dataFootnotes', classes('footnotes')],
    source: ['src', 'srcSet', 'sizes', 'media', 'type', ['width', SIZE], ['height', SIZE]],
    td: ['colSpan', 'rowSpan'],
    th: ['colSpan', 'rowSpan', 'abbr', ['scope', 'row', 'col', 'rowgroup', 'colgroup']],
    time: ['dateTime'],
    track: [
      ['kind', 'subtitles', 'captions', 'descriptions', 'chapters', 'metadata'],
      'src',
      'srcLang',
      'label',
      'default',
    ],
    ul: [classes('contains-task-list')],
    video: [
      'src',
      'poster',
      'controls',
      'loop',
      'muted',
      'playsInline',
      'autoPlay',
      'ariaLabel',
      PRELOAD,
      ['width', SIZE],
      ['height', SIZE],
    ],
  },
}

export const SCHEMAS: Readonly<Record<Shape, Schema>> = {
  block: blockSchema,
  // Without block elements.
  inline: { ...blockSchema, tagNames: PHRASING },
}

const ALLOWED_TAGS = new Set(blockSchema.tagNames)
const STRIPPED_TAGS = new Set(STRIPPED)

/** Reports whether pages may contain the element. */
export function isAllowedTag(tagName: string): boolean {
  return ALLOWED_TAGS.has(tagName)
}

/** Reports whether the element is removed together with its content. */
export function isStrippedTag(tagName: string): boolean {
  return STRIPPED_TAGS.has(tagName)
}

function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '))
}
