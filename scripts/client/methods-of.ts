import type { OpenApiDocument } from '../../src/http/openapi/document.ts'

interface BodySchema {
  readonly $ref?: string
  readonly properties?: object
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly {
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
  }[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: BodySchema }>>
  }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** The method of the client for each operation with a key of the current surface; null for those without one. */
const NAMES: Readonly<Record<string, string | null>> = {
  listProjects: 'projects.list',
  createProject: 'projects.create',
  getProject: 'projects.get',
  updateProject: 'projects.update',
  deleteProject: 'projects.delete',
  verifyDomain: 'projects.verifyDomain',
  publishPages: 'projects.publish',
  listSchedule: 'projects.schedule',
  listJobs: 'jobs.list',
  getJob: 'jobs.get',
  cancelJob: 'jobs.cancel',
  listPages: 'pages.list',
  createPage: 'pages.create',
  getPage: 'pages.get',
  updatePage: 'pages.update',
  deletePage: 'pages.delete',
  publishPage: 'pages.publish',
  unpublishPage: 'pages.unpublish',
  listReleases: 'pages.releases',
  rollBackPage: 'pages.rollBack',
  createPreview: 'pages.createPreview',
  previewPage: 'pages.preview',
  listAssets: 'assets.list',
  findMissingAssets: 'assets.missing',
  getAsset: 'assets.get',
  updateAsset: 'assets.update',
  deleteAsset: 'assets.delete',
  getAssetUsage: 'assets.usage',
  // Their body is a file: `client/upload.ts` sends it.
  uploadAsset: null,
  replaceAssetContent: null,
  // Its answer is a file: `client/download.ts` opens it.
  getAssetContent: null,
  getSettings: 'settings.get',
  updateSettings: 'settings.update',
  getDataMode: 'dataMode.get',
  enableDataMode: 'dataMode.enable',
  disableDataMode: 'dataMode.disable',
  regenerateDataModeKey: 'dataMode.regenerateKey',
  listKeys: 'keys.list',
  createKey: 'keys.create',
  getKey: 'keys.get',
  updateKey: 'keys.update',
  deleteKey: 'keys.delete',
  rotateKey: 'keys.rotate',
  listRedirects: 'redirects.list',
  createRedirect: 'redirects.create',
  putRedirects: 'redirects.putAll',
  updateRedirect: 'redirects.update',
  deleteRedirect: 'redirects.delete',
  deletePageRedirect: 'redirects.deleteOfPage',
  getVisits: 'visits.get',
  listSources: 'projects.sources',
  listPushes: 'projects.pushes',
  startPush: 'projects.startPush',
  reportPush: 'projects.reportPush',
  listMembers: 'members.list',
  inviteMember: 'members.invite',
  getMember: 'members.get',
  renewInvitation: 'members.renewInvitation',
  updateMember: 'members.update',
  removeMember: 'members.delete',
  listWebhooks: 'webhooks.list',
  createWebhook: 'webhooks.create',
  getWebhook: 'webhooks.get',
  updateWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  testWebhook: 'webhooks.test',
  listDeliveries: 'webhooks.deliveries',
  getDelivery: 'webhooks.delivery',
  redeliver: 'webhooks.redeliver',
  getMe: 'users.me',
  getUsage: 'users.usage',
  listOffers: 'users.offers',
  acceptOffer: 'users.acceptOffer',
  declineOffer: 'users.declineOffer',
  offerProject: 'projects.offer',
  withdrawOffer: 'projects.withdrawOffer',
  listAudit: 'users.audit',
  listProjectAudit: 'projects.audit',
  // Other spellings of operations above, for clients of the legacy surface.
  publishPageNamedByBody: null,
  unpublishPageNamedByBody: null,
  changeDataMode: null,
  // A file that the preview of a page names.
  previewAsset: null,
}

/** Parts of paths whose `{id}` is that of a record. */
const OWNERS: Readonly<Record<string, string>> = {
  projects: 'project',
  pages: 'page',
  render: 'page',
  jobs: 'job',
  assets: 'asset',
  keys: 'key',
}

interface Method {
  readonly group: string
  readonly name: string
  readonly signature: string
  readonly entry: string
}

const HEAD = `// Generated from the API's description by scripts/client.mjs. Do not edit.

import type { RequestOptions } from './request.ts'
import type { BodyOf, DataOf, ItemOf, QueryOf } from './routes.ts'

`

