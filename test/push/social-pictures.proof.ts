import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDecoder } from '../../src/images/decoder.ts'
import { createInProcessImages } from '../../src/images/in-process.ts'
import { NOTES, temporarySite } from '../site-build/temporary-site.ts'
import { startCommand } from '../support/command.ts'
import { flatPng, sharpIfInstalled } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'

const loaded = await loadDecoder()
const images = createInProcessImages('decoder' in loaded ? loaded.decoder : null)
const isInstalled = (await sharpIfInstalled()) !== null

let service: TestService
beforeAll(async () => {
  service = await startService({ images })
})
afterAll(() => service.close())

test.skipIf(!isInstalled)(
  'a folder has the same pictures for link previews, and the same icons, where it is built and where it is published',
  async () => {
    const { folder, out, build } = await temporarySite({
      ...NOTES,
      'site.yaml':
        'name: Notes\nsocial_cards: pages\nfavicon_url: /images/icon.png\nbranding: { primary_color: "#0b6e4f" }\n',
      'docs/named.md': '---\ntitle: Named\nog_image_url: /images/own.png\n---\nText.\n',
    })
    await writeFile(join(folder, 'static/images/own.png'), flatPng(900, 900))
    await writeFile(join(folder, 'static/images/icon.png'), flatPng(640, 600))
    await build({ images: () => images })
    const env = { QUOIN_KEY: service.key, QUOIN_URL: service.url }
    const pushed = await startCommand(['push', folder, '--publish'], env).ended
    expect(pushed).toMatchObject({ code: 0, err: '' })
    const address = /The site is at (.*)/.exec(pushed.out)?.[1] ?? ''
    for (const path of ['', 'docs/a/', 'docs/b/', 'docs/named/', 'blog/one/']) {
      const published = await (await fetch(address + path)).text()
      const built = await readFile(join(out, path, 'index.html'), 'utf8')
      const facts = factsOf(built)
      expect(factsOf(published), path).toEqual(facts)
      const key = facts['url'] ?? ''
      expect(key, path).toMatch(/^_media\/social\.[0-9a-f]{16}\.(png|jpg)$/)
      expect(iconsOf(published), path).toEqual(iconsOf(built))
      for (const file of [key, ...iconsOf(built)]) await expectSame(file)
    }
    const manifest = await (await fetch(`${address}site.webmanifest`)).text()
    expect(manifest).toBe(await readFile(join(out, 'site.webmanifest'), 'utf8'))
    const { icons } = JSON.parse(manifest) as { readonly icons: readonly { readonly src: string }[] }
    expect(icons.map(({ src }) => src)).toHaveLength(2)
    for (const { src } of icons) await expectSame(src)

    async function expectSame(key: string): Promise<void> {
      const file = await fetch(address + key)
      expect(Buffer.from(await file.arrayBuffer()), key).toEqual(await readFile(join(out, key)))
    }
  },
)

/** The keys of the icons that a document names. */
function iconsOf(html: string): readonly string[] {
  const keys = [...html.matchAll(/href="[^"]*(_media\/icon\.[^"]*)"/g)].map(([, key = '']) => key)
  expect(keys).toHaveLength(3)
  return keys
}

/** What a document says about its picture, whose address is its key. */
function factsOf(html: string): Readonly<Record<string, string>> {
  const stated = [...html.matchAll(/<meta property="og:image:?(\w*)" content="([^"]*)">/g)]
  return Object.fromEntries(
    stated.map(([, name, value = '']) =>
      name ? [name, value] : ['url', value.slice(value.indexOf('_media/'))],
    ),
  )
}
