import { ProsePart } from '#features/landing/prose.view.tsx'
import { CodeBlock, InlineCode } from '#features/reference/code.view.tsx'
import { DevelopersPage, type DevelopersProps } from '#features/reference/developers-page.view.tsx'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

type RecipesProps = DevelopersProps & { examples: Readonly<Record<string, string>> }

export function head(): DocumentHead {
  return {
    title: 'Recettes de l’API · Ntalo',
    description:
      'Les prix de Ntalo dans Excel, Google Sheets, R et Python, avec une clé et sans écrire de client.',
    canonicalPath: '/developpeurs/recettes',
    enhancement: 'public-site',
  }
}

/** Recipes to load prices into common tools. */
export function RecipesView({ examples, ...others }: RecipesProps) {
  const recipe = (file: string, label: string) => <CodeBlock label={label} text={examples[file] ?? ''} />
  return (
    <DevelopersPage
      {...others}
      path="/developpeurs/recettes"
      title="Recettes"
      lead="Les prix depuis le 1er novembre, dans l’outil que vous avez déjà. Changez la date, ajoutez des filtres."
    >
      <p className="mt-4">
        Toutes lisent le fichier <InlineCode>csv-machine</InlineCode>&nbsp;: des titres en anglais, la virgule
        entre les colonnes, le point décimal, des dates ISO. Ses filtres sont ceux de{' '}
        <TextLink href="/developpeurs/reference/prices#getPricesExport">l’export des prix</TextLink>.
      </p>
      <ProsePart id="excel" title="Excel">
        <p>
          Power Query ne sait pas écrire l’en-tête de la clé, mais connaît l’accès «&#8239;De
          base&#8239;»&nbsp;: la clé y est le nom d’utilisateur. Excel la garde hors du classeur. Actualisez
          par Données, Actualiser tout.
        </p>
        {recipe('excel.m', 'Power Query (M)')}
      </ProsePart>
      <ProsePart id="google-sheets" title="Google Sheets">
        <p>
          Dans Apps Script, rangez la clé dans Paramètres du projet, Propriétés du script, puis lancez{' '}
          <InlineCode>importerPrix</InlineCode>, à la main ou par un déclencheur.
        </p>
        {recipe('google-sheets.gs', 'Apps Script')}
        <p>
          <InlineCode>IMPORTDATA</InlineCode> ne sait donner ni en-tête ni mot de passe&nbsp;: cette fonction
          ne lit pas les données qui demandent une clé. Ne mettez jamais une clé dans une adresse.
        </p>
      </ProsePart>
      <ProsePart id="r" title="R">
        <p>
          Avec httr2 et jsonlite. httr2 attend de lui-même ce que dit <InlineCode>Retry-After</InlineCode>.
        </p>
        {recipe('prices.R', 'R')}
      </ProsePart>
      <ProsePart id="python" title="Python">
        <p>
          Avec requests et pandas. La médiane est celle de chaque produit dans chaque marché&nbsp;: la moyenne
          de produits différents ne dit rien.
        </p>
        {recipe('prices.py', 'Python')}
      </ProsePart>
    </DevelopersPage>
  )
}
