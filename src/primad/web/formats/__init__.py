"""How does Django's administration write times?  By language, one folder each, as FORMAT_MODULE_PATH has it."""
