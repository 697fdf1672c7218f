import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ACTIVE, hostilePictures } from '../support/hostile-pictures.ts'
import { flatPng, SECRET, sharpIfInstalled } from '../support/pictures.ts'
import { startProbedService } from '../support/probed-service.ts'
import { pageBody } from '../support/service.ts'

/** Types that no browser runs. A drawing runs nothing under its own policy. */
const PASSIVE =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|video\/[\w-]+|audio\/[\w-]+|font\/\w+|text\/(?:plain|vtt); charset=utf-8|application\/pdf)$/
/** Twice what may stall the service on a calm machine, in milliseconds of CPU time. */
const MAX_STALL_MS = 100
const sharp = await sharpIfInstalled()

describe.skipIf(sharp === null || process.platform !== 'linux')(
  'a service that is sent hostile files',
  () => {
    test('answers each, serves none as active content or with metadata, stays small and keeps answering', {
      timeout: 300_000,
    }, async () => {
      const { url, key, data, longestStall, memory } = await startProbedService()
      const call = async (method: string, path: string, body: Uint8Array<ArrayBuffer> | object = {}) => {
        const isFile = body instanceof Uint8Array
        const type = isFile ? 'application/octet-stream' : 'application/json'
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type }
        const answer = await fetch(url + path, {
          method,
          headers,
          body: isFile ? body : JSON.stringify(body),
        })
        // biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
        return { status: answer.status, body: (await answer.json()) as any }
      }
      const project = (await call('POST', '/projects', { name: 'Hostile' })).body.data.id
      const files = [
        ...Object.entries(await hostilePictures()).map(([name, { bytes }]) => [name, bytes] as const),
        ...Object.entries(hostileFiles()),
      ]
      expect(files.length).toBeGreaterThanOrEqual(100)
      await longestStall()
      const before = await memory()

      const stored: string[] = []
      const stalls: string[] = []
      let [slowest, longest] = [0, 0]
      for (const [name, bytes] of files) {
        const path = `/projects/${project}/assets?name=${encodeURIComponent(name)}`
        const sentAt = performance.now()
        const { status, body } = await call('POST', path, new Uint8Array(bytes))
        slowest = Math.max(slowest, performance.now() - sentAt)
        expect([201, 422], `${name}: ${JSON.stringify(body)}`).toContain(status)
        if (status === 201) stored.push(name)
        else expect(body.message, name).toMatch(/\w{3,}.*\.$/)
        const ms = await longestStall()
        longest = Math.max(longest, ms)
        if (ms > MAX_STALL_MS) stalls.push(`${name}: ${ms} ms`)
      }
      expect(stalls).toEqual([])
      expect(stored.length).toBeGreaterThan(50)
      const markdown = stored.map((name) => `![](/media/${name}) [file](/media/${name})`).join('\n\n')
      const page = await call('POST', '/pages', pageBody(project, { markdown_content: markdown }))
      const publish = await call('POST', `/pages/${page.body.data.id}/publish`)
      expect(publish.status, JSON.stringify(publish.body)).toBe(200)
      // Some of what was released stays with the allocator.
      const added = (await memory()) - before
      console.info(
        `${files.length} files, ${stored.length} stored: slowest answer ${(slowest / 1_000).toFixed(1)} s, longest pause ${longest.toFixed(0)} ms, memory + ${Math.round(added / 1024 ** 2)} MiB`,
      )
      expect(added).toBeLessThan(200_000_000)

      const names = await readdir(join(data, 'cdn', project, '_media'))
      expect(names.length).toBeGreaterThan(50)
      const active: string[] = []
      for (const name of names) {
        const response = await fetch(`${url}/public/${project}/_media/${encodeURIComponent(name)}`)
        const bytes = Buffer.from(await response.arrayBuffer())
        const header = (key: string) => response.headers.get(key) ?? ''
        const type = header('content-type')
        expect([response.status, header('x-content-type-options')], name).toEqual([200, 'nosniff'])
        const isDownload = header('content-disposition').startsWith('attachment')
        const isSandboxed = /(?:^|;)\s*sandbox\s*(?:;|$)/.test(header('content-security-policy'))
        if (!isDownload && !PASSIVE.test(type) && !(type === 'image/svg+xml' && isSandboxed))
          active.push(`${name}: ${type}`)
        if (!type.startsWith('image/')) continue
        const text = bytes.toString('latin1')
        expect([ACTIVE.exec(text)?.[0], text.includes(SECRET)], name).toEqual([undefined, false])
        if (type === 'image/svg+xml' || isDownload) continue
        const read = await sharp(bytes).metadata()
        // In AVIF its item stays, whose bytes are zeros.
        const left = ['exif', 'xmp', 'iptc'].filter((kind) => read[kind]?.some((byte: number) => byte !== 0))
        expect([name, left, read.orientation, read.comments]).toEqual([name, [], undefined, undefined])
      }
      expect(active).toEqual([])
    })
  },
)

