import { ApiError } from '../client/api-error.ts'
import type { SitePage } from '../content-folder/site.ts'
import type { Addressed } from '../domain/route.ts'
import { addressOf } from './find-pages.ts'
import type { BulkItem, Written } from './page-plan.ts'
import { ONE_PAGE_ERRORS, type PagePushPorts } from './push-page.ts'

/** Items per request. Each costs a tenth of a request, and progress is shown after each request. */
const MAX_ITEMS = 100
/** UTF-16 code units per request. A longer page is sent with those before it, within the limit of bodies. */
const MAX_LENGTH = 1_000_000

/** A page whose write was sent. */
export interface SentPage {
  readonly page: SitePage
  readonly action: Written
  /** Null for one that the server refused. */
  readonly id: string | null
}

/** Gathers writes of pages and sends them in one request, in order. */
export function createPageBatch({ api, project }: Pick<PagePushPorts, 'api' | 'project'>) {
  let items: { readonly page: SitePage; readonly action: Written; readonly item: BulkItem }[] = []
  let length = 0
  const refs = new Map<string, string>()

  return {
    add(page: SitePage, action: Written, item: BulkItem): void {
      const ref = String(items.length)
      refs.set(addressOf(page), ref)
      items.push({ page, action, item: { ...item, ref } })
      length += JSON.stringify(item).length
    },

    /** Refers to a page of the batch; null for any other page. */
    reference(address: Addressed): { readonly ref: string } | null {
      const ref = refs.get(addressOf(address))
      return ref === undefined ? null : { ref }
    },

    isFull: (): boolean => items.length >= MAX_ITEMS || length >= MAX_LENGTH,

    /** Sends the gathered writes. @throws {ApiError} for an error that does not concern pages. */
    async send(): Promise<readonly SentPage[]> {
      const sent = items
      items = []
      length = 0
      refs.clear()
      if (sent.length === 0) return []
      const ids = await idsOf(sent.map(({ item }) => item))
      return sent.map(({ page, action }, index) => ({ page, action, id: ids.get(index) ?? null }))
    },
  }

  /** The ids of written pages by index. None when the request as a whole is refused. */
  async function idsOf(written: readonly BulkItem[]): Promise<ReadonlyMap<number, string>> {
    try {
      const { items: results } = await api.pages.write(project, { items: written })
      return new Map(
        results.flatMap(({ index, id, error }) => (id === null || error !== null ? [] : [[index, id]])),
      )
    } catch (error) {
      if (!(error instanceof ApiError) || !ONE_PAGE_ERRORS.includes(error.name)) throw error
      return new Map()
    }
  }
}
