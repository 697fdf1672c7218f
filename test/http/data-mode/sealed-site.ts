import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { decryptPage, type OpenedPage } from '../../../src/client/decrypt-page.ts'
import { pageBody, type TestService } from '../../support/service.ts'

/** A project of a service, as its owner and its readers see it. */
export function siteOf(service: TestService, project: string) {
  const { call } = service
  const read = async (key: string) => {
    const answer = await call('GET', `/public/${project}/${key}`, undefined, { key: null })
    return answer.status === 200 ? answer.body : null
  }
  return {
    project,
    read,
    create: async (fields: object): Promise<string> =>
      (await call('POST', '/pages', pageBody(project, fields))).body.data.id,
    publish: (id: string) => call('POST', `/pages/${id}/publish`),
    unpublish: (id: string) => call('POST', `/pages/${id}/unpublish`),
    edit: (id: string, fields: object) => call('PUT', `/pages/${id}`, fields),
    act: (action: string) => call('POST', `/projects/${project}/data-mode/${action}`),
    /** Switches Data Mode on, or gives it a new key; resolves with the key. */
    keyOf: async (action: 'enable' | 'regenerate-key'): Promise<string> =>
      (await call('POST', `/projects/${project}/data-mode/${action}`)).body.data.encryption_key,
    index: () => read('_index.json'),
    /** Its page's entry of `_index.json`. */
    entry: async (id: string) =>
      (await read('_index.json')).pages.find((page: { id: string }) => page.id === id),
    open: async (key: string, file: string): Promise<OpenedPage> => decryptPage(key, await read(file)),
    /** Every file of the project, sorted. Without assets, and the search index, which a job writes after the answer. */
    files: async (): Promise<readonly string[]> => {
      const root = join(service.data, 'cdn', project)
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((file) => !file.startsWith('_assets/') && !/^(_search|llms-full)/.test(file))
        .sort()
    },
    settings: async () => (await call('GET', `/projects/${project}/settings`)).body.data,
  }
}
