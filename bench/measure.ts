import { cpus, totalmem } from 'node:os'
import { performance } from 'node:perf_hooks'

/** A figure of a benchmark, with its goal when it has one. */
export type Measure = { what: string; value: number; unit: string; atMost?: number; atLeast?: number }

/** `prices`: number of prices in the database; `minutes`: duration, for benchmarks that depend on it. */
export type BenchOptions = { prices: number; minutes: number }

/** Returns the durations (ms) of `times` calls, one after the other, in ascending order. */
export async function timeEach(times: number, work: (index: number) => unknown): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < times; index++) {
    const start = performance.now()
    await work(index)
    samples.push(performance.now() - start)
  }
  return samples.sort((a, b) => a - b)
}

/** Returns the value below which a share of the ascending `samples` lies: `percentile(samples, 0.95)`. */
export function percentile(samples: readonly number[], share: number): number {
  const value = samples[Math.min(samples.length - 1, Math.floor(samples.length * share))]
  if (value === undefined) throw new Error('no sample was taken')
  return value
}

/** Describes the machine that produced the figures. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const cores = cpus().length
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${cores} cores, ${memory} GiB, ${process.platform}-${process.arch}, Node ${process.versions.node}`
}
