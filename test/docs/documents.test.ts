import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { SETTINGS } from '../../src/app/config.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

const read = (file: string) => readFileSync(join(PACKAGE_ROOT, file), 'utf8')
const packageJson = JSON.parse(read('package.json'))
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(PACKAGE_ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

test('README.md stays within 8 KB', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(8 * 1024)
})

test('every dependency has a row in docs/DECISIONS.md, and every row is a dependency', () => {
  const [, section = ''] = read('docs/DECISIONS.md').split('## Dependencies')
  const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/[^`, ]+/g) ?? [],
  )
  const { dependencies, optionalDependencies, devDependencies } = packageJson
  const packages = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
  expect(rows.toSorted()).toEqual(packages.toSorted())
})

const CONFIGURATION = 'templates/docs-site/docs/reference/configuration.md'

test.each(['docs/OPERATING.md', CONFIGURATION])(
  '%s has one row for every setting of the service, with its default',
  (file) => {
    const rows = settingRows(read(file))
    expect(rows.map(({ name }) => name).toSorted()).toEqual(SETTINGS.map(({ name }) => name).toSorted())
    for (const { name, help } of SETTINGS) {
      const [, value = ''] = /.*\((?!see )(.+)\)$/.exec(help) ?? []
      // Some defaults are a value, the others a description.
      if (/^([\d.]+|on|info|all|false|\S+\{\S+)$/.test(value))
        expect(rows.find((row) => row.name === name)?.cells, name).toContain(`\`${value}\``)
    }
  },
)

test('the reference of the configuration names the flag of every setting', () => {
  const rows = settingRows(read(CONFIGURATION))
  for (const { name, flag } of SETTINGS)
    expect(rows.find((row) => row.name === name)?.cells, name).toContain(`\`${flag.split(' ')[0]}\``)
})

/** The rows of tables whose first cell names settings of the service, one of these objects for each name. */
function settingRows(text: string): readonly { readonly name: string; readonly cells: string }[] {
  return [...text.matchAll(/^\| (`QUOIN_[^|]+) \|(.*)\|$/gm)].flatMap(([, names = '', cells = '']) =>
    [...names.matchAll(/`(QUOIN_[A-Z_]+)`/g)].map(([, name = '']) => ({ name, cells })),
  )
}

test('the messages in the log table of docs/OPERATING.md are those of the source', () => {
  const [, section = ''] = read('docs/OPERATING.md').split('## Log')
  const messages = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/`([A-Z][^`]+\.)`/g),
  ])
  const source = readdirSync(join(PACKAGE_ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => read(`src/${file}`))
    .join('\n')
  expect(messages.length).toBeGreaterThan(5)
  expect(
    messages.map(([, message = '']) => message).filter((message) => !source.includes(`'${message}'`)),
  ).toEqual([])
})

test.each(DOCUMENTS)('paths and scripts that %s names exist', (file) => {
  const text = read(file)
  const paths = [...text.matchAll(/`((?:src|test|themes|templates|fixtures|scripts|docs)\/[\w./-]+)`/g)]
  const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)]
  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(PACKAGE_ROOT, path)))).toEqual(
    [],
  )
  expect(scripts.map(([, name = '']) => name).filter((name) => !(name in packageJson.scripts))).toEqual([])
})

test.each(DOCUMENTS)('links of %s to other files lead to a file', (file) => {
  const targets = [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)].map(
    ([, target = '']) => target,
  )
  expect(targets.filter((target) => !existsSync(join(PACKAGE_ROOT, dirname(file), target)))).toEqual([])
})

test.each(['docs/ARCHITECTURE.md', 'docs/DECISIONS.md', 'CONTRIBUTING.md'])(
  'every module that %s names exists',
  (file) => {
    const names = [...read(file).matchAll(/`([\w/-]+\.ts)`/g)].map(([, name = '']) => `/${name}`)
    const modules = ['src', 'test', 'scripts'].flatMap((folder) =>
      readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `/${folder}/${path}`,
      ),
    )
    expect(names.filter((name) => !modules.some((path) => path.endsWith(name)))).toEqual([])
  },
)

test('no document, template or style sheet holds the marks of an unresolved merge', () => {
  const files = ['themes', 'templates', 'fixtures'].flatMap((folder) =>
    readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(md|eta|css|js|ya?ml|json)$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  expect(files.length).toBeGreaterThan(100)
  expect([...DOCUMENTS, ...files].filter((file) => /^(<{7}|>{7}) /m.test(read(file)))).toEqual([])
})
