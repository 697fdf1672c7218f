import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../client/api-error.ts'
import type { UpdateProject } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import type { JsonObject } from '../domain/json.ts'
import { DEFAULT_HOSTING, type Hosting } from '../domain/project.ts'
import type { PushTrouble } from '../push/push-diagnostic.ts'
import type { ProjectDetails } from './exported-project.ts'
import { MANIFEST_FILE } from './manifest.ts'
import { readDetails } from './read-project.ts'

/** What became of what a project has besides settings and pages, by the names the API has for it. */
export interface DetailsOutcome {
  readonly sent: readonly string[]
  readonly conflicts: readonly PushTrouble[]
  readonly failures: readonly PushTrouble[]
}

/** One value to be brought over. */
interface DetailValue {
  readonly name: string
  readonly isSame: boolean
  /** Whether nobody has given it another value than the one every project begins with. */
  readonly isDefault: boolean
  send(): Promise<unknown>
}

/** Answers that are about one value, and leave the others to be sent. */
const ONE_VALUE_ERRORS = ['validation_error', 'conflict']

/**
 * Bring hosting and what the legacy surface keeps over, one value after the other. Neither Data Mode,
 * whose key does not come along, nor the status, which would refuse what is still to be sent.
 */
export async function importDetails(
  details: ProjectDetails,
  { api, project, overwrite, dryRun }: { api: Client; project: string; overwrite: boolean; dryRun: boolean },
): Promise<DetailsOutcome> {
  const { details: shown } = await readDetails(api, project)
  const due = [...hostingParts(), ...legacyParts()].filter(({ isSame }) => !isSame)
  const sent: string[] = []
  const conflicts: PushTrouble[] = []
  const failures: PushTrouble[] = []
  for (const { name, isDefault, send } of due) {
    const trouble =
      isDefault || overwrite ? null : `${name} has a value on the server already. --force writes over it.`
    if (trouble !== null) conflicts.push({ file: MANIFEST_FILE, message: trouble })
    else {
      const refusal = dryRun ? null : await refusalOf(send)
      if (refusal === null) sent.push(name)
      else failures.push({ file: MANIFEST_FILE, message: named(refusal, name) })
    }
  }
  return { sent, conflicts, failures }

  function hostingParts(): readonly DetailValue[] {
    const part = (
      name: string,
      key: keyof Hosting,
      hosting: NonNullable<UpdateProject['hosting']>,
    ): DetailValue => ({
      name,
      isSame: details.hosting[key] === shown.hosting[key],
      isDefault: shown.hosting[key] === DEFAULT_HOSTING[key],
      send: () => api.request('PUT /projects/{id}', { path: { id: project }, body: { hosting } }),
    })
    const { mode, subdomain, customDomain, sslEnabled, cdnEnabled, basePath, manifest } = details.hosting
    const usesDataMode = [mode, shown.hosting.mode].includes('data_mode')
    return [
      ...(usesDataMode ? [] : [part('hosting.mode', 'mode', { mode })]),
      part('hosting.subdomain', 'subdomain', { subdomain }),
      part('hosting.custom_domain', 'customDomain', { custom_domain: customDomain }),
      part('hosting.ssl_enabled', 'sslEnabled', { ssl_enabled: sslEnabled }),
      part('hosting.cdn_enabled', 'cdnEnabled', { cdn_enabled: cdnEnabled }),
      part('hosting.base_path', 'basePath', { base_path: basePath }),
      part('hosting.manifest', 'manifest', { manifest }),
    ]
  }

  function legacyParts(): readonly DetailValue[] {
    const path = { id: project }
    const context: DetailValue = {
      name: 'context',
      isSame: details.context === shown.context,
      isDefault: shown.context === '',
      send: () => api.request('PUT /v1/projects/{id}', { path, body: { context: details.context } }),
    }
    const settings = Object.entries(details.legacySettings).map(
      ([key, value]): DetailValue => ({
        name: `settings.${key}`,
        isSame: isDeepStrictEqual(value, own(shown.legacySettings, key)),
        isDefault: own(shown.legacySettings, key) === undefined,
        send: () => api.request('PUT /v1/projects/{id}', { path, body: { settings: { [key]: value } } }),
      }),
    )
    return [context, ...settings]
  }
}

/** The server names a field itself that it refuses. */
function named(refusal: string, name: string): string {
  return refusal.startsWith(`${name}: `) ? refusal : `${name}: ${refusal}`
}

function own(object: JsonObject, key: string) {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Null when it was taken. */
async function refusalOf(send: () => Promise<unknown>): Promise<string | null> {
  try {
    await send()
    return null
  } catch (error) {
    if (error instanceof ApiError && ONE_VALUE_ERRORS.includes(error.name)) return error.message
    throw error
  }
}
