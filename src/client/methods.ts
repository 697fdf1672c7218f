import {
  type AssetsMethods,
  type DataModeMethods,
  type JobsMethods,
  type KeysMethods,
  METHODS,
  type MembersMethods,
  type PagesMethods,
  type ProjectsMethods,
  type RedirectsMethods,
  type SettingsMethods,
  type UsersMethods,
  type VisitsMethods,
  type WebhooksMethods,
} from './api-methods.ts'
import type { Asset, DryRun, Job, PublishedPage, UnscheduledPage } from './api-types.ts'
import type { AssetContent } from './download.ts'
import type { RequestInput, RequestOptions } from './request.ts'
import { pause } from './send.ts'
import type { OnUploadProgress, UploadContent } from './upload.ts'

/** One method for each operation; `METHODS` says where it sends its input. */
export interface Methods {
  readonly projects: ProjectsMethods
  readonly settings: SettingsMethods
  readonly pages: Pages
  readonly jobs: Jobs
  readonly assets: Assets
  readonly webhooks: WebhooksMethods
  readonly members: MembersMethods
  readonly redirects: RedirectsMethods
  readonly visits: VisitsMethods
  readonly keys: KeysMethods
  readonly dataMode: DataModeMethods
  readonly users: UsersMethods
}

interface Pages extends Omit<PagesMethods, 'publish'> {
  /** Publish a page now. */
  publish(pageId: string, body?: PublishNow, options?: PublishOptions): Promise<PublishedPage>
  /** Schedule a publish. */
  publish(
    pageId: string,
    body: { readonly publish_at: string; readonly strict?: boolean | undefined },
    options?: RequestOptions,
  ): Promise<Job>
  /** Cancel a scheduled publish. */
  publish(
    pageId: string,
    body: { readonly publish_at: null },
    options?: RequestOptions,
  ): Promise<UnscheduledPage>
  /** The plan of a publish, which changes nothing. */
  publish(
    pageId: string,
    body: PublishNow | undefined,
    options: RequestOptions & { readonly query: { readonly dry_run: true } },
  ): Promise<DryRun>
  /** A page as Markdown with front matter. */
  markdown(pageId: string, options?: RequestOptions): Promise<string>
}

interface PublishNow {
  readonly strict?: boolean | undefined
  readonly publish_at?: undefined
}

type PublishOptions = RequestOptions & {
  readonly query?: { readonly timings?: boolean | undefined; readonly dry_run?: false | undefined }
}

interface Assets extends AssetsMethods {
  /**
   * Upload an image or a file. The same bytes under the same name are the same asset, so an upload can be repeated.
   * Texts of a file are set after its upload.
   *
   * @throws {ApiError} `conflict` when the name has other bytes.
   */
  upload(projectId: string, file: NewFile, options?: UploadOptions): Promise<Asset>
  /** Replace the bytes of an asset. */
  replace(
    assetId: string,
    content: UploadContent,
    options?: UploadOptions & { readonly ifMatch?: string },
  ): Promise<Asset>
  /** Download the stored bytes of an asset: an image without the metadata that its upload had. */
  content(assetId: string, options?: RequestOptions & { readonly unless?: undefined }): Promise<AssetContent>
  /**
   * The same, unless they are bytes that the client has.
   *
   * @param options.unless SHA-256 of these bytes, hex.
   * @returns null when they are.
   */
  content(
    assetId: string,
    options: RequestOptions & { readonly unless: string },
  ): Promise<AssetContent | null>
}

export interface NewFile extends Partial<Pick<Asset, 'alt' | 'title' | 'focus'>> {
  readonly name: string
  readonly content: UploadContent
}

export interface UploadOptions extends Omit<RequestOptions, 'ifMatch'> {
  /** Called with the bytes that were sent so far; from 0 again for another attempt. */
  readonly onProgress?: OnUploadProgress
}