/** Files that are no pictures: programs, documents that run some, and those of two types. */
function hostileFiles(): Readonly<Record<string, Uint8Array>> {
  const script = '<script>alert(document.domain)</script>'
  const html = `<!doctype html><html><body>${script}</body></html>`
  const bytes = (text: string) => Buffer.from(text)
  const zip = Buffer.concat([
    bytes('PK\x03\x04\x14\0\0\0\0\0'),
    Buffer.alloc(18),
    bytes('a.html'),
    bytes(html),
  ])
  return {
    'page.html': bytes(html),
    'page.jpg': bytes(html),
    'page.css': bytes(html),
    'page.pdf': bytes(html),
    'page.mp4': bytes(html),
    'page.woff2': bytes(html),
    'blanks.png': bytes(`${' \n\t'.repeat(2_000)}${html}`),
    'marked.png': bytes(`\ufeff${html}`),
    'comment.svg': bytes(`<!-- <svg> -->${html}`),
    'utf16.png': Buffer.from(`\ufeff${html}`, 'utf16le'),
    'utf7.txt': bytes('+ADw-script+AD4-alert(1)+ADw-/script+AD4-'),
    'page.xhtml': bytes(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`),
    'style.xml': bytes('<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="a.xsl"?><a/>'),
    'script.js': bytes('alert(document.domain)'),
    'module.mjs': bytes('export default alert(1)'),
    'worker.json': bytes('{"a":"</script><script>alert(1)</script>"}'),
    'intro.swf': bytes('FWS\x0a\0\0\0\0'),
    'applet.class': Buffer.from('cafebabe00000034', 'hex'),
    'module.wasm': Buffer.from('0061736d01000000', 'hex'),
    'program.exe': bytes('MZ\x90\0\x03'),
    'program.elf': bytes('\x7fELF\x02\x01\x01'),
    'page.mht': bytes(
      `MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n${html}`,
    ),
    'page.hta': bytes(`<hta:application id=a>${html}`),
    'drawing.svgz': gzipSync(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`),
    'bomb.gz': gzipSync(Buffer.alloc(50_000_000)),
    'archive.zip': zip,
    'archive.html': zip,
    'archive.png': Buffer.concat([flatPng(30, 20), zip]),
    'form.pdf': bytes(`%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF`),
    'late.pdf': Buffer.concat([bytes(html), bytes('\n%PDF-1.7\n%%EOF')]),
    'both.pdf': bytes(`%PDF-1.7\n${html}\n%%EOF`),
    'song.mp3': Buffer.concat([bytes('ID3\x04\0\0\0\0\x02\x01'), bytes(html)]),
    'intro.mp4': Buffer.concat([
      Buffer.from('0000001866747970', 'hex'),
      bytes('isom\0\0\x02\0isomiso2'),
      bytes(html),
    ]),
    'intro.webm': Buffer.concat([
      Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
      bytes(html),
    ]),
    'sound.wav': Buffer.concat([bytes('RIFF\x24\0\0\0WAVEfmt '), bytes(html)]),
    'sound.ogg': Buffer.concat([bytes('OggS\0\x02'), bytes(html)]),
    'font.woff2': Buffer.concat([bytes('wOF2\0\x01\0\0'), bytes(html)]),
    'font.ttf': Buffer.concat([Buffer.from('0001000000', 'hex'), bytes(html)]),
    'captions.vtt': bytes(`WEBVTT\n\n00:00.000 --> 00:01.000\n${script}\n`),
    'icon.ico': Buffer.concat([Buffer.from('00000100', 'hex'), bytes(html)]),
    'picture.bmp': Buffer.concat([bytes('BM\0\0\0\0'), bytes(html)]),
    'picture.tiff': Buffer.concat([bytes('II*\0'), bytes(SECRET), bytes(html)]),
    'list.m3u8': bytes('#EXTM3U\nfile:///etc/passwd\n'),
    'empty.bin': Buffer.alloc(0),
  }
}
