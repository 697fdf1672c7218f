import { describe, expect, test } from 'vitest'
import { mapLinks } from '../../src/page-text/map-links.ts'

const shout = (target: string) => target.toUpperCase()

describe('a target is mapped', () => {
  test.each([
    ['![a](a.png "b") [c](<d e.md>)', '![a](A.PNG "b") [c](<D E.MD>)'],
    ['[a]: b.md', '[a]: B.MD'],
    ['<img src="a.png" srcset="a.png 1x, b.png 2x">', '<img src="A.PNG" srcset="A.PNG 1x, B.PNG 2x">'],
    [
      '::video[a]{src="a.mp4" poster=\'b c.jpg\' captions=" d e.en.vtt ,f.vtt" title="g.mp4"}',
      '::video[a]{src="A.MP4" poster=\'B C.JPG\' captions=" D E.EN.VTT ,F.VTT" title="g.mp4"}',
    ],
  ])('in the text %s', (text, expected) => {
    expect(mapLinks(text, shout)).toBe(expected)
  })
})
