import { IMAGE } from './common.ts'
import { boolean, list, markdown, object, type SectionType, type Shape, text, token } from './prop.ts'

const STEP: Shape = {
  props: {
    title: text('name'),
    date: text(),
    description: markdown('text', 'content', 'body'),
    icon: token(),
    image: object(IMAGE),
  },
  requires: ['title'],
  shorthand: 'title',
}

export const steps: SectionType = {
  name: 'steps',
  aliases: ['how-it-works', 'process', 'timeline'],
  shape: {
    props: { items: list(object(STEP), 'steps'), numbered: boolean() },
    requires: ['items'],
    shorthand: null,
  },
}
