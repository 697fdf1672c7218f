import { appendFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { loadHighlighter } from '../../src/render/markdown/highlight/highlighter.ts'
import { decodeTokens, encodeTokens } from '../../src/render/markdown/highlight/token-cache.ts'
import { cachedHighlighting, openTokenCache } from '../../src/renderer/token-cache-file.ts'
import { startCommand } from '../support/command.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TYPESCRIPT = 'const answer = compute(6, 7) // "seven"\n\nif (answer === 42) log(/* it is */ answer)'
const YAML = 'title: A page\r\ntags:\r\n  - "one" # and 字'

const plain = await loadHighlighter('```ts\n```\n```yaml\n```')

const filesOf = async (folder: string) =>
  Promise.all((await readdir(folder)).map((name) => join(folder, name)))
const fileOf = async (folder: string) => (await filesOf(folder))[0] as string

/** The tokens that a new process finds with the cache of a folder. */
async function highlight(folder: string, code: string, language: string) {
  const highlighter = await loadHighlighter(`\`\`\`${language}\n`, cachedHighlighting(folder))
  highlighter.highlight(code, language)
  await highlighter.loadMissing()
  return highlighter.highlight(code, language)
}

async function filledCache(): Promise<string> {
  const folder = join(await temporaryFolder(), 'tokens')
  const cache = openTokenCache(folder)
  cache.add(TYPESCRIPT, 'typescript', plain.highlight(TYPESCRIPT, 'ts') ?? [])
  cache.add(YAML, 'yaml', plain.highlight(YAML, 'yaml') ?? [])
  return folder
}

describe('the cache of tokens', () => {
  test('returns to a later process exactly the tokens that were found', async () => {
    const folder = await filledCache()
    const later = openTokenCache(folder)
    expect(later.find(TYPESCRIPT, 'typescript')).toEqual(plain.highlight(TYPESCRIPT, 'ts'))
    expect(later.find(YAML, 'yaml')).toEqual(plain.highlight(YAML, 'yaml'))
  })

  test('saves a process the engine and the grammars, which are loaded for code that it does not have', async () => {
    const folder = await filledCache()
    const options = { languages: 10, cache: openTokenCache(folder) }
    const ruby = 'puts 1'
    const highlighter = await loadHighlighter('```ts\n```\n```ruby\n```', options)
    expect(highlighter.highlight(TYPESCRIPT, 'ts')).toEqual(plain.highlight(TYPESCRIPT, 'ts'))
    expect(await highlighter.loadMissing()).toBe(false)
    expect(highlighter.highlight(ruby, 'ruby')).toBeNull()
    expect(await highlighter.loadMissing()).toBe(true)
    const found = highlighter.highlight(ruby, 'ruby')
    expect(
      found
        ?.flat()
        .map(({ text }) => text)
        .join(''),
    ).toBe(ruby)
    expect(await highlighter.loadMissing()).toBe(false)
    expect(options.cache.find(ruby, 'ruby')).toEqual(found)
  })

  test('has nothing for other code, or for the same code in another language', async () => {
    const later = openTokenCache(await filledCache())
    expect(later.find(`${TYPESCRIPT} `, 'typescript')).toBeNull()
    expect(later.find(TYPESCRIPT, 'javascript')).toBeNull()
  })

  test('holds no text of the code', async () => {
    const file = await readFile(await fileOf(await filledCache()), 'utf8')
    for (const word of ['answer', 'compute', 'seven', 'title']) expect(file).not.toContain(word)
  })

  test('never returns wrong tokens, wherever its file is cut off', async () => {
    const folder = await filledCache()
    const file = await fileOf(folder)
    const { size } = await stat(file)
    for (let length = size - 1; length >= 0; length--) {
      await truncate(file, length)
      const cache = openTokenCache(folder)
      expect([null, plain.highlight(TYPESCRIPT, 'ts')]).toContainEqual(cache.find(TYPESCRIPT, 'typescript'))
      expect([null, plain.highlight(YAML, 'yaml')]).toContainEqual(cache.find(YAML, 'yaml'))
    }
  })

  test('is written to by several processes, after entries that another one did not finish', async () => {
    const folder = await filledCache()
    const [one, other] = [openTokenCache(folder), openTokenCache(folder)]
    await appendFile(await fileOf(folder), '\nunfinished k1')
    one.add('let a', 'typescript', plain.highlight('let a', 'ts') ?? [])
    other.add('let b', 'typescript', plain.highlight('let b', 'ts') ?? [])
    const later = openTokenCache(folder)
    expect(later.find('let a', 'typescript')).toEqual(plain.highlight('let a', 'ts'))
    expect(later.find('let b', 'typescript')).toEqual(plain.highlight('let b', 'ts'))
  })

  test('starts its file again when it is too large, and removes those of other versions', async () => {
    const folder = await filledCache()
    const file = await fileOf(folder)
    await writeFile(join(folder, 'of-another-version'), 'x')
    await truncate(file, 17 * 1024 * 1024)
    const cache = openTokenCache(folder)
    expect(cache.find(TYPESCRIPT, 'typescript')).toBeNull()
    cache.add('let a', 'typescript', plain.highlight('let a', 'ts') ?? [])
    expect(await filesOf(folder)).toEqual([file])
    expect((await stat(file)).size).toBeLessThan(100)
  })

  test('does not stop code from being highlighted where its folder cannot be used', async () => {
    const folder = join(await temporaryFolder(), 'file')
    await writeFile(folder, 'a file, not a folder')
    expect(await highlight(folder, TYPESCRIPT, 'ts')).toEqual(plain.highlight(TYPESCRIPT, 'ts'))
    expect(await readFile(folder, 'utf8')).toBe('a file, not a folder')
  })
})

test('tokens of any text survive their encoding', () => {
  const token = fc.record({
    text: fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n]/.test(text)),
    kind: fc.constantFrom('k', 's', 'c', null),
  } as const)
  fc.assert(
    fc.property(fc.array(fc.array(token), { minLength: 1 }), (lines) => {
      const code = lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
      expect(decodeTokens(encodeTokens(lines), code)).toEqual(lines)
    }),
  )
})

