import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mapProse } from '../../src/content/map-prose.ts'
import { GENERATORS, type GeneratorName } from '../../src/convert/conversion.ts'
import { convertSite, generatorOf } from '../../src/convert/convert-site.ts'
import { formerFiles } from '../../src/convert/former-files.ts'
import { plainObject } from '../../src/convert/plain-literals.ts'
import { vitepressConfig } from '../../src/convert/vitepress-config.ts'
import { PACKAGE_ROOT } from '../../src/package.ts'
import { readSite } from '../../src/site/read-site.ts'
import { filesBeneath } from '../build/files-beneath.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const fixtures = join(PACKAGE_ROOT, 'fixtures/convert')
const REWRITES = process.env['QUOIN_REWRITE'] === 'golden'

/** The whole conversion of a fixture, copied files included, and what it lost. */
async function converted(name: GeneratorName): Promise<Map<string, string>> {
  const folder = join(fixtures, name, 'from')
  const files = formerFiles(folder)
  const generator = generatorOf(files, null)
  expect(generator?.name).toBe(name)
  if (generator === null) throw new Error('It is not known.')
  const { texts, copies, losses } = convertSite(files, generator, name)
  const all = new Map([...texts].map(([path, text]) => [`to/${path}`, text]))
  for (const [path, from] of copies) all.set(`to/${path}`, await readFile(join(folder, from), 'utf8'))
  const lines = losses.map(({ file, line, what }) => `${file}${line === null ? '' : `:${line}`}: ${what}\n`)
  return all.set('losses.txt', lines.join(''))
}

test.each(GENERATORS)('a site of %s becomes a content folder, and what is lost is told', async (name) => {
  const made = await converted(name)
  const root = join(fixtures, name)
  if (REWRITES) {
    await rm(join(root, 'to'), { recursive: true, force: true })
    for (const [path, text] of made) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
  }
  const lying = [...(await filesBeneath(root))].filter(([path]) => !path.startsWith('from/'))
  const wanted = new Map(lying.map(([path, body]) => [path, body]))
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(wanted))

  const { site, faults } = await readSite(join(root, 'to'))
  expect(faults).toEqual([])
  expect(site.pages.length).toBeGreaterThan(1)
})

test('what is too long, too large or in the place of another is told, not lost in silence', async () => {
  const folder = await temporaryFolder()
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await write('_config.yml', 'title: A\n')
  await write('long.md', `---\ntitle: ${'t'.repeat(201)}\ndescription: ${'d'.repeat(501)}\nnext: /b\n---\n`)
  await write('large.md', 'x'.repeat(5 * 1024 * 1024 + 1))
  await write('a-b.md', '# One\n')
  await write('a_b.md', '# Other\n')
  const files = formerFiles(folder)
  const generator = generatorOf(files, null)
  if (generator === null) throw new Error('It is not known.')
  const { texts, losses } = convertSite(files, generator, 'x')
  expect([...texts.keys()].sort()).toEqual(['a-b.md', 'long.md', 'site.yaml'])
  expect(losses.map(({ file, what }) => `${file}: ${what}`)).toEqual([
    'a_b.md: Another page has the address /a-b already.',
    'large.md: It is larger than 5 MiB.',
    'long.md: next: a page after it that does not follow from the order',
    'long.md: title: what is beyond 200 characters',
    'long.md: description: what is beyond 500 characters',
  ])
})

