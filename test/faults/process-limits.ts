import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Random } from '../support/random.ts'
import type { Process } from './processes.ts'

/** A revoked key is refused by every process after this time. */
const REVOKED_MS = 5_000

/** Sends without a pause with a key that has limits. @returns how many were accepted. */
export async function sendLimited(
  apis: readonly Process[],
  { key }: { readonly key: string },
  random: Random,
  isOver: () => boolean,
): Promise<number> {
  let accepted = 0
  const sender = async () => {
    while (!isOver()) {
      const answer = await get(random.pick(apis), key)
      if (answer === 200) accepted += 1
      await sleep(50)
    }
  }
  await Promise.all([sender(), sender(), sender()])
  return accepted
}

/** Revokes keys that every process has just accepted. @returns the processes that accepted one for too long. */
export async function revokeKeys(
  apis: readonly Process[],
  accounts: { revokeKey(id: never): Promise<void> },
  newKey: () => Promise<{ readonly key: string; readonly record: { readonly id: string } }>,
  isOver: () => boolean,
): Promise<readonly string[]> {
  const late: string[] = []
  while (!isOver()) {
    const { key, record } = await newKey()
    await Promise.all(apis.map((api) => get(api, key)))
    await accounts.revokeKey(record.id as never)
    await sleep(REVOKED_MS)
    for (const api of apis) if ((await get(api, key)) === 200) late.push(api.url)
  }
  return late
}

async function get(api: Process, key: string): Promise<number | null> {
  const options = { headers: { Authorization: `Bearer ${key}` }, signal: AbortSignal.timeout(2_000) }
  return fetch(`${api.url}/users/me/usage`, options).then(
    async (answer) => {
      await answer.text()
      return answer.status
    },
    () => null,
  )
}

/** The most requests that were counted for one key in any ten seconds of the last minute. */
export async function mostInBurst(url: string): Promise<number> {
  const { reader, close } = openPostgres(url)
  const rows: string[] = await reader('rate_accounts').whereNotNull('counted').pluck('counted')
  await close()
  const counts = rows.flatMap((counted) => {
    const { all }: { all: number[] } = JSON.parse(counted)
    return all.map((start) => all.filter((time) => time >= start && time < start + 10_000).length)
  })
  return Math.max(0, ...counts)
}
