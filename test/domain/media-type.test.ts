import { describe, expect, test } from 'vitest'
import { detectType } from '../../src/domain/media-type.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const typeOf = (head: Buffer | string, name = 'file') =>
  detectType(typeof head === 'string' ? Buffer.from(head) : head, name)

test.each([
  ['\xff\xd8\xff\xe0', 'image', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n', 'image', 'image/png'],
  ['GIF89a\x01', 'image', 'image/gif'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'image', 'image/webp'],
  ['\0\0\0\x20ftypavif\0\0\0\0', 'image', 'image/avif'],
  ['\0\0\0\x20ftypmif1\0\0\0\0avifmif1', 'image', 'image/avif'],
  ['\0\0\0\x20ftypheic\0\0\0\0', 'other', 'image/heic'],
  ['\0\0\0\x20ftypisom\0\0\0\0', 'video', 'video/mp4'],
  ['\0\0\0\x20ftypqt  \0\0\0\0', 'video', 'video/quicktime'],
  ['\0\0\0\x20ftypM4A \0\0\0\0', 'audio', 'audio/mp4'],
  ['\x1a\x45\xdf\xa3\x93\x42\x82\x88webm', 'video', 'video/webm'],
  ['OggS\0\x02\x80theora', 'video', 'video/ogg'],
  ['OggS\0\x02OpusHead', 'audio', 'audio/ogg'],
  ['ID3\x03', 'audio', 'audio/mpeg'],
  ['\xff\xfb\x90\x64', 'audio', 'audio/mpeg'],
  ['\xff\xf1\x50\x80', 'audio', 'audio/aac'],
  ['RIFF\x10\0\0\0WAVEfmt ', 'audio', 'audio/wav'],
  ['wOF2\0\x01', 'font', 'font/woff2'],
  ['OTTO\0', 'font', 'font/otf'],
  ['%PDF-1.4', 'document', 'application/pdf'],
  ['PK\x03\x04\x14\0', 'other', 'application/zip'],
  ['\x1f\x8b\x08', 'other', 'application/gzip'],
])('%j is a file of kind %s, %s', (head, kind, contentType) => {
  expect(typeOf(latin1(head))).toEqual({ kind, contentType })
})

describe('a name', () => {
  test('chooses between kinds of plain text, and of archives', () => {
    expect(typeOf('a,b\n1,2\n', 'data.CSV').contentType).toBe('text/csv; charset=utf-8')
    expect(typeOf('# Title', 'read.me.md').contentType).toBe('text/markdown; charset=utf-8')
    expect(typeOf('a { color: red }', 'site.css').contentType).toBe('text/css; charset=utf-8')
    expect(typeOf('plain', 'notes').contentType).toBe('text/plain; charset=utf-8')
    const archive = latin1('PK\x03\x04\x14\0\x06\0[Content_Types].xml')
    expect(typeOf(archive, 'a.docx').contentType).toContain('wordprocessingml')
    expect(typeOf(archive, 'a.zip').contentType).toBe('application/zip')
    expect(typeOf(latin1('PK\x03\x04other'), 'a.docx').contentType).toBe('application/zip')
    const scene = latin1(`PK\x03\x04${'\0'.repeat(26)}chair.usdc\0\0`)
    expect(typeOf(scene, 'chair.usdz').contentType).toBe('model/vnd.usdz+zip')
    expect(typeOf(scene, 'chair.zip').contentType).toBe('application/zip')
    expect(typeOf(archive, 'chair.usdz').contentType).toBe('application/zip')
  })

  test.each(['a.html', 'a.js', 'a.svg', 'a.xml', 'a.png', 'a.wasm', 'a.pdf'])(
    '%s does not make plain text more than that',
    (name) => {
      expect(typeOf('just text', name)).toEqual({
        kind: 'document',
        contentType: 'text/plain; charset=utf-8',
      })
    },
  )
})

test.each([
  '<!doctype html><title>x</title>',
  '\ufeff  <HTML>',
  '<script>alert(1)</script>',
  'Hello <script src=//evil.example></script>',
  '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
  '<?xml version="1.0"?><rss/>',
  '#!/bin/sh\nrm -rf /',
  '\0\0\0\0',
  '',
  '\xff\xfe<\0h\0t\0m\0l\0',
])('%j is served as a download', (text) => {
  for (const name of ['a.html', 'a.csv', 'a.md', 'a.png'])
    expect(typeOf(Buffer.from(text, 'latin1'), name).contentType).toBe('application/octet-stream')
})

test.each([
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  '\ufeff<?xml version="1.0" encoding="utf-8"?>\n<!-- by hand --><svg>',
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<svg >',
  '<!DOCTYPE svg [ <!ENTITY a "b"> ]><svg>',
])('%j is a picture', (text) => {
  expect(typeOf(text, 'a.html')).toEqual({ kind: 'image', contentType: 'image/svg+xml' })
})

test('a text whose last character is cut is a text', () => {
  const text = Buffer.from('é'.repeat(3_000))
  expect(typeOf(text.subarray(0, 4_095)).contentType).toBe('text/plain; charset=utf-8')
})
