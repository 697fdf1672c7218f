import fc from 'fast-check'
import { runs } from './long-form.ts'

/** A fixed seed: property tests use the same values in every run, so that a failure belongs to the change under test. */
fc.configureGlobal({ seed: Number(process.env['QUOIN_SEED'] ?? 1), numRuns: runs(100) })
