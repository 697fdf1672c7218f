import { afterEach, beforeEach, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

const HOUR_MS = 60 * 60 * 1000

let service: TestService
let project: string
let time: number

beforeEach(async () => {
  const themes = await temporaryFolder()
  await writeFiles(themes, {
    'mine/theme.json': { extends: 'minimal' },
    'mine/style.css': '@font-face { font-family: S; src: url(assets/serif.woff2) }',
    'mine/assets/serif.woff2': 'no font',
  })
  time = Date.parse('2026-01-01T00:00:00.000Z')
  service = await startService({
    env: { QUOIN_THEMES: themes },
    now: () => new Date(time).toISOString(),
  })
  project = await service.newProject()
})
afterEach(() => service.close())

const publishDocs = (slug: string) => publish({ slug, subroute: 'docs', type: 'docs' })
const publish = async (fields: object): Promise<string> => {
  const body = pageBody(project, fields)
  const { id } = (await service.call('POST', '/pages', body)).body.data
  await service.call('POST', `/pages/${id}/publish`)
  return id
}
const visit = (path: string) => service.call('GET', `/public/${project}/${path}`, undefined, { key: null })
const useTheme = (theme: string) => service.call('PUT', `/projects/${project}/settings`, { theme })

test('fonts of a theme stay as long as anything names its style', async () => {
  await publishDocs('first')
  await useTheme('mine')
  const second = await publishDocs('second')
  const [style = ''] = (await visit('docs/second/')).body.match(/_assets\/theme\.[\w.-]+\.css/)
  const [font = ''] = (await visit(style)).body.match(/serif\.[\w.-]+\.woff2/)
  expect(await visit(`_assets/${font}`)).toMatchObject({ status: 200, body: 'no font' })
  expect((await visit(`_assets/${font}`)).headers.get('content-type')).toBe('font/woff2')

  // Now the page that lists the docs is all that names its style.
  await service.call('POST', `/pages/${second}/unpublish`)
  await useTheme('default')
  await publish({ slug: 'other', subroute: '', type: 'page', config: { sections: [] } })
  expect((await visit('_nav/docs/')).body).toContain(style)
  expect((await visit('404.html')).body).not.toContain(font)
  for (const hours of [0, 30]) {
    time += hours * HOUR_MS
    await service.server.service.runHousekeeping()
  }
  expect([(await visit(style)).status, (await visit(`_assets/${font}`)).status]).toEqual([200, 200])
})

test('a preview brings them along', async () => {
  const id = await publishDocs('first')
  const html = (await service.call('GET', `/render/${id}?theme=mine`)).body
  const [style] = html.match(/\/render\/_assets\/theme\.[\w.-]+\.css/)
  const css = (await service.call('GET', style, undefined, { key: null })).body
  const [font] = css.match(/serif\.[\w.-]+\.woff2/)
  expect(await service.call('GET', `/render/_assets/${font}`, undefined, { key: null })).toMatchObject({
    status: 200,
  })
})
