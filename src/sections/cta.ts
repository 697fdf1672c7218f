import { IMAGE } from './common.ts'
import { choice, object, type SectionType } from './prop.ts'

export const CTA_LAYOUTS = ['banner', 'card', 'split'] as const

export const cta: SectionType = {
  name: 'cta',
  aliases: ['call-to-action', 'cta-banner'],
  shape: {
    props: { image: object(IMAGE), layout: choice(CTA_LAYOUTS) },
    requires: ['title', 'actions'],
    shorthand: null,
  },
}
