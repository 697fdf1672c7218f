import type { Client } from '../client/client.ts'

/**
 * The address of the site that a page belongs to, with a trailing slash. Null if it cannot be found out: the push is
 * complete by then, and must not fail for want of an address to print.
 */
export async function siteAddress(api: Client, page: string): Promise<string | null> {
  const query = { include_sections: false, include_markdown: false }
  const answer = await api.send('GET /pages/{id}', { path: { id: page }, query }).catch(() => null)
  const [, url] = /^<([^>]+)>; rel="alternate"/.exec(answer?.headers.get('link') ?? '') ?? []
  return answer === null || url === undefined
    ? null
    : `${url.slice(0, url.length - answer.body.data.url.length)}/`
}