/** The typed methods of the client and the table they are made from, as the text of a module. */
export function methodsOf(document: OpenApiDocument): string {
  const { paths } = JSON.parse(JSON.stringify(document))
  const methods = Object.entries<Record<string, Operation>>(paths).flatMap(([path, byVerb]) =>
    Object.entries(byVerb).flatMap(([verb, operation]) => methodOf(verb.toUpperCase(), path, operation)),
  )
  const groups = [...new Set(methods.map(({ group }) => group))]
  const within = (group: string) => methods.filter((method) => method.group === group)
  const types = groups.map(
    (group) =>
      `export interface ${typeName(group)} {\n${within(group)
        .map(({ signature }) => signature)
        .join('\n')}\n}\n`,
  )
  const table = groups.map(
    (group) =>
      `  ${group}: {\n${within(group)
        .map(({ name, entry }) => `    ${name}: ${entry},\n`)
        .join('')}  },\n`,
  )
  return `${HEAD}${types.join('\n')}\n/** Where each method sends its input, and what it returns of the answer. */\nexport const METHODS = {\n${table.join('')}} as const\n`
}

/** @throws for an operation without a decision about its method. */
function methodOf(verb: string, path: string, operation: Operation): readonly Method[] {
  const { operationId, summary, parameters, requestBody, responses } = operation
  const isOpen = !parameters.some((parameter) => '$ref' in parameter)
  if (isOpen || path.startsWith('/v1/')) return []
  const named = NAMES[operationId]
  if (named === undefined) throw new Error(`Name the client's method for ${operationId} in NAMES.`)
  if (named === null) return []

  const [group = '', name = ''] = named.split('.')
  const route = `${verb} ${path}`
  const ids = [...path.matchAll(/(\w+)\/\{(\w+)\}/g)].map(([, of = '', id = '']) =>
    id === 'id' ? `${OWNERS[of] ?? of}_id` : id,
  )
  const queries = parameters.filter((parameter) => parameter.in === 'query')
  // An operation without fields takes an empty body, which says nothing.
  const hasBody =
    requestBody !== undefined && hasFields(requestBody.content['application/json']?.schema ?? {})
  const input = hasBody ? 'body' : queries.length > 0 ? 'query' : null
  const isRequired = hasBody ? requestBody.required : queries.some(({ required }) => required)
  const inputType = hasBody ? `BodyOf<'${route}'>` : `QueryOf<'${route}'>`
  const options =
    hasBody && queries.length > 0
      ? `RequestOptions & { readonly query?: QueryOf<'${route}'> }`
      : 'RequestOptions'
  const takes = [
    ...ids.map((id) => `${camelCase(id)}: string`),
    ...(input === null ? [] : [`${input}${isRequired ? '' : '?'}: ${inputType}`]),
    `options?: ${options}`,
  ]
  const kind = kindOf(responses)
  return [
    {
      group,
      name,
      signature: `  /** ${summary}. */\n  ${name}(${takes.join(', ')}): ${RETURNS[kind](route)}`,
      entry: `{ route: '${route}', input: ${input === null ? 'null' : `'${input}'`}, returns: '${kind}' }`,
    },
  ]
}

const RETURNS = {
  data: (route: string) => `Promise<DataOf<'${route}'>>`,
  items: (route: string) => `AsyncGenerator<ItemOf<'${route}'>, void>`,
  text: () => 'Promise<string>',
} as const

function kindOf(responses: Operation['responses']): keyof typeof RETURNS {
  const content = Object.entries(responses).flatMap(([status, answer]) =>
    status.startsWith('2') ? Object.entries(answer.content ?? {}) : [],
  )
  const json = content.find(([type]) => type === 'application/json')
  if (json === undefined) return 'text'
  return isList(json[1]) ? 'items' : 'data'
}

function hasFields({ $ref, properties = {} }: BodySchema): boolean {
  return $ref !== undefined || Object.keys(properties).length > 0
}

function isList(content: unknown): boolean {
  const { schema } = content as {
    readonly schema: { readonly properties?: Record<string, { type?: string }> }
  }
  return schema.properties?.['data']?.type === 'array'
}

/** `webhook_id` → `webhookId` */
function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function typeName(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Methods`
}
