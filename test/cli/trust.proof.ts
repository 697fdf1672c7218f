import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

/** Of util-linux. */
const SCRIPT = '/usr/bin/script'
const entry = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** A folder from elsewhere, whose template writes a file on the machine that runs it. */
async function clonedSite() {
  const parent = await temporaryFolder()
  const site = join(parent, 'cloned')
  const sign = join(parent, 'pwned')
  const attack = `<% const fs = process.getBuiltinModule?.('fs') ?? null; if (fs) fs.writeFileSync(${JSON.stringify(sign)}, '') %><footer>Theirs</footer>\n`
  await writeFiles(site, {
    'site.yaml': 'name: Notes\nurl: https://notes.example\ntheme: mine\n',
    'a.md': '---\ntitle: A\n---\n\nText.\n',
    'themes/mine/theme.json': { extends: 'minimal' },
    'themes/mine/partials/footer.eta': attack,
  })
  const settings = join(parent, 'settings')
  const quoin = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    startCommand(args, { XDG_CONFIG_HOME: settings, ...env })
  return { parent, site, theme: join(site, 'themes/mine'), out: join(parent, 'dist'), settings, quoin }
}

const REFUSED =
  /^quoin: \S+: the templates of its themes are code that would run on this machine: \S*footer\.eta\. Read them\. If you trust the folder, run the command again with --trust\.\n$/

