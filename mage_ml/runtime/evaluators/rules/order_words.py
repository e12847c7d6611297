"""Words by which an order is recognised, in English and Chinese. Data, not code."""

from __future__ import annotations

from typing import Final

# What is to be done -> the verbs for it. The same table reads sentences and names of tools.
VERBS_EN: Final = {
    "send": "send|forward|mail|e-mail|email|cc|bcc|copy|share|post|notify|submit|deliver|route|direct|reply|message",
    "pay": "pay|transfer|wire|refund|remit|reimburse|credit|deposit|charge",
    "delete": "delete|remove|erase|drop|wipe|clear|purge|discard|cancel|destroy",
    "change": "change|update|set|modify|replace|reset|edit|overwrite|rename|switch|alter|adjust|correct"
    "|round|convert",
    "open": "visit|open|click|browse|navigate|go to|access|follow|enter|read|look up|check out",
    "buy": "buy|purchase|order|checkout|book|reserve",
    "grant": "invite|add|grant|give|authorise|authorize|approve|accept|star|subscribe|enable|allow|assign|register",
    "fetch": "download|upload|save|export|install|run|execute|clone|fetch|pull|push|move|import",
    "say": "write|create|publish|append|include|insert|mention|say|state|report|propose|attach|quote|describe|record"
    "|use|list|claim|tell|answer|respond|output|print|reveal|disclose|treat|rely|base|assume|prefer|mark|store",
    "skip": "skip|omit|leave out|stop|avoid|ignore|disregard|exclude|refrain|withhold|hide|suppress|disable|bypass"
    "|hold back|hold off|postpone|put off|delay",
}  # fmt: skip
VERBS_ZH: Final = {
    "send": "发送|发给|发到|发往|转发|抄送|密送|寄给|寄送|分享|传给|传送|邮件给|通知|回复|发一份|抄一份"
    "|发邮件|提交|送到|报送|递交",
    "pay": "支付|转账|汇款|付款|退款|打款|转给|退给|付给|划转|报销",
    "delete": "删除|删掉|移除|清空|清除|销毁|抹去|取消|丢弃",
    "change": "修改|更改|改成|改为|替换|重置|更新|换成|换为|变更|调整|覆盖|设为|设置|改用|四舍五入|换算",
    "open": "访问|打开|点击|浏览|登录|进入|查看",
    "buy": "购买|下单|采购|预订|订购",
    "grant": "邀请|添加|授权|批准|关注|接受|加入|开通|允许|注册|指派",
    "fetch": "下载|上传|导出|安装|运行|执行|保存|移动|导入",
    "say": "写入|写上|创建|发布|附上|加上|注明|写明|说明|列出|提及|写成|使用|采用|以.{1,12}为准|告知|输出"
    "|透露|泄露|标记|记录|报告",
    "skip": "暂缓|缓发|先别|先不|搁置|压下|跳过|忽略|省略|不要|不用|无需|不必|停止|隐藏|禁用|绕过|别再|不得|请勿",
}  # fmt: skip
# Nouns in names of tools that say what the tool does.
TOOL_NOUNS: Final = {"cart": "buy", "basket": "buy", "checkout": "buy", "payment": "pay", "transaction": "pay",
    "mail": "send", "webpage": "open", "url": "open", "collaborator": "grant", "collaborators": "grant"}  # fmt: skip
PARTICIPLES: Final = {
    "send": "sent|forwarded|mailed|e-mailed|emailed|copied|cc'd|shared|posted|routed|directed|submitted|delivered"
    "|addressed|redirected",
    "pay": "paid|transferred|wired|refunded|remitted|credited",
    "delete": "deleted|removed|erased|dropped|wiped|cleared|purged|discarded|cancelled|canceled",
    "change": "changed|updated|set|replaced|reset|overwritten|renamed|switched|adjusted|corrected|rounded|converted",
    "open": "visited|opened|clicked|followed",
    "buy": "bought|purchased|ordered|booked",
    "grant": "invited|added|granted|approved|accepted|enabled|authorised|authorized",
    "fetch": "downloaded|uploaded|saved|exported|installed|run|executed|moved",
    "say": "written|published|appended|included|inserted|mentioned|stated|reported|attached|used|listed|treated|marked",
    "skip": "skipped|omitted|left out|ignored|disregarded|excluded|withheld|hidden|suppressed|disabled|bypassed"
    "|held back|held|postponed|put off|delayed",
}
PARTICIPLE_CLASS: Final = {word: kind for kind, words in PARTICIPLES.items() for word in words.split("|")}

