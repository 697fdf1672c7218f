import { describe, expect, test } from 'vitest'
import { renderInlineMarkdown, renderMarkdown } from '../../../../src/render/markdown/render-markdown.ts'

const href = (url: string) => (/^(?:javascript|data):/.test(url) ? null : url)
const render = (source: string) => renderMarkdown(source, { href })

describe('a video', () => {
  test('written as a picture has controls, a name and a link for readers that cannot play it', () => {
    expect(render('![A ride](ride.mp4)').html).toBe(
      '<p><video src="ride.mp4" aria-label="A ride" controls preload="metadata"><a href="ride.mp4">A ride</a></video></p>',
    )
  })

  test('never starts by itself', () => {
    const sources = ['![a](a.mp4)', '::video{src="a.mp4" autoplay muted}', '<img src="a.webm" autoplay>']
    for (const source of sources) expect(render(source).html).not.toContain('autoplay')
  })

  test.each([
    ['![](a.mp4 "A caption")', 'A caption'],
    ['![](/videos/tram-ride_2.webm?x=1#t=3)', 'Tram ride 2'],
    ['![](https://a.example/%C3%BCber%20uns.mov)', 'über uns'],
    ['![](https://a.example/%zz.mp4)', '%zz'],
    ['::video{src="https://a.example/stream/"}', 'https://a.example/stream/'],
  ])('in %s without a name gets one', (source, name) => {
    expect(render(source).html).toContain(`aria-label="${name}"`)
  })

  test('with captions states their languages, and asks for them so that a sandbox has them too', () => {
    const { html } = render('::video{src="a.mp4" captions="a.en.vtt, pt-BR.vtt, a.vtt, javascript:x"}')
    expect(html).toContain('crossorigin="anonymous"')
    expect(html).toContain(
      '<track kind="captions" src="a.en.vtt" srclang="en" label="English">' +
        '<track kind="captions" src="pt-BR.vtt" srclang="pt-BR" label="português (Brasil)">' +
        '<track kind="captions" src="a.vtt">',
    )
  })

  test('is loaded from another site without asking for more rights', () => {
    const { html } = render('::video{src="https://a.example/a.mp4" captions="a.en.vtt"}')
    expect(html).not.toContain('crossorigin')
  })

  test('has at most twenty languages', () => {
    const captions = Array.from({ length: 50 }, (_, index) => `a${index}.vtt`).join(',')
    expect(render(`::video{src="a.mp4" captions="${captions}"}`).html.match(/<track/g)).toHaveLength(20)
  })

  test('in the text of a link is shown as its name, because a click follows the link', () => {
    expect(render('[**![A ride](a.mp4)** now](/b)').html).toBe(
      '<p><a href="/b"><strong>A ride</strong> now</a></p>',
    )
    expect(render('[![A ride](a.mp4)](/b)').html).toBe('<p><a href="/b">A ride</a></p>')
  })

  test('in a text of one line is a link, and in a link its name', () => {
    const inline = (source: string) => renderInlineMarkdown(source, { href }).html
    expect(inline('See ![A ride](a.mp4)')).toBe('See <a href="a.mp4">A ride</a>')
    expect(inline('[![A ride](a.mp4)](/b)')).toBe('<a href="/b">A ride</a>')
  })

  test('with an address that is not allowed is replaced by its name, and its picture left out', () => {
    expect(render('![A ride](javascript:a.mp4)')).toMatchObject({
      html: '<p>A ride</p>',
      droppedUrls: ['javascript:a.mp4'],
    })
    expect(render('::video[A]{src="a.mp4" poster="javascript:x"}')).toMatchObject({
      html: expect.not.stringContaining('poster'),
      droppedUrls: ['javascript:x'],
    })
  })
})

test.each(['a.mp3', 'a.ogg', 'a.M4A', 'a.flac?x'])('%s is a sound', (file) => {
  expect(render(`![A talk](${file})`).html).toBe(
    `<p><audio src="${file}" aria-label="A talk" controls preload="metadata"><a href="${file}">A talk</a></audio></p>`,
  )
})

test.each(['a.gif', 'a.mp4.png', 'a.mp', 'mp4'])('%s is a picture', (file) => {
  expect(render(`![A](${file})`).html).toContain('<img')
})

test('what is a video is decided by the address that is printed, in which the bytes of a file decide the ending', () => {
  const printed = (file: string) => renderMarkdown('![A](/media/a.mp4)', { href: () => file }).html
  expect(printed('_media/a.1f2e.png')).toContain('<img')
  expect(printed('_media/a.1f2e.webm')).toContain('<video')
  expect(printed('_media/a.1f2e.mp3')).toContain('<audio')
})

test('a name that authors give a player in HTML stays', () => {
  expect(render('<video src="a.mp4" aria-label="A ride"></video>').html).toContain('aria-label="A ride"')
})

describe('a page of another site', () => {
  const FRAME = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'

  test.each([
    '::youtube[dQw4w9WgXcQ]{title="A talk"}',
    '::youtube[https://youtu.be/dQw4w9WgXcQ]{title="A talk"}',
    '![A talk](https://www.youtube.com/watch?v=dQw4w9WgXcQ)',
  ])('written as %s is a link, which a script opens in a frame', (source) => {
    const { html, frames } = render(source)
    expect(html).toBe(
      `<p><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ" rel="external noopener" class="embed" data-frame="${FRAME}"><span class="embed-title" data-from="www.youtube-nocookie.com">A talk</span></a></p>`,
    )
    expect(frames).toEqual(['https://www.youtube-nocookie.com'])
  })

  test('has the picture of its author before, and a caption', () => {
    const { html, frames, droppedUrls } = render(
      '::embed[A sketch]{url="https://codepen.io/a/embed/b" poster="pen.png" title="Try it"}',
    )
    expect(html).toContain('<img src="pen.png" alt="" loading="lazy" decoding="async">')
    expect(html).toContain('<figcaption>Try it</figcaption>')
    expect(frames).toEqual(['https://codepen.io'])
    expect(droppedUrls).toEqual([])
  })

  test('is a plain link in a text of one line, in feeds, and where no frame shows it', () => {
    const source = '![A talk](https://youtu.be/dQw4w9WgXcQ)'
    const link = '<a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ" rel="external noopener">A talk</a>'
    expect(renderInlineMarkdown(source, { href }).html).toBe(link)
    const feed = renderMarkdown(source, { href, pageUrl: 'https://a.example/' })
    expect(feed.html).toBe(`<p>${link}</p>`)
    expect(feed.frames).toEqual([])
    expect(render('<img data-player="embed" src="http://a.example/" alt="A">').frames).toEqual([])
  })

  test.each([
    ['::youtube[not an id]', 'write the id of a video or its address in the brackets'],
    ['::vimeo[https://youtube.com/]', 'write the number of a video or its address in the brackets'],
    ['::embed[A]{url="http://a.example/"}', 'it needs the address of a page, url="https://…".'],
    ['::embed[A]', 'write it on one line of its own'],
  ])('written as %s stays text, and is reported', (source, reason) => {
    const { html, diagnostics } = render(source)
    expect(html).not.toContain('data-frame')
    expect(diagnostics).toMatchObject([
      { code: 'QN-BAD-DIRECTIVE', message: expect.stringContaining(reason) },
    ])
  })
})