describe('theme code of a folder that was not created here', () => {
  test('is refused by build, dev and theme check, which name its files and run nothing', async () => {
    const { parent, site, theme, out, quoin } = await clonedSite()
    const plain = join(parent, 'plain')
    await writeFiles(plain, { 'site.yaml': 'name: Plain\n', 'a.md': '---\ntitle: A\n---\n\nText.\n' })
    for (const args of [
      ['build', site, '--out', out],
      ['build', site, '--out', out, '--theme', 'dark'],
      ['build', plain, '--out', out, '--theme-folder', theme],
      ['dev', site, '--port', '0'],
      ['dev', plain, '--port', '0', '--theme-folder', theme],
      ['theme', 'check', theme],
    ]) {
      const { code, out: printed, err } = await quoin(args).ended
      expect([args, code, printed]).toEqual([args, 2, ''])
      expect(err).toMatch(REFUSED)
    }
    await expect(readFile(join(parent, 'pwned'))).rejects.toThrow('ENOENT')
    expect((await readSiteFiles(out)).size).toBe(0)
  })

  test('runs with --trust, and from then on without it, for this path only', async () => {
    const { parent, site, theme, out, settings, quoin } = await clonedSite()
    const build = (...args: string[]) => quoin(['build', site, '--out', out, ...args]).ended
    expect(await build('--trust')).toMatchObject({ code: 0, err: '' })
    expect((await readSiteFiles(out)).get('a/index.html')).toContain('Theirs')
    // The attack is one: the template has written the file.
    expect(await readFile(join(parent, 'pwned'), 'utf8')).toBe('')
    expect(await build()).toMatchObject({ code: 0, err: '' })
    expect(await quoin(['theme', 'check', theme]).ended).toMatchObject({ code: 0 })
    expect(JSON.parse(await readFile(join(settings, 'quoin/trusted-folders.json'), 'utf8'))).toEqual([site])

    const link = join(parent, 'link')
    await symlink(site, link)
    expect(await quoin(['build', link, '--out', out]).ended).toMatchObject({ code: 0 })
    await rename(site, join(parent, 'moved'))
    expect(await quoin(['build', join(parent, 'moved'), '--out', out]).ended).toMatchObject({ code: 2 })
  })

  test('runs when it appears in a folder that was trusted before it had any', async () => {
    const { parent, site, out, quoin } = await clonedSite()
    await rename(join(site, 'themes'), join(parent, 'themes'))
    await writeFile(join(site, 'site.yaml'), 'name: Notes\n')
    const build = (...args: string[]) => quoin(['build', site, '--out', out, ...args]).ended
    expect(await build('--trust')).toMatchObject({ code: 0, err: '' })
    await rename(join(parent, 'themes'), join(site, 'themes'))
    await writeFile(join(site, 'site.yaml'), 'name: Notes\ntheme: mine\n')
    expect(await build()).toMatchObject({ code: 0, err: '' })
    expect((await readSiteFiles(out)).get('a/index.html')).toContain('Theirs')
  })

  test('runs once with QUOIN_TRUST=true, which is not remembered', async () => {
    const { site, out, quoin } = await clonedSite()
    const build = (env: Readonly<Record<string, string>>) => quoin(['build', site, '--out', out], env).ended
    expect(await build({ QUOIN_TRUST: 'true' })).toMatchObject({ code: 0 })
    expect(await build({})).toMatchObject({ code: 2 })
    expect(await build({ QUOIN_TRUST: 'yes please' })).toMatchObject({
      code: 2,
      err: 'quoin: QUOIN_TRUST: must be true or false, not "yes please".\n',
    })
  })

  test('does not run in quoin dev when it appears later', async () => {
    const { site, quoin } = await clonedSite()
    await rename(join(site, 'themes'), join(site, '../themes'))
    await writeFile(join(site, 'site.yaml'), 'name: Notes\n')
    const dev = quoin(['dev', site, '--port', '0'])
    const [, origin = ''] = await dev.line(/ready at (\S+)\/\n/)
    await rename(join(site, '../themes'), join(site, 'themes'))
    const errors = async () =>
      ((await (await fetch(`${origin}/__quoin/state?path=/a/`)).json()) as { errors: unknown[] }).errors
    while ((await errors()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await errors()).toMatchObject([{ message: expect.stringContaining('the folder is not trusted') }])
    await expect(readFile(join(site, '../pwned'))).rejects.toThrow('ENOENT')
  })
})

describe.skipIf(!existsSync(SCRIPT))('on a terminal', () => {
  test('a folder is asked about once, with its templates, and another answer than yes refuses it', async () => {
    const { site, out, settings } = await clonedSite()
    const build = (answer: string) => onTerminal(['build', site, '--out', out], answer, settings)
    const refused = await build('n')
    expect(refused.out).toMatch(/footer\.eta\r\n.*Do you trust this folder.*\[y\/N\]/s)
    expect([refused.code, refused.out.includes('--trust')]).toEqual([2, true])
    expect((await build('yes')).code).toBe(0)
    const again = await build('')
    expect([again.code, again.out.includes('Do you trust')]).toEqual([0, false])
  })
})

/** Runs a command on a terminal of its own, and types a line when it asks. */
async function onTerminal(args: readonly string[], answer: string, settings: string) {
  const command = [process.execPath, entry, ...args].map((arg) => `'${arg}'`).join(' ')
  const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: settings },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let isAsked = false
  child.stdout.on('data', (text) => {
    out += text
    if (isAsked || !out.includes('[y/N]')) return
    isAsked = true
    child.stdin.write(`${answer}\n`)
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, out }
}

test('folders that quoin init and quoin theme new create are trusted, and a theme without templates needs no trust', async () => {
  const { parent, quoin } = await clonedSite()
  const site = join(parent, 'own')
  const out = join(parent, 'dist')
  expect(await quoin(['init', site]).ended).toMatchObject({ code: 0, err: '' })
  await writeFiles(site, {
    'themes/written/theme.json': { extends: 'minimal' },
    'themes/written/partials/footer.eta': '<footer>Mine</footer>\n',
  })
  expect(await quoin(['build', site, '--out', out]).ended).toMatchObject({ code: 0 })
  const theme = join(parent, 'elsewhere')
  expect(await quoin(['theme', 'new', theme]).ended).toMatchObject({ code: 0, err: '' })
  expect(await quoin(['theme', 'check', theme]).ended).toMatchObject({ code: 0, err: '' })

  const styled = join(parent, 'styled')
  await writeFiles(styled, {
    'site.yaml': 'name: Styled\ntheme: colours\n',
    'themes/colours/theme.json': { extends: 'minimal', tokens: { brand: '#123456' } },
  })
  expect(await quoin(['build', styled, '--out', join(parent, 'styled-out')]).ended).toMatchObject({ code: 0 })
})

test('a list of trusted folders that cannot be read is refused, and one that cannot be written is a warning', async () => {
  const { site, out, settings, quoin } = await clonedSite()
  await mkdir(join(settings, 'quoin'), { recursive: true })
  await writeFile(join(settings, 'quoin/trusted-folders.json'), '{')
  expect(await quoin(['build', site, '--out', out]).ended).toMatchObject({
    code: 2,
    err: expect.stringMatching(/trusted-folders\.json cannot be read: .*\. Repair or remove it\.\n$/),
  })
  const unwritable = await quoin(['build', site, '--out', out, '--trust'], { XDG_CONFIG_HOME: '/proc' }).ended
  expect(unwritable).toMatchObject({ code: 0, err: expect.stringContaining('is not remembered') })
})
