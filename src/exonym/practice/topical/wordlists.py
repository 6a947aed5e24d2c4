"""Word lists of the topics that crawls look for: tourism, estate, diving.

The three share words on purpose: a villa at the beach is let to tourists and sold by agents. A list has singular nouns,
verbs in the third person, and adjectives.
"""

from dataclasses import dataclass

from exonym.practice.vocabulary.grammar import words


@dataclass(frozen=True, slots=True)
class Wordlist:
    """The words of one topic, and the topics whose sentences its pages borrow."""

    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]
    neighbours: tuple[str, ...]


_SHARED_NOUNS = words(
    "hotel beach villa resort bungalow apartment island pool garden terrace sea view balcony kitchen bedroom bathroom "
    "tourist season weekend market restaurant airport harbour bay hill coast village town street shop bar spa golf "
    "reception parking lift breakfast guest staff service price rate deposit discount booking contract agent office "
    "map road bus taxi boat ferry pier neighbour family child"
)
_SHARED_VERBS = words("offers includes overlooks faces serves attracts costs reaches welcomes suits surrounds books")
_SHARED_ADJECTIVES = words("quiet sunny spacious modern private luxury cheap central popular tropical fresh friendly")

TOURISM = Wordlist(
    nouns=_SHARED_NOUNS
    + words(
        "holiday vacation trip tour guide itinerary excursion traveller backpacker visitor backpack suitcase passport "
        "visa border flight airline ticket luggage hostel guesthouse cabin lodge campsite tent trek trail hike jungle "
        "waterfall cave cliff canyon volcano lake river valley forest viewpoint sunset sunrise temple shrine palace "
        "castle museum gallery monument ruin statue church cathedral festival parade carnival dance dancer music "
        "concert nightlife club cocktail souvenir handicraft basket silk bargain vendor stall bazaar snack buffet "
        "cuisine menu waiter coach train station railway scooter motorbike bicycle kayak canoe raft cruise yacht sail "
        "lagoon sandbar palm hammock sunbed umbrella sunscreen swimmer wave surfer massage wellness yoga retreat "
        "wildlife elephant monkey safari sanctuary reserve birdwatcher photographer photo postcard memory adventure "
        "zipline explorer culture heritage custom tradition legend legacy insurance vaccine mosquito weather monsoon "
        "honeymoon couple group package brochure agency reservation checkout lounge lobby suite dormitory shuttle "
        "transfer driver landmark attraction highlight detour stopover journey roundtrip timetable fare locals"
    ),
    verbs=_SHARED_VERBS
    + words(
        "travels explores visits wanders hikes treks climbs swims sunbathes photographs celebrates departs arrives "
        "lands boards recommends guides discovers admires tastes samples haggles relaxes unwinds stays checks packs "
        "plans reserves enjoys amazes charms delights cruises paddles cycles rides strolls rewards"
    ),
    adjectives=_SHARED_ADJECTIVES
    + words(
        "scenic exotic remote ancient historic sacred famous unforgettable breathtaking charming authentic crowded "
        "unspoilt lively colourful romantic adventurous guided overnight inclusive memorable legendary sandy misty "
        "picturesque laidback vibrant touristy offbeat seasonal"
    ),
    neighbours=("estate", "cooking", "diving", "general"),
)

ESTATE = Wordlist(
    nouns=_SHARED_NOUNS
    + words(
        "property estate house home land plot acre title deed freehold leasehold lease rent rental tenant landlord "
        "tenancy owner buyer seller purchaser investor developer builder architect contractor surveyor lawyer notary "
        "broker realtor listing valuation appraisal mortgage loan lender bank payment instalment escrow closing tax "
        "duty fee stamp registry office permit zoning planning regulation clause inspection survey foundation "
        "concrete brick roof tile ceiling wall floor window door gate fence driveway garage carport storage closet "
        "wardrobe furniture fitting appliance plumbing wiring electricity water meter drainage septic insulation "
        "aircon heater fireplace staircase hallway foyer study laundry utility basement attic loft penthouse "
        "townhouse condominium condo duplex bungalow cottage farmhouse mansion block tower storey unit complex "
        "community compound juristic committee maintenance sinking security guard keycard resale offplan completion "
        "handover renovation refurbishment extension footprint square metre yield occupancy equity capital "
        "appreciation portfolio bargain asking offer negotiation commission viewing showroom brochure masterplan "
        "infrastructure school hospital motorway suburb district neighbourhood skyline waterfront hillside plotline "
        "boundary easement access inheritance residency nominee company shareholder foreigner quota repossession"
    ),
    verbs=_SHARED_VERBS
    + words(
        "rents lets leases sells buys owns builds renovates furnishes invests values appraises lists markets signs "
        "transfers registers finances lends borrows inspects measures completes constructs designs appreciates "
        "yields negotiates closes pays refunds renews evicts manages maintains insures adjoins comprises"
    ),
    adjectives=_SHARED_ADJECTIVES
    + words(
        "furnished unfurnished detached residential commercial affordable negotiable secluded gated fitted tiled "
        "refurbished titled registered freehold leasehold annual monthly upfront legal notarial habitable "
        "solid prime upmarket undeveloped rectangular serviced vacant occupied lucrative"
    ),
    neighbours=("finance", "tourism", "gardening", "general"),
)

# Pages about diving are tourism pages too: half of their sentences are of tourism (see `texts`).
DIVING = Wordlist(
    nouns=words(
        "diver scuba snorkel snorkeller reef coral wreck dive diving divemaster instructor course certificate "
        "logbook tank cylinder regulator octopus fin mask wetsuit drysuit hood bootie weightbelt buoyancy vest gauge "
        "computer compass torch camera housing visibility current drift thermocline depth descent ascent safety stop "
        "decompression nitrox trimix oxygen bubble bottom wall pinnacle swimthrough cavern overhang plateau slope "
        "liveaboard speedboat skipper deck ladder mooring buoy briefing buddy signal refresher licence beginner "
        "whaleshark shark manta ray turtle barracuda grouper moray eel seahorse nudibranch clownfish anemone lionfish "
        "trevally snapper batfish stingray cuttlefish lobster crab shrimp sponge gorgonian plankton lagoon atoll "
        "channel seabed shoal tide swell surface water sea boat island bay marina beach conservation cleanup freediver "
        "breath equalisation ear nitrogen medic chamber compressor filling rental trip site spot macro wideangle strobe"
    ),
    verbs=words(
        "dives snorkels descends ascends surfaces drifts hovers breathes equalises explores spots photographs teaches "
        "certifies trains briefs guides rents fills moors anchors swims floats glides encounters protects sinks"
    ),
    adjectives=words(
        "underwater deep shallow clear murky calm rough certified experienced nervous open advanced marine tropical "
        "healthy bleached soft hard colourful curious gentle daily overnight shore nocturnal buoyant pelagic"
    ),
    neighbours=("tourism", "tourism", "tourism", "software"),
)
