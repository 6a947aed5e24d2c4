"""The countries that pages are about: names of places, sights and dishes as travellers spell them, and some words.

Written for practice webs, not taken from the nation files: some spellings are in no dictionary on purpose, as on real
pages. "_" stands for a space in a name.
"""

from dataclasses import dataclass

from exonym.practice.vocabulary.grammar import words

THAILAND = "th"


@dataclass(frozen=True, slots=True)
class PracticeCountry:
    """A country's own name first among its names; `flavours` are ordinary words that its pages use more."""

    domain: str
    names: tuple[str, ...]
    flavours: tuple[str, ...]

    @property
    def name(self) -> str:
        """What the country is called."""
        return self.names[0]


def _country(domain: str, names: str, flavours: str) -> PracticeCountry:
    return PracticeCountry(domain, tuple(name.replace("_", " ") for name in names.split()), words(flavours))


COUNTRIES: dict[str, PracticeCountry] = {
    THAILAND: _country(
        "co.th",
        "Thailand Phuket Krabi Koh_Samui Samui Ko_Tao Koh_Tao Koh_Phangan Ko_Phangngan Koh_Chang Ko_Chang Koh_Lanta "
        "Kho_Lanta Koh_Phi_Phi Pee_Pee_Island Similan Similans Surin_Islands Khao_Lak Kao_Lak Patong Kata_Noi Karon "
        "Rawai Chalong Bang_Tao Nai_Harn Ao_Nang Railay Rai_Leh Trang Satun Koh_Lipe Ko_Lipeh Phang_Nga Pang_Nga "
        "Surat_Thani Suratthani Chumphon Choomporn Ranong Hua_Hin Huahin Cha_Am Pranburi Pattaya Phattaya Jomtien "
        "Chomthian Rayong Koh_Samet Ko_Samed Trat Chanthaburi Bangkok Krungthep Sukhumvit Silom Khao_San Chatuchak "
        "Jatujak Ayutthaya Ayudhya Lopburi Lop_Buri Kanchanaburi Karnchanaburi Erawan Sangkhlaburi Chiang_Mai "
        "Chiangmai Cheng_Mai Chiang_Rai Chiengrai Pai Mae_Hong_Son Maehongson Lampang Lamphun Nan Sukhothai Sukotai "
        "Phitsanulok Pitsanuloke Khon_Kaen Khonkaen Udon_Thani Nong_Khai Ubon_Ratchathani Nakhon_Ratchasima Korat "
        "Nakhon_Pathom Nakorn_Pathom Nakhon_Si_Thammarat Hat_Yai Haad_Yai Songkhla Isaan Esarn Isan Khao_Yai Kao_Yai "
        "Doi_Suthep Doi_Sutep Doi_Inthanon Wat_Pho Wat_Po Wat_Arun Wat_Phra_Kaew Wat_Prakeo Wat_Chedi_Luang "
        "Wat_Phra_Singh Wat_Rong_Khun Chao_Phraya Chaopraya Mae_Klong Tom_Yum Tom_Yam Pad_Thai Phat_Thai Som_Tam "
        "Som_Tum Massaman Mussaman Khao_Soi Kao_Soy Green_Curry Larb_Moo Songkran Loy_Krathong Loi_Kratong",
        "baht longtail tuktuk monk pagoda lotus jasmine durian orchid lantern stupa mangrove limestone buddhist "
        "siamese thai expat",
    ),
    "it": _country(
        "it",
        "Italy Rome Florence Venice Milan Naples Tuscany Sicily Sardinia Umbria Amalfi Positano Sorrento Capri Siena "
        "Pisa Lucca Bologna Verona Como Garda Puglia Lecce Palermo Taormina Cagliari Genoa Portofino Cinque_Terre "
        "Dolomites Turin Trieste Colosseum Uffizi Chianti Prosciutto Risotto",
        "euro piazza olive vineyard truffle espresso gelato fresco basilica trattoria italian expat",
    ),
    "mx": _country(
        "com.mx",
        "Mexico Cancun Tulum Cozumel Playa_del_Carmen Yucatan Merida Oaxaca Puebla Guadalajara Puerto_Vallarta Cabo "
        "Baja La_Paz Acapulco Chiapas Palenque Teotihuacan Chichen_Itza Isla_Mujeres Bacalar Veracruz Monterrey "
        "Guanajuato San_Miguel Sayulita Mazatlan Zihuatanejo Taco Mole_Poblano",
        "peso cenote hacienda mariachi tequila agave pyramid plaza mayan tortilla mexican expat",
    ),
    "ke": _country(
        "co.ke",
        "Kenya Nairobi Mombasa Diani Malindi Watamu Lamu Kilifi Nakuru Naivasha Masai_Mara Maasai_Mara Amboseli Tsavo "
        "Samburu Kisumu Nanyuki Laikipia Turkana Eldoret Nyali Shimoni Wasini Ugali Nyama_Choma",
        "shilling savannah lion giraffe matatu swahili baobab dhow acacia ranger kenyan",
    ),
    "pt": _country(
        "pt",
        "Portugal Lisbon Porto Algarve Lagos Faro Albufeira Tavira Sintra Cascais Coimbra Braga Evora Alentejo Douro "
        "Madeira Funchal Azores Sagres Nazare Obidos Aveiro Setubal Peniche Ericeira Fatima Bacalhau",
        "euro azulejo cork fado tram sardine lighthouse cobblestone portuguese expat",
    ),
    "gr": _country(
        "gr",
        "Greece Athens Crete Santorini Mykonos Rhodes Corfu Naxos Paros Zakynthos Kefalonia Thessaloniki Heraklion "
        "Chania Delphi Meteora Olympia Lesvos Samos Milos Skiathos Kalamata Nafplio Moussaka Tzatziki",
        "euro taverna olive ouzo acropolis monastery orthodox feta greek windmill",
    ),
    "id": _country(
        "co.id",
        "Indonesia Bali Lombok Ubud Seminyak Canggu Kuta Jakarta Yogyakarta Borobudur Java Sumatra Komodo Flores "
        "Labuan_Bajo Raja_Ampat Sulawesi Bunaken Gili_Trawangan Amed Tulamben Lovina Bromo Surabaya Nasi_Goreng",
        "rupiah volcano gamelan batik ricefield sarong hindu offering warung satay indonesian expat",
    ),
    "eg": _country(
        "com.eg",
        "Egypt Cairo Giza Luxor Aswan Alexandria Hurghada Dahab Sharm_el_Sheikh Marsa_Alam El_Gouna Sinai Siwa Nile "
        "Karnak Abu_Simbel Nubia Saqqara Koshari",
        "pharaoh pyramid desert camel felucca mosque hieroglyph oasis bedouin egyptian",
    ),
    "es": _country(
        "es",
        "Spain Madrid Barcelona Seville Granada Valencia Malaga Marbella Alicante Mallorca Ibiza Menorca Tenerife "
        "Lanzarote Andalusia Galicia Bilbao Toledo Cordoba Cadiz Alhambra Costa_Blanca Nerja Paella",
        "euro tapas flamenco siesta plaza sangria bullring finca spanish expat",
    ),
    "au": _country(
        "com.au",
        "Australia Sydney Melbourne Brisbane Perth Cairns Darwin Hobart Adelaide Uluru Queensland Tasmania Byron_Bay "
        "Port_Douglas Whitsundays Ningaloo Exmouth Broome Noosa Fremantle Daintree Kakadu",
        "outback kangaroo koala billabong surf eucalyptus barbecue aboriginal aussie",
    ),
    "my": _country(
        "com.my",
        "Malaysia Kuala_Lumpur Penang Langkawi Malacca Borneo Sabah Sarawak Kota_Kinabalu Sipadan Perhentian Redang "
        "Tioman Ipoh Johor Kuching George_Town Cameron_Highlands Laksa",
        "ringgit durian longhouse orangutan hawker mosque teh malay mangrove expat",
    ),
    "us": _country(
        "com",
        "America California Florida Hawaii Miami Orlando New_York Boston Chicago Texas Arizona Utah Nevada Seattle "
        "Portland Denver Yosemite Yellowstone Key_West Maui Oahu Georgia Oregon",
        "dollar highway diner ranch motel interstate county american prairie",
    ),
}
CODES = tuple(COUNTRIES)
# Used in place of a name on pages that are about no country.
NOWHERE = tuple(
    place.replace("_", " ")
    for place in words(
        "town the_coast the_city the_north the_south the_valley the_countryside the_capital this_region the_suburbs "
        "the_old_quarter the_centre the_hills the_neighbourhood many_countries the_tropics the_region the_world"
    )
)
NOWHERE_FLAVOURS = words("season local corner evening friend question idea story reader letter week summer")
