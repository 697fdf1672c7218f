import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES, languageOf } from '../../src/dashboard/words/languages.ts'
import { type DashboardClient, signedIn, visitor } from '../support/dashboard.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

const GERMAN = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' }

describe('the language', () => {
  test('is that of the browser, for people who are signed in and who are not', async () => {
    const gate = await visitor(service).get('/dashboard/sign-in', GERMAN)
    expect(gate.html).toContain('<html lang="de">')
    expect(gate.html).toContain('Anmelden')
    const start = await owner.get('/dashboard/start', GERMAN)
    expect(start.html).toContain('Ihre erste Website')
    expect((await owner.get('/dashboard/start')).html).toContain('<html lang="en">')
    expect((await owner.get('/dashboard/no-such', GERMAN)).html).toContain('Diese Seite gibt es nicht.')
  })

  test('is the one that a person has chosen in this browser, and the way back stays in the dashboard', async () => {
    const chosen = await owner.post('/dashboard/language', { language: 'de', next: '/dashboard/keys' })
    expect(chosen.location).toBe('/dashboard/keys')
    const [cookie = ''] = (chosen.headers.get('set-cookie') ?? '').split(';')
    const both = visitor(service, `${owner.cookie}; ${cookie}`)
    expect((await both.get('/dashboard/keys')).html).toContain('API-Schlüssel')
    const away = await owner.post('/dashboard/language', { language: 'xx', next: 'https://evil.example' })
    expect([away.location, away.headers.get('set-cookie')]).toEqual(['/dashboard/projects', null])
  })

  test.each([
    ['', '', 'en'],
    ['', 'fr,nl;q=0.5', 'en'],
    ['', 'fr,de;q=0.1', 'de'],
    ['', 'en;q=0.2,de;q=0.8', 'de'],
    ['', 'de;q=0', 'en'],
    ['en', 'de', 'en'],
    ['xx', 'de', 'de'],
    ['', ',;q=,*;q=x', 'en'],
  ])('chosen %o and asked for by %o is %s', (chosen, header, lang) => {
    expect(languageOf(chosen, header).lang).toBe(lang)
  })

  test('has every text in each catalogue, of the same shape', () => {
    const [first, ...others] = LANGUAGES.map((words) => new Map(textsOf(words)))
    expect(first?.size).toBeGreaterThan(500)
    for (const other of others) {
      const open = (path: string) => /\.(props|fields|choices)\./.test(`.${path}.`)
      expect([...other.keys()].filter((path) => !open(path)).sort()).toEqual(
        [...(first?.keys() ?? [])].filter((path) => !open(path)).sort(),
      )
      for (const [path, kind] of other) expect([path, kind === '' ? 'empty' : kind]).toEqual([path, kind])
    }
  })
})

/** Each text of a catalogue with its path, and of functions the number of values that they take. */
function textsOf(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value === '' ? '' : 'text']]
  if (typeof value === 'function') return [[path, `function of ${value.length}`]]
  return Object.entries(value as object).flatMap(([name, inner]) =>
    textsOf(inner, path === '' ? name : `${path}.${name}`),
  )
}
