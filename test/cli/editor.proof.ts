import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT, THEME_FOLDERS } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startYamlEditor } from '../support/yaml-language-server.ts'

async function newSite(...flags: string[]): Promise<string> {
  const folder = join(await temporaryFolder(), 'site')
  expect(await startCommand(['init', folder, ...flags]).ended).toMatchObject({ code: 0, err: '' })
  return folder
}

test('VS Code completes, explains and checks site.yaml, pages and sections', async () => {
  const folder = await newSite('--editor')
  const editor = await startYamlEditor(folder)
  for (const file of ['site.yaml', 'index.yaml', 'work/walnut-shelf.yaml'])
    expect(await editor.errorsIn(file, await readFile(join(folder, file), 'utf8'))).toEqual([])

  expect(await editor.errorsIn('site.yaml', 'name: My site\nthme: dark\n')).toEqual([
    expect.stringContaining('thme'),
  ])
  const completions = await editor.completionsIn('site.yaml', 'name: My site\n\n', { line: 1, character: 0 })
  expect(completions).toEqual(expect.arrayContaining(['theme', 'nav_links', 'meta_description']))

  const page = 'title: Home\nsections:\n  - type: \n'
  expect(await editor.completionsIn('index.yaml', page, { line: 2, character: 10 })).toEqual(
    expect.arrayContaining(['hero', 'pricing']),
  )
  expect(await editor.errorsIn('about.yaml', 'title: About\nsections: hero\n')).not.toEqual([])
  expect(await editor.hoverIn('index.yaml', 'title: Home\n', { line: 0, character: 1 })).not.toBe('')
}, 120_000)

test('existing files of the editor stay, and what to add to them is printed', async () => {
  const folder = await newSite()
  expect(await readdir(folder)).not.toContain('.vscode')
  const set = await startCommand(['editor', folder, '--json']).ended
  expect(JSON.parse(set.out)).toMatchObject({ ok: true, existing: [] })
  expect((await readdir(join(folder, '.vscode'))).sort()).toEqual([
    'extensions.json',
    'quoin',
    'settings.json',
    'tasks.json',
  ])
  const settings = join(folder, '.vscode/settings.json')
  await writeFile(settings, '{ "editor.tabSize": 2 }\n')
  const again = await startCommand(['editor', folder]).ended
  expect(again.out).toContain('settings.json exists already and was not replaced. Add to it:')
  expect(again.out).toContain('"yaml.schemas"')
  expect(await readFile(settings, 'utf8')).toBe('{ "editor.tabSize": 2 }\n')
  // Nothing of it is part of the site.
  const built = await startCommand([
    'build',
    folder,
    '--out',
    join(folder, 'dist'),
    '--url',
    'https://example.com',
  ]).ended
  expect([built.code, built.err]).toEqual([0, ''])
})

test('the task of VS Code finds each line with an error, also of front matter', async () => {
  const folder = await newSite('--editor')
  const { tasks } = JSON.parse(await readFile(join(folder, '.vscode/tasks.json'), 'utf8'))
  await writeFile(join(folder, 'docs/index.md'), '---\ntitle: Docs\norder: 1\ntheme: [\n---\n\nText.\n')
  const [command, ...args] = tasks[0].command.split(' ')
  expect(command).toBe('quoin')
  const { code, out, err } = await startCommand(args, {}, undefined, folder).ended
  expect(code).toBe(1)
  const pattern = new RegExp(tasks[0].problemMatcher.pattern.regexp)
  const found = `${out}\n${err}`.split('\n').flatMap((line) => pattern.exec(line)?.slice(1, 6) ?? [])
  expect(found).toEqual(expect.arrayContaining(['docs/index.md', '4', 'error']))
})

test('a folder without site.yaml is refused', async () => {
  const { code, err } = await startCommand(['editor', await temporaryFolder()]).ended
  expect([code, err]).toEqual([2, expect.stringContaining('has no site.yaml')])
})

test('the schema of theme.json accepts the themes of the package, and names what is wrong in others', async () => {
  const schema = JSON.parse(await readFile(join(PACKAGE_ROOT, 'dist/schemas/theme.schema.json'), 'utf8'))
  const accepts = new Ajv2020({ strict: false }).compile(schema)
  for (const name of ['default', 'dark', 'minimal'])
    expect(accepts(JSON.parse(await readFile(join(THEME_FOLDERS.themes, name, 'theme.json'), 'utf8')))).toBe(
      true,
    )
  expect(accepts({ name: 'mine', extends: 'minimal' })).toBe(true)
  expect(accepts({ name: 'mine' })).toBe(false)
  expect(accepts({ name: 'mine', extends: 'minimal', colour: 'red' })).toBe(false)
})
