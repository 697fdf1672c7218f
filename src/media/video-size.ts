import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { VideoSize } from '../domain/video.ts'
import { isoVideoSize } from './iso-video.ts'
import { matroskaVideoSize } from './matroska-video.ts'
import { videoBytes } from './video-bytes.ts'

/**
 * Reads the size of a video, MP4, QuickTime or WebM, from its header: some hundred bytes, wherever they are in the
 * file. Believes no length that the file states. Does not follow a symbolic link.
 *
 * @returns null for a file that is no video, or is damaged: players find its size themselves.
 * @throws the system's error if the file cannot be read.
 */
export async function readVideoSize(file: string): Promise<VideoSize | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const bytes = videoBytes(handle, (await handle.stat()).size)
    const head = (await bytes.read(0, 8)).toString('latin1')
    // QuickTime files of the oldest kind have no `ftyp`.
    if (/^(?:ftyp|moov|mdat|wide|free|skip)/.test(head.slice(4))) return await isoVideoSize(bytes)
    return head.startsWith('\x1a\x45\xdf\xa3') ? await matroskaVideoSize(bytes) : null
  } finally {
    await handle.close()
  }
}
