import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flatPng } from '../support/pictures.ts'
import { video } from '../support/videos.ts'
import { NOTES, temporarySite } from './temporary-site.ts'

const RIDE = `---
title: Ride
type: article
date: 2026-02-02
tags: [trams]
---
![Along the river](ride%201.mp4)

::video[The tram]{src="/media/tram.webm" poster="still.png" captions="ride.en.vtt"}

[Listen](/sound/talk.mp3)
`

describe('sound and videos of an article that is built', () => {
  test('play with their size, a poster and captions, and are copied unchanged', async () => {
    const { out, build } = await siteWithVideos()
    expect((await build()).warnings).toEqual([])
    const html = await readFile(join(out, 'blog/ride/index.html'), 'utf8')
    expect(html).toMatch(/<video [^>]*src="\.\.\/\.\.\/blog\/ride%201\.mp4"[^>]*>/)
    expect(html).toMatch(/<video (?=[^>]*width="192")(?=[^>]*height="108")[^>]*ride%201/)
    expect(html).toMatch(/<video (?=[^>]*poster="[^"]*still\.png")[^>]*tram\.webm/)
    expect(html).toMatch(/<track (?=[^>]*src="[^"]*ride\.en\.vtt")(?=[^>]*srclang="en")/)
    expect(await readFile(join(out, 'blog/ride 1.mp4'))).toEqual(video('tram.mp4'))
    expect(await readFile(join(out, 'blog/ride.en.vtt'), 'utf8')).toContain('WEBVTT')
  })

  test('are offered by the feeds with their types and sizes, in the order of the text', async () => {
    const { out, build } = await siteWithVideos()
    await build()
    const expected = [
      ['https://notes.example/blog/ride%201.mp4', 'video/mp4', video('tram.mp4').byteLength],
      ['https://notes.example/media/tram.webm', 'video/webm', video('tram.webm').byteLength],
      ['https://notes.example/sound/talk.mp3', 'audio/mpeg', video('talk.mp3').byteLength],
    ]
    for (const feed of ['feed.xml', 'blog/tags/trams/feed.xml']) {
      const links = [
        ...(await readFile(join(out, feed), 'utf8')).matchAll(
          /<link rel="enclosure" type="([^"]*)" length="(\d+)" href="([^"]*)"\/>/g,
        ),
      ]
      expect(
        links.map(([, type, length, href]) => [href, type, Number(length)]),
        feed,
      ).toEqual(expected)
    }
    const { items } = JSON.parse(await readFile(join(out, '_feed.json'), 'utf8'))
    const ofRide = items.find(({ title }: { title: string }) => title === 'Ride')
    expect(
      ofRide.attachments.map((one: { url: string; mime_type: string; size_in_bytes: number }) => [
        one.url,
        one.mime_type,
        one.size_in_bytes,
      ]),
    ).toEqual(expected)
    expect(items.find(({ title }: { title: string }) => title === 'One')).not.toHaveProperty('attachments')
  })

  test('have their new size in the feeds when a file is replaced', async () => {
    const { out, folder, build } = await siteWithVideos()
    await build()
    const longer = Buffer.concat([video('talk.mp3'), Buffer.alloc(77)])
    await save(folder, 'static/sound/talk.mp3', longer)
    expect((await build()).pages.rendered).toBe(1)
    expect(await readFile(join(out, 'feed.xml'), 'utf8')).toContain(`length="${longer.byteLength}"`)
  })
})

async function siteWithVideos() {
  const site = await temporarySite({
    ...NOTES,
    'blog/ride.md': RIDE,
    'blog/ride.en.vtt': 'WEBVTT\n\n00:00.000 --> 00:09.000\nThe tram rings.\n',
  })
  await save(site.folder, 'blog/ride 1.mp4', video('tram.mp4'))
  await save(site.folder, 'blog/still.png', flatPng(192, 108))
  await save(site.folder, 'static/media/tram.webm', video('tram.webm'))
  await save(site.folder, 'static/sound/talk.mp3', video('talk.mp3'))
  return site
}

async function save(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), bytes)
}
