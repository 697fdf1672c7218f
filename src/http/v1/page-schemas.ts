import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import type { Page, PageDraft, PageType } from '../../domain/page.ts'
import { slug, subroute, title } from '../../fields/values.ts'
import type { PageChange } from '../../services/pages.ts'
import { config, configFaults, pageType, pageTypeOf, titleFaults, withTitleAs } from '../page-fields.ts'
import { parseBody } from '../parse.ts'
import { projectRef, slice } from '../query-fields.ts'

/* Unknown fields are ignored on this surface. */

export const CreatePage = z.object({
  project_id: projectRef,
  /** `title` is the same field. */
  page_name: title,
  slug,
  subroute: subroute.default(''),
  type: pageType.default('page'),
  markdown_content: z.string().default(''),
  config: config.default({}),
})

export const UpdatePage = z.object({
  page_name: title.optional(),
  slug: slug.optional(),
  subroute: subroute.optional(),
  type: pageType.optional(),
  markdown_content: z.string().optional(),
  config: config.optional(),
})

export const ListPages = z.object({ project_id: projectRef, ...slice(20) })

/** @throws {ServiceError} naming every fault. */
export function readCreatePage(body: JsonObject, themes: readonly string[]): Omit<PageDraft, 'projectId'> {
  const type = pageTypeOf(body['type'] ?? 'page')
  const given = parseBody(CreatePage, withTitleAs('page_name', body, null), {
    also: () => [...titleFaults(body, null), ...configFaults(type, body['config'], themes)],
  })
  return {
    title: given.page_name,
    slug: given.slug,
    subroute: given.subroute,
    type: given.type,
    description: '',
    ogImageUrl: null,
    meta: {},
    config: given.config,
    markdown: given.markdown_content,
    ownFields: {},
  }
}

/** @throws {ServiceError} naming every fault. */
export function readUpdatePage(body: JsonObject, page: Page, themes: readonly string[]): PageChange {
  const type = typeAfter(page.type, pageTypeOf(body['type']))
  // Another type reads the config by other rules, so the stored one has to hold to them as well.
  const judged = type === page.type ? body['config'] : (body['config'] ?? page.config)
  const given = parseBody(UpdatePage, withTitleAs('page_name', body, page.title), {
    also: () => [...titleFaults(body, page.title), ...configFaults(type, judged, themes)],
  })
  return {
    status: null,
    edit: {
      title: given.page_name,
      slug: given.slug,
      subroute: given.subroute,
      type: type === page.type ? undefined : type,
      config: given.config,
      markdown: given.markdown_content,
    },
  }
}

/** This surface shows an `item` as a `page`: what it sends back must not make one of it. */
function typeAfter(stored: PageType, wanted: PageType | null): PageType {
  return stored === 'item' ? stored : (wanted ?? stored)
}
