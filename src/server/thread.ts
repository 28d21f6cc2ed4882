import { getCompileCacheDir } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread that has nothing of the server's environment but the compile cache. It ends with an error when its
 * heap exceeds the limit. A caller receives an error only while it waits for an event.
 *
 * @param heapMb limit of the old generation, in MB; the young generation has another 12 MB
 */
export function startThread(
  module: URL,
  { heapMb, ...given }: { heapMb: number } & Pick<WorkerOptions, 'workerData' | 'transferList'>,
): Worker {
  // The heap flag of the process (scripts/server-memory.mjs) would override the limit of each thread.
  setFlagsFromString('--max-old-space-size=0')
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 12 }
  const cache = getCompileCacheDir()
  const env = cache ? { NODE_COMPILE_CACHE: cache } : {}
  const thread = new Worker(module, { ...given, resourceLimits, env })
  // Without a listener, an error after the caller has stopped waiting would end the process.
  thread.on('error', () => {})
  return thread
}
