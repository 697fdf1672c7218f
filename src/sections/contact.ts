import type { JsonObject } from '../domain/json.ts'
import { NAMED_LINK } from './common.ts'
import { link as linkText, paragraph } from './markdown-text.ts'
import {
  boolean,
  choice,
  inline,
  link,
  list,
  object,
  type SectionType,
  type Sentence,
  type Shape,
  shortList,
  text,
  token,
} from './prop.ts'
import { objectsIn, textIn } from './values.ts'

export const FIELD_TYPES = ['text', 'email', 'tel', 'textarea', 'select', 'checkbox', 'hidden'] as const
export const FORM_METHODS = ['post', 'get'] as const

/** Fields of a form; more than visitors fill in on a page. */
const MAX_FIELDS = 50
/** Options of a field; a list of all countries has some 250. */
const MAX_OPTIONS = 500

const OPTION: Shape = {
  props: { text: text('label', 'title', 'name'), value: token() },
  requires: ['text'],
  shorthand: 'text',
}

const FIELD: Shape = {
  props: {
    name: token(),
    label: text('title'),
    type: choice(FIELD_TYPES),
    required: boolean(),
    placeholder: text(),
    options: shortList(object(OPTION), MAX_OPTIONS),
    value: token(),
  },
  requires: ['name'],
  shorthand: 'name',
  sentences: [
    {
      of: ['name', 'label', 'type', 'required', 'placeholder', 'options'],
      markdown: (values) => (values['type'] === 'hidden' ? null : fieldLine(values)),
    },
  ],
}

const FORM: Shape = {
  props: {
    method: choice(FORM_METHODS),
    fields: shortList(object(FIELD), MAX_FIELDS),
    consent: inline(),
    action_url: link('action', 'url'),
    submit_text: text('button_text'),
    honeypot: token('trap'),
  },
  requires: ['action_url', 'fields'],
  shorthand: null,
  sentences: [
    {
      of: ['action_url', 'submit_text'],
      markdown: (values) => {
        const url = textIn(values, 'action_url')
        return url === null ? null : linkText(textIn(values, 'submit_text') ?? url, url)
      },
    },
  ],
}

export const contact: SectionType = {
  name: 'contact',
  aliases: ['contact-form', 'form', 'newsletter', 'signup'],
  shape: {
    props: {
      email: text(),
      phone: text('tel', 'telephone'),
      address: text(),
      links: list(object(NAMED_LINK), 'socials'),
      form: object(FORM),
    },
    requires: [],
    shorthand: null,
    sentences: [
      addressSentence('email', emailUrl),
      addressSentence('phone', phoneUrl),
      {
        of: ['address'],
        markdown: ({ address }) =>
          typeof address === 'string' ? linesOf(address).map(paragraph).join('\\\n') : null,
      },
    ],
  },
}

export function emailUrl(email: string): string {
  return `mailto:${email.trim()}`
}

/** The URL that dials a number written for readers. */
export function phoneUrl(phone: string): string {
  return `tel:${phone.replace(/[^\d+*#]/g, '')}`
}

/** The non-empty lines of a text. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
}

/** E.g. `Topic * (Sales, Support)`. */
function fieldLine(field: JsonObject): string | null {
  const label = textIn(field, 'label') ?? textIn(field, 'name')
  if (label === null) return null
  const options = objectsIn(field, 'options').map((option) => textIn(option, 'text'))
  const named = options.filter((text) => text !== null).join(', ')
  return paragraph(
    [label, field['required'] === true ? '*' : '', named && `(${named})`].filter(Boolean).join(' '),
  )
}

function addressSentence(name: string, urlOf: (value: string) => string): Sentence {
  return {
    of: [name],
    markdown: (values) => {
      const value = textIn(values, name)
      return value === null ? null : (linkText(value, urlOf(value)) ?? paragraph(value))
    },
  }
}
