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


# Names in unspaced scripts that are ordinary words too, or another country's cities, or the commonest surnames.
#
# Within a run of such a script they are no evidence; between blanks they are found like all others. Chosen by eye among
# the short names of the nations that ship.

_THAI = "คง จะนะ จุน ชนบท ตาก นาดี พนม พนา พล พาน ฝาง ลอง ลี้ สนม สวี สอง สีดา ปง ปัว เทิง เพ็ญ เลย เสนา แวง แว้ง ไชโย"
_BURMESE = "ကန် ကြဲ ဂမြ ဂွ စန စနဲ စမ်း မအူ အကလ အစဲ အမး အလယ်"
_KHMER = "កណ្តាល កណ្ដាល"
_KOREAN = "고성 고양 공주 광명 구리 구미 기장 부여 상주 양산 이천 장수 전주 진도 화성"
_CHINESE = """
七星 三元 三星 三角 上和 下路 丛林 中和 中心 中枢 仁义 公平 先锋 光明 光辉 八宝 八角 关口 冷水 凤凰 分水
友好 合作 同仁 启动 名山 后山 后海 和平 园林 土地 城中 城北 城西 城郊 城门 复兴 大中 大同 大成 大有 大树
大桥 大河 大石 大路 天元 天和 天池 太平 太极 太白 奋斗 安宁 安居 安康 安稳 宜居 富裕 小市 小林 小河 尖山
平原 平安 店子 庄园 庙宇 康乐 开化 开通 弥勒 弹子 惠民 打通 护国 接龙 敦厚 文化 新兴 新华 新城 新店 新民
新生 新青 旧县 明月 月照 朝天 木耳 松柏 松树 林口 柏林 栗子 桥上 桥头 欧拉 正定 正阳 民主 水口 水土 水市
水田 永定 汉城 江北 江南 江口 沙子 沙金 河东 河包 河口 河西 河边 沿河 洋河 洋洲 流顺 海伦 海洋 海棠 淡水 清水
清泉 清流 温水 温泉 满月 火炉 燕窝 狮子 玉皇 琵琶 甲子 界石 白云 白城 白石 白羊 白花 白马 百合 百胜 直升
石角 礼让 神童 福寿 立节 竹园 竹海 红土 红塔 维新 羊角 群力 老街 联合 胜利 花园 荒地 荔枝 莲花 草坪 草堂
菱角 西山 西海 观音 走马 连五 金带 金桥 金沙 金牛 铁桥 铁门 铜钱 铜鼓 长安 长征 长生 院上 青年 青莲 青龙
静安 高升 高峰 高楼 高粱 鱼池 鱼鳞 鸡鸣 鸳鸯 鹿角 黄水 黄沙 黑山 黑水 龙门
"""
_JAPANESE = """
一青 七区 三宅 三木 三浦 上山 上田 下山 中尾 中山 中島 中川 中野 中間 中里 井出 今井 仮屋 元町 入野 内子
出水 初台 前田 加納 北区 北方 北本 半田 南部 原井 原木 原町 取手 古口 吉岡 吉川 向日 和木 和田 和食 和野
四日 四辻 国分 国立 土居 在所 坂下 坂元 城元 大内 大和 大山 大島 大川 大月 大村 大森 大樹 大田 大西 大輪
大野 大塚 大分 天王 天理 太子 太田 奥野 宮下 宮原 宮田 小坂 小原 小山 小島 小川 小林 小森 小沢 小路 小野
山下 山中 山吹 山田 岩下 岩井 島田 川東 川西 川合 平井 平安 平木 平穏 廿日 引治 後楽 徳川 文蔵 新井 新市
新田 新町 日光 日出 日向 日立 日進 早川 春日 春田 本山 本村 本町 村上 村山 村所 村松 村田 東中 東村 東海
松原 松崎 林野 林間 柴山 森下 森町 植竹 横手 横田 橋本 水分 水原 水無 永田 永野 池田 池野 河原 津波 浅川
海岸 海士 深日 清水 港区 港町 湖南 湖西 片桐 王子 生山 田上 田中 田代 田子 田村 田辺 甘地 町屋 皆野 直方
相生 知名 石井 石動 石塚 石川 立岩 竹内 竹田 納官 胎内 脇町 若林 茶花 草野 菅井 菊池 菖蒲 藤岡 藤崎 藤田
行方 西原 西屋 西田 西野 見附 角田 谷地 貫井 赤池 道場 野々 野沢 野田 金山 金町 長井 関町 青井 青木 青海
頭地 飯島 飯田 高原 高島 高森 高田 高砂 鳴沢
"""
ORDINARY = frozenset(" ".join((_THAI, _BURMESE, _KHMER, _KOREAN, _CHINESE, _JAPANESE)).split())
