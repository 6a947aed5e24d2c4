"""Words of the topics that no crawl looks for: most of a web is about these."""

from exonym.practice.topical.wordlists import Wordlist
from exonym.practice.vocabulary.grammar import words

COOKING = Wordlist(
    nouns=words(
        "recipe cook chef kitchen oven stove grill pan pot wok lid spoon fork knife bowl plate dish cup whisk sieve "
        "grater board apron ingredient flour sugar salt pepper butter oil vinegar yeast dough batter crust filling "
        "sauce stock broth soup stew curry salad sandwich pasta noodle rice bread loaf roll cake biscuit pie tart "
        "pudding cream custard chocolate vanilla cinnamon ginger garlic onion tomato potato carrot cabbage spinach "
        "mushroom bean lentil chilli basil coriander parsley mint thyme lemongrass lime lemon orange apple banana "
        "mango coconut pineapple berry nut almond peanut honey syrup egg cheese milk yoghurt chicken beef pork lamb "
        "fish prawn squid crab bacon sausage marinade seasoning spice herb flavour aroma texture taste portion "
        "serving leftovers fridge freezer timer simmer boil roast snack lunch dinner breakfast dessert picnic feast "
        "restaurant market stall family guest table cuisine menu bakery butcher grocer"
    ),
    verbs=words(
        "cooks bakes boils fries grills roasts steams simmers stirs chops slices peels mixes whisks kneads pours "
        "sprinkles seasons tastes serves garnishes melts thickens marinates chills freezes rinses drains blends adds"
    ),
    adjectives=words(
        "tasty spicy sweet sour bitter salty crispy tender juicy creamy crunchy hot cold fresh ripe raw fried baked "
        "homemade healthy vegetarian smoky fragrant thick thin golden simple traditional seasonal"
    ),
    neighbours=("gardening", "tourism", "general", "health"),
)

SOFTWARE = Wordlist(
    nouns=words(
        "software program code compiler library function variable loop array string pointer thread process kernel "
        "driver server client browser website page database query index table record schema backup cache memory disk "
        "processor network router protocol packet port socket firewall password login user account session token key "
        "certificate bug patch release version branch merge commit repository test build script shell terminal editor "
        "window menu button icon cursor keyboard mouse screen laptop tablet phone printer cable cloud container "
        "cluster node queue message event log error exception warning stack heap interface module package dependency "
        "framework template plugin update installer licence developer tester designer manager team project deadline "
        "requirement document manual tutorial forum ticket issue feature performance latency throughput bandwidth "
        "algorithm graph tree hash sorting search engine crawler model dataset training chart dashboard report"
    ),
    verbs=words(
        "compiles runs crashes loads saves prints parses sends receives encrypts connects installs updates deletes "
        "copies sorts searches indexes logs tests debugs builds deploys merges commits clicks types scrolls caches"
    ),
    adjectives=words(
        "open free fast slow stable broken secure remote local digital virtual binary static dynamic parallel empty "
        "recursive compatible portable obsolete automatic manual internal external default nested"
    ),
    neighbours=("finance", "general", "health", "football"),
)

FOOTBALL = Wordlist(
    nouns=words(
        "football match game goal goalkeeper defender midfielder striker winger captain coach manager referee "
        "linesman whistle card penalty corner throw freekick offside tackle pass cross shot header save rebound post "
        "crossbar net pitch stadium stand terrace turnstile supporter fan chant scarf shirt boot ball league cup "
        "title trophy medal final semifinal fixture kickoff halftime injury substitute bench squad lineup formation "
        "tactic press counterattack possession transfer contract fee wage agent scout academy youth reserve season "
        "table point draw defeat victory win loss relegation promotion playoff derby rival tournament qualifier "
        "group round leg replay friendly training session gym physio doctor knee ankle hamstring muscle fitness "
        "commentator broadcaster pundit newspaper headline interview sponsor ticket owner board crowd record streak"
    ),
    verbs=words(
        "scores wins loses draws passes shoots heads tackles saves dribbles crosses fouls signs trains coaches plays "
        "kicks runs defends attacks presses celebrates misses equalises substitutes injures qualifies beats supports"
    ),
    adjectives=words(
        "late early fierce weak strong quick tall injured fit suspended unbeaten national international local young "
        "veteran defensive attacking decisive narrow goalless dramatic professional amateur brilliant"
    ),
    neighbours=("general", "health", "finance", "tourism"),
)

