import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread that knows no setting of ours, and ends when what it holds takes more than so much.
 *
 * @param heapMb for what lives long; what has just been made has 12 MB besides
 */
export function startThread(
  module: URL,
  { heapMb, ...given }: { heapMb: number } & Pick<WorkerOptions, 'workerData' | 'transferList'>,
): Worker {
  // What the server itself was started with (scripts/server-memory.mjs) would go before the limit of every thread.
  setFlagsFromString('--max-old-space-size=0')
  const resourceLimits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 12 }
  return new Worker(module, { ...given, resourceLimits, env: {} })
}