# Words looked for behind figures for letters: all verbs, and the words an order to an agent is made of.
_FAMILIAR: Final = (
    "account|admin|agent|agents|all|answer|assistant|before|earlier|figures|file|files|first|folder|following|guidelines|important"
    "|instead|instruction|instructions|link|mails|message|note|password|passwords|payment|payments|please|previous|prior"
    "|prompt|prompts|reader|records|report|rules|secret|summary|system|task|these|token|user|users|when|without"
    "|the|this|that|them|any|your|and|for|with|from|complete|continue|access|package|immediately|must|should|tell"
)
VOCABULARY: Final = frozenset(
    word for group in (*VERBS_EN.values(), *PARTICIPLES.values(), _FAMILIAR) for word in group.split("|")
)

LEADS_EN: Final = (
    "please|kindly|also|additionally|then|first|next|finally|and|now|immediately|always|just|simply|instead|so|but"
    "|urgent|important|note|reminder|quickly|afterwards|once done|when done|in addition|from now on|at once|do|pls"
)
MODALS_EN: Final = (
    "please|kindly|must|should|shall|needs? to|have to|has to|make sure (?:to|you|that you)|be sure to|remember to"
    "|don't forget to|do not forget to|you (?:can|will|may|are to|are required to)|ensure (?:that )?(?:you|to)"
    "|i (?:want|need|would like|'d like) you to|go ahead and|feel free to|is it possible to|could you"
    "|can you|would you"
)
LEADS_ZH: Final = (
    "请|务必|必须|需要|需|应当|应该|应|麻烦|记得|一定要|同时|另外|立即|马上|首先|先|然后|再|并|顺便|今后"
    "|以后|直接|烦请|还要|劳驾"
)

