import { useState } from 'react'
import { Card } from '#web/ui/card.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
  { value: 'r', label: 'R' },
] as const
type Language = (typeof languages)[number]['value']

const path = '/api/prices?limit=5'

const samples: Record<Language, (origin: string) => string> = {
  curl: (origin) => `curl "${origin}${path}" \\\n  -H "Authorization: Bearer $NTALO_KEY"`,
  javascript: (origin) =>
    `const answer = await fetch('${origin}${path}', {\n  headers: { Authorization: \`Bearer \${process.env.NTALO_KEY}\` },\n})\nconst { data } = await answer.json()`,
  python: (origin) =>
    `import os, requests\nanswer = requests.get('${origin}${path}',\n    headers={'Authorization': 'Bearer ' + os.environ['NTALO_KEY']})\nprices = answer.json()['data']`,
  r: (origin) =>
    `library(httr2)\nprices <- request("${origin}${path}") |>\n  req_auth_bearer_token(Sys.getenv("NTALO_KEY")) |>\n  req_perform() |> resp_body_json()`,
}

/** A request to copy that works with a key in `NTALO_KEY`. */
export function FirstRequest() {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <Card title="Votre première requête" description="Avec votre clé dans NTALO_KEY. Copiez, collez, lancez.">
      <Segmented label="Langage" options={languages} value={language} onChange={setLanguage} />
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by the keyboard.
        tabIndex={0}
        className="mt-3 overflow-x-auto rounded-md bg-sunken p-4 font-mono text-sm"
      >
        {samples[language](location.origin)}
      </pre>
      <p className="mt-3 text-sm text-ink-soft">
        Toutes les opérations, avec leurs champs et des exemples{'\u00a0'}:{' '}
        <a href="/developpeurs" className="text-river underline">
          référence de l’API
        </a>
        . Une réponse 304 ne compte pas.
      </p>
    </Card>
  )
}
