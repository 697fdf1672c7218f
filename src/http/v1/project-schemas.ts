import { z } from 'zod'
import type { DomainRules } from '../../custom-domains/domain-name.ts'
import type { InvalidField } from '../../domain/invalid-field.ts'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { projectName, text } from '../../fields/values.ts'
import type { ProjectChange, ProjectWithSettings } from '../../services/projects/projects.ts'
import { domainErrors, domainName } from '../domain-name.ts'
import { parseBody } from '../parse.ts'
import { slice } from '../query-fields.ts'

/** Limits, because context and settings are read with every access to the project. */
const MAX_CONTEXT = 100_000
const MAX_SETTINGS_BYTES = 64 * 1024

export const CreateProject = z.object({ name: projectName })

export const ListProjects = z.object(slice(20))

export const UpdateProject = z.object({
  name: projectName.optional(),
  context: text(MAX_CONTEXT).optional(),
  /** Unknown keys are stored without an effect. */
  settings: z
    .looseObject({ custom_domain: domainName.nullable().optional() }, 'must be an object.')
    .optional(),
})

/**
 * Reads an update of a project; its settings are merged with the stored ones, key by key.
 *
 * @throws {ServiceError} that names every invalid field.
 */
export function readUpdateProject(
  body: JsonObject,
  { project }: ProjectWithSettings,
  rules: DomainRules,
): ProjectChange {
  const { custom_domain: customDomain, ...otherKeys } = isJsonObject(body['settings']) ? body['settings'] : {}
  const legacySettings = { ...project.legacySettings, ...otherKeys }
  const given = parseBody(UpdateProject, body, {
    also: () => [
      ...domainErrors('settings.custom_domain', customDomain, project.hosting.customDomain, rules),
      ...sizeErrors(legacySettings),
    ],
  })
  return {
    fields: {
      name: given.name,
      context: given.context,
      legacySettings: given.settings && legacySettings,
      hosting: { customDomain: given.settings?.custom_domain },
    },
    settings: {},
  }
}

function sizeErrors(settings: JsonObject): readonly InvalidField[] {
  const fits = Buffer.byteLength(JSON.stringify(settings)) <= MAX_SETTINGS_BYTES
  return fits
    ? []
    : [
        {
          path: 'settings',
          message: 'must be at most 64 KiB, including the stored keys.',
          code: 'wrong_length',
        },
      ]
}
