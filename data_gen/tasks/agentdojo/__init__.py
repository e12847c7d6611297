"""AgentDojo's suites as a domain: an environment, tools, tasks and checks that nobody here wrote. English only.

E. Debenedetti et al., "AgentDojo: A Dynamic Environment to Evaluate Prompt Injection Attacks and Defenses for LLM
Agents" (2024). Needs the extra `agentdojo`, which is imported when a task is first drawn.
"""

from data_gen.tasks.agentdojo.domain import AgentDojoDomain

DOMAIN = AgentDojoDomain()

__all__ = ["DOMAIN", "AgentDojoDomain"]
