import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startCommand } from '../support/command.ts'
import { LONG_FORM, some } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/themes/', import.meta.url))
/** Some test folders are not created by Quoin, so their themes have to be trusted. */
const quoin = (...args: string[]) => startCommand(args, { QUOIN_TRUST: 'true' }).ended

describe('quoin theme new', () => {
  test('creates a theme without errors or warnings and prints the next steps', async () => {
    const place = await temporaryFolder()
    const folder = join(place, 'site/themes/evening-paper')
    const made = await quoin('theme', 'new', folder, '--extends', 'minimal')
    expect(made).toMatchObject({ code: 0, err: '' })
    await expect(made.out.replaceAll(folder, 'site/themes/evening-paper')).toMatchFileSnapshot(
      join(fixtures, 'new.txt'),
    )
    expect(JSON.parse(await readFile(join(folder, 'theme.json'), 'utf8'))).toMatchObject({
      title: 'Evening paper',
      extends: 'minimal',
    })
    const checked = await quoin('theme', 'check', folder, '--strict')
    expect(checked).toMatchObject({ code: 0, err: '' })
    expect(checked.out).toMatch(/: no errors, no warnings; \d\d+ pages rendered\.\n$/)

    await writeFiles(join(place, 'site'), {
      'site.yaml': 'name: Notes\nurl: https://notes.example\ntheme: evening-paper\n',
      'a.md': '---\ntitle: A\n---\n\nText.\n',
    })
    const out = join(place, 'dist')
    expect(await quoin('build', join(place, 'site'), '--out', out)).toMatchObject({ code: 0, err: '' })
    expect(await readFile(join(out, 'a/index.html'), 'utf8')).toContain('<footer class="site-footer">')
  })

  test('never replaces existing files', async () => {
    const place = join(await temporaryFolder(), 'mine')
    await mkdir(place)
    await writeFile(join(place, 'theme.json'), '{}')
    const { code, err } = await quoin('theme', 'new', place)
    expect(code).toBe(1)
    expect(err).toBe(
      `quoin: ${place} is not empty: it contains theme.json. Files are never replaced: name a new or empty folder.\n`,
    )
    expect(await readFile(join(place, 'theme.json'), 'utf8')).toBe('{}')
  })

  test('prints how to preview a theme in the themes/ of a site', async () => {
    const site = join(await temporaryFolder(), 'site')
    await writeFiles(site, { 'site.yaml': 'name: Notes\n' })
    const { out } = await quoin('theme', 'new', join(site, 'themes/mine'))
    expect(out).toContain(`\n  quoin dev ${site} --theme mine\n`)
    expect(out).toContain(`write theme: mine in ${site}/site.yaml.`)
  })

  test.each(
    some<[string[], RegExp]>(
      [
        [['default'], /^quoin: Quoin has a theme named default/],
        [
          ['My Theme'],
          /^quoin: Invalid theme name "My Theme": use up to 50 lower-case letters, digits and hyphens/,
        ],
        [
          ['x', '--extends', 'none'],
          /^quoin: --extends: must be one of dark, default, minimal, not "none"\./,
        ],
      ],
      2,
    ),
  )('%j exits 2 with a clear line', async ([name = '', ...flags], line) => {
    const { code, err } = await quoin('theme', 'new', join(await temporaryFolder(), name), ...flags)
    expect(code).toBe(2)
    expect(err).toMatch(line)
  })
})

describe('quoin theme check', () => {
  test.runIf(LONG_FORM)('reports every problem of a theme by file and line', async () => {
    const folder = join(fixtures, 'faulty')
    const ended = await quoin('theme', 'check', folder)
    expect(ended).toMatchObject({ code: 1, err: 'quoin: The theme has errors.\n' })
    // Each sample of a section adds a page, which is no news about this theme.
    const report = ended.out
      .replaceAll(/\S*fixtures\/themes\/faulty/g, 'faulty')
      .replace(/\d{3,} pages rendered/, 'all pages rendered')
    await expect(report).toMatchFileSnapshot(join(fixtures, 'faulty.txt'))
  })

  test.runIf(LONG_FORM)('--json prints one object', async () => {
    const folder = join(fixtures, 'faulty')
    const json = await quoin('theme', 'check', folder, '--json')
    expect(json.code).toBe(1)
    const { ok, errors, warnings, diagnostics } = JSON.parse(json.out)
    expect(ok).toBe(false)
    expect(errors + warnings).toBe(diagnostics.length)
    expect(diagnostics).toContainEqual({
      severity: 'error',
      code: 'QN-UNKNOWN-NAME',
      file: 'partials/footer.eta',
      line: 4,
      column: null,
      field: null,
      message: 'it.site.nmae is not defined in this template.',
      on: '/bare',
    })
  })

  test.runIf(LONG_FORM)('a theme with warnings alone fails only with --strict', async () => {
    const folder = join(await temporaryFolder(), 'mine')
    await writeFiles(folder, { 'theme.json': { extends: 'dark' }, 'partials/lonely.eta': '<p></p>' })
    expect(await quoin('theme', 'check', folder)).toMatchObject({ code: 0, err: '' })
    expect(await quoin('theme', 'check', folder, '--strict')).toMatchObject({
      code: 1,
      err: 'quoin: 1 warning with --strict.\n',
    })
  })
})
