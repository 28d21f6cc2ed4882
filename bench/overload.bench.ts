import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { goodput, load } from '../tests/support/load.ts'
import { type Answer, client, insertAccount, openSession } from '../tests/support/server.ts'
import { type Measure, percentile } from './measure.ts'
import { measureNeighbours } from './support/neighbours.ts'
import { type PrivatePostgres, quiet, withPostgres } from './support/private-postgres.ts'
import { startApp } from './support/programs.ts'

export const title =
  'What ten times its capacity does to the server, and what one attacker does to the users beside him'

const prices = 100_000
const seconds = 8
const path = '/api/prices?limit=10'
const email = 'pendant-la-foule@exemple.cd'
const password = 'un mot de passe assez long'

export async function measure(): Promise<Measure[]> {
  return withPostgres(async (postgres) => {
    await loadDemonstration(postgres.pool, { log: quiet, prices })
    await insertAccount(postgres.db, {
      roles: ['collector'],
      email,
      passwordHash: await hashPassword(password),
    })
    const userId = await insertAccount(postgres.db, { roles: ['collector'] })
    const token = await openSession(postgres.db, userId)
    return [
      ...(await tryServer(postgres, token, false)),
      ...(await tryServer(postgres, token, true)),
      ...(await measureNeighbours(60)),
    ]
  })
}

async function tryServer(postgres: PrivatePostgres, token: string, isOpen: boolean): Promise<Measure[]> {
  const { child, url } = await startApp({ connection: postgres.connection, isOpen })
  try {
    const closed = { url: url + path, token, rate: null, connections: 32 }
    await load({ ...closed, seconds: 4 })
    const start = await processorTime(child)
    const usual = await load({ ...closed, seconds })
    const before = goodput(usual, seconds)
    const usualTime = await processorTime(child)
    const visitor = client(url, null, null)
    const overload = load({ url: url + path, token, rate: 10 * before, connections: 1_000, seconds })
    const [report, health, signIns] = await Promise.all([
      overload,
      probe(overload, 100, () => visitor.get('/api/health')),
      probe(overload, 1_000, () => visitor.post('/api/auth/login', { email, password })),
    ])
    const overloadTime = await processorTime(child)
    const perAnswer = (usualTime - start) / (usual.answers[200]?.count ?? 0)
    const ofRefusals = overloadTime - usualTime - perAnswer * (report.answers[200]?.count ?? 0)
    const recovery = await recover(closed, before)
    // Other programs come and go: the mean of before and after is the capacity during the overload.
    const after = goodput(await load({ ...closed, seconds }), seconds)
    const capacity = (before + after) / 2
    const hasty = goodput(await load({ ...closed, connections: 320, seconds }), seconds)
    const good = goodput(report, seconds)
    const refused = report.answers[503]
    const goals = <T extends Partial<Measure>>(goal: T) => (isOpen ? {} : goal)
    const figure = (what: string, value: number, unit: string, goal: Partial<Measure> = {}): Measure => ({
      what: isOpen ? `control, without bounds: ${what}` : what,
      value,
      unit,
      ...goals(goal),
    })
    return [
      figure('capacity before (32 clients, list of prices)', before, 'answers/s'),
      figure('capacity after', after, 'answers/s'),
      figure('processor time of an answer', perAnswer, 'µs'),
      ...(refused
        ? [figure('processor time of all else, by refusal', ofRefusals / refused.count, 'µs')]
        : []),
      figure('asked', 10 * before, 'requests/s'),
      figure('answered with 200 within 2 s', good, 'answers/s'),
      figure('share of the capacity', (100 * good) / capacity, '%', { atLeast: 80 }),
      figure('200, median', report.answers[200]?.msMedian ?? Number.NaN, 'ms'),
      figure('200, p99', report.answers[200]?.msP99 ?? Number.NaN, 'ms'),
      figure('503', refused?.count ?? 0, 'answers'),
      figure('503, median', refused?.msMedian ?? 0, 'ms', { atMost: 100 }),
      figure('503, p99', refused?.msP99 ?? 0, 'ms'),
      figure('broken connections', report.answers[0]?.count ?? 0, 'connections', { atMost: 0 }),
      figure('unanswered', report.unanswered, 'requests'),
      figure('health meanwhile, answered 200', share(health), '%', { atLeast: 100 }),
      figure('health meanwhile, p95', percentile(times(health), 0.95), 'ms'),
      figure('sign-ins meanwhile, answered 200', share(signIns), '%'),
      figure('sign-ins meanwhile, median', percentile(times(signIns), 0.5), 'ms'),
      figure('320 clients that ask again at once: share of the capacity', (100 * hasty) / capacity, '%'),
      figure('at 80 % of the capacity again after', recovery, 's', { atMost: 10 }),
    ]
  } finally {
    child.kill('SIGKILL')
  }
}

/** Returns the processor time (µs) of a process, which is reliable on a busy machine, unlike durations. */
async function processorTime(child: ChildProcess): Promise<number> {
  child.send('')
  const [us] = await once(child, 'message')
  return Number(us)
}

type Probe = { status: number; ms: number }

/** Sends a request now and then: more often would itself be a load. */
async function probe(
  meanwhile: Promise<unknown>,
  pauseMs: number,
  ask: () => Promise<Answer>,
): Promise<Probe[]> {
  const probes: Probe[] = []
  let isOver = false
  void meanwhile.then(() => {
    isOver = true
  })
  while (!isOver) {
    await sleep(pauseMs)
    const startedAt = performance.now()
    const { status } = await ask()
    probes.push({ status, ms: performance.now() - startedAt })
  }
  return probes
}

const share = (probes: Probe[]) =>
  (100 * probes.filter(({ status }) => status === 200).length) / probes.length
const times = (probes: Probe[]) => probes.map(({ ms }) => ms).sort((a, b) => a - b)

/** Returns the seconds until the server answers as much as before. */
async function recover(
  closed: Omit<Parameters<typeof load>[0], 'seconds'>,
  capacity: number,
): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const good = goodput(await load({ ...closed, seconds: 3 }), 3)
    const passedS = (performance.now() - startedAt) / 1000
    if (good >= 0.8 * capacity || passedS > 60) return passedS
  }
}
