import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK = 256 * 1024

/** The bytes of a file, in pieces. The next piece replaces the last one. */
export function* chunksOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(CHUNK)
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      yield buffer.subarray(0, read)
  } finally {
    closeSync(file)
  }
}
