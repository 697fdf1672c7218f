import { fileAt, type MediaSource, mediaPath } from '../../domain/media.ts'
import { withMediaAddresses } from '../../domain/media-names.ts'

/**
 * A text that is no HTML, such as a style sheet, with the addresses of published files in place of the names of assets.
 *
 * @param addressOf the address of the file with a key.
 */
export function withMediaFiles(
  text: string,
  media: MediaSource | undefined,
  addressOf: (key: string) => string,
): string {
  if (media === undefined) return text
  return withMediaAddresses(text, (name) => {
    const file = fileAt(media, mediaPath(name))
    return file?.bytes === undefined ? null : addressOf(file.key)
  })
}
