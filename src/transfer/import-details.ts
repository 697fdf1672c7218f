import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../client/api-error.ts'
import type { UpdateProject } from '../client/api-types.ts'
import type { Client } from '../client/client.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { JsonObject } from '../domain/json.ts'
import { DEFAULT_HOSTING, type Hosting } from '../domain/project.ts'
import type { ProjectDetails } from './exported-project.ts'
import { MANIFEST_FILE } from './manifest.ts'
import { HOSTING_NAMES, readDetails } from './read-project.ts'

/** The result of importing project details. Values have their names in the API. */
export interface DetailsOutcome {
  readonly sent: readonly string[]
  readonly conflicts: readonly Diagnostic[]
  readonly failures: readonly Diagnostic[]
}

/** One value to import. */
interface DetailValue {
  readonly name: string
  /** The server has the same value. */
  readonly isSame: boolean
  /** The server has the value that every new project has. */
  readonly isDefault: boolean
  send(): Promise<unknown>
}

/** Errors that concern one value. The others are still sent. */
const ONE_VALUE_ERRORS = ['validation_error', 'conflict']

/**
 * Imports hosting and the fields of the legacy API, one value at a time. Does not import Data Mode, because its key
 * is not exported, nor the status, because an archived project refuses further changes.
 */
export async function importDetails(
  details: ProjectDetails,
  { api, project, overwrite, dryRun }: { api: Client; project: string; overwrite: boolean; dryRun: boolean },
): Promise<DetailsOutcome> {
  const { details: current } = await readDetails(api, project)
  const due = [...hostingValues(), ...legacyValues()].filter(({ isSame }) => !isSame)
  const sent: string[] = []
  const conflicts: Diagnostic[] = []
  const failures: Diagnostic[] = []
  for (const { name, isDefault, send } of due) {
    if (!isDefault && !overwrite) {
      const message = `\`${name}\` has another value on the server. Replace it with --force.`
      conflicts.push(diagnostic('QN-CONFLICT', MANIFEST_FILE, message))
      continue
    }
    const refusal = dryRun ? null : await refusalOf(send)
    if (refusal === null) sent.push(name)
    else failures.push(diagnostic('QN-REFUSED', MANIFEST_FILE, withName(refusal, name)))
  }
  return { sent, conflicts, failures }

  function hostingValues(): readonly DetailValue[] {
    const { mode, slugs } = details.hosting
    const usesDataMode = [mode, current.hosting.mode].includes('data_mode')
    const isLeftOut: Readonly<Partial<Record<keyof Hosting, boolean>>> = {
      mode: usesDataMode,
      // A project that import created has wide addresses already.
      slugs: slugs !== 'wide',
    }
    return Object.entries(HOSTING_NAMES).flatMap(([name, apiName]) => {
      const key = name as keyof Hosting
      if (isLeftOut[key] === true) return []
      const hosting: NonNullable<UpdateProject['hosting']> = { [apiName]: details.hosting[key] }
      return {
        name: `hosting.${apiName}`,
        isSame: details.hosting[key] === current.hosting[key],
        isDefault: current.hosting[key] === DEFAULT_HOSTING[key],
        send: () => api.projects.update(project, { hosting }),
      }
    })
  }

  function legacyValues(): readonly DetailValue[] {
    const path = { id: project }
    const context: DetailValue = {
      name: 'context',
      isSame: details.context === current.context,
      isDefault: current.context === '',
      send: () => api.request('PUT /v1/projects/{id}', { path, body: { context: details.context } }),
    }
    const settings = Object.entries(details.legacySettings).map(
      ([key, value]): DetailValue => ({
        name: `settings.${key}`,
        isSame: isDeepStrictEqual(value, own(current.legacySettings, key)),
        isDefault: own(current.legacySettings, key) === undefined,
        send: () => api.request('PUT /v1/projects/{id}', { path, body: { settings: { [key]: value } } }),
      }),
    )
    return [context, ...settings]
  }
}

/** Puts the name of the value first. The server does so for fields that it knows. */
function withName(refusal: string, name: string): string {
  return refusal.startsWith(`${name}: `) ? refusal : `${name}: ${refusal}`
}

function own(object: JsonObject, key: string) {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The message of a rejection. Null when the server accepted the value. */
async function refusalOf(send: () => Promise<unknown>): Promise<string | null> {
  try {
    await send()
    return null
  } catch (error) {
    if (error instanceof ApiError && ONE_VALUE_ERRORS.includes(error.name)) return error.message
    throw error
  }
}
