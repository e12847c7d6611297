"""The jobs that users ask for on a repository, in Chinese."""

from __future__ import annotations

from typing import Final

GOALS: Final = {
    "bump_to_fixed": (
        "<ask>把{service}里的{package}升到公告给出的修复版本", "<ask>按安全公告将{service}的{package}升级到修复版本",
    ),
    "bump_if_exposed": (
        "<ask>看{package}的公告是否影响我们：有风险就在{service}里升到修复版本，没有就给{issue}打上state/not-affected",
        "<ask>核对{package}公告，受影响则升级{service}到修复版本，不受影响则给{issue}加标签state/not-affected",
    ),
    "bump_two_services": (
        "<ask>把{service}和{service_b}里的{package}都升到修复版本",
        "<ask>在{service}和{service_b}中一并修掉{package}的公告",
    ),
    "bump_two_packages": (
        "<ask>把{service}里的{package}和{package_b}都升到各自的修复版本",
        "<ask>修掉{service}的两个公告，{package}和{package_b}",
    ),
    "align_version": (
        "<ask>让{service}的{package}与{service_b}用同一版本",
        "<ask>对齐{package}版本，{service}以{service_b}的清单为准",
    ),
    "newer_of_two": (
        "<ask>比较{service}和{service_b}里{package}的版本，两边都换成较新的那个",
        "<ask>把{service}与{service_b}的{package}统一到较新版本",
    ),
    "remove_unused": ("<ask>找出{service}清单里未用的依赖并移除", "<ask>去掉{service}标为未用的那个依赖",),
    "pin_last_good": (
        "<ask>把{service}的{package}锁到最后正常版本，并给{issue}加标签state/pinned",
        "<ask>将{service}里的{package}退回最后正常版本，再给{issue}打上state/pinned",
    ),
    "set_timeout": ("<ask>把{service}{env}的超时改成容量规划里的值", "<ask>按容量规划调整{service}在{env}的超时时间",),
    "set_memory_and_replicas": (
        "<ask>按规划设置{service}{env}的内存和副本数", "<ask>把{service}在{env}的内存上限与副本数调到容量规划的值",
    ),
    "double_peak": (
        "<ask>把{service}{env}的内存上限设为{job}日志中内存峰值的两倍",
        "<ask>从{job}取内存峰值，翻倍后作为{service}在{env}的内存上限",
    ),
    "add_pools": (
        "<ask>把{gateway}{env}的连接池设为{service}与{service_b}规划值之和",
        "<ask>将{service}和{service_b}在{env}规划的连接池相加，作为{gateway}在{env}的连接池",
    ),
    "copy_setting": ("<ask>把{service}{env_b}的超时照搬到{env}", "<ask>让{service}的{env}沿用{env_b}的超时时间",),
    "longer_retention": (
        "<ask>比较{service}与{service_b}在{env}规划的保留期，把较长的一个用于{gateway}的{env}",
        "<task>{gateway}在{env}的保留期取{service}和{service_b}规划值中较长者",
    ),
    "move_port": (
        "<ask>把{service}在{env}的端口换成容量规划里的空闲端口", "<ask>给{service}的{env}换上规划列出的空闲端口",
    ),
    "replicas_for_load": (
        "<ask>按指标算出{service}高峰所需副本数（向上取整），并在{env}设好",
        "<ask>为{service}的{env}定副本数：高峰请求数除以单副本承载，向上取整",
    ),
    "smaller_memory": (
        "<ask>比较{service}在{env}的规划内存和它在{env_b}的内存，把较小的用于{gateway}的{env}",
        "<task>{gateway}在{env}的内存取两者中较小的：{service}{env}的规划值与{env_b}的现值",
    ),
    "switch_feature": (
        "<ask>看试验{experiment}：实验组领先就在{service}打开，否则关闭",
        "<ask>根据{experiment}实验组是否领先，在{service}里打开或关闭它",
    ),
    "triple_latency": (
        "<ask>把{service}{env}的熔断阈值cutoff设为P99延迟的三倍",
        "<ask>从指标取{service}的P99延迟，乘以三作为{env}的cutoff",
    ),
    "revert_culprit": ("<ask>在{service}回退{job}二分定位到的提交", "<ask>读{job}的日志，在{service}中回退出错的提交",),
    "revert_slower": (
        "<ask>比较{commit}与{commit_b}的P99延迟，在{service}回退较慢的那个",
        "<task>{commit}和{commit_b}哪个P99更慢，就在{service}里回退哪个",
    ),
    "rerun_or_revert": (
        "<ask>从日志看{job}的失败是否偶发：偶发就重跑，否则在{service}回退二分定位到的提交",
        "<ask>处理{job}：偶发失败重跑，必现则在{service}回退出错提交",
    ),
    "skip_failing_test": (
        "<ask>在{service}跳过{job}中失败的用例，并给{issue}加标签state/skipped-test",
        "<ask>从{job}日志找出失败用例，在{service}里跳过，再给{issue}打上state/skipped-test",
    ),
    "coverage_gate": (
        "<task>{job}的覆盖率达到{policy}的下限就合并{pull}，否则要求修改",
        "<ask>拿{job}的覆盖率与{policy}对照，够了就合并{pull}，不够则要求修改",
    ),
    "size_gate": (
        "<task>{job}的产物不超过{policy}允许的大小就合并{pull}，否则要求修改",
        "<ask>核对{job}的产物大小与{policy}，合格则合并{pull}，超了就要求修改",
    ),
    "backport": (
        "<ask>把{pull}的合并提交移植到{service}的发布分支", "<ask>将{pull}的合并提交拣选到{service}发布计划中的分支",
    ),
    "build_time_gap": (
        "<ask>算出{service}的{job}与{job_b}构建耗时之差，评论到{issue}",
        "<ask>比较{service}两次构建{job}、{job_b}的耗时，把差值写在{issue}下",
    ),
    "pipeline_limit": (
        "<ask>把{job}和{job_b}的构建耗时相加，设为{service}在{env}的pipeline_limit",
        "<task>{service}{env}的pipeline_limit设为{job}与{job_b}耗时之和",
    ),
    "close_duplicate": (
        "<ask>把{issue}作为在档先前问题的重复关闭，并互相关联",
        "<ask>查出{issue}对应的先前问题，按重复关闭{issue}并关联两者",
    ),
    "label_area": ("<ask>给{issue}打上分流定的模块标签", "<ask>按分流结果给{issue}加分类标签",),
    "assign_owner": ("<ask>把{issue}指派给{path}的负责人", "<ask>查{path}由谁负责，把{issue}指派给这位同事",),
    "set_milestone": ("<ask>把{issue}放进分流定的里程碑", "<ask>按分流结果设置{issue}的里程碑",),
    "label_and_milestone": ("<ask>按分流给{issue}设好分类标签和里程碑", "<ask>落实{issue}的分流结果：标签和里程碑",),
    "priority_by_users": (
        "<task>{issue}波及用户达到{policy}的界限就标prio/urgent，否则标prio/normal",
        "<ask>按{policy}给{issue}定优先级：达到用户数界限为prio/urgent，否则prio/normal",
    ),
    "transfer_issue": ("<ask>把{issue}转到分流认定的所属仓库", "<ask>将{issue}移交到它该在的仓库",),
    "close_stale": (
        "<task>{issue}闲置时间达到{policy}的规定就以stale关闭，否则加标签state/keep",
        "<ask>按{policy}的闲置期限处理{issue}：以stale关闭，或打上state/keep",
    ),
    "most_reported": (
        "<ask>在{service}的{issue}、{issue_b}、{issue_c}中，把反馈最多的置顶",
        "<ask>比较{service}三个问题{issue}、{issue_b}、{issue_c}的反馈数，置顶最多的那个",
    ),
    "sum_of_reports": (
        "<ask>把{service}的{issue}与{issue_b}的反馈数相加，评论到{issue}",
        "<ask>在{issue}下写明它和{issue_b}合计多少反馈，按{service}汇总",
    ),
    "request_owner_review": ("<ask>让{path}的负责人评审{pull}", "<ask>查出{path}由谁负责，让其评审{pull}",),
    "merge_if_green": (
        "<task>{pull}检查全部通过就合并，否则要求修改", "<ask>看{pull}的检查结果，通过则合并，失败则要求修改",
    ),
    "merge_if_approved": (
        "<task>{pull}批准数达到{policy}要求就合并，否则加标签state/waiting",
        "<ask>按{policy}核对{pull}的批准数，够了就合并，不够打上state/waiting",
    ),
    "keep_smaller": (
        "<task>{service}的{pull}和{pull_b}二选一，合并改动行数少的",
        "<ask>比较{service}里{pull}与{pull_b}的改动行数，合并较小的一个",
    ),
    "retarget": ("<ask>把{pull}的目标改为{service}发布计划中的分支", "<ask>将{pull}改投到{service}的发布分支",),
    "retarget_and_review": (
        "<ask>把{pull}改投到{service}的发布分支，并请{path}的负责人评审",
        "<ask>将{pull}指向{service}发布计划的分支，评审人为{path}的负责人",
    ),
    "release_note": (
        "<ask>发布{service}的下一版本，说明里写明合入数和修复数",
        "<ask>撰写{service}发布说明（下一版本、合入数、修复数）并发布",
    ),
    "joint_release_note": (
        "<ask>以{service}的下一版本号发布{gateway}，说明写明{service}、{service_b}各自的修复数和{gateway}的合计",
        "<ask>把{service}和{service_b}的修复数相加记为{gateway}的修复数，用{service}的下一版本号发布{gateway}说明",
    ),
    "roll_back": ("<ask>把{service}的{env}回滚到最后正常版本", "<ask>在{env}部署{service}最后正常的版本",),
    "deploy_if_green": (
        "<task>{pull}检查通过就把{service}的下一版本部署到{env}，否则部署最后正常版本",
        "<ask>看{pull}的检查，通过则{service}的{env}上下一版本，失败则上最后正常版本",
    ),
    "downtime_note": (
        "<ask>把{incident}和{incident_b}的停机时间相加，发到{service}状态页",
        "<ask>为{service}发状态说明，写明{incident}、{incident_b}的停机时间及合计",
    ),
    "incident_note": (
        "<ask>为{service}发状态说明，写明{incident}的停机时间和受影响用户数",
        "<ask>在{service}状态页说明{incident}停机多久、波及多少用户",
    ),
    "rotate_oldest_key": (
        "<ask>轮换{service}的{key}和{key_b}中使用更久的一个",
        "<ask>比较{service}里{key}与{key_b}的使用天数，轮换较旧的",
    ),
    "rotate_leaked_key": (
        "<ask>轮换{service}扫描发现泄露的密钥，并给{issue}加标签state/rotated",
        "<ask>查出{service}泄露的密钥并轮换，再给{issue}打上state/rotated",
    ),
    "rotate_if_old": (
        "<task>{service}的{key}使用天数达到{policy}规定就轮换，否则给{issue}加标签state/key-valid",
        "<ask>按{policy}核对{service}里{key}的使用天数，该换就换，不该换给{issue}打上state/key-valid",
    ),
    "grant_role": (
        "<ask>按团队名单给{member}开通{service}的权限", "<ask>按名单里的级别为{member}设置{service}的访问权限",
    ),
    "revoke_leaver": ("<ask>收回{service}团队离职成员的权限", "<ask>查明{service}团队谁已离职，收回其权限",),
    "hand_over_ownership": (
        "<ask>收回{service}团队离职成员的权限，并把{issue}指派给{path}的负责人",
        "<task>{service}团队有人离职，收回其权限，{issue}交给{path}的负责人",
    ),
}  # fmt: skip