test('no text that was not written for the code is taken for its tokens', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (encoded, code) => {
      const lines = decodeTokens(encoded, code)
      const text = lines?.map((line) => line.map((one) => one.text).join('')).join('\n')
      expect(text ?? code).toBe(code)
    }),
  )
})

describe('a build', () => {
  const SITE = {
    'site.yaml': 'name: Notes\nurl: https://notes.example\n',
    'index.md': `---\ntitle: Home\n---\n\n\`\`\`ts\n${TYPESCRIPT}\n\`\`\`\n`,
  }

  async function newSite() {
    const folder = await temporaryFolder()
    const content = join(folder, 'site')
    await mkdir(content)
    for (const [name, text] of Object.entries(SITE)) await writeFile(join(content, name), text)
    const out = join(folder, 'out')
    const build = async (...more: string[]) => {
      const ended = await startCommand(['build', content, '--out', out, ...more]).ended
      expect(ended.code, ended.err).toBe(0)
      return readFile(join(out, 'index.html'), 'utf8')
    }
    return { content, out, tokens: join(out, '.quoin/tokens'), build }
  }

  test('with cached tokens writes what a first one writes', async () => {
    const { content, tokens, build } = await newSite()
    const first = await build()
    expect(first).toContain('hl-k')
    const cached = await readFile(await fileOf(tokens), 'utf8')
    await writeFile(join(content, 'index.md'), `${SITE['index.md']}\nMore.\n`)
    await build()
    await writeFile(join(content, 'index.md'), SITE['index.md'])
    expect(await build()).toBe(first)
    expect(await readFile(await fileOf(tokens), 'utf8')).toBe(cached)
  })

  test('in Data Mode leaves no cache of tokens', async () => {
    const { content, out } = await newSite()
    const keyFile = join(content, '..', 'key')
    await writeFile(keyFile, Buffer.alloc(32, 7).toString('base64'))
    const ended = await startCommand(['build', content, '--out', out, '--data-mode', '--key-file', keyFile])
      .ended
    expect(ended.code, ended.err).toBe(0)
    expect(await readdir(join(out, '.quoin'))).not.toContain('tokens')
  })
})

test('a service stores the tokens of code once for all projects, and never those of pages in Data Mode', async () => {
  const data = await temporaryFolder()
  const { url, keys } = await startServiceProcess({ QUOIN_DATA: data })
  const client = createClient({ baseUrl: url, key: keys[0] })
  const publish = async (code: string, isSealed = false) => {
    const { id } = await client.projects.create({ name: 'Site' })
    if (isSealed) await client.dataMode.enable(id)
    const body = { project_id: id, type: 'page', title: 'Page', slug: 'page', subroute: 'docs' } as const
    const page = await client.pages.create({ ...body, markdown_content: `\`\`\`ts\n${code}\n\`\`\`\n` })
    await client.pages.publish(page.id)
  }
  const stored = async () => readFile(await fileOf(join(data, 'tokens')), 'utf8')

  await publish(TYPESCRIPT)
  const first = await stored()
  await publish(TYPESCRIPT)
  expect(await stored()).toBe(first)
  await publish('let secret = 1', true)
  expect(await stored()).toBe(first)
  await publish('let open = 1')
  expect(await stored()).not.toBe(first)
})
