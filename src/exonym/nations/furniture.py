"""What stands on MediaWiki pages beside their contents: boxes for finding one's way, and sections at the end."""

NAVIGATION_TAGS = frozenset(["nav", "footer", "header", "aside"])
NAVIGATION_ROLES = frozenset(["navigation", "note", "banner", "contentinfo"])

_CLASSES_AND_IDS = """
ambox asbox authority-control catlinks citation dablink hatnote infobox metadata mbox-small mw-cite-backlink
mw-editsection mw-editsection-like mw-head mw-hidden-catlinks mw-indicators mw-jump-link mw-navigation mw-panel
mw-references-wrap navbar navbox navbox-inner navbox-styles navigation-not-searchable noprint ombox p-lang-btn portalbox
printfooter refbegin reference references reflist rellink shortdescription side-box sidebar sistersitebox siteNotice
stub tmbox toc toccolours vector-menu vertical-navbox footer
"""
NAVIGATION = frozenset(_CLASSES_AND_IDS.split())

# Sections that do not belong to a list, in the languages of the nations that ship and a few large ones.
_HEADINGS = """
see also|external links|references|notes|notes and references|footnotes|citations|sources|bibliography
further reading|works cited|explanatory notes|related articles|related pages|other websites|literature
ดูเพิ่ม|อ้างอิง|แหล่งข้อมูลอื่น|เชิงอรรถ|หมายเหตุ
関連項目|外部リンク|脚注|注釈|出典|参考文献
같이 보기|각주|외부 링크|참고 문헌
参见|參見|參考文獻|参考资料|參考資料|外部链接|外部連結|注释|註釋|相关条目|相關條目
xem thêm|tham khảo|liên kết ngoài|chú thích
tengt efni|tilvísanir|tenglar|heimildir
voir aussi|références|liens externes|notes et références
siehe auch|einzelnachweise|weblinks|literatur
véase también|referencias|enlaces externos
ver também|referências|ligações externas
"""
APPENDICES = frozenset(heading for line in _HEADINGS.splitlines() for heading in line.split("|") if heading)
