import { z } from 'zod'
import { url } from '../fields/values.ts'

/** The URL of an image, or the path of its file from that of the page. */
export const pictureUrl = z
  .string()
  .max(2048)
  .refine(
    (text) => url.safeParse(text).success || isRelativePath(text),
    'must be an http or https URL, the path of a file beside the page, or start with "/".',
  )
  .meta({
    description: 'An http or https URL, one that starts with `/`, or the path of a file beside the page.',
    examples: ['cover.png'],
  })

function isRelativePath(text: string): boolean {
  return !/^([a-z][a-z0-9+.-]*:|[/\\#?])|[\p{Cc}\\]/iu.test(text) && /[^/]\.[^/.]+$/.test(text)
}
