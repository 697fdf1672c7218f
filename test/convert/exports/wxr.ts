import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startCommand } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export interface WxrItem {
  readonly id: number
  readonly link: string
  readonly type?: string
  readonly status?: string
  readonly text?: string
  readonly guid?: string
  /** More elements of the item. */
  readonly extra?: string
}

/** An item of an export of WordPress, on a line of its own. */
export function item({
  id,
  link,
  type = 'post',
  status = 'publish',
  text = '<p>Text.</p>',
  guid = '',
  extra = '',
}: WxrItem): string {
  return `<item><title>Title ${id}</title><link>${link}</link><guid>${guid}</guid><content:encoded><![CDATA[${text}]]></content:encoded><wp:post_id>${id}</wp:post_id><wp:post_date>2024-05-01 10:00:00</wp:post_date><wp:post_date_gmt>2024-05-01 08:00:00</wp:post_date_gmt><wp:status>${status}</wp:status><wp:post_type>${type}</wp:post_type>${extra}</item>`
}

/** An export of the site `https://mill.example`: the parts begin at line 2, a line each. */
export function wxr(...parts: readonly string[]): string {
  return `<?xml version="1.0"?><rss><channel><title>Mill</title><link>https://mill.example</link><wp:base_blog_url>https://mill.example</wp:base_blog_url>\n${parts.join('\n')}\n</channel></rss>`
}

interface Loss {
  readonly code: string
  readonly file: string | null
  readonly line: number | null
  readonly what: string
}

/** Converts an export in a new folder. */
export async function convertedWxr(xml: string) {
  const folder = await temporaryFolder()
  const [from, out] = [join(folder, 'export.xml'), join(folder, 'new')]
  await writeFile(from, xml)
  const ended = await startCommand(['convert', from, '--out', out, '--json']).ended
  const { losses = [] } = JSON.parse(ended.out) as { readonly losses?: readonly Loss[] }
  return { ended, losses, out, page: (path: string) => readFile(join(out, path), 'utf8') }
}
