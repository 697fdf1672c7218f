import { IMAGE } from './common.ts'
import { linkedImage } from './markdown-text.ts'
import { choice, inline, link, list, number, object, type SectionType, type Shape } from './prop.ts'
import { textIn } from './values.ts'

export const GALLERY_LAYOUTS = ['grid', 'masonry', 'carousel', 'tabs'] as const

const PICTURE: Shape = {
  props: { ...IMAGE.props, caption: inline('title', 'description'), link: link() },
  requires: ['src'],
  shorthand: 'src',
  sentences: [
    {
      of: ['src', 'alt', 'link'],
      markdown: (values) =>
        linkedImage(textIn(values, 'alt') ?? '', textIn(values, 'src'), textIn(values, 'link')),
    },
  ],
}

export const gallery: SectionType = {
  name: 'gallery',
  aliases: ['images', 'image-gallery', 'portfolio', 'carousel'],
  shape: {
    props: {
      items: list(object(PICTURE), 'images'),
      columns: number(2, 5),
      layout: choice(GALLERY_LAYOUTS),
    },
    requires: ['items'],
    shorthand: null,
  },
}
