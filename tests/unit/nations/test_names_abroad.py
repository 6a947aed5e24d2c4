"""Names of all countries, their languages and their large cities."""

from exonym.nations.names_abroad import names_abroad


def test_country_its_language_and_its_cities_have_one_code() -> None:
    names = names_abroad()
    assert {names[name] for name in ("France", "French", "Paris", "Lyon")} == {"FR"}


def test_country_with_two_names_is_found_by_both() -> None:
    names = names_abroad()
    assert (names["Myanmar"], names["Burma"]) == ("MM", "MM")


def test_name_of_a_country_is_not_that_of_a_city_or_language_elsewhere() -> None:
    assert (names_abroad()["Georgia"], names_abroad()["Mexico"]) == ("GE", "MX")


def test_english_is_the_language_of_the_page() -> None:
    assert "English" not in names_abroad()
