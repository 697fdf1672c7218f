import { IMAGE } from './common.ts'
import {
  boolean,
  choice,
  link,
  list,
  markdown,
  number,
  object,
  type SectionType,
  type Shape,
  text,
  token,
} from './prop.ts'

export const FEATURE_LAYOUTS = ['grid', 'bento', 'list', 'alternating'] as const

const FEATURE: Shape = {
  props: {
    title: text(),
    description: markdown(),
    icon: token(),
    image: object(IMAGE),
    link: link(),
    link_text: text(),
    wide: boolean(),
  },
  requires: ['title'],
  shorthand: null,
}

export const features: SectionType = {
  name: 'features',
  aliases: ['benefits', 'cards', 'services', 'feature-grid', 'feature-list', 'solution', 'problem'],
  shape: {
    props: {
      items: list(object(FEATURE), 'features', 'cards'),
      columns: number(1, 4),
      layout: choice(FEATURE_LAYOUTS),
    },
    requires: ['items'],
    shorthand: null,
  },
}
