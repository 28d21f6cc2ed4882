import { expect, test } from 'vitest'
import { eitherSignal } from './either-signal.ts'

test('a signal made of two is aborted with the first of them, and has its reason', () => {
  for (const turn of [0, 1]) {
    const controllers = [new AbortController(), new AbortController()] as const
    const either = eitherSignal(controllers[0].signal, controllers[1].signal)
    expect(either.aborted).toBe(false)
    controllers[turn]?.abort('the first')
    controllers[1 - turn]?.abort('the second')
    expect(either.reason).toBe('the first')
  }
})

test('a signal made of one that is aborted already is aborted at once', () => {
  expect(eitherSignal(new AbortController().signal, AbortSignal.abort('before')).reason).toBe('before')
})
