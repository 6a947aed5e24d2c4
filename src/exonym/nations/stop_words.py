"""Frequent English words that are also spelt like places somewhere: such a name alone is no evidence of a nation."""

_WORDS = """
a about above add after again all along also am an and any are area as at away bad bag ban bang bank bar bath bay
be beach bed bee best big bin bit blue bo book both box boy bran bus but buy by cam camp can cap car care cat
central chat chi chin city clean close coal coast code cold come cool corn country cow cross cry cup cut dam
dan dark date day dean deer den do dog don door down dragon drum dry due dull dun dung duty ear east easy eat
egg end english even ever every fair fall fan fang far farm fat few field fin find fine fire first fish five
flat food for forest fort four free from fun fur gang garden gas gate get girl go gold gong good grand great green
gun guy ham hang hard has hat have he hen her here hi high hill him hip his ho hold home hop hope hot house how
hue hut i ice if in inn iron is island it jail jam jar job jump just keep key kid king know la lack lag lake
lamp land lane large last late law lay lean led left leg less let lie life light like line link lip list live
log long loo look lop lord lot love low lung ma mad main make man many map march mark market may me mean meet
men mine mob modern more most mount mountain move much mud nan near neat net never new next night nine no north not
now oak of off oh old on one open or other our out over own pagan page pain pan park part pass pat path pay pea pen
people phone pie pig pin place plain plan play point pole pond pong pool port pot pre press pun put rain ram ran
range rank rare rat red rent rest rich ring river road rock room root rose run rung sad said same san sand sane
sang saw say sea see sell send set seven shall shaping she sheep shin ship shoe shore short show side sign sin
sing sit site six size sky small so soil sol some son song soon soul south spa spring stand star state station
still stone stop strait street strong sum sun sung sure table take talk tall tan tang tango tea temple ten than
that the them then there they thin thing this thong three tide tie till time tin to toe ton tone tong too top
tour town tram tran tree true try tub turn two under union unit up upper usa use valley van very view wake
walk wall wan want war warm was wash watt way we web well west wet what when where white who why wide wild
will win wind wing with wood word work yam yang yard ye year yen yes yet you young
"""
ORDINARY_WORDS = frozenset(_WORDS.split())
