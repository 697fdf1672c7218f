import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** The log on stderr, a JSON object a line. */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino({ level: logLevel }, pino.destination({ dest: 2, sync: true }))
}