GARDENING = Wordlist(
    nouns=words(
        "garden gardener lawn hedge border bed path patio terrace pond fountain greenhouse shed spade fork rake hoe "
        "trowel wheelbarrow hose bucket sprinkler glove seed seedling bulb root stem leaf bud flower blossom petal "
        "fruit berry shrub bush tree trunk branch bark rose tulip lily orchid daisy sunflower lavender fern moss ivy "
        "bamboo palm cactus grass weed herb tomato cucumber bean pea lettuce carrot onion pumpkin potato apple pear "
        "plum cherry lemon soil clay sand peat compost mulch manure fertiliser nitrogen acid frost rain drought shade "
        "sunlight spring summer autumn winter harvest pest slug snail aphid beetle caterpillar bee butterfly bird "
        "worm fungus mildew spray pruning cutting graft nursery pot tray trellis fence gate bench landscape plan"
    ),
    verbs=words(
        "plants sows waters prunes weeds digs mows grows blooms flowers ripens harvests fertilises mulches trims cuts "
        "shades spreads climbs withers wilts sprouts attracts feeds repots grafts rakes composts thins"
    ),
    adjectives=words(
        "green shady sunny wild hardy tender perennial annual evergreen fragrant bright colourful tall dwarf dry moist "
        "rich sandy organic native tropical ornamental edible bare fertile lush"
    ),
    neighbours=("cooking", "estate", "general", "health"),
)

FINANCE = Wordlist(
    nouns=words(
        "bank account loan credit debt interest rate mortgage deposit saving cash cheque transfer payment currency "
        "dollar euro exchange market stock share bond fund dividend yield portfolio investor broker trader analyst "
        "fee commission profit loss revenue income expense budget tax refund audit accountant auditor invoice asset "
        "liability equity capital balance ledger statement report quarter forecast inflation recession growth "
        "deficit surplus trade tariff export import company firm board shareholder director merger takeover startup "
        "insurance premium claim policy pension annuity retirement risk hedge option future commodity gold oil index "
        "volatility rally crash bubble crisis regulator central government treasury minister bill law contract "
        "property salary wage bonus employer employee customer supplier price discount cost margin volume chart"
    ),
    verbs=words(
        "invests lends borrows pays saves earns loses trades buys sells rises falls grows shrinks hedges insures "
        "taxes audits reports forecasts merges acquires owes charges deposits withdraws exchanges regulates values"
    ),
    adjectives=words(
        "financial fiscal monetary annual quarterly net gross fixed variable liquid risky safe cheap expensive public "
        "private corporate foreign domestic bullish bearish profitable bankrupt taxable secured"
    ),
    neighbours=("estate", "software", "general", "football"),
)

HEALTH = Wordlist(
    nouns=words(
        "doctor nurse patient hospital clinic surgery ward bed ambulance emergency pharmacy pharmacist medicine drug "
        "tablet pill dose injection vaccine virus bacteria infection fever cough cold flu pain headache allergy "
        "asthma diabetes cancer tumour heart lung liver kidney stomach brain nerve muscle bone joint skin blood "
        "pressure pulse breath sleep diet vitamin mineral protein sugar fat weight exercise walk yoga stress therapy "
        "therapist counsellor symptom diagnosis test scan result treatment operation recovery wound bandage stitch "
        "scar pregnancy baby birth mother midwife child adult elderly dentist tooth gum eye glass ear hearing voice "
        "insurance appointment prescription waiting study trial research scientist risk prevention hygiene soap mask"
    ),
    verbs=words(
        "treats heals cures prevents causes examines diagnoses prescribes operates recovers suffers coughs sneezes "
        "rests sleeps exercises breathes injects vaccinates monitors measures reduces raises spreads protects helps"
    ),
    adjectives=words(
        "healthy sick ill chronic acute mild severe medical clinical mental physical daily painful tired allergic "
        "infectious sterile safe effective harmful natural balanced active overweight pregnant"
    ),
    neighbours=("cooking", "general", "football", "gardening"),
)
