import { describe, expect, test } from 'vitest'
import { findPlayers } from '../../../../src/render/markdown/placeholders/find-players.ts'
import type { Placeholder } from '../../../../src/render/markdown/placeholders/placeholder.ts'
import { sourceLines } from '../../../../src/render/markdown/placeholders/source-lines.ts'
import { growthOf, LINEAR_GROWTH } from '../../../support/growth.ts'

function find(source: string) {
  const placeholders: Placeholder[] = []
  const { lines, diagnostics } = findPlayers(sourceLines(source), placeholders)
  return { placeholders, lines, messages: diagnostics.map(({ message }) => message) }
}

describe('a directive', () => {
  test('states for a video its file, its name, its picture, its captions and how it plays', () => {
    const line =
      '::video[A ride]{src="ride.mp4" poster=\'a b.jpg\' captions="en.vtt, de.vtt" title="In {rain}" muted loop}'
    expect(find(line)).toMatchObject({
      placeholders: [
        {
          kind: 'video',
          src: 'ride.mp4',
          name: 'A ride',
          poster: 'a b.jpg',
          captions: 'en.vtt, de.vtt',
          title: 'In {rain}',
          playback: 'loop muted',
          source: line,
        },
      ],
      messages: [],
    })
  })

  test('keeps the signs of the quote that it is in', () => {
    expect(find('> > ::AUDIO {src="a.mp3"}  ').lines.get(0)).toMatch(/^> > \uFDD0/)
  })

  test('in a fenced block, of another name or without braces is none', () => {
    const none =
      '```\n::video{src="a.mp4"}\n```\n::videos{src="a.mp4"}\ntext ::video{src="a.mp4"}\n::video is a word'
    expect(find(none)).toEqual({ placeholders: [], lines: new Map(), messages: [] })
  })

  test.each([
    ['::video{src=a.mp4}', 'put the value of src between quotation marks.'],
    ['::video{src}', 'put the value of src between quotation marks.'],
    ['::video{src=""}', 'it needs the address of a file, src="…".'],
    ['::video[A]{poster="a.jpg"}', 'it needs the address of a file, src="…".'],
    [
      '::video{src="a.mp4"} text',
      'write it on one line of its own, as in ::video[Name]{src="intro.mp4"} or ::youtube[dQw4w9WgXcQ].',
    ],
    [
      '::video{src="a.mp4"',
      'write it on one line of its own, as in ::video[Name]{src="intro.mp4"} or ::youtube[dQw4w9WgXcQ].',
    ],
  ])('%s stays text, with the reason', (line, reason) => {
    expect(find(line)).toEqual({
      placeholders: [],
      lines: new Map(),
      messages: [`The directive ${JSON.stringify(line)} stays text: ${reason}`],
    })
  })

  test('with an attribute that it does not have works without it, which is reported', () => {
    const { placeholders, messages } = find('::audio{src="a.mp3" autoplay lopp poster="a.jpg"}')
    expect(placeholders).toHaveLength(1)
    const line = JSON.stringify('::audio{src="a.mp3" autoplay lopp poster="a.jpg"}')
    expect(messages).toEqual([
      `The directive ${line} has an attribute without effect, autoplay.`,
      `The directive ${line} has an attribute without effect, lopp. Is it loop?`,
      `The directive ${line} has an attribute without effect, poster.`,
    ])
  })

  test.each(['::video{', '::video{"', '::video{a="b" ', '> ', '::audio['])(
    'is found in time that grows with the length of %s',
    (part) => {
      expect(growthOf((size) => part.repeat(size / part.length), find)).toBeLessThan(LINEAR_GROWTH)
    },
  )
})
