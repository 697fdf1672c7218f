import type { TestService } from '../support/service.ts'

/** Fields that the service sets itself, so that an import cannot. */
const SET_BY_SERVICE = [
  'id',
  'project_id',
  'created_at',
  'updated_at',
  'published_at',
  'stale',
  'has_unpublished_changes',
]

type Shown = Pick<TestService, 'call'>

function reader(service: Shown, key: string | undefined) {
  return async (path: string) =>
    (await service.call('GET', path, undefined, key === undefined ? {} : { key })).body.data
}

/** The pages of a project by address, as the API returns them, without the fields that the service sets. */
export async function shownPages(
  service: Shown,
  project: string,
  key?: string,
): Promise<Record<string, object>> {
  const read = reader(service, key)
  const listed = await read(`/pages?project_id=${project}&limit=100`)
  const pages = await Promise.all(listed.map(({ id }: { id: string }) => read(`/pages/${id}`)))
  const address = ({ subroute, slug }: Record<string, unknown>) => `${subroute}/${slug}`
  const addresses = new Map(pages.map((page) => [page.id, address(page)]))
  const entries = pages.map((found): [string, Record<string, unknown>] => {
    const fields = Object.entries(found).filter(([name]) => !SET_BY_SERVICE.includes(name))
    const parent = 'parent_page' in found && { parent_page: addresses.get(found.parent_page) ?? null }
    return [address(found), { ...Object.fromEntries(fields), ...parent }]
  })
  return Object.fromEntries(entries)
}

/** The assets of a project, without what differs between uploads of a file with and without its metadata. */
export async function shownAssets(service: Shown, project: string, key?: string): Promise<readonly object[]> {
  const found = await reader(service, key)(`/projects/${project}/assets?sort=name&order=asc&limit=100`)
  return found.map(
    ({ name, alt, title, focus, kind, content_type, width, height, used_by }: Record<string, unknown>) => {
      return { name, alt, title, focus, kind, content_type, width, height, used_by }
    },
  )
}

/** What else a project holds: its settings and hosting, on all surfaces. */
export async function shownProject(service: Shown, project: string, key?: string) {
  const read = reader(service, key)
  const [own, home, legacy, legacyHome] = await Promise.all(
    [
      `/projects/${project}/settings`,
      `/projects/${project}`,
      `/v1/projects/${project}/settings`,
      `/v1/projects/${project}`,
    ].map(read),
  )
  const { name, status, hosting, settings: embedded } = home
  return {
    settings: { ...own, project_id: '', custom_domain: '', hosting_mode: '' },
    project: { name, status, embedded },
    hosting,
    legacy: { ...legacy, context: legacyHome.context, legacySettings: legacyHome.settings },
  }
}
