import { expect, test } from 'vitest'
import { contentDisposition } from '../../src/domain/content-disposition.ts'

const HASH = '0123456789abcdef'

test.each([
  [`_media/report.${HASH}.pdf`, 'inline; filename="report.pdf"'],
  [`proj_1/_media/site.${HASH}.zip`, 'attachment; filename="site.zip"'],
  [
    `_media/übersicht-2025.${HASH}.pdf`,
    `inline; filename="_bersicht-2025.pdf"; filename*=UTF-8''%C3%BCbersicht-2025.pdf`,
  ],
  [`_media/年報.${HASH}.docx`, `attachment; filename="__.docx"; filename*=UTF-8''%E5%B9%B4%E5%A0%B1.docx`],
  [`_media/tram.${HASH}.mp4`, 'inline; filename="tram.mp4"'],
  [`_media/tram.en.${HASH}.vtt`, 'inline; filename="tram.en.vtt"'],
  [`_media/page.${HASH}.bin`, 'attachment; filename="page.bin"'],
  [`_media/${HASH}.bin`, 'attachment'],
  [`_media/photo.${HASH}-640.webp`, null],
  ['docs/index.html', null],
  [`_assets/site.${HASH}.css`, null],
])('the object %s is shown or saved under the name of its file', (key, expected) => {
  expect(contentDisposition(key)).toBe(expected)
})
