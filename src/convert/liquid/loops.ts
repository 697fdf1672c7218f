import { lineCounter } from '../../page-text/line-counter.ts'
import { breaksIn } from '../../page-text/map-prose.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import type { Report } from '../conversion.ts'

const LOOP = /\{%-?[ \t]*(end)?for\b[^%\n]*%\}/g
/** A loop over posts. */
export const POSTS_LOOP = /\bin\s+(?:site\.(?:posts|categories|tags)|paginator\.posts)\b/

/**
 * Drops loops over posts, whose text is shown once for each of them: a section of the page lists them. The number of
 * lines stays.
 */
export function withoutLoops(body: string, report: Report): string {
  if (!POSTS_LOOP.test(body)) return body
  const lineAt = lineCounter(body)
  let result = ''
  let at = 0
  let depth = 0
  let open: { readonly start: number; readonly tag: string } | null = null
  for (const { 0: tag, 1: isEnd, index } of body.matchAll(LOOP)) {
    if (open === null && isEnd === undefined && POSTS_LOOP.test(tag)) {
      open = { start: index, tag }
      depth = 0
    }
    if (open === null) continue
    depth += isEnd === undefined ? 1 : -1
    if (depth > 0) continue
    const end = index + tag.length
    const loop = body.slice(open.start, end)
    report(
      lineAt(open.start),
      'QN-PARTLY-CONVERTED',
      `The loop ${quotedTag(open.tag)} is left out: a section of the page lists the posts.`,
    )
    result += body.slice(at, open.start) + '\n'.repeat(breaksIn(loop))
    at = end
    open = null
  }
  return result + body.slice(at)
}
