"""How `shared_memory`, `alias_groups` and `memory_map` find what lies on which bytes."""
