import { afterEach, expect, test, vi } from 'vitest'
import { AppError } from '#server/errors.ts'
import { createHttp } from '#server/http/app.ts'
import { createAdmission } from '#server/http/overload.ts'
import { createLog } from '#server/log.ts'

afterEach(() => vi.useRealTimers())

test.each([
  [
    'is away',
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    { level: 50, msg: 'the database does not answer' },
  ],
  ['is silent', new AppError('unavailable', 'Trop tard.'), { level: 40, msg: 'Trop tard.' }],
])(
  'a database that %s is reported once a second, with the number of failed requests',
  async (_, error, message) => {
    const lines: { level: number; msg: string; refused?: number }[] = []
    const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) })
    const http = await createHttp({ log, publicUrl: null, trustedProxies: 0, admission: createAdmission() })
    http.get('/api/prices', { config: { right: 'public' } }, async () => {
      throw error
    })
    await http.ready()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const ask = async (times: number) => {
      const answers = await Promise.all(Array.from({ length: times }, () => http.inject('/api/prices')))
      for (const { statusCode } of answers) expect(statusCode).toBe(503)
    }
    await ask(50)
    expect(lines).toEqual([])
    vi.advanceTimersByTime(1_000)
    await ask(3)
    vi.advanceTimersByTime(1_000)
    vi.advanceTimersByTime(60_000)
    expect(lines).toMatchObject([
      { ...message, refused: 50 },
      { ...message, refused: 3 },
    ])
    expect(lines).toHaveLength(2)
    vi.useRealTimers()
    await http.close()
  },
)
