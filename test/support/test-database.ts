import { createHash } from 'node:crypto'
import type { SettingName } from '../../src/app/config.ts'
import { createSchema } from './postgres.ts'

/**
 * The database of a service in a data folder: a schema of its own on the server that `QUOIN_TEST_DATABASE_URL` names,
 * else a file in the folder.
 */
export async function databaseSettings(
  folder: string,
): Promise<Readonly<Partial<Record<SettingName, string>>>> {
  const url = process.env['QUOIN_TEST_DATABASE_URL']
  if (!url) return {}
  const schema = `service_${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  return { QUOIN_DATABASE_URL: await createSchema(url, schema) }
}
