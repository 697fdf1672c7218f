import { IMAGE } from './common.ts'
import { choice, inline, link, markdown, object, type SectionType } from './prop.ts'

export const HERO_LAYOUTS = ['split', 'center', 'background'] as const

export const HERO_FRAMES = ['none', 'window'] as const
export const TITLE_STYLES = ['plain', 'gradient'] as const

export const hero: SectionType = {
  name: 'hero',
  aliases: ['banner', 'header', 'jumbotron', 'intro', 'directory-hero'],
  shape: {
    props: {
      image: object(IMAGE),
      background_image: object(IMAGE),
      video: link(),
      code: markdown(),
      frame: choice(HERO_FRAMES),
      title_style: choice(TITLE_STYLES),
      layout: choice(HERO_LAYOUTS),
      note: inline(),
    },
    requires: ['title'],
    shorthand: null,
  },
}
