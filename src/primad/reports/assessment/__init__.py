"""An assessment as people and programs want to read it.

text                  for a terminal, a spreadsheet, a paper, a program
page, figures         as one page, and as pictures
sentences, figure_sentences   what its numbers, and what its pictures say
"""
