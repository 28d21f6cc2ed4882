/** Creates the two ends of a store for `useSyncExternalStore`: `subscribe` for React, `notify` for each change. */
export function createSubscribers() {
  const listeners = new Set<() => void>()
  return {
    /** Calls every subscribed listener. */
    notify() {
      for (const listener of listeners) listener()
    },
    /** Calls the listener at each change, until the returned function is called. */
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
