import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { DomainRules } from '../../custom-domains/domain-name.ts'
import type { ProjectFields } from '../../db/repositories/projects.ts'
import type { SettingsFields } from '../../db/repositories/settings.ts'
import type { ParseIssue } from '../../domain/diagnostic.ts'
import type { InvalidField } from '../../domain/invalid-field.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { isJsonObject } from '../../domain/json.ts'
import { DEFAULT_HOSTING } from '../../domain/project.ts'
import { isReservedSubdomain } from '../../domain/reserved-subdomains.ts'
import { SLUG_ALPHABETS, type SlugAlphabet } from '../../domain/slug.ts'
import { fieldsToSettings, settingsShape } from '../../fields/settings-record.ts'
import { projectName, timestamp } from '../../fields/values.ts'
import { cssIssueText } from '../../page-text/custom-css.ts'
import type { NewProject, ProjectChange, ProjectWithSettings } from '../../services/projects/projects.ts'
import { domainErrors, domainName, storedDomain } from '../domain-name.ts'
import { parseBody } from '../parse.ts'
import { presentProject } from '../present-project.ts'
import { paging, themeName } from '../query-fields.ts'
import { wideRouteErrors } from '../wide-routes.ts'
import { folderIdentity, settingsSource, sourceFile, withoutEchoedSource } from './source-schemas.ts'

/** The settings as the settings resource names them. */
export function settingsSchema(themes: readonly string[]) {
  return z.strictObject({ ...settingsShape('api', { theme: themeName(themes) }), source: sourceFile })
}

/** The settings object inside a project. */
function embeddedSettingsSchema(themes: readonly string[]) {
  return z.strictObject(settingsShape('project', { theme: themeName(themes) }))
}

/** Ignored, so that clients can send the hosting back as they read it. */
const readOnly = z.unknown().optional().meta({ readOnly: true })

const slugs = z.enum(SLUG_ALPHABETS).meta({
  description:
    'The characters of addresses: `standard` for ASCII letters, digits and hyphens, `wide` for letters and digits of any script, `_` and `.` as well. `wide` cannot be left while a page needs it.',
})

const hosting = z.strictObject({
  /** `data_mode` is accepted only when unchanged; see `modeErrors`. */
  mode: z.enum(['full_host', 'rewrite', 'data_mode']).optional(),
  subdomain: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/, 'must be 3 to 50 lower-case letters, digits and hyphens.')
    .nullable()
    .optional(),
  custom_domain: domainName.nullable().optional(),
  ssl_enabled: z.boolean().optional(),
  cdn_enabled: z.boolean().optional(),
  base_path: z
    .string()
    .regex(
      /^\/([a-z0-9-]+(\/[a-z0-9-]+){0,7})?$/,
      'must be "/" or a path such as /help, without a slash at its end.',
    )
    .optional(),
  manifest: z.enum(['full', 'minimal']).optional(),
  slugs: slugs.optional(),
  domain_status: readOnly,
  domain_challenge: readOnly,
})

export function projectSchema(themes: readonly string[]) {
  return z.strictObject({
    name: projectName.optional(),
    domain: domainName.nullable().optional(),
    status: z.enum(['active', 'archived'], 'must be active or archived.').optional(),
    settings: embeddedSettingsSchema(themes).optional(),
    hosting: hosting.optional(),
  })
}

export const CreateProject = z.strictObject({
  name: projectName,
  hosting: z.strictObject({ slugs: slugs.optional() }).optional(),
})

export const ListProjects = z.object({
  ...paging,
  status: z.enum(['active', 'archived', 'all']).default('all'),
  domain: z
    .string()
    .max(253)
    .transform((given) => String(storedDomain(given)))
    .optional(),
  folder: folderIdentity.optional().meta({
    description: 'Only projects that this content folder was pushed to.',
  }),
  created_after: timestamp.optional(),
  created_before: timestamp.optional(),
  sort: z.enum(['created_at', 'updated_at', 'name']).default('created_at'),
})

