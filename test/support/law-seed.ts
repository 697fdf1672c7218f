import fc from 'fast-check'

/** Laws choose the same values on every run, so that a failure belongs to the change that made it. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['QUOIN_SEED'] ?? 1) })
