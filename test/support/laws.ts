import fc from 'fast-check'
import { runs } from './long-form.ts'

/** Laws choose the same values on every run, so that a failure belongs to the change that made it. */
fc.configureGlobal({ seed: Number(process.env['QUOIN_SEED'] ?? 1), numRuns: runs(100) })
