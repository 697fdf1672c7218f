import { closeMarkdown } from './close-markdown.ts'
import { IMAGE } from './common.ts'
import { phrase } from './markdown-text.ts'
import { choice, link, list, markdown, number, object, type SectionType, type Shape, text } from './prop.ts'
import { textIn } from './values.ts'

export const TESTIMONIAL_LAYOUTS = ['grid', 'masonry', 'carousel'] as const
const MAX_STARS = 5

const TESTIMONIAL: Shape = {
  props: {
    quote: markdown('text', 'content', 'testimonial', 'body'),
    name: text('author'),
    role: text('title', 'position'),
    company: text(),
    rating: number(1, MAX_STARS),
    avatar: object(IMAGE, 'image', 'photo'),
    link: link('url', 'href'),
  },
  requires: ['quote', 'name'],
  shorthand: 'quote',
  sentences: [
    {
      of: ['quote', 'name', 'role', 'company', 'rating'],
      markdown: (values) => {
        const quote = textIn(values, 'quote')
        const rating = values['rating']
        const who = ['name', 'role', 'company']
          .map((name) => textIn(values, name))
          .filter((part) => part !== null)
        const blocks = [
          ...(quote === null ? [] : [closeMarkdown(quote)]),
          ...(typeof rating === 'number' ? [`${rating}/${MAX_STARS}`] : []),
          ...(who.length === 0 ? [] : [`— ${phrase(who.join(', '))}`]),
        ]
        return blocks.length === 0 ? null : quoted(blocks.join('\n\n'))
      },
    },
  ],
}

export const testimonials: SectionType = {
  name: 'testimonials',
  aliases: ['testimonial', 'reviews', 'quotes'],
  shape: {
    props: {
      items: list(object(TESTIMONIAL), 'testimonials', 'reviews', 'quotes'),
      layout: choice(TESTIMONIAL_LAYOUTS),
    },
    requires: ['items'],
    shorthand: null,
  },
}

function quoted(markdown: string): string {
  return markdown
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}
