"""What `keep` does: raw data as tables, what is made again from them, archives, and the check of all that."""


class Refusal(Exception):
    """What cannot be done, and what to do instead."""
