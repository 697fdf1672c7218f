import { periodText, plainPrice } from '../../sections/pricing.ts'
import { objectIn, objectsIn, textIn } from '../../sections/values.ts'
import type { ActionView, PlanView, PricingProps } from '../../theme/view.ts'
import { blockHtml, inlineHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { actionViews, type PlacedItem, placedItems, textProp } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function pricingView(placed: PlacedSection, rendering: Rendering): TypeView {
  const props: PricingProps = {
    plans: placedItems(placed, 'plans')
      .map((plan) => planView(plan, placed.lang, rendering))
      .filter(isNotEmpty),
    comparisonHtml: blockHtml(textProp(placed, 'comparison'), rendering),
    noteHtml: inlineHtml(textProp(placed, 'note'), rendering),
  }
  return { props, align: 'center' }
}

function isNotEmpty({ name, price, descriptionHtml, features }: PlanView): boolean {
  return name !== null || price !== null || descriptionHtml !== null || features.length > 0
}

function planView(placed: PlacedItem, lang: string, rendering: Rendering): PlanView {
  const { item, at, id } = placed
  const highlighted = item['highlighted'] === true
  const period = textIn(item, 'period')
  const yearlyPeriod = textIn(item, 'yearly_period')
  return {
    name: textIn(item, 'name'),
    badge: textIn(item, 'badge'),
    price: priceText(textIn(item, 'price'), textIn(item, 'currency'), lang),
    period: period === null ? null : periodText(period),
    yearlyPrice: priceText(textIn(item, 'yearly_price'), textIn(item, 'currency'), lang),
    yearlyPeriod: yearlyPeriod === null ? null : periodText(yearlyPeriod),
    descriptionHtml: inlineHtml({ props: item, name: 'description', at, id }, rendering),
    features: featureViews(placed, rendering),
    action: planAction(placed, highlighted ? 'primary' : 'secondary', rendering),
    highlighted,
  }
}

function featureViews({ item, at, id }: PlacedItem, rendering: Rendering): PlanView['features'] {
  return objectsIn(item, 'features').flatMap((props, index) => {
    const place = { at: `${at}.features[${index}]`, id: `${id}-${index + 1}` }
    const html = inlineHtml({ props, name: 'text', ...place }, rendering)
    return html === null ? [] : [{ html, included: props['included'] !== false }]
  })
}

function planAction(
  { item, at }: PlacedItem,
  fitting: ActionView['variant'],
  rendering: Rendering,
): ActionView | null {
  const action = objectIn(item, 'action')
  return action === null ? null : (actionViews(action, fitting, `${at}.action`, rendering)[0] ?? null)
}

/** Formats the price for the language, e.g. `€29` or `29 €`, if amount and currency are unambiguous. */
function priceText(price: string | null, currency: string | null, lang: string): string | null {
  const amount = price === null || currency === null ? null : exactAmount(price)
  if (amount === null || currency === null || !/^[A-Z]{3}$/i.test(currency))
    return plainPrice(price, currency)
  return new Intl.NumberFormat(lang, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount)
}

/** Parses an amount; null for an ambiguous one such as `29,50`. */
function exactAmount(price: string): number | null {
  const digits = /^\d{1,3}(?:,\d{3}){1,3}$/.test(price) ? price.replaceAll(',', '') : price
  return /^\d{1,12}(?:\.\d{1,2})?$/.test(digits) ? Number(digits) : null
}
