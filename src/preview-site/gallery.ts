import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonValue } from '../domain/json.ts'
import type { ListedPage, LivePage } from '../domain/live-page.ts'
import { newPage } from '../domain/page.ts'
import { derive, resolvedFields } from '../page-text/derive.ts'
import { SECTION_TYPES } from '../sections/catalogue.ts'
import { idOf } from '../site-build/stable-ids.ts'
import type { SiteNow } from './in-memory-site.ts'

/** Sections as they may be written, each a folder of `templates/section-samples`. */
export interface SectionFixtures {
  readonly type: string
  readonly fixtures: readonly string[]
}

/** A fixture's sections as sent, and of those that list pages what each shows, by its place. */
interface Fixture {
  readonly sections: readonly JsonValue[]
  readonly collections: Readonly<Record<string, readonly ListedPage[]>>
}

/** By the type they show, in the order of the catalogue; those of several types come last, under no type. */
export async function listFixtures(folder: string): Promise<readonly SectionFixtures[]> {
  const names = (await readdir(folder)).sort()
  const types = [...SECTION_TYPES.map(({ name }) => name), 'generic']
  const typeOf = (name: string) => types.find((type) => name.startsWith(`${type}-`)) ?? ''
  return [...types, '']
    .map((type) => ({ type, fixtures: names.filter((name) => typeOf(name) === type) }))
    .filter(({ fixtures }) => fixtures.length > 0)
}

/**
 * A page of the site that has nothing but the sections of a fixture.
 *
 * @param type they are given instead of their own; null leaves them theirs.
 */
export async function fixturePage(
  folder: string,
  name: string,
  theme: string,
  { site, settings }: SiteNow,
  type: string | null = null,
): Promise<LivePage> {
  const { sections: written, collections } = await readFixture(join(folder, name))
  const sections = type === null ? written : written.map((section) => ({ ...Object(section), type }))
  const lang = name.includes('right-to-left') ? { lang: 'ar' } : {}
  const id = idOf('page', `fixture ${name}`)
  const content = { title: name, slug: 'fixture', subroute: '', type: 'page', description: '' } as const
  const page = newPage(
    {
      ...content,
      ogImageUrl: null,
      meta: {},
      markdown: '',
      ownFields: {},
      projectId: site.projectId,
      config: { ...lang, sections },
    },
    { id, now: EPOCH, derive },
  )
  const shown = Object.entries(collections).map(([at, pages]) => [Number(at), pages] as const)
  return {
    page,
    site,
    path: '/fixture',
    file: '',
    fields: resolvedFields(page),
    settings: { ...settings, theme },
    context: { docs: null, collections: new Map(shown) },
  }
}

/** Times of these pages stand nowhere. */
const EPOCH = '1970-01-01T00:00:00.000Z'

async function readFixture(folder: string): Promise<Fixture> {
  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'))
  const hasCollections = (await readdir(folder)).includes('collections.json')
  return {
    sections: await read('sections.json'),
    collections: hasCollections ? await read('collections.json') : {},
  }
}
