import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { decryptAsset } from '../../src/client/decrypt-asset.ts'
import { decryptPage } from '../../src/client/decrypt-page.ts'
import { createLedger } from '../../src/db/ledger.ts'
import { readId } from '../../src/domain/ids.ts'
import { systemTime } from '../../src/platform/clock.ts'
import { compare } from '../../src/publish/recovery/compare.ts'
import { unwrapContentKey } from '../../src/secrets/content-key.ts'
import { randomId } from '../../src/services/new-id.ts'
import { createLocalFolderStorage } from '../../src/storage/local-folder.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { flatPng } from '../support/pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openServiceDatabase, serviceMasterKey } from '../support/test-database.ts'
import { LONG } from './long-form.ts'
import { callApi } from './site-client.ts'
import { startVictim } from './victim.ts'

const PAGES = 30

/** The first one also seals what was published before Data Mode was on. */
const POINTS = [
  'delete page after',
  'COMMIT of claim after',
  'put media before',
  'rename media before',
  'put media after',
  'put site before',
  'put site after',
  'put nav after',
  'put manifest after',
  'releaseQueue commitDataMode before',
  'releaseQueue commitDataMode after',
  'delete media before',
  'delete media after',
]

/** Dying takes its time: the next one waits until the lease has stood still. */
const SHORT = ['delete page after', 'put site after', 'delete media before']

test.runIf(LONG !== null || LONG_FORM)(
  'a service that is killed anywhere in a regenerate-key completes it with the same key, and the previous key opens nothing',
  async () => {
    const data = await temporaryFolder()
    let victim = await startVictim(data, 'lean')
    onTestFinished(() => victim.kill())
    const connections = await openServiceDatabase(data)
    onTestFinished(() => connections.close())
    const ledger = createLedger(connections, { now: systemTime, newId: randomId })
    const masterKey = await serviceMasterKey(data)
    const call = async (method: string, path: string, body?: object) => {
      const answer = await callApi(victim, method, path, body)
      return answer.body.data
    }

    const project = (await call('POST', '/projects', { name: 'Vault' })).id
    const id = readId('proj', project) ?? expect.unreachable()
    const picture = flatPng(40, 20)
    const uploaded = await fetch(`${victim.url}/projects/${project}/assets?name=ada.png`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${victim.key}`, 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(picture),
    })
    expect(uploaded.status).toBe(201)
    const publish = async (slug: string) => {
      const content = { markdown_content: `![Ada](/media/ada.png) ${slug}` }
      const page = { project_id: project, title: slug, slug, subroute: 'docs', type: 'docs', ...content }
      const { id } = await call('POST', '/pages', page)
      await call('POST', `/pages/${id}/publish`)
    }
    await publish('before-it-was-on')
    await call('POST', `/projects/${project}/data-mode/enable`)
    for (let i = 1; i < PAGES; i++) await publish(`page-${i}`)

    for (const point of LONG === null ? SHORT : POINTS) {
      const [former] = await newestKeys()
      await victim.arm({ point, project, failPut: null })
      const answered = await callApi(victim, 'POST', `/projects/${project}/data-mode/regenerate-key`).catch(
        () => null,
      )
      expect([point, answered]).toEqual([point, null])
      await victim.ended

      victim = await startVictim(data, 'lean')
      while ((await ledger.releaseQueue.unfinishedProjects()).length > 0) await sleep(20)
      const keys = await newestKeys()
      expect(keys).toHaveLength(1)
      expect(keys[0]).not.toBe(former)
      const files = await sealedFiles()
      expect(files).toHaveLength(PAGES + 1)
      for (const file of files) {
        const sealed = JSON.parse(await readFile(join(data, 'cdn', project, file), 'utf8'))
        const { assets } = await decryptPage(keys[0] ?? '', sealed)
        const ada = assets?.['/media/ada.png']
        if (ada !== undefined) {
          const bytes = new Uint8Array(await readFile(join(data, 'cdn', project, ada.file)))
          expect(await decryptAsset(keys[0] ?? '', bytes, ada)).toEqual(new Uint8Array(picture))
        }
        await expect(decryptPage(former ?? '', sealed)).rejects.toThrow()
      }
      // One under the new key; neither the plaintext nor the one of the previous key.
      await expect.poll(publishedMedia, { timeout: 60_000, message: point }).toHaveLength(1)
      const storage = createLocalFolderStorage({ root: join(data, 'cdn') })
      expect(await compare(id, { ...ledger, storage, masterKey }, null)).toEqual([])
    }

    /** Content keys that are not destroyed, newest first. */
    async function newestKeys(): Promise<readonly string[]> {
      const kept = (await ledger.storedArtifacts.contentKeys(id)).filter(({ version }) => version > 0)
      return kept.map((key) => Buffer.from(unwrapContentKey(masterKey, id, key)).toString('base64'))
    }

    /** Without the temporary file of a write that was killed, which the store removes an hour later. */
    async function publishedMedia(): Promise<readonly string[]> {
      const entries = await readdir(join(data, 'cdn', project, '_media'))
      return entries.filter((name) => !name.startsWith('\u007f'))
    }

    async function sealedFiles(): Promise<readonly string[]> {
      const entries = await readdir(join(data, 'cdn', project), { recursive: true })
      return entries.filter((file) => file.endsWith('.json') && file !== '_index.json')
    }
  },
)
