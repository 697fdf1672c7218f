import type { JsonObject } from '../../domain/json.ts'
import { emailUrl, linesOf, phoneUrl } from '../../sections/contact.ts'
import { objectIn, textIn } from '../../sections/values.ts'
import type { ContactProps } from '../../theme/view.ts'
import type { Rendering } from '../page/rendering.ts'
import { formView } from './form-view.ts'
import { namedLinkViews } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function contactView(placed: PlacedSection, rendering: Rendering): TypeView {
  const { section, at, id } = placed
  const form = objectIn(section.props, 'form')
  const address = textIn(section.props, 'address')
  const addressLink = (name: string, urlOf: (value: string) => string) =>
    contactLink(section.props, name, urlOf, at, rendering)
  const phone = addressLink('phone', phoneUrl)
  const props: ContactProps = {
    email: addressLink('email', emailUrl),
    // Non-breaking spaces keep a number on one line.
    phone: phone === null ? null : { ...phone, text: phone.text.replaceAll(' ', '\u00a0') },
    address: address === null ? [] : linesOf(address),
    links: namedLinkViews(section.props, at, rendering),
    form: form === null ? null : formView({ item: form, at: `${at}.form`, id }, rendering),
  }
  return { props, align: 'left' }
}

function contactLink(
  props: JsonObject,
  name: string,
  urlOf: (value: string) => string,
  at: string,
  rendering: Rendering,
): ContactProps['email'] {
  const text = textIn(props, name)
  return text === null ? null : { text, href: rendering.url(urlOf(text), 'link', `${at}.${name}`) }
}
