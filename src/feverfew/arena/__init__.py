"""The arena: shared tasks with blind data, boards, pooled evidence and versions of the gold."""
