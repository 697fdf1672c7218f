// Runs test files in one Vitest that stays loaded, so that a change costs the tests that it reaches and not a start.
// Receives `{ files, changed }` over IPC and answers `{ failed, took }`: a failed file, or null, and the milliseconds of
// each file that ran. Ends with the program that started it.
import { createVitest } from 'vitest/node'

let failed = null
let took = []

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
        took.push([module.relativeModuleId, module.diagnostic().duration])
      },
    },
  ],
})
await vitest.standalone()

process.on('message', async ({ files, changed }) => {
  failed = null
  took = []
  vitest.invalidateFile(changed)
  const { unhandledErrors } = await vitest.runTestSpecifications(
    files.flatMap((file) => vitest.getModuleSpecifications(file)),
  )
  if (unhandledErrors.length > 0) failed ??= files[0]
  process.send({ failed, took })
})
process.on('disconnect', () => process.exit())
process.send('ready')

function stopAt({ relativeModuleId }) {
  if (failed !== null) return
  failed = relativeModuleId
  void vitest.cancelCurrentRun('test-failure')
}
