"""Who and what the stream of changing facts is about, and how it is said and asked."""

from typing import NamedTuple


class Attribute(NamedTuple):
    """Something that is true of a subject. A question need not use the words of the statement."""

    name: str
    about: str  # a key of SUBJECTS
    values: str  # a key of WORDS
    kind: str
    statements: tuple[str, ...]
    questions: tuple[str, ...]
    temporary: str = ""  # how it is said of a value that holds for some days
    lasting: bool = False  # never changes
    important: bool = False


def listed(written: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(" ".join(text.split()).split(", ")) for name, text in written.items()}


SUBJECTS = listed(
    {
        "person": """
            Ann Berg, Bob Castle, Carla Dietz, Dmitri Ek, Eve Fontaine, Farid Goss, Grace Hale,
            Hugo Iversen, Ines Jansen, Jonas Keller, Kira Lund, Liam Moreau, Mona Nagel, Nils Orban,
            Olga Petrov, Pavel Quist, Rosa Stein, Tom Ulrich, Vera Wolff, Yusuf Zeman, Ann Zeman,
            Bob Lund, Ines Hale, Max Adler, Nora Bloom, Otto Crane, Paula Dorn, Ravi Evans,
            Sara Frost, Theo Grant, Uma Hill, Walter Ivory
        """,
        "project": """
            Falcon, Heron, Kestrel, Osprey, Puffin, Raven, Sparrow, Swift, Magpie, Plover, Egret,
            Curlew, Condor, Ibis, Lapwing, Merlin, Nightjar, Pelican
        """,
        "人": """
            王小明, 李文华, 张建国, 陈思雨, 刘子涵, 赵敏, 周杰, 吴芳, 郑浩然, 孙丽, 王芳,
            李建国, 胡雪, 朱婷, 徐志强, 何雨欣
        """,
        "项目": """
            长城计划, 黄河平台, 泰山系统, 珠江工程, 昆仑引擎, 洞庭门户, 长江平台,
            天山系统, 太湖计划, 秦岭引擎
        """,
    }
)
WORDS = listed(
    {
        "cities": """
        Oslo, Rome, Paris, Berlin, Madrid, Lisbon, Vienna, Prague, Dublin, Athens, Warsaw, Zagreb
    """,
        "editors": "vim, emacs, nano, helix, kakoune, sublime, notepad, zed, joe, micro, atom, ed",
        "diets": """
        vegan, vegetarian, halal, kosher, gluten-free, low-salt, pescatarian, ketogenic, sugarless,
        macrobiotic, paleo, lactose-free
    """,
        "allergens": "peanuts, shrimps, pollen, penicillin, latex, cats, soy, eggs, celery, wasps",
        "drinks": "espresso, cocoa, matcha, lemonade, cider, rooibos, chai, tonic, latte, mate",
        "bosses": """
        Ackermann, Bianchi, Cisneros, Dahlgren, Eriksen, Fuentes, Gruber, Hofmann, Ibsen, Jovanovic
    """,
        "dates": """
        May 3, June 14, July 9, March 21, April 2, August 30, October 12, January 17, November 5,
        February 8, September 26, December 19
    """,
        "pets": "Rex, Bello, Fido, Luna, Milo, Rocky, Bruno, Daisy, Pepper, Ziggy, Oscar",
        "languages": "Rust, Go, Kotlin, Elixir, Haskell, Scala, Ruby, Perl, Erlang, OCaml, Julia",
        "databases": "postgres, sqlite, mysql, redis, cassandra, mongo, duckdb, oracle, couch",
        "licences": "MIT, Apache, GPL, BSD, MPL, EUPL, ISC, AGPL, LGPL, Zlib",
        "numbers": ", ".join(str(number) for number in range(2003, 9000, 251)),
        "rooms": ", ".join(
            f"{letter}{number}" for letter in "BDFHK" for number in (12, 27, 34, 48)
        ),
        "城市": "北京, 上海, 广州, 成都, 西安, 杭州, 武汉, 南京, 重庆, 苏州, 青岛, 厦门",
        "过敏原": "花生, 海鲜, 花粉, 青霉素, 牛奶, 鸡蛋, 芒果, 猫毛, 尘螨, 大豆",
        "饮料": "美式咖啡, 乌龙茶, 豆浆, 柠檬水, 热可可, 菊花茶, 酸梅汤, 拿铁, 普洱, 绿茶",
        "上司": "马总, 何经理, 林主任, 高组长, 罗主管, 梁总监, 宋部长, 唐老师, 韩总, 冯处长",
        "日期": "三月五日, 四月二日, 五月九日, 六月八日, 七月三日, 八月十日, 九月九日, 十月六日",
        "宠物": "豆豆, 毛毛, 旺财, 咪咪, 小黑, 团团, 花花, 球球, 阿福, 糯米",
    }
)
ATTRIBUTES = (
    Attribute(
        *("office", "person", "cities", "fact"),
        ("{subject} works from the {value} office", "{subject} is in the {value} office for good"),
        ("Which office does {subject} work from?", "In which office do I find {subject}?"),
        "{subject} is travelling and works from the {value} office until {until}",
    ),
    Attribute(
        *("desk", "person", "rooms", "fact"),
        ("{subject} sits in room {value}", "the desk of {subject} has moved to room {value}"),
        ("In which room does {subject} sit?", "Which room is the desk of {subject} in?"),
        "{subject} sits in room {value} until {until}, the painters are in",
    ),
    Attribute(
        *("phone", "person", "numbers", "fact"),
        ("the extension of {subject} is {value}", "call {subject} on extension {value}"),
        ("What is the phone extension of {subject}?", "Which extension do I call for {subject}?"),
        "{subject} is on leave until {until}, their extension goes to {value}",
    ),
    Attribute(
        *("home", "person", "cities", "fact"),
        ("{subject} lives in {value}", "{subject} has moved and now lives in {value}"),
        ("Where does {subject} live?", "Which city does {subject} live in?"),
    ),
    Attribute(
        *("editor", "person", "editors", "preference"),
        ("{subject} prefers {value} as an editor", "{subject} uses the editor {value}"),
        ("Which editor does {subject} use?", "What is the preferred editor of {subject}?"),
    ),
    Attribute(
        *("diet", "person", "diets", "preference"),
        ("{subject} eats {value} food", "{subject} keeps to a {value} diet"),
        ("What food does {subject} eat?", "Which diet does {subject} keep?"),
    ),
    Attribute(
        *("drink", "person", "drinks", "preference"),
        ("{subject} drinks {value} in the break", "get {subject} a {value} to drink"),
        ("What does {subject} drink?", "Which drink shall I get {subject}?"),
    ),
    Attribute(
        *("boss", "person", "bosses", "fact"),
        ("{subject} reports to {value}", "{value} manages {subject}, who reports there"),
        ("Who does {subject} report to?", "Who manages {subject}?"),
    ),
    Attribute(
        *("allergy", "person", "allergens", "fact"),
        ("{subject} is allergic to {value}", "{subject} has an allergy: no {value}"),
        ("What is {subject} allergic to?", "Which allergy does {subject} have?"),
        lasting=True,
        important=True,
    ),
    Attribute(
        *("birthday", "person", "dates", "fact"),
        ("the birthday of {subject} is on {value}", "{subject} has their birthday on {value}"),
        ("When is the birthday of {subject}?", "On which day is {subject}'s birthday?"),
        lasting=True,
    ),
    Attribute(
        *("dog", "person", "pets", "fact"),
        ("the dog of {subject} is called {value}", "{subject} has a dog named {value}"),
        ("What is {subject}'s dog called?", "How is the dog of {subject} named?"),
        lasting=True,
    ),
    Attribute(
        *("locker", "person", "numbers", "fact"),
        ("{subject} has locker {value}", "locker {value} belongs to {subject}"),
        ("Which locker has {subject}?", "What number is the locker of {subject}?"),
    ),
    Attribute(
        *("contact", "project", "bosses", "fact"),
        ("questions about {subject} go to {value}", "{value} answers questions about {subject}"),
        ("Who answers questions about {subject}?", "Whom do I ask questions about {subject}?"),
        "until {until} questions about {subject} go to {value}, the others are on leave",
    ),
    Attribute(
        *("deadline", "project", "dates", "fact"),
        ("the deadline of {subject} is {value}", "{subject} is due on {value}, a hard deadline"),
        ("When is the deadline of {subject}?", "When is {subject} due?"),
    ),
    Attribute(
        *("port", "project", "numbers", "fact"),
        ("the {subject} server listens on port {value}", "{subject} answers on port {value}"),
        ("Which port does {subject} listen on?", "What is the port of the {subject} server?"),
        "until {until} the {subject} server listens on port {value} for the load test",
    ),
    Attribute(
        *("language", "project", "languages", "fact"),
        ("{subject} is written in {value}", "the language of {subject} is {value}"),
        ("Which language is {subject} written in?", "What language does {subject} use?"),
    ),
    Attribute(
        *("database", "project", "databases", "fact"),
        ("{subject} keeps its data in {value}", "the database of {subject} is {value}"),
        ("Which database does {subject} use?", "Where does {subject} keep its data?"),
    ),
    Attribute(
        *("licence", "project", "licences", "fact"),
        ("{subject} is under the {value} licence", "the licence of {subject} is {value}"),
        ("What licence is {subject} under?", "Which licence has {subject}?"),
    ),
    Attribute(
        *("budget", "project", "numbers", "fact"),
        ("the budget of {subject} is {value} euros", "{subject} has a budget of {value} euros"),
        ("What is the budget of {subject}?", "How many euros has {subject}?"),
    ),
    Attribute(
        *("办公室", "人", "城市", "fact"),
        ("{subject}在{value}办公室上班", "{subject}调到了{value}办公室"),
        ("{subject}在哪个办公室？", "{subject}在哪里上班？"),
        "{subject}出差，{until}之前在{value}办公室上班",
    ),
    Attribute(
        *("分机", "人", "numbers", "fact"),
        ("{subject}的分机号是{value}", "找{subject}请拨分机{value}"),
        ("{subject}的分机号是多少？", "找{subject}拨哪个分机？"),
        "{subject}休假，{until}之前分机转到{value}",
    ),
    Attribute(
        *("住处", "人", "城市", "fact"),
        ("{subject}住在{value}", "{subject}搬家了，现在住在{value}"),
        ("{subject}住在哪里？", "{subject}住在哪个城市？"),
    ),
    Attribute(
        *("过敏", "人", "过敏原", "fact"),
        ("{subject}对{value}过敏", "{subject}有过敏史，不能碰{value}"),
        ("{subject}对什么过敏？", "{subject}有什么过敏史？"),
        lasting=True,
        important=True,
    ),
    Attribute(
        *("饮料", "人", "饮料", "preference"),
        ("{subject}喜欢喝{value}", "{subject}下午只喝{value}"),
        ("{subject}喜欢喝什么？", "给{subject}买什么喝的？"),
    ),
    Attribute(
        *("上司", "人", "上司", "fact"),
        ("{subject}的上司是{value}", "{subject}换了上司，现在归{value}管"),
        ("{subject}的上司是谁？", "谁是{subject}的上司？"),
    ),
    Attribute(
        *("生日", "人", "日期", "fact"),
        ("{subject}的生日是{value}", "{value}是{subject}的生日"),
        ("{subject}的生日是哪天？", "{subject}什么时候过生日？"),
        lasting=True,
    ),
    Attribute(
        *("宠物", "人", "宠物", "fact"),
        ("{subject}的狗叫{value}", "{subject}养了一只狗，叫{value}"),
        ("{subject}的狗叫什么？", "{subject}养的狗叫什么名字？"),
        lasting=True,
    ),
    Attribute(
        *("联系人", "项目", "上司", "fact"),
        ("{subject}的联系人是{value}", "{subject}的事请联系{value}"),
        ("{subject}的联系人是谁？", "{subject}的事该联系谁？"),
        "{until}之前{subject}的联系人临时换成{value}",
    ),
    Attribute(
        *("截止日期", "项目", "日期", "fact"),
        ("{subject}的截止日期是{value}", "{subject}必须在{value}前交付，这是截止日期"),
        ("{subject}的截止日期是哪天？", "{subject}什么时候截止？"),
    ),
    Attribute(
        *("端口", "项目", "numbers", "fact"),
        ("{subject}的服务端口是{value}", "{subject}监听{value}端口"),
        ("{subject}的端口是多少？", "{subject}监听哪个端口？"),
    ),
    Attribute(
        *("预算", "项目", "numbers", "fact"),
        ("{subject}的预算是{value}万", "{subject}今年的预算为{value}万"),
        ("{subject}的预算是多少？", "{subject}有多少预算？"),
    ),
)
# What is told and never asked, and the things in it.
CHATTER = {
    "person": (
        "{subject} talked about {thing} over lunch with {other}",
        "{subject} was late because of {thing}",
        "{other} showed {subject} pictures of {thing}",
        "{subject} could not stop laughing about {thing}",
    ),
    "project": (
        "a long meeting about {subject} ended with {thing}",
        "somebody spilled tea on the {subject} poster during {thing}",
        "{subject} and {other} shared {thing} today",
    ),
    "人": (
        "{subject}中午和{other}聊起了{thing}",
        "{subject}因为{thing}迟到了",
        "{subject}给大家看了{thing}的照片",
    ),
    "项目": (
        "{subject}的会开了很久，最后{thing}",
        "{subject}和{other}的同事今天一起{thing}",
    ),
}
THINGS = listed(
    {
        "person": """
        the weather, a lost umbrella, the football match, a broken lift, old trains, the new carpet,
        a film, the printer, mushrooms, holidays by the sea, a flat tyre, the choir, office chairs
    """,
        "project": """
        cake, a quarrel, two jokes, nothing decided, a walk, more sticky notes, a fire drill,
        a group photo, singing
    """,
        "人": "天气, 球赛, 新地毯, 一部老电影, 电梯故障, 海边的假期, 堵车, 打印机, 合唱团, 蘑菇",
        "项目": "吃了蛋糕, 没有结论, 拍了合影, 唱了歌, 散了步, 吵了一架",
    }
)
