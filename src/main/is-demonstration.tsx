import { useEffect, useState } from 'react'
import { healthAddress } from '#shared/addresses.ts'
import type { health } from '#shared/health.ts'
import { exchange } from '#web/api.ts'

/** Longest time in ms that the first screen waits for the demonstration banner. */
const longestWaitMs = 500

let asked: Promise<boolean> | undefined
let isKnown = false

/** Asks whether the data are made up, and waits briefly, because the banner moves the content when it appears later. */
export async function askDemonstration(): Promise<void> {
  await Promise.race([answer(), new Promise((resolve) => setTimeout(resolve, longestWaitMs))])
}

/** Whether the data are made up; false until the answer is loaded. */
export function useDemonstration(): boolean {
  const [isDemonstration, setDemonstration] = useState(isKnown)
  useEffect(() => {
    void answer().then(setDemonstration)
  }, [])
  return isDemonstration
}

function answer(): Promise<boolean> {
  asked ??= exchange<typeof health>(healthAddress, {}).then(
    ({ demonstration }) => {
      isKnown = demonstration
      return isKnown
    },
    () => {
      // Retried at the next sign-in; the page itself reports any failure of the server.
      asked = undefined
      return isKnown
    },
  )
  return asked
}
