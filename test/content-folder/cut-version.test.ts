import { expect, test } from 'vitest'
import { inMovedVersion, planVersionCut, withVersions } from '../../src/content-folder/cut-version.ts'
import type { Version } from '../../src/domain/version.ts'

const FRENCH = [
  { code: 'en', label: 'English', dir: 'ltr', subroute: '' },
  { code: 'fr', label: 'Français', dir: 'ltr', subroute: 'fr' },
] as const
const FILES = ['site.yaml', 'index.md', 'docs/a.md', 'docs/1.0/a.md', 'docs/a.png', 'fr/docs/a.md']
const VERSIONS: readonly Version[] = [
  { name: '2.0', label: 'Version 2', subroute: 'docs', latest: true },
  { name: '1.0', label: '1.0', subroute: 'docs/1.0', latest: false },
]

test('the files of the latest version are copied in each language, without those of older versions', () => {
  const plan = planVersionCut(FILES, { locales: FRENCH, versions: VERSIONS }, '3.0', null)
  if (typeof plan === 'string') throw new Error(plan)
  expect(plan.copies).toEqual([
    { from: 'docs/a.md', to: 'docs/2.0/a.md' },
    { from: 'docs/a.png', to: 'docs/2.0/a.png' },
    { from: 'fr/docs/a.md', to: 'fr/docs/2.0/a.md' },
  ])
  expect(plan.versions).toEqual([
    { name: '3.0', label: '3.0', subroute: 'docs', latest: true },
    { name: '2.0', label: 'Version 2', subroute: 'docs/2.0', latest: false },
    VERSIONS[1],
  ])
  expect(inMovedVersion('[A](/docs/a) [B](/blog/) [C](b.md) [D](/fr/docs/a#b)', plan.moved)).toBe(
    '[A](/docs/2.0/a) [B](/blog/) [C](b.md) [D](/fr/docs/2.0/a#b)',
  )
})

test.each([
  ['a site without versions, whose present one has no name', [], '2.0', null, '--current'],
  ['a name that a version has', VERSIONS, '1.0', null, 'exists already'],
  [
    'a file that would be overwritten',
    [],
    '2.0',
    { name: '1.0', folder: 'docs' },
    'docs/1.0/a.md exists already',
  ],
  ['a folder without files', [], '2.0', { name: '1.0', folder: 'guide' }, 'has no files'],
])('%s is refused before anything is written', (_, versions, name, current, message) => {
  expect(planVersionCut(FILES, { locales: [], versions }, name, current)).toContain(message)
})

test('site.yaml keeps its comments and other fields when its versions change', () => {
  expect(withVersions('# Site\nname: A # here\n', VERSIONS)).toBe(
    '# Site\nname: A # here\nversions:\n  - name: "2.0"\n    label: Version 2\n    subroute: docs\n    latest: true\n  - name: "1.0"\n    subroute: docs/1.0\n',
  )
})
