import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../src/domain/json.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { contactView } from '../../../src/render/sections/contact-view.ts'
import { normalizeSection } from '../../../src/sections/normalize.ts'
import type { ContactProps } from '../../../src/theme/view.ts'
import { anyUrl } from '../../support/live-page.ts'

function contactOf(props: Readonly<Record<string, JsonValue>>) {
  const rendering = createRendering(relativeLinks('/'))
  const section = normalizeSection({ type: 'contact', ...props })
  const placed = {
    section,
    at: 'config.sections[0]',
    id: 'contact-1',
    lang: 'en',
    own: null,
    posts: [],
  } as const
  const view = contactView({ ...placed, headingLevel: 2 }, rendering).props as ContactProps
  return { ...view, warnings: rendering.warnings }
}

const formOf = (form: Readonly<Record<string, JsonValue>>) =>
  contactOf({ form: { action_url: 'https://forms.example/', ...form } }).form
const fieldOf = (field: JsonValue) => formOf({ fields: [field] })?.fields[0]

describe('a form', () => {
  test('is shown only when what visitors enter travels encrypted or by mail', () => {
    fc.assert(
      fc.property(anyUrl(), (url) => {
        const { form } = contactOf({ form: { action_url: url } })
        if (form !== null) expect(form.action).toMatch(/^(?:https|mailto):/i)
      }),
      { numRuns: 300 },
    )
  })

  test.each(['http://forms.example/', '/send', 'javascript:alert(1)', 'tel:123', 'forms.example'])(
    'is left out when it sends to %s, and its author learns why',
    (action_url) => {
      const { form, warnings } = contactOf({ form: { action_url } })
      expect(form).toBeNull()
      expect(warnings.map(({ at }) => at)).toEqual(['config.sections[0].form.action_url'])
    },
  )

  test('posts by default, and says when it opens a mail', () => {
    expect(formOf({})).toMatchObject({ method: 'post', isMail: false })
    expect(formOf({ method: 'GET', action_url: 'mailto:a@b.example' })).toMatchObject({
      method: 'get',
      isMail: true,
    })
  })
})

describe('a field', () => {
  test.each([
    ['email', 'email', 'Email', 'email'],
    ['E-Mail', 'email', 'E-Mail', 'email'],
    ['full_name', 'text', 'Full name', 'name'],
    ['Company', 'text', 'Company', 'organization'],
    ['constructor', 'text', 'Constructor', null],
  ])(
    'written as %j is a field of the type %s, labelled %j and completed as %s',
    (name, type, label, autocomplete) => {
      expect(fieldOf(name)).toMatchObject({ name, type, label, autocomplete })
    },
  )

  test('has options with their text as value unless they have another', () => {
    const field = {
      name: 'topic',
      type: 'select',
      options: ['Sales', { text: 'Support', value: 's' }, { value: 'x' }],
    }
    expect(fieldOf(field)?.options).toEqual([
      { text: 'Sales', value: 'Sales' },
      { text: 'Support', value: 's' },
    ])
  })

  test('is never sent without a name', () => {
    expect(formOf({ fields: [{ label: 'A' }, { name: 'b' }] })?.fields.map(({ name }) => name)).toEqual(['b'])
  })

  test('has an id of its own, even when its name is used twice', () => {
    const ids = formOf({ fields: ['a', 'a', 'A'] })?.fields.map(({ id }) => id) ?? []
    expect(new Set(ids).size).toBe(3)
  })
})

describe('an address of contact', () => {
  test('is one line per written line, and a number does not break', () => {
    const view = contactOf({ address: 'Main St 1\r\n\r\n10115 Berlin', phone: '+49 30 12' })
    expect(view.address).toEqual(['Main St 1', '10115 Berlin'])
    expect(view.phone).toEqual({ text: '+49\u00a030\u00a012', href: 'tel:+493012' })
  })
})
