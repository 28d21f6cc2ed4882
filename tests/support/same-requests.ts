type Sent = { status: number; text: string }

/**
 * Sends `rounds` requests, each `times` times at once with its own key.
 *
 * @returns how many were not answered 201, or not with identical responses
 */
export async function sendTogether(
  send: (key: string, round: number) => Promise<Sent>,
  { rounds, times }: { rounds: number; times: number },
): Promise<number> {
  let strays = 0
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(Array.from({ length: times }, () => send(`round-${round}`, round)))
    const isSame = new Set(answers.map(({ text }) => text)).size === 1
    if (!isSame || answers.some(({ status }) => status !== 201)) strays += 1
  }
  return strays
}
