"""The way from every earlier version of the database to this one."""
