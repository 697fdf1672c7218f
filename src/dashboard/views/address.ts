import { CHALLENGE_PATH, challengeRecord, challengeToken } from '../../domain/domain-proof.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { type Project, siteOrigin } from '../../domain/project.ts'
import { type Control, plainControl } from '../frame/controls.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import { type Editing, formChanges, shownForm } from '../frame/stored-form.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath, settingsFrame } from './project-frame.ts'
import { projectRef } from './projects.ts'

const ADDRESS = '/projects/:project/address'

/** The address of a site: subdomain, domain with its proof, and hosting. */
export function addressViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, domains, projectReader, addresses, dashboard } = ports
  const { words } = frame

  router.get(ADDRESS, (ctx) => showAddress(ctx, { error: null }))

  router.post(ADDRESS, async (ctx) => {
    const { caller, form } = ctx.state
    const changes = formChanges(form, words.settings.changed)
    await attempt(
      async () => {
        const { project } = await projects.update(caller, projectRef(ctx), {
          changesOnlyStatus: () => false,
          read(current) {
            return projectReader.readUpdate(bodyOf(changes.read(controlsOf(current.project))), current, [])
          },
        })
        frame.goTo(ctx, projectPath(project, '/address'), 'addressSaved')
      },
      (error) => showAddress(ctx, { error, changes: changes.last() }),
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

  async function showAddress(ctx: DashboardContext, editing: Editing): Promise<void> {
    const { error } = editing
    const { project, domainProof } = await projects.get(ctx.state.caller, projectRef(ctx))
    const form = shownForm(controlsOf(project), editing, words)
    const domain = project.hosting.customDomain
    frame.show(ctx, 'address', {
      title: words.areas.address,
      ...settingsFrame(project, 'address', words, ctx.state.standing ?? null),
      problem: error && problemOf(error, words, form.controls),
      path: projectPath(project, '/address'),
      site: `${siteOrigin(project, addresses)}/`,
      ...form,
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