interface Jobs extends JobsMethods {
  /**
   * Waits until a job has ended, also when pages of it failed.
   *
   * @throws {ApiError} when the job does not exist, and the signal's reason when it is aborted.
   */
  wait(jobId: string, options?: WaitOptions): Promise<Job>
}

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Called with the job after each poll that finds it unfinished. */
  readonly onProgress?: (job: Job) => unknown
}

/** The parts of a client that the methods call. */
interface Caller {
  data(route: string, input: RequestInput): Promise<unknown>
  text(route: string, input: RequestInput): Promise<string>
  items(route: string, input: RequestInput): AsyncGenerator<unknown, void>
  body(route: string, input: RequestInput): Promise<unknown>
  upload(
    route: string,
    input: RequestInput,
    content: UploadContent,
    onProgress: OnUploadProgress | undefined,
  ): Promise<Asset>
  download(route: string, input: RequestInput): Promise<AssetContent | null>
}

/** Time between two polls of a job. It grows with each poll, to stay within the rate limits. */
const FIRST_POLL_MS = 100
const MAX_POLL_MS = 3_000

export function createMethods(caller: Caller): Methods {
  const groups = Object.entries(METHODS).map(([group, methods]) => [
    group,
    Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, methodOf(caller, method)])),
  ])
  const generated = Object.fromEntries(groups) as Omit<Methods, 'jobs' | 'pages' | 'assets'> & {
    readonly jobs: JobsMethods
    readonly assets: AssetsMethods
    readonly pages: Omit<Pages, 'markdown'>
  }
  return {
    ...generated,
    pages: {
      ...generated.pages,
      markdown: (pageId, options) =>
        caller.text('GET /pages/{id}', { ...options, path: { id: pageId }, query: { format: 'markdown' } }),
    },
    assets: {
      ...generated.assets,
      upload: (projectId, file, options) => uploadFile(caller, generated.assets, projectId, file, options),
      replace: (assetId, content, { onProgress, ...options } = {}) =>
        caller.upload('PUT /assets/{id}/content', { ...options, path: { id: assetId } }, content, onProgress),
      content: (assetId: string, { unless, ...options }: RequestOptions & { unless?: string } = {}) =>
        caller.download('GET /assets/{id}/content', {
          ...options,
          path: { id: assetId },
          ...(unless !== undefined && { ifNoneMatch: `"${unless}"` }),
        }),
    } as Assets,
    jobs: { ...generated.jobs, wait: (jobId, options) => waitForJob(generated.jobs, jobId, options) },
  }
}

async function uploadFile(
  caller: Caller,
  assets: AssetsMethods,
  projectId: string,
  { name, content, ...texts }: NewFile,
  { onProgress, ...options }: UploadOptions = {},
): Promise<Asset> {
  const input = { ...options, path: { id: projectId }, query: { name } }
  const asset = await caller.upload('POST /projects/{id}/assets', input, content, onProgress)
  const { signal } = options
  return Object.keys(texts).length === 0
    ? asset
    : assets.update(asset.id, texts, signal === undefined ? {} : { signal })
}

interface Method {
  readonly route: string
  readonly input: 'body' | 'query' | null
  readonly returns: 'data' | 'items' | 'text' | 'body'
}

/** The arguments are the ids in the path, then the body or the query, then options. */
function methodOf(caller: Caller, { route, input, returns }: Method) {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return (...given: readonly unknown[]) => {
    const path = Object.fromEntries(names.map((name, index) => [name, given[index] as string]))
    const [first, second] = given.slice(names.length)
    const [sent, options] = input === null ? [undefined, first] : [first, second]
    return caller[returns](route, {
      path,
      ...(options as RequestOptions),
      ...(input !== null && sent !== undefined && { [input]: sent }),
    })
  }
}

async function waitForJob(
  jobs: JobsMethods,
  jobId: string,
  { signal, onProgress = () => {} }: WaitOptions = {},
): Promise<Job> {
  const options = signal === undefined ? {} : { signal }
  for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
    const job = await jobs.get(jobId, options)
    if (job.finished_at !== null) return job
    onProgress(job)
    await pause(wait, options.signal)
  }
}
