import { readFileSync } from 'node:fs'

const folder = new URL('../../fixtures/films/', import.meta.url)

/** `tram.mp4`: 192×108, ten seconds, a key frame each second. `tram.webm` is shorter. `talk.mp3`: a tone. */
export function film(name: 'tram.mp4' | 'tram.webm' | 'talk.mp3'): Buffer {
  return readFileSync(new URL(name, folder))
}

/** The film with this many bytes of nothing in front of its second half, so that no player loads all of it at once. */
export function longFilm(padding: number): Buffer {
  const bytes = Buffer.from(film('tram.mp4'))
  const mdat = bytes.indexOf('mdat', 0, 'latin1') - 4
  const stco = bytes.indexOf('stco', 0, 'latin1') + 4
  const count = bytes.readUInt32BE(stco + 4)
  const offsets = Array.from({ length: count }, (_, index) => bytes.readUInt32BE(stco + 8 + 4 * index))
  const cut = offsets[Math.floor(count / 2)] ?? 0
  for (const [index, offset] of offsets.entries())
    if (offset >= cut) bytes.writeUInt32BE(offset + padding, stco + 8 + 4 * index)
  bytes.writeUInt32BE(bytes.readUInt32BE(mdat) + padding, mdat)
  return Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(padding), bytes.subarray(cut)])
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
