import { IMAGE } from './common.ts'
import { choice, inline, link, object, type SectionType } from './prop.ts'

export const HERO_LAYOUTS = ['split', 'center', 'background'] as const

export const hero: SectionType = {
  name: 'hero',
  aliases: ['banner', 'header', 'jumbotron', 'intro', 'directory-hero'],
  shape: {
    props: {
      image: object(IMAGE),
      background_image: object(IMAGE),
      video: link(),
      layout: choice(HERO_LAYOUTS),
      note: inline(),
    },
    requires: ['title'],
    shorthand: null,
  },
}
