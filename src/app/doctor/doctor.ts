import { createResolve } from '../../webhooks/resolve.ts'
import type { Config } from '../config.ts'
import { configWarnings } from '../config-warnings.ts'
import type { OpenDatabase } from '../database.ts'
import { examineAddresses } from './addresses.ts'
import {
  examineOrderedCertificates,
  examineOwnCertificate,
  examineServedCertificates,
} from './certificates.ts'
import { type Finding, ok, warning } from './finding.ts'
import { examineMachine } from './machine.ts'
import { examineMail } from './mail.ts'
import { examinePackages } from './packages.ts'
import { examineDomains, examineProcessesAndWork, examineStoredState, openExisting } from './stored-state.ts'
import { examineStores } from './stores.ts'

/** Domains whose certificates are read. */
const MOST_CERTIFICATES = 100

/**
 * Examines an installation and what it needs: machine, database, secrets, stores, addresses. Changes nothing, but for
 * an object that it writes to each store and removes again. A server may run meanwhile.
 *
 * @param options.network whether to ask other machines, for names, certificates and an answer of the service.
 * @param options.now milliseconds since 1970.
 * @returns findings, while the checks run.
 */
export async function* examine(
  config: Config,
  { network, now = Date.now }: { readonly network: boolean; readonly now?: () => number },
): AsyncGenerator<Finding> {
  yield* examineSettings(config)
  yield* examineMachine(config)
  const active = yield* examineDatabase(config, now)
  yield* examineStores(config)
  yield* await examinePackages()
  yield* examineOwnCertificate(config, now())
  if (!network) return
  yield* await examineMail(config)
  yield* examineAddresses(config, { resolve: createResolve(), now: now() })
  yield* await examineServedCertificates('domains', active.slice(0, MOST_CERTIFICATES), now())
}

/** Runs the quick checks of a running service, without reading the whole database or asking other machines. */
export async function* examineRunning(
  config: Config,
  open: OpenDatabase,
  now: () => number,
): AsyncGenerator<Finding> {
  yield* examineSettings(config)
  yield* examineMachine(config)
  yield* examineProcessesAndWork(open, now)
  yield* await examineOrderedCertificates(config, open.db, now())
  yield* examineOwnCertificate(config, now())
  yield* (await examineDomains(open)).findings
}

function examineSettings(config: Config): readonly Finding[] {
  const warnings = configWarnings(config)
  return warnings.length === 0
    ? [ok('settings', 'All settings can be used.')]
    : warnings.map((text) => warning('settings', `${text.charAt(0).toUpperCase()}${text.slice(1)}`))
}

/** @returns the custom domains that are served. */
async function* examineDatabase(
  config: Config,
  now: () => number,
): AsyncGenerator<Finding, readonly string[]> {
  const open = await openExisting(config)
  if ('level' in open) {
    yield open
    return []
  }
  try {
    yield* examineStoredState(config, open, now)
    yield* await examineOrderedCertificates(config, open.db, now())
    const { findings, active } = await examineDomains(open)
    yield* findings
    return active
  } finally {
    await open.db.close()
  }
}
