"""The tables of mutants of all steps, as one."""

from tests.conformance.mutants import MUTANTS
from tests.conformance.mutants_step03 import STREAMING
from tests.conformance.mutants_step04 import AGENT_LOOP
from tests.conformance.mutants_step05 import WITH_TOOLS
from tests.conformance.mutants_step06 import WITH_SESSIONS
from tests.conformance.mutants_step07 import TAKING_PART
from tests.conformance.mutants_step08 import REAL_MODELS
from tests.conformance.mutants_step09 import INTERACTING

EVERY_MUTANT = (
    *MUTANTS,
    *STREAMING,
    *AGENT_LOOP,
    *WITH_TOOLS,
    *WITH_SESSIONS,
    *TAKING_PART,
    *REAL_MODELS,
    *INTERACTING,
)
