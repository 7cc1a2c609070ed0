"""What is checked: one file a phase, each with checks(machine)."""
