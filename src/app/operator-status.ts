import type { Logger } from 'pino'
import { createServerPresence } from '../db/server-presence.ts'
import { version } from '../platform/package-paths.ts'
import { randomId } from '../services/new-id.ts'
import { createOperations, type OperatorStatus } from '../services/operating/operations.ts'
import type { Config } from './config.ts'
import type { OpenDatabase } from './database.ts'
import { examineRunning } from './doctor/doctor.ts'
import type { Finding } from './doctor/finding.ts'
import { versionOf } from './membership.ts'

export interface OperatorStatusPorts {
  readonly config: Config
  readonly open: OpenDatabase
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly log: Pick<Logger, 'error'>
}

/** Reads what the page of the operator shows. */
export function createOperatorStatus({
  config,
  open,
  now,
  log,
}: OperatorStatusPorts): () => Promise<OperatorStatus> {
  const operations = createOperations({ db: open.db, newId: randomId, now })
  const presence = createServerPresence(open.connections.writer)
  return async () => {
    const findings: Finding[] = []
    try {
      for await (const finding of examineRunning(config, open, () => Date.parse(now())))
        findings.push(finding)
    } catch (error) {
      log.error({ err: error }, 'The state of the installation could not be examined.')
      findings.push({
        check: 'database',
        level: 'error',
        message: 'The state of the installation could not be examined.',
        remedy: 'The log says why.',
      })
    }
    const servers = await presence.others('')
    return {
      version: version(),
      node: process.versions.node,
      role: config.role,
      database: open.description?.name ?? 'SQLite',
      uptimeSeconds: process.uptime(),
      processes: servers.map((server) => ({ role: server.role, version: versionOf(server) })),
      counts: await operations.status(),
      findings,
    }
  }
}
