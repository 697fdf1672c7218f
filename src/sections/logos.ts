import { IMAGE } from './common.ts'
import { linkedImage, paragraph } from './markdown-text.ts'
import { boolean, choice, link, list, object, type SectionType, type Shape, text } from './prop.ts'
import { textIn } from './values.ts'

export const LOGO_TONES = ['original', 'mono'] as const

export const LOGO_LAYOUTS = ['row', 'marquee'] as const

const LOGO: Shape = {
  props: { ...IMAGE.props, name: text('title', 'company'), link: link() },
  requires: [],
  shorthand: 'src',
  sentences: [
    {
      of: ['src', 'alt', 'name', 'link'],
      markdown: (values) => {
        const name = textIn(values, 'name') ?? textIn(values, 'alt') ?? ''
        const picture = linkedImage(name, textIn(values, 'src'), textIn(values, 'link'))
        return picture ?? (name === '' ? null : paragraph(name))
      },
    },
  ],
}

export const logos: SectionType = {
  name: 'logos',
  aliases: ['logo-cloud', 'brands', 'clients', 'partners'],
  shape: {
    props: {
      items: list(object(LOGO), 'logos', 'brands', 'clients', 'partners'),
      layout: choice(LOGO_LAYOUTS),
      tone: choice(LOGO_TONES),
      grayscale: boolean(),
    },
    requires: ['items'],
    shorthand: null,
  },
}
