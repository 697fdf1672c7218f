import { IMAGE } from './common.ts'
import { choice, link, markdown, object, type SectionType } from './prop.ts'

export const IMAGE_POSITIONS = ['left', 'right', 'top', 'none'] as const

export const content: SectionType = {
  name: 'content',
  aliases: ['text', 'rich-text', 'markdown', 'prose', 'text-image', 'media', 'html'],
  shape: {
    props: {
      body: markdown('markdown', 'content', 'text', 'html'),
      image: object(IMAGE),
      video: link(),
      image_position: choice(IMAGE_POSITIONS),
    },
    requires: ['body'],
    shorthand: null,
  },
}
