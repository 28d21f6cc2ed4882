/** A request to show in several languages. */
export type ShownCall = {
  method: string
  url: string
  /** JSON body. */
  body?: unknown
  /** Name of the form field that contains a file. */
  file?: string
  hasKey: boolean
  /** Whether the response is a file or a stream. */
  isFile: boolean
}

export type Snippet = { language: string; code: string }

/** Returns the same request in curl, JavaScript, Python and R, with the key in `NTALO_KEY`. */
export function snippetsOf(call: ShownCall): Snippet[] {
  return [
    { language: 'curl', code: inCurl(call) },
    { language: 'JavaScript', code: inJavaScript(call) },
    { language: 'Python', code: inPython(call) },
    { language: 'R', code: inR(call) },
  ]
}

/** Returns a command that follows a stream of events until it is stopped. */
export function streamSnippet(url: string): Snippet {
  return { language: 'curl', code: `curl -N "${url}" \\\n  -H "Authorization: Bearer $NTALO_KEY"` }
}

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)
const inJson = (body: unknown) => JSON.stringify(body, null, 2)

function inCurl({ method, url, body, file, hasKey, isFile }: ShownCall): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "${url}"`,
    ...(hasKey ? ['-H "Authorization: Bearer $NTALO_KEY"'] : []),
    ...(file ? [`-F "${file}=@fichier"`] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${inJson(body).replaceAll("'", "'\\''")}'`]),
    ...(isFile ? ['-o reponse'] : []),
  ]
  return parts.join(' \\\n  ')
}

function inJavaScript({ method, url, body, file, hasKey, isFile }: ShownCall): string {
  const headers = [
    ...(hasKey ? [`Authorization: \`Bearer \${process.env.NTALO_KEY}\``] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(file ? ['body: form'] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(inJson(body), '  ')})`]),
  ]
  const given = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join('')}}` : ''
  return [
    ...(file
      ? [
          "import { openAsBlob } from 'node:fs'",
          'const form = new FormData()',
          `form.append('${file}', await openAsBlob('fichier'), 'fichier')`,
        ]
      : []),
    `const answer = await fetch('${url}'${given})`,
    'if (!answer.ok) throw new Error((await answer.json()).message)',
    `console.log(await answer.${isFile ? 'text' : 'json'}())`,
  ].join('\n')
}

/** Returns a JSON value in Python syntax. */
const inPythonWords = (body: unknown) =>
  inJson(body).replaceAll(/(?<=[:[,\s])(true|false|null)(?=[,\]}\s]|$)/gm, (word) =>
    word === 'null' ? 'None' : word === 'true' ? 'True' : 'False',
  )

function inPython({ method, url, body, file, hasKey, isFile }: ShownCall): string {
  const given = [
    `"${url}"`,
    ...(hasKey ? ['headers={"Authorization": "Bearer " + os.environ["NTALO_KEY"]}'] : []),
    ...(file ? [`files={"${file}": open("fichier", "rb")}`] : []),
    ...(body === undefined ? [] : [`json=${indented(inPythonWords(body), '    ')}`]),
    'timeout=30',
  ]
  return [
    `import ${hasKey ? 'os, ' : ''}requests`,
    `answer = requests.${method.toLowerCase()}(`,
    ...given.map((each) => `    ${each},`),
    ')',
    'if not answer.ok:',
    '    raise SystemExit(answer.json()["message"])',
    `print(answer.${isFile ? 'text' : 'json()'})`,
  ].join('\n')
}

function inR({ method, url, body, file, hasKey, isFile }: ShownCall): string {
  const steps = [
    `request("${url}")`,
    ...(method === 'GET' ? [] : [`req_method("${method}")`]),
    ...(hasKey ? ['req_auth_bearer_token(Sys.getenv("NTALO_KEY"))'] : []),
    ...(file ? [`req_body_multipart(${file} = curl::form_file("fichier"))`] : []),
    ...(body === undefined ? [] : [`req_body_raw(r"(${inJson(body)})", "application/json")`]),
    'req_perform()',
    isFile ? 'resp_body_string()' : 'resp_body_json()',
  ]
  return `library(httr2)\n${steps.join(' |>\n  ')}`
}