export const GetProject = z.object({
  include: z
    .string()
    .regex(
      /^(pages|settings|stats)(,(pages|settings|stats))*$/,
      'must be pages, settings or stats, or several of them joined by commas.',
    )
    .meta({
      description: '`pages`, `stats` or both, joined by a comma. `settings` are always included.',
      examples: ['pages,stats'],
    })
    .transform((given) => given.split(','))
    .optional(),
})

export const READ_ONLY = [
  'id',
  'slug',
  'hosting_mode',
  'page_count',
  'created_at',
  'updated_at',
  'pages',
  'stats',
]
export const SETTINGS_READ_ONLY = ['project_id', 'custom_domain', 'data_mode', 'hosting_mode']

/**
 * Reads bodies about projects and settings. Created once, because the schemas depend on the installed themes.
 *
 * @param sitesDomain the domain whose subdomains are sites; null when none is configured.
 */
export type ProjectReader = ReturnType<typeof createProjectReader>

export function createProjectReader(
  themes: readonly string[],
  rules: DomainRules,
  sitesDomain: string | null,
) {
  const Project = projectSchema(themes)
  const Settings = settingsSchema(themes)

  return {
    /** @throws {ServiceError} that names every invalid field. */
    readNew(body: JsonObject): NewProject {
      const { name, hosting = {} } = parseBody(CreateProject, body, { readOnly: READ_ONLY })
      return { name, slugs: hosting.slugs ?? DEFAULT_HOSTING.slugs }
    },

    /** True when the body has a status, and all its other fields are read-only or unchanged. */
    changesOnlyStatus(body: JsonObject, current: ProjectWithSettings): boolean {
      const { status, ...others } = body
      const writable = Object.entries(others).filter(([name]) => !READ_ONLY.includes(name))
      return (
        status !== undefined && isEcho(withoutProof(Object.fromEntries(writable)), presentProject(current))
      )
    },

    /**
     * @param styleFaults errors in the CSS that `writtenCss` found.
     * @throws {ServiceError} that names every invalid field.
     */
    readUpdate(
      body: JsonObject,
      current: ProjectWithSettings,
      styleFaults: readonly ParseIssue[],
    ): ProjectChange {
      const given = parseBody(Project, body, {
        readOnly: READ_ONLY,
        also: () => [
          ...spellingErrors(body, current, rules),
          ...subdomainErrors(body, current, rules, sitesDomain),
          ...modeErrors(body, current),
          ...styleFaults.map((fault) => ({ path: 'settings.custom_css', message: cssIssueText(fault) })),
        ],
      })
      return {
        fields: toProjectFields(given, current),
        settings: fieldsToSettings('project', given.settings ?? {}),
      }
    },

    /**
     * @param styleFaults errors in the CSS that `writtenCss` found.
     * @throws {ServiceError} that names every invalid field.
     */
    readSettings(
      body: JsonObject,
      styleFaults: readonly ParseIssue[],
      alphabet: SlugAlphabet,
    ): SettingsFields {
      const given = parseBody(Settings, withoutEchoedSource(body), {
        readOnly: SETTINGS_READ_ONLY,
        also: () => [
          ...styleFaults.map((fault) => ({ path: 'custom_css', message: cssIssueText(fault) })),
          ...wideRouteErrors('site_routes', body['site_routes'], alphabet),
        ],
      })
      return fieldsToSettings('api', given)
    },

    /** The file that a valid body comes from; null for none. */
    settingsSource: (body: JsonObject) => settingsSource(body, SETTINGS_READ_ONLY),

    /** The writable settings in a body, in documented order. */
    suppliedSettings(body: JsonObject): readonly string[] {
      return Object.keys(Settings.shape).filter((field) => field !== 'source' && body[field] !== undefined)
    },
  }
}

/** The custom CSS in a body about a project, not validated yet. */
export function writtenCss(body: JsonObject): JsonValue | undefined {
  return isJsonObject(body['settings']) ? body['settings']['custom_css'] : undefined
}

