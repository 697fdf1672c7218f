import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { PLAN_LIMITS } from '../../../src/domain/account-limits.ts'
import { ID_ALPHABET, type ProjectId } from '../../../src/domain/ids.ts'
import { createAccountLimits } from '../../../src/services/accounts/account-limits.ts'
import { createOriginalService } from '../../../src/services/media/originals.ts'
import { createServiceFixture } from '../service-fixture.ts'

const ORIGINALS = 50

/** Originals that no asset has, with a media store that removes them unless it is down. */
async function abandonedOriginals() {
  const { db, context, newCaller, projects, close } = await createServiceFixture()
  onTestFinished(close)
  const { newId, now } = context
  const { project } = await projects.createFor((await newCaller()).userId, 'Site')
  const projectId: ProjectId = project.id
  await db.write(async ({ originals }) => {
    for (let i = 0; i < ORIGINALS; i++) {
      const digest = String(i).padStart(64, '0')
      const original = { id: newId<'org'>(), projectId, digest, storedDigest: digest, bytes: 1 }
      await originals.insertStoring(original, now())
    }
  })
  const store = { isDown: true, asked: 0, listed: [] as string[] }
  const { sweep } = createOriginalService({
    isHeld: async () => false,
    db,
    mediaStore: {
      put: () => expect.unreachable(),
      async delete() {
        store.asked += 1
        if (store.isDown) throw new Error('The store is down.')
      },
      async list(prefix) {
        store.listed.push(prefix)
        return []
      },
    },
    accountLimits: createAccountLimits({ planLimits: PLAN_LIMITS, now }),
    newId,
    now,
    log: pino({ level: 'silent' }),
  })
  return { store, sweep }
}

test('a sweep asks a store that is down a few times only, and a later one removes everything', async () => {
  const { store, sweep } = await abandonedOriginals()
  await sweep()
  expect(store.asked).toBeLessThan(ORIGINALS)
  Object.assign(store, { isDown: false, asked: 0 })
  await sweep()
  expect(store.asked).toBe(ORIGINALS)
  await sweep()
  expect(store.asked).toBe(ORIGINALS)
})

test('a sweep lists the store in parts, so that it never holds all keys, and once a day', async () => {
  const { store, sweep } = await abandonedOriginals()
  for (let i = 0; i < 3; i++) await sweep()
  expect(store.listed).toEqual([...ID_ALPHABET].map((first) => `proj_${first}`))
})
