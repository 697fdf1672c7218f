import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FilmSize } from '../domain/film.ts'
import { filmBytes } from './film-bytes.ts'
import { isoFilmSize } from './iso-film.ts'
import { matroskaFilmSize } from './matroska-film.ts'

/**
 * Reads the size of a video, MP4, QuickTime or WebM, from its header: some hundred bytes, wherever they are in the
 * file. Believes no length that the file states. Does not follow a symbolic link.
 *
 * @returns null for a file that is no video, or is damaged: players find its size themselves.
 * @throws the system's error if the file cannot be read.
 */
export async function readFilmSize(file: string): Promise<FilmSize | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const bytes = filmBytes(handle, (await handle.stat()).size)
    const head = (await bytes.read(0, 8)).toString('latin1')
    // QuickTime files of the oldest kind have no `ftyp`.
    if (/^(?:ftyp|moov|mdat|wide|free|skip)/.test(head.slice(4))) return await isoFilmSize(bytes)
    return head.startsWith('\x1a\x45\xdf\xa3') ? await matroskaFilmSize(bytes) : null
  } finally {
    await handle.close()
  }
}
