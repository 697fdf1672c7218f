/**
 * Widths of images in the shared templates, as texts for the attribute `sizes`. They follow the style sheets in
 * `themes/_shared/styles`; `test/browser/picture-sizes.browser.proof.ts` compares them with the widths in a browser.
 */
export interface LayoutWidths {
  /** An image behind a section. */
  readonly screen: string
  /** The content of a page between its margins. */
  readonly whole: string
  /** One of two columns that are below each other on small screens. */
  readonly half: string
  /** The column of the image of a hero. */
  readonly hero: string
  readonly step: string
  readonly ctaCard: string
  readonly carousel: string
  /** The image of a feature in a list. */
  readonly thumbnail: string
  readonly alternating: string
  readonly avatar: string
  readonly portrait: string
  readonly logo: string
  readonly siteLogo: string
  readonly field: string
  /** Images on cards in so many columns. */
  cards(columns: number): string
  gallery(columns: number, layout: 'grid' | 'masonry'): string
  /** The text of an article or of a page. @param isWide in the layout `wide`. */
  text(place: TextPlace): string
  cover(place: TextPlace): string
  docs(place: TextPlace): string
  /** The image and the text of an item, next to its fields if it has some. */
  item(hasFields: boolean): string
}

export interface TextPlace {
  /** The list of headings is next to the text. */
  readonly hasToc: boolean
  /** The page has the layout `wide`. */
  readonly isWide: boolean
}

/** Left and right of a page together, as `--gutter` in `1-foundation.css`. */
const MARGINS = 'clamp(2.5rem, 10vw, 5rem)'
/** A text column, as `--measure` there. */
const MEASURE = '43rem'
const ABOVE_TABLETS = '(min-width: 60rem)'
const WITH_TOC = '(min-width: 75rem)'

/** @param wide the token `wide` of the theme, a CSS length. */
export function layoutWidths(wide: string): LayoutWidths {
  const whole = `min(100vw - ${MARGINS}, ${wide})`
  /** The width of `whole`, where the margins have their full width. */
  const large = `min(100vw - 5rem, ${wide})`
  const text = `min(100vw - ${MARGINS}, ${MEASURE})`
  const beside = (length: string, otherwise: string) => `${ABOVE_TABLETS} ${length}, ${otherwise}`
  const columnOf = (columns: number, space: string, gap: number) =>
    `calc((${space} - ${gap * (columns - 1)}rem) / ${columns})`
  const panel = '2 * clamp(1.75rem, 1rem + 4vw, 4rem)'

  return {
    screen: '100vw',
    whole,
    half: beside(columnOf(2, large, 4.5), whole),
    hero: beside(`calc((${large} - 4.5rem) * 0.52)`, whole),
    step: `min(100vw - ${MARGINS} - 4rem, 46rem)`,
    ctaCard: beside(`calc((${large} - ${panel} - 4.5rem) / 2)`, `calc(${whole} - ${panel})`),
    carousel: covering('min(36rem, 82vw)', PICTURE_RATIO),
    thumbnail: covering('min(10rem, 27vw)', CARD_RATIO),
    alternating: `(min-width: 48rem) calc((${whole} - clamp(2rem, 6vw, 5rem)) * 0.535), ${whole}`,
    avatar: covering('2.75rem', 1),
    portrait: covering('5rem', 1),
    logo: inBox('11rem', '2.25rem'),
    siteLogo: inBox('12rem', '2rem'),
    field: `min(100vw - ${MARGINS}, 17rem)`,

    cards(columns) {
      const two = `(min-width: 40rem) ${covering(columnOf(2, whole, 1.5), CARD_RATIO)}`
      const one = covering(whole, CARD_RATIO)
      if (columns === 1) return one
      return columns === 2
        ? `${two}, ${one}`
        : beside(covering(columnOf(columns, large, 1.5), CARD_RATIO), `${two}, ${one}`)
    },

    gallery(columns, layout) {
      if (layout === 'masonry') {
        const many = Array.from({ length: Math.min(columns, MASONRY_FROM.length + 1) - 1 }, (_, index) => {
          const count = index + 2
          return `(min-width: ${MASONRY_FROM[index]}) ${columnOf(count, whole, 1.25)}`
        })
        return [...many.reverse(), whole].join(', ')
      }
      const two = `(min-width: 30rem) ${covering(columnOf(2, whole, 1.25), PICTURE_RATIO)}`
      const few = `${two}, ${covering(whole, PICTURE_RATIO)}`
      return columns === 2 ? few : beside(covering(columnOf(columns, large, 1.25), PICTURE_RATIO), few)
    },

    text: ({ hasToc, isWide }) => {
      if (isWide) return whole
      return hasToc ? `${WITH_TOC} ${besideToc}, ${text}` : text
    },

    cover: ({ hasToc, isWide }) => {
      if (isWide) return whole
      const cover = beside('51rem', text)
      return hasToc ? `${WITH_TOC} ${besideToc}, ${cover}` : cover
    },

    docs({ hasToc, isWide }) {
      const frame = 'min(100vw - 5rem, 88rem)'
      const gap = 'clamp(2rem, 4vw, 4rem)'
      const [start, end] = isWide ? ['calc(', ')'] : ['min(44rem, ', ')']
      const alone = `${start}${frame} - 16rem - ${gap}${end}`
      const narrow = isWide ? `calc(100vw - ${MARGINS})` : `min(44rem, 100vw - ${MARGINS})`
      const toc = hasToc ? `${WITH_TOC} ${start}${frame} - 30rem - 2 * ${gap}${end}, ` : ''
      return toc + beside(alone, narrow)
    },

    item: (hasFields) => (hasFields ? beside(`calc(${large} - 24rem)`, whole) : whole),
  }
}

/** A text between the margins and a list of headings of the same width on each side. */
const besideToc = `min(${MEASURE}, 100vw - 31rem - 2 * clamp(2rem, 4vw, 5rem))`

/** Width by height of the images on cards and in galleries, as in `sections.css`. */
const CARD_RATIO = 1.6
const PICTURE_RATIO = 1.333

/** From which width of the screen columns of at least 13rem fit: two, three, four. */
const MASONRY_FROM = ['30.3rem', '46.2rem', '60.8rem'] as const

/**
 * Rendering replaces `cover(…)` by a number, once the image is known: how much wider it has to be than a box of this
 * ratio, in order to cover it.
 */
function covering(length: string, ratio: number): string {
  return `calc(${length} * cover(${ratio}))`
}

/** Rendering replaces this by the width that an image of this height has, and the box allows. */
function inBox(width: string, height: string): string {
  return `within(${width}, ${height})`
}
