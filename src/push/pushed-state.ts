import type { Client } from '../client/client.ts'
import type { ItemOf } from '../client/routes.ts'
import type { FieldDigests } from '../domain/source.ts'
import { NOT_CREATED } from './project.ts'

/** A record as the server lists it. */
export type PushedRecord = ItemOf<'GET /projects/{id}/sources/{folder}'>

/** A page of a folder as its last push sent it, and as it is on the server. */
export interface PushedPage extends FieldDigests {
  readonly id: string
  /** True when a push created the page. Only then may a push remove it. */
  readonly created: boolean
  readonly type: string
  readonly url: string
  /** The digest of the stored page. Another one than `digest`: the page was edited on the server. */
  readonly current: string
  /** The version of the stored page, which a change is based on. */
  readonly version: number
}

/** A file of a folder as its last push sent it, and as it is on the server. */
export interface PushedAsset {
  readonly id: string
  /** True when a push uploaded it first. */
  readonly created: boolean
  readonly digest: string
  readonly current: string
}

/** The last pushes of a folder to a project. By file, relative to the folder. */
export interface PushedState {
  readonly pages: ReadonlyMap<string, PushedPage>
  readonly assets: ReadonlyMap<string, PushedAsset>
  /** Digests by the API's name of the setting. */
  readonly settings: FieldDigests['fields']
}

export const NOTHING_PUSHED: PushedState = { pages: new Map(), assets: new Map(), settings: {} }

/** Records per request. */
const PER_REQUEST = 1_000

/** Reads the records of a folder from the server, one request for 1,000 files. */
export async function readPushedRecords(
  api: Client,
  project: string,
  folder: string,
): Promise<readonly PushedRecord[]> {
  if (project === NOT_CREATED) return []
  const records: PushedRecord[] = []
  for await (const record of api.projects.sources(project, folder, { limit: PER_REQUEST }))
    records.push(record)
  return records
}

export function toPushedState(records: readonly PushedRecord[]): PushedState {
  const ofKind = (kind: PushedRecord['record']) => records.filter(({ record }) => record === kind)
  return {
    pages: new Map(
      ofKind('page').map(({ path, id, created, digest, fields, current, version, type, url }) => [
        path,
        {
          id,
          created,
          digest: digest ?? '',
          fields,
          current: current ?? '',
          version: version ?? 0,
          type: type ?? '',
          url: url ?? '',
        },
      ]),
    ),
    assets: new Map(
      ofKind('asset').map(({ path, id, created, digest, current }) => [
        path,
        { id, created, digest: digest ?? '', current: current ?? '' },
      ]),
    ),
    settings: ofKind('settings')[0]?.fields ?? {},
  }
}
