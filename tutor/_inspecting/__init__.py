"""How facts about one array, or two, are found. `tutor.inspection` is the door."""
