import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SITE_TEMPLATES } from '../../src/cli/init.ts'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

/** Output of a command that succeeds without a word on standard error. */
async function quoin(...args: string[]): Promise<string> {
  const env = { QUOIN_KEY: service.key, QUOIN_URL: service.url }
  const { code, out, err } = await startCommand(args, env).ended
  expect([args[0], code, err]).toEqual([args[0], 0, ''])
  return out
}

/** The folder of the pages of a template, besides those at its top. */
const PAGES: Readonly<Record<keyof typeof SITE_TEMPLATES, string>> = {
  starter: 'docs',
  docs: 'docs',
  blog: 'blog',
  portfolio: 'work',
  event: '.',
  product: 'news',
  saas: 'news',
  restaurant: 'evenings',
  handbook: 'handbook',
  changelog: 'changelog',
  minimal: 'notes',
}

const names = Object.keys(SITE_TEMPLATES) as (keyof typeof SITE_TEMPLATES)[]
/** Every step is a process. */
const tried = LONG_FORM ? names : (['docs'] as const)

describe.each(tried)('a site from the template %s', (template) => {
  test('builds after a cut of a version, a translation and another theme, and is pushed, exported and imported', async () => {
    const parent = await temporaryFolder()
    const [folder, out] = [join(parent, 'site'), join(parent, 'dist')]
    await quoin('init', folder, '--template', template, '--name', `Site of ${template}`)
    const build = (to: string) =>
      quoin('build', folder, '--out', to, '--url', 'https://site.example', '--quiet')
    await build(out)

    const pages = PAGES[template]
    if (pages !== '.') {
      await quoin('version', 'cut', '2.0', folder, '--current', '1.0', '--docs', pages)
    }

    const [page = ''] = (await readdir(join(folder, pages))).filter((name) =>
      /^[a-z-]+\.(md|yaml)$/.test(name),
    )
    const siteFile = join(folder, 'site.yaml')
    const translated = join(folder, 'de', pages, page)
    await mkdir(dirname(translated), { recursive: true })
    await cp(join(folder, pages, page), translated)
    const settings = await readFile(siteFile, 'utf8')
    await writeFile(siteFile, `${settings.replace(/^theme: .*$/m, 'theme: minimal')}${LOCALES}`)
    await build(out)
    const fresh = join(parent, 'fresh')
    await build(fresh)
    expect(await filesIn(out)).toEqual(await filesIn(fresh))

    const pushed = JSON.parse(await quoin('push', folder, '--publish', '--json'))
    const exported = join(parent, 'exported')
    await quoin('export', pushed.project_id, '--out', exported, '--quiet')
    const imported = JSON.parse(await quoin('import', exported, '--publish', '--json'))
    expect(await pathsOf(imported.project_id)).toEqual(await pathsOf(pushed.project_id))
  })
})

const LOCALES = `locales:
  - { code: en, label: English }
  - { code: de, label: Deutsch, subroute: de }
`

/** The files of a site without the number of its builds. */
async function filesIn(out: string) {
  return [...(await readSiteFiles(out))].map(([key, text]) => [key, text.replace(/"revision":\d+/, '')])
}

async function pathsOf(project: string): Promise<readonly string[]> {
  const { body } = await service.call('GET', `/pages?project_id=${project}&limit=100`)
  return body.data
    .map(({ subroute, slug, status }: Record<string, string>) => `${subroute}/${slug} ${status}`)
    .toSorted()
}
