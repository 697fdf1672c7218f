import { expect, test } from 'vitest'
import { itemSteps } from '../../../src/render/page/item-steps.ts'
import { livePage } from '../../support/live-page.ts'

const NAV_LINKS = [
  { label: 'Signs', href: '/work/signs/' },
  { label: 'About', href: '/about' },
  {
    label: 'More',
    links: [
      { label: 'Work', href: '/work' },
      { label: 'Best', href: '/work#best' },
    ],
  },
  { label: 'Elsewhere', href: 'https://example.com/work' },
]

test('above an item are the front page and the links of the header that lead to folders of its address', () => {
  const item = livePage({
    page: { type: 'item', subroute: 'work/signs', slug: 'library' },
    settings: { navLinks: NAV_LINKS },
  })
  expect(itemSteps(item)).toEqual([
    { title: 'Acme', path: '/' },
    { title: 'Work', path: '/work' },
    { title: 'Signs', path: '/work/signs' },
  ])
})

test('only items have them', () => {
  for (const type of ['page', 'article', 'docs'] as const)
    expect(
      itemSteps(livePage({ page: { type, subroute: 'work', slug: 'a' }, settings: { navLinks: NAV_LINKS } })),
    ).toEqual([])
})

test('the front page above an item is that of its language, which has none above it', () => {
  const locale = (code: string, subroute: string) => ({ code, label: code, dir: 'ltr' as const, subroute })
  const settings = {
    navLinks: [
      { label: 'Accueil', href: '/fr' },
      { label: 'Travaux', href: '/fr/travaux' },
    ],
    locales: [locale('en', ''), locale('fr', 'fr')],
  }
  const item = livePage({ page: { type: 'item', subroute: 'fr/travaux', slug: 'gare' }, settings })
  expect(itemSteps(item)).toEqual([
    { title: 'Acme', path: '/fr' },
    { title: 'Travaux', path: '/fr/travaux' },
  ])
  expect(itemSteps(livePage({ page: { type: 'item', subroute: 'fr', slug: 'index' }, settings }))).toEqual([])
  const stated = livePage({
    page: { type: 'item', subroute: 'work', slug: 'gare' },
    fields: { locale: 'fr' },
    settings,
  })
  expect(itemSteps(stated)[0]).toEqual({ title: 'Acme', path: '/fr' })
})