/** The state of a domain changes without an edit, so it is no sign of one. */
function withoutProof(body: JsonObject): JsonObject {
  if (!isJsonObject(body['hosting'])) return body
  const { domain_status: _, domain_challenge: __, ...writable } = body['hosting']
  return { ...body, hosting: writable }
}

/** True when every value, also inside objects, equals the current one. */
function isEcho(value: JsonValue | undefined, shown: unknown): boolean {
  if (!isJsonObject(value) || !isJsonObject(shown)) return isDeepStrictEqual(value, shown)
  return Object.entries(value).every(([name, inner]) => isEcho(inner, shown[name]))
}

function toProjectFields(
  given: z.output<ReturnType<typeof projectSchema>>,
  current: ProjectWithSettings,
): ProjectFields {
  const { customDomain } = current.project.hosting
  const inHosting = given.hosting?.custom_domain
  const wanted = inHosting === undefined || inHosting === customDomain ? given.domain : inHosting
  return {
    name: given.name,
    status: given.status,
    hosting: {
      mode: given.hosting?.mode,
      subdomain: given.hosting?.subdomain,
      customDomain: wanted,
      sslEnabled: given.hosting?.ssl_enabled,
      cdnEnabled: given.hosting?.cdn_enabled,
      basePath: given.hosting?.base_path,
      manifest: given.hosting?.manifest,
      slugs: given.hosting?.slugs,
    },
  }
}

/** `domain` and `hosting.custom_domain` are the same field. */
function spellingErrors(
  body: JsonObject,
  { project }: ProjectWithSettings,
  rules: DomainRules,
): readonly InvalidField[] {
  const stored = project.hosting.customDomain
  const inHosting = isJsonObject(body['hosting']) ? body['hosting']['custom_domain'] : undefined
  const spellings: readonly [string, JsonValue | undefined][] = [
    ['domain', storedDomain(body['domain'])],
    ['hosting.custom_domain', storedDomain(inHosting)],
  ]
  const changed = spellings.filter(([, value]) => value !== undefined && value !== stored)
  const [[, first] = [], [, second] = []] = changed
  const clash = changed.length === 2 && first !== second
  return [
    ...(clash
      ? [
          {
            path: 'hosting.custom_domain',
            message: 'is the same field as domain, but has another value.',
            code: 'contradictory' as const,
          },
        ]
      : []),
    ...changed.flatMap(([path, value]) => domainErrors(path, value, stored, rules)),
  ]
}

/** A host of the service can be a subdomain of the sites domain, and cannot be a site then. Nor can a reserved name. */
function subdomainErrors(
  body: JsonObject,
  { project }: ProjectWithSettings,
  { ownHosts, needsProof }: DomainRules,
  sitesDomain: string | null,
): readonly InvalidField[] {
  const subdomain = isJsonObject(body['hosting']) ? body['hosting']['subdomain'] : undefined
  if (typeof subdomain !== 'string' || subdomain === project.hosting.subdomain) return []
  if (needsProof && isReservedSubdomain(subdomain))
    return [{ path: 'hosting.subdomain', message: 'is reserved and cannot be taken.', code: 'taken' }]
  const isOwn = sitesDomain !== null && ownHosts.includes(`${subdomain}.${sitesDomain}`)
  return isOwn
    ? [
        {
          path: 'hosting.subdomain',
          message: 'is a host of this service and cannot be taken.',
          code: 'taken',
        },
      ]
    : []
}

function modeErrors(body: JsonObject, { project }: ProjectWithSettings): readonly InvalidField[] {
  const mode = isJsonObject(body['hosting']) ? body['hosting']['mode'] : undefined
  const touchesDataMode = mode === 'data_mode' || project.hosting.mode === 'data_mode'
  if (mode === undefined || mode === project.hosting.mode || !touchesDataMode) return []
  return [
    {
      path: 'hosting.mode',
      message: 'cannot enter or leave data_mode; use POST /projects/:id/data-mode/enable or .../disable.',
      code: 'cannot_change',
    },
  ]
}
