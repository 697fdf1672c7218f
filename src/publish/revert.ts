import type { Artifact } from '../domain/artifact.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { Release } from '../domain/release.ts'
import { storageKey } from '../domain/storage-key.ts'
import { docsTrees, navKeys } from '../render/docs-nav.ts'
import type { PublishPorts } from './batch.ts'
import { deploy } from './deploy.ts'
import type { Lease, LiveObject, Upload } from './ledger.ts'
import { plan } from './plan.ts'

/**
 * Put back what was live before releases whose upload failed half-way, then free what they held.
 * May be repeated until it succeeds.
 *
 * @throws whatever the store throws; the releases are then still `reverting`.
 */
export async function revert(lease: Lease, releases: readonly Release[], ports: PublishPorts): Promise<void> {
  const { ledger, storage } = ports
  const { projectId } = lease
  const touched = await ledger.touchedBy(releases)
  const written = touched.filter(({ digest }) => digest !== null)
  const indexes = await writeIndexesAnew(projectId, releases, ports)

  for (const object of written) await putBack(projectId, object, ports)
  await deploy({ uploads: indexes, keeps: [], deletes: [] }, projectId, storage)
  const indexKeys = new Set(indexes.map(({ artifact }) => artifact.key))
  const strays = [
    ...touched.filter(({ digest }) => digest === null).map(({ key }) => key),
    ...releases.flatMap(indexesTouchedBy).filter((key) => !indexKeys.has(key)),
  ]
  await storage.delete(strays.map((key) => storageKey(projectId, key)))
  await ledger.finishReverting(
    lease,
    releases.map(({ id }) => id),
    indexes,
  )
}

/** The indexes as the live rows say they are; none before the first publish. */
async function writeIndexesAnew(
  projectId: ProjectId,
  releases: readonly Release[],
  { ledger, renderer }: PublishPorts,
): Promise<readonly Upload[]> {
  const live = await ledger.liveSite(projectId)
  const last = releases.at(-1)
  if (live === null || last === undefined) return []
  const lines = (await ledger.indexLines(projectId)).map(({ line }) => line)
  const trees = docsTrees(await ledger.liveFacts(projectId, 'docs'), live.settings.docsNav)
  const artifacts: readonly Artifact[] = await renderer.renderSite({ ...live, lines, trees })
  return plan(artifacts, [], () => last.id).uploads
}

async function putBack(
  projectId: ProjectId,
  { key, digest }: LiveObject,
  ports: PublishPorts,
): Promise<void> {
  const bytes = digest === null ? null : await ports.ledger.keptBytes(projectId, digest)
  if (bytes === null) throw new Error(`The bytes of ${key} as it was live are not kept.`)
  await ports.storage.put({ key: storageKey(projectId, key), body: bytes })
}

/** Files of the site that a release may have written for the first time. */
function indexesTouchedBy({ snapshot: { page } }: Release): readonly string[] {
  return ['_index.json', '404.html', ...(page.type === 'docs' ? navKeys(page.subroute) : [])]
}
