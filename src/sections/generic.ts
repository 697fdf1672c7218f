import { IMAGE } from './common.ts'
import { link, list, markdown, object, type SectionType, type Shape, text, token } from './prop.ts'

const CARD: Shape = {
  props: {
    title: text('name', 'question', 'heading', 'label'),
    description: markdown('text', 'body', 'content', 'answer', 'quote', 'bio', 'caption', 'value'),
    icon: token(),
    image: object(IMAGE, 'avatar', 'photo', 'logo', 'src'),
    link: link('href', 'url'),
    link_text: text('cta_text'),
  },
  requires: [],
  shorthand: 'title',
}

/** Fallback for section types that the catalogue does not know. */
export const generic: SectionType = {
  name: 'generic',
  aliases: [],
  shape: {
    props: {
      body: markdown('markdown', 'content', 'text', 'html'),
      image: object(IMAGE),
      items: list(
        object(CARD),
        'cards',
        'features',
        'plans',
        'questions',
        'faqs',
        'steps',
        'members',
        'logos',
        'images',
      ),
    },
    requires: [],
    shorthand: null,
  },
}
