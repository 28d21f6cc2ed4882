/** Creates the two ends of a store for `useSyncExternalStore`: `subscribe` for React, `notify` for each change. */
export function createListeners() {
  const all = new Set<() => void>()
  return {
    /** Calls every subscribed listener. */
    notify() {
      for (const listener of all) listener()
    },
    /** Calls the listener at each change, until the returned function is called. */
    subscribe(listener: () => void) {
      all.add(listener)
      return () => {
        all.delete(listener)
      }
    },
  }
}
