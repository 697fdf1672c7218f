import { readFileSync } from 'node:fs'

const folder = new URL('../../fixtures/videos/', import.meta.url)

/** `tram.mp4`: 192×108, ten seconds, a key frame each second. `tram.webm` is shorter. `talk.mp3`: a tone. */
export function video(name: 'tram.mp4' | 'tram.webm' | 'talk.mp3'): Buffer {
  return readFileSync(new URL(name, folder))
}

/** The video with this many bytes of nothing between its header and its pictures. */
export function longVideo(padding: number): Buffer {
  const bytes = Buffer.from(video('tram.mp4'))
  const mdat = bytes.indexOf('mdat', 0, 'latin1') - 4
  // The pictures are in one chunk, whose offset is the only one.
  const offset = bytes.indexOf('stco', 0, 'latin1') + 12
  const pictures = bytes.readUInt32BE(offset)
  bytes.writeUInt32BE(pictures + padding, offset)
  bytes.writeUInt32BE(bytes.readUInt32BE(mdat) + padding, mdat)
  return Buffer.concat([bytes.subarray(0, pictures), Buffer.alloc(padding), bytes.subarray(pictures)])
}

/** A box of an MP4 file. */
export function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** An element of a WebM file. @param id in hex. */
export function element(id: string, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents)
  return Buffer.concat([
    Buffer.from(id, 'hex'),
    Buffer.from([0x10 | (body.length >> 24)]),
    u24(body.length),
    body,
  ])
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u24(value: number): Buffer {
  return u32(value).subarray(1)
}
