"""Heuristics on the bytes of a text, where a statistical detector has too few of them.

Letters beyond ASCII are single within words of ASCII letters where the text is in a Latin charset, and adjacent
in all others. Thai has a characteristic order of letters, and Chinese, Japanese and Korean have characters that make up
a good part of any text. HZ is ASCII with Chinese between braces.
"""

import re

from exonym.extract.charset_labels import codec_of

_FOREIGN_BYTES = bytes(range(0x80, 0x100))
_ENOUGH_BYTES = 8
_FEW_WORDS = 100
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_REST_OF_WORD = re.compile(rb"[\x80-\xff][A-Za-z\x80-\xff]{0,80}+")
_LONGEST_BEGINNING = 40  # ASCII letters of a word before its first foreign one
_LATIN_SHARE, _OTHER_SHARE = 0.5, 0.6  # of words: 0.1-0.5 in Latin charsets, 0.6-1 in all others

# windows-874: vowels written before, consonants, marks above and below, vowels written after.
_THAI = re.compile(rb"(?:[\xe0-\xe4]?[\xa1-\xce][\xd1\xd4-\xda\xe7-\xee]{0,2}[\xd0\xd2\xd3\xe5]{0,2}\xe6?)+\xcf?")
_RUN = re.compile(rb"[\xa1-\xff]+")  # below are the quotation marks of all windows charsets
# Common words, for the pairs of letters in them: they make up half of any Thai text and a tenth of other texts.
_THAI_WORDS = """
การ ความ ที่ เป็น ของ และ ใน มี ได้ ไม่ ให้ จะ ว่า นี้ กับ จาก หรือ ต้อง ด้วย โดย แล้ว คน ผู้ ข้อมูล ประเทศ ไทย เมือง จังหวัด
กรุงเทพ ข่าว วันนี้ เวลา ปี เดือน บริษัท จำกัด สินค้า บริการ ราคา บาท ติดต่อ หน้า แรก เรา ท่าน สามารถ ใช้ งาน ระบบ ข้อความ ภาพ
เพลง หนัง เกม ภาษา อังกฤษ โรงเรียน มหาวิทยาลัย นักเรียน อาจารย์ รัฐบาล สมาชิก กระทู้ ตอบ ถาม ใหม่ เก่า ใหญ่ เล็ก มาก น้อย ที่สุด
อยู่ ไป มา ขึ้น ลง เข้า ออก ทำ พบ เห็น รู้ คิด พูด อ่าน เขียน กิน น้ำ ข้าว บ้าน ถนน ตำบล อำเภอ โทรศัพท์ รถ เครื่อง สุขภาพ ชีวิต ครับ ค่ะ
เลือก แสดง ค้นหา แฟ้ม รายการ เปิด ปิด ลบ เพิ่ม แก้ไข บันทึก ส่ง เมื่อ ถ้า เพื่อ ทั้งหมด อื่น แต่ ก็ ยัง ซึ่ง ตาม ระหว่าง พระ วัด เกาะ ทะเล
"""
_THAI_PAIRS = frozenset(
    word[at : at + 2] for word in _THAI_WORDS.encode("cp874").split() for at in range(len(word) - 1)
)
_THAI_SHARE = 0.35

# Frequent characters: 9-70 % of the characters of a text that is read by its charset, below 5 % if by another one.
_KANA = "のにはをたがでてとしれさあるいもなかっらくこそんまよせ"
_SIMPLIFIED = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
_TRADITIONAL = "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡"
_FREQUENT = {
    "euc-kr": "이다는의에가을를은한하고로지기사대인도리그어서시자들있나수일해정보아부스라",
    "euc-jp": _KANA,
    "shift_jis": _KANA,
    "gbk": _SIMPLIFIED,
    "gb18030": _SIMPLIFIED,
    "big5": _TRADITIONAL,
}
PROVABLE = frozenset(["windows-874", *_FREQUENT])  # charsets that `reads_well` knows
_FREQUENT_SHARE = 0.08
_FEWEST_FREQUENT = 3
_MOST_BAD = 0.02

# Possessive, and complete without their ends: a page of braces must not take quadratic time.
_HZ = re.compile(rb"~\{((?:[!-}][!-~])++)(?:~\})?")
_HZ_RUN = re.compile(rb"~\{(?:[!-w][!-~]){2,}+(~\})?")
_HIGH = bytes(code | 0x80 for code in range(0x100))


def foreign_length(sample: bytes) -> int:
    """How many bytes lie beyond ASCII."""
    return len(sample) - len(sample.translate(None, _FOREIGN_BYTES))


def is_latin(body: bytes) -> bool:
    """Whether letters beyond ASCII are among ASCII letters or alone, as in no charset of another script."""
    share = _share_in_words(body, 1)
    return share is None or share < _LATIN_SHARE


def is_no_latin(body: bytes) -> bool:
    """Whether there are enough adjacent letters beyond ASCII to rule a Latin charset out."""
    share = _share_in_words(body, _ENOUGH_BYTES)
    return share is not None and share > _OTHER_SHARE


def is_thai(sample: bytes) -> bool:
    """Whether all letters beyond ASCII follow each other as they do in Thai, and in no text of another kind."""
    if foreign_length(sample) < _ENOUGH_BYTES:
        return False
    runs = _RUN.findall(sample)
    # A sample may end within a syllable.
    if not runs or not all(_THAI.fullmatch(run) for run in runs[:-1]) or not _THAI.match(runs[-1]):
        return False
    return _has_thai_pairs(runs)


def reads_well(sample: bytes, charset: str) -> bool:
    """Whether a charset of Asia gives text with the frequent characters of its language and hardly a bad byte."""
    if charset not in PROVABLE:
        return False
    text = sample.decode(codec_of(charset), "replace")
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    if text.count("\ufffd") > _MOST_BAD * foreign:
        return False
    if charset == "windows-874":
        return _has_thai_pairs(_RUN.findall(sample))
    return sum(map(text.count, _FREQUENT[charset])) >= max(_FEWEST_FREQUENT, _FREQUENT_SHARE * foreign)


def holds_hz(body: bytes) -> bool:
    """Whether ASCII text has Chinese in it as HZ writes it."""
    return any(found[1] for found in _HZ_RUN.finditer(body))


def hz_text(body: bytes) -> str:
    """ASCII text with its Chinese decoded. Python's codec rejects the tilde in addresses."""
    parts = _HZ.split(body)
    parts[::2] = [part.replace(b"~~", b"~") for part in parts[::2]]
    parts[1::2] = [part.translate(_HIGH) for part in parts[1::2]]
    return b"".join(parts).decode(codec_of("gbk"), "replace")


def _has_thai_pairs(runs: list[bytes]) -> bool:
    pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
    return sum(pair in _THAI_PAIRS for pair in pairs) >= _THAI_SHARE * max(1, len(pairs))


def _share_in_words(body: bytes, fewest: int) -> float | None:
    """The share of foreign letters in the first words that have any; None if they are fewer than `fewest`."""
    words: list[bytes] = []
    for found in _REST_OF_WORD.finditer(body):
        before = body[max(0, found.start() - _LONGEST_BEGINNING) : found.start()]
        word = before[len(before.rstrip(_LETTERS)) :] + found[0]
        if len(word) > 1:  # one alone is a quotation mark, a copyright sign, a word like à
            words.append(word)
        if len(words) == _FEW_WORDS:
            break
    letters = b"".join(words)
    foreign = foreign_length(letters)
    return foreign / len(letters) if foreign >= fewest else None
