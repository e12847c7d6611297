"""How the dialogue agent writes to customers in Chinese."""

from __future__ import annotations

from typing import Final

REPLY: Final = {
    "greeting": ("{name}，您好：", "尊敬的{name}：", "{name}您好！", "亲爱的{name}："),
    "closing": ("祝您生活愉快", "顺祝安好", "此致敬礼", "感谢您的来信"),
    "r_open": (
        "您关于订单{order}的来信已收到。", "订单{order}的情况我们已经核实。", "现就订单{order}答复如下。",
        "感谢您来信说明订单{order}的情况。",
    ),
    "r_refund": ("我们为您退款{amount}。", "已登记退款{amount}。", "{amount}将退还给您。", "退给您{amount}。"),
    "r_voucher": ("为您发放{amount}的代金券。", "{amount}代金券已放入您的账户。", "另送上代金券{amount}。"),
    "r_tell": ("经核算，金额为{amount}。", "算下来是{amount}。", "您应得{amount}。", "金额合计{amount}。"),
    "r_replace": ("新的{item}已经发出。", "我们为您补发一件{item}。", "{item}已重新寄出。"),
    "r_return": ("请用随附的标签寄回{item}。", "{item}的退货已经开通。", "{item}可以免费寄回。"),
    "r_decline": (
        "您的申请已超过受理时间，无法赔付。", "受理时间已过，我们不能付款。", "很抱歉，时间已过，这次无法办理。",
    ),
    "r_person": ("后续由{person}与您联系。", "您的事已转交{person}处理。", "接下来由{person}负责跟进。"),
    "r_promise": ("款项{days}<soon>。", "这笔钱{days}<soon>。", "请放心，{days}<soon>。"),
    "soon": ("内到账", "内退到您账上", "内入账", "内您会收到"),
    "r_cause": ("此事<because>{phrase}。", "问题<because>{phrase}。", "经查，<because>{phrase}。"),
    "r_no_cause": ("至于缘由，{none}。", "为什么会这样，{none}。"),
    "r_back": ("订单{order}的货<back>。", "订单{order}<back>。"),
    "back": ("需要寄回", "须寄回", "请寄回", "要退回"),
    "r_keep": ("订单{order}的货您可以留下。", "订单{order}的商品归您所有。"),
    "r_sorry": ("给您添麻烦了，非常抱歉。", "对此我们深表歉意。", "请接受我们的歉意。"),
    "r_warn": ("<warned>，我们将停用您的账户。", "<warned>，只能终止沟通。"),
    "warned": ("再有辱骂", "再出言不逊", "若再恶语相向"),
    "final": (
        "{case}已办结，回信发给了{recipients}。", "{case}处理完毕，已回复{recipients}。",
        "{case}结案，回信寄往{recipients}。",
    ),
    "final_none": ("{case}已办结，没有回信。", "{case}处理完毕，未发回信。", "{case}结案，回信略过。"),
}  # fmt: skip
