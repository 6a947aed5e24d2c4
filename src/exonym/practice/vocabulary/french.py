"""French."""

from exonym.practice.vocabulary.grammar import Vocabulary, words

FRENCH = Vocabulary(
    language="fr",
    nouns=words(
        "ville maison montagne mer rivière route voiture gare femme fille loi nouvelle langue photo chanson "
        "boutique banque journée semaine nuit pluie fleur bête pomme famille mère sœur vie santé société culture "
        "histoire économie plage barque fenêtre table lettre question réponse bibliothèque mairie cuisine "
        "bouteille chambre porte rue place église campagne forêt région province frontière population police "
        "politique presse revue science recherche technique entreprise usine machine lumière couleur voix main "
        "tête jambe valise carte page soupe viande salade boisson facture commande livraison grandeur rencontre "
        "fête promenade visite exposition musique danse peinture poésie saison chaleur"
    ),
    verbs=words(
        "va vient reste fait mange boit dort achète vend donne prend voit regarde entend parle lit écrit apprend "
        "enseigne joue marche court conduit ouvre ferme commence finit aime veut aide pense sait comprend oublie "
        "trouve utilise construit change envoie visite travaille dit demande garde apporte montre"
    ),
    modifiers=words(
        "grande petite bonne belle nouvelle vieille chaude froide rapide lente haute longue chère facile "
        "difficile importante drôle propre jeune tardive forte tranquille"
    ),
    functions=words("et ou mais avec de par pour quand si où sans dans sur entre après avant aussi toujours chez sous"),
    patterns=(
        "la A N V F la N dans une N",
        "il y a une N qui V chaque N de la N",
        "nous avons vu que cette N V avec la A N",
        "une N de la N V plus que les autres",
        "ce n'est pas la N mais une A N qui V la N",
        "elle V aujourd'hui F la N et la A N",
    ),
    legacy=("iso-8859-1", "iso-8859-15"),
)
