import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageEmbed, videoEmbed, vimeoEmbed, youtubeEmbed } from '../../src/domain/embed.ts'

const ID = 'dQw4w9WgXcQ'

describe('an address of a video', () => {
  test.each([
    `https://www.youtube.com/watch?v=${ID}`,
    `https://youtu.be/${ID}?si=abc`,
    `https://m.youtube.com/watch?list=x&v=${ID}`,
    `http://youtube.com/shorts/${ID}`,
    `https://www.youtube.com/live/${ID}`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
  ])('%s leads to one of YouTube, whose frame sets no cookies', (address) => {
    expect(videoEmbed(address)).toEqual({
      page: `https://www.youtube.com/watch?v=${ID}`,
      frame: `https://www.youtube-nocookie.com/embed/${ID}?autoplay=1`,
    })
  })

  test.each([
    ['https://vimeo.com/76979871', '76979871', ''],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e', '76979871', '8272103f6e'],
    ['https://vimeo.com/76979871/8272103f6e', '76979871', '8272103f6e'],
  ])('%s leads to one of Vimeo', (address, id, hash) => {
    expect(videoEmbed(address)).toEqual(vimeoEmbed(id, hash))
  })

  test('may state where it begins', () => {
    expect(videoEmbed(`https://youtu.be/${ID}?t=90s`)).toEqual(youtubeEmbed(ID, '90'))
    expect(youtubeEmbed(ID, '90')?.frame).toBe(
      `https://www.youtube-nocookie.com/embed/${ID}?autoplay=1&start=90`,
    )
    expect(youtubeEmbed(ID, '1;x')).toEqual(youtubeEmbed(ID))
  })

  test.each([
    'https://www.youtube.com/@channel',
    'https://www.youtube.com/watch?v=short',
    'https://www.youtube.com/playlist?list=PL1',
    'https://vimeo.com/channels/staffpicks',
    `https://youtube.com.evil.example/watch?v=${ID}`,
    `javascript:https://youtu.be/${ID}`,
    `/watch?v=${ID}`,
    '',
  ])('%j leads to none', (address) => {
    expect(videoEmbed(address)).toBeNull()
  })
})

test('a page of another site is shown over https alone, and without a password', () => {
  expect(pageEmbed('https://codepen.io/a/embed/b')?.frame).toBe('https://codepen.io/a/embed/b')
  for (const address of ['http://a.example/', 'https://user@a.example/', 'javascript:x', '/a', ''])
    expect(pageEmbed(address)).toBeNull()
})

test('a frame is always of a known origin, whatever is written in place of an id', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (id, extra) => {
      const frames = [youtubeEmbed(id, extra), vimeoEmbed(id, extra)].filter((embed) => embed !== null)
      for (const { frame } of frames)
        expect(['https://www.youtube-nocookie.com', 'https://player.vimeo.com']).toContain(
          new URL(frame).origin,
        )
    }),
  )
})
