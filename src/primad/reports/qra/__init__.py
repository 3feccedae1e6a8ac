"""A quantified assessment as people and programs want to read it.

text            for a terminal, a spreadsheet, a program
page, figures   as one page, and as pictures
latex           the tables of a paper
"""
