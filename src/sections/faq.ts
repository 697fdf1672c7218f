import { boolean, list, markdown, number, object, type SectionType, type Shape, text } from './prop.ts'

const QUESTION: Shape = {
  props: { question: text('title', 'q'), answer: markdown('text', 'content', 'body', 'a') },
  requires: ['question', 'answer'],
  shorthand: null,
}

export const faq: SectionType = {
  name: 'faq',
  aliases: ['faqs', 'questions', 'accordion'],
  shape: {
    props: {
      items: list(object(QUESTION), 'questions', 'faqs'),
      open_first: boolean(),
      columns: number(1, 2),
    },
    requires: ['items'],
    shorthand: null,
  },
}
