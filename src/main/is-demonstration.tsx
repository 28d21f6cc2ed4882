import { useEffect, useState } from 'react'
import { healthAddress } from '#shared/addresses.ts'
import type { health } from '#shared/health.ts'
import { exchange } from '#web/api.ts'

/** The first screen waits no longer for a line above it. */
const longestWaitMs = 500

let asked: Promise<boolean> | undefined
let isKnown = false

/** Asks whether the data are made up, and waits a little: the line that says so moves what is shown before it. */
export async function askDemonstration(): Promise<void> {
  await Promise.race([answer(), new Promise((resolve) => setTimeout(resolve, longestWaitMs))])
}

/** Whether the data are made up; false until that is loaded. */
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
      // Asked again with the next sign-in; whatever the server failed at, the page itself says.
      asked = undefined
      return isKnown
    },
  )
  return asked
}
