import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../client/client.ts'
import { ServiceError } from '../domain/errors.ts'
import { isJsonObject } from '../domain/json.ts'
import { mediaAlias } from '../domain/media-name.ts'
import { settingsDigests } from '../fields/settings-digests.ts'
import { SETTINGS_FIELDS } from '../fields/settings-fields.ts'
import { SETTING_KEYS, settingFileName } from '../fields/settings-record.ts'
import { hasCode } from '../platform/fs-errors.ts'
import { listPages } from './list-pages.ts'
import type { NamedFile } from './media-names.ts'
import { listAssets } from './push-assets.ts'
import { readSettings } from './push-settings.ts'
import type { PushedAsset, PushedPage, PushedState } from './pushed-state.ts'

/*
 * The file in which earlier versions stored the pushed state of a folder, before the server did. It is read where the
 * server knows nothing of the folder, and no longer written.
 */

/** The state of a folder and one project in the file. */
export interface FormerState {
  /** By the name of the setting in `site.yaml`. */
  readonly settings: Readonly<Record<string, { readonly shown: string }>>
  /** By the file of the page. */
  readonly pages: Readonly<Record<string, FormerPage>>
  /** Digests by the name of the asset. Files of the first versions have none. */
  readonly assets?: Readonly<Record<string, string>>
}

interface FormerPage {
  readonly id: string
  readonly updatedAt: string
  readonly etag: string
  /** True when a push created the page. */
  readonly made: boolean
}

const FILE = '.quoin/push.json'
const FORMAT = 1

/** The states of a folder by the id of the project. @throws {ServiceError} `validation_error` when the file cannot be read. */
export async function readFormerStates(
  folder: string,
  server: string,
): Promise<ReadonlyMap<string, FormerState>> {
  const prefix = `${server} `
  const targets = Object.entries(await readTargets(join(folder, FILE)))
  return new Map(
    targets
      .filter(([target]) => target.startsWith(prefix))
      .map(([target, state]) => [target.slice(prefix.length), state]),
  )
}

/** The former state of a folder as the server would know it. Digests that it cannot know differ from all others. */
export async function fromFormerState(
  { settings, pages, assets = {} }: FormerState,
  files: readonly NamedFile[],
  { api, project }: { readonly api: Client; readonly project: string },
): Promise<PushedState> {
  const listed = new Map((await listPages(api, project)).map((item) => [item.id, item]))
  const stored = Object.keys(assets).length === 0 ? new Map() : await listAssets(api, project)
  const sources = new Map(files.map(({ source, name }) => [name, source]))
  const current = await readSettings(api, project)
  const digests = settingsDigests(current).fields
  return {
    pages: new Map(
      Object.entries(pages).flatMap(([file, { id, updatedAt, etag, made }]) => {
        const item = listed.get(id)
        if (item === undefined) return []
        const isEdited = item.updated_at !== updatedAt
        const page: PushedPage = {
          id,
          created: made,
          digest: UNKNOWN,
          fields: {},
          current: isEdited ? EDITED : UNKNOWN,
          etag,
          type: item.type,
          url: item.url,
        }
        return [[file, page] as const]
      }),
    ),
    assets: new Map(
      Object.entries(assets).flatMap(([name, digest]) => {
        const asset = stored.get(name)
        if (asset === undefined) return []
        const pushed: PushedAsset = { id: asset.id, created: true, digest, current: asset.digest }
        return [[sources.get(name) ?? mediaAlias(name), pushed] as const]
      }),
    ),
    settings: Object.fromEntries(
      SETTING_KEYS.flatMap((key) => {
        const pushed = settings[settingFileName(key)]
        const { name } = SETTINGS_FIELDS[key]
        if (pushed === undefined) return []
        const isUnedited = pushed.shown === formerDigest(current[key])
        return [[name, isUnedited ? (digests[name] ?? UNKNOWN) : EDITED] as const]
      }),
    ),
  }
}

const UNKNOWN = 'unknown'
const EDITED = 'edited'

function formerDigest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** @throws {ServiceError} `validation_error` when the file cannot be read. */
async function readTargets(file: string): Promise<Readonly<Record<string, FormerState>>> {
  try {
    const json: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (isJsonObject(json) && json['format'] === FORMAT && isJsonObject(json['targets'])) {
      const targets = json['targets']
      if (Object.values(targets).every(isFormerState))
        return targets as unknown as Record<string, FormerState>
    }
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return {}
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new ServiceError(
    'validation_error',
    `${file} cannot be read: it is damaged or of another version. Remove it and push again.`,
  )
}

function isFormerState(json: unknown): json is FormerState {
  return isJsonObject(json) && isJsonObject(json['settings']) && isJsonObject(json['pages'])
}
