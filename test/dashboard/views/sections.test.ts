import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECTION_TYPES } from '../../../src/sections/catalogue.ts'
import { type DashboardClient, shownFields, signedIn } from '../../support/dashboard.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'

let service: TestService
let owner: DashboardClient

beforeAll(async () => {
  service = await startService()
  owner = await signedIn(service)
})
afterAll(() => service?.close())

interface Opened {
  readonly path: string
  readonly fields: () => Promise<Record<string, string>>
  readonly press: (fields: Record<string, string>, act: string) => Promise<Record<string, string>>
  readonly stored: () => Promise<readonly Record<string, unknown>[]>
}

async function open(sections: readonly object[]): Promise<Opened> {
  const project = await service.newProject()
  const body = pageBody(project, { type: 'page', config: { sections, theme: 'minimal' } })
  const id = (await service.call('POST', '/pages', body)).body.data.id
  const path = `/dashboard/projects/${project}/pages/${id}/sections`
  return {
    path,
    fields: async () => shownFields((await owner.get(path)).html, path),
    press: async (fields, act) => shownFields((await owner.post(path, { ...fields, act })).html, path),
    stored: async () => (await service.call('GET', `/pages/${id}`)).body.data.config.sections,
  }
}

const HERO = { type: 'hero', title: 'Along the sea', actions: [{ text: 'Read', link: '/walks' }] }
const FAQ = { type: 'faq', title: 'Questions', items: [{ question: 'Why?', answer: 'Because.' }] }

describe('the sections of a page', () => {
  test('are stored as they were when nothing is changed, of every type', async () => {
    const all = SECTION_TYPES.map(({ name }) => ({ type: name, title: `A ${name}`, own: { kept: true } }))
    const { path, fields, stored } = await open([HERO, FAQ, ...all])
    expect((await owner.post(path, { ...(await fields()), act: 'save' })).location).toMatch(/done=pageSaved/)
    expect(await stored()).toEqual([HERO, FAQ, ...all])
  })

  test('are added, filled in, moved, duplicated and removed by buttons, and stored by Save', async () => {
    const { path, fields, press, stored } = await open([HERO, FAQ])
    const swapped = await press(await fields(), 'up:s.1')
    expect([swapped['s.0.type'], swapped['s.1.type']]).toEqual(['faq', 'hero'])
    const twice = await press(swapped, 'copy:s.0')
    const added = await press({ ...twice, new_type: 'cta' }, 'add:s')
    expect(added['s.rows']).toBe('4')
    const item = await press({ ...added, 's.3.title': 'Begin' }, 'add:s.0.items')
    expect(item['s.0.items.rows']).toBe('2')
    const filled = { ...item, 's.0.items.1.question': 'When?', 's.0.items.1.answer': 'Now.' }
    const less = await press(filled, 'remove:s.1')
    expect(await stored()).toEqual([HERO, FAQ])
    await owner.post(path, { ...less, act: 'save' })
    expect(await stored()).toEqual([
      { ...FAQ, items: [...FAQ.items, { question: 'When?', answer: 'Now.' }] },
      HERO,
      { type: 'cta', title: 'Begin' },
    ])
  })

  test('are not written over another person’s, and what was typed is shown again', async () => {
    const { path, fields, stored } = await open([HERO])
    const opened = await fields()
    const id = /pages\/(page_\w+)/.exec(path)?.[1]
    await service.call('PUT', `/pages/${id}`, { config: { sections: [FAQ] } })
    const late = await owner.post(path, { ...opened, 's.0.title': 'Mine', act: 'save' })
    expect([late.status, late.html.includes('value="Mine"')]).toEqual([412, true])
    expect(await stored()).toEqual([FAQ])
  })

  test('are shown without a form when no form can hold their list, since its end would be lost', async () => {
    const items = Array.from({ length: 201 }, (_, at) => ({ question: `Question ${at}?`, answer: 'Yes.' }))
    const { path, fields, stored } = await open([{ ...FAQ, items }])
    const { html } = await owner.get(path)
    expect(html).toContain('These sections have more entries than a form can hold')
    expect(await fields()).toEqual({})
    expect(await stored()).toEqual([{ ...FAQ, items }])
  })

  test('have a form for the longest list, to which no button adds another entry', async () => {
    const items = Array.from({ length: 200 }, (_, at) => ({ question: `Question ${at}?`, answer: 'Yes.' }))
    const { path, fields, press, stored } = await open([{ ...FAQ, items }])
    const added = await press(await fields(), 'add:s.0.items')
    const copied = await press(added, 'copy:s.0.items.3')
    expect(copied['s.0.items.rows']).toBe('200')
    await owner.post(path, { ...copied, act: 'save' })
    expect(await stored()).toEqual([{ ...FAQ, items }])
  })

  test('are previewed as they are typed', async () => {
    const { path, fields } = await open([HERO])
    const typed = { ...(await fields()), 's.0.title': 'Typed title' }
    const { html } = await owner.post(path.replace(/sections$/, 'document'), typed)
    expect(html).toContain('Typed title')
  })

  test.each([
    'up:s.9',
    'add:s.0.title',
    'remove:s',
    'up:__proto__.1',
    'add:s.0.constructor.x',
    'copy:s.0.items.5',
  ])('are not changed by a button that no page has: %s', async (act) => {
    const { path, fields } = await open([HERO])
    const { status } = await owner.post(path, { ...(await fields()), act })
    expect(status).toBeLessThan(500)
  })
})
