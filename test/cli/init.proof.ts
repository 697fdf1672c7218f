import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SITE_TEMPLATES } from '../../src/cli/init.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const quoin = (...args: string[]) => startCommand(args).ended

describe('quoin init', () => {
  test('creates a site that builds without warnings, and prints how to build it', async () => {
    const folder = join(await temporaryFolder(), 'field-notes')
    const { code, out, err } = await quoin('init', folder)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`Start with ${folder}/index.yaml.`)
    expect(await readFile(join(folder, 'site.yaml'), 'utf8')).toMatch(/^name: "Field notes"$/m)

    const [, command = ''] = /quoin (build .*)/.exec(out) ?? []
    const built = await quoin(...command.split(' '), '--strict')
    expect(built).toMatchObject({ code: 0, err: '' })
    const pages = [...(await readSiteFiles(join(folder, 'dist'))).keys()]
    expect(pages).toEqual(
      expect.arrayContaining([
        ...['index.html', 'blog/index.html', 'blog/hello/index.html', 'docs/index.html'],
        ...['docs/writing/index.html', 'work/walnut-shelf/index.html', 'images/hero.svg'],
      ]),
    )
  })

  test('creates a site that builds in its folder without any argument', async () => {
    const folder = join(await temporaryFolder(), 'field-notes')
    expect(await quoin('init', folder)).toMatchObject({ code: 0 })
    const built = await startCommand(['build'], {}, undefined, folder).ended
    expect(built).toMatchObject({ code: 0, err: '' })
    expect([...(await readSiteFiles(join(folder, 'dist'))).keys()]).toContain('index.html')
  })

  test('creates the template that is named, with prices, yearly ones and a moving row of names', async () => {
    const folder = join(await temporaryFolder(), 'shifts')
    expect(await quoin('init', folder, '--template', 'saas')).toMatchObject({ code: 0, err: '' })
    const built = await quoin(
      'build',
      folder,
      '--out',
      join(folder, 'dist'),
      '--url',
      'https://example.com',
      '--strict',
    )
    expect(built).toMatchObject({ code: 0, err: '' })
    const page = await readFile(join(folder, 'dist/index.html'), 'utf8')
    expect(page).toMatch(/price-yearly.*€290/)
    expect(page).toContain('class="marquee"')
    expect(page).toContain('title-gradient')

    const unknown = await quoin('init', join(folder, 'other'), '--template', 'nope')
    expect(unknown).toMatchObject({ code: 2, out: '' })
    expect(unknown.err).toContain(Object.keys(SITE_TEMPLATES).join(', '))
  })

  test.each(Object.keys(SITE_TEMPLATES))(
    'gives the site of the template %s its name, and no other one',
    async (template) => {
      const folder = join(await temporaryFolder(), 'site')
      expect(
        await quoin('init', folder, '--template', template, '--name', 'Ada: "maps" & more'),
      ).toMatchObject({ code: 0 })
      const site = parse(await readFile(join(folder, 'site.yaml'), 'utf8'))
      expect(site.name).toBe('Ada: "maps" & more')
      if (site.shared_footer?.copyright !== undefined)
        expect(site.shared_footer.copyright).toMatch(/^© 20\d\d Ada: "maps" & more(\.|$)/)
      const texts = [...(await readSiteFiles(folder))].filter(([file]) => /\.(md|yaml)$/.test(file))
      const former = /^name: (.*)$/m.exec(
        await readFile(join(PACKAGE_ROOT, 'templates/sites', template, 'site.yaml'), 'utf8'),
      )?.[1]
      expect(texts.filter(([, text]) => text.includes(former ?? '')).map(([file]) => file)).toEqual([])
      for (const [file, text] of texts) if (file.endsWith('.yaml')) expect(parse(text), file).toBeTruthy()
    },
  )

  test.runIf(LONG_FORM)(
    'prints JSON with the created files, and accepts any characters in a name',
    async () => {
      const folder = await temporaryFolder()
      const name = 'Ada\'s "notes": $& #1'
      const { code, out } = await quoin('init', folder, '--name', name, '--json')
      expect(code).toBe(0)
      const { files, ...rest } = JSON.parse(out)
      expect(rest).toEqual({ ok: true, folder, name })
      expect(files).toEqual([...(await readSiteFiles(folder)).keys()].sort())
      const built = await quoin('build', folder, '--out', join(folder, 'dist'))
      expect(built.code).toBe(0)
      expect(await readFile(join(folder, 'dist/index.html'), 'utf8')).toContain('Ada&#39;s &quot;notes&quot;')
    },
  )

  test('refuses a folder with files, and never replaces hidden ones', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, '.gitignore'), 'mine\n')
    await writeFile(join(folder, 'README.md'), '# Mine\n')
    await writeFile(join(folder, 'LICENSE'), 'Mine.\n')
    expect((await quoin('init', folder)).code).toBe(0)
    expect(await quoin('build', folder, '--out', join(folder, 'dist'))).toMatchObject({ code: 0, err: '' })
    const before = await readSiteFiles(folder)
    expect(before.get('.gitignore')).toBe('mine\n')

    const again = await quoin('init', folder)
    expect(again).toMatchObject({ code: 1, out: '' })
    expect(again.err).toMatch(
      /^quoin: .* is not empty: it contains blog and 6 more\. Files are never replaced: name a new or empty folder\.\n$/,
    )
    expect(await readSiteFiles(folder)).toEqual(before)
  })

  test('creates a site in a folder in which npm has installed Quoin, and builds nothing of npm there', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'node_modules/quoin'), { recursive: true })
    await writeFile(join(folder, 'node_modules/quoin/README.md'), '# A package\n')
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      await writeFile(join(folder, name), '{}\n')
    const { code, err, out } = await quoin('init', folder, '--template', 'minimal')
    expect([code, err, out.includes('node_modules')]).toEqual([0, '', false])
    const dist = join(folder, 'dist')
    expect(await quoin('build', folder, '--out', dist)).toMatchObject({ code: 0, err: '' })
    expect((await readdir(dist)).filter((name) => /node_modules|package/.test(name))).toEqual([])

    const taken = await temporaryFolder()
    for (const name of ['package.json', 'notes.md']) await writeFile(join(taken, name), '{}\n')
    expect((await quoin('init', taken)).err).toContain('is not empty: it contains notes.md. Files')
  })

  test.each([
    [['--name', 'x'.repeat(101)], 2, /--name: must be one line of at most 100 characters/],
    [[join(import.meta.filename)], 1, /cannot be used/],
    [
      ['/proc/nope/site'],
      1,
      /^quoin: The system refused: ENOENT: no such file or directory, mkdir '\/proc\/nope'\. Check the path\.$/m,
    ],
  ])('with %j fails with one line', async (args, code, line) => {
    const ended = await quoin('init', ...args)
    expect(ended.code).toBe(code)
    expect(ended.err).toMatch(line)
    expect(ended.err.trim().split('\n')).toHaveLength(1)
  })
})
