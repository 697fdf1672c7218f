import { expect, test } from 'vitest'
import type { NavNode } from '../../../src/domain/live-page.ts'
import { navKeys } from '../../../src/render/docs/docs-nav.ts'
import { navigationArtifacts } from '../../../src/render/docs/nav-artifacts.ts'
import { livePage } from '../../support/live-page.ts'
import { createPlainTheme } from '../../support/plain-theme.ts'

const tree: readonly NavNode[] = [
  {
    children: [{ title: 'Install', path: '/docs/install', badge: 'new', children: [] }],
    badge: null,
    path: null,
    title: 'Start',
  },
]

function textOf(body: Uint8Array | undefined): string {
  return Buffer.from(body ?? []).toString()
}

test.each([
  ['docs', '_nav/docs.json', '_nav/docs/index.html'],
  ['', '_nav/_.json', '_nav/_/index.html'],
  ['docs/api', '_nav/docs/api.json', '_nav/docs/api/index.html'],
])('the navigation of %j is stored at %s and %s', (home, file, page) => {
  expect(navKeys(home)).toEqual([file, page])
  const artifacts = navigationArtifacts(new Map([[home, tree]]), livePage(), createPlainTheme()).filter(
    ({ stage }) => stage !== 'asset',
  )
  expect(artifacts.map(({ key, stage, owner }) => [key, stage, owner])).toEqual([
    [file, 'index', { kind: 'nav', id: home }],
    [page, 'index', { kind: 'nav', id: home }],
  ])
})

test('the navigation file is compact and has a fixed key order', () => {
  const artifacts = navigationArtifacts(new Map([['docs', tree]]), livePage(), createPlainTheme())
  expect(textOf(artifacts.find(({ key }) => key === '_nav/docs.json')?.body)).toBe(
    '{"subroute":"docs","items":[{"title":"Start","path":null,"badge":null,"children":[{"title":"Install","path":"/docs/install","badge":"new","children":[]}]}]}',
  )
})

test('the navigation page lists everything and is not indexed', () => {
  const theme = createPlainTheme()
  const artifacts = navigationArtifacts(
    new Map([['docs/api_v2', tree]]),
    livePage({ settings: { branding: { lang: 'ar' } } }),
    theme,
  )
  const [view] = theme.views.navPages
  expect(view).toMatchObject({
    lang: 'ar',
    dir: 'rtl',
    title: 'Docs / API v2',
    head: { robots: 'noindex', canonical: 'https://acme.example/_nav/docs/api_v2/' },
    tree: [{ title: 'Start', href: null, children: [{ href: '../../../docs/install/' }] }],
  })
  expect(artifacts.map(({ key }) => key)).toContain(view?.head.themeStyle.replace(/^(\.\.\/)+/, ''))
})
