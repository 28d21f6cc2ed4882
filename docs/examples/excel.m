// Excel, Données > Obtenir des données > Requête vide > Éditeur avancé.
// À la première ouverture, choisissez « De base » : votre clé comme nom d’utilisateur, sans mot de passe.
let
    Source = Csv.Document(
        Web.Contents("https://ntalo.example", [
            RelativePath = "api/prices/export",
            Query = [fileFormat = "csv-machine", startDate = "2026-11-01"]
        ]),
        [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]
    ),
    Titres = Table.PromoteHeaders(Source, [PromoteAllScalars = true]),
    Types = Table.TransformColumnTypes(Titres, {{"observed_on", type date}, {"price", type number}}, "en-US")
in
    Types
