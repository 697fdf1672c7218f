import { expect, test } from 'vitest'
import { isWorthwhile, variantsToMake } from '../../src/domain/picture-variants.ts'

const names = (picture: { readonly width: number; readonly animated: boolean }) =>
  variantsToMake(picture).map(({ width, format }) => `${format} ${width}`)

test('WebP comes before AVIF, and small widths before large ones', () => {
  expect(names({ width: 700, animated: false })).toEqual(['webp 320', 'webp 640', 'avif 320', 'avif 640'])
  expect(names({ width: 900, animated: false }).slice(0, 3)).toEqual(['webp 320', 'webp 640', 'webp 900'])
})

test('animations get no AVIF', () => {
  expect(names({ width: 700, animated: true })).toEqual(['webp 320', 'webp 640'])
})

test('a variant has to save bytes, and AVIF more than WebP of its width', () => {
  const original = { bytes: 1_000 }
  const webp = { width: 640, height: 320, format: 'webp', digest: '', bytes: 500 } as const
  const avif = { ...webp, format: 'avif' } as const
  expect(isWorthwhile(webp, original, [])).toBe(true)
  expect(isWorthwhile({ ...webp, bytes: 960 }, original, [])).toBe(false)
  expect(isWorthwhile({ ...avif, bytes: 499 }, original, [webp])).toBe(true)
  expect(isWorthwhile({ ...avif, bytes: 500 }, original, [webp])).toBe(false)
  expect(isWorthwhile({ ...avif, width: 320 }, original, [webp])).toBe(true)
})
