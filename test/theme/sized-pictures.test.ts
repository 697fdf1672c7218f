import { expect, test } from 'vitest'
import { sizedPictures } from '../../src/theme/sized-pictures.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

const LABELS = { viewImage: 'View "it" & more', searchClose: 'Close' }
const MARKS = 'data-zoom="View &quot;it&quot; &amp; more" data-close="Close"'

test('pictures of a text say how wide they are shown, unless their author has said it', () => {
  expect(sizedPictures('<p><img src="a.jpg" alt="A > b"> and text</p>', '50vw')).toBe(
    '<p><img sizes="50vw" src="a.jpg" alt="A > b"> and text</p>',
  )
  for (const stated of [' width="300"', ' sizes="10vw"', ' srcset="a.jpg 1w"']) {
    const html = `<img src="a.jpg"${stated}>`
    expect(sizedPictures(html, '50vw')).toBe(html)
  }
})

test('a picture that stands alone in its paragraph or figure may link to the whole one', () => {
  const marked = (html: string) => sizedPictures(html, '50vw', LABELS).includes(MARKS)
  const image = '<img src="a.jpg" alt="A">'
  for (const alone of [
    `<p>${image}</p>`,
    `<figure>${image}<figcaption>A</figcaption></figure>`,
    `<figure class="wide">${image}</figure>`,
    `<p><img src="a.jpg" width="300"></p>`,
  ])
    expect(marked(alone), alone).toBe(true)
  for (const other of [
    `<p>Text ${image}</p>`,
    `<p>${image} text</p>`,
    `<p><a href="/">${image}</a></p>`,
    `<figure><a href="/">${image}</a><figcaption>A</figcaption></figure>`,
    `<picture><source srcset="b.jpg">${image}</picture>`,
    `<table><tr><td>${image}</td></tr></table>`,
  ])
    expect(marked(other), other).toBe(false)
  expect(sizedPictures(`<p>${image}</p>`, '50vw')).not.toContain('data-zoom')
})

test('text that looks like an image stays text', () => {
  for (const html of [
    '<a title="<img src=a.jpg onerror=alert(1)>">x</a>',
    '<p title="<p><img src=&quot;a.jpg&quot;></p>">x</p>',
    '<code>&lt;img src="a.jpg"></code>',
  ])
    expect(sizedPictures(html, '50vw', LABELS)).toBe(html)
})

test('the time for a text grows with its length', () => {
  const text = (length: number) => `<figure${' <img src="a.jpg"'.repeat(length / 17)}`
  expect(growthOf(text, (html) => sizedPictures(html, '50vw', LABELS))).toBeLessThan(LINEAR_GROWTH)
})
