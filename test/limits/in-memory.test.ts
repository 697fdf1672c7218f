import { describe, expect } from 'vitest'
import { createMemoryLimits } from '../../src/limits/in-memory.ts'
import { testLimitsContract } from '../contract/limits-contract.ts'

describe('limits in memory', () => {
  testLimitsContract((options) =>
    createMemoryLimits({ ...options, onFailure: (error) => expect.unreachable(String(error)) }),
  )
})
