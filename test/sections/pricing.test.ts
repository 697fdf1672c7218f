import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { periodText, plainPrice } from '../../src/sections/pricing.ts'

describe('a price in plain text', () => {
  test.each([
    ['29', '€', '€29'],
    ['29', 'EUR', '29 EUR'],
    ['1,299.50', '$', '$1,299.50'],
    ['29', 'kr', '29 kr'],
    ['29', null, '29'],
    ['Free', 'EUR', 'Free'],
    ['from 29', '€', 'from 29'],
    ['€29', '€', '€29'],
    [null, 'EUR', null],
  ])('is read from %j in %j as %j', (price, currency, shown) => {
    expect(plainPrice(price, currency)).toBe(shown)
  })

  test('always contains the price that the author wrote', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (price, currency) => {
        expect(plainPrice(price, currency)).toContain(price)
      }),
    )
  })
})

test.each([
  ['month', '/ month'],
  ['Jahr', '/ Jahr'],
  ['año', '/ año'],
  ['per month', 'per month'],
  ['monthly', 'monthly'],
  ['once', 'once'],
  ['Forever', 'Forever'],
  ['/ month', '/ month'],
  ['30 days', '30 days'],
])('the period %j is shown as %j', (period, shown) => {
  expect(periodText(period)).toBe(shown)
  expect(periodText(shown)).toBe(shown)
})
