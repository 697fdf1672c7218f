import { splitFrontMatter } from '../page-text/front-matter.ts'
import { writeYaml } from '../page-text/write-yaml.ts'

/** The Markdown of an article with `guid` as the last field of its front matter. The rest stays as it is written. */
export function withGuid(text: string, guid: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const line = writeYaml({ guid }).replace(/\n/g, lineEnd)
  const { body } = splitFrontMatter(text)
  const head = text.slice(0, text.length - body.length)
  const end = head.lastIndexOf('---')
  return end < 0
    ? `${head}---${lineEnd}${line}---${lineEnd}${body}`
    : `${head.slice(0, end)}${line}${head.slice(end)}${body}`
}
