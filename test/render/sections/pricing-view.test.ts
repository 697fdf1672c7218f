import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/domain/json.ts'
import { relativeLinks } from '../../../src/render/links/links.ts'
import { createRendering } from '../../../src/render/page/rendering.ts'
import { pricingView } from '../../../src/render/sections/pricing-view.ts'
import { normalizeSection } from '../../../src/sections/normalize.ts'
import type { PricingProps } from '../../../src/theme/view.ts'

function plansOf(plans: readonly JsonObject[], lang = 'en') {
  const section = normalizeSection({ type: 'pricing', plans })
  const placed = {
    section,
    at: 'config.sections[0]',
    id: 'pricing-1',
    lang,
    own: null,
    posts: [],
    headingLevel: 2,
  } as const
  return (pricingView(placed, createRendering(relativeLinks('/'))).props as PricingProps).plans
}

describe('a price', () => {
  test.each([
    ['29', 'EUR', 'en', '€29'],
    ['29', 'EUR', 'de', '29\u00a0€'],
    ['29.50', 'usd', 'en', '$29.50'],
    ['29.00', 'USD', 'en', '$29'],
    ['1,299', 'USD', 'en', '$1,299'],
    ['1299', 'EUR', 'de', '1.299\u00a0€'],
    ['2900', 'JPY', 'ja', '￥2,900'],
    ['0', 'EUR', 'en', '€0'],
  ])('written as %s %s reads in %s as %s', (price, currency, lang, shown) => {
    expect(plansOf([{ name: 'A', price, currency }], lang)[0]?.price).toBe(shown)
  })

  test.each([
    ['29,50', 'EUR', '29,50 EUR'],
    ['1.299,00', 'EUR', '1.299,00 EUR'],
    ['12,34,567', 'INR', '12,34,567 INR'],
    ['29', '€', '€29'],
    ['29', 'Euro', '29 Euro'],
    ['Free', 'EUR', 'Free'],
    ['29.999', 'EUR', '29.999 EUR'],
  ])(
    'written as %j in %j could mean two amounts or none, and stays as its author wrote it',
    (price, currency, shown) => {
      for (const lang of ['en', 'de'])
        expect(plansOf([{ name: 'A', price, currency }], lang)[0]?.price).toBe(shown)
    },
  )
})

describe('a plan', () => {
  test('has the main action of the page only when it is the highlighted one', () => {
    const action = { text: 'Buy', link: '/buy' }
    const plans = plansOf([
      { name: 'A', action },
      { name: 'B', action, popular: true },
      { name: 'C', action: { ...action, variant: 'link' }, highlighted: true },
    ])
    expect(plans.map((plan) => plan.action?.variant)).toEqual(['secondary', 'primary', 'link'])
  })

  test('shows what it includes, and what it does not unless that has no text', () => {
    const features = ['A', { text: '**B**', included: false }, { included: false }]
    expect(plansOf([{ name: 'A', features }])[0]?.features).toEqual([
      { html: 'A', included: true },
      { html: '<strong>B</strong>', included: false },
    ])
  })

  test('is left out when it says nothing', () => {
    expect(plansOf([{ badge: 'New', highlighted: true }, {}, { description: 'C' }])).toHaveLength(1)
  })
})
