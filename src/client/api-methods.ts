// Generated from the API's description by `npm run client`. Do not edit.

import type { RequestOptions } from './request.ts'
import type { BodyOf, DataOf, ItemOf, QueryOf } from './routes.ts'

export interface ProjectsMethods {
  /** List projects. */
  list(query?: QueryOf<'GET /projects'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects'>, void>
  /** Create a project. */
  create(body: BodyOf<'POST /projects'>, options?: RequestOptions): Promise<DataOf<'POST /projects'>>
  /** Get a project. */
  get(projectId: string, query?: QueryOf<'GET /projects/{id}'>, options?: RequestOptions): Promise<DataOf<'GET /projects/{id}'>>
  /** Change a project. */
  update(projectId: string, body: BodyOf<'PUT /projects/{id}'>, options?: RequestOptions): Promise<DataOf<'PUT /projects/{id}'>>
  /** Delete an archived project. */
  delete(projectId: string, options?: RequestOptions): Promise<DataOf<'DELETE /projects/{id}'>>
  /** Check the domain of a project again. */
  verifyDomain(projectId: string, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/domain/verify'>>
  /** Publish many pages. */
  publish(projectId: string, body: BodyOf<'POST /projects/{id}/publish'>, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/publish'>>
  /** List scheduled publishes. */
  schedule(projectId: string, query?: QueryOf<'GET /projects/{id}/schedule'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/schedule'>, void>
  /** Offer a project to another account. */
  offer(projectId: string, body: BodyOf<'POST /projects/{id}/transfer'>, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/transfer'>>
  /** Take the offer of a project back. */
  withdrawOffer(projectId: string, options?: RequestOptions): Promise<DataOf<'DELETE /projects/{id}/transfer'>>
  /** List what a content folder pushed. */
  sources(projectId: string, folder: string, query?: QueryOf<'GET /projects/{id}/sources/{folder}'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/sources/{folder}'>, void>
  /** List the pushes to a project. */
  pushes(projectId: string, query?: QueryOf<'GET /projects/{id}/pushes'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/pushes'>, void>
  /** Begin a push. */
  startPush(projectId: string, body: BodyOf<'POST /projects/{id}/pushes'>, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/pushes'>>
  /** Report the progress or the end of a push. */
  reportPush(pushesId: string, body: BodyOf<'PUT /pushes/{id}'>, options?: RequestOptions): Promise<DataOf<'PUT /pushes/{id}'>>
  /** List what was done to a project. */
  audit(projectId: string, query?: QueryOf<'GET /projects/{id}/audit'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/audit'>, void>
}

export interface SettingsMethods {
  /** Get the settings of a project. */
  get(projectId: string, options?: RequestOptions): Promise<DataOf<'GET /projects/{id}/settings'>>
  /** Change the settings of a project. */
  update(projectId: string, body: BodyOf<'PUT /projects/{id}/settings'>, options?: RequestOptions): Promise<DataOf<'PUT /projects/{id}/settings'>>
}

export interface DataModeMethods {
  /** Enable Data Mode. */
  enable(projectId: string, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/data-mode/enable'>>
  /** Disable Data Mode. */
  disable(projectId: string, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/data-mode/disable'>>
  /** Replace the content key. */
  regenerateKey(projectId: string, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/data-mode/regenerate-key'>>
  /** Get the state of Data Mode. */
  get(projectId: string, options?: RequestOptions): Promise<DataOf<'GET /projects/{id}/data-mode'>>
}

export interface UsersMethods {
  /** Get the caller. */
  me(options?: RequestOptions): Promise<DataOf<'GET /users/me'>>
  /** Get usage and limits. */
  usage(options?: RequestOptions): Promise<DataOf<'GET /users/me/usage'>>
  /** List what others offer to you. */
  offers(options?: RequestOptions): AsyncGenerator<ItemOf<'GET /users/me/offers'>, void>
  /** Accept an offer. */
  acceptOffer(offersId: string, options?: RequestOptions): Promise<DataOf<'POST /users/me/offers/{id}/accept'>>
  /** Decline an offer. */
  declineOffer(offersId: string, options?: RequestOptions): Promise<DataOf<'POST /users/me/offers/{id}/decline'>>
  /** List what was done in the account. */
  audit(query?: QueryOf<'GET /users/me/audit'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /users/me/audit'>, void>
}

export interface PagesMethods {
  /** List the pages of a project. */
  list(query: QueryOf<'GET /pages'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /pages'>, void>
  /** Create a page. */
  create(body: BodyOf<'POST /pages'>, options?: RequestOptions): Promise<DataOf<'POST /pages'>>
  /** Get a page. */
  get(pageId: string, query?: QueryOf<'GET /pages/{id}'>, options?: RequestOptions): Promise<DataOf<'GET /pages/{id}'>>
  /** Change a page. */
  update(pageId: string, body: BodyOf<'PUT /pages/{id}'>, options?: RequestOptions): Promise<DataOf<'PUT /pages/{id}'>>
  /** Delete a page. */
  delete(pageId: string, query?: QueryOf<'DELETE /pages/{id}'>, options?: RequestOptions): Promise<DataOf<'DELETE /pages/{id}'>>
  /** Publish a page. */
  publish(pageId: string, body?: BodyOf<'POST /pages/{id}/publish'>, options?: RequestOptions & { readonly query?: QueryOf<'POST /pages/{id}/publish'> }): Promise<DataOf<'POST /pages/{id}/publish'>>
  /** List the releases of a page. */
  releases(pageId: string, query?: QueryOf<'GET /pages/{id}/releases'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /pages/{id}/releases'>, void>
  /** Put an earlier release of a page live again. */
  rollBack(pageId: string, body: BodyOf<'POST /pages/{id}/rollback'>, options?: RequestOptions): Promise<DataOf<'POST /pages/{id}/rollback'>>
  /** Unpublish a page. */
  unpublish(pageId: string, options?: RequestOptions): Promise<DataOf<'POST /pages/{id}/unpublish'>>
  /** Create a preview link. */
  createPreview(pageId: string, body?: BodyOf<'POST /pages/{id}/preview'>, options?: RequestOptions): Promise<DataOf<'POST /pages/{id}/preview'>>
  /** Preview a page. */
  preview(pageId: string, query?: QueryOf<'GET /render/{id}'>, options?: RequestOptions): Promise<string>
}

export interface AssetsMethods {
  /** List pictures and files. */
  list(projectId: string, query?: QueryOf<'GET /projects/{id}/assets'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/assets'>, void>
  /** Find files that are not uploaded. */
  missing(projectId: string, body: BodyOf<'POST /projects/{id}/assets/missing'>, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/assets/missing'>>
  /** Get an asset. */
  get(assetId: string, options?: RequestOptions): Promise<DataOf<'GET /assets/{id}'>>
  /** Change the texts or the name of an asset. */
  update(assetId: string, body: BodyOf<'PUT /assets/{id}'>, options?: RequestOptions): Promise<DataOf<'PUT /assets/{id}'>>
  /** Delete an asset. */
  delete(assetId: string, query?: QueryOf<'DELETE /assets/{id}'>, options?: RequestOptions): Promise<DataOf<'DELETE /assets/{id}'>>
  /** Find what names an asset. */
  usage(assetId: string, options?: RequestOptions): Promise<DataOf<'GET /assets/{id}/usage'>>
}

export interface JobsMethods {
  /** List jobs. */
  list(projectId: string, query?: QueryOf<'GET /projects/{id}/jobs'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/jobs'>, void>
  /** Get a job. */
  get(jobId: string, options?: RequestOptions): Promise<DataOf<'GET /jobs/{id}'>>
  /** Cancel a job. */
  cancel(jobId: string, options?: RequestOptions): Promise<DataOf<'DELETE /jobs/{id}'>>
}

export interface WebhooksMethods {
  /** List the webhooks of a project. */
  list(projectId: string, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/webhooks'>, void>
  /** Create a webhook. */
  create(projectId: string, body: BodyOf<'POST /projects/{id}/webhooks'>, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/webhooks'>>
  /** Get a webhook. */
  get(projectId: string, webhookId: string, options?: RequestOptions): Promise<DataOf<'GET /projects/{id}/webhooks/{webhook_id}'>>
  /** Change a webhook. */
  update(projectId: string, webhookId: string, body: BodyOf<'PUT /projects/{id}/webhooks/{webhook_id}'>, options?: RequestOptions): Promise<DataOf<'PUT /projects/{id}/webhooks/{webhook_id}'>>
  /** Delete a webhook. */
  delete(projectId: string, webhookId: string, options?: RequestOptions): Promise<DataOf<'DELETE /projects/{id}/webhooks/{webhook_id}'>>
  /** Rotate the secret of a webhook. */
  rotateSecret(projectId: string, webhookId: string, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/webhooks/{webhook_id}/rotate-secret'>>
  /** Send a test event. */
  test(projectId: string, webhookId: string, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/webhooks/{webhook_id}/test'>>
  /** List the deliveries of a webhook. */
  deliveries(projectId: string, webhookId: string, query?: QueryOf<'GET /projects/{id}/webhooks/{webhook_id}/deliveries'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/webhooks/{webhook_id}/deliveries'>, void>
  /** Get a delivery. */
  delivery(projectId: string, webhookId: string, deliveryId: string, options?: RequestOptions): Promise<DataOf<'GET /projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}'>>
  /** Send a delivery again. */
  redeliver(projectId: string, webhookId: string, deliveryId: string, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver'>>
}

export interface MembersMethods {
  /** List the members of a project. */
  list(projectId: string, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/members'>, void>
  /** Invite a member. */
  invite(projectId: string, body: BodyOf<'POST /projects/{id}/members'>, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/members'>>
  /** Give an invitation a new link. */
  renewInvitation(projectId: string, memberId: string, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/members/{member_id}/invitation'>>
  /** Get a member. */
  get(projectId: string, memberId: string, options?: RequestOptions): Promise<DataOf<'GET /projects/{id}/members/{member_id}'>>
  /** Change the role of a member. */
  update(projectId: string, memberId: string, body: BodyOf<'PUT /projects/{id}/members/{member_id}'>, options?: RequestOptions): Promise<DataOf<'PUT /projects/{id}/members/{member_id}'>>
  /** Remove a member. */
  delete(projectId: string, memberId: string, options?: RequestOptions): Promise<DataOf<'DELETE /projects/{id}/members/{member_id}'>>
}

export interface RedirectsMethods {
  /** List the redirects of a project. */
  list(projectId: string, query?: QueryOf<'GET /projects/{id}/redirects'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /projects/{id}/redirects'>, void>
  /** Create a redirect. */
  create(projectId: string, body: BodyOf<'POST /projects/{id}/redirects'>, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/redirects'>>
  /** Delete a redirect of a page. */
  deleteOfPage(projectId: string, query: QueryOf<'DELETE /projects/{id}/redirects'>, options?: RequestOptions): Promise<DataOf<'DELETE /projects/{id}/redirects'>>
  /** Create or change many redirects. */
  putAll(projectId: string, body: BodyOf<'POST /projects/{id}/redirects/bulk'>, options?: RequestOptions): Promise<DataOf<'POST /projects/{id}/redirects/bulk'>>
  /** Change a redirect. */
  update(projectId: string, redirectId: string, body: BodyOf<'PUT /projects/{id}/redirects/{redirect_id}'>, options?: RequestOptions): Promise<DataOf<'PUT /projects/{id}/redirects/{redirect_id}'>>
  /** Delete a redirect. */
  delete(projectId: string, redirectId: string, options?: RequestOptions): Promise<DataOf<'DELETE /projects/{id}/redirects/{redirect_id}'>>
}

export interface VisitsMethods {
  /** Get how often pages were read. */
  get(projectId: string, query?: QueryOf<'GET /projects/{id}/visits'>, options?: RequestOptions): Promise<DataOf<'GET /projects/{id}/visits'>>
}

export interface KeysMethods {
  /** List the keys of the account. */
  list(query?: QueryOf<'GET /keys'>, options?: RequestOptions): AsyncGenerator<ItemOf<'GET /keys'>, void>
  /** Create a key. */
  create(body: BodyOf<'POST /keys'>, options?: RequestOptions): Promise<DataOf<'POST /keys'>>
  /** Get a key. */
  get(keyId: string, options?: RequestOptions): Promise<DataOf<'GET /keys/{id}'>>
  /** Change a key. */
  update(keyId: string, body: BodyOf<'PUT /keys/{id}'>, options?: RequestOptions): Promise<DataOf<'PUT /keys/{id}'>>
  /** Revoke a key. */
  delete(keyId: string, options?: RequestOptions): Promise<DataOf<'DELETE /keys/{id}'>>
  /** Give a key a new secret. */
  rotate(keyId: string, body?: BodyOf<'POST /keys/{id}/rotate'>, options?: RequestOptions): Promise<DataOf<'POST /keys/{id}/rotate'>>
}

/** Where each method sends its input, and what it returns of the answer. */
export const METHODS = {
  projects: {
    list: { route: 'GET /projects', input: 'query', returns: 'items' },
    create: { route: 'POST /projects', input: 'body', returns: 'data' },
    get: { route: 'GET /projects/{id}', input: 'query', returns: 'data' },
    update: { route: 'PUT /projects/{id}', input: 'body', returns: 'data' },
    delete: { route: 'DELETE /projects/{id}', input: null, returns: 'data' },
    verifyDomain: { route: 'POST /projects/{id}/domain/verify', input: null, returns: 'data' },
    publish: { route: 'POST /projects/{id}/publish', input: 'body', returns: 'data' },
    schedule: { route: 'GET /projects/{id}/schedule', input: 'query', returns: 'items' },
    offer: { route: 'POST /projects/{id}/transfer', input: 'body', returns: 'data' },
    withdrawOffer: { route: 'DELETE /projects/{id}/transfer', input: null, returns: 'data' },
    sources: { route: 'GET /projects/{id}/sources/{folder}', input: 'query', returns: 'items' },
    pushes: { route: 'GET /projects/{id}/pushes', input: 'query', returns: 'items' },
    startPush: { route: 'POST /projects/{id}/pushes', input: 'body', returns: 'data' },
    reportPush: { route: 'PUT /pushes/{id}', input: 'body', returns: 'data' },
    audit: { route: 'GET /projects/{id}/audit', input: 'query', returns: 'items' },
  },
  settings: {
    get: { route: 'GET /projects/{id}/settings', input: null, returns: 'data' },
    update: { route: 'PUT /projects/{id}/settings', input: 'body', returns: 'data' },
  },
  dataMode: {
    enable: { route: 'POST /projects/{id}/data-mode/enable', input: null, returns: 'data' },
    disable: { route: 'POST /projects/{id}/data-mode/disable', input: null, returns: 'data' },
    regenerateKey: { route: 'POST /projects/{id}/data-mode/regenerate-key', input: null, returns: 'data' },
    get: { route: 'GET /projects/{id}/data-mode', input: null, returns: 'data' },
  },
  users: {
    me: { route: 'GET /users/me', input: null, returns: 'data' },
    usage: { route: 'GET /users/me/usage', input: null, returns: 'data' },
    offers: { route: 'GET /users/me/offers', input: null, returns: 'items' },
    acceptOffer: { route: 'POST /users/me/offers/{id}/accept', input: null, returns: 'data' },
    declineOffer: { route: 'POST /users/me/offers/{id}/decline', input: null, returns: 'data' },
    audit: { route: 'GET /users/me/audit', input: 'query', returns: 'items' },
  },
  pages: {
    list: { route: 'GET /pages', input: 'query', returns: 'items' },
    create: { route: 'POST /pages', input: 'body', returns: 'data' },
    get: { route: 'GET /pages/{id}', input: 'query', returns: 'data' },
    update: { route: 'PUT /pages/{id}', input: 'body', returns: 'data' },
    delete: { route: 'DELETE /pages/{id}', input: 'query', returns: 'data' },
    publish: { route: 'POST /pages/{id}/publish', input: 'body', returns: 'data' },
    releases: { route: 'GET /pages/{id}/releases', input: 'query', returns: 'items' },
    rollBack: { route: 'POST /pages/{id}/rollback', input: 'body', returns: 'data' },
    unpublish: { route: 'POST /pages/{id}/unpublish', input: null, returns: 'data' },
    createPreview: { route: 'POST /pages/{id}/preview', input: 'body', returns: 'data' },
    preview: { route: 'GET /render/{id}', input: 'query', returns: 'text' },
  },
  assets: {
    list: { route: 'GET /projects/{id}/assets', input: 'query', returns: 'items' },
    missing: { route: 'POST /projects/{id}/assets/missing', input: 'body', returns: 'data' },
    get: { route: 'GET /assets/{id}', input: null, returns: 'data' },
    update: { route: 'PUT /assets/{id}', input: 'body', returns: 'data' },
    delete: { route: 'DELETE /assets/{id}', input: 'query', returns: 'data' },
    usage: { route: 'GET /assets/{id}/usage', input: null, returns: 'data' },
  },
  jobs: {
    list: { route: 'GET /projects/{id}/jobs', input: 'query', returns: 'items' },
    get: { route: 'GET /jobs/{id}', input: null, returns: 'data' },
    cancel: { route: 'DELETE /jobs/{id}', input: null, returns: 'data' },
  },
  webhooks: {
    list: { route: 'GET /projects/{id}/webhooks', input: null, returns: 'items' },
    create: { route: 'POST /projects/{id}/webhooks', input: 'body', returns: 'data' },
    get: { route: 'GET /projects/{id}/webhooks/{webhook_id}', input: null, returns: 'data' },
    update: { route: 'PUT /projects/{id}/webhooks/{webhook_id}', input: 'body', returns: 'data' },
    delete: { route: 'DELETE /projects/{id}/webhooks/{webhook_id}', input: null, returns: 'data' },
    rotateSecret: { route: 'POST /projects/{id}/webhooks/{webhook_id}/rotate-secret', input: null, returns: 'data' },
    test: { route: 'POST /projects/{id}/webhooks/{webhook_id}/test', input: null, returns: 'data' },
    deliveries: { route: 'GET /projects/{id}/webhooks/{webhook_id}/deliveries', input: 'query', returns: 'items' },
    delivery: { route: 'GET /projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}', input: null, returns: 'data' },
    redeliver: { route: 'POST /projects/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', input: null, returns: 'data' },
  },
  members: {
    list: { route: 'GET /projects/{id}/members', input: null, returns: 'items' },
    invite: { route: 'POST /projects/{id}/members', input: 'body', returns: 'data' },
    renewInvitation: { route: 'POST /projects/{id}/members/{member_id}/invitation', input: null, returns: 'data' },
    get: { route: 'GET /projects/{id}/members/{member_id}', input: null, returns: 'data' },
    update: { route: 'PUT /projects/{id}/members/{member_id}', input: 'body', returns: 'data' },
    delete: { route: 'DELETE /projects/{id}/members/{member_id}', input: null, returns: 'data' },
  },
  redirects: {
    list: { route: 'GET /projects/{id}/redirects', input: 'query', returns: 'items' },
    create: { route: 'POST /projects/{id}/redirects', input: 'body', returns: 'data' },
    deleteOfPage: { route: 'DELETE /projects/{id}/redirects', input: 'query', returns: 'data' },
    putAll: { route: 'POST /projects/{id}/redirects/bulk', input: 'body', returns: 'data' },
    update: { route: 'PUT /projects/{id}/redirects/{redirect_id}', input: 'body', returns: 'data' },
    delete: { route: 'DELETE /projects/{id}/redirects/{redirect_id}', input: null, returns: 'data' },
  },
  visits: {
    get: { route: 'GET /projects/{id}/visits', input: 'query', returns: 'data' },
  },
  keys: {
    list: { route: 'GET /keys', input: 'query', returns: 'items' },
    create: { route: 'POST /keys', input: 'body', returns: 'data' },
    get: { route: 'GET /keys/{id}', input: null, returns: 'data' },
    update: { route: 'PUT /keys/{id}', input: 'body', returns: 'data' },
    delete: { route: 'DELETE /keys/{id}', input: null, returns: 'data' },
    rotate: { route: 'POST /keys/{id}/rotate', input: 'body', returns: 'data' },
  },
} as const
