// Runs test files in one Vitest that stays loaded, so that a change costs the tests that it reaches and not a start.
// Receives `{ files, changed }` over IPC and answers `{ failed, ran }`: the first file that failed, or null, and the
// files that ran. Ends with the program that started it.
import { createVitest } from 'vitest/node'

let failed = null
let ran = []

const vitest = await createVitest('test', {
  watch: false,
  maxWorkers: 2,
  // In the order in which they are given, and no further one after the first failure.
  sequence: {
    sequencer: class {
      shard = (files) => files
      sort = (files) => files
    },
  },
  reporters: [
    {
      onTestCaseResult(test) {
        if (test.result().state === 'failed') stopAt(test.module)
      },
      onTestModuleEnd(module) {
        if (module.state() === 'failed') stopAt(module)
        // After a failure, modules that were not run end too.
        if (failed === null) ran.push(module.relativeModuleId)
      },
    },
  ],
})
await vitest.standalone()

process.on('message', async ({ files, changed }) => {
  failed = null
  ran = []
  vitest.invalidateFile(changed)
  const { unhandledErrors } = await vitest.runTestSpecifications(
    files.flatMap((file) => vitest.getModuleSpecifications(file)),
  )
  if (unhandledErrors.length > 0) failed ??= files[0]
  process.send({ failed, ran })
})
process.on('disconnect', () => process.exit())
process.send('ready')

function stopAt({ relativeModuleId }) {
  if (failed !== null) return
  failed = relativeModuleId
  void vitest.cancelCurrentRun('test-failure')
}
