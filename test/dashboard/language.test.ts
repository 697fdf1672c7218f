import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { translated } from '../../src/dashboard/frame/translated.ts'
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

  test('is that of refusals too: by their text, by their code, or as the service wrote them', () => {
    const german = languageOf('de', '')
    const said = (message: string, code?: 'taken' | 'wrong_format') =>
      translated(message, { words: german, code })
    expect(said('must be one of a, b.')).toBe('muss eines davon sein: a, b.')
    expect(said('must have 3 to 100 characters.')).toBe('muss 3 bis 100 Zeichen haben.')
    expect(said('Too many requests: the limit is 5 a minute. Try again in 7 s.')).toBe(
      'Zu viele Anfragen. Versuchen Sie es in 7 Sekunden wieder.',
    )
    expect(said('has a rule that no phrase knows.', 'wrong_format')).toBe('hat nicht die nötige Form.')
    expect(said('No phrase knows this.')).toBe('No phrase knows this.')
    const english = languageOf('en', '')
    expect(translated('is taken.', { words: english, code: 'taken' })).toBe('is taken.')
  })

  test('leaves no English words in a refused form', async () => {
    const project = await service.newProject('Bäckerei')
    const at = `/dashboard/projects/${project}`
    const pages = `${at}/pages/new`
    const page = { title: 'Brot', slug: 'brot', type: 'page', subroute: '' }
    await owner.post(pages, page, GERMAN)
    const answers = await Promise.all([
      owner.post(pages, page, GERMAN),
      owner.post(pages, { ...page, title: '', slug: 'ä b' }, GERMAN),
      owner.post(`${at}/members`, { email: 'keine', role: 'x' }, GERMAN),
      owner.post(`${at}/webhooks`, { url: 'ftp://a', description: '', coalesce_seconds: '-1' }, GERMAN),
      owner.post(
        `${at}/theme`,
        { base: '', 'branding.primary_color': 'x(', 'announcement.href': 'x' },
        GERMAN,
      ),
      owner.post(`${at}/settings/delete`, { confirm: 'Bäckerei' }, GERMAN),
      owner.post('/dashboard/keys', { name: '', permissions: 'x', expires_at: 'gestern' }, GERMAN),
      visitor(service).post('/dashboard/sign-in', { email: 'x', password: 'y' }, GERMAN),
    ])
    for (const { status, html } of answers) {
      const [, note = ''] = /<div class="note note-fault"[^>]*>([\s\S]*?)<\/div>/.exec(html) ?? []
      expect(status).toBeGreaterThanOrEqual(400)
      expect(note).not.toBe('')
      expect(note.replaceAll(/<[^>]*>/g, ' ')).not.toMatch(/\b(must|is|has|the|a|be|not|and|only)\b/i)
    }
  })

  test('has every text in each catalogue, of the same shape', () => {
    const [first, ...others] = LANGUAGES.map((words) => new Map(textsOf(words)))
    expect(first?.size).toBeGreaterThan(500)
    for (const other of others) {
      const open = (path: string) => /\.(props|fields|choices|phrases)\./.test(`.${path}.`)
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
