import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleMarkdown } from '../domain/component.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { ListedPage, LivePage } from '../domain/live-page.ts'
import { newPage } from '../domain/page.ts'
import { derive, resolvedFields } from '../page-text/derive.ts'
import { matchType, SECTION_TYPES } from '../sections/catalogue.ts'
import { idOf } from '../site-build/stable-ids.ts'
import type { Theme } from '../theme/theme.ts'
import type { InMemorySite } from './in-memory-site.ts'

/** The samples of one section type. Each sample is a folder of `templates/section-samples`. */
export interface SectionSamples {
  readonly type: string
  readonly samples: readonly string[]
}

/** The sections of a sample as an author writes them, and the pages that listing sections show, by their index. */
interface Sample {
  readonly sections: readonly JsonValue[]
  readonly collections: Readonly<Record<string, readonly ListedPage[]>>
}

/** Lists samples by type, in the order of the catalogue. Samples with several types come last, under an empty type. */
export async function listSamples(folder: string): Promise<readonly SectionSamples[]> {
  const names = (await readdir(folder)).sort()
  const types = [...SECTION_TYPES.map(({ name }) => name), 'generic']
  const typeOf = (name: string) => types.find((type) => name.startsWith(`${type}-`)) ?? ''
  return [...types, '']
    .map((type) => ({ type, samples: names.filter((name) => typeOf(name) === type) }))
    .filter(({ samples }) => samples.length > 0)
}

/** The sections that only themes have, each with one sample of its own name. */
export function ownSectionSamples(
  themes: ReadonlyMap<string, Pick<Theme, 'ownSections'>>,
): readonly SectionSamples[] {
  const types = new Set([...themes.values()].flatMap(({ ownSections }) => [...ownSections]))
  return [...types]
    .filter((type) => !matchType(type).known)
    .sort()
    .map((type) => ({ type, samples: [type] }))
}

const COMPONENT = 'component-'

/** The components of all themes, each with one sample of its own name. */
export function componentSamples(
  themes: ReadonlyMap<string, Pick<Theme, 'components'>>,
): readonly SectionSamples[] {
  const names = new Set([...themes.values()].flatMap(({ components }) => [...components.keys()]))
  return [{ type: 'components', samples: [...names].sort().map((name) => COMPONENT + name) }]
}

/** The component that a sample shows; null for a sample of sections. */
export function componentOf(sample: string): string | null {
  return sample.startsWith(COMPONENT) ? sample.slice(COMPONENT.length) : null
}

/** A page of the site that shows a component with sample values. @param theme has the component. */
export function componentPage(
  name: string,
  theme: Pick<Theme, 'name' | 'components'>,
  site: InMemorySite,
): LivePage {
  const schema = theme.components.get(name)
  if (schema === undefined) throw new Error(`The theme ${theme.name} has no component ${name}.`)
  const rows = Object.entries(schema.attributes).map(
    ([attribute, { type, required, description, enum: choices }]) =>
      `- \`${attribute}\` (${choices?.join(', ') ?? type}${required ? ', required' : ''}): ${description}`,
  )
  const sample = sampleMarkdown(name, schema)
  const text = [schema.description, ...(rows.length === 0 ? [] : [rows.join('\n')]), sample, fenced(sample)]
  return samplePageOf(COMPONENT + name, { markdown: text.join('\n\n') }, theme.name, site)
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}md\n${text}\n${fence}`
}

/**
 * A page of the site with the sections of a sample.
 *
 * @param own a type of section of the theme alone, and its content, in place of the sample's; null content keeps the
 *   sample's content.
 */
export async function samplePage(
  folder: string,
  name: string,
  theme: string,
  site: InMemorySite,
  own: { readonly type: string; readonly sample: JsonObject | null } | null = null,
): Promise<LivePage> {
  const { sections: sampleSections, collections } = await readSample(join(folder, name))
  const sections = own === null ? sampleSections : ownSections(own, sampleSections)
  const lang = name.includes('right-to-left') ? { lang: 'ar' } : {}
  const listed = Object.entries(collections).map(([at, pages]) => [Number(at), pages] as const)
  return samplePageOf(name, { config: { ...lang, sections }, collections: new Map(listed) }, theme, site)
}

function samplePageOf(
  name: string,
  {
    markdown = '',
    config = {},
    collections = new Map(),
  }: {
    readonly markdown?: string
    readonly config?: JsonObject
    readonly collections?: LivePage['context']['collections']
  },
  theme: string,
  { site, settings }: InMemorySite,
): LivePage {
  const id = idOf('page', `sample ${name}`)
  const content = { title: name, slug: 'sample', subroute: '', type: 'page', description: '' } as const
  const page = newPage(
    {
      ...content,
      ogImageUrl: null,
      meta: {},
      markdown,
      ownFields: {},
      projectId: site.projectId,
      config,
    },
    { id, now: EPOCH, derive },
  )
  return {
    page,
    site,
    path: '/sample',
    file: '',
    fields: resolvedFields(page),
    settings: { ...settings, theme },
    context: { docs: null, neighbours: null, collections },
  }
}

function ownSections(
  { type, sample }: { readonly type: string; readonly sample: JsonObject | null },
  sections: readonly JsonValue[],
): readonly JsonValue[] {
  if (sample !== null) return [{ ...sample, type }]
  return sections.map((section) => ({ ...Object(section), type }))
}

/** The sample whose content sections of a theme's own types get when the theme has none for them. */
export const GENERIC_SAMPLE = 'generic-comparison'

/** These pages do not show their times. */
const EPOCH = '1970-01-01T00:00:00.000Z'

async function readSample(folder: string): Promise<Sample> {
  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'))
  const hasCollections = (await readdir(folder)).includes('collections.json')
  return {
    sections: await read('sections.json'),
    collections: hasCollections ? await read('collections.json') : {},
  }
}