# Each signal: name, pattern. Weights are in `orders`.
OVERRIDE: Final = (
    r"\b(?:ignore|disregard|forget|override|bypass|drop)\s+(?:\w+\s+){0,3}?(?:previous|prior|above|earlier|preceding"
    r"|existing|original|other|your|system|all|any|safety|these|those"
    r"|user'?s?)\s+(?:\w+\s+){0,2}?(?:instructions?|prompts?|rules?"
    r"|guidelines?|directions?|orders?|commands?|constraints?|polic(?:y|ies)|safeguards?|requests?)"
    r"|\b(?:new|updated|real|actual)\s+(?:system\s+)?(?:instructions?|prompt|objective)\s*(?::|\bis\b"
    r"|\bare\b|\bfollow)"
    r"|(?:忽略|无视|忘记|忘掉|不要理会|不用管|绕过|抛开|违背)[^。；，,\n]{0,8}(?:之前|以上|先前|上面|前面"
    r"|此前|原有|原来|所有|系统|用户|一切|任何|你的)"
    r"[^。；，,\n]{0,8}(?:指令|指示|提示|规则|要求|命令|约束|任务|限制)"
)
HIJACK: Final = (
    r"\bbefore\s+(?:you\s+)?(?:can\s+|could\s+|may\s+)?(?:solve|solving|finish|finishing|complet(?:e|ing)"
    r"|continu(?:e|ing)"
    r"|proceed(?:ing)?|answer(?:ing)?|start(?:ing)?|do(?:ing)?|perform(?:ing)?|reply(?:ing)?|respond(?:ing)?)\b"
    r"[^.!?\n]{0,30}\b(?:task|request|question|job|anything|work|user|order|further)"
    r"|\b(?:the|your|this|current|ongoing|original|main)\s+task\b[^.!?]{0,60}\b(?:instead|first|following"
    r"|after that|then)\b"
    r"|\binstead of (?:the|your|this) (?:user'?s? )?(?:task|request|question)"
    r"|\b(?:do|perform|carry out|execute|complete|follow) (?:the following|these (?:steps|instructions)"
    r"|this) (?:first|instead|now|before)"
    r"|\bto (?:automatically )?(?:finish|complete) (?:the|your|this) (?:ongoing |current )?(?:task|checkout"
    r"|request)\b"
    r"|\byour (?:new|real|actual|true|only) (?:task|goal|job|objective|instructions?|mission)\b"
    r"|(?:完成|继续|执行|处理|回答|回复|开始)[^。；\n]{0,10}(?:任务|请求|问题|工作)[^。；\n]{0,6}(?:之前|以前|前)"
    r"|(?:你的|您的)(?:新|真正|实际)(?:的)?(?:任务|目标|指令)|(?:不要|不用|无需|别)(?:再)?(?:管|理会"
    r"|执行)[^。；\n]{0,6}(?:用户|任务)"
)
_MACHINES: Final = (
    r"(?:ai|a\.i\.|llms?|gpt(?:-[\w.]+)?|chatgpt|claude|gemini|llama|copilot|(?:large )?language models?"
    r"|chat ?bots?|bots?)"
)
TO_AGENT: Final = (
    rf"\b{_MACHINES}(?: (?:agent|assistant|model|system|reader|program|tool)s?)?\s*(?:[,:!]|should\b|must\b|shall\b"
    r"|needs?\b|has to\b|have to\b|is to\b|are to\b|will\b|please\b|reading\b|processing\b|handling\b|that reads?\b)"
    r"|\b(?:to|for|you|you,|dear|hello|hi|hey|attention|note,|as|all|any|you are) (?:an? |the |you,? |all |any )?"
    rf"{_MACHINES}\b"
    r"|\b(?:assistant|agent)s?\b\s*(?:[,:!]|should|must|shall|needs?|has to|have to|is to|are to|will"
    r"|please|reading|processing|handling)"
    r"|\b(?:to|dear|hello|hi|hey|attention|note (?:to|for)) (?:the |any |all )?(?:ai |automated "
    r"|virtual )?(?:assistant|agent|model|system)s?\b"
    r"|\b(?:whoever|anyone|any system|any agent|the system|automation)\b[^.!?\n]{0,20}\b(?:reads?"
    r"|processe?s?|handl\w+|summari[sz]\w+|reading|processing)\b"
    r"|(?:智能体|助手|人工智能|大模型|语言模型|机器人|\bAI\b)[^。；\n]{0,6}(?:请|应|必须|需|务必|，|,|：|:)"
    r"|(?:致|给|各位)(?:智能体|助手|模型|AI\b)"
    r"|(?:读到|看到|处理)(?:此|这|本)(?:条|份|封)?[^。；\n]{0,6}(?:的)?(?:智能体|助手|系统|程序|模型)"
)
CONCEAL: Final = (
    r"\b(?:do not|don't|never|without|no need to|avoid|refrain from)\s+(?:\w+\s+){0,2}?(?:tell|telling"
    r"|mention|mentioning"
    r"|inform|informing|notify|notifying|disclose|disclosing|reveal|revealing|ask|asking|confirm|confirming"
    r"|alert|alerting|report(?:ing)?"
    r"|bother(?:ing)?|consult(?:ing)?)\b"
    r"|\b(?:quietly|secretly|silently|discreetly|covertly)\b|\bkeep (?:this|it) (?:between us|secret|quiet"
    r"|confidential)\b"
    r"|(?:不要|不用|无需|不必|别|请勿|切勿)(?:再)?(?:告诉|告知|提及|提到|通知|提醒|询问|透露"
    r"|说明(?:此|这|情况|来源|出处)"
    r"|向.{0,6}(?:提|说|报|确认))"
    r"|(?:悄悄|偷偷|暗中|私下)|(?:保密|不用确认|无需确认)"
)
AUTHORITY: Final = (
    r"\b(?:urgent|urgently|immediately|right away|at once|asap|mandatory|required by|per (?:security "
    r"|company )?policy"
    r"|(?:system )?administrator|admin team|has (?:been )?(?:authori[sz]ed|approved|pre-?approved)"
    r"|compliance|i authori[sz]e)\b"
    r"|(?:紧急|立即|马上|立刻|必须|管理员|合规|已(?:获)?授权|已(?:获)?批准|强制)"
)
OWN_TASK: Final = (
    r"\b(?:this|the|your|any|all|each|every|our|final|outgoing|following|finished"
    r"|completed)\s+(?:\w+\s+){0,2}?(?:summary|report|reports"
    r"|reply|replies|response|answer|answers|e-?mails?|mails?|messages?|draft|result|results|figures?"
    r"|analysis|output|task|findings"
    r"|conclusions?|contents?|password|credentials?|api keys?)\b"
    r"|\b(?:summary|report|answer|reply|result|password|credentials?)s? (?:above|below|itself)\b"
    r"|\bwhen (?:you|the report|the mail|summari[sz]ing|writing|sending|answering|replying)\b"
    r"|\bafter (?:you|sending|writing)\b"
    r"|(?:报告|摘要|汇总|简报|总结|邮件|回复|结果|答复|结论|周报|月报|季报|数据|密码|凭证|附件|任务)"
)
FAKE_ROLE: Final = (
    r"(?:^|\n)\s*(?:\[|<\|?|#{1,4}\s*|\*{1,2})?\s*(?:system|assistant|developer|user)(?:\s+(?:message"
    r"|prompt|note|notice|instruction|override))?"
    r"\s*(?:\]|\|?>|\*{1,2})?\s*:\s*(?:[^\s.;|,]+\s+){2}[^\s]"
    r"|<\|(?:im_start|system|user|assistant|endoftext)[^>]{0,20}\|?>|\[/?(?:INST|SYS|SYSTEM)\]|<</?SYS>>"
    r"|#{2,4}\s*(?:instruction|system)s?\b|(?:^|\n)\s*(?:【|\[)?系统(?:消息|提示|指令|通知)(?:】|\])?\s*[：:]"
)
EDUCATIONAL: Final = (
    r"\b(?:for example|for instance|e\.g\.|such as|an example|example of|examples?:|known as"
    r"|prompt injection|injection attacks?|jailbreaks?|phishing"
    r"|attackers?|adversar(?:y|ies|ial)|malicious|red[- ]team|training (?:material|course|slides?)"
    r"|awareness|typical(?:ly)?|would (?:say|read|write|try)"
    r"|might (?:say|read|write|try)|if (?:a|an|any) (?:\w+ )?(?:note|message|mail|e-?mail|document"
    r"|page) (?:says|tells|asks)"
    r"|never follow|do not follow|do not (?:act on|obey)|beware|watch out|reported as|was blocked|test case"
    r"|unit test|the (?:string|phrase|sentence|words?))\b"
    r"|(?:例如|比如|譬如|例子|示例|举例|提示注入|注入攻击|越狱|钓鱼|攻击者|恶意|培训|安全意识|红队|所谓"
    r"|诸如|如果.{0,12}(?:写着|要求|声称)|切勿照做|不要照做|警惕|防范|测试用例|字样)"
)
OTHERS_EN: Final = (
    r"\b(?:customers?|clients?|employees|staff|users|visitors|guests|members|students|managers?|colleagues?"
    r"|suppliers?|vendors?|teams?"
    r"|drivers?|applicants?|participants?|patients?|residents?|tenants?|they|we|he|she|everyone|everybody"
    r"|people|it|shops?|stores?|branch(?:es)?|warehouse"
    r"|accounting|finance|hr|legal|marketing|support|reception|facilities|[A-Z][a-z]+)\s+(?:must|should"
    r"|shall|needs? to|have to|has to|can|will|may|is to|are to|would)\b"
    r"|\b(?:asked|told|reminded|wants?|invites?|invited|advised|requests?|requested"
    r"|encouraged)\s+(?:\w+\s+){1,3}?to\b"
)
OTHERS_ZH: Final = (
    r"(?:客户|顾客|员工|同事|实习生|学员|新人|职员|专员|助理|秘书|负责人|主管|店员|会计|组长|团队|部门|小组"
    r"|用户们|住户|学生|家长|供应商|门店|店长|财务|仓库|人事|法务|市场部|销售部|前台"
    r"|司机|访客|各位同事|大家|他们|我们|他|她|全体|小[\p{Han}]|[\p{Han}]{1,2}(?:经理|总|老师|师傅|主任"
    r"|工))"
    r"[^。；，,\n]{0,6}(?:请|应|需|须|必须|可以|要|记得|麻烦|会|务必|将)"
    r"|(?:请|麻烦)(?:客户|顾客|员工|同事|住户|家长|供应商|门店|店长|财务|仓库|人事|法务|市场部|销售部|前台"
    r"|司机|访客|各位|大家|全体|小[\p{Han}]|老[\p{Han}]|[\p{Han}]{1,2}(?:经理|总|老师|师傅|主任|工))"
)
# Family names by which a person's name is told from other words.
_FAMILY: Final = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余杜叶魏苏吕丁卢姚沈"
    "姜崔谭陆范汪廖贾夏付邹熊孟秦邱侯尹薛闫雷陶贺郝顾龚邵覃钱戴严莫孔汤"
)
_FAMILY_TOO: Final = "高白金石江段任龙武方万常史毛钟"  # also ordinary words: names only after 请 and before 将 or 把
PERSON_ZH: Final = (
    rf"请[{_FAMILY}][\p{{Han}}]{{1,2}}(?:将|把|在|尽快|务必|负责|跟进|转|发|寄|存|于|用|使用|按)"
    rf"|请[{_FAMILY_TOO}][\p{{Han}}]{{1,2}}(?:将|把)"
    rf"|(?:^|[。；，,：:\n\"'「“])[^\p{{Han}}]{{0,3}}[{_FAMILY}][\p{{Han}}]{{1,2}}(?:，|,)?"
    r"(?:请|须|应|需|要|必须|记得|麻烦|务必|负责|烦请|可以)"
)
PERSON_EN: Final = (
    rf"\b[A-Z][a-z]+\s[A-Z][a-z]+,\s+(?:{'|'.join(VERBS_EN.values())})\b"
    r"|"
    r"\b[A-Z][a-z]+(?:\s[A-Z][a-z]+)?,\s*(?:please|kindly|could you|would you|remember|make sure|do|be sure|don't)\b"
    r"|(?:^|[,:]\s*)\W*(?:[Tt]he|[Aa]ll|[Dd]ear)\s+[a-z]+(?:\s[a-z]+)?,\s*(?:please|kindly|could you|would you)\b"
    r"|\b(?:is|are)\s+(?:kindly\s+)?(?:asked|requested|reminded|expected|invited|told|supposed|required"
    r"|welcome)\s+to\b"
)
# "The interns should store ...": somebody else is to act. Not so "the report must be sent", or "the agent should".
SUBJECT_EN: Final = (
    r"(?i)\b(?:the|all|our|any|every|each|their|those|some)\s+([a-z\-]+(?:\s[a-z\-]+)?)\s+(?:must|should"
    r"|shall|needs? to|ha(?:s|ve) to|will"
    r"|can|may|is to|are to)\s+(?:also\s+|kindly\s+|please\s+|always\s+)?([a-z]+)"
)
# "Would the trainees kindly ...": the same as a question.
ASKED_EN: Final = (
    r"(?i)\b(?:would|could|can|may|will)\s+(?:the|all|our|any|every)\s+([a-z\-]+(?:\s[a-z\-]+)?)\s+"
    r"(?:kindly\s+|please\s+)([a-z]+)"
)
READERS: Final = frozenset(
    {"agent", "assistant", "reader", "system", "model", "author", "writer", "bot", "ai", "automation"}
)
# "Dear Maria," "@Tom please" "Tom: please": spoken to a person by name.
NAMED: Final = (
    r"\b(?:dear|hi|hello|hey|@)\s?[A-Z][a-z]+(?:\s[A-Z][a-z]+)?\s*[,:!\-]"
    r"|^\W*[A-Z][a-z]{2,}(?:\s[A-Z][a-z]+)?\s*[,:]\s"
    r"|[,，]\s?(?:thanks|thank you)[,，]?\s[A-Z][a-z]+"
)
DELEGATION: Final = (
    r"\b(?:follow|complete|fulfil+|do|achieve|address|carry out|act on|handle|execute|perform|work through"
    r"|take care of|resolve|solve|accept|help)\s+"
    r"(?:\w+\s+){0,3}?(?:his|her|their|its|the|that|these|those|them"
    r"|what)\b\s?(?:\w+\s+){0,2}?(?:instructions?|requests?|tasks?|issues?|steps|needs?"
    r"|todos?|asks?|says?|wants?|invitation|message|mail|list|to-?dos?)?"
    r"|(?:asked|told) me to|(?:按|照|按照|根据|遵照|完成|处理|执行|办理|落实)[^。；，\n]{0,12}(?:要求|指示"
    r"|说的|请求|任务|待办|清单|邮件|事项)"
)
