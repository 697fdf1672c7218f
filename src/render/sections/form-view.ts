import { schemeOf } from '../../domain/author-url.ts'
import { humanise } from '../../page-text/humanise.ts'
import { FIELD_TYPES, FORM_METHODS } from '../../sections/contact.ts'
import { choiceIn, objectsIn, textIn } from '../../sections/values.ts'
import type { FormFieldView, FormView } from '../../theme/view.ts'
import { inlineHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import type { PlacedItem } from './parts.ts'

/** Autocomplete tokens by field name. Source: WCAG 2.2, section 7. */
const AUTOCOMPLETE: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['full_name', 'name'],
  ['first_name', 'given-name'],
  ['last_name', 'family-name'],
  ['company', 'organization'],
  ['organization', 'organization'],
  ['email', 'email'],
  ['phone', 'tel'],
  ['tel', 'tel'],
  ['website', 'url'],
  ['country', 'country-name'],
])

/** Returns null, with a warning, when the form has no valid target. */
export function formView(placed: PlacedItem, rendering: Rendering): FormView | null {
  const { item, at, id } = placed
  const action = actionUrl(placed, rendering)
  if (action === null) return null
  rendering.allowForm(action)
  return {
    action,
    method: choiceIn(item, 'method', FORM_METHODS) ?? 'post',
    isMail: schemeOf(action) === 'mailto',
    fields: fieldViews(placed),
    submitText: textIn(item, 'submit_text'),
    consentHtml: inlineHtml({ props: item, name: 'consent', at, id }, rendering),
    honeypot: textIn(item, 'honeypot'),
    id: `${id}-form`,
  }
}

function actionUrl({ item, at }: PlacedItem, rendering: Rendering): string | null {
  const raw = textIn(item, 'action_url')
  const url = raw === null ? null : rendering.url(raw, 'link', `${at}.action_url`)
  if (url === null) return null
  const scheme = schemeOf(url)
  if (scheme === 'https' || scheme === 'mailto') return url
  rendering.warn({
    code: 'QN-BAD-PROP',
    at: `${at}.action_url`,
    message: 'action_url must begin with https: or mailto:; the form is left out.',
  })
  return null
}

/** Two fields may share a name: both are sent. Their ids differ. */
function fieldViews({ item, id }: PlacedItem): FormFieldView[] {
  return objectsIn(item, 'fields').flatMap((field, index) => {
    const name = textIn(field, 'name')
    if (name === null) return []
    const type = choiceIn(field, 'type', FIELD_TYPES) ?? (/^e-?mail$/i.test(name) ? 'email' : 'text')
    return [
      {
        id: `${id}-field-${index + 1}`,
        name,
        type,
        label: textIn(field, 'label') ?? humanise(name),
        required: field['required'] === true,
        placeholder: textIn(field, 'placeholder'),
        value: textIn(field, 'value'),
        autocomplete:
          type === 'email' || type === 'tel' ? type : (AUTOCOMPLETE.get(name.toLowerCase()) ?? null),
        options: objectsIn(field, 'options').flatMap((option) => {
          const text = textIn(option, 'text')
          return text === null ? [] : [{ text, value: textIn(option, 'value') ?? text }]
        }),
      },
    ]
  })
}
