import { ACTION } from './common.ts'
import { phrase } from './markdown-text.ts'
import { boolean, inline, list, markdown, object, type SectionType, type Shape, text, token } from './prop.ts'
import { textIn } from './values.ts'

/** A feature that a plan includes, or explicitly does not. */
const PLAN_FEATURE: Shape = {
  props: { text: inline('title', 'name', 'label'), included: boolean() },
  requires: ['text'],
  shorthand: 'text',
  sentences: [
    {
      of: ['text', 'included'],
      markdown: (values) => {
        const feature = textIn(values, 'text')
        return feature !== null && values['included'] === false ? `~~${feature}~~` : feature
      },
    },
  ],
}

const PLAN: Shape = {
  props: {
    name: text('title'),
    badge: text(),
    price: text(),
    currency: token(),
    period: text('interval'),
    yearly_price: text(),
    yearly_period: text(),
    description: inline('subtitle'),
    features: list(object(PLAN_FEATURE), 'items'),
    action: object(ACTION, 'actions', 'button', 'cta'),
    highlighted: boolean('featured', 'popular'),
  },
  requires: ['name', 'price'],
  shorthand: null,
  sentences: [
    {
      of: ['price', 'currency', 'period'],
      markdown: (values) => {
        const price = plainPrice(textIn(values, 'price'), textIn(values, 'currency'))
        const period = textIn(values, 'period')
        return price === null ? null : phrase(period === null ? price : `${price} ${periodText(period)}`)
      },
    },
    {
      of: ['yearly_price', 'yearly_period', 'currency'],
      markdown: (values) => {
        const price = plainPrice(textIn(values, 'yearly_price'), textIn(values, 'currency'))
        const period = textIn(values, 'yearly_period') ?? 'year'
        return price === null ? null : phrase(`${price} ${periodText(period)}`)
      },
    },
  ],
}

export const pricing: SectionType = {
  name: 'pricing',
  aliases: ['plans', 'pricing-table'],
  shape: {
    props: { plans: list(object(PLAN), 'items'), comparison: markdown(), note: inline() },
    requires: ['plans'],
    shorthand: null,
  },
}

/** A price with its currency in neutral form. A price in words has no currency. */
export function plainPrice(price: string | null, currency: string | null): string | null {
  if (price === null || currency === null || !isAmount(price)) return price
  return /^\p{L}/u.test(currency) ? `${price} ${currency}` : currency + price
}

function isAmount(price: string): boolean {
  return /^\d[\d.,\s]*$/.test(price)
}

/** Turns `month` into `/ month`. Leaves `per month`, `monthly` and the like. */
export function periodText(period: string): string {
  return /^\p{L}+$/u.test(period) && !/ly$|^once$|^forever$/i.test(period) ? `/ ${period}` : period
}
