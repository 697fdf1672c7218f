import { CHALLENGE_PATH, challengeRecord, challengeToken } from '../../domain/domain-proof.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { type Project, siteOrigin } from '../../domain/project.ts'
import { createProjectReader } from '../../http/bodies/project-schemas.ts'
import {
  baseOf,
  type Changes,
  type Control,
  changesOf,
  mergedControls,
  plainControl,
} from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const ADDRESS = '/projects/:project/address'

/** Where a site is: subdomain, domain with its proof, and hosting. */
export function addressViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, domains, themes, domainRules, addresses, dashboard } = ports
  const { words } = frame
  const reader = createProjectReader(themes, domainRules, addresses.sitesDomain)

  router.get(ADDRESS, (ctx) => showAddress(ctx, { error: null }))

  router.post(ADDRESS, async (ctx) => {
    const { caller, form } = ctx.state
    let changes: Changes = { mine: [], contested: [] }
    await attempt(
      async () => {
        const { project } = await projects.update(caller, projectRef(ctx), {
          changesOnlyStatus: () => false,
          read(current) {
            changes = changesOf(controlsOf(current.project), form, form.get('base'))
            if (changes.contested.length > 0)
              throw new ServiceError('precondition_failed', words.settings.changed)
            return reader.readUpdate(bodyOf(changes.mine), current, [])
          },
        })
        frame.goTo(ctx, projectPath(project, '/address'), 'addressSaved')
      },
      (error) => showAddress(ctx, { error, changes }),
    )
  })

  router.post(`${ADDRESS}/check`, (ctx) =>
    attempt(
      async () => {
        const { project } = await domains.requestCheck(ctx.state.caller, projectRef(ctx), () => {})
        frame.goTo(ctx, projectPath(project, '/address'), 'domainChecked')
      },
      (error) => showAddress(ctx, { error }),
    ),
  )

  async function showAddress(
    ctx: DashboardContext,
    { error, changes }: { readonly error: ServiceError | null; readonly changes?: Changes },
  ): Promise<void> {
    const { project, domainProof } = await projects.get(ctx.state.caller, projectRef(ctx))
    const stored = controlsOf(project)
    const controls = withFaults(mergedControls(stored, changes?.mine ?? []), error ?? { fields: [] }, words)
    const contested = changes?.contested ?? []
    const domain = project.hosting.customDomain
    frame.show(ctx, 'address', {
      title: words.areas.address,
      ...settingsFrame(project, 'address', words, ctx.state.standing ?? null),
      problem: error && problemOf(error, words, controls),
      path: projectPath(project, '/address'),
      site: `${siteOrigin(project, addresses)}/`,
      base: baseOf(stored),
      controls,
      contested: new Map(
        contested.map(({ name }) => [name, stored.find((control) => control.name === name)]),
      ),
      mode: project.hosting.mode,
      domain,
      proof: domainProof,
      challenge:
        domain === null || domainProof === null
          ? null
          : {
              record: challengeRecord(domain),
              token: challengeToken(project.id),
              file: `http://${domain}${CHALLENGE_PATH}`,
              target: new URL(dashboard.baseUrl).hostname,
            },
    })
  }

  function controlsOf({ hosting }: Project): readonly Control[] {
    const line = (name: keyof typeof words.address.fields, value: string, more = {}) =>
      plainControl({ name: `hosting.${name}`, ...words.address.fields[name], value, ...more })
    return [
      ...(addresses.sitesDomain === null
        ? []
        : [
            line('subdomain', hosting.subdomain ?? '', {
              hint: words.address.subdomainHint(addresses.sitesDomain),
              maxLength: 50,
            }),
          ]),
      line('custom_domain', hosting.customDomain ?? '', { maxLength: 253 }),
      ...(hosting.mode === 'data_mode'
        ? [
            line('manifest', hosting.manifest, {
              kind: 'choice',
              options: ['full', 'minimal'].map((value) => ({
                value,
                label: words.address.manifests[value] ?? value,
              })),
            }),
          ]
        : [
            line('mode', hosting.mode, {
              kind: 'choice',
              options: ['full_host', 'rewrite'].map((value) => ({
                value,
                label: words.overview.modes[value] ?? value,
              })),
            }),
          ]),
      line('base_path', hosting.basePath, { maxLength: 400 }),
      line('slugs', hosting.slugs, {
        kind: 'choice',
        options: ['standard', 'wide'].map((value) => ({
          value,
          label: words.address.alphabets[value] ?? value,
        })),
      }),
    ]
  }
}

/** The controls as the body of a project in the words of the API. */
function bodyOf(controls: readonly Control[]): JsonObject {
  const hosting: Record<string, JsonValue> = {}
  for (const { name, value } of controls) {
    const field = name.slice('hosting.'.length)
    const given = value.trim()
    if (field === 'subdomain' || field === 'custom_domain')
      hosting[field] = given === '' ? null : given.toLowerCase()
    else hosting[field] = given
  }
  return { hosting }
}
