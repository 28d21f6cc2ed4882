/** Descriptions of names in French, with an example of each. */
export type Words = ReadonlyMap<string, { description: string; example: unknown }>

/**
 * Reads lines of `name | example in JSON | sentence`; the example may be left out, and blank lines part them. A name in straight
 * quotes is code.
 */
export function readWords(texts: readonly string[]): Words {
  const words = new Map<string, { description: string; example: unknown }>()
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim())
  for (const line of lines) {
    const [, name = '', example = '', sentence = ''] = /^(\S+) \| (.*?) ?\| (.+)$/.exec(line) ?? []
    if (!name) throw new Error(`no name, example and sentence: ${line}`)
    if (words.has(name)) throw new Error(`said twice: ${name}`)
    words.set(name, {
      description: sentence.replaceAll(/"(\w+)"/g, '`$1`'),
      example: example ? JSON.parse(example) : undefined,
    })
  }
  return words
}
