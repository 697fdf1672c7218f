import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import type { Page, PageDraft, PageType } from '../../domain/page.ts'
import type { SlugAlphabet } from '../../domain/slug.ts'
import { slug, subroute, title, wideSlug, wideSubroute } from '../../fields/values.ts'
import type { PageChange } from '../../services/pages/write-page.ts'
import { config, configErrors, pageType, pageTypeOf, titleErrors, withTitleAs } from '../page-fields.ts'
import { parseBody } from '../parse.ts'
import { projectRef, slice, tagQuery } from '../query-fields.ts'

/* The legacy surface ignores unknown fields. */

export const CreatePage = z.object({
  project_id: projectRef,
  /** `title` is an alias. */
  page_name: title,
  slug: wideSlug,
  subroute: wideSubroute.default(''),
  type: pageType.default('page'),
  markdown_content: z.string().default(''),
  config: config.default({}),
})

/** For projects with standard addresses. */
const CreateStandardPage = CreatePage.extend({ slug, subroute: subroute.default('') })

export const UpdatePage = z.object({
  page_name: title.optional(),
  slug: wideSlug.optional(),
  subroute: wideSubroute.optional(),
  type: pageType.optional(),
  markdown_content: z.string().optional(),
  config: config.optional(),
})

const UpdateStandardPage = UpdatePage.extend({ slug: slug.optional(), subroute: subroute.optional() })

export const ListPages = z.object({ project_id: projectRef, tag: tagQuery.optional(), ...slice(20) })

/** @throws {ServiceError} that names every invalid field. */
export function readCreatePage(
  body: JsonObject,
  themes: readonly string[],
  alphabet: SlugAlphabet,
): Omit<PageDraft, 'projectId'> {
  const type = pageTypeOf(body['type'] ?? 'page')
  const given = parseBody(
    alphabet === 'wide' ? CreatePage : CreateStandardPage,
    withTitleAs('page_name', body, null),
    {
      also: () => [...titleErrors(body, null), ...configErrors(type, body['config'], themes)],
    },
  )
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

/** @throws {ServiceError} that names every invalid field. */
export function readUpdatePage(
  body: JsonObject,
  page: Page,
  themes: readonly string[],
  alphabet: SlugAlphabet,
): PageChange {
  const type = typeAfter(page.type, pageTypeOf(body['type']))
  // A new type has other rules for the config, so the stored config must satisfy them too.
  const configToCheck = type === page.type ? body['config'] : (body['config'] ?? page.config)
  const given = parseBody(
    alphabet === 'wide' ? UpdatePage : UpdateStandardPage,
    withTitleAs('page_name', body, page.title),
    {
      also: () => [...titleErrors(body, page.title), ...configErrors(type, configToCheck, themes)],
    },
  )
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

/** The legacy surface shows an `item` as a `page`: sending that back must not change the type. */
function typeAfter(stored: PageType, wanted: PageType | null): PageType {
  return stored === 'item' ? stored : (wanted ?? stored)
}