describe('quoin convert', () => {
  const quoin = (...args: string[]) => startCommand(args).ended

  test('makes a folder that builds without a dead link', async () => {
    const out = join(await temporaryFolder(), 'new')
    const { code, out: said } = await quoin('convert', join(fixtures, 'jekyll/from'), '--out', out)
    expect(code).toBe(0)
    expect(said).toContain('_posts/2026-01-02-first-light.md:13: {% include note.html %}')
    const built = await quoin('build', out, '--out', join(out, 'dist'), '--json', '--strict')
    expect([built.code, built.err]).toEqual([0, ''])
  })

  test('tells machines what it did, and replaces nothing', async () => {
    const out = join(await temporaryFolder(), 'new')
    const from = join(fixtures, 'hugo/from')
    const { out: said } = await quoin('convert', from, '--out', out, '--from', 'hugo', '--json')
    expect(JSON.parse(said)).toMatchObject({ ok: true, from: 'hugo', pages: 6, files: 2 })
    const again = await quoin('convert', from, '--out', out)
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/is not empty, .*--out/) })
    const onFile = await quoin('convert', from, '--out', join(out, 'site.yaml'))
    expect(onFile).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^quoin: The system refused: [^\n]*\n$/),
    })
  })

  test('knows no other folder', async () => {
    const folder = await temporaryFolder()
    const unknown = await quoin('convert', folder, '--out', join(folder, 'new'))
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('--from') })
  })
})

describe('a configuration that is a program', () => {
  test('says what is written out in it, whatever else stands around', () => {
    const value = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,5}$/),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string())),
    )
    const other = fc.constantFrom('f: (a) => a', 'g() { return `}` }', '...rest', 'h: [x]', 'i: a + "}"', 'j')
    fc.assert(
      fc.property(value, fc.array(other), (fields, others) => {
        const written = Object.entries(fields).map(([name, given]) => `"${name}": ${JSON.stringify(given)}`)
        const text = `{ ${[...others, ...written, '// }\nz: 1'].join(', ')} }`
        const plain = plainObject(text, 0)
        // What JSON writes as \\uXXXX is passed over.
        const expected = Object.entries(fields).filter(
          ([, given]) => !/(?<!\\)(?:\\\\)*\\u/.test(JSON.stringify(given)),
        )
        expect(plain.fields).toEqual({ ...Object.fromEntries(expected), z: 1 })
        expect(plain.skipped.length).toBeGreaterThanOrEqual(others.length > 0 ? 1 : 0)
      }),
    )
  })

  test('with a comment that never ends is read to an end', () => {
    expect(plainObject('{ a: b /* c', 0).skipped).toContain('a')
  })

  test('of any text at all is read to an end', () => {
    const part = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      ',',
      ':',
      '"',
      "'",
      '`',
      '/',
      '*',
      'a',
      '1',
      '\n',
      '\\',
      '.',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const { skipped, fields } = plainObject(`{${parts.join('')}`, 0)
        expect(skipped.length + Object.keys(fields).length).toBeLessThanOrEqual(parts.length + 1)
      }),
    )
  })

  test('that holds nothing else than what is carried over loses nothing', () => {
    const { fields, skipped } = vitepressConfig(
      "const a = 1\nexport default { title: 'A', themeConfig: { nav: [] } }",
    )
    expect([fields, skipped]).toEqual([{ name: 'A' }, []])
    expect(vitepressConfig('export default config').skipped).toEqual(['all of it'])
  })
})

describe('code', () => {
  test('is left as it is, whatever is around it', () => {
    const code = fc.constantFrom('`{{ x }}`', '``{{ ` }}``', '```js\n{{ y }}\n```\n', '~~~\n{% z %}\n~~~\n')
    const prose = fc.constantFrom('text ', '{{ gone }}', '\n', '# Title\n', '- item\n', '> quote\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, code)), (parts) => {
        const body = parts.map(([words, block]) => `${words}\n${block}\n`).join('')
        const changed = mapProse(body, (text) => text.replaceAll(/\{\{ gone \}\}/g, ''))
        expect(changed).toBe(body.replaceAll('{{ gone }}', ''))
      }),
    )
  })

  test('any text at all is taken apart and put together again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '~', '\n', ' ', 'a', '>', '-') }), (body) => {
        expect(mapProse(body, (text) => text)).toBe(body)
      }),
    )
  })
})
