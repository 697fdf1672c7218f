import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { longVideo, video } from '../support/videos.ts'
import { CHROMIUM, launchChromium } from './chromium.ts'

const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:09.000\nThe tram rings.\n'
/** Much more than a browser loads ahead. */
const LONG = 40 * 1024 * 1024
const MARKDOWN = `Before

::video[The tram]{src="/media/tram.mp4" captions="/media/tram.en.vtt, /media/tram.de.vtt"}

After ![A talk](/media/talk.mp3)`

if (CHROMIUM === null)
  console.info('Skipped: videos in a browser. Chromium was not found. Set QUOIN_CHROMIUM to its path.')

describe.skipIf(CHROMIUM === null)('a video on a published page', () => {
  let service: TestService
  let browser: Browser
  let address: string

  beforeAll(async () => {
    browser = await launchChromium()
    service = await startService()
    const project = await service.newProject()
    const files = { 'tram.mp4': longVideo(LONG), 'talk.mp3': video('talk.mp3') }
    const captions = { 'tram.en.vtt': Buffer.from(CAPTIONS), 'tram.de.vtt': Buffer.from(CAPTIONS) }
    for (const [name, body] of Object.entries({ ...files, ...captions })) {
      const answer = await fetch(`${service.url}/projects/${project}/assets?name=${name}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/octet-stream' },
        body,
      })
      expect(answer.status).toBe(201)
    }
    const fields = { type: 'article', slug: 'tram', markdown_content: MARKDOWN }
    const page = await service.call('POST', '/pages', pageBody(project, fields))
    const { body, status } = await service.call('POST', `/pages/${page.body.data.id}/publish`)
    expect(status).toBe(200)
    address = body.data.url
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  test('keeps its room, seeks to its pictures without loading what is before them, and has its captions', async () => {
    const page = await browser.newPage({ viewport: { width: 400, height: 900 } })
    const answers: { readonly status: number; readonly range: string }[] = []
    page.on('response', (response) => {
      const { 'content-range': range = '' } = response.headers()
      if (response.url().includes('.mp4')) answers.push({ status: response.status(), range })
    })
    await page.addInitScript(`
      window.shift = 0
      new PerformanceObserver((list) => {
        // The controls inside the player move in it, and are no nodes of the page.
        for (const { value, sources } of list.getEntries())
          if (sources.some(({ node }) => node)) window.shift += value
      }).observe({ type: 'layout-shift', buffered: true })`)
    await page.goto(address)
    const seen = await page.evaluate(`(async () => {
      const video = document.querySelector('video')
      const once = (name) => new Promise((resolve) => video.addEventListener(name, resolve, { once: true }))
      if (video.readyState < 1) await once('loadedmetadata')
      const size = [video.videoWidth, video.videoHeight, video.getAttribute('width'), video.getAttribute('height')]
      const wasPaused = video.paused
      video.currentTime = 8
      await once('seeked')
      video.textTracks[1].mode = 'showing'
      while (!video.textTracks[1].cues?.length) await new Promise((next) => setTimeout(next, 20))
      return {
        size,
        wasPaused,
        time: video.currentTime,
        error: video.error,
        cue: video.textTracks[1].cues[0].text,
        tracks: [...video.textTracks].map(({ kind, language, label }) => [kind, language, label]),
        shift: window.shift,
      }
    })()`)
    expect(seen).toEqual({
      size: [192, 108, '192', '108'],
      wasPaused: true,
      time: 8,
      error: null,
      cue: 'The tram rings.',
      tracks: [
        ['captions', 'en', 'English'],
        ['captions', 'de', 'Deutsch'],
      ],
      shift: 0,
    })
    const starts = answers.map(({ range }) => Number(/^bytes (\d+)-/.exec(range)?.[1]))
    expect(answers.every(({ status }) => status === 206)).toBe(true)
    expect(starts.some((start) => start > LONG / 2)).toBe(true)
    await page.close()
  })

  test('is played by keyboard, also without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(address)
    const video = page.getByLabel('The tram', { exact: true })
    await video.focus()
    expect(await video.getAttribute('controls')).toBe('')
    await context.close()
  })

  test('is answered in ranges, whole, and by its head, to any client', async () => {
    const document = await fetch(address)
    const [, file = ''] = /<video src="([^"]+)"/.exec(await document.text()) ?? []
    const source = new URL(file, document.url)
    const ask = (headers: Readonly<Record<string, string>>, method = 'GET') =>
      fetch(source, { method, headers })
    const size = longVideo(LONG).length
    const head = await ask({}, 'HEAD')
    expect(head.headers.get('content-type')).toBe('video/mp4')
    expect(head.headers.get('accept-ranges')).toBe('bytes')
    expect(head.headers.get('content-length')).toBe(`${size}`)
    const etag = head.headers.get('etag') ?? ''
    const range = { Range: `bytes=${size - 4}-` }
    for (const known of [{}, { 'If-Range': etag }]) {
      const part = await ask({ ...range, ...known })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${size - 4}-${size - 1}/${size}`,
      ])
      expect(Buffer.from(await part.arrayBuffer())).toEqual(longVideo(LONG).subarray(-4))
    }
    const beyond = await ask({ Range: `bytes=${size}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
    // Another version, or several ranges: all of it, a chunk at a time.
    for (const whole of [{ ...range, 'If-Range': '"other"' }, { Range: 'bytes=0-1,4-5' }]) {
      const answer = await ask(whole)
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, `${size}`])
      await answer.body?.cancel()
    }
  })
})
